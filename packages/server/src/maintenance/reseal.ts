/** Re-encrypts sealed values with the current key after SECRET_KEY was changed. */
import { renewedPairFiles } from '../accounts/tokens/renewed-tokens.ts';
import type { Database } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { evidenceFiles, evidenceFolder } from '../publishing/evidence.ts';

/** A column of sealed values. Purposes must match those of its writers. */
interface Sealed {
  what: string;
  table: string;
  column: string;
  /** SQL expression that identifies and orders rows. */
  key: string;
  /** A value that precedes all keys. */
  first: string;
  purpose(key: string): string;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const byId = (what: string, table: string, column: string, name: string): Sealed => ({
  what,
  table,
  column,
  key: 'id',
  first: FIRST_ID,
  purpose: (id) => `${name} ${id}`,
});

const SEALED: readonly Sealed[] = [
  byId('access grants', 'access_grant', 'sealed', 'grant'),
  byId('posts in progress', 'target', 'checkpoint', 'checkpoint'),
  byId('consents in progress', 'consent', 'kept', 'consent'),
  byId('addresses for notifications', 'notification_channel', 'sealed', 'channel'),
  {
    what: 'applications',
    table: 'platform_app',
    column: 'sealed',
    key: "(platform || ' ' || service)",
    first: '',
    purpose: (key) => (key === ' client-key' ? 'client key' : `app ${key}`),
  },
];

/** Rows per batch. */
const BATCH = 500;

export interface Resealed {
  what: string;
  /** Opened with an earlier key, and sealed with the current one. */
  renewed: number;
  /** No key opens it. */
  lost: number;
}

/**
 * Reseals all values in the database and the data folder. Safe to run beside the service, and to repeat after an
 * interruption.
 */
export async function reseal(db: Database, sealer: Sealer, dataDir: string): Promise<Resealed[]> {
  const done: Resealed[] = [];
  for (const each of SEALED) done.push(await resealColumn(db, sealer, each));
  done.push({ what: 'evidence files', ...(await evidenceFiles(evidenceFolder(dataDir), sealer).reseal()) });
  done.push({ what: 'refreshed tokens', ...(await renewedPairFiles(dataDir, sealer).reseal()) });
  return done;
}

async function resealColumn(db: Database, sealer: Sealer, each: Sealed): Promise<Resealed> {
  const { what, table, column, key, purpose } = each;
  const counted: Resealed = { what, renewed: 0, lost: 0 };
  for (let after = each.first; ; ) {
    const rows = await db.query<{ key: string; sealed: Buffer }>(
      `select ${key} as key, ${column} as sealed from ${table}
       where ${column} is not null and ${key} > $1 order by ${key} limit ${BATCH}`,
      [after],
    );
    for (const row of rows) {
      const next = renewed(sealer, row.sealed, purpose(row.key));
      if (next === 'current') continue;
      if (next === null) counted.lost++;
      // If the value changed meanwhile, its writer has sealed it with the current key.
      else
        counted.renewed += await db.execute(`update ${table} set ${column} = $3 where ${key} = $1 and ${column} = $2`, [
          row.key,
          row.sealed,
          next,
        ]);
    }
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return counted;
    after = last.key;
  }
}

/** Returns the value sealed with the current key; null when no key opens it. */
function renewed(sealer: Sealer, sealed: Buffer, purpose: string): Buffer | 'current' | null {
  if (sealer.isCurrent(sealed, purpose)) return 'current';
  try {
    return sealer.seal(sealer.open(sealed, purpose), purpose);
  } catch {
    return null;
  }
}
