/** What rules do about found posts that are stored again. */
import type { Queryable } from '../db/database.ts';
import { reopenGone, reviseReposts } from '../lineage/firings.ts';

/** A found post that was stored. */
export interface Written {
  id: string;
  added: boolean;
  /** It was gone before. */
  wasGone: boolean | null;
  isGone: boolean;
}

/** SQL: the columns of {@link Written} for the written row. The subquery sees the row in its state before the statement. */
export const WRITTEN = `watched_post.id, (xmax = 0) as added, gone_at is not null as "isGone",
  (select o.gone_at is not null from watched_post o where o.id = watched_post.id) as "wasGone"`;

/** Lets rules act on posts that changed or returned. Call it in the transaction that stores them. */
export async function followChanges(tx: Queryable, written: readonly Written[]): Promise<void> {
  const ids = (some: readonly Written[]) => some.map(({ id }) => id);
  await reopenGone(tx, ids(written.filter(({ wasGone, isGone }) => wasGone && !isGone)));
  await reviseReposts(tx, ids(written.filter(({ added }) => !added)));
}
