import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/tiktok/index.ts';
import { NetworkError } from '../../src/outbound/http-client.ts';
import { consent, DESKTOP, isCreator, isToken, startTikTok, type TikTok, WEB } from './tiktok-driver.ts';
import { failureOf } from './walk.ts';

const start = closedAfterTest(startTikTok);

const { authorize, exchange, refresh, revoke, scopes, tokensFrom } = connector.oauth;
const begin = ({ context }: TikTok, redirectUri = DESKTOP) => authorize(context, { state: 'the state', redirectUri });
const tokenCalls = (tiktok: TikTok) => tiktok.requests.filter(isToken).length;
const renew = (tiktok: TikTok, tokens: Awaited<ReturnType<TikTok['connect']>>) => {
  if (!refresh) throw new Error('TikTok tokens are renewed.');
  return refresh(tiktok.context, tokens);
};

describe('consent', () => {
  test.each([
    ['the web', WEB],
    ['this machine', DESKTOP],
    ['localhost', 'http://localhost:3000/oauth/tiktok/callback'],
    ['localhost by TLS', 'https://localhost:8443/oauth/tiktok/callback'],
  ])('connects through %s and identifies the account', async (_name, redirectUri) => {
    const tiktok = await start();
    const tokens = await tiktok.connect('nora.cuts', { redirectUri });
    expect(tokens).toMatchObject({ expiresIn: 7_200, refreshExpiresIn: 15_552_000, service: '' });
    expect([...tokens.scopes].sort()).toEqual([...scopes].sort());
    expect(Object.keys(tokens.secret).sort()).toEqual(['accessToken', 'refreshToken']);
    expect(await connector.identify(tiktok.context, tokens)).toEqual({
      remoteId: (await tiktok.simulator.enrol('nora.cuts')).remoteId,
      username: 'nora.cuts',
      displayName: 'nora.cuts',
      avatarUrl: expect.stringMatching(/^http/),
      capabilities: connector.capabilities,
      choices: {
        privacy: [
          { value: 'PUBLIC_TO_EVERYONE', label: 'Everyone' },
          { value: 'MUTUAL_FOLLOW_FRIENDS', label: 'Friends' },
          { value: 'SELF_ONLY', label: 'Only me' },
        ],
      },
    });
  });

  test('sends a hexadecimal challenge for loopback and hides the verifier', async () => {
    const tiktok = await start();
    const { url, kept } = await begin(tiktok);
    const asked = new URL(url).searchParams;
    expect(Object.fromEntries(asked)).toEqual({
      client_key: 'sandbox-client',
      response_type: 'code',
      scope: 'user.info.basic,user.info.profile,video.list,video.publish',
      redirect_uri: DESKTOP,
      state: 'the state',
      disable_auto_auth: '1',
      code_challenge: createHash('sha256').update(String(kept.verifier)).digest('hex'),
      code_challenge_method: 'S256',
    });
    expect(String(kept.verifier)).toMatch(/^[A-Za-z0-9\-._~]{43,128}$/);
    expect(url).not.toContain(String(kept.verifier));
    expect(url).not.toContain('sandbox-secret');
  });

  test('connects an app that requires PKCE for a web redirect', async () => {
    const tiktok = await start();
    await tiktok.setApp({ requiresChallenge: true });
    const { url, kept } = await begin(tiktok, WEB);
    const query = await consent(url);
    await exchange(tiktok.context, { query, redirectUri: WEB, kept });
    expect(tiktok.asked.at(-1)?.form?.code_verifier).toBe(kept.verifier);
  });

  test('passes a code with special characters unchanged', async () => {
    const tiktok = await start();
    const { url, kept } = await begin(tiktok);
    const query = await consent(url);
    expect(query.get('code')).toMatch(/\*\d!\d/);
    const escaped = new URL(`${DESKTOP}?${query}`);
    expect(escaped.search).toMatch(/(%2A|\*)\d(%21|!)/);
    await exchange(tiktok.context, { query: escaped.searchParams, redirectUri: DESKTOP, kept });
    expect(tiktok.asked.at(-1)?.form?.code).toBe(query.get('code'));
  });

  test.each([
    ['another verifier', { kept: { verifier: 'x'.repeat(43) } }],
    ['no verifier', { kept: {} }],
    ['another address', { redirectUri: WEB }],
  ])('an exchange with %s fails as a setup error', async (_name, change) => {
    const tiktok = await start();
    const { url, kept } = await begin(tiktok);
    const attempt = exchange(tiktok.context, { query: await consent(url), redirectUri: DESKTOP, kept, ...change });
    expect(await failureOf(attempt)).toMatchObject({ kind: 'setup', platformCode: 'invalid_request', status: 200 });
  });

  test('a denied consent returns no code and requests no token', async () => {
    const tiktok = await start();
    const { url, kept } = await begin(tiktok);
    const query = await consent(url, { decision: 'deny' });
    expect(query.get('error')).toBe('access_denied');
    expect(await failureOf(exchange(tiktok.context, { query, redirectUri: DESKTOP, kept }))).toMatchObject({
      kind: 'transient',
    });
    expect(tokenCalls(tiktok)).toBe(0);
  });

  test.each([
    ['twice', 0],
    ['too late', 600_000],
  ])('a code that comes %s requires a new consent', async (_name, laterMs) => {
    const tiktok = await start();
    const { url, kept } = await begin(tiktok);
    const query = await consent(url);
    if (laterMs === 0) await exchange(tiktok.context, { query, redirectUri: DESKTOP, kept });
    tiktok.clock.now += laterMs;
    expect(await failureOf(exchange(tiktok.context, { query, redirectUri: DESKTOP, kept }))).toMatchObject({
      kind: 'reconnect',
      platformCode: 'invalid_grant',
      requestId: expect.stringMatching(/^2026/),
    });
  });

  test('reports declined scopes and requires the posting scope', async () => {
    const tiktok = await start();
    const tokens = await tiktok.connect('nora.cuts', { granted: ['user.info.profile', 'video.list'] });
    expect(scopes.filter((scope) => !tokens.scopes.includes(scope))).toEqual(['video.publish']);
    expect(await failureOf(connector.identify(tiktok.context, tokens))).toMatchObject({
      kind: 'reconnect',
      platformCode: 'scope_not_authorized',
    });
  });

  test('names the missing settings when no app is configured', async () => {
    const tiktok = await start();
    const context = { ...tiktok.context, app: null };
    const attempt = authorize(context, { state: 's', redirectUri: WEB });
    expect(await failureOf(attempt)).toMatchObject({
      kind: 'setup',
      detail: expect.objectContaining({ params: expect.objectContaining({ idVariable: 'TIKTOK_CLIENT_KEY' }) }),
    });
  });
});

describe('account', () => {
  test("uses the account's own duration limit and privacy options", async () => {
    const tiktok = await start();
    const tokens = await tiktok.connect();
    await tiktok.changeAccount({ maxSeconds: 300, private: true });
    const facts = await connector.identify(tiktok.context, tokens);
    expect(facts.capabilities.video.maxSeconds).toBe(300);
    expect(facts.choices?.privacy?.map(({ value }) => value)).toEqual([
      'FOLLOWER_OF_CREATOR',
      'MUTUAL_FOLLOW_FRIENDS',
      'SELF_ONLY',
    ]);
  });

  test('offers no interaction that the creator has disabled', async () => {
    const tiktok = await start();
    const tokens = await tiktok.connect();
    await tiktok.changeAccount({ commentDisabled: true, duetDisabled: true });
    const { choices } = await connector.identify(tiktok.context, tokens);
    expect(choices).toMatchObject({ comment: [{ value: 'off', label: 'No' }], duet: [{ value: 'off', label: 'No' }] });
    expect(choices).not.toHaveProperty('stitch');
  });

  test("has the creator's nickname and picture by default", async () => {
    const tiktok = await start();
    const tokens = await tiktok.connect();
    const data = { user: { open_id: 'an-id', display_name: '', avatar_url: '' } };
    const body = { data, error: { code: 'ok', message: '', log_id: '' } };
    const when = ({ path }: { path: string }) => path === '/v2/user/info/';
    tiktok.faults.add({ when, fault: { kind: 'status', answer: { status: 200, body } } });
    expect(await connector.identify(tiktok.context, tokens)).toMatchObject({
      username: 'nora.cuts',
      displayName: 'nora.cuts',
      avatarUrl: expect.stringMatching(/\/avatar\//),
    });
  });

  test.each([
    ['is barred from posting', { banned: true }],
    [
      'has made all its posts of today',
      { posts: Array.from({ length: 15 }, (_, index) => Date.UTC(2026, 10, 21) + index) },
    ],
  ])('an account that %s can still be connected', async (_name, changes) => {
    const tiktok = await start({ limits: true });
    const tokens = await tiktok.connect();
    await tiktok.changeAccount(changes);
    const facts = await connector.identify(tiktok.context, tokens);
    expect(facts).toMatchObject({ username: 'nora.cuts', capabilities: connector.capabilities });
    expect(facts).not.toHaveProperty('choices');
  });

  test.each([
    ['fails', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['no longer knows the token', { kind: 'refusal', refusal: 'token-expired' }, 'tokenExpired'],
  ] as const)('identify fails if TikTok %s', async (_name, fault, kind) => {
    const tiktok = await start();
    const tokens = await tiktok.connect();
    tiktok.faults.add({ when: isCreator, fault });
    expect(await failureOf(connector.identify(tiktok.context, tokens))).toMatchObject({ kind });
  });

  test('identifies a sandbox account from a token response', async () => {
    const tiktok = await start();
    const { tokenAnswer, remoteId } = await tiktok.simulator.enrol('wanda');
    const tokens = tokensFrom?.(tokenAnswer ?? {}, '');
    if (!tokens) throw new Error('Tokens were expected.');
    expect((await connector.identify(tiktok.context, tokens)).remoteId).toBe(remoteId);
  });
});

describe('tokens', () => {
  test('a refresh replaces both tokens and invalidates the old one', async () => {
    const tiktok = await start();
    const first = await tiktok.connect();
    tiktok.clock.now += 7_200_000;
    expect(await failureOf(connector.identify(tiktok.context, first))).toMatchObject({ kind: 'tokenExpired' });
    const second = await renew(tiktok, first);
    expect(second.secret.refreshToken).not.toBe(first.secret.refreshToken);
    expect((await connector.identify(tiktok.context, second)).username).toBe('nora.cuts');
    expect(await failureOf(renew(tiktok, first))).toMatchObject({ kind: 'reconnect', platformCode: 'invalid_grant' });
    expect((await renew(tiktok, second)).secret.accessToken).toEqual(expect.any(String));
  });

  test('a refresh with a lost response requires a new consent', async () => {
    const tiktok = await start();
    const tokens = await tiktok.connect();
    tiktok.faults.add({ when: isToken, times: 1, fault: { kind: 'reset-after' } });
    await expect(renew(tiktok, tokens)).rejects.toBeInstanceOf(NetworkError);
    expect(await failureOf(renew(tiktok, tokens))).toMatchObject({ kind: 'reconnect' });
  });

  test('tokens without a refresh token are not sent', async () => {
    const tiktok = await start();
    const tokens = await tiktok.connect();
    const before = tokenCalls(tiktok);
    const { accessToken = '' } = tokens.secret;
    expect(await failureOf(renew(tiktok, { ...tokens, secret: { accessToken } }))).toMatchObject({ kind: 'reconnect' });
    expect(tokenCalls(tiktok)).toBe(before);
  });

  test.each([
    ['a page in place of a response', { kind: 'garbage', acted: false }, 'transient'],
    ['trouble of its own', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    [
      '"try later"',
      { kind: 'status', answer: { status: 200, body: { error: 'temporarily_unavailable' } } },
      'transient',
    ],
    ['a limit', { kind: 'status', answer: { status: 429, body: '' } }, 'rateLimited'],
    [
      'a client it does not know',
      { kind: 'status', answer: { status: 200, body: { error: 'invalid_client' } } },
      'setup',
    ],
  ] as const)('a refresh that meets %s keeps the tokens', async (_name, fault, kind) => {
    const tiktok = await start();
    const tokens = await tiktok.connect();
    tiktok.faults.add({ when: isToken, times: 1, fault });
    expect(await failureOf(renew(tiktok, tokens))).toMatchObject({ kind });
    expect((await renew(tiktok, tokens)).secret.accessToken).toEqual(expect.any(String));
  });

  test('a wrong client secret is a setup error without leak', async () => {
    const tiktok = await start();
    const tokens = await tiktok.connect();
    const context = { ...tiktok.context, app: { clientId: 'sandbox-client', clientSecret: 'another secret' } };
    const failure = await failureOf(refresh?.(context, tokens) ?? Promise.resolve());
    expect(failure).toMatchObject({ kind: 'setup', platformCode: 'invalid_client' });
    expect(JSON.stringify(failure)).not.toContain('another secret');
  });

  test('revoked tokens are invalid, and revoking twice succeeds', async () => {
    const tiktok = await start();
    const tokens = await tiktok.connect();
    await revoke?.(tiktok.context, tokens);
    expect(await failureOf(connector.identify(tiktok.context, tokens))).toMatchObject({ kind: 'tokenExpired' });
    expect(await failureOf(renew(tiktok, tokens))).toMatchObject({ kind: 'reconnect' });
    await revoke?.(tiktok.context, tokens);
  });

  test('a failed revocation can be retried', async () => {
    const tiktok = await start();
    const tokens = await tiktok.connect();
    const when = ({ path }: { path: string }) => path === '/v2/oauth/revoke/';
    tiktok.faults.add({ when, times: 1, fault: { kind: 'refusal', refusal: 'server-error' } });
    expect(await failureOf(revoke?.(tiktok.context, tokens) ?? Promise.resolve())).toMatchObject({ kind: 'transient' });
    await revoke?.(tiktok.context, tokens);
    expect(await failureOf(connector.identify(tiktok.context, tokens))).toMatchObject({ kind: 'tokenExpired' });
  });

  test('reads token lifetimes from the response, with a short default', () => {
    const read = (response: Record<string, string | number>) => tokensFrom?.({ access_token: 'a', ...response }, '');
    expect(read({ expires_in: 86_400, refresh_expires_in: 31_536_000 })).toMatchObject({
      expiresIn: 86_400,
      refreshExpiresIn: 31_536_000,
    });
    expect(read({})).toMatchObject({ secret: { accessToken: 'a' }, expiresIn: 7_200, refreshExpiresIn: null });
    expect(read({})?.secret).not.toHaveProperty('refreshToken');
    expect(read({ scope: 'video.list, video.publish' })?.scopes).toEqual(['video.list', 'video.publish']);
    expect(() => tokensFrom?.({ error: 'invalid_grant' }, '')).toThrow('no access token');
  });
});
