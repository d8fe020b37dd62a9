/** Deletes many rows in steps, so that no statement holds locks for long or makes one large transaction. */
import type { Queryable } from './database.ts';

/** Rows per statement. */
export const DELETED_AT_ONCE = 1_000;

/**
 * Deletes the rows of a table that match a condition. The condition is checked again for a row that another transaction
 * changes meanwhile: before version 18 the server does not do that for row addresses alone.
 * @param table a constant name @param condition constant SQL, in which `r` is the row @param values of its parameters
 * @returns number of rows
 */
export async function deleteRows(
  db: Queryable,
  table: string,
  condition: string,
  values: readonly unknown[] = [],
): Promise<number> {
  let count = 0;
  for (let found = DELETED_AT_ONCE; found === DELETED_AT_ONCE; count += found)
    found = await db.execute(
      `delete from ${table} r
       where ctid = any(array(select r.ctid from ${table} r where ${condition} limit ${DELETED_AT_ONCE})) and (${condition})`,
      values,
    );
  return count;
}
