/**
 * Codes, short-lived and long-lived tokens of both logins, and refreshing. There are no refresh tokens: a long-lived
 * token refreshes itself.
 */
import type { SimulatorOptions, SimulatorStore } from '../../contract.ts';
import { parametersOf } from '../../graph/parameters.ts';
import { codeError } from '../../graph/responses.ts';
import type { Handler } from '../../http/routes.ts';
import type { JsonObject } from '../../json.ts';
import { claimCode } from '../../oauth/codes.ts';
import { addGrant, isClient, newPlainSecret, tokenResponse } from '../../oauth/tokens.ts';
import { update } from '../../store/records.ts';
import { DAY, HOUR, SECOND } from '../../time.ts';
import { tokenFor } from './caller.ts';
import { type AuthCode, type Grant, type Login, settingsOf, type TokenRecord, VERSIONS } from './records.ts';
import { refuse } from './responses.ts';

const SHORT_MS: Record<Login, number> = { instagram: HOUR, facebook: 5_100 * SECOND };
const LONG_SECONDS = 5_183_944;

/**
 * `POST api.instagram.com/oauth/access_token`: exchanges a code for a short-lived token. The response is flat or
 * wrapped, with a bare 64-bit id.
 */
export const exchangeInstagram: Handler = async (options, request) => {
  const form = await request.form();
  if (!isClient(options, form)) return codeError('Invalid platform app');
  if (form.get('grant_type') !== 'authorization_code') return codeError('Invalid grant_type');
  const redeemed = await redeem(options, form.get('code') ?? '', form.get('redirect_uri') ?? '', 'instagram');
  if (typeof redeemed === 'string') return codeError(REDEEMED[redeemed].message);
  const token = await issue(options, await newGrant(options.store, redeemed), 'instagram', 'short');
  const { wrapped } = await settingsOf(options);
  const [igId = ''] = redeemed.igIds;
  const permissions = redeemed.scopes.join(',');
  if (wrapped) return tokenResponse({ data: [{ access_token: token, user_id: igId, permissions }] });
  const body = `{"access_token":${JSON.stringify(token)},"user_id":${igId},"permissions":${JSON.stringify(permissions)}}`;
  return { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' }, body };
};

/** `GET graph.instagram.com/access_token`: exchanges a short-lived token for a long-lived one. */
export const lengthen: Handler = async (options, request) => {
  const parameters = await parametersOf(request);
  if (parameters.get('grant_type') !== 'ig_exchange_token') return refuse('100', 'Invalid grant_type.');
  if (parameters.get('client_secret') !== options.app.clientSecret) return refuse('101', 'Invalid client_secret.');
  const { record } = await tokenFor(options, parameters.get('access_token') ?? '', 'instagram');
  if (record.life !== 'short') return refuse('452', 'The token is a long-lived one already.');
  return tokenResponse(await longTokens(options, record.grantId, 'instagram'));
};

/** `GET graph.instagram.com/refresh_access_token`: requires a valid token that is at least a day old. */
export const renew: Handler = async (options, request) => {
  const parameters = await parametersOf(request);
  if (parameters.get('grant_type') !== 'ig_refresh_token') return refuse('100', 'Invalid grant_type.');
  const { record, grant } = await tokenFor(options, parameters.get('access_token') ?? '', 'instagram');
  if (record.life !== 'long') return refuse('100', 'Only long-lived tokens are refreshed.');
  if (!grant.scopes.includes('instagram_business_basic')) return refuse('10', 'instagram_business_basic is missing.');
  if (options.now() - record.issuedAt < DAY) return refuse('100', 'The token is younger than 24 hours.');
  const tokens = await longTokens(options, record.grantId, 'instagram');
  return tokenResponse({ ...tokens, permissions: grant.scopes.join(',') });
};

/**
 * `graph.facebook.com/vN/oauth/access_token`: exchanges a code for a short-lived token, or a user token for a
 * long-lived one.
 */
export const exchangeFacebook: Handler = async (options, request) => {
  if (!VERSIONS.includes(request.params.version ?? '')) return refuse('2635', 'This version is not available.');
  const parameters = await parametersOf(request);
  const { clientId, clientSecret } = options.app;
  if (parameters.get('client_id') !== clientId) return refuse('101', 'Error validating application.');
  if (parameters.get('client_secret') !== clientSecret) return refuse('1', 'Error validating client secret.');
  if (parameters.get('grant_type') === 'client_credentials')
    return tokenResponse({ access_token: `${clientId}|${newPlainSecret(20)}`, token_type: 'bearer' });
  if (parameters.get('grant_type') === 'fb_exchange_token') {
    const { record } = await tokenFor(options, parameters.get('fb_exchange_token') ?? '', 'facebook');
    if (record.life === 'page') return refuse('100', 'A Page token is not exchanged.');
    return tokenResponse(await longTokens(options, record.grantId, 'facebook'));
  }
  const code = parameters.get('code') ?? '';
  const redeemed = await redeem(options, code, parameters.get('redirect_uri') ?? '', 'facebook');
  if (typeof redeemed === 'string') return refuse(REDEEMED[redeemed].facebook, REDEEMED[redeemed].message);
  const token = await issue(options, await newGrant(options.store, redeemed), 'facebook', 'short');
  return tokenResponse({ access_token: token, token_type: 'bearer', expires_in: SHORT_MS.facebook / SECOND });
};

/** The result of a complete consent: the response body with the long-lived token. */
export async function grantTokens(options: SimulatorOptions, grant: NewGrant): Promise<JsonObject> {
  return longTokens(options, await newGrant(options.store, grant), grant.login);
}

/** Issues a token of the account's Page, which never expires. */
export function pageToken(options: SimulatorOptions, grantId: string, igId: string): Promise<string> {
  return issue(options, grantId, 'facebook', 'page', igId);
}

/** Invalidates all tokens of a grant. */
export async function killGrant(options: SimulatorOptions, grantId: string, subcode: Grant['dead']): Promise<void> {
  await update<Grant>(options.store, ['grant', grantId], { dead: subcode });
}

type Unredeemed = 'unknown' | 'used' | 'expired' | 'redirect';
const REDEEMED: Record<Unredeemed, { message: string; facebook: string }> = {
  unknown: { message: 'Invalid authorization code', facebook: '100' },
  used: { message: 'This authorization code has been used', facebook: '100/36009' },
  expired: { message: 'This authorization code has expired', facebook: '100/36007' },
  redirect: { message: 'Error validating verification code: redirect_uri is not identical', facebook: '100/36008' },
};

async function redeem(
  options: SimulatorOptions,
  code: string,
  redirectUri: string,
  login: Login,
): Promise<AuthCode | Unredeemed> {
  const found = await options.store.get<AuthCode>('code', code);
  if (found?.login !== login) return 'unknown';
  if (found.used) return 'used';
  if (found.expiresAt <= options.now()) return 'expired';
  if (found.redirectUri !== redirectUri) return 'redirect';
  return (await claimCode<AuthCode>(options.store, code)) ?? 'used';
}

type NewGrant = Omit<Grant, 'dead'>;

function newGrant(store: SimulatorStore, { login, person, igIds, scopes, declined }: NewGrant): Promise<string> {
  return addGrant<Grant>(store, { login, person, igIds, scopes, declined, dead: null }, person);
}

async function longTokens(options: SimulatorOptions, grantId: string, login: Login): Promise<JsonObject> {
  const token = await issue(options, grantId, login, 'long');
  return { access_token: token, token_type: 'bearer', expires_in: LONG_SECONDS };
}

async function issue(
  options: SimulatorOptions,
  grantId: string,
  login: Login,
  life: TokenRecord['life'],
  igId: string | null = null,
): Promise<string> {
  const head = login === 'facebook' ? 'EAA' : life === 'short' ? 'IGQ' : 'IGAA';
  const token = `${head}${newPlainSecret(36)}`;
  const now = options.now();
  const lifeMs = life === 'short' ? SHORT_MS[login] : LONG_SECONDS * SECOND;
  const record: TokenRecord = { grantId, life, igId, issuedAt: now, expiresAt: life === 'page' ? null : now + lifeMs };
  await options.store.put('token', token, record, grantId);
  return token;
}
