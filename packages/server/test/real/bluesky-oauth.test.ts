/**
 * Tests of Bluesky's OAuth flow (pushed requests, DPoP with nonces, both kinds of client) against an authorization
 * server that is not a PDS. The tests supply what the AT Protocol adds to the standards: the identity of an account,
 * and the server that it names.
 */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/bluesky/index.ts';
import { newProofKey } from '../../src/connectors/bluesky/pds.ts';
import type { ConnectContext, JsonObject, Tokens } from '../../src/connectors/contract.ts';
import { textAt } from '../../src/connectors/kit/json.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp } from '../../src/outbound/http-client.ts';
import { failureOf } from '../connectors/walk.ts';
import { consentAt } from './oidc/browser.ts';
import { LIFE_SECONDS, startOidc } from './oidc/server.ts';

const DID = 'did:plc:nora';
const { authorize, exchange, refresh, revoke, scopes } = connector.oauth;
const LOOPBACK = 'http://127.0.0.1:3000/oauth/bluesky/callback';

/** Registrations of the service at the server, by kind of client. */
const APPLICATIONS = {
  public: {
    publicUrl: 'http://localhost:3000',
    registration: () => ({
      client_id: `http://localhost?${new URLSearchParams({ redirect_uri: LOOPBACK, scope: scopes.join(' ') })}`,
      application_type: 'native',
      redirect_uris: [LOOPBACK],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    }),
  },
  confidential: {
    publicUrl: 'https://reelay.example',
    registration: (key: JsonObject) => ({
      client_id: 'https://reelay.example/oauth/client-metadata.json',
      redirect_uris: ['https://reelay.example/oauth/bluesky/callback'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks: { keys: [{ kty: key.kty, crv: key.crv, x: key.x, y: key.y, kid: key.kid }] },
    }),
  },
};

const start = closedAfterTest(async (kind: keyof typeof APPLICATIONS) => {
  const { publicUrl, registration } = APPLICATIONS[kind];
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...pair.privateKey.export({ format: 'jwk' }), kid: 'ours', alg: 'ES256' } as JsonObject;
  const redirectUri = `${publicUrl}/oauth/bluesky/callback`;
  const server = await startOidc({
    redirectUri: 'https://another.example/callback',
    scopes,
    applications: [{ ...registration(key), dpop_bound_access_tokens: true }],
    atproto: true,
    documents: (url) => ({
      '/.well-known/oauth-protected-resource': { resource: url, authorization_servers: [url] },
      [`/${DID}`]: {
        id: DID,
        service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: url }],
      },
    }),
  });
  const http = createHttp({ guard: createAddressGuard([new URL(server.url).host], []) });
  const context: ConnectContext = {
    http: http.request,
    endpoints: { ...connector.endpoints, plc: server.url },
    settings: {},
    app: null,
    apps: {},
    publicUrl,
    registrations: { get: async () => null, put: async () => {} },
    clientKey: async () => key,
    now: Date.now,
  };
  const begin = () => authorize(context, { state: 'the state', redirectUri, service: server.url });
  return {
    ...server,
    begin,
    exchange: (query: URLSearchParams, kept: JsonObject) => exchange(context, { query, redirectUri, kept }),
    async connect(): Promise<Tokens> {
      const { url, kept } = await begin();
      return exchange(context, { query: await consentAt(url, { username: DID }), redirectUri, kept });
    },
    refresh(tokens: Tokens): Promise<Tokens> {
      if (!refresh) throw new Error('These tokens are renewed.');
      return refresh(context, tokens);
    },
    revoke: async (tokens: Tokens) => revoke?.(context, tokens),
    accessOf: ({ secret }: Tokens) => textAt(secret, 'accessToken'),
    close: async () => {
      http.close();
      await server.close();
    },
  };
});

describe.each(['public', 'confidential'] as const)('a %s client', (kind) => {
  test('gets, refreshes and revokes tokens', async () => {
    const it = await start(kind);
    const first = await it.connect();
    expect(first).toMatchObject({ scopes, expiresIn: LIFE_SECONDS, service: it.url, secret: { did: DID, kind } });
    const second = await it.refresh(first);
    expect(second.secret.refreshToken).not.toBe(first.secret.refreshToken);
    expect(await it.isActive(it.accessOf(second))).toBe(true);
    await it.revoke(second);
    expect(await it.isActive(it.accessOf(second))).toBe(false);
    expect(await failureOf(it.refresh(second))).toMatchObject({ kind: 'reconnect' });
  });

  test('puts no request parameters into the browser URL', async () => {
    const it = await start(kind);
    const { url } = await it.begin();
    expect([...new URL(url).searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
  });

  test('reports a denied consent without a code', async () => {
    const it = await start(kind);
    const { url, kept } = await it.begin();
    const query = await consentAt(url, { username: DID, decision: 'deny' });
    expect(await failureOf(it.exchange(query, kept))).toMatchObject({ kind: 'rejected', what: 'permission' });
    expect(it.tokenCalls()).toBe(0);
  });

  test('reusing a code ends the grant', async () => {
    const it = await start(kind);
    const { url, kept } = await it.begin();
    const query = await consentAt(url, { username: DID });
    const tokens = await it.exchange(query, kept);
    expect(await failureOf(it.exchange(query, kept))).toMatchObject({ kind: 'reconnect' });
    expect(await it.isActive(it.accessOf(tokens))).toBe(false);
  });

  test('gets no token with a wrong verifier or foreign key', async () => {
    const it = await start(kind);
    const { url, kept } = await it.begin();
    const query = await consentAt(url, { username: DID });
    const other = { ...kept, verifier: 'x'.repeat(43) };
    expect(await failureOf(it.exchange(query, other))).toMatchObject({ kind: 'reconnect' });
    const tokens = await it.connect();
    const stolen = { ...tokens, secret: { ...tokens.secret, dpop: newProofKey() } };
    // Only refresh tokens of public clients are bound to a DPoP key (RFC 9449, 5).
    if (kind === 'public') expect(await failureOf(it.refresh(stolen))).toMatchObject({ kind: 'reconnect' });
    else expect(await it.refresh(stolen)).toMatchObject({ secret: { did: DID } });
  });

  test('reusing a refresh token ends the grant', async () => {
    const it = await start(kind);
    const first = await it.connect();
    const second = await it.refresh(first);
    expect(await failureOf(it.refresh(first))).toMatchObject({ kind: 'reconnect', platformCode: 'invalid_grant' });
    expect(await failureOf(it.refresh(second))).toMatchObject({ kind: 'reconnect' });
  });

  test('retries after a 503', async () => {
    const it = await start(kind);
    const { url, kept } = await it.begin();
    const query = await consentAt(url, { username: DID });
    it.troubleNext({ kind: 'unavailable', body: '{"error":"temporarily_unavailable"}' });
    expect(await failureOf(it.exchange(query, kept))).toMatchObject({ kind: 'transient' });
    const tokens = await it.exchange(query, kept);
    it.troubleNext({ kind: 'unavailable', body: '' });
    expect(await failureOf(it.refresh(tokens))).toMatchObject({ kind: 'transient' });
    expect(await it.isActive(it.accessOf(await it.refresh(tokens)))).toBe(true);
  });
});
