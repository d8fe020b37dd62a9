import type { JsonObject, Tokens } from '../connectors/contract.ts';
import type { Failure } from '../connectors/kit/failure.ts';
import type { Sealer } from '../seal.ts';
import { type GrantRow, type GrantState, grantPurpose } from './grant-store.ts';
import type { Platforms } from './platforms.ts';

/** The secret of a grant; null where the key is another one than it was sealed with. */
export function openSecret(sealer: Sealer, grant: Pick<GrantRow, 'id' | 'sealed'>): JsonObject | null {
  try {
    return sealer.open<JsonObject>(grant.sealed, grantPurpose(grant.id));
  } catch {
    return null;
  }
}

/** Said instead of EXPIRED: with the right key the account works again. */
export const LOST_KEY: Failure = {
  kind: 'setup',
  detail: 'The access was sealed with another SECRET_KEY. Bring that key back, or connect the account again.',
};

/** A grant in the form that connectors know. */
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

/** A new secret, with the former refresh token where it has none of its own. */
export function keepRefreshToken(former: JsonObject | null, next: JsonObject): JsonObject {
  const { refreshToken } = former ?? {};
  return next.refreshToken || !refreshToken ? next : { ...next, refreshToken };
}
