/** No user delays the work of others, in any table that a loop claims from. */
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Claim, dueRows } from '../../src/queue/claim.ts';
import { createDueLoop } from '../../src/queue/loop.ts';
import { type Holder, holderOf, limitsOf } from '../../src/queue/shares.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { addRows, declaredLoops, dropReferences, type Loop, SOURCE } from './due-tables.ts';

/** Rows that count against no share, and why nobody's rows delay others. */
const UNSHARED: Readonly<Record<string, string>> = {
  notification_mail: 'each user has one row',
  file_removal: 'the files are nobody’s any more',
  security_mail: 'only the operator’s mail server is asked, and a user has at most ten of a kind in an hour',
  push_subscription: 'only platforms are asked, at most once in ten minutes for each account',
  rendition: 'its claim takes turns between users and has shares: media/rendition/rendition-store.ts',
};

/** Rows whose jobs ask no servers that users name, or cannot be slowed down by them, and why. */
const WITHOUT_SERVICE: Readonly<Record<string, string>> = {
  notification_mail: 'only the operator’s mail server is asked',
  security_mail: 'only the operator’s mail server is asked',
  file_removal: 'only the storage is asked',
  push_subscription: 'only platforms with one server are asked',
  rendition: 'nobody is asked: the video is stored',
  watched_post: 'only the database is asked',
  firing: 'destinations are of several servers, and are asked for at most 20 seconds: watching/shown-on-destination.ts',
};

const LOOPS = await declaredLoops();
const SHARED = LOOPS.filter(({ columns }) => columns.user !== null);

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await dropReferences(db, SHARED);
});
afterAll(() => db.drop());

const user = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const ago = (seconds: number) => `app_now() - interval '${seconds} seconds'`;

test('every table of due rows has shares or a reason', async () => {
  const tables = await db.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c
     where c.table_schema = 'public' and c.column_name in ('due_at', 'lease_until', 'fence')
     group by c.table_name having count(*) = 3`,
  );
  expect(new Set(LOOPS.map(({ table }) => table))).toEqual(new Set(tables.map(({ name }) => name)));
  const unshared = LOOPS.filter(({ columns }) => columns.user === null).map(({ table }) => table);
  expect(unshared.toSorted()).toEqual(Object.keys(UNSHARED).toSorted());
});

test('each table has a service or a reason', () => {
  const without = LOOPS.filter(({ columns }) => columns.service === undefined).map(({ table }) => table);
  expect(without.toSorted()).toEqual(Object.keys(WITHOUT_SERVICE).toSorted());
});

/** Claims rows of a table from sixteen slots, of which some are taken. */
function claimOf({ table, columns }: Loop, running: readonly Holder[]): Promise<Claim[]> {
  const limits = limitsOf(16, running);
  return dueRows(table, columns).claim(db, { limit: 16 - running.length, leaseMs: 60_000, limits });
}

test.each(SHARED)("one user's rows in $table leave slots to others", async (loop) => {
  await db.execute(`truncate ${loop.table} cascade`);
  await addRows(db, loop.table, 300, { user_id: `'${user(1)}'`, due_at: ago(60) });
  await addRows(db, loop.table, 1, { user_id: `'${user(2)}'`, due_at: ago(1) });
  const first = await claimOf(loop, []);
  expect(first.map(({ userId }) => userId)).toEqual(Array(4).fill(user(1)));
  expect((await claimOf(loop, first)).map(({ userId }) => userId)).toEqual([user(2)]);
});

test.each(SHARED.filter(({ columns }) => columns.service))(
  'the rows of $table for users’ own servers leave slots',
  async (loop) => {
    await db.execute(`truncate ${loop.table} cascade`);
    const owner = `('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
    await addRows(db, loop.table, 40, { user_id: owner, due_at: ago(60), service: `'slow.example'` });
    await addRows(db, loop.table, 1, { user_id: `'${user(99)}'`, due_at: ago(1), service: `''` });
    const first = await claimOf(loop, []);
    expect(first.map(({ ownServer }) => ownServer).toSorted()).toEqual([false, ...Array(8).fill(true)]);
    expect(await claimOf(loop, first)).toEqual([]);
  },
);

test('rows of nobody count against no share', async () => {
  await db.execute('truncate watched_post cascade');
  await addRows(db, 'watched_post', 20, { due_at: ago(60) });
  expect(await claimOf({ table: 'watched_post', columns: { user: 'user_id' } }, [])).toHaveLength(16);
});

test('a loop leaves slots to others while one user waits', async () => {
  await db.execute('truncate source_file cascade');
  await addRows(db, 'source_file', 40, { user_id: `'${user(1)}'`, due_at: ago(60) });
  await addRows(db, 'source_file', 1, { user_id: `'${user(2)}'`, due_at: ago(1) });
  const rows = dueRows('source_file', { user: 'user_id' });
  const begun: (string | null)[] = [];
  const served = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const loop = createDueLoop<Claim>({
    claim: (limit, limits) => rows.claim(db, { limit, leaseMs: 60_000, limits }),
    holder: holderOf,
    async run({ userId }) {
      begun.push(userId);
      if (userId === user(2)) return served.resolve();
      await over.promise;
    },
    concurrency: 8,
    withinMs: 60_000,
    onError: served.reject,
  });
  loop.start();
  await served.promise;
  expect(begun).toEqual([...Array(4).fill(user(1)), user(2)]);
  over.resolve();
  await loop.stop();
});

test('every loop over shared rows passes the limits on', async () => {
  const files = await readdir(SOURCE, { recursive: true });
  const found: string[] = [];
  for (const name of files.filter((each) => each.endsWith('.ts'))) {
    const text = await readFile(new URL(name, SOURCE), 'utf8');
    for (const [call, rows = ''] of text.matchAll(/(due[A-Z]\w*)\.claim\([^)]*\)/g)) {
      const table = (await tableOf(rows, text, name)) ?? '';
      const isShared = SHARED.some((each) => each.table === table);
      if (isShared && !(call.includes('limits') && text.includes('holder'))) found.push(`${name}: ${call}`);
    }
  }
  expect(found).toEqual([]);
});

/** The table of rows that a file declares or imports. */
async function tableOf(rows: string, text: string, name: string): Promise<string | undefined> {
  const declares = (source: string) =>
    new RegExp(`${rows}\\b[^=\\n]*= dueRows(?:<[^(]*>)?\\(\\s*'(\\w+)'`).exec(source)?.[1];
  const path = new RegExp(`\\b${rows}\\b[^;]*from '([^']+)'`).exec(text)?.[1];
  return declares(text) ?? (path && declares(await readFile(new URL(path, new URL(name, SOURCE)), 'utf8')));
}
