/** One video that is posted on several accounts reaches a destination once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import { say as sayRule } from '../../src/messages/rules.ts';
import { repostByHand } from '../../src/reposts/manual-repost.ts';
import { pauseRule } from '../../src/reposts/service.ts';
import type { AccountRow } from '../harness/rows.ts';
import { makeVideo } from '../media/fixtures.ts';
import { type Source, serveVideo } from '../post/video-address-world.ts';
import { createWatchWorld, type WatchWorld } from './watch-world.ts';

/** The videos that users post through us are 5 s long. */
let world: WatchWorld;
/** Serves videos of 4 and 5 s. */
let files: Source;
let userId: string;
beforeAll(async () => {
  world = await createWatchWorld();
  files = await serveVideo(await makeVideo({ seconds: 4 }), { '/5.mp4': await makeVideo({ seconds: 5 }) });
});
const useFile = (seconds: 4 | 5) => {
  world.flow.file = async () => ({ found: 'file', url: `${files.origin}/${seconds}.mp4` });
};
beforeEach(async () => {
  world.shown.clear();
  useFile(4);
  userId = await world.newUser();
});
afterAll(async () => {
  expect(world.errors).toEqual([]);
  await files.close();
  await world.close();
});

const accounts = <Count extends number>(count: Count) => world.accounts(userId, count);
const on = (account: AccountRow) =>
  world.db.query<{ id: string; state: string }>('select id, state from target where account_id = $1 order by id', [
    account.id,
  ]);
const publish = async (account: AccountRow) => {
  for (const { id, state } of await on(account)) if (state === 'scheduled') await world.posted(id, `of-${id}`);
};
let numbers = 0;
/** Posts by hand. */
const byPhone = (
  account: AccountRow,
  text: string,
  given: { durationMs?: number | null; publishedAt?: number; remoteId?: string } = {},
) => world.show(account, { remoteId: `phone-${++numbers}`, text, durationMs: 4_000, ...given });
/** Posts through Reelay. */
const own = async (account: AccountRow, text: string) => {
  await world.posted(await world.send(userId, account, text), `own-${++numbers}`);
};
const caption = (ruleId: string, append: string) =>
  world.db.execute('update rule set options = $2 where id = $1', [ruleId, JSON.stringify({ caption: { append } })]);

describe('a video that was posted by hand to two sources', () => {
  test.each([
    ['at the same time', 0, 'queued', ''],
    ['an hour apart, while the first repost is queued', HOUR, 'queued', ''],
    ['an hour apart, when the first repost is published', HOUR, 'published', ''],
    ['an hour apart, when a template changed the first one', HOUR, 'published', 'First on {source}'],
  ])('%s reaches the destination once', async (_, apart, state, append) => {
    const [a, c, y] = await accounts(3);
    const first = await world.rule(userId, a, [y]);
    const second = await world.rule(userId, c, [y]);
    if (append) for (const rule of [first, second]) await caption(rule, append);
    await byPhone(a, 'My trip to Rome');
    if (apart > 0) {
      await world.check();
      await world.later();
      if (state === 'published') await publish(y);
      await world.db.clock.advance(apart);
    }
    await byPhone(c, 'My trip to Rome');
    await world.check();
    await world.later();
    expect(await on(y)).toHaveLength(1);
    const decided = [await world.firings(first), await world.firings(second)].flat().map((line) => line.split(': ')[1]);
    expect(decided.sort()).toEqual(['reposted', 'skipped echo']);
  });

  test('eight days apart is two posts', async () => {
    const [a, c, y] = await accounts(3);
    await world.rule(userId, a, [y]);
    await world.rule(userId, c, [y]);
    await byPhone(a, 'My trip to Rome');
    await world.check();
    await publish(y);
    await world.db.clock.advance(8 * DAY);
    await byPhone(c, 'My trip to Rome');
    await world.check();
    await world.later();
    expect(await on(y)).toHaveLength(2);
  });

  test('reaches the ends of two chains that meet once', async () => {
    const [a, c, y, z] = await accounts(4);
    const [w] = await accounts(1);
    for (const [from, to] of [
      [a, y],
      [c, z],
      [y, w],
      [z, w],
    ] as const)
      await world.rule(userId, from, [to]);
    await byPhone(a, 'My trip to Rome');
    await byPhone(c, 'My trip to Rome');
    await world.check();
    for (const each of [y, z]) await publish(each);
    await world.check();
    await publish(w);
    await world.later();
    expect(await on(w)).toHaveLength(1);
  });
});

test('a daily series on two sources appears once daily', async () => {
  const [a, c, y] = await accounts(3);
  await world.rule(userId, a, [y]);
  await world.rule(userId, c, [y]);
  for (let day = 1; day <= 3; day++) {
    for (const source of [a, c]) {
      await byPhone(source, 'Good morning');
      await world.check();
      await world.later(HOUR);
    }
    await publish(y);
    expect(await on(y)).toHaveLength(day);
    await world.db.clock.advance(DAY);
  }
});

test('posted through Reelay and by hand elsewhere, once', async () => {
  const [a, c, y] = await accounts(3);
  await world.rule(userId, a, [y]);
  await world.rule(userId, c, [y]);
  await own(a, 'Mixed paths');
  await byPhone(c, 'Mixed paths', { durationMs: 5_100 });
  await world.check();
  await world.later();
  expect(await on(y)).toHaveLength(1);
});

test('a video posted by hand and through Reelay counts once', async () => {
  const [a, c, y] = await accounts(3);
  await world.rule(userId, c, [y]);
  const rule = await world.rule(userId, a, [y]);
  useFile(5);
  await byPhone(c, 'Mixed paths', { durationMs: 5_100 });
  await world.check();
  await own(a, 'Mixed paths');
  await world.check();
  expect(await on(y)).toHaveLength(1);
  expect((await world.firings(rule)).map((line) => line.split(': ')[1])).toEqual(['skipped echo']);
});

test('old posts that two rules selected arrive once', async () => {
  const [a, c, y] = await accounts(3);
  await byPhone(a, 'From last year');
  await byPhone(c, 'From last year');
  await world.db.clock.advance(HOUR);
  const rules = [await world.rule(userId, a, [y]), await world.rule(userId, c, [y])];
  await world.check();
  for (const [index, source] of [a, c].entries()) {
    const { posts } = await world.catalog(userId, source);
    const items = posts.map(({ id }) => id);
    await world.select(rules[index] ?? '', { order: 'oldest', perDay: 10, items });
  }
  await world.check();
  await world.later();
  expect(await on(y)).toHaveLength(1);
});

test.each([0, 150])('a destination is left out beside %i equal posts elsewhere', async (others) => {
  const [a, b, c] = await accounts(3);
  await world.rule(userId, a, [b, c]);
  await own(b, 'Take one of the sea');
  await world.db.clock.advance(3 * HOUR);
  await world.db.execute(
    `insert into placement (origin_id, identity_id, remote_id, duration_ms, normal_text, content_key, published_at)
     select uuid_v7(), $1, 'c-' || n, 9000, 'take one of the sea', 'takeoneofthesea', app_now() - n * interval '1 second'
     from generate_series(1, $2) n`,
    [c.identityId, others],
  );
  await byPhone(a, 'Take one of the sea', { durationMs: 5_001 });
  await world.check();
  expect(await on(b)).toHaveLength(1);
});

describe('a destination that shares by itself', () => {
  test('does not get what was posted through Reelay again', async () => {
    const [a, b] = await accounts(2);
    const rule = await world.rule(userId, a, [b]);
    await own(a, 'Shared by the platform');
    await byPhone(b, 'Shared by the platform', { durationMs: 5_100 });
    await world.check();
    expect(await on(b)).toEqual([]);
    expect((await world.firings(rule)).map((line) => line.split(': ')[1])).toEqual(['skipped echo']);
  });

  test('is recognized each day of a series', async () => {
    const [a, b] = await accounts(2);
    const rule = await world.rule(userId, a, [b]);
    for (let day = 0; day < 3; day++) {
      await own(a, 'Every day');
      await byPhone(b, 'Every day', { durationMs: 5_100 });
      await world.check();
      await world.db.clock.advance(DAY);
    }
    // A day without a share.
    await own(a, 'Every day');
    await world.check();
    expect(await on(b)).toHaveLength(1);
    expect((await world.firings(rule)).map((line) => line.split(': ')[1]).sort()).toEqual([
      'reposted',
      'skipped echo',
      'skipped echo',
      'skipped echo',
    ]);
  });

  test('passes on what it shared, once', async () => {
    const [a, b, c] = await accounts(3);
    await world.rule(userId, a, [b]);
    await world.rule(userId, b, [c]);
    await own(a, 'Passed on');
    await byPhone(b, 'Passed on', { durationMs: 5_100 });
    await world.check();
    await world.later();
    expect([await on(b), await on(c)].map(({ length }) => length)).toEqual([0, 1]);
  });

  test('gets what its user sends there directly', async () => {
    const [a, b] = await accounts(2);
    await world.rule(userId, a, [b]);
    await byPhone(b, 'Both places', { durationMs: 5_100 });
    await world.send(userId, b, 'Both places');
    expect(await on(b)).toHaveLength(1);
  });
});

describe('different videos with one caption', () => {
  test.each([
    ['lists with exact lengths', 4_000, 6_001],
    ['lists with whole seconds', 4_000, 5_000],
    ['lists without lengths', null, null],
  ])('are both reposted from %s', async (_, first, second) => {
    const [a, c, y] = await accounts(3);
    await world.rule(userId, a, [y]);
    await world.rule(userId, c, [y]);
    await byPhone(a, '#fyp', { durationMs: first });
    await world.check();
    useFile(5);
    await byPhone(c, '#fyp', { durationMs: second });
    await world.check();
    await world.later();
    expect(await on(y)).toHaveLength(2);
  });

  test('differ after two days of pause', async () => {
    const [a, c, y] = await accounts(3);
    await world.rule(userId, a, [y]);
    const rule = await world.rule(userId, c, [y]);
    await byPhone(a, '#fyp', { durationMs: 4_000 });
    await world.check();
    useFile(5);
    await byPhone(c, '#fyp', { durationMs: null });
    await world.db.clock.advance(MINUTE);
    const paused = (is: boolean) => pauseRule({ db: world.db, connectors: {} }, userId, rule, { isPaused: is });
    await paused(true);
    await world.check();
    await world.later(2 * DAY);
    await paused(false);
    await world.later();
    expect(await on(y)).toHaveLength(2);
  });

  test('on one account are both reposted', async () => {
    const [a, y] = await accounts(2);
    await world.rule(userId, a, [y]);
    for (let n = 0; n < 2; n++) {
      await byPhone(a, '#fyp');
      await world.check();
      await publish(y);
      await world.later(HOUR);
    }
    expect(await on(y)).toHaveLength(2);
  });

  test('differ by text alone without a file', async () => {
    const [a, c, y] = await accounts(3);
    await world.rule(userId, a, [y]);
    const rule = await world.rule(userId, c, [y]);
    await byPhone(a, '#fyp', { durationMs: null });
    await world.check();
    world.flow.file = async () => ({ found: 'gone' });
    await world.show(c, { remoteId: 'announced', text: '#fyp', durationMs: null, file: null });
    await world.later();
    expect((await world.firings(rule)).map((line) => line.split(': ')[1])).toEqual(['skipped echo']);
  });
});

test('a copy is reposted by hand and stays apart', async () => {
  const [a, c, y] = await accounts(3);
  await world.rule(userId, a, [y]);
  const rule = await world.rule(userId, c, [y]);
  await byPhone(a, 'My trip to Rome');
  await world.check();
  await byPhone(c, 'My trip to Rome');
  await world.later();
  const [item] = await world.db.query<{ id: string }>('select id from firing where rule_id = $1', [rule]);
  const deps = { db: world.db, connectors: {}, downloads: false, renderMessage: String } as never;
  await repostByHand(deps, userId, { ruleId: rule, itemId: item?.id ?? '' });
  await world.check();
  expect(await on(y)).toHaveLength(2);
  const origins = await world.db.query('select distinct origin_id from target where account_id = $1', [y.id]);
  expect(origins).toHaveLength(2);
});

describe('two users with the same accounts', () => {
  test.each(['EXPIRED', 'limit'])('do not depend on each other when one is %s', async (state) => {
    const { db } = world;
    const [anna, ben] = [await world.newUser(), await world.newUser()];
    const [source, to] = [await world.account(anna), await world.account(anna)];
    const [source2, to2] = [await world.account(ben, source), await world.account(ben, to)];
    await world.rule(anna, source, [to]);
    const rule = await world.rule(ben, source2, [to2]);
    if (state === 'EXPIRED') await db.execute(`update account set status = 'EXPIRED' where id = $1`, [to.id]);
    else
      await db.execute(
        `insert into usage (user_id, month, posts) values ($1, date_trunc('month', app_now())::date, 1000000)`,
        [anna],
      );
    await world.posted(await world.send(anna, source, `Take ${state}`), `both-${state}`);
    await world.show(source, { remoteId: `both-${state}`, text: `Take ${state}` });
    await world.check();
    for (let n = 0; n < 3; n++) await world.later(HOUR);
    expect(await world.firings(rule)).toEqual([`both-${state}: reposted`]);
  });

  test('get one video once, from whichever source', async () => {
    const [anna, ben] = [await world.newUser(), await world.newUser()];
    const [ofAnna, to] = [await world.account(anna), await world.account(anna)];
    const [ofBen, to2] = [await world.account(ben), await world.account(ben, to)];
    await world.rule(anna, ofAnna, [to]);
    await world.rule(ben, ofBen, [to2]);
    await byPhone(ofAnna, 'The same film');
    await byPhone(ofBen, 'The same film');
    await world.check();
    await world.later();
    expect([...(await on(to)), ...(await on(to2))]).toHaveLength(1);
  });

  test('compare what was on the first source', async () => {
    const [anna, ben] = [await world.newUser(), await world.newUser()];
    const [source, shared] = [await world.account(anna), await world.account(anna)];
    const [shared2, to] = [await world.account(ben, shared), await world.account(ben)];
    await caption(await world.rule(anna, source, [shared]), 'First on {source}');
    const rule = await world.rule(ben, shared2, [to]);
    await byPhone(to, 'The same film', { durationMs: 4_100 });
    await byPhone(source, 'The same film');
    await world.check();
    await publish(shared);
    const [repost] = await on(shared);
    const text = 'The same film\nFirst on @source';
    await byPhone(shared, text, { remoteId: `of-${repost?.id}` });
    await world.later();
    expect(await world.firings(rule)).toEqual([`of-${repost?.id}: skipped echo`]);
  });
});

test('a possible copy makes nothing else a copy', async () => {
  const [a, c, y] = await accounts(3);
  const [rule] = [await world.rule(userId, a, [y]), await world.rule(userId, c, [y])];
  await byPhone(c, 'Series');
  await world.check();
  await world.later();
  await publish(y);
  // Another video of the series, which cannot be downloaded.
  world.flow.file = async () => ({ found: 'none', why: sayRule('platform_without_files', { platform: 'Mastodon' }) });
  await byPhone(a, 'Series', { durationMs: 5_000 });
  await world.check();
  await world.later();
  expect(await world.firings(rule)).toEqual([expect.stringContaining('skipped echo')]);
  // The first one again.
  useFile(4);
  await byPhone(a, 'Series');
  await world.check();
  await world.later();
  expect(await on(y)).toHaveLength(1);
});

describe('a target that is not settled', () => {
  const unsettled = async (account: AccountRow, text: string) => {
    const target = await world.send(userId, account, text);
    await world.db.execute(
      `update target set state = 'unknown', unproven = true, begun_at = app_now(), committed_at = app_now(),
         unknown_since = app_now() where id = $1`,
      [target],
    );
    await world.db.clock.advance(SECOND);
  };

  test('does not delay posts with other texts', async () => {
    const [a, y] = await accounts(2);
    const rule = await world.rule(userId, a, [y]);
    await unsettled(a, 'Lost answer');
    await byPhone(a, 'Another day', { durationMs: null });
    await world.check();
    expect((await world.firings(rule)).map((line) => line.split(': ')[1])).toEqual(['reposted']);
  });

  test('holds a post with its text', async () => {
    const [a, y] = await accounts(2);
    const rule = await world.rule(userId, a, [y]);
    await unsettled(a, 'Lost answer');
    await byPhone(a, 'Lost answer', { durationMs: null });
    await world.check();
    await world.later(MINUTE);
    expect(await world.firings(rule)).toEqual([]);
  });
});

test.each([
  ['yesterday is', DAY, 1],
  ['eight days ago is not', 8 * DAY, 2],
])('a send of unknown outcome %s the same video', async (_, ago, count) => {
  const [a, y] = await accounts(2);
  await world.rule(userId, a, [y]);
  const target = await world.send(userId, y, 'My trip to Rome');
  await world.db.execute(
    `update target set state = 'failed', code = 'outcome_unknown', due_at = null, begun_at = app_now(),
       committed_at = app_now(), settled_at = app_now() where id = $1`,
    [target],
  );
  await world.db.execute(`update media set facts = facts || '{"durationMs": 4000}'`);
  await world.db.clock.advance(ago);
  await byPhone(a, 'My trip to Rome');
  await world.check();
  await world.later();
  expect(await on(y)).toHaveLength(count);
});
