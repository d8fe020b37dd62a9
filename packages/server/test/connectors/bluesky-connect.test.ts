import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/bluesky/index.ts';
import type { Tokens } from '../../src/connectors/contract.ts';
import { at } from '../../src/connectors/kit/json.ts';
import { HANDLE, isMethod, PUBLIC_URL, startBluesky } from './bluesky-driver.ts';
import { failureOf } from './walk.ts';

const start = closedAfterTest(startBluesky);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const credentials = connector.credentials;

describe('Bluesky app password', () => {
  test('resolves the handle and returns tokens with lifetimes and DID', async () => {
    const { login, did, url } = await start();
    const tokens = await login();
    expect(tokens).toMatchObject({ service: url, expiresIn: 7_200, refreshExpiresIn: 90 * 86_400, secret: { did } });
    expect(Object.keys(tokens.secret).sort()).toEqual(['accessToken', 'did', 'refreshToken']);
  });

  test('accepts a DID, a profile URL, and an explicit server', async () => {
    const { context, account, did, url } = await start();
    const secret = account.credentials?.secret ?? '';
    for (const identifier of [did, `@${HANDLE.toUpperCase()}`, `https://bsky.app/profile/${HANDLE}`])
      expect((await credentials.open(context, { identifier, secret })).secret.did).toBe(did);
    const named = { ...context, endpoints: { ...context.endpoints, resolver: '' } };
    expect((await credentials.open(named, { identifier: HANDLE, secret, service: url })).service).toBe(url);
  });

  test('reports a wrong password after a single attempt', async () => {
    const { context, requests } = await start();
    const failure = await failureOf(credentials.open(context, { identifier: HANDLE, secret: 'wrong' }));
    expect(failure).toMatchObject({ kind: 'rejected', what: 'permission', platformCode: 'AuthenticationRequired' });
    expect(JSON.stringify(failure)).not.toContain('wrong-');
    expect(requests.filter(isMethod('createSession'))).toHaveLength(1);
  });

  test('reports an unknown handle and a missing DID document', async () => {
    const { context } = await start();
    const open = (identifier: string) => failureOf(credentials.open(context, { identifier, secret: 'x' }));
    expect(await open('nobody')).toMatchObject({
      kind: 'setup',
      detail: { code: 'bluesky.handle_unknown', params: { handle: 'nobody' } },
    });
    expect(await open('did:plc:aaaaaaaaaaaaaaaaaaaaaaaa')).toMatchObject({ kind: 'setup' });
    expect(await open('not a handle/')).toMatchObject({ kind: 'setup' });
  });

  test('rejects a handle that the account does not claim', async () => {
    const { context, store, did } = await start();
    await store.put('handle', 'mallory.test', did);
    const failure = await failureOf(credentials.open(context, { identifier: 'mallory.test', secret: 'x' }));
    expect(failure).toMatchObject({ kind: 'setup', detail: { code: 'bluesky.handle_mismatch' } });
  });

  test('suggests an app password when a second factor is required', async () => {
    const { context, faults } = await start();
    const body = { error: 'AuthFactorTokenRequired', message: 'A sign in code has been sent to your email address' };
    faults.add({ when: isMethod('createSession'), fault: { kind: 'status', answer: { status: 401, body } } });
    const failure = await failureOf(credentials.open(context, { identifier: HANDLE, secret: 'x' }));
    expect(failure).toMatchObject({ kind: 'setup', detail: { code: 'bluesky.app_password_required' } });
  });

  test('reports an unreachable server as transient', async () => {
    const { context, faults } = await start();
    faults.add({ when: isMethod('createSession'), fault: { kind: 'reset-before' } });
    const failure = await failureOf(credentials.open(context, { identifier: HANDLE, secret: 'x' }));
    expect(failure).toMatchObject({ kind: 'transient' });
  });

  test('waits as requested after too many logins', async () => {
    const { context, faults } = await start();
    faults.add({ when: isMethod('createSession'), fault: { kind: 'refusal', refusal: 'rate-limited-with-wait' } });
    const failure = await failureOf(credentials.open(context, { identifier: HANDLE, secret: 'x' }));
    expect(failure).toMatchObject({ kind: 'rateLimited', waitMs: 7_000 });
  });

  test('refreshes tokens, also after a lost response, until revoked', async () => {
    const { login, context, clock, faults } = await start();
    const tokens = await login();
    clock.now += 30 * DAY;
    faults.add({ when: isMethod('refreshSession'), times: 1, fault: { kind: 'reset-after' } });
    await expect(credentials.refresh?.(context, tokens)).rejects.toThrow();
    const fresh = (await credentials.refresh?.(context, tokens)) as Tokens;
    expect(fresh.secret.refreshToken).not.toBe(tokens.secret.refreshToken);
    expect((await connector.identify(context, fresh)).username).toBe(HANDLE);
    await credentials.revoke?.(context, fresh);
    await credentials.revoke?.(context, fresh);
    const failure = await failureOf(Promise.resolve(credentials.refresh?.(context, fresh)));
    expect(failure).toMatchObject({ kind: 'reconnect', revoked: true, platformCode: 'ExpiredToken' });
  });

  test('refreshes a moved account at its new server', async () => {
    const { login, context, url } = await start({ wire: false });
    const tokens = await login();
    const fresh = await credentials.refresh?.(context, { ...tokens, service: `${url}/old` });
    expect(fresh).toMatchObject({ service: url });
    await credentials.revoke?.(context, fresh as Tokens);
    const ended = { ...(fresh as Tokens), service: `${url}/old` };
    expect(await failureOf(Promise.resolve(credentials.refresh?.(context, ended)))).toMatchObject({
      kind: 'reconnect',
      detail: { code: 'bluesky.session_moved' },
    });
  });

  test('stays connected when the server fails during a refresh', async () => {
    const { login, context, faults } = await start();
    const tokens = await login();
    faults.add({ when: isMethod('refreshSession'), times: 1, fault: { kind: 'refusal', refusal: 'server-error' } });
    expect(await failureOf(Promise.resolve(credentials.refresh?.(context, tokens)))).toMatchObject({
      kind: 'transient',
    });
    faults.add({ when: isMethod('refreshSession'), times: 1, fault: { kind: 'garbage', acted: false } });
    expect(await failureOf(Promise.resolve(credentials.refresh?.(context, tokens)))).toMatchObject({
      kind: 'transient',
    });
  });
});

describe('Bluesky account', () => {
  test('has DID, handle, server, and limits', async () => {
    const { login, context, did, url } = await start();
    expect(await connector.identify(context, await login())).toEqual({
      remoteId: did,
      globalId: true,
      username: HANDLE,
      displayName: '',
      avatarUrl: expect.stringContaining('/xrpc/com.atproto.sync.getBlob?'),
      capabilities: expect.objectContaining({ video: expect.objectContaining({ maxBytes: 300_000_000 }) }),
      extra: { serverDid: 'did:web:localhost', videoService: true, blobUploadLimit: 52_428_800, emailConfirmed: true },
      service: url,
    });
  });

  test("rejects another account's DID from an explicit server", async () => {
    const [real, hostile] = await Promise.all([start(), start()]);
    const { secret } = await hostile.login();
    const forged = { ...(await hostile.login()), secret: { ...secret, did: real.did }, service: hostile.url };
    expect(await failureOf(connector.identify(real.context, forged))).toMatchObject({
      kind: expect.stringMatching(/^(?:tokenExpired|reconnect|rejected)$/),
    });
  });

  test('reads name and picture from the profile record', async () => {
    const { login, context, did, url } = await start();
    const tokens = await login();
    const headers = { authorization: `Bearer ${tokens.secret.accessToken}` };
    const post = async (method: string, body: string, type: string) =>
      (
        await fetch(`${url}/xrpc/${method}`, { method: 'POST', headers: { ...headers, 'content-type': type }, body })
      ).json();
    const { blob } = (await post('com.atproto.repo.uploadBlob', 'a picture', 'image/jpeg')) as { blob: unknown };
    const record = { $type: 'app.bsky.actor.profile', displayName: 'Nora', avatar: blob };
    const write = { repo: did, collection: 'app.bsky.actor.profile', rkey: 'self', record };
    await post('com.atproto.repo.putRecord', JSON.stringify(write), 'application/json');
    const facts = await connector.identify(context, tokens);
    expect(facts.displayName).toBe('Nora');
    expect(await (await fetch(facts.avatarUrl)).text()).toBe('a picture');
  });

  test("has the server's limits without a video service", async () => {
    const { login, context } = await start({ video: false });
    const { capabilities, extra } = await connector.identify(context, await login());
    expect(capabilities.video).toMatchObject({ maxBytes: 52_428_800, containers: ['mp4'] });
    expect(extra?.videoService).toBe(false);
  });

  test('works when the video service rejects it or is down', async () => {
    const { login, context, faults } = await start();
    const tokens = await login();
    const uses = async () => (await connector.identify(context, tokens)).extra?.videoService;
    const refused = { status: 401, body: { error: 'AuthenticationRequired' } };
    faults.add({ when: isMethod('getUploadLimits'), times: 1, fault: { kind: 'status', answer: refused } });
    expect(await uses()).toBe(false);
    faults.add({ when: isMethod('getUploadLimits'), times: 1, fault: { kind: 'reset-before' } });
    expect(await uses()).toBe(false);
    expect(await uses()).toBe(true);
  });

  test('shows no handle that does not resolve back', async () => {
    const { login, context, store } = await start();
    const tokens = await login();
    await store.put('handle', HANDLE, 'did:plc:somebodyelse');
    expect((await connector.identify(context, tokens)).username).toBe(tokens.secret.did);
  });

  test('reports an invalid token', async () => {
    const { login, context, clock } = await start();
    const tokens = await login();
    clock.now += 2 * HOUR;
    expect(await failureOf(connector.identify(context, tokens))).toMatchObject({ kind: 'tokenExpired' });
  });
});

describe('Bluesky OAuth', () => {
  const oauth = connector.oauth;

  test('resolves the handle and returns DPoP-bound tokens', async () => {
    const { authorize, consent, exchange, did, url, context } = await start();
    const { url: page, kept } = await authorize();
    expect(page.startsWith(`${url}/oauth/authorize?client_id=http%3A%2F%2Flocalhost`)).toBe(true);
    expect(await (await fetch(page)).text()).toContain(`value="${HANDLE}"`);
    const back = await consent(page);
    expect(back.origin).toBe('http://127.0.0.1:3000');
    const tokens = await exchange(back, kept);
    expect(tokens).toMatchObject({
      service: url,
      scopes: ['atproto', 'transition:generic'],
      expiresIn: 3599,
      refreshExpiresIn: 14 * 86_400,
      secret: { did, issuer: url, kind: 'public' },
    });
    expect((await connector.identify(context, tokens)).extra).not.toHaveProperty('emailConfirmed');
  });

  test('starts at the given server or the entryway without handle', async () => {
    const { authorize, consent, exchange, url } = await start();
    for (const input of [{ service: url }, {}]) {
      const { url: page, kept } = await authorize(input);
      expect((await exchange(await consent(page, { username: 'olaf.test' }), kept)).service).toBe(url);
    }
  });

  test('authenticates a public service by key, with long sessions', async () => {
    const { oauth: consentTo, context, clock } = await start({ publicUrl: PUBLIC_URL });
    const tokens = await consentTo();
    expect(tokens).toMatchObject({ refreshExpiresIn: 90 * 86_400, secret: { kind: 'confidential' } });
    clock.now += 60 * DAY;
    const fresh = await oauth.refresh?.(context, tokens);
    expect((await connector.identify(context, fresh as Tokens)).username).toBe(HANDLE);
  });

  test('serves both documents at their paths', async () => {
    const { context } = await start({ publicUrl: PUBLIC_URL });
    const documents = await connector.documents?.(context);
    expect(documents?.map(({ path }) => path)).toEqual(['/oauth/client-metadata.json', '/oauth/jwks.json']);
    expect(JSON.stringify(documents)).not.toContain('"d"');
  });

  test('rejects a denial, wrong state, wrong issuer, and another account', async () => {
    const { authorize, consent, exchange } = await start();
    const first = await authorize();
    expect(await failureOf(exchange(await consent(first.url, { decision: 'deny' }), first.kept))).toMatchObject({
      kind: 'rejected',
      what: 'permission',
      detail: { code: 'access_denied' },
    });
    const changed = async (name: string, value: string) => {
      const { url, kept } = await authorize();
      const back = await consent(url);
      back.searchParams.set(name, value);
      return failureOf(exchange(back, kept));
    };
    expect((await changed('state', 'other')).kind).not.toBe('reconnect');
    expect((await changed('iss', 'https://evil.example')).detail).toBeTruthy();
    expect(await changed('code', 'cod-unknown')).toMatchObject({ kind: 'reconnect', platformCode: 'invalid_grant' });
    const other = await authorize();
    expect(await failureOf(exchange(await consent(other.url, { username: 'olaf.test' }), other.kept))).toMatchObject({
      kind: 'rejected',
      what: 'permission',
      detail: { code: 'bluesky.other_account_consented' },
    });
  });

  test("rejects a server that is not the account's issuer", async () => {
    const { authorize, consent, exchange, faults } = await start();
    const { url, kept } = await authorize();
    const back = await consent(url);
    const response = { status: 200, body: { authorization_servers: ['https://other.example'] } };
    const when = ({ path }: { path: string }) => path === '/.well-known/oauth-protected-resource';
    faults.add({ when, fault: { kind: 'status', answer: response } });
    expect(await failureOf(exchange(back, kept))).toMatchObject({ kind: 'setup' });
  });

  test('suggests an app password without OAuth or a suitable URL', async () => {
    const { authorize, faults } = await start();
    const when = ({ path }: { path: string }) => path.startsWith('/.well-known/');
    faults.add({ when, fault: { kind: 'status', answer: { status: 404 } } });
    expect(await failureOf(authorize())).toMatchObject({
      kind: 'setup',
      detail: { code: 'bluesky.oauth_unsupported', text: expect.stringContaining('app password') },
    });
    const lan = await start({ publicUrl: 'http://reelay.lan' });
    expect(await failureOf(lan.authorize())).toMatchObject({
      kind: 'setup',
      detail: { code: 'bluesky.public_url_required' },
    });
  });

  test('retries later when the authorization server limits requests', async () => {
    const { oauth: consentTo, context, faults } = await start();
    const tokens = await consentTo();
    const body = { error: 'RateLimitExceeded', error_description: 'Rate Limit Exceeded' };
    const when = ({ path }: { path: string }) => path === '/oauth/token';
    faults.add({ when, fault: { kind: 'status', answer: { status: 429, body } } });
    expect(await failureOf(Promise.resolve(oauth.refresh?.(context, tokens)))).toMatchObject({
      kind: 'transient',
      status: 429,
    });
  });

  test('retries every token request with a new nonce', async () => {
    const { oauth: consentTo, context, clock, requests } = await start();
    const tokens = await consentTo();
    clock.now += HOUR;
    requests.length = 0;
    await oauth.refresh?.(context, tokens);
    expect(requests.map(({ path, status }) => [path, status])).toEqual([
      ['/oauth/token', 400],
      ['/oauth/token', 200],
    ]);
  });

  test('replaces tokens on refresh; a replay ends the session', async () => {
    const { oauth: consentTo, context, clock } = await start();
    const tokens = await consentTo();
    clock.now += DAY;
    const fresh = (await oauth.refresh?.(context, tokens)) as Tokens;
    expect(fresh).toMatchObject({ refreshExpiresIn: 13 * 86_400, service: tokens.service });
    expect(at(fresh.secret, 'dpop')).toEqual(at(tokens.secret, 'dpop'));
    expect(await failureOf(Promise.resolve(oauth.refresh?.(context, tokens)))).toMatchObject({ kind: 'reconnect' });
    expect(await failureOf(Promise.resolve(oauth.refresh?.(context, fresh)))).toMatchObject({ kind: 'reconnect' });
  });

  test('stays connected when the server fails during a refresh', async () => {
    const { oauth: consentTo, context, faults } = await start();
    const tokens = await consentTo();
    const when = ({ path }: { path: string }) => path === '/oauth/token';
    const faulty = async (fault: Parameters<typeof faults.add>[0]['fault']) => {
      faults.add({ when, times: 1, fault });
      return (await failureOf(Promise.resolve(oauth.refresh?.(context, tokens)))).kind;
    };
    expect(await faulty({ kind: 'status', answer: { status: 503 } })).toBe('transient');
    expect(await faulty({ kind: 'garbage', acted: false })).toBe('transient');
    expect(await faulty({ kind: 'reset-before' })).toBe('transient');
    const body = { error: 'invalid_client', error_description: 'no' };
    expect(await faulty({ kind: 'status', answer: { status: 400, body } })).toBe('setup');
  });

  test('revokes the session at the server', async () => {
    const { oauth: consentTo, context } = await start();
    const tokens = await consentTo();
    await oauth.revoke?.(context, tokens);
    expect(await failureOf(Promise.resolve(oauth.refresh?.(context, tokens)))).toMatchObject({ kind: 'reconnect' });
    expect(await failureOf(connector.identify(context, tokens))).toMatchObject({ kind: 'tokenExpired' });
  });
});
