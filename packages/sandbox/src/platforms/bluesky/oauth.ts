/**
 * The authorization server: pushed requests, consent, tokens, revocation (atproto.com/specs/oauth, RFC 9126, 9449,
 * 7636).
 */

import type { Route, SimulatorResponse } from '../../contract.ts';
import { escapeHtml, page } from '../../http/pages.ts';
import { isObject } from '../../http/parameters.ts';
import { asConsent } from '../../oauth/consent.ts';
import { Refused } from '../../refused.ts';
import { enrol } from './accounts.ts';
import { checkProof, nextNonce, wwwAuthenticate } from './dpop.ts';
import { randomText } from './ids.ts';
import { sha256url } from './jwt.ts';
import { authenticateClient, clientOf, redirectAllowed } from './oauth-client.ts';
import {
  type AuthorizationCode,
  CODE_MS,
  exchangeCode,
  PAR_MS,
  type PushedRequest,
  refreshGrant,
  revoke,
} from './oauth-tokens.ts';
import type { World } from './world.ts';
import { type Call, ok, refuseOAuth, route } from './xrpc.ts';

const SCOPES = ['atproto', 'transition:email', 'transition:generic', 'transition:chat.bsky'];
const REQUEST_URI = 'urn:ietf:params:oauth:request_uri:';

export function oauthRoutes(world: World): Route[] {
  const base = world.options.baseUrl;
  return [
    route('GET', '/.well-known/oauth-protected-resource', async () =>
      ok({ resource: base, authorization_servers: [base], scopes_supported: [], bearer_methods_supported: ['header'] }),
    ),
    route('GET', '/.well-known/oauth-authorization-server', async () =>
      ok({
        issuer: base,
        scopes_supported: SCOPES,
        subject_types_supported: ['public'],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        jwks_uri: `${base}/oauth/jwks`,
        authorization_endpoint: `${base}/oauth/authorize`,
        token_endpoint: `${base}/oauth/token`,
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
        token_endpoint_auth_signing_alg_values_supported: ['ES256'],
        revocation_endpoint: `${base}/oauth/revoke`,
        pushed_authorization_request_endpoint: `${base}/oauth/par`,
        require_pushed_authorization_requests: true,
        dpop_signing_alg_values_supported: ['ES256'],
        protected_resources: [base],
        client_id_metadata_document_supported: true,
      }),
    ),
    route('GET', '/oauth/jwks', async () => ok({ keys: [] })),
    route('POST', '/oauth/par', (call) => pushRequest(world, call)),
    ...asConsent([
      route('GET', '/oauth/authorize', (call) => showConsent(world, call)),
      route('POST', '/oauth/authorize', (call) => decide(world, call)),
    ]),
    route('POST', '/oauth/token', (call) => token(world, call)),
    route('POST', '/oauth/revoke', async (call) => {
      const { body, client, clientAuth, jkt } = await clientRequest(world, call);
      await revoke(world, body.get('token') ?? '', { client, clientAuth, jkt: jkt ?? '' });
      return ok({});
    }),
  ];
}

/** Parses the request of an authenticated client. @throws Refused */
async function clientRequest(world: World, call: Call) {
  const body = await form(call);
  const jkt = await proofKey(world, call);
  const client = await clientOf(world, body.get('client_id'));
  return { body, client, clientAuth: authenticateClient(world, client, body), jkt };
}

async function pushRequest(world: World, call: Call): Promise<SimulatorResponse> {
  const { body, client, clientAuth, jkt } = await clientRequest(world, call);
  const redirectUri = body.get('redirect_uri') ?? '';
  if (URL.parse(redirectUri)?.hostname === 'localhost' && redirectUri.startsWith('http:'))
    refuseOAuth(400, 'invalid_request', 'Use of "localhost" hostname is not allowed (RFC 8252), use a loopback IP');
  if (!redirectAllowed(client, redirectUri)) refuseOAuth(400, 'invalid_request', `Invalid redirect_uri ${redirectUri}`);
  const scope = body.get('scope') ?? '';
  const scopes = scope.split(' ');
  for (const one of scopes)
    if (!client.scopes.includes(one))
      refuseOAuth(400, 'invalid_scope', `Scope "${one}" is not declared in the client metadata`);
  if (!scopes.includes('atproto')) refuseOAuth(400, 'invalid_scope', 'The "atproto" scope is required');
  if (body.get('response_type') !== 'code')
    refuseOAuth(400, 'unsupported_response_type', `Unsupported response_type "${body.get('response_type')}"`);
  const challenge = body.get('code_challenge');
  if (!challenge) return refuseOAuth(400, 'invalid_request', 'Use of PKCE is required');
  if (body.get('code_challenge_method') !== 'S256')
    refuseOAuth(400, 'invalid_request', 'atproto requires use of "S256" code_challenge_method');
  const id = randomText('req-', 16);
  const expiresAt = world.options.now() + PAR_MS;
  const state = body.get('state');
  const request = { clientId: client.id, clientAuth, redirectUri, scope, state, challenge, jkt, expiresAt };
  await world.options.store.put<PushedRequest>('par', id, { ...request, loginHint: body.get('login_hint') });
  return { status: 201, body: { request_uri: `${REQUEST_URI}${id}`, expires_in: PAR_MS / 1000 - 1 } };
}

async function showConsent(world: World, call: Call): Promise<SimulatorResponse> {
  const { query } = call.request;
  const pushed = await pushedRequest(world, query.get('request_uri'), query.get('client_id'));
  if (!pushed) return UNKNOWN_REQUEST;
  const client = await clientOf(world, pushed.clientId);
  const hidden = Object.entries({ request_uri: query.get('request_uri') ?? '', client_id: pushed.clientId })
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');
  const scopes = pushed.scope.split(' ').map((scope) => `<li><code>${escapeHtml(scope)}</code></li>`);
  return unframed(
    page(
      'Bluesky (sandbox)',
      `<p><strong>${escapeHtml(client.name)}</strong> asks for access to your simulated account.</p>
<ul>${scopes.join('')}</ul>
<form method="post" action="${escapeHtml(`${world.basePath}/oauth/authorize`)}">${hidden}
<label>Sign in as <input name="username" value="${escapeHtml(pushed.loginHint ?? '')}" autocomplete="username" required autofocus></label>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny" formnovalidate>Deny</button></p>
</form>`,
    ),
  );
}

async function decide(world: World, call: Call): Promise<SimulatorResponse> {
  const body = await form(call);
  const uri = body.get('request_uri') ?? '';
  const pushed = await pushedRequest(world, uri, body.get('client_id'));
  if (!pushed) return UNKNOWN_REQUEST;
  await world.options.store.remove('par', uri.slice(REQUEST_URI.length));
  const back = new URL(pushed.redirectUri);
  back.searchParams.set('iss', world.options.baseUrl);
  if (pushed.state !== null) back.searchParams.set('state', pushed.state);
  if (body.get('decision') === 'allow') {
    const account = await enrol(world, body.get('username') ?? '');
    const code = randomText('cod-', 32);
    const expiresAt = world.options.now() + CODE_MS;
    const record = { ...pushed, did: account.did, grant: randomText('grant-', 16), used: false, expiresAt };
    await world.options.store.put<AuthorizationCode>('code', sha256url(code), record);
    back.searchParams.set('code', code);
  } else {
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('error_description', 'The user rejected the request');
  }
  return { status: 303, headers: { location: back.href, 'cache-control': 'no-store' } };
}

async function token(world: World, call: Call): Promise<SimulatorResponse> {
  const { body, client, clientAuth, jkt } = await clientRequest(world, call);
  if (jkt === null) return refuseProof('invalid_dpop_proof', 'DPoP proof required');
  call.headers['cache-control'] = 'no-store';
  if (body.get('grant_type') === 'authorization_code')
    return ok(await exchangeCode(world, body, { client, clientAuth, jkt }));
  if (body.get('grant_type') === 'refresh_token')
    return ok(await refreshGrant(world, body, { client, clientAuth, jkt }));
  return refuseOAuth(400, 'unsupported_grant_type', 'Unsupported grant_type');
}

/** Returns the thumbprint of the DPoP key of a request; null without a proof. @throws Refused */
async function proofKey(world: World, call: Call): Promise<string | null> {
  call.headers['DPoP-Nonce'] = await nextNonce(world);
  const proof = await checkProof(world, call.request);
  if (proof && 'error' in proof) return refuseProof(proof.error, proof.message);
  return proof?.jkt ?? null;
}

function refuseProof(error: string, description: string): never {
  if (error === 'use_dpop_nonce') return refuseOAuth(400, error, description);
  const body = { error, error_description: description };
  throw new Refused({ status: 401, headers: wwwAuthenticate(error, description), body });
}

async function pushedRequest(world: World, uri: string | null, clientId: string | null) {
  if (!uri?.startsWith(REQUEST_URI)) return null;
  const pushed = await world.options.store.get<PushedRequest>('par', uri.slice(REQUEST_URI.length));
  return pushed && pushed.clientId === clientId && pushed.expiresAt > world.options.now() ? pushed : null;
}

/** Parses the body as a form or as JSON; the reference provider accepts both. */
async function form(call: Call): Promise<URLSearchParams> {
  if (!call.request.headers['content-type']?.startsWith('application/json')) return call.request.form();
  const body = await call.request.json();
  const fields = Object.entries(isObject(body) ? body : {});
  return new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)]));
}

const UNKNOWN_REQUEST = unframed(page('Error', '<p>This request is unknown or has expired.</p>', 400));

function unframed(response: SimulatorResponse): SimulatorResponse {
  return { ...response, headers: { ...response.headers, 'x-frame-options': 'DENY' } };
}
