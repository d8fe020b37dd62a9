import type { Queryable } from '../db/database.ts';
import { readTogether } from '../db/together.ts';
import { ReelayError } from '../errors.ts';
import { hashKey, makeKey, shownPart } from './format.ts';
import { deactivate, findKey, findOwners, type KeyOwner, replaceKey } from './store.ts';

export interface KeyInformation {
  keyPrefix: string;
  isActive: boolean;
  lastUsedAt: string | null;
  createdAt: string;
}

/** Makes the user's key; one that existed fails from the moment this returns. The key cannot be read again. */
export async function generateKey(db: Queryable, userId: string): Promise<string> {
  const key = makeKey();
  await replaceKey(db, userId, hashKey(key), shownPart(key));
  return key;
}

/**
 * Finds whose an active key is, by the key's hash. Requests that come at once share a statement; it is sent after the last
 * of them came, so a key that was revoked before a request never opens it.
 */
export function createOwnerFinder(db: Queryable): (hash: Buffer) => Promise<KeyOwner | undefined> {
  const find = readTogether(
    (hashes) =>
      findOwners(
        db,
        hashes.map((hash) => Buffer.from(hash, 'hex')),
      ),
    ({ hash }) => hash.toString('hex'),
  );
  return (hash) => find(hash.toString('hex'));
}

/** @throws ReelayError `no_api_key` when none was ever made; revoking a revoked one succeeds */
export async function revokeKey(db: Queryable, userId: string): Promise<void> {
  if ((await deactivate(db, userId)) === 0) throw new ReelayError('no_api_key');
}

/** @throws ReelayError `no_api_key` when none was ever made */
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
