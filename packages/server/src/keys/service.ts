import { batchById } from '../db/batch-by-id.ts';
import type { Queryable } from '../db/database.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { hashKey, makeKey, shownPart } from './format.ts';
import { deactivate, findKey, findOwners, type KeyOwner, replaceKey } from './key-store.ts';

export interface KeyInformation {
  keyPrefix: string;
  isActive: boolean;
  lastUsedAt: string | null;
  createdAt: string;
}

/** Creates the user's key. A previous key is invalid as soon as this returns. The key cannot be read again. */
export async function generateKey(db: Queryable, userId: string): Promise<string> {
  const key = makeKey();
  await replaceKey(db, userId, hashKey(key), shownPart(key));
  return key;
}

/**
 * Finds the owner of an active key by the key's hash. Concurrent requests share a statement. It is sent after the last
 * of them arrived, so a key revoked before a request is never accepted.
 */
export function createOwnerFinder(db: Queryable): (hash: Buffer) => Promise<KeyOwner | undefined> {
  const find = batchById(
    (hashes) =>
      findOwners(
        db,
        hashes.map((hash) => Buffer.from(hash, 'hex')),
      ),
    ({ hash }) => hash.toString('hex'),
  );
  return (hash) => find(hash.toString('hex'));
}

/** @throws ReelayError `no_api_key` when none was ever created; revoking a revoked key succeeds */
export async function revokeKey(db: Queryable, userId: string): Promise<void> {
  if ((await deactivate(db, userId)) === 0) throw new ReelayError('no_api_key');
}

/** @throws ReelayError `no_api_key` when none was ever created */
export async function describeKey(db: Queryable, userId: string): Promise<KeyInformation> {
  const row = await findKey(db, userId);
  if (!row) throw new ReelayError('no_api_key');
  return {
    keyPrefix: row.prefix,
    isActive: row.is_active,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}
