import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/pinterest/index.ts';
import { NetworkError } from '../../src/outbound/http-client.ts';
import { CALLBACK, consent, isToken, type Pinterest, startPinterest } from './pinterest-driver.ts';
import { failureOf } from './walk.ts';

const start = closedAfterTest(startPinterest);

const { authorize, exchange, missingScopes, refresh, scopes, tokensFrom } = connector.oauth;
const REQUIRED = 'boards:read,boards:write,pins:read,pins:write,user_accounts:read';
const begin = ({ context }: Pinterest) => authorize(context, { state: 'the state', redirectUri: CALLBACK });
const tokenCalls = ({ requests }: Pinterest) => requests.filter(isToken).length;
const renew = (pinterest: Pinterest, tokens: Awaited<ReturnType<Pinterest['connect']>>) => {
  if (!refresh) throw new Error('Pinterest tokens are renewed.');
  return refresh(pinterest.context, tokens);
};

describe('Pinterest consent', () => {
  test('returns tokens and the account with its boards', async () => {
    const pinterest = await start();
    const tokens = await pinterest.connect();
    expect(tokens).toMatchObject({ expiresIn: 2_592_000, refreshExpiresIn: 5_184_000, service: '' });
    expect([...tokens.scopes].sort()).toEqual([...scopes].sort());
    const boards = await pinterest.boards();
    const [open, secret] = ['PUBLIC', 'SECRET'].map((kind) => boards.find(({ privacy }) => privacy === kind)?.id);
    const facts = await connector.identify(pinterest.context, tokens);
    expect(facts).toMatchObject({
      remoteId: (await pinterest.simulator.enrol('nora')).remoteId,
      username: 'nora',
      displayName: 'nora makes',
      avatarUrl: expect.stringMatching(/^http/),
      capabilities: connector.capabilities,
      extra: { boards: { PUBLIC: open, SECRET: secret }, openBoards: [open] },
    });
    expect(Object.fromEntries((facts.choices?.board ?? []).map(({ value, label }) => [value, label]))).toEqual({
      PUBLIC: 'The oldest public board (Clips)',
      SECRET: 'The oldest secret board (Drafts)',
      [open ?? '']: 'Clips',
      [secret ?? '']: 'Drafts',
    });
  });

  test('requests comma-separated scopes without the application secret', async () => {
    const pinterest = await start();
    const { url, kept } = await begin(pinterest);
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      client_id: 'sandbox-client',
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: `${REQUIRED},boards:read_secret,boards:write_secret,pins:read_secret,pins:write_secret`,
      state: 'the state',
    });
    expect([kept, url.includes('sandbox-secret')]).toEqual([{}, false]);
  });

  test('requests no token when it was denied', async () => {
    const pinterest = await start();
    const { url, kept } = await begin(pinterest);
    const query = await consent(url, { decision: 'deny' });
    const attempt = exchange(pinterest.context, { query, redirectUri: CALLBACK, kept });
    expect(await failureOf(attempt)).toMatchObject({ kind: 'transient' });
    expect(tokenCalls(pinterest)).toBe(0);
  });

  test.each([
    ['twice', { redirectUri: CALLBACK }, 0],
    ['too late', { redirectUri: CALLBACK }, 600_000],
    ['for another address', { redirectUri: `${CALLBACK}/` }, null],
  ])('asks to reconnect when the code comes %s', async (_name, { redirectUri }, laterMs) => {
    const pinterest = await start();
    const { url, kept } = await begin(pinterest);
    const query = await consent(url);
    if (laterMs === 0) await exchange(pinterest.context, { query, redirectUri, kept });
    pinterest.clock.now += laterMs ?? 0;
    const failure = await failureOf(exchange(pinterest.context, { query, redirectUri, kept }));
    expect(failure).toMatchObject({ kind: 'reconnect', platformCode: '283', requestId: expect.any(String) });
  });

  test('reports missing scopes; without boards the account is not connected', async () => {
    const pinterest = await start();
    const tokens = await pinterest.connect(['user_accounts:read', 'pins:read']);
    expect(missingScopes?.(tokens.scopes)).toEqual(['boards:read', 'boards:write', 'pins:write']);
    expect(await failureOf(connector.identify(pinterest.context, tokens))).toMatchObject({
      kind: 'reconnect',
      platformCode: '3',
    });
  });

  test('names the missing settings without an application', async () => {
    const pinterest = await start();
    const attempt = authorize({ ...pinterest.context, app: null }, { state: 's', redirectUri: CALLBACK });
    expect(await failureOf(attempt)).toMatchObject({
      kind: 'setup',
      detail: { code: 'app_missing', params: { idVariable: 'PINTEREST_APP_ID' } },
    });
  });
});

describe('Pinterest account', () => {
  test('without the secret scopes offers its other boards', async () => {
    const pinterest = await start();
    const tokens = await pinterest.connect(REQUIRED.split(','));
    expect(missingScopes?.(tokens.scopes)).toEqual([]);
    const facts = await connector.identify(pinterest.context, tokens);
    expect(facts.choices?.board?.map(({ label }) => label)).toEqual(['The oldest public board (Clips)', 'Clips']);
  });

  test('of a person shows the user name', async () => {
    const pinterest = await start();
    const tokens = await pinterest.connect();
    const { remoteId } = await pinterest.simulator.enrol('nora');
    await pinterest.store.change<object>('account', remoteId, (known) => ({ ...known, businessName: null }));
    expect((await connector.identify(pinterest.context, tokens)).displayName).toBe('nora');
  });

  test('keeps its board when others are added; may have none', async () => {
    const pinterest = await start();
    const tokens = await pinterest.connect();
    const before = await connector.identify(pinterest.context, tokens);
    const body = JSON.stringify({ name: 'Newer', privacy: 'PUBLIC' });
    const headers = { authorization: `Bearer ${tokens.secret.accessToken}`, 'content-type': 'application/json' };
    expect((await fetch(`${pinterest.url}/v5/boards`, { method: 'POST', headers, body })).status).toBe(201);
    const after = await connector.identify(pinterest.context, tokens);
    expect(after.extra?.boards).toEqual(before.extra?.boards);
    expect(after.choices?.board).toHaveLength(5);
    for (const { id } of await pinterest.boards()) await pinterest.store.remove('board', id);
    expect(await connector.identify(pinterest.context, tokens)).toMatchObject({
      choices: { board: [] },
      extra: { boards: {}, openBoards: [] },
    });
  });

  test.each([
    ['fails', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['no longer knows the token', { kind: 'refusal', refusal: 'token-expired' }, 'tokenExpired'],
    ['answers with a page', { kind: 'garbage', acted: false }, 'transient'],
    ['answers with nothing', { kind: 'status', answer: { status: 200, body: {} } }, 'transient'],
  ] as const)('is not invented when Pinterest %s', async (_name, fault, kind) => {
    const pinterest = await start();
    const tokens = await pinterest.connect();
    for (const path of ['/v5/user_account', '/v5/boards']) {
      pinterest.faults.add({ when: (call) => call.path === path, times: 1, fault });
      expect(await failureOf(connector.identify(pinterest.context, tokens))).toMatchObject({ kind });
    }
  });
});

describe('Pinterest tokens', () => {
  test('rotate on refresh and invalidate the previous refresh token', async () => {
    const pinterest = await start();
    const first = await pinterest.connect();
    pinterest.clock.now += 2_592_000_000;
    expect(await failureOf(connector.identify(pinterest.context, first))).toMatchObject({ kind: 'tokenExpired' });
    const second = await renew(pinterest, first);
    expect(second.secret.refreshToken).not.toBe(first.secret.refreshToken);
    expect((await connector.identify(pinterest.context, second)).username).toBe('nora');
    expect(await failureOf(renew(pinterest, first))).toMatchObject({ kind: 'reconnect', platformCode: '283' });
  });

  test('keep the refresh token when the response has none', async () => {
    const pinterest = await start();
    await pinterest.set({ continuous: false, scopeSeparator: ',' });
    const first = await pinterest.connect();
    const second = await renew(pinterest, first);
    expect(second.secret).not.toHaveProperty('refreshToken');
    expect(second.scopes).toHaveLength(scopes.length);
    const kept = { ...second, secret: { ...first.secret, ...second.secret } };
    expect((await renew(pinterest, kept)).secret.accessToken).toEqual(expect.any(String));
  });

  test('require reconnecting when the response to a refresh is lost', async () => {
    const pinterest = await start();
    const tokens = await pinterest.connect();
    pinterest.faults.add({ when: isToken, times: 1, fault: { kind: 'reset-after' } });
    await expect(renew(pinterest, tokens)).rejects.toBeInstanceOf(NetworkError);
    expect(await failureOf(renew(pinterest, tokens))).toMatchObject({ kind: 'reconnect' });
  });

  test('are not sent anywhere without a refresh token', async () => {
    const pinterest = await start();
    const tokens = await pinterest.connect();
    const before = tokenCalls(pinterest);
    const { accessToken = '' } = tokens.secret;
    const attempt = renew(pinterest, { ...tokens, secret: { accessToken } });
    expect(await failureOf(attempt)).toMatchObject({ kind: 'reconnect' });
    expect(tokenCalls(pinterest)).toBe(before);
  });

  test.each([
    ['a page in place of a response', { kind: 'garbage', acted: false }, 'transient'],
    ['trouble of its own', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['a 401 without words', { kind: 'status', answer: { status: 401 } }, 'transient'],
    ['a limit', { kind: 'refusal', refusal: 'rate-limited' }, 'rateLimited'],
    ['a refusal', { kind: 'status', answer: { status: 400, body: { code: 1, message: 'no' } } }, 'setup'],
  ] as const)('survive a refresh that meets %s', async (_name, fault, kind) => {
    const pinterest = await start();
    const tokens = await pinterest.connect();
    pinterest.faults.add({ when: isToken, times: 1, fault });
    expect(await failureOf(renew(pinterest, tokens))).toMatchObject({ kind });
    expect((await renew(pinterest, tokens)).secret.accessToken).toEqual(expect.any(String));
  });

  test('wrong application secret is a setup failure without the secret', async () => {
    const pinterest = await start();
    const tokens = await pinterest.connect();
    const context = { ...pinterest.context, app: { clientId: 'sandbox-client', clientSecret: 'another secret' } };
    const failure = await failureOf(refresh?.(context, tokens) ?? Promise.resolve());
    expect(failure).toMatchObject({ kind: 'setup', platformCode: '2' });
    expect(JSON.stringify(failure)).not.toContain('another secret');
  });

  test('have the lifetime of the response, else one day', () => {
    const read = (response: Record<string, string | number>) => tokensFrom?.({ access_token: 'a', ...response }, '');
    expect(read({ expires_in: 60, refresh_token_expires_in: 90 })).toMatchObject({
      expiresIn: 60,
      refreshExpiresIn: 90,
    });
    expect(read({})).toMatchObject({ secret: { accessToken: 'a' }, expiresIn: 86_400, refreshExpiresIn: null });
    expect(read({ scope: 'pins:read,pins:write' })?.scopes).toEqual(['pins:read', 'pins:write']);
    expect(() => tokensFrom?.({ code: 283 }, '')).toThrow('no access token');
  });
});
