/** The sealed secrets of grants: opens them, and finds those that no key opens. */
import type { JsonObject, Tokens } from '../../connectors/contract.ts';
import type { Queryable } from '../../db/database.ts';
import type { Sealer } from '../../lib/encryption/seal.ts';
import { say } from '../../messages/timeline.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import type { Platforms } from '../apps/platforms.ts';

/** Encryption context of a grant's secret: it cannot be decrypted as another grant's. */
export function grantPurpose(id: string): string {
  return `grant ${id}`;
}

/** Decrypts a grant's secret; null if it was encrypted with a different key. */
export function openSecret(sealer: Sealer, grant: { id: string; sealed: Buffer }): JsonObject | null {
  try {
    return sealer.open<JsonObject>(grant.sealed, grantPurpose(grant.id));
  } catch {
    return null;
  }
}

/** Returns whether {@link openSecret} would return the secret. Cheaper when asked again. */
export function opensSecret(sealer: Sealer, grant: { id: string; sealed: Buffer }): boolean {
  return sealer.opens(grant.sealed, grantPurpose(grant.id));
}

/** Used instead of EXPIRED, because the account works again once the right key is back. */
export const LOST_KEY: Failure = {
  kind: 'setup',
  detail: say('access_undecryptable'),
};

/** The fields of a grant that tokens are built from; lifetimes in ms from now. */
interface TokenGrant {
  platform: string;
  sandbox: boolean;
  service: string;
  scopes: string[];
  lifeMs: number | null;
  refreshLifeMs: number | null;
}

/** Converts a grant to the form that connectors use. */
export function tokensOf(platforms: Pick<Platforms, 'service'>, grant: TokenGrant, secret: JsonObject): Tokens {
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
export function withPreviousRefreshToken(former: JsonObject | null, next: JsonObject): JsonObject {
  const { refreshToken } = former ?? {};
  return next.refreshToken || !refreshToken ? next : { ...next, refreshToken };
}

interface SealedGrant {
  id: string;
  sealed: Buffer;
  accounts: number;
}

/** Grants per query. */
const BATCH = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Counts connected accounts, and those whose tokens no key decrypts. Indexes: primary key, account_grant. */
export async function countLostKeys(db: Queryable, sealer: Sealer): Promise<{ accounts: number; lost: number }> {
  const counted = { accounts: 0, lost: 0 };
  for (let after = FIRST_ID; ; ) {
    const grants = await db.query<SealedGrant>(
      `select g.id, g.sealed, n.accounts from access_grant g, lateral (
         select count(*)::integer as accounts from account a where a.grant_id = g.id and a.status = 'CONNECTED') n
       where g.id > $1 and n.accounts > 0 order by g.id limit ${BATCH}`,
      [after],
    );
    for (const grant of grants) {
      counted.accounts += grant.accounts;
      if (!openSecret(sealer, grant)) counted.lost += grant.accounts;
    }
    const last = grants.at(-1);
    if (!last || grants.length < BATCH) return counted;
    after = last.id;
  }
}

/** Returns the ids of the given grants that no key decrypts. Index: primary key. */
export async function lostGrants(db: Queryable, sealer: Sealer, ids: readonly string[]): Promise<Set<string>> {
  const grants = await db.query<SealedGrant>('select id, sealed from access_grant where id = any($1::uuid[])', [ids]);
  return new Set(grants.filter((grant) => !opensSecret(sealer, grant)).map(({ id }) => id));
}
