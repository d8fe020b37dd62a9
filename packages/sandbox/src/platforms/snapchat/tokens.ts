/** The token endpoint: application credentials and a code or a refresh token, all in a form. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { claimValidCode } from '../../oauth/codes.ts';
import { addGrant, addToken, isClient, newSecret, rotateRefreshToken, type TokenRecord } from '../../oauth/tokens.ts';
import { Refused } from '../../refused.ts';
import { type AuthCode, type Grant, settingsOf } from './records.ts';

const ACCESS_SECONDS = 3_600;

export async function exchange(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const form = await request.form();
  if (!isClient(options, form)) throw refuse('invalid_client', 'The client is not known.', 401);
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return { status: 200, body: await redeemCode(options, form) };
    case 'refresh_token':
      return { status: 200, body: await renew(options, form) };
    default:
      throw refuse('unsupported_grant_type', 'grant_type is missing or not known.');
  }
}

function refuse(error: string, description: string, status = 400): Refused {
  return new Refused({ status, body: { error, error_description: description } });
}

async function redeemCode(options: SimulatorOptions, form: URLSearchParams): Promise<JsonObject> {
  const [code, redirectUri] = [form.get('code'), form.get('redirect_uri')];
  if (!code || !redirectUri) throw refuse('invalid_request', 'code or redirect_uri is missing.');
  const found = await claimValidCode<AuthCode>(options, code, redirectUri);
  if (!found) throw refuse('invalid_grant', 'The code is not valid.');
  return grantTokens(options, found.profileId, found.scopes);
}

async function renew(options: SimulatorOptions, form: URLSearchParams): Promise<JsonObject> {
  const { rotates } = await settingsOf(options);
  const renewed = await rotateRefreshToken<Grant>(options.store, form.get('refresh_token') ?? '', (grant) =>
    rotates ? { ...grant, refreshToken: newSecret(40) } : grant,
  );
  if (!renewed) throw refuse('invalid_grant', 'The refresh token is not valid.');
  const { grantId, grant } = renewed;
  const response = await issue(options, grantId, grant);
  return rotates ? { ...response, refresh_token: grant.refreshToken } : response;
}

/** Creates a grant with its first pair of tokens. Returns the token endpoint's response. */
export async function grantTokens(
  options: SimulatorOptions,
  profileId: string,
  scopes: readonly string[],
): Promise<JsonObject> {
  const grant: Grant = { profileId, scopes: [...scopes], refreshToken: newSecret(40), dead: false };
  const grantId = await addGrant(options.store, grant, profileId);
  return { ...(await issue(options, grantId, grant)), refresh_token: grant.refreshToken };
}

async function issue(options: SimulatorOptions, grantId: string, grant: Grant): Promise<JsonObject> {
  const token = await addToken(options, 'access', newSecret(40), { grantId, seconds: ACCESS_SECONDS });
  await options.store.put<TokenRecord>('refresh', grant.refreshToken, { grantId, expiresAt: 0 }, grantId);
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: ACCESS_SECONDS,
    scope: grant.scopes.join(' '),
  };
}
