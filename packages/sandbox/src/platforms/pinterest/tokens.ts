/** The token endpoint: Basic authentication of the application; a code or a refresh token in the form. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { claimValidCode } from '../../oauth/codes.ts';
import { addGrant, addToken, newSecret, rotateRefreshToken, type TokenRecord } from '../../oauth/tokens.ts';
import { Refused } from '../../refused.ts';
import { type AuthCode, type Grant, settingsOf } from './records.ts';
import { authenticationFailed, invalid, ok, refusal } from './responses.ts';

const ACCESS_SECONDS = 2_592_000;
const REFRESH_SECONDS = 5_184_000;

export async function exchange(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  if (!isClientHeader(options, request.headers.authorization)) throw new Refused(authenticationFailed());
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

/** Whether the credentials are those of the application, verbatim or form-encoded (RFC 6749, section 2.3.1). */
function isClientHeader({ app }: SimulatorOptions, header = ''): boolean {
  const credentials = Buffer.from(/^Basic (.+)$/.exec(header)?.[1] ?? '', 'base64').toString();
  const expected = `${app.clientId}:${app.clientSecret}`;
  return credentials === expected || formDecoded(credentials) === expected;
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return '';
  }
}

const invalidGrant = () => new Refused(refusal(401, 283, 'The authorization grant is invalid'));

async function redeemCode(options: SimulatorOptions, form: URLSearchParams): Promise<JsonObject> {
  const [code, redirectUri] = [form.get('code'), form.get('redirect_uri')];
  if (!code || !redirectUri) throw new Refused(invalid("'code' and 'redirect_uri' are required properties"));
  const found = await claimValidCode<AuthCode>(options, code, redirectUri);
  if (!found) throw invalidGrant();
  return grantTokens(options, found.accountId, found.scopes);
}

async function renew(options: SimulatorOptions, form: URLSearchParams): Promise<JsonObject> {
  const { continuous } = await settingsOf(options);
  const renewed = await rotateRefreshToken<Grant>(options.store, form.get('refresh_token') ?? '', (grant) => {
    if (grant.refreshExpiresAt <= options.now()) return undefined;
    return continuous ? { ...grant, ...newRefreshToken(options) } : grant;
  });
  if (!renewed) throw invalidGrant();
  const { grantId, grant } = renewed;
  await putRefreshToken(options, grantId, grant);
  const access = await newAccess(options, grantId, grant, 'refresh_token');
  return continuous ? { ...access, ...refreshPart(grant) } : access;
}

/** Creates a grant with its first pair of tokens. Returns the token endpoint's response. */
export async function grantTokens(
  options: SimulatorOptions,
  accountId: string,
  scopes: readonly string[],
): Promise<JsonObject> {
  const grant: Grant = { accountId, scopes: [...scopes], ...newRefreshToken(options), dead: false };
  const grantId = await addGrant(options.store, grant, accountId);
  await putRefreshToken(options, grantId, grant);
  return { ...(await newAccess(options, grantId, grant, 'authorization_code')), ...refreshPart(grant) };
}

function newRefreshToken({ now }: SimulatorOptions): Pick<Grant, 'refreshToken' | 'refreshExpiresAt'> {
  return { refreshToken: `pinr.${newSecret(48)}`, refreshExpiresAt: now() + REFRESH_SECONDS * 1000 };
}

async function putRefreshToken({ store }: SimulatorOptions, grantId: string, grant: Grant): Promise<void> {
  await store.put<TokenRecord>('refresh', grant.refreshToken, { grantId, expiresAt: grant.refreshExpiresAt });
}

async function newAccess(
  options: SimulatorOptions,
  grantId: string,
  grant: Grant,
  responseType: string,
): Promise<JsonObject> {
  const token = await addToken(options, 'access', `pina_${newSecret(48)}`, { grantId, seconds: ACCESS_SECONDS });
  const { scopeSeparator } = await settingsOf(options);
  return {
    access_token: token,
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
