import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/snapchat/index.ts';
import { NetworkError } from '../../src/outbound/http-client.ts';
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

describe('Snapchat consent', () => {
  test.each(['flat', 'list'] as const)('returns tokens and the profile in the %s format', async (profileShape) => {
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
  });

  test('does not contain the application secret', async () => {
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

  test('requests no token when it was denied', async () => {
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
  ])('asks to reconnect when the code comes %s', async (_name, redirectUri, laterMs) => {
    const snapchat = await start();
    const { url, kept } = await begin(snapchat);
    const query = await consent(url);
    if (laterMs === 0) await exchange(snapchat.context, { query, redirectUri, kept });
    snapchat.clock.now += laterMs ?? 0;
    const failure = await failureOf(exchange(snapchat.context, { query, redirectUri, kept }));
    expect(failure).toMatchObject({ kind: 'reconnect', platformCode: 'invalid_grant' });
  });

  test('connects nothing without its scope', async () => {
    const snapchat = await start();
    const tokens = await snapchat.connect('');
    expect(tokens.scopes).toEqual([]);
    expect(await failureOf(connector.identify(snapchat.context, tokens))).toMatchObject({ kind: 'setup' });
  });

  test('assumes the requested scopes when the response names none', () => {
    const response = { access_token: 'hCgw', refresh_token: 'hCgwKC', expires_in: 3_600 };
    expect(tokensFrom?.(response, '').scopes).toEqual(['snapchat-profile-api']);
    expect(tokensFrom?.({ ...response, scope: 'snapchat-marketing-api' }, '').scopes).toEqual([
      'snapchat-marketing-api',
    ]);
  });

  test('names the missing settings without an application', async () => {
    const snapchat = await start();
    expect(connector.oauth.needsApp).toBe(true);
    const attempt = authorize({ ...snapchat.context, app: null }, { state: 's', redirectUri: CALLBACK });
    expect(await failureOf(attempt)).toMatchObject({
      kind: 'setup',
      detail: { code: 'app_missing', params: { idVariable: 'SNAPCHAT_CLIENT_ID' } },
    });
  });
});

describe('Snapchat profile', () => {
  test.each(['code', 'empty'] as const)(
    'of an application without access is a setup failure (%s)',
    async (forbidden) => {
      const snapchat = await start();
      const tokens = await snapchat.connect();
      await snapchat.set({ allowlisted: false, forbidden });
      expect(await failureOf(connector.identify(snapchat.context, tokens))).toMatchObject({
        kind: 'setup',
        detail: { text: expect.stringContaining('does not allow the operator’s application') },
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
  ])('is not invented when Snapchat %s', async (_name, fault, kind) => {
    const snapchat = await start();
    const tokens = await snapchat.connect();
    snapchat.faults.add({ when: isProfile, fault });
    expect(await failureOf(connector.identify(snapchat.context, tokens))).toMatchObject({ kind });
  });

  test.each([
    [{ public_profile: { id: 'p-1', display_name: 'Nora' } }, 'Nora', 'Nora'],
    [{ public_profiles: [{ id: 'p-1', snap_user_name: 'nora' }] }, 'nora', 'nora'],
    [{ public_profile: { id: 'p-1' } }, 'p-1', 'p-1'],
  ])('uses the available fields: %j', async (body, username, displayName) => {
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

describe('Snapchat tokens', () => {
  test('rotate on refresh, or keep the old refresh token', async () => {
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

  test('require reconnecting when the response to a refresh is lost', async () => {
    const snapchat = await start();
    const tokens = await snapchat.connect();
    snapchat.faults.add({ when: isToken, times: 1, fault: { kind: 'reset-after' } });
    await expect(renew(snapchat, tokens)).rejects.toBeInstanceOf(NetworkError);
    expect(await failureOf(renew(snapchat, tokens))).toMatchObject({ kind: 'reconnect' });
  });

  test('are not sent anywhere without a refresh token', async () => {
    const snapchat = await start();
    const tokens = await snapchat.connect();
    const before = tokenCalls(snapchat);
    const { accessToken = '' } = tokens.secret;
    const attempt = renew(snapchat, { ...tokens, secret: { accessToken } });
    expect(await failureOf(attempt)).toMatchObject({ kind: 'reconnect' });
    expect(tokenCalls(snapchat)).toBe(before);
  });

  test.each<[string, Fault, string]>([
    ['a page in place of a response', { kind: 'garbage', acted: false }, 'transient'],
    ['trouble of its own', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['a 401 without words', { kind: 'status', answer: { status: 401 } }, 'transient'],
    ['a limit', { kind: 'refusal', refusal: 'rate-limited' }, 'rateLimited'],
    ['a refusal', { kind: 'status', answer: { status: 400, body: { error: 'invalid_request' } } }, 'setup'],
  ])('survive a refresh that meets %s', async (_name, fault, kind) => {
    const snapchat = await start();
    const tokens = await snapchat.connect();
    snapchat.faults.add({ when: isToken, times: 1, fault });
    expect(await failureOf(renew(snapchat, tokens))).toMatchObject({ kind });
    expect((await renew(snapchat, tokens)).secret.accessToken).toEqual(expect.any(String));
  });

  test('wrong application secret is a setup failure without the secret', async () => {
    const snapchat = await start();
    const tokens = await snapchat.connect();
    const context = { ...snapchat.context, app: { clientId: 'sandbox-client', clientSecret: 'another secret' } };
    const failure = await failureOf(refresh?.(context, tokens) ?? Promise.resolve());
    expect(failure).toMatchObject({ kind: 'setup', platformCode: 'invalid_client' });
    expect(JSON.stringify(failure)).not.toContain('another secret');
  });

  test('have the lifetime of the response, else a short one', () => {
    const read = (response: Record<string, string | number>) => tokensFrom?.({ access_token: 'a', ...response }, '');
    expect(read({ expires_in: 60 })).toMatchObject({ expiresIn: 60, refreshExpiresIn: null });
    expect(read({})).toMatchObject({ secret: { accessToken: 'a' }, expiresIn: 1_800 });
    expect(() => tokensFrom?.({ error: 'invalid_grant' }, '')).toThrow('no access token');
  });
});
