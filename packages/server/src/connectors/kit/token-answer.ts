/** The answer of a token endpoint (RFC 6749, 5.1), as most platforms write it. */
import type { Json, JsonObject, Tokens } from '../contract.ts';
import { PlatformError } from './failure.ts';
import { numberAt, textAt } from './json.ts';

export interface TokenAnswerRules {
  /** The platform's name, for the sentence about an answer without a token. */
  name: string;
  /** Life of an access token where the answer does not say, seconds. */
  lifeSeconds: number;
  /** Name of the field that says how long the refresh token lives, in seconds; absent: no answer says it. */
  refreshLife?: string;
}

/** The answer as an object where it has an access token; null where it has none. */
export function tokenAnswer(body: Json): JsonObject | null {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return null;
  return textAt(body, 'access_token') ? body : null;
}

/**
 * Access token, refresh token, lives and scopes of an answer. Scopes are parted by spaces or commas; none where none are
 * named. A life is handed on as it was stated, and an access token's that is no number as NaN: the service refuses to
 * connect with a life that makes no sense, but keeps a pair that was renewed, because the former one may be dead.
 * @throws PlatformError `transient` where there is no access token
 */
export function readTokenAnswer(answer: JsonObject, { name, lifeSeconds, refreshLife }: TokenAnswerRules): Tokens {
  const accessToken = textAt(answer, 'access_token');
  if (!accessToken) throw new PlatformError({ kind: 'transient', detail: `${name} gave no token.` });
  const refreshToken = textAt(answer, 'refresh_token');
  return {
    secret: { accessToken, ...(refreshToken ? { refreshToken } : {}) },
    scopes: textAt(answer, 'scope')
      .split(/[\s,]+/)
      .filter(Boolean),
    expiresIn: says(answer.expires_in) ? (numberAt(answer, 'expires_in') ?? Number.NaN) : lifeSeconds,
    refreshExpiresIn: refreshLife === undefined ? null : numberAt(answer, refreshLife),
    service: '',
  };
}

function says(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}
