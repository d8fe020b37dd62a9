import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_LINES } from '../../src/publishing/timeline-store.ts';
import type { AccountRow } from '../harness/rows.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { addReadyAccount, queuePost, startPostService } from './world.ts';

let service: TestService;
let user: TestUser;
let account: AccountRow;
let postId: string;
let at: number;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newUser();
  account = await addReadyAccount(service.db, user.userId);
  at = (await service.db.clock.now()).getTime() + 3_600_000;
  postId = await queuePost(service, user.userId, [account], { at });
});
afterAll(() => service.close());

const edit = (json: unknown, id = postId) => user.call('PATCH', `/post/${id}`, { json });
const refusal = async (json: unknown) => {
  const { status, body } = await edit(json);
  return `${status} ${body.code}`;
};
const target = async () =>
  (await service.db.query('select version, due_at, counts_from from target where post_id = $1', [postId]))[0];
const lane = async () =>
  (
    await service.db.query<{ next_due_at: Date }>('select next_due_at from lane where identity_id = $1', [
      account.identityId,
    ])
  )[0]?.next_due_at;

test('changes the text, even if a worker has read it', async () => {
  const before = await target();
  const { status, body } = await edit({ description: 'Better' });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ id: postId, description: 'Better', date: new Date(at).toISOString() });
  expect(await target()).toEqual({ ...before, version: Number(before?.version) + 1 });
});

test("an option's addition counts towards the new text", async () => {
  const instance = await addReadyAccount(service.db, user.userId, { platform: 'mastodon' });
  const id = await queuePost(service, user.userId, [instance], { at });
  const options = JSON.stringify({ spoilerText: 'Loud' });
  await service.db.execute('update target set options = $2 where post_id = $1', [id, options]);
  expect((await edit({ description: 'a'.repeat(497) }, id)).body.code).toBe('caption_too_long');
  expect((await edit({ description: 'a'.repeat(496) }, id)).status).toBe(200);
});

test('many changes leave a timeline of bounded length', async () => {
  const lines = () =>
    service.db.query<{ code: string }>(
      'select l.code from timeline l join target t on t.id = l.target_id where t.post_id = $1 order by l.id',
      [postId],
    );
  await edit({ description: 'Changed once' });
  for (let times = 0; times < MAX_LINES + 20; times++)
    expect((await edit({ scheduled: at + times * 60_000 })).status).toBe(200);
  const kept = await lines();
  // Whether the user changed the text is known from its line.
  expect(kept.filter(({ code }) => code === 'description_changed')).toHaveLength(1);
  expect(kept.length).toBeLessThanOrEqual(MAX_LINES + 2);
  const { body } = await user.get(`/post/${postId}`);
  const [shown] = body.data.targets;
  expect(shown.timeline).toHaveLength(MAX_LINES);
  expect(shown.timeline.at(-1).message).toEqual({
    code: 'time_changed',
    params: { dueAt: at + (MAX_LINES + 19) * 60_000 },
  });
});

test('a time in another form or unit names milliseconds', async () => {
  expect((await edit({ scheduled: 'tomorrow' })).body.message).toBe(
    'The field "scheduled" is invalid: must be an integer: the Unix time in milliseconds.',
  );
  const seconds = Math.floor(at / 1000);
  expect((await edit({ scheduled: seconds })).body.message).toContain(`not seconds: ${seconds}000.`);
});

test('an unknown field near a known one names it', async () => {
  expect((await edit({ Scheduled: null })).body.message).toBe('Unknown field "Scheduled". Did you mean "scheduled"?');
  expect((await edit({ descripton: 'a' })).body.message).toMatch(/Did you mean "description"\?$/);
  expect((await edit({ title: 'a' })).body.message).toBe('Unknown field "title".');
});

test('all unknown fields are named, at most ten', async () => {
  expect((await edit({ title: 'a', tags: [] })).body.message).toBe('Unknown fields: "title", "tags".');
  expect((await edit({ descripton: 'a', Scheduled: 1, title: 'a' })).body.message).toBe(
    'Unknown fields: "descripton", "Scheduled", "title". Did you mean "description", "scheduled"?',
  );
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`${at}${'x'.repeat(200)}`, at]));
  const { message } = (await edit(many)).body;
  expect(message.match(/"\d+x{98,99}"/g)).toHaveLength(10);
  expect(message).toMatch(/", …\.$/);
});

test('an edit moves the time and the lane', async () => {
  const later = at + 86_400_000;
  expect((await edit({ scheduled: later })).body.data).toMatchObject({
    scheduled: true,
    date: new Date(later).toISOString(),
  });
  expect(await target()).toMatchObject({ due_at: new Date(later), counts_from: new Date(later) });
  await edit({ scheduled: at - 60_000 });
  expect(await lane()).toEqual(new Date(at - 60_000));
});

test('null or a time in the last minute posts now', async () => {
  const { body } = await edit({ scheduled: null });
  expect(body.data.scheduled).toBe(false);
  expect(Date.parse(body.data.date)).toBeLessThan(at);
  expect((await lane())?.toISOString()).toBe(body.data.date);
  const now = (await service.db.clock.now()).getTime();
  expect((await edit({ scheduled: now - 30_000 })).body.data.scheduled).toBe(false);
});

test('an empty edit changes nothing', async () => {
  const { body } = await edit({});
  expect(body.data).toMatchObject({ description: '', scheduled: true, date: new Date(at).toISOString() });
});

test('the timeline records the changes', async () => {
  await edit({ description: 'x', scheduled: at + 1 });
  const { timeline } = (await user.get(`/post/${postId}`)).body.data.targets[0];
  expect(timeline.map(({ event }: { event: string }) => event)).toEqual(['queued', 'edited', 'edited']);
});

describe('rejects', () => {
  test.each([
    ['an unknown property', { title: 'x' }, '400 unknown_field'],
    ['a time as text', { scheduled: '1785576600000' }, '400 invalid_request'],
    ['a fraction of a millisecond', { scheduled: 1.5 }, '400 invalid_request'],
    ['a text that is none', { description: 7 }, '400 invalid_request'],
    ['half a character', { description: '\ud800' }, '400 invalid_request'],
    ['a text over 5,000 characters', { description: 'x'.repeat(5_001) }, '400 invalid_request'],
    ['a text over the limit of the account', { description: 'x'.repeat(2_201) }, '400 caption_too_long'],
    ['a time long past', { scheduled: 1_000 }, '400 scheduled_in_past'],
    ['a time far ahead', { scheduled: 9_000_000_000_000_000 }, '400 scheduled_too_far'],
    ['a body that is no object', [], '400 invalid_request'],
  ])('%s, and changes nothing', async (_, json, expected) => {
    const before = await target();
    expect(await refusal(json)).toBe(expected);
    expect(await target()).toEqual(before);
  });

  test.each(['working', 'waiting', 'committing', 'posted'])('a post that is %s', async (state) => {
    const over = state === 'posted' ? 'due_at = null' : 'begun_at = app_now()';
    await service.db.execute(`update target set state = $2, ${over} where post_id = $1`, [postId, state]);
    expect(await refusal({ description: 'x' })).toBe('409 not_editable');
  });

  test('another user’s post and a missing one', async () => {
    const other = await service.newUser();
    expect((await other.call('PATCH', `/post/${postId}`, { json: {} })).body.code).toBe('unknown_post');
    expect((await edit({}, 'x')).body.code).toBe('unknown_post');
  });

  test('more scheduled posts than the plan allows', async () => {
    const poor = await service.newUser({ plan: 'FREE' });
    const own = await addReadyAccount(service.db, poor.userId);
    const id = await queuePost(service, poor.userId, [own]);
    for (let count = 0; count < 10; count++) await queuePost(service, poor.userId, [own], { at });
    const response = await poor.call('PATCH', `/post/${id}`, { json: { scheduled: at } });
    expect(response.body.limit).toMatchObject({ name: 'scheduled_ahead', used: 10 });
    const [last] = (await poor.get('/post/history')).body.data;
    expect((await poor.call('PATCH', `/post/${last.id}`, { json: { scheduled: at + 1 } })).status).toBe(200);
  });
});
