import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import { say } from '../../src/messages/timeline.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import { startWatches } from '../../src/watching/watch-store.ts';
import type { AccountRow } from '../harness/rows.ts';
import { createWatchWorld, type WatchWorld } from './watch-world.ts';

let world: WatchWorld;
let userId: string;
let [a, b, c]: AccountRow[] = [];
beforeAll(async () => {
  world = await createWatchWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.db.execute('truncate watch, identity, rule, placement, post cascade');
  for (const list of [world.asked, world.failures, world.refused, world.errors]) list.length = 0;
  world.shown.clear();
  for (const name of ['list', 'file', 'charge', 'reader', 'minIntervalMs'] as const) delete world.flow[name];
  userId = await world.newUser();
  [a, b, c] = [await world.account(userId), await world.account(userId), await world.account(userId)];
});

const from = () => a as AccountRow;
const to = () => b as AccountRow;

test('an account is watched from its first rule on', async () => {
  await world.show(from(), { remoteId: '1' });
  await world.db.clock.advance(MINUTE);
  await world.check();
  expect(world.asked).toEqual([]);
  const rule = await world.rule(userId, from(), [to()]);
  await world.db.clock.advance(SECOND);
  await world.show(from(), { remoteId: '2' });
  await world.check();
  expect(await world.firings(rule)).toEqual(['2: skipped no_file']);
  expect(Object.keys(await world.found())).toEqual(['2']);
});

test('a post is found once, however often it is listed', async () => {
  const rule = await world.rule(userId, from(), [to()]);
  await world.db.clock.advance(SECOND);
  await world.show(from(), { remoteId: '1' });
  for (let round = 0; round < 3; round++) await world.later();
  expect(await world.firings(rule)).toHaveLength(1);
  expect(world.asked.length).toBeGreaterThanOrEqual(3);
});

test('an account stores at most 500 new posts a day', async () => {
  const other = c as AccountRow;
  for (const account of [from(), other]) await world.rule(userId, account, [to()]);
  await world.db.clock.advance(SECOND);
  await world.db.execute(
    `insert into watched_post (identity_id, remote_id, published_at, text, is_public, state, origin_id, due_at)
     select $1, 'earlier ' || n, app_now(), '', true, 'foreign', uuid_v7(), null from generate_series(1, 499) n`,
    [from().identityId],
  );
  for (const remoteId of ['1', '2', '3']) await world.show(from(), { remoteId });
  await world.show(other, { remoteId: 'of another account' });
  const names = async () => Object.keys(await world.found()).filter((name) => !name.startsWith('earlier'));
  const problems = async () =>
    (
      await world.db.query<{ code: string }>(`select problem->>'code' as code from watch where problem is not null`)
    ).map(({ code }) => code);
  await world.check();
  expect(await names()).toHaveLength(2);
  expect(await problems()).toEqual(['too_many_posts_a_day']);
  await world.later(HOUR);
  expect(await names()).toHaveLength(2);
  // The others are found once there is room.
  await world.later(23 * HOUR);
  expect((await names()).toSorted()).toEqual(['1', '2', '3', 'of another account']);
  expect(await problems()).toEqual([]);
});

test('the text of a found post is cut', async () => {
  await world.rule(userId, from(), [to()]);
  await world.db.clock.advance(SECOND);
  await world.show(from(), { remoteId: '1', text: 'x'.repeat(100_000) });
  await world.check();
  expect((await world.found())['1']?.text).toHaveLength(20_000);
});

test('a found post has LF as its line break', async () => {
  await world.rule(userId, from(), [to()]);
  await world.db.clock.advance(SECOND);
  await world.show(from(), { remoteId: '1', text: 'Found\r\nthere' });
  await world.check();
  expect((await world.found())['1']?.text).toBe('Found\nthere');
});

test('a failed store repeats the check after a minute', async () => {
  const rule = await world.rule(userId, from(), [to()]);
  await world.db.clock.advance(SECOND);
  await world.show(from(), { remoteId: '1' });
  await world.db.execute(`create function refuse() returns trigger language plpgsql as
    $$ begin if new.lease_until is null then raise exception 'disk full'; end if; return new; end $$`);
  await world.db.execute('create trigger refuse before update on watch for each row execute function refuse()');
  await world.check();
  await world.db.execute('drop function refuse cascade');
  expect(await world.firings(rule)).toEqual([]);
  expect(world.errors.length).toBeGreaterThan(0);
  await world.db.clock.advance(MINUTE + SECOND);
  await world.check();
  expect(await world.firings(rule)).toEqual(['1: skipped no_file']);
});

test('a post that becomes visible late is found', async () => {
  const rule = await world.rule(userId, from(), [to()]);
  await world.db.clock.advance(SECOND);
  const publishedAt = await world.now();
  await world.later();
  await world.show(from(), { remoteId: '2' });
  await world.later(20 * HOUR);
  await world.show(from(), { remoteId: '1', publishedAt });
  await world.later(HOUR);
  expect(await world.firings(rule)).toEqual(['1: skipped no_file', '2: skipped no_file']);
});

test('a new rule is checked every minute, later less', async () => {
  await world.rule(userId, from(), [to()]);
  const untilNext = async () => {
    const [row] = await world.db.query<{ due_at: Date }>('select due_at from watch');
    return ((row?.due_at.getTime() ?? 0) - (await world.now())) / MINUTE;
  };
  await world.check();
  expect(await untilNext()).toBeCloseTo(1, 1);
  await world.later(6 * HOUR);
  expect(await untilNext()).toBeCloseTo(6, 1);
  await world.later(DAY);
  expect(await untilNext()).toBeCloseTo(15, 1);
});

test('every check reads the last 48 hours again', async () => {
  await world.rule(userId, from(), [to()]);
  await world.check();
  await world.later(5 * DAY);
  const before = await world.now();
  await world.later(HOUR);
  const last = world.asked.at(-1);
  expect(last?.since).toBeLessThanOrEqual(before - 2 * DAY + MINUTE);
  expect(last?.since).toBeGreaterThan(before - 2 * DAY - MINUTE);
});

test('a list that continues after its position is reread soon', async () => {
  await world.rule(userId, from(), [to()]);
  const marks: unknown[] = [];
  world.flow.list = async (_session, { mark }) => {
    marks.push(mark);
    return { posts: [], next: '', mark: { offset: marks.length }, more: marks.length < 2 };
  };
  await world.check();
  for (let round = 0; round < 3; round++) {
    await world.db.clock.advance(2 * SECOND);
    await world.check();
  }
  expect(marks).toEqual([null, { offset: 1 }]);
});

test('an edited caption is used while the post waits', async () => {
  await world.rule(userId, from(), [to()]);
  await world.db.clock.advance(SECOND);
  await world.show(from(), { remoteId: '1', text: 'Before' });
  await world.check();
  const posts = [...world.shown.values()][0] ?? [];
  if (posts[0]) posts[0].text = 'After';
  await world.later();
  expect((await world.found())['1']?.text).toBe('After');
});

test('a post is gone when two checks miss it', async () => {
  await world.rule(userId, from(), [to()]);
  await world.db.clock.advance(SECOND);
  await world.show(from(), { remoteId: '1' });
  await world.check();
  world.shown.clear();
  await world.later();
  expect((await world.found())['1']?.gone).toBe(false);
  await world.later();
  expect((await world.found())['1']?.gone).toBe(true);
});

test('a post that one check missed is not gone', async () => {
  await world.rule(userId, from(), [to()]);
  await world.db.clock.advance(SECOND);
  await world.show(from(), { remoteId: '1' });
  await world.check();
  const kept = new Map(world.shown);
  world.shown.clear();
  await world.later();
  for (const [key, posts] of kept) world.shown.set(key, posts);
  await world.later();
  world.shown.clear();
  await world.later();
  expect((await world.found())['1']?.gone).toBe(false);
});

describe('pausing', () => {
  test('posts of the pause are never reposted', async () => {
    const rule = await world.rule(userId, from(), [to()]);
    await world.db.clock.advance(SECOND);
    await world.pause(userId, rule);
    await world.db.clock.advance(MINUTE);
    await world.show(from(), { remoteId: '1' });
    await world.later();
    await world.pause(userId, rule, false);
    await world.later();
    expect(await world.firings(rule)).toEqual(['1: skipped posted_while_paused']);
  });

  test('lets found posts wait if it keeps them', async () => {
    const rule = await world.rule(userId, from(), [to()]);
    await world.db.clock.advance(SECOND);
    await world.keep(userId, rule);
    await world.later(5 * DAY);
    await world.show(from(), { remoteId: '1' });
    await world.later();
    expect(await world.firings(rule)).toEqual(['1: waiting rule_paused']);
    await world.pause(userId, rule, false);
    await world.check();
    expect(await world.firings(rule)).toEqual(['1: skipped no_file']);
  });

  test('keeps older posts waiting until the rule is resumed', async () => {
    const rule = await world.rule(userId, from(), [to()]);
    await world.db.clock.advance(SECOND);
    await world.show(from(), { remoteId: '1' });
    await world.db.clock.advance(5 * SECOND);
    await world.pause(userId, rule);
    await world.check();
    expect(await world.firings(rule)).toEqual(['1: waiting rule_paused']);
    await world.pause(userId, rule, false);
    await world.check();
    expect(await world.firings(rule)).toEqual(['1: skipped no_file']);
  });

  test('ends checks two days after the last rule paused', async () => {
    const rule = await world.rule(userId, from(), [to()]);
    await world.check();
    await world.pause(userId, rule);
    await world.later(HOUR);
    const checks = world.asked.length;
    expect(checks).toBeGreaterThan(1);
    await world.later(3 * DAY);
    await world.later(HOUR);
    expect(world.asked).toHaveLength(checks);
    await world.pause(userId, rule, false);
    await world.check();
    expect(world.asked).toHaveLength(checks + 1);
  });

  test('keeps unwatched posts unknown', async () => {
    const rule = await world.rule(userId, from(), [to()]);
    await world.check();
    await world.pause(userId, rule);
    await world.later(3 * DAY);
    await world.show(from(), { remoteId: '1' });
    await world.later(3 * DAY);
    await world.pause(userId, rule, false);
    await world.db.clock.advance(SECOND);
    await world.show(from(), { remoteId: '2' });
    await world.later();
    expect(await world.firings(rule)).toEqual(['2: skipped no_file']);
  });
});

describe('our own posts', () => {
  test('are recognized by their id', async () => {
    const rule = await world.rule(userId, from(), [to()]);
    const target = await world.send(userId, from());
    await world.posted(target, '1');
    await world.show(from(), { remoteId: '1', text: 'Sunset run' });
    await world.later();
    expect((await world.found())['1']?.state).toBe('own');
    expect(await world.firings(rule)).toEqual(['1: reposted']);
  });

  test('are waited for while a send is being settled', async () => {
    const rule = await world.rule(userId, from(), [to()]);
    const target = await world.send(userId, from());
    await world.db.execute(
      `update target set state = 'unknown', committed_at = app_now(), begun_at = app_now() where id = $1`,
      [target],
    );
    await world.db.clock.advance(SECOND);
    await world.show(from(), { remoteId: '1', text: 'Sunset run', durationMs: 5_000 });
    await world.check();
    expect((await world.found())['1']?.state).toBe('new');
    await world.posted(target, '1');
    await world.later();
    expect((await world.found())['1']?.state).toBe('own');
    expect(await world.firings(rule)).toEqual(['1: reposted']);
  });

  test('are waited for although the platform’s clock is behind', async () => {
    const rule = await world.rule(userId, from(), [to()]);
    await world.db.clock.advance(HOUR);
    const target = await world.send(userId, from());
    await world.db.execute(
      `update target set state = 'confirming', committed_at = app_now(), begun_at = app_now() where id = $1`,
      [target],
    );
    await world.db.clock.advance(SECOND);
    const publishedAt = (await world.now()) - 30 * MINUTE;
    await world.show(from(), { remoteId: '1', text: 'Sunset run', durationMs: 5_000, publishedAt });
    await world.check();
    expect((await world.found())['1']?.state).toBe('new');
    await world.posted(target, '1');
    await world.later();
    expect(await world.firings(rule)).toEqual(['1: reposted']);
  });

  test('prove a send whose outcome was given up', async () => {
    const rule = await world.rule(userId, from(), [to()]);
    const target = await world.send(userId, from());
    await world.db.execute(
      `update target set state = 'failed', code = 'outcome_unknown', due_at = null, settled_at = app_now(),
         committed_at = app_now(), begun_at = app_now(), commit_number = 1, is_public = true where id = $1`,
      [target],
    );
    await world.db.clock.advance(SECOND);
    await world.show(from(), { remoteId: '1', text: 'Sunset run', durationMs: 5_000 });
    await world.check();
    const [row] = await world.db.query('select state, remote_id from target where id = $1', [target]);
    expect(row).toEqual({ state: 'posted', remote_id: '1' });
    expect((await world.found())['1']?.state).toBe('own');
    expect(await world.firings(rule)).toEqual(['1: reposted']);
  });

  test("are reposted by another user's rules", async () => {
    const other = await world.newUser();
    const theirs = await world.account(other, from());
    const rule = await world.rule(userId, from(), [to()]);
    const target = await world.send(other, theirs);
    await world.posted(target, '1');
    await world.db.clock.advance(SECOND);
    await world.show(from(), { remoteId: '1', text: 'Sunset run' });
    await world.check();
    expect(await world.firings(rule)).toEqual(['1: skipped no_file']);
    const [firing] = await world.db.query<{ same: boolean }>(
      'select f.origin_id = t.origin_id as same from firing f, target t where t.id = $1',
      [target],
    );
    expect(firing?.same).toBe(true);
  });
});

test('an equal post on the account is separate content', async () => {
  const rule = await world.rule(userId, from(), [to()]);
  const target = await world.send(userId, from());
  await world.posted(target, '1');
  await world.db.clock.advance(HOUR);
  await world.show(from(), { remoteId: '2', text: 'SUNSET run', durationMs: 5_000 });
  await world.check();
  expect(await world.firings(rule)).toEqual(['1: reposted', '2: skipped no_file']);
});

test('one identity of two users is checked once', async () => {
  const other = await world.newUser();
  const theirs = await world.account(other, from());
  const destination = await world.account(other);
  const first = await world.rule(userId, from(), [to()]);
  const second = await world.rule(other, theirs, [destination]);
  await world.db.clock.advance(SECOND);
  await world.show(from(), { remoteId: '1' });
  await world.check();
  expect(world.asked).toHaveLength(1);
  expect(await world.firings(first)).toEqual(['1: skipped no_file']);
  expect(await world.firings(second)).toEqual(['1: skipped no_file']);
});

test('accounts with one reader share a check', async () => {
  world.flow.reader = () => 'bot 1';
  const third = c as AccountRow;
  const first = await world.rule(userId, from(), [third]);
  const second = await world.rule(userId, to(), [third]);
  const keys = await world.db.query<{ id: string; remote_id: string }>(
    'select id, remote_id from identity where id = any($1::uuid[])',
    [[from().identityId, to().identityId]],
  );
  await world.db.clock.advance(SECOND);
  const publishedAt = await world.now();
  world.flow.list = async () => ({
    posts: keys.map(({ remote_id }, index) => ({
      remoteId: String(index),
      account: remote_id,
      publishedAt,
      text: `Text ${index}`,
      url: null,
      durationMs: 9_000,
      width: null,
      height: null,
      isPublic: true,
      file: {},
    })),
    next: '',
    mark: { offset: 7 },
  });
  await world.check();
  expect([...(await world.firings(first)), ...(await world.firings(second))]).toHaveLength(2);
  const rows = await world.db.query('select key, mark from watch');
  expect(rows).toEqual([{ key: 'bot 1', mark: { offset: 7 } }]);
});

test('watches of many rules start together', async () => {
  const began: number[] = [];
  for (const source of [a, b] as AccountRow[]) {
    began.push(await world.now());
    await world.rule(userId, source, [c as AccountRow]);
    await world.db.clock.advance(MINUTE);
  }
  await world.db.execute('delete from watch');
  const watch = { list: async () => ({ posts: [], next: '' }), reader: () => 'bot 1' };
  expect(await startWatches(world.db, { mastodon: { watch } })).toBe(2);
  const rows = await world.db.query<{ key: string; began_at: Date; accounts: number }>(
    `select key, began_at, (select count(*) from identity d where d.watch_id = w.id) as accounts from watch w`,
  );
  expect(rows).toEqual([{ key: 'bot 1', began_at: expect.any(Date), accounts: 2 }]);
  const [first = 0, second = 0] = began;
  expect(rows[0]?.began_at.getTime()).toBeGreaterThanOrEqual(first);
  expect(rows[0]?.began_at.getTime()).toBeLessThan(second);
  expect(await startWatches(world.db, { mastodon: { watch } })).toBe(0);
});

test('an account with an unknown reader is not read', async () => {
  world.flow.reader = () => '';
  await world.rule(userId, from(), [to()]);
  await world.check();
  expect(world.asked).toEqual([]);
  world.flow.reader = () => 'bot 1';
  await world.rule(userId, from(), [c as AccountRow]);
  await world.check();
  expect(world.asked).toHaveLength(1);
});

describe('failures', () => {
  test('are stored, retried and forgotten after success', async () => {
    await world.rule(userId, from(), [to()]);
    world.flow.list = () => Promise.reject(new PlatformError({ kind: 'transient', detail: say('access_ended') }));
    await world.check();
    const [failing] = await world.db.query<{ problem: { code: string }; failing: boolean }>(
      'select problem, failing_since is not null as failing from watch',
    );
    expect(failing).toMatchObject({ problem: { code: 'access_ended' }, failing: true });
    delete world.flow.list;
    await world.later();
    expect(await world.db.query('select problem, failing_since from watch')).toEqual([
      { problem: null, failing_since: null },
    ]);
  });

  test('that need a reconnect end the account', async () => {
    await world.rule(userId, from(), [to()]);
    world.flow.list = () => Promise.reject(new PlatformError({ kind: 'reconnect', detail: say('access_ended') }));
    await world.check();
    expect(world.refused).toEqual([from().id]);
  });

  test('lose no post', async () => {
    const rule = await world.rule(userId, from(), [to()]);
    await world.db.clock.advance(SECOND);
    await world.show(from(), { remoteId: '1' });
    world.flow.list = () => Promise.reject(new PlatformError({ kind: 'transient', detail: say('access_ended') }));
    for (let round = 0; round < 5; round++) await world.later(DAY);
    delete world.flow.list;
    await world.later();
    expect(await world.firings(rule)).toEqual(['1: skipped no_file']);
  });

  test('of a repeating list keep the position', async () => {
    await world.rule(userId, from(), [to()]);
    await world.db.clock.advance(SECOND);
    const publishedAt = await world.now();
    const post = { remoteId: '1', publishedAt, text: '', url: null, durationMs: 1, width: 1, height: 1 };
    world.flow.list = async () => ({ posts: [{ ...post, isPublic: true, file: {} }], next: 'again' });
    await world.check();
    const [row] = await world.db.query<{ checked_at: Date | null; problem: { code: string } }>(
      'select checked_at, problem from watch',
    );
    expect(row).toMatchObject({ checked_at: null, problem: { code: 'list_repeats' } });
    expect(Object.keys(await world.found())).toEqual(['1']);
  });
});

test('an account without access waits until it is connected again', async () => {
  const rule = await world.rule(userId, from(), [to()]);
  await world.db.execute(`update account set status = 'EXPIRED' where id = $1`, [from().id]);
  await world.db.clock.advance(SECOND);
  await world.show(from(), { remoteId: '1' });
  await world.later();
  expect(world.asked).toEqual([]);
  expect(await world.db.query(`select problem->>'code' as code, due_at from watch`)).toEqual([
    { code: 'watch_disconnected', due_at: null },
  ]);
  await world.db.execute(`update account set status = 'CONNECTED' where id = $1`, [from().id]);
  await world.rule(userId, from(), [c as AccountRow]);
  await world.check();
  expect(await world.firings(rule)).toEqual(['1: skipped no_file']);
});

test('paid reads stop at the limit until the next day', async () => {
  world.flow.charge = { setting: 'readsPerDay', defaultLimit: 5, usd: 0.005 };
  await world.rule(userId, from(), [to()]);
  world.flow.list = async (session) => {
    await session.countReads(3);
    return { posts: [], next: '' };
  };
  await world.db.clock.advance(1);
  const midnight = DAY - ((await world.now()) % DAY);
  await world.db.clock.advance(midnight);
  for (let round = 0; round < 4; round++) {
    world.asked.length = 0;
    await world.later();
  }
  expect(world.asked).toEqual([]);
  expect(await world.db.query(`select problem->>'code' as code, failing_since from watch`)).toEqual([
    { code: 'watch_budget_used', failing_since: null },
  ]);
  await world.later(DAY);
  expect(world.asked).toHaveLength(1);
});

test('reads of simulated accounts are free', async () => {
  await world.db.execute('delete from watch_reads');
  world.flow.charge = { setting: 'readsPerDay', defaultLimit: 5, usd: 0.005 };
  world.flow.list = async (session) => {
    await session.countReads(3);
    return { posts: [], next: '' };
  };
  await world.rule(userId, from(), [to()]);
  await world.db.execute('update account set sandbox = true where id = $1', [from().id]);
  await world.check();
  await world.catalog(userId, from());
  expect(world.asked).toHaveLength(2);
  expect(await world.db.query('select reads from watch_reads')).toEqual([]);
});

test('a platform with few requests is checked less often', async () => {
  world.flow.minIntervalMs = HOUR;
  await world.rule(userId, from(), [to()]);
  await world.later();
  world.asked.length = 0;
  await world.later(50 * MINUTE);
  expect(world.asked).toEqual([]);
  await world.later(11 * MINUTE);
  expect(world.asked).toHaveLength(1);
});

test('watching leaves half of a budget to posts', async () => {
  await world.rule(userId, from(), [to()]);
  let reads = 0;
  world.flow.list = async (session) => {
    await session.spend('reads');
    reads++;
    return { posts: [], next: String(reads) };
  };
  await world.check();
  expect(reads).toBe(2);
  expect(await world.db.query(`select problem->>'code' as code from watch`)).toEqual([{ code: 'watch_waits' }]);
});

test('a private post is never reposted', async () => {
  const rule = await world.rule(userId, from(), [to()]);
  await world.db.clock.advance(SECOND);
  await world.show(from(), { remoteId: '1', isPublic: false });
  await world.check();
  expect(await world.firings(rule)).toEqual(['1: skipped source_private']);
});

test('a post without a file is skipped with the reason', async () => {
  const rule = await world.rule(userId, from(), [to()]);
  await world.db.clock.advance(SECOND);
  await world.show(from(), { remoteId: '1', file: null });
  await world.show(from(), { remoteId: '2', durationMs: 4 * MINUTE });
  await world.check();
  expect(await world.firings(rule)).toEqual(['1: skipped no_file', '2: skipped file_rejected']);
});
