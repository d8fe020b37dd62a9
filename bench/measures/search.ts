/** Measures the search over the posts of one user, compared with its first page. */
import type { Database } from '../../packages/server/src/db/database.ts';
import type { Presentation } from '../../packages/server/src/posts/entry-json.ts';
import { searchPosts } from '../../packages/server/src/posts/search.ts';
import { type Finding, median, milliseconds, ratio, say } from '../kit/figures.ts';
import { type Guest, signInGuest } from '../kit/guest.ts';
import { load } from '../kit/load.ts';
import { explaining } from '../kit/plans.ts';

const CONNECTIONS = 4;
const LIMIT = 50;
const PRESENTATION: Presentation = { address: (filename) => filename ?? '', render: ({ code }) => code };

interface Search {
  name: string;
  filter: { accountId?: string; status?: 'SUCCESS' | 'FAILED' | 'PENDING'; text?: string };
  cursor?: string | undefined;
}

export async function search(given: {
  db: Database;
  url: string;
  guest: Guest;
  /** Number of the guest's posts. */
  posts: number;
  quick: boolean;
}): Promise<Finding[]> {
  const { db, url, guest, posts, quick } = given;
  await addWords(db, guest.userId, posts);
  const cookie = await signInGuest(db, url, guest);
  const searches = await searchesOf(db, guest, posts);
  const rates = new Map<string, number[]>(searches.map(({ name }) => [name, []]));
  // Rounds of all searches: a ratio compares neighbors in time.
  for (let round = -1; round < (quick ? 3 : 5); round++)
    for (const { name, filter, cursor } of searches) {
      const query = new URLSearchParams({ ...filter, limit: String(LIMIT), ...(cursor ? { cursor } : {}) });
      const address = `${url}/api/v1/dashboard/posts?${query}`;
      const rate = await load({ url: address, count: quick ? 60 : 200, connections: CONNECTIONS, headers: { cookie } });
      // The first round warms up.
      if (round >= 0) rates.get(name)?.push(rate);
    }
  const first = rates.get(searches[0]?.name ?? '') ?? [];
  const size = posts.toLocaleString('en');
  return [
    ...searches.map(({ name }): Finding => {
      const own = rates.get(name) ?? [];
      const share = median(own.map((rate, round) => rate / (first[round] ?? Number.NaN)));
      say(`search, ${name}: ${median(own).toFixed(0)} a second`);
      return {
        what: `search in ${size} posts, ${name}: against the first page`,
        figure: `${ratio(share)} of the rate (${milliseconds((1_000 * CONNECTIONS) / median(own))} each)`,
        goal: '≥ 0.20',
        met: share >= 0.2,
      };
    }),
    await plansOf(db, guest, searches, size),
  ];
}

/** Changes the guest's posts: words that five and half of them have, and one failure in a thousand. */
async function addWords(db: Database, userId: string, posts: number): Promise<void> {
  await db.execute(
    `with numbered as (select id, row_number() over (order by date) as n from post where user_id = $1)
     update post p set description = description || case when n % 2 = 0 then ' Evening' else '' end
       || case when n % $2 = 1 then ' Quintet' else '' end
     from numbered where numbered.id = p.id`,
    [userId, posts / 5],
  );
  await db.execute(
    `update target set state = 'failed', code = 'platform_error' where id in (
       select id from (select id, row_number() over (order by post_date) as n from target where user_id = $1) t
       where n % 1000 = 0)`,
    [userId],
  );
  await db.execute('vacuum analyze');
}

async function searchesOf(db: Database, guest: Guest, posts: number): Promise<Search[]> {
  const [middle] = await db.query<{ cursor: string }>(
    `select (extract(epoch from date) * 1000000)::bigint || '.' || id as cursor from post where user_id = $1
     order by date desc, id desc offset $2 limit 1`,
    [guest.userId, posts / 2],
  );
  const accountId = guest.accounts[0]?.id ?? '';
  return [
    { name: 'first page', filter: {} },
    { name: 'page in the middle', filter: {}, cursor: Buffer.from(middle?.cursor ?? '').toString('base64url') },
    { name: 'by account', filter: { accountId } },
    { name: 'by a rare status', filter: { status: 'FAILED' } },
    { name: 'by a status without posts', filter: { status: 'PENDING' } },
    { name: 'text in no post', filter: { text: 'xylophone' } },
    { name: 'text in 5 posts', filter: { text: 'quintet' } },
    { name: 'text in half of the posts', filter: { text: 'evening' } },
    { name: 'text in no post, by account', filter: { text: 'xylophone', accountId } },
  ];
}

async function plansOf(db: Database, guest: Guest, searches: readonly Search[], size: string): Promise<Finding> {
  const { db: explained, scanned, indexes } = explaining(db);
  for (const { filter, cursor } of searches)
    await searchPosts(explained, guest.userId, filter, { cursor, limit: LIMIT }, PRESENTATION);
  const large = [...scanned].filter((table) => ['post', 'target', 'media'].includes(table));
  return {
    what: `search in ${size} posts: tables read without an index`,
    figure: large.length > 0 ? large.join(', ') : `none (${[...indexes].sort().join(', ')})`,
    goal: 'none',
    met: large.length === 0,
  };
}
