/** The history and the search read as many rows as they show, no matter how many posts a user has. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { historyPage } from '../../src/posts/history.ts';
import { postsBetween, type SearchFilter, searchPosts } from '../../src/posts/search.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { presentation } from '../harness/message.ts';
import { type Plan, rowsRead } from '../harness/plan.ts';
import { addHistory, addReadyAccount } from '../post/world.ts';

const POSTS = 6_000;
const DAY = 24 * 3_600_000;
const NEWEST = Date.UTC(2026, 7, 1);

let db: TestDatabase;
let userId: string;
let accountId: string;
beforeAll(async () => {
  db = await createTestDatabase(4);
  const [user] = await db.query<{ id: string }>(
    `insert into auth."user" (name, email) values ('U', uuid_v7()::text) returning id`,
  );
  userId = user?.id ?? '';
  const account = await addReadyAccount(db, userId);
  accountId = account.id;
  const [first = ''] = await addHistory(db, userId, account, [{ at: NEWEST }]);
  // One post an hour, each hundredth failed.
  await db.execute(
    `with copied as (
       insert into post (id, user_id, origin_id, media_id, description, preview_time_ms, scheduled, date)
       select made, p.user_id, made, p.media_id, 'Usual', 0, false,
         p.date - n * interval '1 hour'
       from post p, lateral (select uuid_v7() as made, n, p.id from generate_series(1, $2) n) each where p.id = $1
       returning id, origin_id, date)
     insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, code, counts_from,
       settled_at, post_date)
     select uuid_v7(), c.id, t.user_id, t.account_id, t.identity_id, c.origin_id, 0,
       case when row_number() over () % 100 = 0 then 'failed' else 'posted' end,
       case when row_number() over () % 100 = 0 then 'platform_error' end, t.counts_from, app_now(), c.date
     from copied c, target t where t.post_id = $1`,
    [first, POSTS],
  );
  await db.execute('analyze');
});
afterAll(() => db.close());

/** A database that counts the rows which its queries read. */
function counting(): { db: Database; read(): number } {
  let read = 0;
  const query: Database['query'] = async (text, values = []) => {
    const [row] = await db.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (analyze, format json) ${text}`, values);
    for (const { Plan } of row?.['QUERY PLAN'] ?? []) read += rowsRead(Plan, ['post', 'target']);
    return db.query(text, values);
  };
  return { db: { ...db, query }, read: () => read };
}

test('a page of the history reads what it shows', async () => {
  const counted = counting();
  await historyPage(counted.db, userId, 1, presentation);
  expect(counted.read()).toBeGreaterThan(0);
  expect(counted.read()).toBeLessThan(100);
});

test.each<[SearchFilter, number]>([
  [{}, 400],
  [{ to: NEWEST - 100 * DAY }, 400],
  [{ status: 'FAILED' }, 400],
  [{ status: 'PENDING' }, 400],
  [{ text: 'usual' }, 2_500],
])('a search for %j reads a bounded number of rows', async (filter, most) => {
  const counted = counting();
  await searchPosts(counted.db, userId, filter, { limit: 50 }, presentation);
  expect(counted.read()).toBeLessThan(most);
});

test('searching one account reads a bounded number of rows', async () => {
  const counted = counting();
  await searchPosts(counted.db, userId, { accountId }, { limit: 50 }, presentation);
  expect(counted.read()).toBeLessThan(400);
});

test('a week of the calendar reads its own posts', async () => {
  const counted = counting();
  const range = { from: NEWEST - 107 * DAY, to: NEWEST - 100 * DAY };
  const { data } = await postsBetween(counted.db, userId, range, { limit: 100 }, presentation);
  expect(data).toHaveLength(100);
  expect(counted.read()).toBeLessThan(2_000);
});
