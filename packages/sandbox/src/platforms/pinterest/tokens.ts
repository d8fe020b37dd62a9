/** The token endpoint: Basic authentication of the application; a code or a refresh token in the form. */
import { randomUUID } from 'node:crypto';
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { authenticationFailed, invalid, ok, Refused, refusal } from './answers.ts';
import { type AuthCode, type Grant, newSecret, settingsOf, type TokenRecord } from './records.ts';

const ACCESS_SECONDS = 2_592_000;
const REFRESH_SECONDS = 5_184_000;

export async function exchange(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const { clientId, clientSecret } = options.app;
  const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  if (request.headers.authorization !== expected) throw new Refused(authenticationFailed());
  const form = await request.form();
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return ok(await redeemCode(options, form));
    case 'refresh_token':
      return ok(await renew(options, form));
    default:
      throw new Refused(invalid(`'${form.get('grant_type') ?? ''}' is not one of the known grant types.`));
  }
}

const invalidGrant = () => new Refused(refusal(401, 283, 'The authorization grant is invalid'));

async function redeemCode(options: SimulatorOptions, form: URLSearchParams): Promise<JsonObject> {
  const [code, redirectUri] = [form.get('code'), form.get('redirect_uri')];
  if (!code || !redirectUri) throw new Refused(invalid("'code' and 'redirect_uri' are required properties"));
  let mine: AuthCode | undefined;
  // The first request to mark the code uses it.
  await options.books.change<AuthCode>('code', code, (current) => {
    const usable = current && !current.used && current.expiresAt > options.now();
    mine = usable && current.redirectUri === redirectUri ? current : undefined;
    return mine && { ...mine, used: true };
  });
  if (!mine) throw invalidGrant();
  return grantTokens(options, mine.accountId, mine.scopes);
}

async function renew(options: SimulatorOptions, form: URLSearchParams): Promise<JsonObject> {
  const given = form.get('refresh_token') ?? '';
  const known = await options.books.get<TokenRecord>('refresh', given);
  if (!known) throw invalidGrant();
  const { continuous } = await settingsOf(options);
  const refresh = continuous ? `pinr.${newSecret(48)}` : given;
  const grant = await options.books.change<Grant>('grant', known.grantId, (current) => {
    if (!current || current.dead || current.refreshToken !== given) return undefined;
    if (current.refreshExpiresAt <= options.now()) return undefined;
    const refreshExpiresAt = continuous ? options.now() + REFRESH_SECONDS * 1000 : current.refreshExpiresAt;
    return { ...current, refreshToken: refresh, refreshExpiresAt };
  });
  if (grant?.refreshToken !== refresh || grant.dead || grant.refreshExpiresAt <= options.now()) throw invalidGrant();
  await options.books.put<TokenRecord>('refresh', refresh, {
    grantId: known.grantId,
    expiresAt: grant.refreshExpiresAt,
  });
  const access = await newAccess(options, known.grantId, grant, 'refresh_token');
  return continuous ? { ...access, ...refreshPart(grant) } : access;
}

/** Creates a grant with its first pair of tokens. Returns the token endpoint's response. */
export async function grantTokens(
  options: SimulatorOptions,
  accountId: string,
  scopes: readonly string[],
): Promise<JsonObject> {
  const grantId = randomUUID();
  const grant: Grant = {
    accountId,
    scopes: [...scopes],
    refreshToken: `pinr.${newSecret(48)}`,
    refreshExpiresAt: options.now() + REFRESH_SECONDS * 1000,
    dead: false,
  };
  await options.books.put('grant', grantId, grant, accountId);
  await options.books.put<TokenRecord>('refresh', grant.refreshToken, { grantId, expiresAt: grant.refreshExpiresAt });
  return { ...(await newAccess(options, grantId, grant, 'authorization_code')), ...refreshPart(grant) };
}

/** Invalidates all tokens of a grant. */
export async function killGrant(options: SimulatorOptions, grantId: string): Promise<void> {
  await options.books.change<Grant>('grant', grantId, (grant) => grant && { ...grant, dead: true });
}

async function newAccess(
  options: SimulatorOptions,
  grantId: string,
  grant: Grant,
  responseType: string,
): Promise<JsonObject> {
  const access = `pina_${newSecret(48)}`;
  const expiresAt = options.now() + ACCESS_SECONDS * 1000;
  await options.books.put<TokenRecord>('access', access, { grantId, expiresAt }, grantId);
  const { scopeSeparator } = await settingsOf(options);
  return {
    access_token: access,
    token_type: 'bearer',
    expires_in: ACCESS_SECONDS,
    scope: grant.scopes.join(scopeSeparator),
    response_type: responseType,
  };
}

function refreshPart({ refreshToken, refreshExpiresAt }: Grant): JsonObject {
  return {
    refresh_token: refreshToken,
    refresh_token_expires_in: REFRESH_SECONDS,
    refresh_token_expires_at: Math.floor(refreshExpiresAt / 1000),
  };
}
