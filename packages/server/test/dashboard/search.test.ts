import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readMigrations } from '../../src/db/migrate.ts';
import { setDate } from '../../src/posts/change-store.ts';
import { type SearchFilter, searchPosts } from '../../src/posts/search.ts';
import { findByText } from '../../src/posts/search-store.ts';
import { insertUser } from '../../src/users/user-store.ts';
import { createTestDatabase } from '../harness/database.ts';
import { presentation } from '../harness/message.ts';
import type { AccountRow } from '../harness/rows.ts';
import type { SessionUser, TestService } from '../harness/service.ts';
import { addHistory, addReadyAccount, queuePost, startPostService } from '../post/world.ts';

let service: TestService;
let user: SessionUser;
let account: AccountRow;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newSession();
  account = await addReadyAccount(service.db, user.userId, { username: 'nora', avatar: 'x.png' });
});
afterAll(() => service.close());

type Query = Record<string, string | number>;

const DAY = Date.UTC(2026, 7, 1);
const idsOf = (data: readonly { id: string }[]) => data.map(({ id }) => id);

/** The ids of all pages. */
async function allPages(path: string, query: Query): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await user.get(path, { ...query, ...(cursor ? { cursor } : {}) });
    expect(body.data.length).toBeLessThanOrEqual(Number(query.limit ?? 50));
    ids.push(...idsOf(body.data));
    cursor = body.next;
  }
  return ids;
}

test('an entry is that of the history and its creation', async () => {
  const id = await queuePost(service, user.userId, [account], { description: 'Hallo' });
  const { body } = await user.get('/dashboard/posts');
  const { data } = (await user.get('/post/history')).body;
  expect(body).toEqual({
    success: true,
    data: [{ ...data[0], createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) }],
    next: null,
  });
  expect(body.data[0]).toMatchObject({ id, description: 'Hallo', result: [{ id: account.id, status: 'PENDING' }] });
});

test('pages contain every post once, also at equal times', async () => {
  const ids = await addHistory(
    service.db,
    user.userId,
    account,
    Array.from({ length: 23 }, (_, at) => ({ at: DAY + (at % 3) })),
  );
  const expected = ids
    .map((id, at) => ({ id, at: at % 3 }))
    .sort((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));
  for (const limit of [1, 5, 23, 100]) expect(await allPages('/dashboard/posts', { limit })).toEqual(idsOf(expected));
});

test('a page is not shifted by new posts', async () => {
  await addHistory(service.db, user.userId, account, [{ at: DAY }, { at: DAY + 1 }, { at: DAY + 2 }]);
  const first = (await user.get('/dashboard/posts', { limit: 1 })).body;
  await addHistory(service.db, user.userId, account, [{ at: DAY + 9 }]);
  const rest = (await user.get('/dashboard/posts', { cursor: first.next })).body;
  expect(rest.data.map((each: { date: string }) => Date.parse(each.date) - DAY)).toEqual([1, 0]);
});

test('posts of other users are not found', async () => {
  const other = await service.newSession();
  const theirs = await addReadyAccount(service.db, other.userId);
  await addHistory(service.db, other.userId, theirs, [{ at: DAY, description: 'secret' }]);
  const queries: Query[] = [{}, { text: 'secret' }, { status: 'SUCCESS' }, { text: 'secret', status: 'SUCCESS' }];
  for (const query of queries) expect((await user.get('/dashboard/posts', query)).body.data).toEqual([]);
  const range = { startTime: DAY, endTime: DAY };
  expect((await user.get('/dashboard/calendar', range)).body.data).toEqual([]);
  const foreign = await user.get('/dashboard/posts', { accountId: theirs.id });
  expect(`${foreign.status} ${foreign.body.code}`).toBe('404 unknown_platform');
});

describe('filters', () => {
  const STATES = { PENDING: ['scheduled', 'waiting'], SUCCESS: ['posted'], FAILED: ['failed'] } as const;

  test('find what a reference finds', async () => {
    const words = ['Sun', 'sunset', '100%', 'a_b', 'Grüße', 'GRÜSSE', 'ab', '日本'];
    const entry = fc.record({
      at: fc.integer({ min: 0, max: 9 }),
      words: fc.subarray(words),
      targets: fc.array(fc.constantFrom('PENDING' as const, 'SUCCESS' as const, 'FAILED' as const), {
        minLength: 1,
        maxLength: 3,
      }),
    });
    const filter = fc.record(
      {
        place: fc.nat(2),
        status: fc.constantFrom('PENDING' as const, 'SUCCESS' as const, 'FAILED' as const),
        from: fc.integer({ min: -1, max: 9 }),
        to: fc.integer({ min: 0, max: 10 }),
        text: fc.constantFrom('sun', 'SET', '0%', '_', 'b', 'grüße', '日', '\\', 'none'),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 12 }),
        fc.array(filter, { minLength: 4, maxLength: 8 }),
        async (entries, filters) => {
          const owner = await service.newUser();
          const accounts = [];
          for (let place = 0; place < 3; place++) accounts.push(await addReadyAccount(service.db, owner.userId));
          const posts = await addEntries(owner.userId, accounts, entries);
          for (const { place, from, to, ...rest } of filters) {
            const wanted: SearchFilter = {
              ...rest,
              ...(place === undefined ? {} : { accountId: accounts[place]?.id }),
              ...(from === undefined ? {} : { from: DAY + from }),
              ...(to === undefined ? {} : { to: DAY + to }),
            };
            const expected = posts.filter(
              (post) =>
                post.at >= (from ?? 0) &&
                post.at <= (to ?? 10) &&
                post.targets.some(
                  (status, at) => (place === undefined || place === at) && (rest.status ?? status) === status,
                ) &&
                post.description.toLowerCase().includes((rest.text ?? '').toLowerCase()),
            );
            const found: string[] = [];
            for (let cursor: string | null | undefined; cursor !== null; ) {
              const page = await searchPosts(service.db, owner.userId, wanted, { cursor, limit: 4 }, presentation);
              found.push(...idsOf(page.data));
              cursor = page.next;
            }
            expect([wanted, found]).toEqual([wanted, idsOf(expected)]);
            if (rest.text === undefined) continue;
            // The statement for long histories finds the same.
            const section = { after: null, from: new Date(0), limit: 100 };
            const pattern = `%${rest.text.replace(/[\\%_]/g, '\\$&')}%`;
            for (const indexed of [true, false]) {
              const all = await findByText(service.db, owner.userId, section, { filter: null, pattern, indexed });
              const matching = posts.filter((post) =>
                post.description.toLowerCase().includes(rest.text?.toLowerCase() ?? ''),
              );
              expect(idsOf(all)).toEqual(idsOf(matching));
            }
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  /** Adds posts with one target per account, in order. @returns them in the order of the history */
  async function addEntries(
    userId: string,
    accounts: readonly AccountRow[],
    entries: readonly { at: number; words: readonly string[]; targets: readonly (keyof typeof STATES)[] }[],
  ) {
    const [first] = accounts;
    if (!first) throw new Error('No account.');
    const described = entries.map((entry) => ({ ...entry, description: entry.words.join(' ') }));
    const ids = await addHistory(
      service.db,
      userId,
      first,
      described.map(({ at, description }) => ({ at: DAY + at, description })),
    );
    for (const [index, { targets }] of described.entries())
      for (const [place, status] of targets.entries()) {
        const state = STATES[status][index % STATES[status].length] ?? STATES[status][0];
        const dueAt = status === 'PENDING' ? new Date(DAY) : null;
        if (place === 0)
          await service.db.execute('update target set state = $2, due_at = $3 where post_id = $1', [
            ids[index],
            state,
            dueAt,
          ]);
        else
          await service.db.execute(
            `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, due_at, counts_from)
             values (uuid_v7(), $1, $2, $3, $4, $1, $5, $6, $7, app_now())`,
            [ids[index], userId, accounts[place]?.id, accounts[place]?.identityId, place, state, dueAt],
          );
      }
    return described
      .map((entry, index) => ({ ...entry, id: ids[index] ?? '' }))
      .sort((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));
  }

  test('a rare text deep in a long history is found', async () => {
    const entries = Array.from({ length: 1_500 }, (_, at) => ({ at: DAY - at, description: 'Many' }));
    entries.push({ at: DAY - 5_000, description: 'The needle' });
    const ids = await addHistory(service.db, user.userId, account, entries);
    const rare: Query[] = [
      { text: 'NEEDLE' },
      { text: 'needle', accountId: account.id },
      { text: 'e n', status: 'SUCCESS' },
    ];
    for (const query of rare) expect(await allPages('/dashboard/posts', query)).toEqual([ids.at(-1)]);
    const frequent = { text: 'man', limit: 100 };
    expect(await allPages('/dashboard/posts', frequent)).toEqual(ids.slice(0, -1));
  });

  test('follow a changed time', async () => {
    const [id = ''] = await addHistory(service.db, user.userId, account, [{ at: DAY }]);
    await setDate(service.db, id, true, DAY + 5);
    const queries: Query[] = [{ accountId: account.id }, { status: 'SUCCESS' }, {}];
    for (const query of queries) {
      const search = (startTime: number, endTime: number) =>
        user.get('/dashboard/posts', { ...query, startTime, endTime });
      expect((await search(DAY, DAY + 4)).body.data).toEqual([]);
      expect(idsOf((await search(DAY + 5, DAY + 5)).body.data)).toEqual([id]);
    }
  });

  test('times are milliseconds or ISO 8601', async () => {
    await addHistory(service.db, user.userId, account, [{ at: DAY }]);
    for (const startTime of [DAY, '2026-08-01T00:00:00Z', '2026-08-01T02:00:00.000+02:00'])
      expect((await user.get('/dashboard/posts', { startTime })).body.data).toHaveLength(1);
    expect((await user.get('/dashboard/posts', { startTime: '2026-08-01T00:00:00.001Z' })).body.data).toEqual([]);
  });
});

test('the search works without the optional extension', async () => {
  const db = await createTestDatabase();
  try {
    const { sql } = readMigrations().find(({ name }) => name.endsWith('-post-search.sql')) ?? { sql: '' };
    await db.execute('drop extension pg_trgm cascade');
    await db.execute(`revoke create on database ${db.connection.database} from current_user`);
    await db.execute(sql.slice(sql.indexOf('do $$')));
    const owner = (await insertUser(db, { email: 'a@example.org', name: 'A', plan: 'PRO' }))?.id ?? '';
    const entries = Array.from({ length: 1_100 }, (_, at) => ({
      at: DAY - at,
      description: at === 1_099 ? 'Find' : '',
    }));
    const ids = await addHistory(db, owner, await addReadyAccount(db, owner), entries);
    const found = await searchPosts(db, owner, { text: 'find' }, { limit: 10 }, presentation);
    expect(idsOf(found.data)).toEqual([ids.at(-1)]);
  } finally {
    await db.drop();
  }
});

test.each([
  ['cursor', 'x'],
  ['cursor', ''],
  ['cursor', Buffer.from('1.x').toString('base64url')],
  ['cursor', Buffer.from(`1.${'0'.repeat(36)}`).toString('base64url')],
  ['limit', 0],
  ['limit', 101],
  ['status', 'posted'],
  ['startTime', 'yesterday'],
  ['startTime', '2026-08-01'],
  ['endTime', 8_640_000_000_000_001],
  ['text', ''],
  ['text', 'x'.repeat(201)],
  ['accountId', ''],
] as const)('%s "%s" is rejected', async (name, value) => {
  const { status, body } = await user.get('/dashboard/posts', { [name]: value });
  expect(`${status} ${body.code}`).toBe('400 invalid_request');
});

test('an unknown account gets 404', async () => {
  for (const accountId of ['x', '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b'])
    expect((await user.get('/dashboard/posts', { accountId })).body.code).toBe('unknown_platform');
});

test.each(['/dashboard/posts', '/dashboard/calendar'])('%s rejects a reversed range', async (path) => {
  const { body } = await user.get(path, { startTime: 2, endTime: 1 });
  expect(body.message).toContain('is after');
});

test('the calendar rejects a range of more than 400 days', async () => {
  const ask = (endTime: number) => user.get('/dashboard/calendar', { startTime: 0, endTime });
  expect((await ask(400 * 86_400_000)).status).toBe(200);
  expect((await ask(400 * 86_400_000 + 1)).body).toMatchObject({
    code: 'invalid_request',
    message: 'The range is longer than 400 days.',
  });
});

describe('the calendar', () => {
  const range = { startTime: DAY, endTime: DAY + 999 };
  const calendar = async (query: Query = range) => allPages('/dashboard/calendar', query);

  test('has posts scheduled or published in it', async () => {
    const [before, inside, late, after] = await addHistory(
      service.db,
      user.userId,
      account,
      [-1, 0, -2, 1_000].map((offset) => ({ at: DAY + offset })),
    );
    await service.db.execute(
      `insert into placement (origin_id, identity_id, target_id, duration_ms, normal_text, published_at)
       select origin_id, identity_id, id, 1, '', case when post_id = $1 then $2 else published_at end
       from target where post_id = any($3::uuid[])`,
      [late, new Date(DAY + 999), [before, inside, late, after]],
    );
    expect(await calendar()).toEqual([inside, late]);
    expect(await calendar({ ...range, limit: 1 })).toEqual([inside, late]);
    const scheduled = await queuePost(service, user.userId, [account], {
      at: (await service.db.clock.now()).getTime() + 90_000,
    });
    expect(await calendar({ startTime: Date.now() + 60_000, endTime: Date.now() + 3_600_000 })).toEqual([scheduled]);
  });

  test('needs both ends', async () => {
    expect((await user.get('/dashboard/calendar', { startTime: 1 })).body.code).toBe('invalid_request');
  });
});
