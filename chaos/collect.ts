/** Reads the evidence of a run: the targets in the service's database, and the posts on the platforms. */
import type { Database } from '../packages/server/src/db/database.ts';
import type { AuditedTarget, Published } from './audit.ts';
import type { Platform } from './platforms.ts';

export async function readTargets(db: Database): Promise<AuditedTarget[]> {
  const rows = await db.query<AuditedTarget>(
    `select t.id, t.post_id as "postId", t.origin_id as "originId", t.account_id as "accountId", a.platform, a.username,
       coalesce(t.caption, p.description) as text, t.state, t.code
     from target t join post p on p.id = t.post_id join account a on a.id = t.account_id`,
  );
  return rows.map((row) => ({ ...row, username: comparable(row.username) }));
}

/** The identity of each account. */
export async function readIdentities(db: Database): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; identity: string }>('select id, identity_id as identity from account');
  return new Map(rows.map(({ id, identity }) => [id, identity]));
}

export async function readPublished(platforms: readonly Platform[]): Promise<Published[]> {
  const read = async ({ name, published }: Platform) =>
    (await published()).map(({ username, text }) => ({ platform: name, username: comparable(username), text }));
  return (await Promise.all(platforms.map(read))).flat();
}

/** Normalizes a username: without server, with one kind of separator (`@nora_1@example.org` → `nora.1`). */
export function comparable(username: string): string {
  return username.toLowerCase().replace(/^@/, '').replace(/@.*$/, '').replaceAll(/[._-]/g, '.');
}

/** Counts unfinished targets and waiting firings. */
export async function countUnfinished(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select (select count(*) from target where state not in ('posted', 'failed'))
       + (select count(*) from firing where state = 'waiting') as count`,
  );
  return row?.count ?? 0;
}

/** Counts outcomes of targets, most frequent first, for the report. */
export function tally(targets: readonly AuditedTarget[]): string[] {
  const counts = new Map<string, number>();
  for (const { state, code } of targets) {
    const name = code ? `${state} ${code}` : state;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([name, count]) => `${count} ${name}`);
}
