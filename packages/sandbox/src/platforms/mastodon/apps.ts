/** Applications, tokens, and the metadata of the authorization server. */
import type { Route, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { bearerToken } from '../../http/parameters.ts';
import { challengeOf, claimCode } from '../../oauth/codes.ts';
import { newSecret as randomSecret } from '../../oauth/tokens.ts';
import { Refused } from '../../refused.ts';
import { update } from '../../store/records.ts';
import { covers, refusal, routesOf, unauthorized } from './access.ts';
import { type Parameters, parametersOf } from './parameters.ts';
import type { App, Code, Token, World } from './state.ts';
import { invalid, localeOf, type TextKey } from './texts.ts';

/** docs.joinmastodon.org, "OAuth scopes", without those of administrators. */
const SCOPES = [
  'profile',
  'read',
  ...['accounts', 'blocks', 'bookmarks', 'collections', 'favourites', 'filters', 'follows', 'lists', 'mutes']
    .concat('notifications', 'search', 'statuses')
    .map((part) => `read:${part}`),
  'write',
  ...['accounts', 'blocks', 'bookmarks', 'collections', 'conversations', 'favourites', 'filters', 'follows', 'lists']
    .concat('media', 'mutes', 'notifications', 'reports', 'statuses')
    .map((part) => `write:${part}`),
  'follow',
  'push',
];

export function splitScopes(value: string | undefined): string[] {
  return (value ?? '').split(/[\s+]+/).filter(Boolean);
}

/** Whether an application may receive these scopes. */
export function within(app: App, scopes: readonly string[]): boolean {
  return scopes.every((scope) => covers(app.scopes, scope));
}

export const newSecret = () => randomSecret(32);

/** Creates a token and returns the token endpoint's response. */
export async function issueToken(world: World, given: Omit<Token, 'state'>): Promise<Record<string, string | number>> {
  const { millisecondCreatedAt } = await world.switches();
  const key = newSecret();
  await world.options.store.insert<Token>('token', key, { ...given, state: 'live' }, given.accountId ?? undefined);
  return {
    access_token: key,
    token_type: 'Bearer',
    scope: given.scopes.join(' '),
    created_at: millisecondCreatedAt ? world.now() : Math.floor(world.now() / 1000),
  };
}

export function appRoutes(world: World): Route[] {
  const route = routesOf(world);
  return [
    route('POST', '/api/v1/apps', register),
    route('GET', '/api/v1/apps/verify_credentials', verifyApp),
    route('GET', '/.well-known/oauth-authorization-server', metadata),
    route('POST', '/oauth/token', token),
    route('POST', '/oauth/revoke', revoke),
  ];
}

async function register(world: World, request: SimulatorRequest): Promise<SimulatorResponse> {
  const given = await parametersOf(request);
  const locale = localeOf(request.headers['accept-language']);
  const refuse = (key: TextKey): never => {
    throw new Refused(refusal(422, invalid(locale, key)));
  };
  const name = given.one('client_name')?.trim() || refuse('nameBlank');
  const redirectUris = given.many('redirect_uris').flatMap((value) => value.split(/\s+/).filter(Boolean));
  if (redirectUris.length === 0) refuse('redirectBlank');
  if (!redirectUris.every((uri) => URL.canParse(uri))) refuse('redirectInvalid');
  const scopes = splitScopes(given.one('scopes') ?? 'read');
  if (!scopes.every((scope) => SCOPES.includes(scope))) refuse('scopesInvalid');
  const app: App = {
    id: world.nextId(),
    name,
    website: given.one('website') || null,
    redirectUris,
    scopes,
    clientId: newSecret(),
    clientSecret: newSecret(),
  };
  await world.options.store.put('app', app.clientId, app);
  return {
    status: 200,
    body: {
      id: app.id,
      name: app.name,
      website: app.website,
      scopes: app.scopes,
      redirect_uri: redirectUris.join('\n'),
      redirect_uris: redirectUris,
      client_id: app.clientId,
      client_secret: app.clientSecret,
      client_secret_expires_at: 0,
    },
  };
}

/** Returns the application of any token, also of one without a user. */
async function verifyApp(world: World, request: SimulatorRequest): Promise<SimulatorResponse> {
  const token = await world.options.store.get<Token>('token', bearerToken(request));
  const app = token?.state === 'live' ? await world.options.store.get<App>('app', token.clientId) : undefined;
  if (!app) return unauthorized(localeOf(request.headers['accept-language']), 'invalidToken');
  const { id, name, website, scopes, redirectUris } = app;
  const redirect_uri = redirectUris.join('\n');
  return { status: 200, body: { id, name, website, scopes, redirect_uri, redirect_uris: redirectUris } };
}

async function metadata(world: World): Promise<SimulatorResponse> {
  if ((await world.switches()).oldServer) return refusal(404, 'Not Found');
  const base = world.options.baseUrl;
  return {
    status: 200,
    body: {
      issuer: `${base}/`,
      authorization_endpoint: `${base}/oauth/authorize`,
      token_endpoint: `${base}/oauth/token`,
      revocation_endpoint: `${base}/oauth/revoke`,
      userinfo_endpoint: `${base}/oauth/userinfo`,
      app_registration_endpoint: `${base}/api/v1/apps`,
      scopes_supported: SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      grant_types_supported: ['authorization_code', 'client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
    },
  };
}

/** Returns the client from form fields or HTTP Basic; null if id or secret is wrong. */
async function clientOf(world: World, request: SimulatorRequest, given: Parameters): Promise<App | null> {
  const basic = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const [id, secret] = basic
    ? Buffer.from(basic, 'base64').toString('utf8').split(':').map(decodeURIComponent)
    : [given.one('client_id'), given.one('client_secret')];
  const app = id ? await world.options.store.get<App>('app', id) : undefined;
  return app && secret === app.clientSecret ? app : null;
}

function oauthError(status: number, error: string, description: string): SimulatorResponse {
  const challenge = `Bearer realm="Doorkeeper", error="${error}", error_description="${description}"`;
  return {
    status,
    headers: status === 401 ? { 'www-authenticate': challenge } : {},
    body: { error, error_description: description },
  };
}

const UNKNOWN_CLIENT =
  'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.';
const BAD_GRANT =
  'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.';

async function token(world: World, request: SimulatorRequest): Promise<SimulatorResponse> {
  const given = await parametersOf(request);
  const app = await clientOf(world, request, given);
  if (!app) return oauthError(401, 'invalid_client', UNKNOWN_CLIENT);
  if (given.one('grant_type') === 'client_credentials') {
    const scopes = splitScopes(given.one('scope') ?? 'read');
    if (!within(app, scopes))
      return oauthError(400, 'invalid_scope', 'The requested scope is invalid, unknown, or malformed.');
    return { status: 200, body: await issueToken(world, { clientId: app.clientId, accountId: null, scopes }) };
  }
  if (given.one('grant_type') !== 'authorization_code')
    return oauthError(
      400,
      'unsupported_grant_type',
      'The authorization grant type is not supported by the authorization server.',
    );
  const key = given.one('code') ?? '';
  const code = await claimCode<Code>(world.options.store, key);
  if (
    !code ||
    code.clientId !== app.clientId ||
    code.redirectUri !== given.one('redirect_uri') ||
    code.expiresAt <= world.now() ||
    (code.challenge !== null && code.challenge !== challengeOf(given.one('code_verifier') ?? ''))
  )
    return oauthError(400, 'invalid_grant', BAD_GRANT);
  const { clientId, accountId, scopes } = code;
  return { status: 200, body: await issueToken(world, { clientId, accountId, scopes }) };
}

async function revoke(world: World, request: SimulatorRequest): Promise<SimulatorResponse> {
  const given = await parametersOf(request);
  const app = await clientOf(world, request, given);
  const key = given.one('token') ?? '';
  const token = await world.options.store.get<Token>('token', key);
  if (!app || (token && token.clientId !== app.clientId))
    return oauthError(403, 'unauthorized_client', 'You are not authorized to revoke this token');
  await update<Token>(world.options.store, ['token', key], { state: 'revoked' });
  return { status: 200, body: {} };
}
