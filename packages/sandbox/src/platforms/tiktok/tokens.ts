/** The token and revocation endpoints. They use a flat format and send every error with HTTP 200. */
import { createHash } from 'node:crypto';
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { challengeOf, claimCode, isVerifier } from '../../oauth/codes.ts';
import {
  addGrant,
  addToken,
  endGrant,
  isClient,
  newPlainSecret,
  rotateRefreshToken,
  type TokenRecord,
  tokenResponse,
} from '../../oauth/tokens.ts';
import { Refused } from '../../refused.ts';
import type { AuthCode, Grant } from './records.ts';
import { refuseOAuth } from './responses.ts';

const ACCESS_SECONDS = 7_200;
const REFRESH_SECONDS = 15_552_000;

export async function exchange(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const form = await clientForm(options, request);
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return redeemCode(options, form);
    case 'refresh_token':
      return rotate(options, form);
    case 'client_credentials':
      return tokenResponse({
        access_token: `clt.${newPlainSecret(32)}`,
        expires_in: ACCESS_SECONDS,
        token_type: 'Bearer',
      });
    case null:
      return refuseOAuth(options, 'invalid_request', 'grant_type is missing.');
    default:
      return refuseOAuth(options, 'unsupported_grant_type', 'This grant_type is not supported.');
  }
}

/** Revokes the grant of an access token. A success has no body. */
export async function revoke(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const form = await clientForm(options, request);
  const token = await options.store.get<TokenRecord>('access', form.get('token') ?? '');
  const grant = token && (await options.store.get<Grant>('grant', token.grantId));
  if (!grant || grant.dead) return refuseOAuth(options, 'invalid_request', 'The token is missing or invalid.');
  await endGrant(options.store, token.grantId);
  return { status: 200 };
}

/** Creates a grant with its first token pair. @returns the body of the token endpoint */
export async function grantTokens(
  options: SimulatorOptions,
  openId: string,
  scopes: readonly string[],
): Promise<JsonObject> {
  const grant: Grant = { openId, scopes: [...scopes], ...newRefreshToken(options), dead: false };
  return issue(options, await addGrant(options.store, grant, openId), grant);
}

async function redeemCode(options: SimulatorOptions, form: URLSearchParams): Promise<SimulatorResponse> {
  const code = form.get('code');
  const redirectUri = form.get('redirect_uri');
  if (!code || !redirectUri) return refuseOAuth(options, 'invalid_request', 'code or redirect_uri is missing.');
  const found = await options.store.get<AuthCode>('code', code);
  if (!found || found.used || found.expiresAt <= options.now())
    return refuseOAuth(options, 'invalid_grant', 'Authorization code is invalid or expired.');
  if (found.redirectUri !== redirectUri)
    return refuseOAuth(options, 'invalid_request', 'redirect_uri differs from the one used for the code.');
  const verifier = form.get('code_verifier');
  if (found.challenge !== null && !fitsChallenge(verifier, found.challenge))
    return refuseOAuth(options, 'invalid_request', 'code_verifier is missing or does not fit.');
  if (!(await claimCode(options.store, code)))
    return refuseOAuth(options, 'invalid_grant', 'Authorization code is invalid or expired.');
  return tokenResponse(await grantTokens(options, found.openId, found.scopes));
}

async function rotate(options: SimulatorOptions, form: URLSearchParams): Promise<SimulatorResponse> {
  const given = form.get('refresh_token');
  if (!given) return refuseOAuth(options, 'invalid_request', 'refresh_token is missing.');
  const rotated = await rotateRefreshToken<Grant>(options.store, given, (grant) =>
    grant.refreshExpiresAt > options.now() ? { ...grant, ...newRefreshToken(options) } : undefined,
  );
  if (!rotated) return refuseOAuth(options, 'invalid_grant', 'Refresh token is invalid or expired.');
  return tokenResponse(await issue(options, rotated.grantId, rotated.grant));
}

function newRefreshToken({ now }: SimulatorOptions): Pick<Grant, 'refreshToken' | 'refreshExpiresAt'> {
  return { refreshToken: `rft.${newPlainSecret(32)}`, refreshExpiresAt: now() + REFRESH_SECONDS * 1000 };
}

async function issue(options: SimulatorOptions, grantId: string, grant: Grant): Promise<JsonObject> {
  const { openId, scopes, refreshToken, refreshExpiresAt } = grant;
  await options.store.put<TokenRecord>('refresh', refreshToken, { grantId, expiresAt: refreshExpiresAt }, grantId);
  const seconds = ACCESS_SECONDS;
  return {
    access_token: await addToken(options, 'access', `act.${newPlainSecret(32)}`, { grantId, seconds }),
    expires_in: seconds,
    open_id: openId,
    refresh_expires_in: REFRESH_SECONDS,
    refresh_token: refreshToken,
    scope: scopes.join(','),
    token_type: 'Bearer',
  };
}

/** Returns the form of an authenticated client. @throws Refused */
async function clientForm(options: SimulatorOptions, request: SimulatorRequest): Promise<URLSearchParams> {
  const form = await request.form();
  if (!form.get('client_key') || !form.get('client_secret'))
    throw new Refused(refuseOAuth(options, 'invalid_request', 'client_key or client_secret is missing.'));
  if (isClient(options, form, 'client_key')) return form;
  throw new Refused(refuseOAuth(options, 'invalid_client', 'client_key or client_secret is wrong.'));
}

/** PKCE: Login Kit for Desktop uses hexadecimal instead of the standard's base64url. */
function fitsChallenge(verifier: string | null, challenge: string): boolean {
  if (!isVerifier(verifier)) return false;
  return [createHash('sha256').update(verifier).digest('hex'), challengeOf(verifier)].includes(challenge);
}
