/** Charged reads of rules: no user may use up what the rules of others need, and nothing is read beyond the limit. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Session } from '../../src/connectors/contract.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import { say } from '../../src/messages/rules.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import { ShareUsed } from '../../src/publishing/fair-share.ts';
import type { AccountRow } from '../harness/rows.ts';
import { createWatchWorld, type ShownPost, shownPost, type WatchWorld } from './watch-world.ts';

let world: WatchWorld;
/** Accounts that post all the time, by remote id, with the reads of each check. */
const busy = new Map<string, number>();
beforeAll(async () => {
  world = await createWatchWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.db.execute('truncate watch, identity, rule, watch_reads, user_reads, budget, source_file cascade');
  busy.clear();
  await nextDay();
  limit(100);
  world.flow.list = async (session) => {
    await session.countReads(busy.get(session.remoteId) ?? 0);
    return { posts: [], next: '' };
  };
});
afterEach(() => {
  delete world.flow.file;
  expect(world.errors.splice(0)).toEqual([]);
});

const limit = (defaultLimit: number) => {
  world.flow.charge = { setting: 'readsPerDay', defaultLimit, usd: 0.005 };
};
/** Lets the next day (UTC) begin. */
const nextDay = async () => world.db.clock.advance(DAY - ((await world.now()) % DAY) + SECOND);
const remoteId = async ({ identityId }: AccountRow) => {
  const [row] = await world.db.query<{ id: string }>('select remote_id as id from identity where id = $1', [
    identityId,
  ]);
  return row?.id ?? '';
};

/** A user with a rule. @param reads of each check @param shared whose source it is too */
async function follower(reads: number, shared?: AccountRow) {
  const userId = await world.newUser();
  const [from, to] = [await world.account(userId, shared), await world.account(userId)] as const;
  const rule = await world.rule(userId, from, [to]);
  busy.set(await remoteId(from), reads);
  return { userId, from, rule };
}
type Follower = Awaited<ReturnType<typeof follower>>;

const readsOf = async ({ userId }: Pick<Follower, 'userId'>) => {
  const [row] = await world.db.query<{ reads: number }>(
    'select reads + for_service as reads from user_reads where user_id = $1',
    [userId],
  );
  return row?.reads ?? 0;
};
const allReads = async () =>
  Number(
    (await world.db.query<{ reads: string }>('select reads from watch_reads order by day desc limit 1'))[0]?.reads ?? 0,
  );
const problemOf = async ({ from }: Pick<Follower, 'from'>) => {
  const [row] = await world.db.query<{ code: string | null }>(
    `select problem->>'code' as code from watch where id = (select watch_id from identity where id = $1)`,
    [from.identityId],
  );
  return row?.code;
};
const during = async (ms: number) => {
  for (let passed = 0; passed < ms; passed += 15 * MINUTE) await world.later();
};

describe('shares of the day', () => {
  test('a busy user leaves the share of others', async () => {
    const [hog, other] = [await follower(10), await follower(0)];
    await during(3 * HOUR);
    expect(await readsOf(hog)).toBeGreaterThanOrEqual(50);
    expect(await readsOf(hog)).toBeLessThan(80);
    expect([await problemOf(hog), await problemOf(other)]).toEqual(['watch_share_used', null]);
    // The other's rule finds everything now, too.
    busy.set(await remoteId(other.from), 5);
    await during(HOUR);
    expect(await readsOf(other)).toBeGreaterThanOrEqual(15);
    expect(await problemOf(other)).toBe(null);
  });

  test('what nobody uses becomes free during the day', async () => {
    const [hog] = [await follower(10), await follower(0)];
    await during(23.5 * HOUR);
    expect(await readsOf(hog)).toBeGreaterThanOrEqual(90);
    expect(await allReads()).toBeLessThanOrEqual(110);
  });

  test('a single user uses the whole day', async () => {
    const user = await follower(10);
    await during(4 * HOUR);
    expect(await readsOf(user)).toBe(100);
    expect(await problemOf(user)).toBe('watch_budget_used');
  });

  test('paused rules and sandbox accounts reserve nothing', async () => {
    const [user, paused, simulated] = [await follower(10), await follower(0), await follower(0)];
    await world.pause(paused.userId, paused.rule);
    await world.db.execute('update account set sandbox = true where id = $1', [simulated.from.id]);
    await during(4 * HOUR);
    expect(await readsOf(user)).toBe(100);
  });

  test('the next day has new shares', async () => {
    const hog = await follower(10);
    await follower(0);
    await during(3 * HOUR);
    await nextDay();
    await during(HOUR);
    expect(await readsOf(hog)).toBeGreaterThanOrEqual(30);
    expect(await problemOf(hog)).toBe(null);
  });

  test('checks of a shared account count in turn', async () => {
    limit(1_000);
    const one = await follower(1);
    const two = await follower(1, one.from);
    await during(3 * HOUR);
    const [first, second] = [await readsOf(one), await readsOf(two)];
    expect(first + second).toBe(await allReads());
    expect(Math.abs(first - second)).toBeLessThanOrEqual(1);
  });

  test('a shared account is read while one user has reads', async () => {
    const one = await follower(0);
    const two = await follower(10, one.from);
    const hog = await follower(0);
    busy.set(await remoteId(one.from), 5);
    // The first user has used up everything.
    await world.db.execute(
      `insert into user_reads (user_id, platform, day, reads, for_service)
       values ($1, 'mastodon', (app_now() at time zone 'UTC')::date, 0, 50)`,
      [one.userId],
    );
    await world.db.execute(
      `insert into watch_reads (platform, day, reads) values ('mastodon', (app_now() at time zone 'UTC')::date, 50)`,
    );
    await world.later();
    await world.later();
    expect([await readsOf(one), await readsOf(two), await readsOf(hog)]).toEqual([50, 10, 0]);
    expect(await problemOf(one)).toBe(null);
  });
});

describe('a check of many pages', () => {
  const PAGES = 12;
  const asked: string[] = [];
  let account: AccountRow;
  let user: Follower;
  /** Pages of two posts each, newest first. The position is known from the first page, as at X. */
  const listPages = async (session: Session, { cursor, mark }: { cursor: string; mark: unknown }) => {
    asked.push(cursor);
    await session.countReads(2);
    const page = Number(cursor);
    const posts = mark ? [] : posted.slice(page * 2, page * 2 + 2);
    return {
      posts: posts.map(shownPost),
      next: !mark && page + 1 < PAGES ? `${page + 1}` : '',
      ...(cursor === '' ? { mark: { at: 1 } } : {}),
    };
  };
  let posted: ShownPost[] = [];
  beforeEach(async () => {
    asked.length = 0;
    limit(10);
    user = await follower(0);
    account = user.from;
    await world.db.clock.advance(SECOND);
    const publishedAt = await world.now();
    posted = Array.from({ length: 2 * PAGES }, (_, index) => ({ remoteId: `${100 - index}`, publishedAt }));
    world.flow.list = listPages;
  });
  const watch = async () =>
    (
      await world.db.query<{ mark: unknown; checked: boolean; resume: { cursor: string } | null; failing: boolean }>(
        `select mark, checked_at is not null as checked, resume, failing_since is not null as failing from watch
         where id = (select watch_id from identity where id = $1)`,
        [account.identityId],
      )
    )[0];

  test('stops at the limit and continues the next day', async () => {
    await world.check();
    expect([asked, await allReads()]).toEqual([['', '1', '2', '3', '4'], 10]);
    expect(Object.keys(await world.found())).toHaveLength(10);
    expect(await watch()).toMatchObject({ mark: null, checked: false, resume: { cursor: '5' }, failing: false });
    expect(await problemOf(user)).toBe('watch_budget_used');
    await world.later(15 * MINUTE);
    expect(asked).toHaveLength(5);
    await nextDay();
    await world.later();
    expect(asked.slice(5)).toEqual(['5', '6', '7', '8', '9']);
    await nextDay();
    await world.later();
    // The newest posts follow.
    await world.later();
    expect(asked.slice(10)).toEqual(['10', '11', '']);
    expect(Object.keys(await world.found())).toHaveLength(2 * PAGES);
    expect(await world.firings(user.rule)).toHaveLength(2 * PAGES);
    expect(await watch()).toEqual({ mark: { at: 1 }, checked: true, resume: null, failing: false });
    expect(await problemOf(user)).toBe(null);
  });

  test('misses no post that appears while it waits', async () => {
    await world.check();
    const late = { remoteId: '900', publishedAt: await world.now() };
    await nextDay();
    await world.later();
    await nextDay();
    await world.later();
    world.flow.list = async () => ({ posts: [shownPost(late)], next: '' });
    await world.later();
    expect(Object.keys(await world.found())).toContain('900');
  });

  test('begins again if the platform forgot the page', async () => {
    await world.check();
    await nextDay();
    limit(100);
    world.flow.list = async (session, at) => {
      if (at.cursor === '5') throw new PlatformError({ kind: 'rejected', what: 'other', detail: say('gone') });
      return listPages(session, at);
    };
    await world.later();
    expect(await watch()).toMatchObject({ mark: null, checked: false, resume: null, failing: true });
    world.flow.list = listPages;
    await world.later();
    expect(Object.keys(await world.found())).toHaveLength(2 * PAGES);
    expect(await watch()).toMatchObject({ mark: { at: 1 }, checked: true, resume: null });
  });

  test('an outage keeps its page', async () => {
    await world.check();
    await nextDay();
    world.flow.list = () => Promise.reject(new PlatformError({ kind: 'transient', detail: say('gone') }));
    await world.later();
    expect(await watch()).toMatchObject({ resume: { cursor: '5' }, failing: true });
  });

  test('is bounded across its parts', async () => {
    limit(10);
    await world.check();
    await world.db.execute(`update watch set resume = jsonb_set(resume, '{pages}', '99')`);
    await nextDay();
    await world.later();
    expect(asked.slice(5)).toEqual(['5']);
    expect(await problemOf(user)).toBe('too_many_posts');
    expect(await watch()).toMatchObject({ mark: { at: 1 }, checked: true, resume: null });
  });
});

describe('a budget of the application', () => {
  const used = async ({ userId }: Follower) =>
    (await world.db.query('select from budget_use where user_id = $1', [userId])).length;
  beforeEach(() => {
    delete world.flow.charge;
    world.flow.list = async (session, { cursor }) => {
      for (let units = busy.get(session.remoteId) ?? 0; units > 0; units--) await session.spend('units');
      return { posts: [], next: `${cursor}x`.slice(0, cursor.length < 40 ? 41 : 0) };
    };
  });
  const once = () => {
    const { list } = world.flow;
    world.flow.list = async (session, at) => ({ ...(await list?.(session, at)), posts: [], next: '' });
  };

  test('keeps shares for the rules of others', async () => {
    once();
    const [hog, other] = [await follower(5), await follower(0)];
    await during(3 * HOUR);
    // Reading may use 40 of 80.
    expect(await used(hog)).toBeGreaterThanOrEqual(20);
    expect(await used(hog)).toBeLessThan(30);
    expect(await problemOf(hog)).toBe('watch_share_used');
    busy.set(await remoteId(other.from), 2);
    await during(HOUR);
    expect(await used(other)).toBeGreaterThanOrEqual(6);
    expect(await problemOf(other)).toBe(null);
  });

  test('keeps shares from lists of older posts', async () => {
    const [hog, other] = [await follower(1), await follower(0)];
    let cursor = '';
    const failure = await (async () => {
      for (let pages = 0; pages < 60; pages++) cursor = (await world.catalog(hog.userId, hog.from, cursor)).next;
    })().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ShareUsed);
    expect(await used(hog)).toBeLessThan(30);
    expect(await used(other)).toBe(0);
  });

  test('takes nothing for sandbox accounts', async () => {
    once();
    const user = await follower(5);
    await world.db.execute('update account set sandbox = true where id = $1', [user.from.id]);
    await world.later();
    expect(world.asked.length).toBeGreaterThan(0);
    expect(await used(user)).toBe(0);
  });
});

describe('files', () => {
  test('wait for the next day and are counted', async () => {
    const user = await follower(0);
    await world.db.clock.advance(SECOND);
    const publishedAt = await world.now();
    world.flow.list = async () => ({ posts: [shownPost({ remoteId: '1', publishedAt })], next: '' });
    let lookups = 0;
    world.flow.file = async (session) => {
      lookups++;
      await session.countReads(1);
      return { found: 'none', why: say('source_private') };
    };
    await world.db.execute(
      `insert into watch_reads (platform, day, reads) values ('mastodon', (app_now() at time zone 'UTC')::date, 99)`,
    );
    limit(100);
    world.flow.list = async (session) => {
      await session.countReads(1);
      return { posts: [shownPost({ remoteId: '1', publishedAt })], next: '' };
    };
    await world.check();
    expect([lookups, await allReads()]).toEqual([0, 100]);
    expect(await world.db.query(`select state, problem->>'code' as code from source_file`)).toEqual([
      { state: 'wanted', code: 'watch_budget_used' },
    ]);
    await nextDay();
    await world.later();
    expect(lookups).toBe(1);
    expect(await world.firings(user.rule)).toEqual(['1: skipped no_file']);
    expect(await readsOf(user)).toBeGreaterThanOrEqual(1);
  });
});
