import { generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createBlueskySimulator, simulator } from '../../src/platforms/bluesky/index.ts';
import { signEc } from '../../src/platforms/bluesky/jwt.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { error, type JsonResponse, POST, proofKey, sha256url, startBluesky } from './bluesky-raw.ts';

const REDIRECT = 'http://127.0.0.1:3000/oauth/bluesky/callback';
const SCOPE = 'atproto transition:generic';
const LOCAL_CLIENT = `http://localhost?${new URLSearchParams({ redirect_uri: REDIRECT, scope: SCOPE })}`;
const VERIFIER = 'v'.repeat(50);
const DAY = 86_400_000;

type Fields = Record<string, string | undefined>;

const startPds = closedAfterTest(startBluesky);

async function start(documents: Record<string, unknown> = {}) {
  const module = {
    ...simulator,
    create: (options: Parameters<typeof createBlueskySimulator>[0]) =>
      createBlueskySimulator(options, async (url) => documents[url] ?? null),
  };
  const pds = await startPds({}, module);
  const sign = proofKey(() => pds.clock.now);
  const nonce = async () => (await pds.call('POST', '/oauth/par', { form: {} })).headers.get('dpop-nonce') ?? '';
  const proof = async (path: string, claims: object = {}, header: object = {}) =>
    sign({ htm: 'POST', htu: `${pds.url}${path}`, nonce: await nonce(), ...claims }, header);
  const send = async (path: string, fields: Fields, dpop?: string): Promise<JsonResponse> => {
    const form = Object.fromEntries(
      Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    return pds.call('POST', path, { form, headers: dpop === undefined ? {} : { dpop } });
  };
  const asked: Fields = {
    client_id: LOCAL_CLIENT,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: SCOPE,
    state: 'the state',
    code_challenge: sha256url(VERIFIER),
    code_challenge_method: 'S256',
    login_hint: 'nora.test',
  };
  const push = async (fields: Fields = {}) => send('/oauth/par', { ...asked, ...fields }, await proof('/oauth/par'));
  const decide = async (pushed: JsonResponse, fields: Fields = {}) => {
    const request_uri = String(pushed.json.request_uri);
    const form = { request_uri, client_id: LOCAL_CLIENT, username: 'nora.test', decision: 'allow', ...fields };
    return send('/oauth/authorize', form);
  };
  const codeOf = (response: JsonResponse) =>
    new URL(response.headers.get('location') ?? 'none:').searchParams.get('code') ?? '';
  const token = async (fields: Fields, dpop?: string) =>
    send('/oauth/token', { client_id: LOCAL_CLIENT, ...fields }, dpop ?? (await proof('/oauth/token')));
  const exchange = (code: string, fields: Fields = {}) =>
    token({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: VERIFIER, ...fields });
  const refresh = (refresh_token: unknown, fields: Fields = {}) =>
    token({ grant_type: 'refresh_token', refresh_token: String(refresh_token), ...fields });
  const login = async () => (await exchange(codeOf(await decide(await push())))).json;
  const resource = async (access: unknown, claims: object = {}, key = sign) => {
    const htu = `${pds.url}/xrpc/com.atproto.server.getSession`;
    const ath = sha256url(String(access));
    const dpop = key({ htm: 'GET', htu, ath, nonce: await nonce(), ...claims });
    return pds.get('com.atproto.server.getSession', {}, { headers: { authorization: `DPoP ${access}`, dpop } });
  };
  return {
    ...pds,
    sign,
    nonce,
    proof,
    send,
    asked,
    push,
    decide,
    codeOf,
    token,
    exchange,
    refresh,
    oauth: login,
    resource,
  };
}

const wrong = (response: JsonResponse) => [
  response.status,
  response.json.error,
  response.json.error_description ?? response.json.message,
];

describe('simulated Bluesky OAuth discovery', () => {
  test('names the authorization server, its endpoints, and requirements', async () => {
    const { call, url } = await start();
    expect((await call('GET', '/.well-known/oauth-protected-resource')).json).toMatchObject({
      authorization_servers: [url],
    });
    expect((await call('GET', '/.well-known/oauth-authorization-server')).json).toMatchObject({
      issuer: url,
      pushed_authorization_request_endpoint: `${url}/oauth/par`,
      require_pushed_authorization_requests: true,
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      code_challenge_methods_supported: ['S256'],
    });
  });
});

describe('simulated Bluesky pushed request', () => {
  test('gets a URI that is valid for five minutes', async () => {
    const { push, clock, call } = await start();
    const { status, json } = await push();
    expect(status).toBe(201);
    expect(json).toMatchObject({
      request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:req-/),
      expires_in: 299,
    });
    const page = () =>
      call('GET', '/oauth/authorize', { query: { client_id: LOCAL_CLIENT, request_uri: String(json.request_uri) } });
    expect((await page()).text).toContain('value="nora.test"');
    clock.now += 300_000;
    expect((await page()).status).toBe(400);
  });

  test.each([
    ['no client', { client_id: undefined }, 'invalid_client'],
    ['a client on a local port', { client_id: 'http://localhost:3000' }, 'invalid_client_metadata'],
    [
      'a client whose document is not there',
      { client_id: 'https://clip.example/client.json' },
      'invalid_client_metadata',
    ],
    ['a redirect to elsewhere', { redirect_uri: 'http://127.0.0.1:3000/other' }, 'invalid_request'],
    ['a redirect to localhost', { redirect_uri: REDIRECT.replace('127.0.0.1', 'localhost') }, 'invalid_request'],
    ['no atproto scope', { scope: 'transition:generic' }, 'invalid_scope'],
    ['a scope that was not declared', { scope: 'atproto transition:email' }, 'invalid_scope'],
    ['no PKCE', { code_challenge: undefined }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
  ])('is rejected with %s', async (_name, fields, code) => {
    const { push } = await start();
    expect(error(await push(fields))).toEqual([400, code]);
  });

  test('verifies every claim of a proof', async () => {
    const { send, asked, proof, sign, url, nonce, clock } = await start();
    const par = async (dpop: string) => wrong(await send('/oauth/par', asked, dpop));
    const htu = `${url}/oauth/par`;
    expect(await par(sign({ htm: 'POST', htu }))).toEqual([
      400,
      'use_dpop_nonce',
      expect.stringContaining('requires nonce'),
    ]);
    expect(await par(await proof('/oauth/par', { nonce: 'bad' }))).toEqual([
      400,
      'use_dpop_nonce',
      'DPoP "nonce" mismatch',
    ]);
    expect(await par(await proof('/oauth/par', { htm: 'GET' }))).toEqual([
      401,
      'invalid_dpop_proof',
      'DPoP "htm" mismatch',
    ]);
    expect(await par(await proof('/oauth/par', { htu: url }))).toEqual([
      401,
      'invalid_dpop_proof',
      'DPoP "htu" mismatch',
    ]);
    expect(await par('junk')).toEqual([401, 'invalid_dpop_proof', expect.stringContaining('Invalid Compact JWS')]);
    expect(await par(await proof('/oauth/par', { iat: clock.now / 1000 - 100 }))).toEqual([
      401,
      'invalid_dpop_proof',
      expect.stringContaining('"iat"'),
    ]);
    expect(await par(await proof('/oauth/par', {}, { typ: 'JWT' }))).toEqual([
      401,
      'invalid_dpop_proof',
      expect.any(String),
    ]);
    const once = await proof('/oauth/par');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const [, body] = once.split('.');
    const forged = signEc(
      'ES256',
      privateKey.export({ format: 'jwk' }),
      JSON.parse(Buffer.from(once.split('.')[0] ?? '', 'base64url').toString()),
      JSON.parse(Buffer.from(body ?? '', 'base64url').toString()),
    );
    expect(await par(forged)).toEqual([401, 'invalid_dpop_proof', expect.stringContaining('signature')]);
    expect((await send('/oauth/par', asked, once)).status).toBe(201);
    expect(await par(once)).toEqual([401, 'invalid_dpop_proof', 'DPoP proof replayed']);
    expect(await nonce()).not.toBe('');
  });

  test('accepts a nonce for three to six minutes', async () => {
    const { send, asked, sign, url, nonce, clock } = await start();
    const old = await nonce();
    const par = () => send('/oauth/par', asked, sign({ htm: 'POST', htu: `${url}/oauth/par`, nonce: old }));
    clock.now += 180_000;
    expect((await par()).status).toBe(201);
    clock.now += 180_000;
    const refused = await par();
    expect(refused.json.error).toBe('use_dpop_nonce');
    expect(refused.headers.get('dpop-nonce')).not.toBe(old);
  });
});

describe('simulated Bluesky consent', () => {
  test('redirects with a code or access_denied, state, and issuer', async () => {
    const { push, decide, url } = await start();
    const back = async (fields: Fields) => {
      const response = await decide(await push(), fields);
      const location = new URL(response.headers.get('location') ?? 'none:');
      return {
        status: response.status,
        to: location.origin + location.pathname,
        query: Object.fromEntries(location.searchParams),
      };
    };
    expect(await back({})).toEqual({
      status: 303,
      to: REDIRECT,
      query: { iss: url, state: 'the state', code: expect.stringMatching(/^cod-[0-9a-f]{64}$/) },
    });
    expect(await back({ decision: 'deny' })).toMatchObject({
      query: { iss: url, state: 'the state', error: 'access_denied' },
    });
  });

  test('uses a request once and for its own client', async () => {
    const { push, decide } = await start();
    const pushed = await push();
    expect((await decide(pushed, { client_id: 'http://localhost' })).status).toBe(400);
    expect((await decide(pushed)).status).toBe(303);
    expect((await decide(pushed)).status).toBe(400);
  });

  test('creates an account for a new name', async () => {
    const { push, decide, codeOf, exchange, resource } = await start();
    const { json } = await exchange(codeOf(await decide(await push(), { username: 'Olaf.test' })));
    expect((await resource(json.access_token)).json).toMatchObject({ handle: 'olaf.test', did: json.sub });
  });
});

describe('simulated Bluesky tokens', () => {
  test('exchanges a code for DPoP tokens', async () => {
    const { oauth, did } = await start();
    expect(await oauth()).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.stringMatching(/^ref-[0-9a-f]{64}$/),
      token_type: 'DPoP',
      scope: SCOPE,
      expires_in: 3599,
      sub: did,
    });
  });

  test('revokes the session when a code is reused', async () => {
    const { push, decide, codeOf, exchange, resource } = await start();
    const code = codeOf(await decide(await push()));
    const { json } = await exchange(code);
    expect((await resource(json.access_token)).status).toBe(200);
    expect(error(await exchange(code))).toEqual([400, 'invalid_grant']);
    expect(error(await resource(json.access_token))).toEqual([401, 'invalid_token']);
  });

  test('rejects an expired code, wrong redirect, verifier, or missing proof', async () => {
    const { push, decide, codeOf, exchange, clock, send } = await start();
    const code = async () => codeOf(await decide(await push()));
    expect(error(await exchange('cod-unknown'))).toEqual([400, 'invalid_grant']);
    expect(error(await exchange(await code(), { redirect_uri: `${REDIRECT}x` }))).toEqual([400, 'invalid_grant']);
    expect(error(await exchange(await code(), { code_verifier: 'w'.repeat(50) }))).toEqual([400, 'invalid_grant']);
    const fields = { grant_type: 'authorization_code', code: await code(), client_id: LOCAL_CLIENT };
    expect(wrong(await send('/oauth/token', fields))).toEqual([401, 'invalid_dpop_proof', 'DPoP proof required']);
    const late = await code();
    clock.now += 300_000;
    expect(error(await exchange(late))).toEqual([400, 'invalid_grant']);
  });

  test('rotates refresh tokens; reuse revokes the session', async () => {
    const { oauth, refresh, resource } = await start();
    const first = await oauth();
    const second = await refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.json.refresh_token).not.toBe(first.refresh_token);
    expect(wrong(await refresh(first.refresh_token))).toEqual([400, 'invalid_grant', 'Refresh token replayed']);
    expect(error(await refresh(second.json.refresh_token))).toEqual([400, 'invalid_grant']);
    expect(error(await resource(second.json.access_token))).toEqual([401, 'invalid_token']);
  });

  test('ends a public session after two weeks despite refreshes', async () => {
    const { oauth, refresh, clock } = await start();
    let { refresh_token } = await oauth();
    clock.now += 13 * DAY;
    ({ refresh_token } = (await refresh(refresh_token)).json);
    clock.now += DAY;
    expect(wrong(await refresh(refresh_token))).toEqual([400, 'invalid_grant', 'Session expired']);
  });

  test('rejects other grant types', async () => {
    const { token } = await start();
    expect(error(await token({ grant_type: 'password' }))).toEqual([400, 'unsupported_grant_type']);
  });

  test('revokes only with a proof, and ignores unknown tokens', async () => {
    const { oauth, send, proof, refresh, resource } = await start();
    const tokens = await oauth();
    const fields = { token: String(tokens.refresh_token), client_id: LOCAL_CLIENT };
    expect((await send('/oauth/revoke', { ...fields, token: 'unknown' }, await proof('/oauth/revoke'))).status).toBe(
      200,
    );
    expect((await send('/oauth/revoke', fields)).status).toBe(200);
    expect((await resource(tokens.access_token)).status).toBe(200);
    expect((await send('/oauth/revoke', fields, await proof('/oauth/revoke'))).status).toBe(200);
    expect(error(await resource(tokens.access_token))).toEqual([401, 'invalid_token']);
    expect(error(await refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant']);
  });
});

describe('simulated Bluesky calls with DPoP', () => {
  test('hide the email without its scope and return the nonce', async () => {
    const { oauth, resource, did } = await start();
    const response = await resource((await oauth()).access_token);
    expect(response.json).toEqual({ did, handle: 'nora.test', active: true });
    expect(response.headers.get('dpop-nonce')).toBeTruthy();
  });

  test('are rejected without nonce, token hash, or the right key', async () => {
    const { oauth, resource, get, clock } = await start();
    const { access_token } = await oauth();
    const noNonce = await resource(access_token, { nonce: undefined });
    expect(error(noNonce)).toEqual([401, 'use_dpop_nonce']);
    expect(noNonce.headers.get('www-authenticate')).toContain('error="use_dpop_nonce"');
    expect(error(await resource(access_token, { ath: 'x' }))).toEqual([401, 'invalid_dpop_proof']);
    const other = proofKey(() => clock.now);
    expect(wrong(await resource(access_token, {}, other))).toEqual([401, 'invalid_token', 'Invalid DPoP key binding']);
    const bare = await get('com.atproto.server.getSession', {}, { headers: { authorization: `DPoP ${access_token}` } });
    expect(error(bare)).toEqual([401, 'invalid_dpop_proof']);
    const bearer = await get('com.atproto.server.getSession', {}, { token: String(access_token) });
    expect(error(bearer)).toEqual([400, 'InvalidToken']);
  });

  test('fail when the access token expires after an hour', async () => {
    const { oauth, resource, clock } = await start();
    const { access_token } = await oauth();
    clock.now += 3_600_000;
    const response = await resource(access_token);
    expect(error(response)).toEqual([401, 'invalid_token']);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  test('may not write with the plain scope', async () => {
    const { push, decide, codeOf, exchange, sign, nonce, url, call, did } = await start();
    const client_id = `http://localhost?${new URLSearchParams({ redirect_uri: REDIRECT, scope: 'atproto' })}`;
    const code = codeOf(await decide(await push({ client_id, scope: 'atproto' }), { client_id }));
    const { access_token } = (await exchange(code, { client_id })).json;
    const path = '/xrpc/com.atproto.repo.putRecord';
    const dpop = sign({
      htm: 'POST',
      htu: `${url}${path}`,
      nonce: await nonce(),
      ath: sha256url(String(access_token)),
    });
    const json = { repo: did, collection: POST, rkey: '3l6oveex3ii2l', record: {} };
    const response = await call('POST', path, { json, headers: { authorization: `DPoP ${access_token}`, dpop } });
    expect(error(response)).toEqual([403, 'ScopeMissingError']);
  });
});

describe('simulated Bluesky client with metadata document', () => {
  const ID = 'https://clip.example/oauth/client-metadata.json';
  const REMOTE = 'https://clip.example/oauth/bluesky/callback';
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key: JsonWebKey = privateKey.export({ format: 'jwk' });
  const metadata = {
    client_id: ID,
    client_name: 'Clip',
    redirect_uris: [REMOTE],
    response_types: ['code'],
    scope: SCOPE,
    grant_types: ['authorization_code', 'refresh_token'],
    dpop_bound_access_tokens: true,
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    jwks_uri: 'https://clip.example/oauth/jwks.json',
  };
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }] };

  async function withDocuments(change: object = {}) {
    const pds = await start({ [ID]: { ...metadata, ...change }, [metadata.jwks_uri]: jwks });
    const assertion = (claims: object = {}, signer = key) =>
      signEc(
        'ES256',
        signer,
        { kid: 'one' },
        {
          iss: ID,
          sub: ID,
          aud: pds.url,
          jti: randomUUID(),
          iat: Math.floor(pds.clock.now / 1000),
          ...claims,
        },
      );
    const proven = (claims: object = {}, signer = key) => ({
      client_id: ID,
      redirect_uri: REMOTE,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion(claims, signer),
    });
    return { ...pds, proven };
  }

  test('gets tokens for months when it signs with its key', async () => {
    const { push, decide, codeOf, exchange, proven, refresh, clock } = await withDocuments();
    const pushed = await push(proven());
    const code = codeOf(await decide(pushed, { client_id: ID }));
    const { status, json } = await exchange(code, proven());
    expect(status).toBe(200);
    clock.now += 80 * DAY;
    expect((await refresh(json.refresh_token, proven())).status).toBe(200);
  });

  test('is rejected with missing, foreign, old, misdirected, or replayed signatures', async () => {
    const { push, proven, clock } = await withDocuments();
    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
    const again = proven();
    expect((await push(again)).status).toBe(201);
    for (const fields of [
      { client_id: ID, redirect_uri: REMOTE },
      proven({}, foreign),
      proven({ iat: clock.now / 1000 - 100 }),
      proven({ aud: 'https://elsewhere.example' }),
      proven({ sub: 'https://other.example/client.json' }),
      again,
    ])
      expect(error(await push(fields))).toEqual([400, 'invalid_client']);
  });

  test.each([
    ['of another address', { client_id: 'https://clip.example/other.json' }],
    ['without DPoP', { dpop_bound_access_tokens: false }],
    ['without redirects', { redirect_uris: [] }],
    ['with an unknown way to prove itself', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['with keys that cannot be had', { jwks_uri: 'https://clip.example/none.json' }],
  ])('is rejected with a document %s', async (_name, change) => {
    const { push, proven } = await withDocuments(change);
    expect(error(await push(proven()))).toEqual([400, 'invalid_client_metadata']);
  });

  test('must not sign when public', async () => {
    const { push, proven } = await withDocuments();
    const { client_assertion, client_assertion_type } = proven();
    expect(error(await push({ client_assertion, client_assertion_type }))).toEqual([400, 'invalid_client']);
  });
});
