/** Authorization codes, and tokens for an hour and for sixty days. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse, SimulatorStore } from '../../contract.ts';
import { ok } from '../../graph/responses.ts';
import { addCode, claimCode } from '../../oauth/codes.ts';
import { addGrant } from '../../oauth/tokens.ts';
import { update } from '../../store/records.ts';
import { DAY, HOUR, SECOND } from '../../time.ts';
import { liveToken, parametersOf } from './caller.ts';
import { type AuthCode, type Grant, newToken, type TokenRecord } from './records.ts';
import { refuse, refuseCode } from './responses.ts';

const LONG_SECONDS = 5_184_000;

/** `POST /oauth/access_token`: exchanges a code for a token valid for an hour. The profile id is a bare number. */
export async function redeemCode(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const parameters = await parametersOf(request);
  if (parameters.get('grant_type') !== 'authorization_code') refuseCode('Invalid grant_type');
  if (parameters.get('client_id') !== options.app.clientId) refuseCode('Invalid platform app');
  if (parameters.get('client_secret') !== options.app.clientSecret) refuseCode('Error validating client secret.');
  const code = parameters.get('code') ?? '';
  const found = await options.store.get<AuthCode>('code', code);
  if (!found || found.expiresAt <= options.now()) refuseCode('Invalid authorization code');
  if (found.redirectUri !== parameters.get('redirect_uri'))
    refuseCode('Error validating verification code. Please make sure your redirect_uri is identical.');
  if (!(await claimCode(options.store, code))) refuseCode('This authorization code has been used');
  const token = await issue(options, found.grantId, false);
  const grant = await options.store.get<Grant>('grant', found.grantId);
  const body = `{"access_token":${JSON.stringify(token)},"user_id":${grant?.profileId ?? 0}}`;
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body };
}

/** `GET /oauth/access_token`: issues a token of the application itself. */
export async function appToken(options: SimulatorOptions, { query }: SimulatorRequest): Promise<SimulatorResponse> {
  const { clientId, clientSecret } = options.app;
  if (query.get('grant_type') !== 'client_credentials') refuse({ code: 100, message: 'Unsupported grant_type' });
  if (query.get('client_id') !== clientId) refuse({ code: 101, message: 'Error validating application.' });
  if (query.get('client_secret') !== clientSecret) refuse({ code: 1, message: 'Error validating client secret.' });
  return ok({ access_token: `TH|${clientId}|${newToken()}`, token_type: 'bearer' });
}

/** `GET /access_token`: exchanges a token for an hour for one for sixty days. */
export async function lengthen(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const { query } = request;
  if (query.get('grant_type') !== 'th_exchange_token') refuse({ code: 100, message: 'Unsupported grant_type' });
  if (query.get('client_secret') !== options.app.clientSecret)
    refuse({ code: 1, message: 'Error validating client secret.' });
  const { record } = await liveToken(options, query.get('access_token') ?? '');
  if (record.long) refuse({ code: 190, message: 'Session key invalid. The token is long-lived already.' });
  return ok(await longToken(options, record.grantId));
}

/** `GET /refresh_access_token`: extends a token that is at least a day old by sixty days. */
export async function prolong(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const { query } = request;
  if (query.get('grant_type') !== 'th_refresh_token') refuse({ code: 100, message: 'Unsupported grant_type' });
  const { record, grant } = await liveToken(options, query.get('access_token') ?? '');
  if (!grant.scopes.includes('threads_basic'))
    refuse({ code: 10, message: 'Application does not have permission for this action' });
  if (!record.long || options.now() - record.issuedAt < DAY)
    refuse({ code: 100, message: 'The access token must be at least 24 hours old to be refreshed.' });
  return ok(await longToken(options, record.grantId));
}

/** Stores a grant. @returns its id */
export function makeGrant({ store }: SimulatorOptions, profileId: string, scopes: readonly string[]): Promise<string> {
  return addGrant<Grant>(store, { profileId, scopes: [...scopes], dead: null }, profileId);
}

/** Creates a code for a grant. */
export function makeCode(options: SimulatorOptions, grantId: string, redirectUri: string): Promise<string> {
  return addCode<AuthCode>(options, `AQB${newToken().slice(2)}`, HOUR, { grantId, redirectUri });
}

/** The response body with a token for sixty days. */
export async function longToken(options: SimulatorOptions, grantId: string) {
  return { access_token: await issue(options, grantId, true), token_type: 'bearer', expires_in: LONG_SECONDS };
}

async function issue(options: SimulatorOptions, grantId: string, long: boolean): Promise<string> {
  const token = newToken();
  const issuedAt = options.now();
  const expiresAt = issuedAt + (long ? LONG_SECONDS * SECOND : HOUR);
  await options.store.put<TokenRecord>('token', token, { grantId, long, issuedAt, expiresAt }, grantId);
  return token;
}

/** Invalidates all tokens of a grant. */
export async function killGrant({ store }: { store: SimulatorStore }, grantId: string, subcode: number): Promise<void> {
  await update<Grant>(store, ['grant', grantId], { dead: subcode });
}
