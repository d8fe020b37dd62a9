import { describe, expect, test } from 'vitest';
import { createAddressGuard } from '../../src/connectors/kit/address-guard.ts';
import { createHttp } from '../../src/connectors/kit/http.ts';
import { connector } from '../../src/connectors/mastodon/index.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { type Instance, REDIRECT_URI, startInstance } from './mastodon-driver.ts';

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

describe('consent', () => {
  test('leads to a token that does not expire, and to the account behind it', async () => {
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

  test('asks for our scopes with a challenge, and never says the secret', async () => {
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

  test('that is refused is told as such', async () => {
    const instance = await start();
    expect(await failure(instance.connect({ decision: 'deny' }))).toMatchObject({
      kind: 'rejected',
      what: 'permission',
      platformCode: 'access_denied',
    });
  });

  test('that comes back with another state is not believed, and no code is sent', async () => {
    const instance = await start();
    const { url, kept } = await begin(instance);
    const query = await instance.consent(url);
    query.set('state', 'another');
    const before = calls(instance, '/oauth/token');
    expect(await failure(exchange(instance.context, { query, redirectUri: REDIRECT_URI, kept }))).toBeDefined();
    expect(calls(instance, '/oauth/token')).toBe(before);
  });

  test('whose code came too late asks for another try', async () => {
    const instance = await start();
    const { url, kept } = await begin(instance);
    const query = await instance.consent(url);
    instance.clock.now += 600_000;
    expect(await failure(exchange(instance.context, { query, redirectUri: REDIRECT_URI, kept }))).toMatchObject({
      kind: 'reconnect',
      platformCode: 'invalid_grant',
    });
  });

  test('works where the server gives its times in milliseconds', async () => {
    const instance = await start();
    await instance.set({ millisecondCreatedAt: true });
    expect((await instance.connect()).expiresIn).toBeNull();
  });

  test('a server that shows HTML where a token should be is a passing failure', async () => {
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

describe('the application at the server', () => {
  test('is registered once, and takes a token of its own at once', async () => {
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

  test('is registered again when the server has forgotten it, before the user sees an error', async () => {
    const instance = await start();
    const first = await begin(instance);
    await instance.books.remove('app', String(first.kept.clientId));
    const second = await begin(instance);
    expect(second.kept.clientId).not.toBe(first.kept.clientId);
    expect((await instance.consent(second.url)).get('code')).toEqual(expect.any(String));
  });

  test('is registered again when it is forgotten during the consent, and the user tries once more', async () => {
    const instance = await start();
    const { url, kept } = await begin(instance);
    const query = await instance.consent(url);
    await instance.books.remove('app', String(kept.clientId));
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

  test('is kept when the server is only out of order', async () => {
    const instance = await start();
    const { kept } = await begin(instance);
    const when = ({ path }: { path: string }) => path === '/oauth/token';
    instance.faults.add({ when, times: 1, fault: { kind: 'refusal', refusal: 'server-error' } });
    expect((await begin(instance)).kept.clientId).toBe(kept.clientId);
  });

  test('an old server without metadata, and with one description only, is as good', async () => {
    const instance = await start();
    await instance.set({ oldServer: true, maxCharacters: 1_000 });
    const facts = await connector.identify(instance.context, await instance.connect());
    expect(facts.capabilities.caption.maxLength).toBe(1_000);
  });

  test('metadata that lead to another host are not followed', async () => {
    const instance = await start();
    const evil = { authorization_endpoint: 'https://evil.example/a', token_endpoint: 'https://evil.example/t' };
    instance.faults.add({
      when: ({ path }) => path.startsWith('/.well-known/'),
      fault: { kind: 'status', answer: { status: 200, body: evil } },
    });
    const { url, kept } = await begin(instance);
    expect([url, kept.tokenEndpoint].every((one) => String(one).startsWith(instance.url))).toBe(true);
  });

  test('a server of another kind is told as such, and one that is away too', async () => {
    const instance = await start();
    const apps = ({ path }: { path: string }) => path === '/api/v1/apps';
    const fault = instance.faults.add({ when: apps, fault: { kind: 'garbage', acted: false } });
    expect(await failure(begin(instance))).toMatchObject({
      kind: 'setup',
      detail: expect.stringContaining('Mastodon'),
    });
    fault.remove();
    instance.faults.add({ when: apps, fault: { kind: 'reset-before' } });
    expect(await failure(begin(instance))).toMatchObject({ kind: 'transient' });
  });

  test('without a simulator the named server is asked, over HTTPS and never inside our network', async () => {
    const instance = await start();
    const http = createHttp({ guard: createAddressGuard([], []) });
    const context = { ...instance.context, endpoints: {}, http: http.request };
    const ask = (service: string) => failure(authorize(context, { state: 's', redirectUri: REDIRECT_URI, service }));
    expect(await ask('@nora@127.0.0.1')).toMatchObject({
      kind: 'transient',
      detail: expect.stringContaining('private'),
    });
    expect(await ask('http://mastodon.example')).toMatchObject({ kind: 'setup' });
    expect(await ask('')).toMatchObject({ kind: 'setup' });
    http.close();
  });
});

describe('tokens', () => {
  test('a revoked token is dead; revoking twice, or one of an unknown application, is no failure', async () => {
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

  test('a server that fails to revoke is asked again later', async () => {
    const instance = await start();
    const tokens = await instance.connect();
    instance.faults.add({
      when: ({ path }) => path === '/oauth/revoke',
      fault: { kind: 'refusal', refusal: 'server-error' },
    });
    expect(await failure(Promise.resolve(revoke?.(instance.context, tokens)))).toMatchObject({ kind: 'transient' });
  });

  test('an account of the sandbox comes from a token answer', async () => {
    const instance = await start();
    const { tokenAnswer, remoteId } = await instance.simulator.enrol('wanda');
    const tokens = tokensFrom?.(tokenAnswer ?? {}, instance.url);
    if (!tokens) throw new Error('Tokens were expected.');
    expect((await connector.identify(instance.context, tokens)).remoteId).toBe(remoteId);
    await revoke?.(instance.context, tokens);
  });

  test('an answer without a token is none, one without scopes granted what was asked', () => {
    expect(() => tokensFrom?.({ error: 'no' }, '')).toThrow('gave no token');
    expect(tokensFrom?.({ access_token: 'a' }, '')?.scopes).toEqual(scopes);
  });

  test('a scope is granted by its name or its family', () => {
    expect(missingScopes?.(['read', 'write'])).toEqual([]);
    expect(missingScopes?.(['read:accounts', 'write:media', 'write:statuses'])).toEqual(['read:statuses']);
    expect(missingScopes?.(['read', 'write:media'])).toEqual(['write:statuses']);
  });

  test('the user sees in time that a scope was left out', async () => {
    const instance = await start();
    const tokens = await instance.connect({ username: 'nora', decision: 'allow', scope: 'read:accounts write:media' });
    expect(missingScopes?.(tokens.scopes)).toEqual(['read:statuses', 'write:statuses']);
  });
});
