/** Authorization codes, short-lived and long-lived login tokens, and Page tokens. */
import type { SimulatorOptions, SimulatorResponse, SimulatorStore } from '../../contract.ts';
import { type Parameters, parametersOf } from '../../graph/parameters.ts';
import { ok } from '../../graph/responses.ts';
import type { Handler } from '../../http/routes.ts';
import { addCode, claimCode } from '../../oauth/codes.ts';
import { addGrant } from '../../oauth/tokens.ts';
import { update } from '../../store/records.ts';
import { MINUTE, SECOND } from '../../time.ts';
import { liveToken } from './caller.ts';
import { type AuthCode, type Grant, newToken, type TokenRecord } from './records.ts';
import { refuse } from './responses.ts';

const SHORT_SECONDS = 5_100;
const LONG_SECONDS = 5_183_944;

/**
 * `GET` or `POST /oauth/access_token`: exchanges a code for a short-lived token, or a login token for a long-lived one;
 * issues a token of the application itself.
 */
export const accessToken: Handler = async (options, request) => {
  const parameters = await parametersOf(request);
  if (parameters.get('client_id') !== options.app.clientId)
    refuse({ code: 101, message: 'Error validating application. Cannot get application info due to a system error.' });
  if (parameters.get('client_secret') !== options.app.clientSecret)
    refuse({ code: 1, message: 'Error validating client secret.' });
  if (parameters.get('grant_type') === 'client_credentials')
    return ok({ access_token: `${options.app.clientId}|${newToken()}`, token_type: 'bearer' });
  if (parameters.get('grant_type') === 'fb_exchange_token') return exchangeToken(options, parameters);
  const code = parameters.get('code') ?? '';
  if (!code) refuse({ code: 100, message: 'Missing authorization code' });
  return redeem(options, code, parameters.get('redirect_uri'));
};

async function redeem(options: SimulatorOptions, code: string, redirectUri: string | undefined) {
  const found = await options.store.get<AuthCode>('code', code);
  if (!found) refuse({ code: 100, message: 'Invalid verification code format.' });
  if (found.expiresAt <= options.now())
    refuse({ code: 100, subcode: 36_007, message: 'This authorization code has expired.' });
  if (found.redirectUri !== redirectUri)
    refuse({
      code: 100,
      subcode: 36_008,
      message:
        'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
    });
  if (!(await claimCode(options.store, code)))
    refuse({ code: 100, subcode: 36_009, message: 'This authorization code has been used.' });
  return ok(await loginToken(options, found.grantId, false));
}

async function exchangeToken(options: SimulatorOptions, parameters: Parameters): Promise<SimulatorResponse> {
  const { record } = await liveToken(options, parameters.get('fb_exchange_token') ?? '');
  if (record.pageId) refuse({ code: 190, message: 'Invalid OAuth access token - Cannot parse access token' });
  return ok(await longToken(options, record.grantId));
}

/** Stores a grant. @returns its id */
export function makeGrant({ store }: SimulatorOptions, given: Omit<Grant, 'dead'>): Promise<string> {
  return addGrant<Grant>(store, { ...given, dead: null }, given.userId);
}

/** Creates a code for a grant, valid for ten minutes. */
export function makeCode(options: SimulatorOptions, grantId: string, redirectUri: string): Promise<string> {
  return addCode<AuthCode>(options, `AQ${newToken().slice(3)}`, 10 * MINUTE, { grantId, redirectUri });
}

/** The response body with a token for sixty days. */
export function longToken(options: SimulatorOptions, grantId: string) {
  return loginToken(options, grantId, true);
}

async function loginToken(options: SimulatorOptions, grantId: string, long: boolean) {
  const seconds = long ? LONG_SECONDS : SHORT_SECONDS;
  const token = newToken();
  const expiresAt = options.now() + seconds * SECOND;
  await options.store.put<TokenRecord>('token', token, { grantId, pageId: null, long, expiresAt });
  return { access_token: token, token_type: 'bearer', expires_in: seconds };
}

/** Returns a Page's token, the same one each time. With a long-lived login token it does not expire. */
export async function pageToken(
  options: SimulatorOptions,
  { grantId, long, expiresAt }: TokenRecord,
  pageId: string,
): Promise<string> {
  const key = `${grantId} ${pageId} ${long}`;
  await options.store.insert('pageToken', key, newToken());
  const token = (await options.store.get<string>('pageToken', key)) ?? '';
  const record: TokenRecord = { grantId, pageId, long, expiresAt: long ? null : expiresAt };
  await options.store.insert('token', token, record);
  return token;
}

/** Invalidates all tokens of a grant. */
export async function killGrant({ store }: { store: SimulatorStore }, grantId: string, subcode = 458): Promise<void> {
  const message = 'Error validating access token: The user has not authorized the application.';
  await update<Grant>(store, ['grant', grantId], { dead: { subcode, message } });
}
