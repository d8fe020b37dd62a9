import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/mastodon/index.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp, NetworkError } from '../../src/outbound/http-client.ts';
import { type Instance, REDIRECT_URI, startInstance } from './mastodon-driver.ts';
import { walkThrough } from './walk.ts';

const { authorize, exchange, revoke, missingScopes, scopes, tokensFrom } = connector.oauth;

const start = closedAfterTest(startInstance);

const begin = ({ context }: Instance) => authorize(context, { state: 'the state', redirectUri: REDIRECT_URI });
const calls = (instance: Instance, path: string) => instance.requests.filter((one) => one.path === path).length;
const failure = async (attempt: Promise<unknown>) => {
  const error = await attempt.then(
    () => null,
    (reason: unknown) => reason,
  );
  return (error as { failure?: unknown } | null)?.failure;
};

describe('Mastodon consent', () => {
  test('returns a token without expiry and its account', async () => {
    const instance = await start();
    const tokens = await instance.connect({ username: 'Nora', decision: 'allow' });
    expect(tokens).toMatchObject({ scopes, expiresIn: null, refreshExpiresIn: null, service: instance.url });
    expect(tokens.secret).not.toHaveProperty('refreshToken');
    const facts = await connector.identify(instance.context, tokens);
    const { host } = new URL(instance.url);
    expect(facts).toMatchObject({
      remoteId: (await instance.simulator.enrol('nora')).remoteId,
      username: `@nora@${host}`,
      displayName: 'Nora',
      service: instance.url,
      extra: { privacy: 'public' },
      capabilities: connector.capabilities,
    });
    expect(facts.avatarUrl).toMatch(/^http/);
  });

  test('requests our scopes with a challenge, without the secret', async () => {
    const instance = await start();
    const { url, kept } = await begin(instance);
    const asked = new URL(url).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: 'read:accounts read:statuses write:media write:statuses',
      state: 'the state',
      code_challenge_method: 'S256',
    });
    expect(url).not.toContain(String(kept.verifier));
    expect(url).not.toContain(String(kept.clientSecret));
  });

  test('reports a denial', async () => {
    const instance = await start();
    expect(await failure(instance.connect({ decision: 'deny' }))).toMatchObject({
      kind: 'rejected',
      what: 'permission',
      platformCode: 'access_denied',
    });
  });

  test('rejects another state without sending the code', async () => {
    const instance = await start();
    const { url, kept } = await begin(instance);
    const query = await instance.consent(url);
    query.set('state', 'another');
    const before = calls(instance, '/oauth/token');
    expect(await failure(exchange(instance.context, { query, redirectUri: REDIRECT_URI, kept }))).toBeDefined();
    expect(calls(instance, '/oauth/token')).toBe(before);
  });

  test('asks to try again when the code has expired', async () => {
    const instance = await start();
    const { url, kept } = await begin(instance);
    const query = await instance.consent(url);
    instance.clock.now += 600_000;
    expect(await failure(exchange(instance.context, { query, redirectUri: REDIRECT_URI, kept }))).toMatchObject({
      kind: 'reconnect',
      platformCode: 'invalid_grant',
    });
  });

  test('accepts server times in milliseconds', async () => {
    const instance = await start();
    await instance.set({ millisecondCreatedAt: true });
    expect((await instance.connect()).expiresIn).toBeNull();
  });

  test('treats HTML from the token endpoint as transient', async () => {
    const instance = await start();
    const { url, kept } = await begin(instance);
    const query = await instance.consent(url);
    instance.faults.add({
      when: ({ path }) => path === '/oauth/token',
      fault: { kind: 'refusal', refusal: 'server-error' },
    });
    expect(await failure(exchange(instance.context, { query, redirectUri: REDIRECT_URI, kept }))).toMatchObject({
      kind: 'transient',
    });
  });
});

describe('Mastodon application', () => {
  test('is registered once and requests its own token immediately', async () => {
    const instance = await start();
    await begin(instance);
    expect(instance.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /.well-known/oauth-authorization-server',
      'POST /api/v1/apps',
      'POST /oauth/token',
    ]);
    await begin(instance);
    expect(calls(instance, '/api/v1/apps')).toBe(1);
  });

  test('is registered again before the consent when forgotten', async () => {
    const instance = await start();
    const first = await begin(instance);
    await instance.store.remove('app', String(first.kept.clientId));
    const second = await begin(instance);
    expect(second.kept.clientId).not.toBe(first.kept.clientId);
    expect((await instance.consent(second.url)).get('code')).toEqual(expect.any(String));
  });

  test('is registered again when forgotten during the consent', async () => {
    const instance = await start();
    const { url, kept } = await begin(instance);
    const query = await instance.consent(url);
    await instance.store.remove('app', String(kept.clientId));
    expect(await failure(exchange(instance.context, { query, redirectUri: REDIRECT_URI, kept }))).toMatchObject({
      kind: 'reconnect',
    });
    expect(instance.registrations.get(instance.url)?.clientId).not.toBe(kept.clientId);
    expect((await instance.connect()).service).toBe(instance.url);
    expect(calls(instance, '/api/v1/apps')).toBe(2);
  });

  test.each([
    ['our address', { redirectUri: 'https://old.example/callback' }],
    ['what we ask for', { scopes: 'read' }],
    ['its time', { expiresAt: 1 }],
  ])('is registered again when %s has changed', async (_name, change) => {
    const instance = await start();
    await begin(instance);
    const known = instance.registrations.get(instance.url);
    instance.registrations.set(instance.url, { ...known, ...change });
    await begin(instance);
    expect(calls(instance, '/api/v1/apps')).toBe(2);
  });

  test('is kept when the server is temporarily down', async () => {
    const instance = await start();
    const { kept } = await begin(instance);
    const when = ({ path }: { path: string }) => path === '/oauth/token';
    instance.faults.add({ when, times: 1, fault: { kind: 'refusal', refusal: 'server-error' } });
    expect((await begin(instance)).kept.clientId).toBe(kept.clientId);
  });

  test('works with an old server without metadata', async () => {
    const instance = await start();
    await instance.set({ oldServer: true, maxCharacters: 1_000 });
    const facts = await connector.identify(instance.context, await instance.connect());
    expect(facts.capabilities.caption.maxLength).toBe(1_000);
  });

  test.each(['client_id', 'client_secret'])('is not stored with a very long %s', async (field) => {
    const instance = await start();
    const body = { client_id: 'id', client_secret: 'secret', [field]: 'x'.repeat(900_000) };
    instance.faults.add({
      when: ({ path }) => path === '/api/v1/apps',
      fault: { kind: 'status', answer: { status: 200, body } },
    });
    expect(await failure(begin(instance))).toMatchObject({
      kind: 'setup',
      detail: { code: 'mastodon.registration_too_long' },
    });
    expect(instance.registrations.size).toBe(0);
  });

  test('ignores metadata with very long addresses', async () => {
    const instance = await start();
    const long = `${instance.url}/${'a'.repeat(300_000)}`;
    instance.faults.add({
      when: ({ path }) => path.startsWith('/.well-known/'),
      fault: { kind: 'status', answer: { status: 200, body: { issuer: long, token_endpoint: long } } },
    });
    const { kept } = await begin(instance);
    expect(JSON.stringify(kept).length).toBeLessThan(2_000);
  });

  test('ignores metadata that point to another host', async () => {
    const instance = await start();
    const evil = { authorization_endpoint: 'https://evil.example/a', token_endpoint: 'https://evil.example/t' };
    instance.faults.add({
      when: ({ path }) => path.startsWith('/.well-known/'),
      fault: { kind: 'status', answer: { status: 200, body: evil } },
    });
    const { url, kept } = await begin(instance);
    expect([url, kept.tokenEndpoint].every((one) => String(one).startsWith(instance.url))).toBe(true);
  });

  test('reports another kind of server and an unreachable one', async () => {
    const instance = await start();
    const apps = ({ path }: { path: string }) => path === '/api/v1/apps';
    const fault = instance.faults.add({ when: apps, fault: { kind: 'garbage', acted: false } });
    expect(await failure(begin(instance))).toMatchObject({
      kind: 'setup',
      detail: { code: 'mastodon.not_mastodon' },
    });
    fault.remove();
    instance.faults.add({ when: apps, fault: { kind: 'reset-before' } });
    expect(await failure(begin(instance))).toMatchObject({ kind: 'transient' });
  });

  test('uses HTTPS and no private addresses without a simulator', async () => {
    const instance = await start();
    const http = createHttp({ guard: createAddressGuard([], []) });
    const context = { ...instance.context, endpoints: {}, http: http.request };
    const ask = (service: string) => failure(authorize(context, { state: 's', redirectUri: REDIRECT_URI, service }));
    const setting = expect.stringContaining('ALLOWED_PRIVATE_HOSTS');
    expect(await ask('@nora@127.0.0.1')).toMatchObject({
      kind: 'setup',
      detail: { code: 'server_private', params: { host: '127.0.0.1' }, text: setting },
    });
    expect(await ask('http://mastodon.example')).toMatchObject({
      kind: 'setup',
      detail: { code: 'server_not_https', params: { host: 'mastodon.example' }, text: setting },
    });
    expect(await ask('https://mastodon.example:25')).toMatchObject({
      kind: 'setup',
      detail: { code: 'server_port', params: { host: 'mastodon.example:25' } },
    });
    expect(await ask('')).toMatchObject({ kind: 'setup' });
    http.close();
  });

  test('works over plain HTTP on a host the operator allows', async () => {
    const instance = await start({ prefix: '' });
    const http = createHttp({ guard: createAddressGuard([new URL(instance.url).host], []) });
    const context = { ...instance.context, endpoints: {}, http: http.request };
    const { url, kept } = await authorize(context, { state: 's', redirectUri: REDIRECT_URI, service: instance.url });
    const query = await instance.consent(url);
    const tokens = await exchange(context, { query, kept, redirectUri: REDIRECT_URI });
    expect(tokens.service).toBe(instance.url);
    expect(await connector.identify(context, tokens)).toMatchObject({ service: instance.url });
    const work = await instance.workWith(tokens, 'at home', { service: instance.url, endpoints: {} });
    expect((await walkThrough(instance, work)).state).toBe('posted');
    http.close();
  });

  test('names the setting for a private certificate authority', async () => {
    const instance = await start();
    const http = () => Promise.reject(new NetworkError('tls', 'no'));
    const context = { ...instance.context, endpoints: {}, http };
    const opened = authorize(context, { state: 's', redirectUri: REDIRECT_URI, service: 'mastodon.lan' });
    expect(await failure(opened)).toMatchObject({
      kind: 'transient',
      detail: { code: 'server_certificate', text: expect.stringContaining('NODE_EXTRA_CA_CERTS') },
    });
  });
});

describe('Mastodon tokens', () => {
  test('can be revoked repeatedly, and without a known application', async () => {
    const instance = await start();
    const tokens = await instance.connect();
    await revoke?.(instance.context, tokens);
    expect(await failure(connector.identify(instance.context, tokens))).toMatchObject({
      kind: 'reconnect',
      status: 401,
    });
    await revoke?.(instance.context, tokens);
    await revoke?.(instance.context, { ...tokens, secret: { ...tokens.secret, clientSecret: 'wrong' } });
  });

  test('are revoked again later when the server fails', async () => {
    const instance = await start();
    const tokens = await instance.connect();
    instance.faults.add({
      when: ({ path }) => path === '/oauth/revoke',
      fault: { kind: 'refusal', refusal: 'server-error' },
    });
    expect(await failure(Promise.resolve(revoke?.(instance.context, tokens)))).toMatchObject({ kind: 'transient' });
  });

  test('of sandbox accounts are parsed from a token response', async () => {
    const instance = await start();
    const { tokenAnswer, remoteId } = await instance.simulator.enrol('wanda');
    const tokens = tokensFrom?.(tokenAnswer ?? {}, instance.url);
    if (!tokens) throw new Error('Tokens were expected.');
    expect((await connector.identify(instance.context, tokens)).remoteId).toBe(remoteId);
    await revoke?.(instance.context, tokens);
  });

  test('are required; missing scopes mean all requested ones', () => {
    expect(() => tokensFrom?.({ error: 'no' }, '')).toThrow('returned no access token');
    expect(tokensFrom?.({ access_token: 'a' }, '')?.scopes).toEqual(scopes);
  });

  test('are granted by name or by parent scope', () => {
    expect(missingScopes?.(['read', 'write'])).toEqual([]);
    expect(missingScopes?.(['read:accounts', 'write:media', 'write:statuses'])).toEqual(['read:statuses']);
    expect(missingScopes?.(['read', 'write:media'])).toEqual(['write:statuses']);
  });

  test('report a missing scope in time', async () => {
    const instance = await start();
    const tokens = await instance.connect({ username: 'nora', decision: 'allow', scope: 'read:accounts write:media' });
    expect(missingScopes?.(tokens.scopes)).toEqual(['read:statuses', 'write:statuses']);
  });
});
