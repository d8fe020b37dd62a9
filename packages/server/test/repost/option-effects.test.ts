import { describe, expect, test } from 'vitest';
import { ENGLISH } from '../../src/messages/formats.ts';
import { type RuleScene, setUpRules } from './rule-scene.ts';

let { world, user, a, b } = {} as RuleScene;
setUpRules((scene) => {
  ({ world, user, a, b } = scene);
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const clock = () => world.service.db.clock;
const time = async () => (await clock().now()).getTime();
const texts = () => world.texts(user);

/** Moves to the next time that has this hour in UTC. */
async function toHour(hour: number): Promise<void> {
  const now = await time();
  const at = new Date(now).setUTCHours(hour, 0, 0, 0);
  await world.until(at > now ? at : at + DAY);
}

test('a delay holds back a repost by its minutes', async () => {
  const id = await world.rule(user, a, [b], { delayMinutes: 30 });
  const postedAt = await time();
  await world.own(user, a);
  await world.fire();
  const [item] = await world.activity(user, id);
  expect(item).toMatchObject({ status: 'waiting', reason: 'delayed', repostable: true });
  expect(Date.parse(item?.waitingUntil ?? '')).toBeGreaterThanOrEqual(postedAt + 30 * MINUTE);
  await clock().advance(29 * MINUTE);
  await world.fire();
  expect(await texts()).toEqual([]);
  await clock().advance(MINUTE);
  await world.fire();
  expect(await texts()).toEqual(['From here']);
});

test('jitter draws one time per item, within its limit', async () => {
  const id = await world.rule(user, a, [b], { jitterMinutes: 1_440 });
  const postedAt = await time();
  for (let at = 0; at < 4; at++) await world.own(user, a);
  await world.fire();
  const drawn = (await world.activity(user, id)).map(({ waitingUntil }) => Date.parse(waitingUntil ?? ''));
  expect(new Set(drawn).size).toBe(4);
  for (const each of drawn) expect(each - postedAt).toBeLessThan(DAY + MINUTE);
  // Deciding again does not draw again.
  await world.service.db.execute(`update firing set due_at = app_now() where rule_id = $1`, [id]);
  await world.fire();
  const again = (await world.activity(user, id)).map(({ waitingUntil }) => Date.parse(waitingUntil ?? ''));
  expect(again).toEqual(drawn);
  await clock().advance(DAY);
  await world.fire();
  expect(await texts()).toHaveLength(4);
});

test('quiet hours hold back reposts until they end', async () => {
  const id = await world.rule(user, a, [b], { quietHours: { from: '22:00', to: '06:00', zone: 'UTC' } });
  await toHour(23);
  await world.own(user, a);
  await world.fire();
  expect(await world.activity(user, id)).toMatchObject([{ status: 'waiting', reason: 'quiet_hours' }]);
  await toHour(5);
  await world.fire();
  expect(await texts()).toEqual([]);
  await toHour(6);
  await world.fire();
  expect(await texts()).toEqual(['From here']);
});

test('the daily limit delays the rest to the next day', async () => {
  const id = await world.rule(user, a, [b], { maxPerDay: 2 });
  await toHour(1);
  for (const text of ['1', '2', '3']) await world.own(user, a, text);
  await world.fire();
  expect(await texts()).toHaveLength(2);
  expect((await world.activity(user, id)).filter(({ status }) => status === 'waiting')).toMatchObject([
    { reason: 'rule_daily_limit' },
  ]);
  await toHour(0);
  await clock().advance(DAY / 24);
  await world.fire();
  expect(await texts()).toHaveLength(3);
});

test('a wait shows the time in its text', async () => {
  const id = await world.rule(user, a, [b], { maxPerDay: 1, zone: 'America/New_York' });
  for (const text of ['1', '2', '3']) await world.own(user, a, text);
  await world.fire();
  const items = (await world.activity(user, id)).filter(({ status }) => status === 'waiting');
  expect(items).toHaveLength(2);
  const { time } = ENGLISH.inZone('America/New_York');
  for (const { text, waitingUntil } of items) expect(text).toContain(time(Date.parse(String(waitingUntil))));
});

test('no day wakes more than its limit, the oldest first', async () => {
  const id = await world.rule(user, a, [b], { maxPerDay: 2 });
  await toHour(1);
  const now = await time();
  // Lists begin with the newest.
  const names = ['7', '6', '5', '4', '3', '2', '1'];
  await world.foreign(a, ...names.map((text) => ({ text, publishedAt: now })));
  await world.service.db.execute(
    `update watched_post set published_at = published_at - interval '1 hour' - text::integer * interval '1 minute'`,
  );
  await world.settle(user);
  const waiting = await world.service.db.query<{ text: string; at: Date }>(
    `select w.text, f.due_at as at from firing f join watched_post w on w.id = f.watched_post_id
     where f.rule_id = $1 and f.state = 'waiting' order by f.due_at`,
    [id],
  );
  expect(waiting).toHaveLength(5);
  const order = waiting.map(({ text }) => Number(text));
  expect(order).toEqual(order.toSorted((x, y) => y - x));
  const days = waiting.map(({ at }) => Math.floor((at.getTime() - now) / DAY));
  expect(days).toEqual([0, 0, 1, 1, 2]);
});

test.each([
  ['skipped', (postId: string) => loseVideo(postId), ['4', '3', '1']],
  ['reposted by hand', (_: string, item: string) => user.post(item), ['4', '3', '2', '1']],
])('the day of an item that was %s is used', async (_, leave, reposted) => {
  const id = await world.rule(user, a, [b], { maxPerDay: 1 });
  await toHour(13);
  const posts: string[] = [];
  for (const name of ['1', '2', '3', '4']) {
    posts.push(await world.own(user, a, name));
    await world.fire();
  }
  const second = (await world.activity(user, id)).find(({ caption }) => caption === '2');
  await leave(posts[1] ?? '', `/repost/${id}/activity/${second?.id}/repost`);
  for (let day = 0; day < 2; day++) {
    await toHour(0);
    // Items come a second apart.
    for (let second = 0; second < 2; second++) {
      await world.fire();
      await clock().advance(1_000);
    }
    await toHour(13);
  }
  expect(await texts()).toEqual(reposted);
});

test('an item that is skipped immediately frees its day', async () => {
  const id = await world.rule(user, a, [b], { maxPerDay: 1, filters: { excludes: ['unwanted'] } });
  await toHour(13);
  await world.own(user, a, '1');
  await world.fire();
  const skipped = await world.own(user, a, 'unwanted');
  await world.own(user, a, '3');
  // The next one is decided first.
  await world.service.db.execute(
    `update firing f set due_at = app_now() + interval '1 minute' from target t where t.id = f.target_id and t.post_id = $1`,
    [skipped],
  );
  await world.fire();
  await clock().advance(MINUTE);
  await world.fire();
  await world.fire();
  const [waiting] = await world.activity(user, id);
  expect(waiting).toMatchObject({ caption: '3', reason: 'rule_daily_limit' });
  expect(Date.parse(waiting?.waitingUntil ?? '') - (await time())).toBeLessThan(12 * HOUR);
});

/** Removes the video of a post, so that it cannot be reposted. */
async function loseVideo(postId: string): Promise<void> {
  await world.service.db.execute(
    `update media set state = 'gone' where id = (select media_id from post where id = $1)`,
    [postId],
  );
}

test('an item over the daily limit is finally skipped', async () => {
  const id = await world.rule(user, a, [b], { maxPerDay: 1 });
  await toHour(1);
  for (const text of ['1', '2', '3', '4', '5', '6']) {
    await world.own(user, a, text);
    await world.fire();
  }
  for (let day = 0; day < 5; day++) {
    await world.fire();
    await clock().advance(DAY);
  }
  const items = await world.activity(user, id);
  const states = items.map(({ caption, status, reason }) => [caption, status, reason]);
  expect(states).toEqual([
    ['6', 'skipped', 'over_daily_limit'],
    ['5', 'skipped', 'over_daily_limit'],
    ['4', 'reposted', 'reposting'],
    ['3', 'reposted', 'reposting'],
    ['2', 'reposted', 'reposting'],
    ['1', 'reposted', 'reposting'],
  ]);
  expect(items[0]).toMatchObject({ text: 'Skipped: it waited longer than 3 days for the limit of 1 a day.' });
});

test('a pause does not count towards the daily limit', async () => {
  const id = await world.rule(user, a, [b], { maxPerDay: 1 });
  await toHour(1);
  for (const text of ['1', '2', '3']) {
    await world.own(user, a, text);
    await world.fire();
  }
  await user.post('/repost/pause', { id, isPaused: true });
  for (let day = 0; day < 6; day++) {
    await clock().advance(DAY);
    await world.fire();
  }
  await user.post('/repost/pause', { id, isPaused: false });
  await world.fire();
  await clock().advance(DAY);
  await world.fire();
  expect(await texts()).toEqual(['3', '2', '1']);
});

test('an item over the daily limit keeps no file', async () => {
  const { db } = world.service;
  const id = await world.rule(user, a, [b], { maxPerDay: 1 });
  await toHour(1);
  await world.foreign(a, { text: 'First' });
  await world.settle(user);
  const videos = () => db.query(`select id from media where user_id = $1 and state = 'stored'`, [user.userId]);
  const before = await videos();
  await world.foreign(a, { text: 'Second' });
  await world.fire();
  expect(await world.activity(user, id)).toMatchObject([{ reason: 'rule_daily_limit' }, {}]);
  expect(await world.download(user)).toBe(0);
  // This file is there before the limit is reached.
  await db.execute(`update rule set options = '{"maxPerDay": 2, "delayMinutes": 5}' where id = $1`, [id]);
  await world.foreign(a, { text: 'Third' });
  await world.settle(user);
  await db.execute(`update rule set options = '{"maxPerDay": 1}' where id = $1`, [id]);
  await clock().advance(5 * MINUTE);
  await world.fire();
  expect(await world.activity(user, id)).toMatchObject([{ caption: 'Third', reason: 'rule_daily_limit' }, {}, {}]);
  expect(await videos()).toEqual(before);
  for (let day = 0; day < 2; day++) {
    await clock().advance(DAY);
    await world.settle(user);
  }
  expect(await texts()).toEqual(['Third', 'Second', 'First']);
});

test('a source above the daily limit builds no endless backlog', async () => {
  const { db } = world.service;
  const id = await world.rule(user, a, [b], { maxPerDay: 2 });
  await toHour(1);
  const waiting: number[] = [];
  for (let day = 1; day <= 8; day++) {
    await world.foreign(a, ...Array.from({ length: 5 }, (_, n) => ({ text: `Day ${day}, ${n}` })));
    await world.settle(user);
    const [row] = await db.query<{ count: number }>(
      `select count(*)::integer as count from firing where rule_id = $1 and state = 'waiting'`,
      [id],
    );
    waiting.push(row?.count ?? 0);
    await clock().advance(DAY);
  }
  // At most three days.
  expect(Math.max(...waiting)).toBeLessThanOrEqual(15);
  expect(await db.query(`select from firing where rule_id = $1 and state = 'reposted'`, [id])).toHaveLength(16);
  // No file is kept for those that wait: each stored one belongs to a repost.
  expect(await db.query(`select from source_file where state = 'stored' and user_id = $1`, [user.userId])).toHaveLength(
    16,
  );
});

test('the daily limit uses the local day of its zone', async () => {
  await world.rule(user, a, [b], { maxPerDay: 1, zone: 'Asia/Kolkata' });
  await toHour(17);
  await world.own(user, a, '1');
  await world.fire();
  // 18:30 UTC is midnight in India.
  await clock().advance(HOUR);
  await world.own(user, a, '2');
  await world.fire();
  expect(await texts()).toEqual(['1']);
  await clock().advance(HOUR);
  await world.fire();
  expect(await texts()).toEqual(['2', '1']);
});

test('foreign content has a safety limit of 25 a day', async () => {
  const id = await world.rule(user, a, [b]);
  await toHour(1);
  await world.foreign(a, ...Array.from({ length: 27 }, (_, at) => ({ text: `Clip number ${at}` })));
  await world.settle(user);
  const counts = await world.service.db.query(
    `select state, reason->>'code' as code, count(*)::integer as count from firing where rule_id = $1 group by 1, 2 order by 1`,
    [id],
  );
  expect(counts).toEqual([
    { state: 'reposted', code: null, count: 25 },
    { state: 'waiting', code: 'rule_daily_limit', count: 2 },
  ]);
  // The limit can be raised, which applies to what waits.
  await user.call('PATCH', `/repost/${id}`, { json: { options: { maxPerDay: 1_000 } } });
  await world.settle(user);
  expect(
    await world.service.db.query(`select from firing where rule_id = $1 and state = 'reposted'`, [id]),
  ).toHaveLength(27);
});

test('own content has no limit by default', async () => {
  await world.rule(user, a, [b]);
  await toHour(1);
  for (let at = 0; at < 26; at++) await world.own(user, a, `Clip ${at}`);
  await world.fire();
  const [{ count } = { count: 0 }] = await world.service.db.query<{ count: number }>(
    'select count(*)::integer as count from post where user_id = $1 and is_repost',
    [user.userId],
  );
  expect(count).toBe(26);
});

test('two workers at once do not pass the daily limit', async () => {
  await world.rule(user, a, [b], { maxPerDay: 3 });
  await toHour(1);
  for (let at = 0; at < 10; at++) await world.own(user, a, `Clip ${at}`);
  await Promise.all([world.fire(), world.fire()]);
  expect(await texts()).toHaveLength(3);
});

test('a caption template renders the repost', async () => {
  await world.rule(user, a, [b], {
    caption: { template: '{caption} via {source}', removeMentions: true, append: 'More: {hashtags}' },
  });
  await world.own(user, a, 'Sunset @nora #run');
  await world.fire();
  const [text] = await texts();
  expect(text).toMatch(/^Sunset #run via @name-\w+\nMore: #run$/);
});

test.each([{}, { caption: { template: '{caption}' } }])(
  'right-to-left text and emoji are not changed (%o)',
  async (options) => {
    // A word from right to left beside one from left to right, a family of four people, and a hashtag.
    const text = 'مرحبا \u202bReelay\u202c 👨\u200d👩\u200d👧\u200d👦 #שלום';
    await world.rule(user, a, [b], options);
    await world.own(user, a, text);
    await world.fire();
    expect(await texts()).toEqual([text]);
  },
);

test('a caption over 5,000 characters is skipped', async () => {
  const id = await world.rule(user, a, [b], { caption: { append: 'x' } });
  await world.foreign(a, { text: '𝒜'.repeat(4_999) }, { text: '𝒞'.repeat(4_998) });
  await world.settle(user);
  const items = await world.activity(user, id);
  expect(items.map(({ status, reason, repostable }) => [status, reason, repostable]).sort()).toEqual([
    ['reposted', 'repost_failed', false],
    ['skipped', 'caption_too_long', false],
  ]);
  expect(items.every(({ caption }) => [...caption].length === 100)).toBe(true);
});

describe('filters', () => {
  test.each([
    [{ contains: ['sunset'] }, 'filtered_missing_word'],
    [{ excludes: ['PHONE'] }, 'filtered_word'],
    [{ hashtags: ['run'] }, 'filtered_hashtag'],
    [{ minSeconds: 6 }, 'filtered_too_short'],
    [{ maxSeconds: 4.9 }, 'filtered_too_long'],
  ])('%j skips the content', async (filters, reason) => {
    const id = await world.rule(user, a, [b], { filters });
    await world.foreign(a, {});
    await world.settle(user);
    expect(await world.activity(user, id)).toMatchObject([{ status: 'skipped', reason, repostable: true }]);
    expect(await texts()).toEqual([]);
  });

  test('content that meets them is reposted', async () => {
    await world.rule(user, a, [b], {
      filters: { contains: ['PHONE'], excludes: ['sunset'], minSeconds: 5, maxSeconds: 5 },
    });
    await world.foreign(a, {});
    await world.settle(user);
    expect(await texts()).toEqual(['From my phone']);
  });
});

test('each fit requests its own file', async () => {
  const id = await world.rule(user, a, [b]);
  await world.foreign(a, {});
  await world.fire();
  const notVertical = { code: 'file_rejected', params: { reason: 'The video is 100×100, not vertical (9:16).' } };
  await world.download(user, notVertical);
  await world.fire();
  expect(await world.activity(user, id)).toMatchObject([
    { status: 'skipped', reason: 'file_rejected', repostable: false },
  ]);
  await user.call('PATCH', `/repost/${id}`, { json: { options: { fit: 'crop' } } });
  const [item] = await world.activity(user, id);
  expect(item).toMatchObject({ repostable: true });
  await user.post(`/repost/${id}/activity/${item?.id}/repost`);
  await world.settle(user);
  expect(await texts()).toEqual(['From my phone']);
  expect(
    await world.service.db.query('select fit, state from source_file where user_id = $1 order by fit', [user.userId]),
  ).toEqual([
    { fit: '', state: 'failed' },
    { fit: 'crop', state: 'stored' },
  ]);
});

test('privacy becomes an option of its destination', async () => {
  const tiktok = await world.account(user, 'tiktok');
  await world.rule(user, a, [b, tiktok], { privacy: { [tiktok.id]: 'SELF_ONLY' } });
  await world.own(user, a);
  await world.fire();
  const rows = await world.service.db.query(
    `select t.account_id, t.options from target t join post p on p.id = t.post_id where p.user_id = $1 and p.is_repost
     order by t.position`,
    [user.userId],
  );
  expect(rows).toEqual([
    { account_id: b.id, options: {} },
    { account_id: tiktok.id, options: { privacy: 'SELF_ONLY' } },
  ]);
});

test('a delayed item waits while the rule is paused', async () => {
  const id = await world.rule(user, a, [b], { delayMinutes: 10 });
  await world.own(user, a);
  await world.fire();
  await user.post('/repost/pause', { id, isPaused: true });
  expect(await world.activity(user, id)).toMatchObject([{ status: 'waiting', reason: 'rule_paused' }]);
  await clock().advance(HOUR);
  await world.fire();
  expect(await texts()).toEqual([]);
  await world.own(user, a, 'While paused');
  await user.post('/repost/pause', { id, isPaused: false });
  await world.fire();
  expect(await texts()).toEqual(['From here']);
  expect(await world.activity(user, id)).toMatchObject([
    { status: 'skipped', reason: 'posted_while_paused' },
    { status: 'reposted' },
  ]);
});

test('a destination that rejects the caption fails alone', async () => {
  const instagram = await world.account(user, 'instagram');
  const facebook = await world.account(user, 'facebook');
  const id = await world.rule(user, a, [b, instagram, facebook]);
  await world.foreign(a, { text: Array.from({ length: 31 }, (_, at) => `#h${at}`).join(' ') });
  await world.settle(user);
  await world.foreign(a, { text: 'a'.repeat(501) });
  await world.settle(user);
  const failed = (await world.reposts(user)).map(({ result }) => result.map(({ message }) => message ?? null));
  expect(failed).toEqual([
    ['caption_rejected', null, null],
    [null, 'caption_rejected', null],
  ]);
  expect(await world.activity(user, id)).toMatchObject([{ reason: 'reposting' }, { reason: 'reposting' }]);
});

test('an old rule without options fires unchanged', async () => {
  const id = await world.rule(user, a, [b]);
  await world.own(user, a, 'Unchanged @nora #run  \n\n');
  await world.fire();
  expect(await texts()).toEqual(['Unchanged @nora #run  \n\n']);
  expect(await world.activity(user, id)).toMatchObject([{ status: 'reposted', reason: 'reposting' }]);
});
