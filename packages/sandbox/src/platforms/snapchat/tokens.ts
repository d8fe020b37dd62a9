/** The token endpoint: application credentials and a code or a refresh token, all in a form. */
import { randomUUID } from 'node:crypto';
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { Refused } from './answers.ts';
import { type AuthCode, type Grant, newSecret, settingsOf, type TokenRecord } from './records.ts';

const ACCESS_SECONDS = 3_600;

export async function exchange(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const form = await request.form();
  const { clientId, clientSecret } = options.app;
  if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret)
    throw refuse('invalid_client', 'The client is not known.', 401);
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
  let mine: AuthCode | undefined;
  // The first request to mark the code uses it.
  await options.books.change<AuthCode>('code', code, (current) => {
    const usable = current && !current.used && current.expiresAt > options.now();
    mine = usable && current.redirectUri === redirectUri ? current : undefined;
    return mine && { ...mine, used: true };
  });
  if (!mine) throw refuse('invalid_grant', 'The code is not valid.');
  return grantTokens(options, mine.profileId, mine.scopes);
}

async function renew(options: SimulatorOptions, form: URLSearchParams): Promise<JsonObject> {
  const given = form.get('refresh_token') ?? '';
  const known = await options.books.get<TokenRecord>('refresh', given);
  const { rotates } = await settingsOf(options);
  const refresh = rotates ? newSecret(40) : given;
  const grant =
    known &&
    (await options.books.change<Grant>('grant', known.grantId, (current) =>
      current && !current.dead && current.refreshToken === given ? { ...current, refreshToken: refresh } : undefined,
    ));
  if (!known || !grant || grant.dead || grant.refreshToken !== refresh)
    throw refuse('invalid_grant', 'The refresh token is not valid.');
  const answer = await issue(options, known.grantId, grant);
  return rotates ? { ...answer, refresh_token: refresh } : answer;
}

/** Creates a grant with its first pair of tokens. Returns the token endpoint's response. */
export async function grantTokens(
  options: SimulatorOptions,
  profileId: string,
  scopes: readonly string[],
): Promise<JsonObject> {
  const grantId = randomUUID();
  const grant: Grant = { profileId, scopes: [...scopes], refreshToken: newSecret(40), dead: false };
  await options.books.put('grant', grantId, grant, profileId);
  return { ...(await issue(options, grantId, grant)), refresh_token: grant.refreshToken };
}

/** Invalidates all tokens of a grant. */
export async function killGrant(options: SimulatorOptions, grantId: string): Promise<void> {
  await options.books.change<Grant>('grant', grantId, (grant) => grant && { ...grant, dead: true });
}

async function issue(options: SimulatorOptions, grantId: string, grant: Grant): Promise<JsonObject> {
  const access = newSecret(40);
  const expiresAt = options.now() + ACCESS_SECONDS * 1000;
  await options.books.put<TokenRecord>('access', access, { grantId, expiresAt }, grantId);
  await options.books.put<TokenRecord>('refresh', grant.refreshToken, { grantId, expiresAt: 0 }, grantId);
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: ACCESS_SECONDS,
    scope: grant.scopes.join(' '),
  };
}
