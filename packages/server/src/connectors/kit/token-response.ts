/** Parser for token endpoint responses (RFC 6749, 5.1), in the form that most platforms use. */
import { sayOf } from '../../messages/timeline.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Json, JsonObject, Tokens } from '../contract.ts';
import { transient } from './failures.ts';
import { numberAt, textAt } from './json.ts';

export interface TokenResponseRules {
  /** The platform's name, for error messages. */
  name: string;
  /** Lifetime of an access token in seconds if the response gives none. */
  lifeSeconds: number;
  /** Name of the field with the refresh token's lifetime in seconds. Absent: the platform never gives one. */
  refreshLife?: string;
}

/** Returns the response if it has an access token; else null. */
export function tokenResponse(body: Json): JsonObject | null {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return null;
  return textAt(body, 'access_token') ? body : null;
}

/** Returns the access token. @throws PlatformError `transient` if it is missing */
export function accessTokenIn(response: JsonObject, name: string): string {
  const accessToken = textAt(response, 'access_token');
  if (!accessToken) throw new PlatformError(transient(sayOf(name)('token_missing')));
  return accessToken;
}

/**
 * Reads access token, refresh token, lifetimes, and scopes. Scopes are separated by spaces or commas; an absent field
 * means no scopes. Lifetimes are passed on unchecked, and an access token's lifetime that is not a number becomes NaN.
 * The service refuses to connect with an invalid lifetime. It keeps a refreshed pair anyway, because the previous pair
 * may be invalid already.
 * @throws PlatformError `transient` if there is no access token
 */
export function readTokenResponse(
  response: JsonObject,
  { name, lifeSeconds, refreshLife }: TokenResponseRules,
): Tokens {
  const accessToken = accessTokenIn(response, name);
  const refreshToken = textAt(response, 'refresh_token');
  return {
    secret: { accessToken, ...(refreshToken ? { refreshToken } : {}) },
    scopes: textAt(response, 'scope')
      .split(/[\s,]+/)
      .filter(Boolean),
    expiresIn: says(response.expires_in) ? (numberAt(response, 'expires_in') ?? Number.NaN) : lifeSeconds,
    refreshExpiresIn: refreshLife === undefined ? null : numberAt(response, refreshLife),
    service: '',
  };
}

function says(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}
