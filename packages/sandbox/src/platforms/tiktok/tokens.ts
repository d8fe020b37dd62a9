/** The token and revocation endpoints. They use a flat format and send every error with HTTP 200. */
import { createHash, randomUUID } from 'node:crypto';
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { refuseOAuth } from './answers.ts';
import { type AuthCode, type Grant, newSecret, type TokenRecord } from './records.ts';

const ACCESS_SECONDS = 7_200;
const REFRESH_SECONDS = 15_552_000;

export async function exchange(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const form = await request.form();
  const refusal = refuseClient(options, form);
  if (refusal) return refusal;
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return redeemCode(options, form);
    case 'refresh_token':
      return rotate(options, form);
    case null:
      return refuseOAuth(options, 'invalid_request', 'grant_type is missing.');
    default:
      return refuseOAuth(options, 'unsupported_grant_type', 'This grant_type is not supported.');
  }
}

/** Revokes the grant of an access token. A success has no body. */
export async function revoke(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const form = await request.form();
  const refusal = refuseClient(options, form);
  if (refusal) return refusal;
  const token = await options.books.get<TokenRecord>('access', form.get('token') ?? '');
  const grant = token && (await options.books.get<Grant>('grant', token.grantId));
  if (!grant || grant.dead) return refuseOAuth(options, 'invalid_request', 'The token is missing or invalid.');
  await killGrant(options, token.grantId);
  return { status: 200 };
}

/** Creates a grant with its first token pair. @returns the body of the token endpoint */
export async function grantTokens(
  options: SimulatorOptions,
  openId: string,
  scopes: readonly string[],
): Promise<JsonObject> {
  const grantId = randomUUID();
  const pair = newPair(options);
  const grant: Grant = {
    openId,
    scopes: [...scopes],
    refreshToken: pair.refresh,
    refreshExpiresAt: pair.refreshExpiresAt,
    dead: false,
  };
  await options.books.put('grant', grantId, grant, openId);
  return issue(options, grantId, grant, pair);
}

/** Invalidates all access and refresh tokens of a grant. */
export async function killGrant(options: SimulatorOptions, grantId: string): Promise<void> {
  await options.books.change<Grant>('grant', grantId, (grant) => grant && { ...grant, dead: true });
}

async function redeemCode(options: SimulatorOptions, form: URLSearchParams): Promise<SimulatorAnswer> {
  const code = form.get('code');
  const redirectUri = form.get('redirect_uri');
  if (!code || !redirectUri) return refuseOAuth(options, 'invalid_request', 'code or redirect_uri is missing.');
  const found = await options.books.get<AuthCode>('code', code);
  if (!found || found.used || found.expiresAt <= options.now())
    return refuseOAuth(options, 'invalid_grant', 'Authorization code is invalid or expired.');
  if (found.redirectUri !== redirectUri)
    return refuseOAuth(options, 'invalid_request', 'redirect_uri differs from the one used for the code.');
  const verifier = form.get('code_verifier');
  if (found.challenge !== null && !fitsChallenge(verifier, found.challenge))
    return refuseOAuth(options, 'invalid_request', 'code_verifier is missing or does not fit.');
  // Of concurrent requests, only the first may use the code.
  let mine = false;
  await options.books.change<AuthCode>('code', code, (current) => {
    mine = current !== undefined && !current.used;
    return mine && current ? { ...current, used: true } : undefined;
  });
  if (!mine) return refuseOAuth(options, 'invalid_grant', 'Authorization code is invalid or expired.');
  return noStore(await grantTokens(options, found.openId, found.scopes));
}

/** The old refresh token becomes invalid as soon as the new one exists, even if the response is lost. */
async function rotate(options: SimulatorOptions, form: URLSearchParams): Promise<SimulatorAnswer> {
  const given = form.get('refresh_token');
  if (!given) return refuseOAuth(options, 'invalid_request', 'refresh_token is missing.');
  const known = await options.books.get<TokenRecord>('refresh', given);
  const pair = newPair(options);
  const grant =
    known &&
    (await options.books.change<Grant>('grant', known.grantId, (current) => {
      if (!current || current.dead || current.refreshToken !== given) return undefined;
      if (current.refreshExpiresAt <= options.now()) return undefined;
      return { ...current, refreshToken: pair.refresh, refreshExpiresAt: pair.refreshExpiresAt };
    }));
  if (!known || grant?.refreshToken !== pair.refresh)
    return refuseOAuth(options, 'invalid_grant', 'Refresh token is invalid or expired.');
  return noStore(await issue(options, known.grantId, grant, pair));
}

function noStore(body: JsonObject): SimulatorAnswer {
  return { status: 200, headers: { 'cache-control': 'no-store' }, body };
}

interface Pair {
  access: string;
  refresh: string;
  accessExpiresAt: number;
  refreshExpiresAt: number;
}

function newPair(options: SimulatorOptions): Pair {
  return {
    access: `act.${newSecret(32)}`,
    refresh: `rft.${newSecret(32)}`,
    accessExpiresAt: options.now() + ACCESS_SECONDS * 1000,
    refreshExpiresAt: options.now() + REFRESH_SECONDS * 1000,
  };
}

async function issue(options: SimulatorOptions, grantId: string, grant: Grant, pair: Pair): Promise<JsonObject> {
  const record = (expiresAt: number): TokenRecord => ({ grantId, expiresAt });
  await options.books.put('refresh', pair.refresh, record(pair.refreshExpiresAt), grantId);
  await options.books.put('access', pair.access, record(pair.accessExpiresAt), grantId);
  return {
    access_token: pair.access,
    expires_in: ACCESS_SECONDS,
    open_id: grant.openId,
    refresh_expires_in: REFRESH_SECONDS,
    refresh_token: pair.refresh,
    scope: grant.scopes.join(','),
    token_type: 'Bearer',
  };
}

function refuseClient(options: SimulatorOptions, form: URLSearchParams): SimulatorAnswer | null {
  const { clientId, clientSecret } = options.app;
  if (!form.get('client_key') || !form.get('client_secret'))
    return refuseOAuth(options, 'invalid_request', 'client_key or client_secret is missing.');
  const known = form.get('client_key') === clientId && form.get('client_secret') === clientSecret;
  return known ? null : refuseOAuth(options, 'invalid_client', 'client_key or client_secret is wrong.');
}

/** PKCE as in Login Kit for Desktop: hexadecimal instead of the standard's base64url. */
function fitsChallenge(verifier: string | null, challenge: string): boolean {
  if (!verifier || !/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) return false;
  return createHash('sha256').update(verifier).digest('hex') === challenge;
}
