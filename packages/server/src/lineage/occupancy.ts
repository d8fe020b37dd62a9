/** Which targets keep other posts of the same content from their account. */
import type { Queryable, Transaction } from '../db/database.ts';

/**
 * SQL condition: a target is on its account, or may come to be there. One that failed before anything was sent, or whose
 * sends provably had no effect, is not. The index target_lineage has this condition. @param t alias of the target
 */
export const OCCUPIES = (t: string) => `(${t}.state <> 'failed' or ${t}.code = 'outcome_unknown' or ${t}.unproven)`;

/**
 * SQL condition: an identity has some content, or may come to have it. Indexes: target_lineage, placement_lineage.
 * @param origin SQL expression @param identity SQL expression @param except SQL expression: a target that does not count
 */
export const HAS_CONTENT = (origin: string, identity: string, except?: string) => `(exists (select from target o
    where o.origin_id = ${origin} and o.identity_id = ${identity} and ${OCCUPIES('o')}
      ${except ? `and o.id <> ${except}` : ''})
  or exists (select from placement p where p.origin_id = ${origin} and p.identity_id = ${identity}
    ${except ? `and p.target_id is distinct from ${except}` : ''}))`;

/** SQL: identities that have some content, or may come to have it. @param origin SQL expression */
export const IDENTITIES_OF = (origin: string) => `select identity_id from placement where origin_id = ${origin}
  union select t.identity_id from target t where t.origin_id = ${origin} and ${OCCUPIES('t')}`;

/**
 * Failed targets whose account has got the content by another path meanwhile. Call it with their lanes locked. Indexes:
 * primary key, target_lineage, placement_lineage.
 */
export async function takenPlaces(tx: Queryable, targetIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select t.id from target t where t.id = any($1::uuid[]) and not ${OCCUPIES('t')}
       and ${HAS_CONTENT('t.origin_id', 't.identity_id', 't.id')}`,
    [targetIds],
  );
  return rows.map(({ id }) => id);
}

/**
 * Gives a failed target an origin of its own if its account has got the content by another path meanwhile. Call it
 * before late evidence brings the target back: it is a second post then, and the ledger must hold both. Call it with the
 * lane locked. Indexes: as {@link takenPlaces}.
 */
export async function leaveTakenPlace(tx: Transaction, targetId: string): Promise<void> {
  if ((await takenPlaces(tx, [targetId])).length > 0)
    await tx.execute('update target set origin_id = uuid_v7() where id = $1', [targetId]);
}
