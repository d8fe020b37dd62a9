/** Charged reads of older posts: no user may use up what the rules of all need. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/lib/time.ts';
import { BudgetEmpty } from '../../src/outbound/platform-error.ts';
import type { AccountRow } from '../harness/rows.ts';
import { createWatchWorld, shownPost, type WatchWorld } from './watch-world.ts';

let world: WatchWorld;
beforeAll(async () => {
  world = await createWatchWorld();
  world.flow.list = async (session, { since, cursor }) => {
    await session.countReads(since === 0 ? 100 : 1);
    return { posts: [], next: since === 0 ? `${cursor}x` : '' };
  };
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.db.execute('truncate watch, identity, rule, watch_reads, user_reads cascade');
  // Not across a midnight.
  await world.db.clock.advance(DAY - ((await world.now()) % DAY) + MINUTE);
  limit(1_000);
});

const limit = (defaultLimit: number) => {
  world.flow.charge = { setting: 'readsPerDay', defaultLimit, usd: 0.005 };
};

/** A user with a rule. */
async function follower() {
  const userId = await world.newUser();
  const [from, to] = [await world.account(userId), await world.account(userId)] as [AccountRow, AccountRow];
  const rule = await world.rule(userId, from, [to]);
  return { userId, from, rule };
}

/** Reads pages until no more are given. @returns how many were */
async function readAll({ userId, from }: Awaited<ReturnType<typeof follower>>): Promise<number> {
  for (let pages = 0, cursor = ''; pages < 60; pages++) {
    try {
      cursor = (await world.catalog(userId, from, cursor)).next;
    } catch (error) {
      expect(error).toBeInstanceOf(BudgetEmpty);
      return pages;
    }
  }
  throw new Error('There is no limit.');
}

const reads = async () =>
  Number((await world.db.query<{ reads: string }>('select reads from watch_reads'))[0]?.reads ?? 0);

test('a user reads at most a tenth of a day', async () => {
  const user = await follower();
  expect(await readAll(user)).toBe(1);
  expect(await reads()).toBe(100);
  // The next day is another one.
  await world.db.clock.advance(DAY);
  expect(await readAll(user)).toBe(1);
});

test('a page read again within ten minutes costs nothing', async () => {
  const { userId, from } = await follower();
  const first = await world.catalog(userId, from);
  await world.db.clock.advance(9 * MINUTE);
  expect(await world.catalog(userId, from)).toEqual(first);
  expect(await reads()).toBe(100);
  // The limit is reached, but this page is not read.
  limit(0);
  expect(await world.catalog(userId, from)).toEqual(first);
  await world.db.clock.advance(2 * MINUTE);
  await expect(world.catalog(userId, from)).rejects.toThrow(BudgetEmpty);
});

test('a page read again shows what the store knows', async () => {
  const { userId, rule } = await follower();
  const { list } = world.flow;
  const publishedAt = await world.now();
  const posts = [shownPost({ remoteId: 'b', text: 'Newer', publishedAt }), shownPost({ remoteId: 'a', publishedAt })];
  world.flow.list = async () => ({ posts, next: 'more' });
  const shown = await world.catalogPage(userId, rule);
  expect(shown.items.map(({ caption }) => caption)).toEqual(['Newer', 'Post a']);
  world.flow.list = list;
  await world.db.execute(`update watched_post set text = 'Edited' where remote_id = 'b'`);
  await world.db.execute(`delete from watched_post where remote_id = 'a'`);
  const again = await world.catalogPage(userId, rule);
  expect(again.items.map(({ caption }) => caption)).toEqual(['Edited']);
  expect(again.next).not.toBeNull();
});

test('the operation says when reads are possible again', async () => {
  const user = await follower();
  await readAll(user);
  await world.db.clock.advance(10 * MINUTE);
  const error = await world.catalogPage(user.userId, user.rule).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'reads_used', status: 429, extras: { retryAfter: expect.any(Number) } });
  const { retryAfter } = (error as { extras: { retryAfter: number } }).extras;
  expect(retryAfter * SECOND).toBeGreaterThan(DAY / 2);
  expect(retryAfter * SECOND).toBeLessThanOrEqual(DAY);
});

test('all users together read at most half of a day', async () => {
  const pages: number[] = [];
  for (let user = 0; user < 8; user++) pages.push(await readAll(await follower()));
  expect(pages).toEqual([1, 1, 1, 1, 1, 0, 0, 0]);
  // Rules still see new posts.
  world.asked.length = 0;
  await world.later();
  expect(await reads()).toBeGreaterThan(500);
  expect(await world.db.query('select from watch where problem is not null')).toEqual([]);
});

test('nothing is read where reading is turned off', async () => {
  limit(0);
  expect(await readAll(await follower())).toBe(0);
  await world.later();
  expect(await reads()).toBe(0);
});
