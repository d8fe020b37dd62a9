import { describe, expect, test } from 'vitest';
import { NetworkError } from '../../src/connectors/kit/http.ts';
import { connector } from '../../src/connectors/snapchat/index.ts';
import type { Fault } from '../../src/sandbox/faults.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { CALLBACK, consent, isProfile, isToken, type Snapchat, startSnapchat } from './snapchat-driver.ts';
import { failureOf } from './walk.ts';

const start = closedAfterTest(startSnapchat);

const { authorize, exchange, refresh, tokensFrom } = connector.oauth;
const begin = ({ context }: Snapchat) => authorize(context, { state: 'the state', redirectUri: CALLBACK });
const tokenCalls = ({ requests }: Snapchat) => requests.filter(isToken).length;
const renew = (snapchat: Snapchat, tokens: Awaited<ReturnType<Snapchat['connect']>>) => {
  if (!refresh) throw new Error('Snapchat tokens are renewed.');
  return refresh(snapchat.context, tokens);
};

describe('consent', () => {
  test.each(['flat', 'list'] as const)(
    'leads to tokens and to the profile, told in the %s shape',
    async (profileShape) => {
      const snapchat = await start();
      await snapchat.set({ profileShape });
      const tokens = await snapchat.connect();
      expect(tokens).toMatchObject({ expiresIn: 3_600, refreshExpiresIn: null, scopes: ['snapchat-profile-api'] });
      expect(await connector.identify(snapchat.context, tokens)).toEqual({
        remoteId: (await snapchat.simulator.enrol('nora')).remoteId,
        username: 'nora',
        displayName: 'nora',
        avatarUrl: expect.stringMatching(/^http/),
        capabilities: connector.capabilities,
      });
    },
  );

  test('is asked for without the application’s secret', async () => {
    const snapchat = await start();
    const { url, kept } = await begin(snapchat);
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      client_id: 'sandbox-client',
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'snapchat-profile-api',
      state: 'the state',
    });
    expect([kept, url.includes('sandbox-secret')]).toEqual([{}, false]);
  });

  test('that was denied comes back without a code, and no token is asked for', async () => {
    const snapchat = await start();
    const { url, kept } = await begin(snapchat);
    const query = await consent(url, { decision: 'deny' });
    const attempt = exchange(snapchat.context, { query, redirectUri: CALLBACK, kept });
    expect(await failureOf(attempt)).toMatchObject({ kind: 'transient' });
    expect(tokenCalls(snapchat)).toBe(0);
  });

  test.each([
    ['twice', CALLBACK, 0],
    ['too late', CALLBACK, 600_000],
    ['for another address', `${CALLBACK}/`, null],
  ])('whose code comes %s asks to connect again', async (_name, redirectUri, laterMs) => {
    const snapchat = await start();
    const { url, kept } = await begin(snapchat);
    const query = await consent(url);
    if (laterMs === 0) await exchange(snapchat.context, { query, redirectUri, kept });
    snapchat.clock.now += laterMs ?? 0;
    const failure = await failureOf(exchange(snapchat.context, { query, redirectUri, kept }));
    expect(failure).toMatchObject({ kind: 'reconnect', platformCode: 'invalid_grant' });
  });

  test('without its scope connects nothing', async () => {
    const snapchat = await start();
    const tokens = await snapchat.connect('');
    expect(tokens.scopes).toEqual([]);
    expect(await failureOf(connector.identify(snapchat.context, tokens))).toMatchObject({ kind: 'setup' });
  });

  test('whose answer names no scopes has granted what was asked for', () => {
    const answer = { access_token: 'hCgw', refresh_token: 'hCgwKC', expires_in: 3_600 };
    expect(tokensFrom?.(answer, '').scopes).toEqual(['snapchat-profile-api']);
    expect(tokensFrom?.({ ...answer, scope: 'snapchat-marketing-api' }, '').scopes).toEqual(['snapchat-marketing-api']);
  });

  test('without an application is not offered: it says what to set', async () => {
    const snapchat = await start();
    expect(connector.oauth.needsApp).toBe(true);
    const attempt = authorize({ ...snapchat.context, app: null }, { state: 's', redirectUri: CALLBACK });
    expect(await failureOf(attempt)).toMatchObject({
      kind: 'setup',
      detail: expect.stringContaining('SNAPCHAT_CLIENT_ID'),
    });
  });
});

describe('the profile', () => {
  test.each(['code', 'empty'] as const)(
    'of an application that Snapchat has not let in is the operator’s business (%s)',
    async (forbidden) => {
      const snapchat = await start();
      const tokens = await snapchat.connect();
      await snapchat.set({ allowlisted: false, forbidden });
      expect(await failureOf(connector.identify(snapchat.context, tokens))).toMatchObject({
        kind: 'setup',
        detail: expect.stringContaining('let the operator’s application in'),
      });
    },
  );

  const success = (body: object): Fault => ({
    kind: 'status',
    answer: { status: 200, body: { request_status: 'SUCCESS', ...body } },
  });
  test.each<[string, Fault, string]>([
    ['fails', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['no longer knows the token', { kind: 'refusal', refusal: 'token-expired' }, 'tokenExpired'],
    ['answers with a page', { kind: 'garbage', acted: false }, 'transient'],
    ['names none', success({}), 'setup'],
    ['lists none', success({ public_profiles: [] }), 'setup'],
    ['could not read the one that it lists', success({ public_profiles: [{ sub_request_status: 'ERROR' }] }), 'setup'],
    ['says ERROR with 200', { kind: 'status', answer: { status: 200, body: { request_status: 'ERROR' } } }, 'rejected'],
  ])('is not made up where Snapchat %s', async (_name, fault, kind) => {
    const snapchat = await start();
    const tokens = await snapchat.connect();
    snapchat.faults.add({ when: isProfile, fault });
    expect(await failureOf(connector.identify(snapchat.context, tokens))).toMatchObject({ kind });
  });

  test.each([
    [{ public_profile: { id: 'p-1', display_name: 'Nora' } }, 'Nora', 'Nora'],
    [{ public_profiles: [{ id: 'p-1', snap_user_name: 'nora' }] }, 'nora', 'nora'],
    [{ public_profile: { id: 'p-1' } }, 'p-1', 'p-1'],
  ])('that says little of itself is known by what there is: %j', async (body, username, displayName) => {
    const snapchat = await start();
    const tokens = await snapchat.connect();
    snapchat.faults.add({ when: isProfile, fault: success(body) });
    expect(await connector.identify(snapchat.context, tokens)).toMatchObject({
      remoteId: 'p-1',
      username,
      displayName,
      avatarUrl: '',
    });
  });
});

describe('tokens', () => {
  test('are renewed with a new refresh token, or without one: then the former is kept', async () => {
    const snapchat = await start();
    const first = await snapchat.connect();
    snapchat.clock.now += 3_600_000;
    expect(await failureOf(connector.identify(snapchat.context, first))).toMatchObject({ kind: 'tokenExpired' });
    const second = await renew(snapchat, first);
    expect(second.secret.refreshToken).not.toBe(first.secret.refreshToken);
    expect((await connector.identify(snapchat.context, second)).username).toBe('nora');
    expect(await failureOf(renew(snapchat, first))).toMatchObject({ kind: 'reconnect' });
    await snapchat.set({ rotates: false });
    expect((await renew(snapchat, second)).secret).not.toHaveProperty('refreshToken');
    expect((await renew(snapchat, second)).secret.accessToken).toEqual(expect.any(String));
  });

  test('whose renewal was carried out and never answered can only be connected again', async () => {
    const snapchat = await start();
    const tokens = await snapchat.connect();
    snapchat.faults.add({ when: isToken, times: 1, fault: { kind: 'reset-after' } });
    await expect(renew(snapchat, tokens)).rejects.toBeInstanceOf(NetworkError);
    expect(await failureOf(renew(snapchat, tokens))).toMatchObject({ kind: 'reconnect' });
  });

  test('without a refresh token are not sent anywhere', async () => {
    const snapchat = await start();
    const tokens = await snapchat.connect();
    const before = tokenCalls(snapchat);
    const { accessToken = '' } = tokens.secret;
    const attempt = renew(snapchat, { ...tokens, secret: { accessToken } });
    expect(await failureOf(attempt)).toMatchObject({ kind: 'reconnect' });
    expect(tokenCalls(snapchat)).toBe(before);
  });

  test.each<[string, Fault, string]>([
    ['a page in place of an answer', { kind: 'garbage', acted: false }, 'transient'],
    ['trouble of its own', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['a 401 without words', { kind: 'status', answer: { status: 401 } }, 'transient'],
    ['a limit', { kind: 'refusal', refusal: 'rate-limited' }, 'rateLimited'],
    ['a refusal', { kind: 'status', answer: { status: 400, body: { error: 'invalid_request' } } }, 'setup'],
  ])('are kept where the renewal meets %s', async (_name, fault, kind) => {
    const snapchat = await start();
    const tokens = await snapchat.connect();
    snapchat.faults.add({ when: isToken, times: 1, fault });
    expect(await failureOf(renew(snapchat, tokens))).toMatchObject({ kind });
    expect((await renew(snapchat, tokens)).secret.accessToken).toEqual(expect.any(String));
  });

  test('a wrong secret of the application is a matter of set-up, and is not told', async () => {
    const snapchat = await start();
    const tokens = await snapchat.connect();
    const context = { ...snapchat.context, app: { clientId: 'sandbox-client', clientSecret: 'another secret' } };
    const failure = await failureOf(refresh?.(context, tokens) ?? Promise.resolve());
    expect(failure).toMatchObject({ kind: 'setup', platformCode: 'invalid_client' });
    expect(JSON.stringify(failure)).not.toContain('another secret');
  });

  test('live as long as the answer says, and short where it does not say', () => {
    const read = (answer: Record<string, string | number>) => tokensFrom?.({ access_token: 'a', ...answer }, '');
    expect(read({ expires_in: 60 })).toMatchObject({ expiresIn: 60, refreshExpiresIn: null });
    expect(read({})).toMatchObject({ secret: { accessToken: 'a' }, expiresIn: 1_800 });
    expect(() => tokensFrom?.({ error: 'invalid_grant' }, '')).toThrow('no token');
  });
});
