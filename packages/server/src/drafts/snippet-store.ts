/**
 * SQL of snippets: texts that a user often inserts into captions. A name is unique among the snippets of a user. Snippets of
 * a user are changed one after another, so that they do not pass the limit together.
 */
import type { Database, Queryable } from '../db/database.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { lockPlan } from '../plans/plan-store.ts';

export interface Snippet {
  id: string;
  name: string;
  text: string;
}

/** Snippets of one user. */
export const MAX_SNIPPETS = 50;

/** Oldest first. Index: unique key of snippet. */
export function listSnippets(db: Queryable, userId: string): Promise<Snippet[]> {
  return db.query<Snippet>('select id, name, text from snippet where user_id = $1 order by id', [userId]);
}

/**
 * Adds a snippet, or replaces the text of the one of this name. Index: unique key of snippet.
 * @throws ReelayError `too_many_snippets`
 */
export function saveSnippet(db: Database, userId: string, { name, text }: Omit<Snippet, 'id'>): Promise<Snippet> {
  return db.transaction(async (tx) => {
    await lockPlan(tx, userId);
    const [saved] = await tx.query<Snippet>(
      `insert into snippet (user_id, name, text)
         select $1, $2, $3 where (select count(*) from snippet where user_id = $1 and name <> $2) < ${MAX_SNIPPETS}
       on conflict (user_id, name) do update set text = excluded.text returning id, name, text`,
      [userId, name, text],
    );
    if (!saved) throw new ReelayError('too_many_snippets');
    return saved;
  });
}

/**
 * Changes the name and text of a snippet. Another snippet of the new name is deleted. Indexes: unique and primary key.
 * @throws ReelayError `unknown_snippet`
 */
export function editSnippet(db: Database, userId: string, { id, name, text }: Snippet): Promise<Snippet> {
  return db.transaction(async (tx) => {
    await lockPlan(tx, userId);
    const found = await tx.query('select from snippet where id = $1 and user_id = $2', [id, userId]);
    if (found.length === 0) throw new ReelayError('unknown_snippet');
    await tx.execute('delete from snippet where user_id = $1 and name = $2 and id <> $3', [userId, name, id]);
    await tx.execute('update snippet set name = $2, text = $3 where id = $1', [id, name, text]);
    return { id, name, text };
  });
}

/** @throws ReelayError `unknown_snippet`. Index: primary key. */
export async function deleteSnippet(db: Queryable, userId: string, id: string): Promise<void> {
  const deleted = await db.execute('delete from snippet where id = $1 and user_id = $2', [id, userId]);
  if (deleted === 0) throw new ReelayError('unknown_snippet');
}
