import { createHash } from 'node:crypto';
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import type { Tokens } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/x/index.ts';
import { NetworkError } from '../../src/outbound/http-client.ts';
import { failureOf } from './walk.ts';
import { consent, isMe, isToken, REDIRECT_URI, startX, type X } from './x-driver.ts';

const start = closedAfterTest(startX);

const { authorize, exchange, refresh, revoke, scopes, tokensFrom } = connector.oauth;
const begin = ({ context }: X) => authorize(context, { state: 'the state', redirectUri: REDIRECT_URI });
const renew = ({ context }: X, tokens: Tokens) => {
  if (!refresh) throw new Error('X tokens are renewed.');
  return refresh(context, tokens);
};
const tokenCalls = (x: X) => x.requests.filter(isToken).length;

describe('consent', () => {
  test('returns tokens and identifies the account', async () => {
    const x = await start();
    const tokens = await x.connect();
    expect(tokens).toMatchObject({ expiresIn: 7_200, refreshExpiresIn: null, service: '', scopes });
    expect(Object.keys(tokens.secret).sort()).toEqual(['accessToken', 'refreshToken']);
    expect(await connector.identify(x.context, tokens)).toEqual({
      remoteId: (await x.simulator.enrol('nora')).remoteId,
      username: 'nora',
      displayName: 'nora',
      avatarUrl: expect.stringMatching(/^http/),
      capabilities: connector.capabilities,
      extra: { protected: false },
    });
  });

  test('requests the scopes with PKCE and hides the verifier', async () => {
    const x = await start();
    const { url, kept } = await begin(x);
    expect(new URL(url).pathname).toMatch(/\/i\/oauth2\/authorize$/);
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      response_type: 'code',
      client_id: 'sandbox-client',
      redirect_uri: REDIRECT_URI,
      scope: 'tweet.read tweet.write users.read media.write offline.access',
      state: 'the state',
      code_challenge: createHash('sha256').update(String(kept.verifier)).digest('base64url'),
      code_challenge_method: 'S256',
    });
    expect(url).not.toContain(String(kept.verifier));
    expect((await begin(x)).kept.verifier).not.toBe(kept.verifier);
  });

  test('consent is on x.com, everything else on api.x.com', () => {
    expect(connector.endpoints).toEqual({ api: 'https://api.x.com', www: 'https://x.com' });
  });

  test.each([
    ['another verifier', { kept: { verifier: 'x'.repeat(43) } }],
    ['no verifier', { kept: {} }],
    ['another address', { redirectUri: 'https://elsewhere.example/' }],
  ])('an exchange with %s fails as a setup error', async (_name, change) => {
    const x = await start({ wire: false });
    const { url, kept } = await begin(x);
    const attempt = exchange(x.context, { query: await consent(url), redirectUri: REDIRECT_URI, kept, ...change });
    expect(await failureOf(attempt)).toMatchObject({ kind: 'setup', platformCode: 'invalid_request', status: 400 });
  });

  test('a denied consent returns no code and requests no token', async () => {
    const x = await start();
    const { url, kept } = await begin(x);
    const query = await consent(url, { decision: 'deny' });
    expect(query.get('error')).toBe('access_denied');
    expect(await failureOf(exchange(x.context, { query, redirectUri: REDIRECT_URI, kept }))).toMatchObject({
      kind: 'transient',
    });
    expect(tokenCalls(x)).toBe(0);
  });

  test.each([
    ['twice', 0],
    ['after 30 seconds', 30_000],
  ])('a code that comes %s requires a new consent', async (_name, laterMs) => {
    const x = await start();
    const { url, kept } = await begin(x);
    const query = await consent(url);
    if (laterMs === 0) await exchange(x.context, { query, redirectUri: REDIRECT_URI, kept });
    x.clock.now += laterMs;
    expect(await failureOf(exchange(x.context, { query, redirectUri: REDIRECT_URI, kept }))).toMatchObject({
      kind: 'reconnect',
      platformCode: 'invalid_request',
    });
  });

  test('reports declined scopes; refreshing requires offline.access', async () => {
    const x = await start();
    const tokens = await x.connect('nora', ['tweet.read', 'users.read', 'tweet.write']);
    expect(scopes.filter((scope) => !tokens.scopes.includes(scope))).toEqual(['media.write', 'offline.access']);
    expect(tokens.secret).not.toHaveProperty('refreshToken');
    const before = tokenCalls(x);
    expect(await failureOf(renew(x, tokens))).toMatchObject({ kind: 'reconnect' });
    expect(tokenCalls(x)).toBe(before);
  });

  test('names the missing settings when no app is configured', async () => {
    const x = await start();
    const attempt = authorize({ ...x.context, app: null }, { state: 's', redirectUri: REDIRECT_URI });
    expect(await failureOf(attempt)).toMatchObject({
      kind: 'setup',
      detail: expect.objectContaining({ params: expect.objectContaining({ idVariable: 'X_CLIENT_ID' }) }),
    });
  });
});

describe('account', () => {
  test.each([
    ['None', 280, 140],
    ['Basic', 280, 140],
    ['Premium', 25_000, 7_500],
    ['PremiumPlus', 25_000, 7_500],
  ] as const)('subscription %s allows %i characters and %i seconds', async (subscription, length, seconds) => {
    const x = await start();
    const tokens = await x.connect();
    await x.changeAccount({ subscription });
    const { capabilities } = await connector.identify(x.context, tokens);
    expect([capabilities.caption.maxLength, capabilities.video.maxSeconds]).toEqual([length, seconds]);
    expect(capabilities.caption).toMatchObject({ unit: 'weighted', urlLength: 23, bareLinks: true });
  });

  test('keeps its 64-bit id when renamed', async () => {
    const x = await start();
    const tokens = await x.connect();
    const { remoteId } = await connector.identify(x.context, tokens);
    expect(remoteId).toMatch(/^\d{19}$/);
    await x.changeAccount({ username: 'nora_films' });
    expect(await connector.identify(x.context, tokens)).toMatchObject({ remoteId, username: 'nora_films' });
  });

  test.each<[string, Fault, string]>([
    ['fails', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['answers with a page', { kind: 'garbage', acted: false }, 'transient'],
    ['names nobody', { kind: 'status', answer: { status: 200, body: { data: { id: 'nora' } } } }, 'transient'],
    ['no longer knows the token', { kind: 'refusal', refusal: 'token-expired' }, 'tokenExpired'],
    ['asks for patience', { kind: 'refusal', refusal: 'rate-limited' }, 'rateLimited'],
  ])('identify fails if X %s', async (_name, fault, kind) => {
    const x = await start();
    const tokens = await x.connect();
    x.faults.add({ when: isMe, fault });
    expect(await failureOf(connector.identify(x.context, tokens))).toMatchObject({ kind });
  });

  test('identifies a sandbox account from a token response', async () => {
    const x = await start();
    const { tokenAnswer, remoteId } = await x.simulator.enrol('wanda');
    const tokens = tokensFrom?.(tokenAnswer ?? {}, '');
    if (!tokens) throw new Error('Tokens were expected.');
    expect((await connector.identify(x.context, tokens)).remoteId).toBe(remoteId);
  });
});

describe('tokens', () => {
  test('a refresh replaces both tokens and invalidates the old one', async () => {
    const x = await start();
    const first = await x.connect();
    x.clock.now += 7_200_000;
    expect(await failureOf(connector.identify(x.context, first))).toMatchObject({ kind: 'tokenExpired' });
    const second = await renew(x, first);
    expect(second.secret.refreshToken).not.toBe(first.secret.refreshToken);
    expect((await connector.identify(x.context, second)).username).toBe('nora');
    expect(await failureOf(renew(x, first))).toMatchObject({ kind: 'reconnect', status: 400 });
    expect((await renew(x, second)).secret.accessToken).toEqual(expect.any(String));
  });

  test('a refresh with a lost response requires a new consent', async () => {
    const x = await start();
    const tokens = await x.connect();
    x.faults.add({ when: isToken, times: 1, fault: { kind: 'reset-after' } });
    await expect(renew(x, tokens)).rejects.toBeInstanceOf(NetworkError);
    expect(await failureOf(renew(x, tokens))).toMatchObject({ kind: 'reconnect' });
  });

  test.each<[string, Fault, string]>([
    ['a page in place of a response', { kind: 'garbage', acted: false }, 'transient'],
    ['trouble of its own', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['a page and 401', { kind: 'garbage', acted: false, status: 401 }, 'transient'],
    ['nothing at all', { kind: 'status', answer: { status: 200, body: '' } }, 'transient'],
    ['a list', { kind: 'status', answer: { status: 200, body: [] } }, 'transient'],
    ['a limit', { kind: 'status', answer: { status: 429, body: '' } }, 'rateLimited'],
    [
      'a client it does not know',
      { kind: 'status', answer: { status: 401, body: { error: 'invalid_client' } } },
      'setup',
    ],
    [
      'a request it does not understand',
      {
        kind: 'status',
        answer: {
          status: 400,
          body: { error: 'invalid_request', error_description: 'Missing required parameter [x].' },
        },
      },
      'setup',
    ],
  ])('a refresh that meets %s keeps the tokens', async (_name, fault, kind) => {
    const x = await start();
    const tokens = await x.connect();
    x.faults.add({ when: isToken, times: 1, fault });
    expect(await failureOf(renew(x, tokens))).toMatchObject({ kind });
    expect((await renew(x, tokens)).secret.accessToken).toEqual(expect.any(String));
  });

  test('invalid_grant requires a new consent', async () => {
    const x = await start();
    const tokens = await x.connect();
    const response = { status: 400, body: { error: 'invalid_grant', error_description: 'expired' } };
    x.faults.add({ when: isToken, times: 1, fault: { kind: 'status', answer: response } });
    expect(await failureOf(renew(x, tokens))).toMatchObject({ kind: 'reconnect', platformCode: 'invalid_grant' });
  });

  test('a wrong client secret is a setup error without leak', async () => {
    const x = await start();
    const tokens = await x.connect();
    const context = { ...x.context, app: { clientId: 'sandbox-client', clientSecret: 'another secret' } };
    const failure = await failureOf(refresh?.(context, tokens) ?? Promise.resolve());
    expect(failure).toMatchObject({ kind: 'setup', platformCode: 'unauthorized_client' });
    for (const secret of ['another secret', Buffer.from('sandbox-client:another secret').toString('base64')])
      expect(JSON.stringify(failure)).not.toContain(secret);
  });

  test('revoking invalidates both tokens and can be repeated', async () => {
    const x = await start();
    const tokens = await x.connect();
    await revoke?.(x.context, tokens);
    expect(await failureOf(connector.identify(x.context, tokens))).toMatchObject({ kind: 'tokenExpired' });
    expect(await failureOf(renew(x, tokens))).toMatchObject({ kind: 'reconnect' });
    await revoke?.(x.context, tokens);
  });

  test('a failed revocation can be retried', async () => {
    const x = await start();
    const tokens = await x.connect();
    const when = ({ path }: { path: string }) => path === '/2/oauth2/revoke';
    x.faults.add({ when, times: 1, fault: { kind: 'refusal', refusal: 'server-error' } });
    expect(await failureOf(revoke?.(x.context, tokens) ?? Promise.resolve())).toMatchObject({ kind: 'transient' });
    await revoke?.(x.context, tokens);
    expect(await failureOf(connector.identify(x.context, tokens))).toMatchObject({ kind: 'tokenExpired' });
  });

  test('reads lifetimes and scopes from the response, with defaults', async () => {
    const read = (response: Record<string, string | number>) => tokensFrom?.({ access_token: 'a', ...response }, '');
    expect(read({ expires_in: 60 })).toMatchObject({ expiresIn: 60 });
    expect(read({})).toEqual({
      secret: { accessToken: 'a' },
      scopes: [],
      expiresIn: 7_200,
      refreshExpiresIn: null,
      service: '',
    });
    expect(() => tokensFrom?.({ error: 'invalid_grant' }, '')).toThrow('no access token');
    const x = await start();
    const tokens = await x.connect();
    const response = { status: 200, body: { access_token: 'b', expires_in: 7_200, token_type: 'bearer' } };
    x.faults.add({ when: isToken, times: 1, fault: { kind: 'status', answer: response } });
    // The service then keeps the scopes of the grant.
    expect((await renew(x, tokens)).scopes).toEqual([]);
  });
});
