import { expect, test } from 'vitest';
import { cursorText } from '../../src/errors/cursor.ts';
import type { AccountRow } from '../harness/rows.ts';
import type { TestUser } from '../harness/service.ts';
import { queuePost } from '../post/world.ts';
import { setUpRules } from './rule-scene.ts';
import type { Item, RuleWorld } from './rule-world.ts';

let world: RuleWorld;
let user: TestUser;
let a: AccountRow;
let b: AccountRow;
let c: AccountRow;
setUpRules((scene) => {
  ({ world, user, a, b, c } = scene);
});

const activity = (id: string, query?: Record<string, string | number>) => user.get(`/repost/${id}/activity`, query);

test('an item shows its content and its repost', async () => {
  const id = await world.rule(user, a, [b]);
  await world.foreign(a, { text: 'é'.repeat(300), url: 'https://social.example/1', durationMs: 5_250 });
  // The length of the downloaded file.
  await world.settle(user);
  const { body } = await activity(id);
  const [post] = await world.reposts(user);
  expect(body.data).toEqual([
    {
      id: expect.any(String),
      seenAt: expect.any(String),
      publishedAt: expect.any(String),
      origin: 'foreign',
      caption: 'é'.repeat(200),
      url: 'https://social.example/1',
      durationMs: 5_000,
      status: 'reposted',
      reason: 'reposting',
      text: expect.stringMatching(/^Being reposted to Mastodon @name-\w+\.$/),
      postId: (post as unknown as { id: string }).id,
      repostable: false,
    },
  ]);
  expect(body).toMatchObject({ next: null, watch: { mode: 'files', text: '', problem: null } });
});

test('a repost shows the outcome of its targets', async () => {
  const id = await world.rule(user, a, [b, c]);
  await world.own(user, a);
  await world.fire();
  const shown = async () => (await world.activity(user, id))[0]?.text.replaceAll(/name-\w+/g, 'name');
  await world.settleReposts(user, b, 'posted');
  expect(await shown()).toBe('Being reposted to Bluesky @name.');
  await world.settleReposts(user, c, 'posted');
  expect(await shown()).toBe('Reposted to Mastodon @name, Bluesky @name.');
  await world.settleReposts(user, c, 'failed', 'The video was rejected.');
  expect(await shown()).toBe('Reposted to Mastodon @name. Failed on Bluesky @name.');
  await world.settleReposts(user, b, 'failed', 'The account is gone.');
  expect(await shown()).toBe('The repost failed. The account is gone.');
});

test('removed reposts and sources stay in the activity', async () => {
  const id = await world.rule(user, a, [b]);
  const source = await world.own(user, a, 'To be removed');
  await world.fire();
  await world.settleReposts(user, b, 'posted');
  const [item] = await world.activity(user, id);
  expect((await user.call('DELETE', `/post/${item?.postId}`)).status).toBe(200);
  expect(await world.activity(user, id)).toMatchObject([{ reason: 'repost_removed', caption: 'To be removed' }]);
  expect((await user.call('DELETE', `/post/${source}`)).status).toBe(200);
  const [last] = await world.activity(user, id);
  expect(last).toMatchObject({ status: 'reposted', caption: '', publishedAt: expect.any(String) });
  expect(last).not.toHaveProperty('postId');
});

test('a source that deletes its post is noted', async () => {
  const id = await world.rule(user, a, [b]);
  await world.foreign(a, {});
  await world.settle(user);
  await world.removeAll(a);
  expect(await world.activity(user, id)).toMatchObject([
    {
      status: 'reposted',
      sourceDeletedAt: expect.any(String),
      repostable: false,
      text: expect.stringMatching(/ The source post was deleted later\. Its reposts remain\.$/),
    },
  ]);
});

test('an edited caption is noted after the repost began', async () => {
  const id = await world.rule(user, a, [b]);
  const [kept, edited] = [{ remoteId: 'kept' }, { remoteId: 'edited' }];
  await world.foreign(a, kept, { ...edited, text: 'Before' });
  await world.foreign(a, kept, { ...edited, text: 'Before the repost' });
  await world.settle(user);
  const captions = async () =>
    (await world.activity(user, id)).map(({ caption, text, sourceEditedAt }) => ({
      caption,
      isNoted: text.endsWith(' The caption was edited later on the source. Its reposts remain unchanged.'),
      hasTime: sourceEditedAt !== undefined,
    }));
  const unchanged = { isNoted: false, hasTime: false };
  expect(await captions()).toContainEqual({ caption: 'Before the repost', ...unchanged });
  await world.service.db.execute('update target set begun_at = app_now() where user_id = $1', [user.userId]);
  await world.service.db.clock.advance(60_000);
  await world.foreign(a, kept, { ...edited, text: 'After' });
  // A later check changes nothing.
  await world.foreign(a, kept, { ...edited, text: 'After' });
  const after = await captions();
  expect(after).toHaveLength(2);
  expect(after).toContainEqual({ caption: 'From my phone', ...unchanged });
  expect(after).toContainEqual({ caption: 'After', isNoted: true, hasTime: true });
});

test('a post that may be ours waits in the activity', async () => {
  const id = await world.rule(user, a, [b]);
  const { db } = world.service;
  const postId = await queuePost(world.service, user.userId, [a], { description: 'Whose?' });
  await db.execute(
    `update target set state = 'unknown', begun_at = app_now(), committed_at = app_now() where post_id = $1`,
    [postId],
  );
  await world.foreign(a, { text: 'Whose?', durationMs: null });
  const [item] = await world.activity(user, id);
  expect(item).toMatchObject({
    status: 'waiting',
    reason: 'match_pending',
    caption: 'Whose?',
    origin: 'foreign',
    repostable: false,
    text: 'Waiting, because an earlier post on this account has an unknown outcome and may be this one.',
  });
  await world.own(user, a);
  const first = (await activity(id, { limit: 2 })).body;
  expect(first).toMatchObject({ data: [{ id: item?.id }, { reason: 'undecided' }], next: null });
  expect((await activity(id, { limit: 1 })).body.data).toMatchObject([{ reason: 'undecided' }]);
  await db.execute(`update target set state = 'failed', code = 'platform_error', due_at = null where post_id = $1`, [
    postId,
  ]);
  expect((await world.activity(user, id)).map(({ reason }) => reason)).toEqual(['undecided']);
});

test('downloads are shown while they run and when they repeat', async () => {
  const id = await world.rule(user, a, [b]);
  await world.foreign(a, {});
  await world.fire();
  expect(await world.activity(user, id)).toMatchObject([{ status: 'waiting', reason: 'file_fetching' }]);
  await world.service.db.execute(
    `update source_file set problem = '{"code": "download_failed", "params": {"reason": "timeout"}}',
       due_at = app_now() + interval '1 hour' where user_id = $1`,
    [user.userId],
  );
  const [item] = await world.activity(user, id);
  expect(item).toMatchObject({ reason: 'file_retry', waitingUntil: expect.any(String) });
  expect(item?.text).toMatch(/^The download failed\. timeout Trying to download the video again at \w+ \d+, 2\d+ at /);
});

test('an undecided item waits to be processed', async () => {
  const id = await world.rule(user, a, [b]);
  await world.own(user, a);
  expect(await world.activity(user, id)).toMatchObject([{ status: 'waiting', reason: 'undecided', origin: 'own' }]);
});

test('pages stay stable while items arrive', async () => {
  const id = await world.rule(user, a, [b]);
  await world.foreign(a, ...Array.from({ length: 7 }, (_, at) => ({ text: `Clip ${at}` })));
  // Equal moments are ordered by id.
  await world.service.db.execute('update firing set created_at = app_now() where rule_id = $1', [id]);
  const whole = (await activity(id)).body.data.map((item: Item) => item.id);
  expect(whole).toHaveLength(7);
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await activity(id, { limit: 2, ...(cursor ? { cursor } : {}) });
    seen.push(...body.data.map((item: Item) => item.id));
    cursor = body.next;
    await world.service.db.clock.advance(1);
    await world.own(user, a, 'New');
  }
  expect(seen).toEqual(whole);
  expect((await activity(id, { limit: 50 })).body).toMatchObject({ data: { length: 11 }, next: null });
});

test.each([
  [{ cursor: 'nothing' }],
  [{ cursor: '' }],
  [{ cursor: cursorText({ micros: '99999999999999999', id: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b' }) }],
  [{ cursor: cursorText({ micros: '1', id: '019a0b1c' }) }],
  [{ limit: 0 }],
  [{ limit: 51 }],
  [{ limit: 'many' }],
])('the query %j is rejected', async (query) => {
  const id = await world.rule(user, a, [b]);
  expect(await activity(id, query as Record<string, string>)).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  });
});

test('an implausible cursor returns an empty or full page', async () => {
  const id = await world.rule(user, a, [b]);
  await world.own(user, a);
  const uuid = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b';
  expect((await activity(id, { cursor: cursorText({ micros: '0', id: uuid }) })).body).toMatchObject({
    data: [],
    next: null,
  });
  expect((await activity(id, { cursor: cursorText({ micros: '9999999999999999', id: uuid }) })).body.data).toHaveLength(
    1,
  );
});

test("another user's rule is unknown everywhere", async () => {
  const other = await world.service.newUser();
  const from = await world.account(other);
  const id = await world.rule(other, from, [await world.account(other)]);
  await world.own(other, from);
  const [item] = await world.activity(other, id);
  const mine = await world.rule(user, a, [b]);
  const answers = [
    await activity(id),
    await user.call('PATCH', `/repost/${id}`, { json: { options: {} } }),
    await user.post(`/repost/${id}/activity/${item?.id}/repost`),
    await activity('nothing'),
    await user.call('PATCH', '/repost/nothing', { json: { options: {} } }),
  ];
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [404, 'unknown_rule']));
  // The item belongs to another rule.
  expect(await user.post(`/repost/${mine}/activity/${item?.id}/repost`)).toMatchObject({
    status: 404,
    body: { code: 'unknown_item' },
  });
});
