import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { accessEnd } from '../../src/accounts/tokens/token-lifetime.ts';
import { connector } from '../../src/connectors/youtube/index.ts';
import { failureOf } from './walk.ts';
import { CALLBACK, consent, isChannel, isRevoke, isToken, startYouTube, type YouTube } from './youtube-driver.ts';

const start = closedAfterTest(startYouTube);

const { authorize, exchange, refresh, revoke, scopes, tokensFrom, appName } = connector.oauth;
const [UPLOAD = '', READ = ''] = scopes;
const begin = ({ context }: YouTube) => authorize(context, { state: 'the state', redirectUri: CALLBACK });
type Tokens = Awaited<ReturnType<YouTube['connect']>>;
const renew = ({ context }: Pick<YouTube, 'context'>, tokens: Tokens) =>
  refresh?.(context, tokens) ?? Promise.reject(new Error('Google tokens are renewed.'));
/** When the access ends, in seconds after the consent. */
const endOf = (refreshExpiresAt: number | null) =>
  accessEnd(connector, { kind: 'oauth', expiresAt: 3_599, refreshExpiresAt });
const giveBack = ({ context }: YouTube, tokens: Tokens) =>
  revoke?.(context, tokens) ?? Promise.reject(new Error('Google tokens are revoked.'));

describe('consent', () => {
  test('returns tokens and identifies the channel', async () => {
    const youtube = await start();
    const tokens = await youtube.connect();
    expect(tokens).toMatchObject({ expiresIn: 3_599, refreshExpiresIn: null, service: '', scopes });
    expect(Object.keys(tokens.secret).sort()).toEqual(['accessToken', 'refreshToken']);
    const { remoteId } = await youtube.simulator.enrol('nora.cuts');
    expect(await connector.identify(youtube.context, tokens)).toEqual({
      remoteId,
      username: 'nora.cuts',
      displayName: 'nora.cuts',
      avatarUrl: expect.stringMatching(/^http/),
      capabilities: connector.capabilities,
      extra: { uploads: remoteId.replace('UC', 'UU') },
    });
  });

  test('requests offline access with a challenge and hides the verifier', async () => {
    const youtube = await start();
    const { url, kept } = await begin(youtube);
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      client_id: 'sandbox-client',
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: `${UPLOAD} ${READ}`,
      state: 'the state',
      access_type: 'offline',
      prompt: 'consent select_account',
      code_challenge: createHash('sha256').update(String(kept.verifier)).digest('base64url'),
      code_challenge_method: 'S256',
    });
    expect(url).not.toContain(String(kept.verifier));
    expect(url).not.toContain('sandbox-secret');
  });

  test('a repeated consent returns a refresh token again', async () => {
    const youtube = await start();
    const [first, second] = [await youtube.connect(), await youtube.connect()];
    expect(second.secret.refreshToken).toEqual(expect.any(String));
    expect(second.secret.refreshToken).not.toBe(first.secret.refreshToken);
  });

  test('a consent without a refresh token is rejected', async () => {
    const youtube = await start();
    await youtube.connect();
    const { url, kept } = await begin(youtube);
    const online = new URL(url);
    online.searchParams.delete('prompt');
    const query = await consent(online.href);
    const attempt = exchange(youtube.context, { query, redirectUri: CALLBACK, kept });
    expect(await failureOf(attempt)).toMatchObject({
      kind: 'reconnect',
      detail: expect.objectContaining({ code: 'youtube.offline_access_missing' }),
    });
  });

  test('a denied or empty consent requests no token', async () => {
    const youtube = await start();
    for (const given of [{ decision: 'deny' }, { granted: [] }]) {
      const { url, kept } = await begin(youtube);
      const query = await consent(url, given);
      expect(query.get('error')).toBe('access_denied');
      const attempt = exchange(youtube.context, { query, redirectUri: CALLBACK, kept });
      expect(await failureOf(attempt)).toMatchObject({ kind: 'transient' });
    }
    expect(youtube.counted(isToken)).toBe(0);
  });

  test.each([
    ['another verifier', { kept: { verifier: 'x'.repeat(43) } }, 'reconnect', 'invalid_grant'],
    ['no verifier', { kept: {} }, 'reconnect', 'invalid_grant'],
    ['another address', { redirectUri: 'https://other.example/' }, 'setup', 'redirect_uri_mismatch'],
  ])('an exchange with %s is rejected', async (_name, change, kind, platformCode) => {
    const youtube = await start({ wire: false });
    const { url, kept } = await begin(youtube);
    const given = { query: await consent(url), redirectUri: CALLBACK, kept, ...change };
    expect(await failureOf(exchange(youtube.context, given))).toMatchObject({ kind, platformCode, status: 400 });
  });

  test.each([
    ['twice', 0],
    ['too late', 600_000],
  ])('a code that comes %s requires a new consent', async (_name, laterMs) => {
    const youtube = await start();
    const { url, kept } = await begin(youtube);
    const given = { query: await consent(url), redirectUri: CALLBACK, kept };
    if (laterMs === 0) await exchange(youtube.context, given);
    youtube.clock.now += laterMs;
    expect(await failureOf(exchange(youtube.context, given))).toMatchObject({
      kind: 'reconnect',
      platformCode: 'invalid_grant',
    });
  });

  test('reports declined scopes', async () => {
    const youtube = await start();
    const reader = await youtube.connect('nora.cuts', { granted: [READ] });
    expect(scopes.filter((scope) => !reader.scopes.includes(scope))).toEqual([UPLOAD]);
    const uploader = await youtube.connect('nora.cuts', { granted: [UPLOAD] });
    expect(await failureOf(connector.identify(youtube.context, uploader))).toMatchObject({
      kind: 'reconnect',
      platformCode: 'insufficientPermissions',
    });
  });

  test('names the missing settings when no app is configured', async () => {
    const youtube = await start();
    const attempt = authorize({ ...youtube.context, app: null }, { state: 's', redirectUri: CALLBACK });
    expect(await failureOf(attempt)).toMatchObject({
      kind: 'setup',
      detail: expect.objectContaining({ params: expect.objectContaining({ idVariable: 'GOOGLE_CLIENT_ID' }) }),
    });
    expect(appName).toBe('google');
  });
});

describe('account', () => {
  test('rejects a Google account without a channel', async () => {
    const youtube = await start();
    const tokens = await youtube.connect();
    await youtube.changeAccount({ hasChannel: false });
    expect(await failureOf(connector.identify(youtube.context, tokens))).toMatchObject({
      kind: 'rejected',
      what: 'permission',
      detail: expect.objectContaining({ code: 'youtube.channel_missing' }),
    });
  });

  test.each(['disallowed', 'eligible'] as const)(
    'limits uploads to 15 minutes if long uploads are %s',
    async (longUploads) => {
      const youtube = await start();
      const tokens = await youtube.connect();
      await youtube.changeAccount({ longUploads });
      expect((await connector.identify(youtube.context, tokens)).capabilities.video.maxSeconds).toBe(900);
    },
  );

  test.each([
    ['fails', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['answers with a page', { kind: 'garbage', acted: false }, 'transient'],
    ['answers with another thing', { kind: 'status', answer: { status: 200, body: { ok: true } } }, 'transient'],
    ['no longer knows the token', { kind: 'refusal', refusal: 'token-expired' }, 'tokenExpired'],
    ['is not switched on', { kind: 'status', answer: { status: 403, body: accessNotConfigured() } }, 'setup'],
  ] as const)('identify fails if YouTube %s', async (_name, fault, kind) => {
    const youtube = await start();
    const tokens = await youtube.connect();
    youtube.faults.add({ when: isChannel, fault });
    expect(await failureOf(connector.identify(youtube.context, tokens))).toMatchObject({ kind });
  });

  test('uses title or id if the channel has no handle', async () => {
    const youtube = await start();
    const tokens = await youtube.connect();
    const named = async (snippet: Record<string, string>) => {
      const body = { kind: 'youtube#channelListResponse', items: [{ id: 'UC1', snippet }] };
      youtube.faults.add({ when: isChannel, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
      const { username, displayName, avatarUrl } = await connector.identify(youtube.context, tokens);
      return [username, displayName, avatarUrl];
    };
    expect(await named({ title: 'Nora Cuts' })).toEqual(['Nora Cuts', 'Nora Cuts', '']);
    expect(await named({})).toEqual(['UC1', 'UC1', '']);
  });

  test('identifies a sandbox account from a token response', async () => {
    const youtube = await start();
    const { tokenAnswer, remoteId } = await youtube.simulator.enrol('wanda');
    const tokens = tokensFrom?.(tokenAnswer ?? {}, '');
    if (!tokens) throw new Error('Tokens were expected.');
    expect((await connector.identify(youtube.context, tokens)).remoteId).toBe(remoteId);
  });
});

function accessNotConfigured() {
  return { error: { code: 403, message: 'm', errors: [{ reason: 'accessNotConfigured' }] } };
}

describe('tokens', () => {
  test('can be refreshed repeatedly with the same refresh token', async () => {
    const youtube = await start();
    const first = await youtube.connect();
    for (let time = 0; time < 2; time++) {
      youtube.clock.now += 3_599_000;
      const second = await renew(youtube, first);
      expect(second.secret).toEqual({ accessToken: expect.any(String) });
      expect((await connector.identify(youtube.context, second)).username).toBe('nora.cuts');
    }
    expect(await failureOf(connector.identify(youtube.context, first))).toMatchObject({ kind: 'tokenExpired' });
  });

  test('of a testing project state their expiry and then fail', async () => {
    const youtube = await start();
    await youtube.set({ testing: true });
    const tokens = await youtube.connect();
    expect(tokens.refreshExpiresIn).toBe(604_799);
    // Refreshing returns neither a new refresh token nor a new end.
    expect((await renew(youtube, tokens)).refreshExpiresIn).toBeNull();
    expect(endOf(604_799)).toBe(604_799);
    expect(endOf(null)).toBeNull();
    youtube.clock.now += 604_799_000;
    expect(await failureOf(renew(youtube, tokens))).toMatchObject({ kind: 'reconnect', platformCode: 'invalid_grant' });
  });

  test('a refresh with a lost response can be retried', async () => {
    const youtube = await start();
    const tokens = await youtube.connect();
    youtube.faults.add({ when: isToken, times: 1, fault: { kind: 'reset-after' } });
    await expect(renew(youtube, tokens)).rejects.toThrow('No usable response');
    expect((await renew(youtube, tokens)).secret.accessToken).toEqual(expect.any(String));
  });

  test('tokens without a refresh token are not sent', async () => {
    const youtube = await start();
    const tokens = await youtube.connect();
    const before = youtube.counted(isToken);
    const { accessToken = '' } = tokens.secret;
    const attempt = renew(youtube, { ...tokens, secret: { accessToken } });
    expect(await failureOf(attempt)).toMatchObject({ kind: 'reconnect' });
    expect(youtube.counted(isToken)).toBe(before);
  });

  test.each([
    ['a page in place of a response', { kind: 'garbage', acted: false }, 'transient'],
    ['trouble of its own', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['a limit', { kind: 'status', answer: { status: 429, body: '' } }, 'rateLimited'],
    [
      'a client it does not know',
      { kind: 'status', answer: { status: 401, body: { error: 'invalid_client' } } },
      'setup',
    ],
  ] as const)('a refresh that meets %s keeps the tokens', async (_name, fault, kind) => {
    const youtube = await start();
    const tokens = await youtube.connect();
    youtube.faults.add({ when: isToken, times: 1, fault });
    expect(await failureOf(renew(youtube, tokens))).toMatchObject({ kind });
    expect((await renew(youtube, tokens)).secret.accessToken).toEqual(expect.any(String));
  });

  test('a wrong client secret is a setup error without leak', async () => {
    const youtube = await start();
    const tokens = await youtube.connect();
    const context = { ...youtube.context, app: { clientId: 'sandbox-client', clientSecret: 'another secret' } };
    const failure = await failureOf(renew({ context }, tokens));
    expect(failure).toMatchObject({ kind: 'setup', platformCode: 'invalid_client', status: 401 });
    expect(JSON.stringify(failure)).not.toContain('another secret');
  });

  test('revoked tokens are invalid, and revoking twice succeeds', async () => {
    const youtube = await start();
    const tokens = await youtube.connect();
    await giveBack(youtube, tokens);
    expect(await failureOf(connector.identify(youtube.context, tokens))).toMatchObject({ kind: 'tokenExpired' });
    expect(await failureOf(renew(youtube, tokens))).toMatchObject({ kind: 'reconnect' });
    await giveBack(youtube, tokens);
    expect(youtube.counted(isRevoke)).toBe(2);
  });

  test('a failed revocation can be retried', async () => {
    const youtube = await start();
    const tokens = await youtube.connect();
    youtube.faults.add({ when: isRevoke, times: 1, fault: { kind: 'refusal', refusal: 'server-error' } });
    expect(await failureOf(giveBack(youtube, tokens))).toMatchObject({ kind: 'transient' });
    await giveBack(youtube, tokens);
    expect(await failureOf(renew(youtube, tokens))).toMatchObject({ kind: 'reconnect' });
  });

  test('reads token lifetimes from the response, one hour by default', () => {
    const read = (response: Record<string, string | number>) => tokensFrom?.({ access_token: 'a', ...response }, '');
    expect(read({ expires_in: 7_200 })).toMatchObject({ expiresIn: 7_200, refreshExpiresIn: null });
    expect(read({})).toMatchObject({ secret: { accessToken: 'a' }, expiresIn: 3_600, scopes: [] });
    expect(read({ scope: `${UPLOAD}  ${READ}` })?.scopes).toEqual([UPLOAD, READ]);
    expect(() => tokensFrom?.({ error: 'invalid_grant' }, '')).toThrow('no access token');
  });
});
