import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AccountRow } from '../harness/rows.ts';
import type { TestUser } from '../harness/service.ts';
import { createRuleWorld, type RuleWorld } from './rule-world.ts';

let world: RuleWorld;
let user: TestUser;
let a: AccountRow;
let b: AccountRow;
beforeAll(async () => {
  world = await createRuleWorld();
});
beforeEach(async () => {
  user = await world.service.newUser();
  [a, b] = [await world.account(user), await world.account(user)];
});
afterAll(() => world.service.close());

const edit = (id: string, options: unknown) => user.call('PATCH', `/repost/${id}`, { json: { options } });
const add = (options: unknown) => user.post('/repost/add', { from: a.id, to: [b.id], options });
const options = async () => (await user.get('/reposts')).body.data[0].options;

test('options are merged by field and reset by null', async () => {
  const id = await world.rule(user, a, [b], { delayMinutes: 5, filters: { minSeconds: 4, contains: ['run'] } });
  const { status, body } = await edit(id, { maxPerDay: 3, filters: { excludes: ['ad'] } });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    id,
    dailyLimits: { own: 3, foreign: 3 },
    options: {
      delayMinutes: 5,
      maxPerDay: 3,
      filters: { contains: [], excludes: ['ad'], hashtags: [], minSeconds: null, maxSeconds: null },
    },
  });
  await edit(id, { delayMinutes: null, maxPerDay: null });
  expect(await options()).toMatchObject({ delayMinutes: 0, maxPerDay: null, filters: { excludes: ['ad'] } });
  await edit(id, {});
  expect(await options()).toMatchObject({ filters: { excludes: ['ad'] } });
  const audited = await world.service.db.query(`select action, subject from audit where user_id = $1 order by at, id`, [
    user.userId,
  ]);
  expect(audited[0]).toEqual({ action: 'rule.add', subject: id });
  expect(audited.slice(1)).toEqual(Array(3).fill({ action: 'rule.edit', subject: id }));
});

test('a new delay applies to what waits', async () => {
  const id = await world.rule(user, a, [b], { delayMinutes: 600 });
  await world.own(user, a);
  await world.fire();
  await edit(id, { delayMinutes: null });
  await world.fire();
  expect(await world.activity(user, id)).toMatchObject([{ status: 'reposted' }]);
});

test('a stored template with excess placeholders stays until changed', async () => {
  const id = await world.rule(user, a, [b]);
  const caption = { template: '{source} '.repeat(11) };
  await world.service.db.execute('update rule set options = $2 where id = $1', [id, JSON.stringify({ caption })]);
  expect((await edit(id, { delayMinutes: 1, caption: { ...caption, append: 'More' } })).status).toBe(200);
  expect((await edit(id, { delayMinutes: 0, caption: { template: `${caption.template}!` } })).status).toBe(400);
  await world.own(user, a);
  await edit(id, { delayMinutes: null });
  await world.fire();
  expect((await world.texts(user))[0]).toMatch(/^(@?\S+ ){11}\nMore$/);
});

test('editing a paused rule releases nothing', async () => {
  const id = await world.rule(user, a, [b], { delayMinutes: 600 });
  await world.own(user, a);
  await user.post('/repost/pause', { id, isPaused: true });
  await edit(id, { delayMinutes: null });
  await world.fire();
  expect(await world.activity(user, id)).toMatchObject([{ status: 'waiting', reason: 'rule_paused' }]);
});

describe('options are rejected', () => {
  const problem = (field: string, text: string) => `The field "options.${field}" is invalid: ${text}.`;
  test.each([
    [{ delayMinutes: -1 }, problem('delayMinutes', 'must be at least 0')],
    [{ delayMinutes: 1.5 }, problem('delayMinutes', 'must be an integer')],
    [{ jitterMinutes: 1_441 }, problem('jitterMinutes', 'must be at most 1,440')],
    [{ maxPerDay: 0 }, problem('maxPerDay', 'must be at least 1')],
    [{ zone: 'Mars/Base' }, problem('zone', 'unknown time zone "Mars/Base"')],
    [{ quietHours: { from: '25:00', to: '06:00' } }, problem('quietHours.from', 'must be a time of day such as 22:00')],
    [{ quietHours: { from: '06:00', to: '06:00' } }, problem('quietHours', '"from" and "to" must differ')],
    [
      { caption: { template: '{caption} {nmae}' } },
      problem('caption.template', 'unknown placeholder "{nmae}". Known: {caption}, {hashtags}, {source}, {url}'),
    ],
    [{ caption: { template: '{url}'.repeat(11) } }, problem('caption.template', 'must have at most 10 placeholders')],
    [{ caption: { append: '{url}'.repeat(11) } }, problem('caption.append', 'must have at most 10 placeholders')],
    [{ caption: { append: '{' } }, problem('caption.append', 'write "{{" for a brace that starts no placeholder')],
    [{ filters: { minSeconds: 9, maxSeconds: 3 } }, problem('filters.maxSeconds', 'must not be below the minimum')],
    [
      { filters: { hashtags: ['a b'] } },
      problem('filters.hashtags.0', 'must be a hashtag of letters, digits and underscores'),
    ],
    [{ privacy: { x: 'PUBLIC' } }, 'The privacy of "x" was sent, which is no destination of the rule.'],
  ])('%j', async (given, message) => {
    expect((await add(given)).body).toMatchObject({ code: 'invalid_request', message });
    const id = await world.rule(user, a, [b]);
    expect((await edit(id, given)).body).toMatchObject({ code: 'invalid_request', message });
    expect(await options()).toMatchObject({ delayMinutes: 0, privacy: {}, caption: { template: '{caption}' } });
  });

  test.each([
    [{ delay: 5 }, 'Unknown field "delay".'],
    [{ filters: { contain: ['x'] } }, 'Unknown field "contain". Did you mean "contains"?'],
    [{ quietHours: { frm: '22:00', to: '07:00' } }, 'Unknown field "frm". Did you mean "from"?'],
  ])('unknown field in %j', async (given, message) => {
    expect((await add(given)).body).toMatchObject({ code: 'unknown_field', message });
  });

  test.each([undefined, null, 5, []])('%j instead of an object', async (given) => {
    const id = await world.rule(user, a, [b]);
    expect((await edit(id, given)).status).toBe(400);
  });

  test('an invalid field is named with its problem', async () => {
    const id = await world.rule(user, a, [b]);
    const refused = await edit(id, { filters: { minSeconds: 5, maxSeconds: 3 } });
    expect(refused.body.field).toEqual({
      path: 'options.filters.maxSeconds',
      problem: 'must not be below the minimum',
    });
    const secret = await edit(id, { privacy: { [b.id]: 'SECRET' } });
    expect(secret.body.field).toEqual({ path: `options.privacy.${b.id}`, problem: secret.body.message });
    expect((await edit(id, { jitter: 1 })).body.field).toBeUndefined();
  });

  test('a privacy that the account does not allow', async () => {
    const tiktok = await world.account(user, 'tiktok');
    const id = await world.rule(user, a, [b, tiktok]);
    expect((await edit(id, { privacy: { [tiktok.id]: 'SECRET' } })).body.message).toMatch(
      /^The privacy of TikTok @name-\w+ \([-0-9a-f]+\) must be one of: PUBLIC_TO_EVERYONE, /,
    );
    expect((await edit(id, { privacy: { [b.id]: 'public' } })).body.message).toMatch(/Mastodon/);
    expect((await edit(id, { privacy: { [tiktok.id]: 'SELF_ONLY' } })).status).toBe(200);
  });
});

test('a rule on an announce-only source has a note', async () => {
  const youtube = await world.account(user, 'youtube');
  const own = await user.post('/repost/add', { from: youtube.id, to: [b.id] });
  expect(own.body.notes).toMatchObject([{ code: expect.stringMatching(/^watch_(?:own|announce)_only$/) }]);
  const whole = await user.post('/repost/add', { from: a.id, to: [b.id] });
  expect(whole.body.notes).toEqual([]);
});

test('the state of the watch is listed with the rule', async () => {
  await world.rule(user, a, [b]);
  const watch = async () => (await user.get('/reposts')).body.data[0].watch;
  expect(await watch()).toEqual({
    mode: 'files',
    text: '',
    checkedAt: null,
    nextCheckAt: expect.stringMatching(/Z$/),
    problem: null,
  });
  await world.service.db.execute(
    `update watch set checked_at = app_now(), problem = '{"code": "watch_unreachable", "params": {"reason": "timeout"}}'
     from identity d where d.watch_id = watch.id and d.id = $1`,
    [a.identityId],
  );
  expect(await watch()).toMatchObject({
    checkedAt: expect.stringMatching(/Z$/),
    problem: 'The platform could not be reached (timeout).',
  });
  await world.service.db.execute(`update account set status = 'EXPIRED' where id = $1`, [a.id]);
  expect(await watch()).toMatchObject({
    nextCheckAt: null,
    problem: 'New posts are not read, because the account is disconnected. Reconnect it.',
  });
});
