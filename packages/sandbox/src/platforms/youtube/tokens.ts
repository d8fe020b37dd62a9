/** The token and revocation endpoints of Google's OAuth. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { bearerToken } from '../../http/parameters.ts';
import type { JsonObject } from '../../json.ts';
import { challengeOf, claimCode } from '../../oauth/codes.ts';
import { keySet, pemKeys, signedToken } from '../../oauth/identity-token.ts';
import { addGrant, addToken, endGrant, newSecret, type TokenRecord, tokenResponse } from '../../oauth/tokens.ts';
import { SECOND } from '../../time.ts';
import { type Account, type AuthCode, appSettings, EMAIL, type Grant, OPENID, PROFILE } from './records.ts';
import { refuseOAuth } from './responses.ts';

const ISSUER = 'https://accounts.google.com';
const ACCESS_SECONDS = 3_599;
const TESTING_SECONDS = 604_799;
const MAX_GRANTS = 10_000;

/** Refresh tokens end with their grant. */
type RefreshRecord = Pick<TokenRecord, 'grantId'>;

export async function exchange(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const form = await request.form();
  const { clientId, clientSecret } = options.app;
  const [id, secret] = credentialsOf(request, form);
  if (id !== clientId) return refuseOAuth('invalid_client', 'The OAuth client was not found.', 401);
  if (secret !== clientSecret) return refuseOAuth('invalid_client', 'The provided client secret is invalid.', 401);
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return redeemCode(options, form);
    case 'refresh_token':
      return renew(options, form);
    case null:
      return refuseOAuth('invalid_request', 'Required parameter is missing: grant_type');
    default:
      return refuseOAuth('unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type')}`);
  }
}

/** The application's id and secret, from the form or from Basic authentication (RFC 6749, 2.3.1). */
function credentialsOf({ headers }: SimulatorRequest, form: URLSearchParams): (string | null)[] {
  const encoded = /^Basic (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (encoded === undefined) return [form.get('client_id'), form.get('client_secret')];
  return Buffer.from(encoded, 'base64').toString().split(':', 2).map(decodeURIComponent);
}

/** `POST /tokeninfo`: the application, the scopes and the remaining life of an access token. */
export async function tokenInfo(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const token =
    request.query.get('access_token') ?? (bearerToken(request) || (await request.form()).get('access_token'));
  const known = await options.store.get<TokenRecord>('access', token ?? '');
  const grant = known && (await options.store.get<Grant>('grant', known.grantId));
  const seconds = Math.floor(((known?.expiresAt ?? 0) - options.now()) / SECOND);
  if (!grant || grant.dead || seconds <= 0) return refuseOAuth('invalid_token', 'Invalid Value');
  const { clientId } = options.app;
  const exp = String(Math.floor(options.now() / SECOND) + seconds);
  const scope = grant.scopes.join(' ');
  return tokenResponse({
    azp: clientId,
    aud: clientId,
    scope,
    exp,
    expires_in: String(seconds),
    access_type: 'offline',
  });
}

/**
 * Revokes everything that the user has granted to the project, with an access or a refresh token. The token is in the
 * form or in the query.
 */
export async function revoke(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const token = (await request.form()).get('token') ?? request.query.get('token') ?? '';
  const known =
    (await options.store.get<TokenRecord>('access', token)) ??
    (await options.store.get<RefreshRecord>('refresh', token));
  const grant = known && (await options.store.get<Grant>('grant', known.grantId));
  if (!grant || grant.dead) return refuseOAuth('invalid_token', 'Token expired or revoked');
  await killGrants(options, grant.channelId);
  return { status: 200 };
}

/** Creates a grant with its first tokens. @returns the body of the token endpoint */
export async function grantTokens(
  options: SimulatorOptions,
  channelId: string,
  scopes: readonly string[],
  lasting = true,
): Promise<JsonObject> {
  const { testing } = await appSettings(options);
  const endsAt = testing ? options.now() + TESTING_SECONDS * 1000 : null;
  const grant: Grant = { channelId, scopes: [...scopes], dead: false, endsAt };
  const grantId = await addGrant(options.store, grant, channelId);
  const response = await issue(options, grantId, grant);
  if (!lasting) return response;
  const refreshToken = `1//0${newSecret(40)}`;
  await options.store.put<RefreshRecord>('refresh', refreshToken, { grantId }, grantId);
  return {
    ...response,
    refresh_token: refreshToken,
    ...(testing ? { refresh_token_expires_in: TESTING_SECONDS } : {}),
  };
}

/** Invalidates every grant of a channel's user. */
export async function killGrants(options: SimulatorOptions, channelId: string): Promise<void> {
  for (const { key } of await options.store.list<Grant>('grant', { owner: channelId, limit: MAX_GRANTS }))
    await endGrant(options.store, key);
}

async function redeemCode(options: SimulatorOptions, form: URLSearchParams): Promise<SimulatorResponse> {
  const code = form.get('code');
  if (!code) return refuseOAuth('invalid_request', 'Missing required parameter: code');
  const found = await options.store.get<AuthCode>('code', code);
  if (!found || found.used || found.expiresAt <= options.now())
    return refuseOAuth('invalid_grant', 'Malformed auth code.');
  if (found.redirectUri !== form.get('redirect_uri')) return refuseOAuth('redirect_uri_mismatch', 'Bad Request');
  const verifier = form.get('code_verifier');
  if (found.challenge !== null && !verifier) return refuseOAuth('invalid_grant', 'Missing code verifier.');
  if (found.challenge !== null && challengeOf(verifier ?? '') !== found.challenge)
    return refuseOAuth('invalid_grant', 'Invalid code verifier.');
  if (!(await claimCode(options.store, code))) return refuseOAuth('invalid_grant', 'Malformed auth code.');
  const tokens = await grantTokens(options, found.channelId, found.scopes, found.lasting);
  if (!found.scopes.includes(OPENID)) return tokenResponse(tokens);
  return tokenResponse({ ...tokens, id_token: await identityOf(options, found) });
}

/** The identity token of the user who signed in ("OpenID Connect", ID token's payload). */
async function identityOf(options: SimulatorOptions, { channelId, scopes, nonce }: AuthCode): Promise<string> {
  const account = await options.store.get<Account>('account', channelId);
  const iat = Math.floor(options.now() / SECOND);
  const { clientId } = options.app;
  return signedToken({
    iss: ISSUER,
    azp: clientId,
    aud: clientId,
    sub: channelId,
    ...(scopes.includes(EMAIL) ? { email: `${account?.username}@example.com`, email_verified: true } : {}),
    ...(scopes.includes(PROFILE) ? { name: account?.title ?? '' } : {}),
    ...(nonce === null ? {} : { nonce }),
    iat,
    exp: iat + ACCESS_SECONDS,
  });
}

/** `GET /oauth2/v3/certs` and `GET /oauth2/v1/certs`: the keys of identity tokens. */
export async function keys(_options: SimulatorOptions, { path }: SimulatorRequest): Promise<SimulatorResponse> {
  return { status: 200, body: path.endsWith('v1/certs') ? pemKeys() : keySet() };
}

/** The refresh token does not change. */
async function renew(options: SimulatorOptions, form: URLSearchParams): Promise<SimulatorResponse> {
  const given = form.get('refresh_token');
  if (!given) return refuseOAuth('invalid_request', 'Missing required parameter: refresh_token');
  const known = await options.store.get<RefreshRecord>('refresh', given);
  const grant = known && (await options.store.get<Grant>('grant', known.grantId));
  const ended = !grant || grant.dead || (grant.endsAt !== null && grant.endsAt <= options.now());
  if (!known || ended) return refuseOAuth('invalid_grant', 'Token has been expired or revoked.');
  return tokenResponse(await issue(options, known.grantId, grant));
}

async function issue(options: SimulatorOptions, grantId: string, { scopes }: Grant): Promise<JsonObject> {
  const lifetime = { grantId, seconds: ACCESS_SECONDS };
  const accessToken = await addToken(options, 'access', `ya29.a0${newSecret(60)}`, lifetime);
  return { access_token: accessToken, expires_in: ACCESS_SECONDS, scope: scopes.join(' '), token_type: 'Bearer' };
}
