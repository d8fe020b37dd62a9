/** Token, introspection, and revocation endpoints. Refresh tokens require an approved application and do not rotate. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { claimValidCode } from '../../oauth/codes.ts';
import { addGrant, isClient, newPlainSecret, tokenResponse } from '../../oauth/tokens.ts';
import { Refused } from '../../refused.ts';
import { update } from '../../store/records.ts';
import { identityToken } from './identity-token.ts';
import { type AuthCode, type Grant, type Person, settingsOf, type TokenRecord } from './records.ts';
import { refuseOAuth } from './responses.ts';

const ACCESS_SECONDS = 5_184_000;
const REFRESH_SECONDS = 31_536_000;

export async function exchange(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const form = await clientForm(options, request);
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return redeemCode(options, form);
    case 'refresh_token':
      return renew(options, form);
    // Only applications of some partner programs have tokens of their own ("Client Credential Flow").
    case 'client_credentials':
      return refuseOAuth(401, 'access_denied', 'This application is not allowed to create application tokens');
    default:
      return refuseOAuth(400, 'invalid_request', 'A required parameter "grant_type" is missing or not supported.');
  }
}

/** Revokes an access token. */
export async function revoke(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const form = await clientForm(options, request);
  const token = form.get('token') ?? '';
  const record = await options.store.get<TokenRecord>('access', token);
  if (!record) return refuseOAuth(400, 'invalid_request', 'The token is missing or invalid.');
  await killGrant(options, record.grantId);
  return { status: 200 };
}

export async function introspect(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const form = await clientForm(options, request);
  const record = await options.store.get<TokenRecord>('access', form.get('token') ?? '');
  const grant = record && (await options.store.get<Grant>('grant', record.grantId));
  if (!record || !grant) return { status: 200, body: { active: false } };
  const revoked = record.revoked === true || grant.revoked;
  const status = revoked ? 'revoked' : record.expiresAt <= options.now() ? 'expired' : 'active';
  const seconds = (ms: number) => Math.floor(ms / 1000);
  return {
    status: 200,
    body: {
      active: status === 'active',
      client_id: options.app.clientId,
      authorized_at: seconds(grant.authorizedAt),
      created_at: seconds(record.createdAt),
      status,
      expires_at: seconds(record.expiresAt),
      scope: grant.scopes.join(','),
      auth_type: '3L',
    },
  };
}

/** Creates a grant with its tokens. Returns the token endpoint's response. */
export async function grantTokens(
  options: SimulatorOptions,
  personId: string,
  scopes: readonly string[],
): Promise<JsonObject> {
  const now = options.now();
  const grant: Grant = {
    personId,
    scopes: [...scopes],
    refreshExpiresAt: now + REFRESH_SECONDS * 1000,
    authorizedAt: now,
    revoked: false,
  };
  const grantId = await addGrant(options.store, grant, personId);
  const { noRefreshTokens } = await settingsOf(options);
  if (noRefreshTokens) return issue(options, grantId, grant, null);
  const refreshToken = `AQW${newPlainSecret(300)}`;
  const record: TokenRecord = { grantId, createdAt: now, expiresAt: grant.refreshExpiresAt };
  await options.store.put('refresh', refreshToken, record, grantId);
  return issue(options, grantId, grant, refreshToken);
}

/** Invalidates all tokens of a grant. */
export async function killGrant({ store }: Pick<SimulatorOptions, 'store'>, grantId: string): Promise<void> {
  await update<Grant>(store, ['grant', grantId], { revoked: true });
}

async function redeemCode(options: SimulatorOptions, form: URLSearchParams): Promise<SimulatorResponse> {
  const code = form.get('code');
  const redirectUri = form.get('redirect_uri');
  if (!code || !redirectUri) return refuseOAuth(400, 'invalid_request', 'A required parameter is missing.');
  const found = await claimValidCode<AuthCode>(options, code, redirectUri);
  if (!found)
    return refuseOAuth(
      400,
      'invalid_request',
      'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.',
    );
  await endOtherScopes(options, found);
  const tokens = await grantTokens(options, found.personId, found.scopes);
  const person = found.scopes.includes('openid') && (await options.store.get<Person>('person', found.personId));
  return tokenResponse(person ? { ...tokens, id_token: identityToken(options, person, found.nonce) } : tokens);
}

/** Revokes the member's previous grants with other scopes. */
async function endOtherScopes(options: SimulatorOptions, { personId, scopes }: AuthCode): Promise<void> {
  const asked = [...scopes].sort().join(' ');
  for (const { key, value } of await options.store.list<Grant>('grant', { owner: personId, limit: 1000 }))
    if ([...value.scopes].sort().join(' ') !== asked) await killGrant(options, key);
}

/** Refreshes the access token. The refresh token stays the same, and its year starts at the consent. */
async function renew(options: SimulatorOptions, form: URLSearchParams): Promise<SimulatorResponse> {
  const given = form.get('refresh_token');
  if (!given) return refuseOAuth(400, 'invalid_request', 'A required parameter "refresh_token" is missing.');
  const record = await options.store.get<TokenRecord>('refresh', given);
  const grant = record && (await options.store.get<Grant>('grant', record.grantId));
  if (!record || !grant || grant.revoked || record.expiresAt <= options.now())
    return refuseOAuth(
      400,
      'invalid_grant',
      'The provided authorization grant or refresh token is invalid, expired or revoked.',
    );
  return tokenResponse(await issue(options, record.grantId, grant, given));
}

async function issue(
  options: SimulatorOptions,
  grantId: string,
  grant: Grant,
  refreshToken: string | null,
): Promise<JsonObject> {
  const now = options.now();
  const accessToken = `AQX${newPlainSecret(300)}`;
  const record: TokenRecord = { grantId, createdAt: now, expiresAt: now + ACCESS_SECONDS * 1000 };
  await options.store.put('access', accessToken, record, grantId);
  const { scopeSeparator = ',' } = await settingsOf(options);
  return {
    access_token: accessToken,
    expires_in: ACCESS_SECONDS,
    ...(refreshToken && {
      refresh_token: refreshToken,
      refresh_token_expires_in: Math.floor((grant.refreshExpiresAt - now) / 1000),
    }),
    scope: grant.scopes.join(scopeSeparator),
    token_type: 'Bearer',
  };
}

/** Returns the form of an authenticated client. @throws Refused */
async function clientForm(options: SimulatorOptions, request: SimulatorRequest): Promise<URLSearchParams> {
  const form = await request.form();
  if (isClient(options, form)) return form;
  throw new Refused(refuseOAuth(401, 'invalid_client', 'Client authentication failed'));
}
