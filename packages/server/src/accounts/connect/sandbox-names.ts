/** Names of the accounts on simulated platforms. */
import { createHash } from 'node:crypto';
import type { Queryable } from '../../db/database.ts';

// Short enough for one line of a narrow card.
const COLORS = 'amber azure blue coral gold green hazel ivory jade lemon olive pearl plum red ruby white'.split(' ');
const ANIMALS = 'bear crab deer fox hare hawk ibis kiwi lark lynx orca owl seal swan wolf wren'.split(' ');

/**
 * Returns a name for the simulated accounts of a user. It is the same on every call as long as no other user takes it:
 * two users who share a simulated account would share its posts and limits.
 * @param platform where another account is wanted: the user's own names there are taken, too
 */
export async function nameSandboxAccounts(db: Queryable, userId: string, platform?: string): Promise<string> {
  const [first = 0, second = 0] = createHash('sha256').update(userId).digest();
  const name = `${COLORS[first % COLORS.length]}${ANIMALS[second % ANIMALS.length]}`;
  const rows = await db.query<{ name: string }>(
    `select distinct name from (
       select ltrim(lower(coalesce(nullif(username, ''), display_name)), '@') as name from account
       where sandbox and (user_id <> $1 or platform = $3)) as taken
     where starts_with(name, $2)`,
    [userId, name, platform ?? null],
  );
  // Platforms write it as @name@host, name.host or Name.
  const taken = new Set(rows.map((row) => /^[a-z]+\d*/.exec(row.name)?.[0]));
  for (let number = 2, each = name; ; each = `${name}${number++}`) if (!taken.has(each)) return each;
}
