import type { JsonObject, Tokens } from '../connectors/contract.ts';
import type { Failure } from '../connectors/kit/failure.ts';
import type { Sealer } from '../seal.ts';
import { type GrantRow, type GrantState, grantPurpose } from './grant-store.ts';
import type { Platforms } from './platforms.ts';

/** Decrypts a grant's secret; null if it was encrypted with a different key. */
export function openSecret(sealer: Sealer, grant: Pick<GrantRow, 'id' | 'sealed'>): JsonObject | null {
  try {
    return sealer.open<JsonObject>(grant.sealed, grantPurpose(grant.id));
  } catch {
    return null;
  }
}

/** Used instead of EXPIRED, because the account works again once the right key is back. */
export const LOST_KEY: Failure = {
  kind: 'setup',
  detail: 'The access was sealed with another SECRET_KEY. Bring that key back, or connect the account again.',
};

/** Converts a grant to the form that connectors use. */
export function tokensOf(platforms: Pick<Platforms, 'service'>, grant: GrantState, secret: JsonObject): Tokens {
  const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);
  return {
    secret,
    scopes: grant.scopes,
    expiresIn: seconds(grant.lifeMs),
    refreshExpiresIn: seconds(grant.refreshLifeMs),
    service: platforms.service(grant),
  };
}

/** Returns the new secret. If it has no refresh token, the previous one is carried over. */
export function keepRefreshToken(former: JsonObject | null, next: JsonObject): JsonObject {
  const { refreshToken } = former ?? {};
  return next.refreshToken || !refreshToken ? next : { ...next, refreshToken };
}
