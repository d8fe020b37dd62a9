/** The token and revocation endpoints for a confidential client, which authenticates with HTTP Basic. */
import { randomUUID } from 'node:crypto';
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { jsonObject, mediaType } from '../../http/parameters.ts';
import type { JsonObject } from '../../json.ts';
import { challengeOf, claimCode } from '../../oauth/codes.ts';
import { tokenResponse } from '../../oauth/tokens.ts';
import { Refused } from '../../refused.ts';
import { update } from '../../store/records.ts';
import { DAY } from '../../time.ts';
import { refuseOAuth } from './problems.ts';
import { type AuthCode, newSecret, type Token } from './records.ts';

const ACCESS_SECONDS = 7_200;
const REFRESH_MS = 180 * DAY;
/** RFC 7636 allows 128 characters; X's own SDK sends 171 by default. */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,256}$/;
const BAD_TOKEN = refuseOAuth(400, 'invalid_request', 'Value passed for the token was invalid.');
const BAD_CODE = refuseOAuth(400, 'invalid_request', 'Value passed for the authorization code was invalid.');

export async function exchange(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const form = await clientForm(options, request);
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return redeemCode(options, form);
    case 'refresh_token':
      return rotate(options, form);
    case null:
      return refuseOAuth(400, 'invalid_request', 'Missing required parameter [grant_type].');
    default:
      return refuseOAuth(400, 'unsupported_grant_type', 'Value passed for the grant_type was invalid.');
  }
}

/** Revokes a single token, either an access or a refresh token. */
export async function revoke(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const form = await clientForm(options, request);
  const given = form.get('token');
  if (!given) return refuseOAuth(400, 'invalid_request', 'Missing required parameter [token].');
  let found = false;
  for (const kind of ['access', 'refresh'])
    await options.store.change<Token>(kind, given, (token) => {
      found ||= token?.dead === false;
      return token && { ...token, dead: true };
    });
  return found ? { status: 200, body: { revoked: true } } : BAD_TOKEN;
}

/**
 * Creates a token pair, without a refresh token if `offline.access` is missing. @returns the body of the token endpoint
 */
export async function issueTokens(
  options: SimulatorOptions,
  accountId: string,
  scopes: readonly string[],
  grantId: string = randomUUID(),
): Promise<JsonObject> {
  const now = options.now();
  const token = { grantId, accountId, scopes: [...scopes], dead: false };
  const access = newSecret();
  await options.store.put<Token>('access', access, { ...token, expiresAt: now + ACCESS_SECONDS * 1000 }, grantId);
  const response = { token_type: 'bearer', expires_in: ACCESS_SECONDS, access_token: access, scope: scopes.join(' ') };
  if (!scopes.includes('offline.access')) return response;
  const refresh = newSecret();
  await options.store.put<Token>('refresh', refresh, { ...token, expiresAt: now + REFRESH_MS }, grantId);
  return { ...response, refresh_token: refresh };
}

/** Invalidates all tokens of a grant, as if the user had revoked the access. */
export async function endGrant(options: SimulatorOptions, grantId: string): Promise<void> {
  for (const kind of ['access', 'refresh'])
    for (const { key } of await options.store.list<Token>(kind, { owner: grantId, limit: 1_000 }))
      await update<Token>(options.store, [kind, key], { dead: true });
}

async function redeemCode(options: SimulatorOptions, form: URLSearchParams): Promise<SimulatorResponse> {
  for (const name of ['code', 'redirect_uri', 'code_verifier'])
    if (!form.get(name)) return refuseOAuth(400, 'invalid_request', `Missing required parameter [${name}].`);
  const code = form.get('code') ?? '';
  const found = await options.store.get<AuthCode>('code', code);
  if (!found || found.used || found.expiresAt <= options.now()) return BAD_CODE;
  if (found.redirectUri !== form.get('redirect_uri'))
    return refuseOAuth(400, 'invalid_request', 'Value passed for the redirect uri did not match the one of the code.');
  const verifier = form.get('code_verifier') ?? '';
  if (!VERIFIER.test(verifier) || found.challenge !== (found.method === 'plain' ? verifier : challengeOf(verifier)))
    return refuseOAuth(400, 'invalid_request', 'Value passed for the code verifier did not match the code challenge.');
  if (!(await claimCode(options.store, code))) return BAD_CODE;
  return tokenResponse(await issueTokens(options, found.accountId, found.scopes));
}

/** A refresh token works once, even if the response is lost. */
async function rotate(options: SimulatorOptions, form: URLSearchParams): Promise<SimulatorResponse> {
  const given = form.get('refresh_token');
  if (!given) return refuseOAuth(400, 'invalid_request', 'Missing required parameter [refresh_token].');
  let mine = false;
  const token = await options.store.change<Token>('refresh', given, (current) => {
    mine = current?.dead === false && (current.expiresAt ?? 0) > options.now();
    return mine && current ? { ...current, dead: true } : undefined;
  });
  if (!mine || !token) return BAD_TOKEN;
  return tokenResponse(await issueTokens(options, token.accountId, token.scopes, token.grantId));
}

/** Returns the parameters of an authenticated client, from a form or from JSON. @throws Refused */
async function clientForm({ app }: SimulatorOptions, request: SimulatorRequest): Promise<URLSearchParams> {
  const { clientId, clientSecret } = app;
  const [, basic = ''] = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const given = Buffer.from(basic, 'base64').toString();
  // RFC 6749 (2.3.1) encodes both as in a form; X's documentation does not.
  if (![given, formDecoded(given)].includes(`${clientId}:${clientSecret}`))
    throw new Refused(refuseOAuth(401, 'unauthorized_client', 'Missing valid authorization header'));
  // X documents the form alone, but applications that use twitter-api-v2 send JSON.
  const json = await jsonObject(request);
  if (json) return new URLSearchParams(json as Record<string, string>);
  if (mediaType(request) === 'application/x-www-form-urlencoded') return request.form();
  throw new Refused(refuseOAuth(400, 'invalid_request', 'The content type must be application/x-www-form-urlencoded.'));
}

/** Decodes a value of a form; "" if it is malformed. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return '';
  }
}
