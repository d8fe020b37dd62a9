/** Tests of the connectors' OAuth code against an independent authorization server. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import type { ConnectContext, Tokens } from '../../src/connectors/contract.ts';
import { textAt } from '../../src/connectors/kit/json.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp, NetworkError } from '../../src/outbound/http-client.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import { failureOf } from '../connectors/walk.ts';
import { consentAt, visit } from './oidc/browser.ts';
import { DEVIANT, STANDARD, type StandardFlow } from './oidc/flows.ts';
import { LIFE_SECONDS, startOidc } from './oidc/server.ts';

/** Starts a server for a flow, and returns each of its steps. */
const start = closedAfterTest(async (flow: StandardFlow) => {
  const { platform, oauth, pkce, routes } = flow;
  const redirectUri = `https://reelay.example/oauth/${platform}/callback`;
  const server = await startOidc({ redirectUri, scopes: flow.scopes ?? oauth.scopes, pkce, routes });
  const http = createHttp({ guard: createAddressGuard([new URL(server.url).host], []) });
  const app = server.clients[flow.client];
  const registration = { ...app, redirectUri, scopes: oauth.scopes.join(' '), expiresAt: null };
  const context: ConnectContext = {
    http: http.request,
    endpoints: flow.endpoints(server.url),
    settings: {},
    app,
    apps: { [platform]: app },
    publicUrl: 'https://reelay.example',
    registrations: { get: async () => registration, put: async () => {} },
    clientKey: () => Promise.reject(new Error('Not needed.')),
    now: Date.now,
  };
  const begin = () => oauth.authorize(context, { state: 'the state', redirectUri });
  const exchange = (given: Omit<Parameters<typeof oauth.exchange>[1], 'redirectUri'>, to = redirectUri) =>
    oauth.exchange(context, { ...given, redirectUri: to });
  return {
    ...server,
    context,
    redirectUri,
    begin,
    exchange,
    async connect(granted?: readonly string[]): Promise<Tokens> {
      const { url, kept } = await begin();
      return exchange({ query: await consentAt(url, granted ? { granted } : {}), kept });
    },
    refresh(tokens: Tokens): Promise<Tokens> {
      if (!oauth.refresh) throw new Error(`${platform} renews nothing.`);
      return oauth.refresh(context, tokens);
    },
    accessOf: ({ secret }: Tokens) => textAt(secret, 'accessToken'),
    refreshOf: ({ secret }: Tokens) => textAt(secret, 'refreshToken'),
    close: async () => {
      http.close();
      await server.close();
    },
  };
});

const missing = ({ oauth }: StandardFlow, granted: readonly string[]) =>
  oauth.missingScopes?.(granted) ?? oauth.scopes.filter((scope) => !granted.includes(scope));

test('every consent runs against the server or documents why not', () => {
  const consenting = Object.values(connectors).filter(({ oauth }) => oauth !== null);
  const placed = [...STANDARD.map(({ platform }) => platform), ...Object.keys(DEVIANT)];
  expect(placed.sort()).toEqual(consenting.map(({ id }) => id).sort());
});

describe.each(STANDARD)('$platform', (flow) => {
  const { oauth, pkce } = flow;

  test('consent yields working tokens with all scopes and lifetime', async () => {
    const it = await start(flow);
    const { url, kept } = await it.begin();
    const query = await consentAt(url);
    expect(query.get('state')).toBe('the state');
    const tokens = await it.exchange({ query, kept });
    expect(missing(flow, tokens.scopes)).toEqual([]);
    expect(tokens.expiresIn).toBe(oauth.refresh ? LIFE_SECONDS : null);
    expect(await it.isActive(it.accessOf(tokens))).toBe(true);
  });

  test('binds the code to a verifier if PKCE is supported', async () => {
    const it = await start(flow);
    const { url, kept } = await it.begin();
    const asked = new URL(url).searchParams;
    const challenge = createHash('sha256').update(textAt(kept, 'verifier')).digest('base64url');
    expect([asked.get('code_challenge'), asked.get('code_challenge_method')]).toEqual(
      pkce ? [challenge, 'S256'] : [null, null],
    );
    const query = await consentAt(url);
    const attempt = it.exchange({ query, kept: { ...kept, verifier: 'x'.repeat(43) } });
    if (!pkce) return expect(await attempt).toMatchObject({ secret: { accessToken: expect.any(String) } });
    expect(await failureOf(attempt)).toMatchObject({ kind: 'reconnect', platformCode: 'invalid_grant' });
  });

  test('reusing a code fails and ends the grant', async () => {
    const it = await start(flow);
    const { url, kept } = await it.begin();
    const query = await consentAt(url);
    const tokens = await it.exchange({ query, kept });
    expect(await failureOf(it.exchange({ query, kept }))).toMatchObject({ kind: 'reconnect' });
    expect(await it.isActive(it.accessOf(tokens))).toBe(false);
    if (oauth.refresh) expect(await failureOf(it.refresh(tokens))).toMatchObject({ kind: 'reconnect' });
  });

  test('a redirect URI with an extra slash gets nothing', async () => {
    const it = await start(flow);
    const off = `${it.redirectUri}/`;
    const { url, kept } = await it.begin();
    const elsewhere = new URL(url);
    elsewhere.searchParams.set('redirect_uri', off);
    expect(await visit(elsewhere.href)).toMatchObject({ status: 400, says: expect.stringContaining('redirect_uri') });
    const query = await consentAt(url);
    expect(await failureOf(it.exchange({ query, kept }, off))).toMatchObject({ kind: 'reconnect' });
  });

  test('a denied consent returns no code and requests no token', async () => {
    const it = await start(flow);
    const { url, kept } = await it.begin();
    const calls = it.tokenCalls();
    const query = await consentAt(url, { decision: 'deny' });
    expect(Object.fromEntries(query)).toMatchObject({ error: 'access_denied', state: 'the state' });
    await expect(it.exchange({ query, kept })).rejects.toBeInstanceOf(PlatformError);
    expect(it.tokenCalls()).toBe(calls);
  });

  test('a wrong client secret is an operator error', async () => {
    const it = await start(flow);
    const { url, kept } = await it.begin();
    const query = await consentAt(url);
    if (it.context.app) it.context.app.clientSecret = 'another';
    const attempt = it.exchange({
      query,
      kept: { ...kept, ...('clientSecret' in kept ? { clientSecret: 'no' } : {}) },
    });
    expect(await failureOf(attempt)).toMatchObject({ kind: 'setup' });
  });

  test.each(['', '{"error":"temporarily_unavailable"}', '<html>Bad gateway</html>'])(
    'after a 503 (%s) the same code works again',
    async (body) => {
      const it = await start(flow);
      const { url, kept } = await it.begin();
      const query = await consentAt(url);
      it.troubleNext({ kind: 'unavailable', body });
      expect(await failureOf(it.exchange({ query, kept }))).toMatchObject({ kind: 'transient' });
      expect(await it.isActive(it.accessOf(await it.exchange({ query, kept })))).toBe(true);
    },
  );
});

describe.each(STANDARD.filter(({ oauth }) => oauth.refresh))('$platform, renewing', (flow) => {
  test('a refresh returns new tokens and a new refresh token', async () => {
    const it = await start(flow);
    const first = await it.connect();
    const second = await it.refresh(first);
    expect(it.refreshOf(second)).not.toBe(it.refreshOf(first));
    expect(second.scopes).toEqual(first.scopes);
    const third = await it.refresh(second);
    expect(await it.isActive(it.accessOf(third))).toBe(true);
  });

  test('reusing a refresh token ends the grant until reconnected', async () => {
    const it = await start(flow);
    const first = await it.connect();
    const second = await it.refresh(first);
    expect(await failureOf(it.refresh(first))).toMatchObject({ kind: 'reconnect' });
    expect(await it.isActive(it.accessOf(second))).toBe(false);
    expect(await failureOf(it.refresh(second))).toMatchObject({ kind: 'reconnect' });
  });

  test('a lost refresh response is transient, its retry final', async () => {
    const it = await start(flow);
    const tokens = await it.connect();
    it.troubleNext({ kind: 'lost' });
    await expect(it.refresh(tokens)).rejects.toBeInstanceOf(NetworkError);
    expect(await failureOf(it.refresh(tokens))).toMatchObject({ kind: 'reconnect' });
  });

  test('does not refresh access revoked by its owner', async () => {
    const it = await start(flow);
    const tokens = await it.connect();
    it.revokeAll();
    expect(await failureOf(it.refresh(tokens))).toMatchObject({ kind: 'reconnect' });
  });

  test('does not refresh with an expired refresh token', async () => {
    const it = await start(flow);
    const tokens = await it.connect();
    it.age(15 * 86_400_000);
    expect(await failureOf(it.refresh(tokens))).toMatchObject({ kind: 'reconnect' });
  });

  test('after a 503 the same refresh token works again', async () => {
    const it = await start(flow);
    const tokens = await it.connect();
    it.troubleNext({ kind: 'unavailable', body: '{"error":"server_error"}' });
    expect(await failureOf(it.refresh(tokens))).toMatchObject({ kind: 'transient' });
    expect(await it.isActive(it.accessOf(await it.refresh(tokens)))).toBe(true);
  });
});

test.each(STANDARD.filter(({ oauth, scopes = oauth.scopes }) => scopes.length > 1))(
  '$platform: a partial consent names the missing scopes',
  async (flow) => {
    const it = await start(flow);
    const [first = '', ...others] = flow.oauth.scopes;
    const tokens = await it.connect(others);
    expect(tokens.scopes).toEqual(others);
    expect(missing(flow, tokens.scopes)).toEqual([first]);
  },
);

test.each(STANDARD.filter(({ revokes }) => revokes))('$platform: revoked tokens are invalid', async (flow) => {
  const it = await start(flow);
  const tokens = await it.connect();
  await flow.oauth.revoke?.(it.context, tokens);
  expect(await it.isActive(it.accessOf(tokens))).toBe(false);
  if (flow.oauth.refresh) expect(await failureOf(it.refresh(tokens))).toMatchObject({ kind: 'reconnect' });
  await expect(flow.oauth.revoke?.(it.context, tokens), 'a second time').resolves.toBeUndefined();
});
