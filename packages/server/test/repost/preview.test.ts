import { expect, test } from 'vitest';
import type { AccountRow } from '../harness/rows.ts';
import type { TestUser } from '../harness/service.ts';
import { setUpRules } from './rule-scene.ts';
import type { RuleWorld } from './rule-world.ts';

let world: RuleWorld;
let user: TestUser;
let a: AccountRow;
let b: AccountRow;
let c: AccountRow;
setUpRules((scene) => {
  ({ world, user, a, b, c } = scene);
});

const previewNew = (options?: object, more: object = {}) =>
  user.post('/repost/preview', { from: a.id, to: [b.id, c.id], ...(options ? { options } : {}), ...more });

/** Everything that a dry run must not change. */
async function stored() {
  const tables = ['firing', 'post', 'target', 'rule', 'source_file', 'watch', 'audit'];
  const counts = tables.map((table) => `(select json_agg(t order by t.id) from ${table} t) as ${table}`);
  return (await world.service.db.query(`select ${counts.join(', ')}`))[0];
}

test('a dry run predicts the rule and changes nothing', async () => {
  const id = await world.rule(user, a, [b, c], { filters: { excludes: ['ad'] }, caption: { append: 'From {source}' } });
  for (const post of [
    { text: 'A clip' },
    { text: 'An ad' },
    { text: 'A secret', isPublic: false },
    { text: 'No file', file: null },
  ]) {
    await world.foreign(a, post);
    await world.service.db.clock.advance(10);
  }
  await world.own(user, a, 'From here');
  const before = await stored();
  const { status, body } = await user.post(`/repost/${id}/preview`);
  expect(status).toBe(200);
  const items = body.data.items.map(({ text, ...item }: Record<string, string>) => ({
    ...item,
    text: text?.replaceAll(/name-\w+/g, 'name'),
  }));
  expect(items).toMatchObject([
    { origin: 'own', caption: 'From here', status: 'repost', reason: 'would_repost' },
    { caption: 'No file', status: 'skip', reason: 'no_file' },
    { caption: 'A secret', status: 'skip', reason: 'source_private' },
    { caption: 'An ad', status: 'skip', reason: 'filtered_word' },
    { origin: 'foreign', caption: 'A clip', status: 'repost' },
  ]);
  expect(items[4]).toMatchObject({
    text: 'Would be reposted to Mastodon @name, Bluesky @name.',
    repostCaption: expect.stringMatching(/^A clip\nFrom @name-\w+$/),
  });
  expect(items[3]).not.toHaveProperty('repostCaption');
  expect(body.data.captions).toMatchObject([
    { platformId: b.id, text: expect.stringMatching(/^From here\nFrom @/), limit: 500, problem: null },
    { platformId: c.id, limit: 300, problem: null },
  ]);
  expect(await stored()).toEqual(before);
});

test('changed options can be tried', async () => {
  const id = await world.rule(user, a, [b], { filters: { excludes: ['here'] } });
  await world.own(user, a);
  const items = async (json: object) => (await user.post(`/repost/${id}/preview`, json)).body.data.items;
  expect(await items({})).toMatchObject([{ status: 'skip', reason: 'filtered_word' }]);
  expect(await items({ options: { filters: null } })).toMatchObject([{ status: 'repost' }]);
  expect(await items({ options: { filters: null, delayMinutes: 5 } })).toMatchObject([
    { status: 'wait', reason: 'delayed', repostCaption: 'From here' },
  ]);
});

test('content that is already there is skipped', async () => {
  const id = await world.rule(user, a, [b]);
  await world.own(user, a, 'Here first');
  await world.fire();
  expect((await user.post(`/repost/${id}/preview`)).body.data.items).toMatchObject([
    { status: 'skip', reason: 'already_there' },
  ]);
  await world.own(user, b, 'An echo');
  await world.foreign(a, { text: 'An echo', durationMs: 4_001 });
  expect((await user.post(`/repost/${id}/preview`)).body.data.items[0]).toMatchObject({
    status: 'skip',
    reason: 'echo',
  });
});

test('the daily limit counts what was reposted today', async () => {
  const id = await world.rule(user, a, [b], { maxPerDay: 1 });
  await world.own(user, a, '1');
  await world.fire();
  await world.own(user, a, '2');
  const { items } = (await user.post(`/repost/${id}/preview`)).body.data;
  expect(items[0]).toMatchObject({ caption: '2', status: 'wait', reason: 'rule_daily_limit' });
});

test('the last 20 items are shown', async () => {
  const id = await world.rule(user, a, [b]);
  await world.foreign(a, ...Array.from({ length: 22 }, (_, at) => ({ text: `Clip ${at}` })));
  expect((await user.post(`/repost/${id}/preview`)).body.data.items).toHaveLength(20);
});

test('a preview of a new rule counts a given caption', async () => {
  const { body } = await previewNew(
    { caption: { template: '{caption} {url}' } },
    { text: '𝒜', url: 'https://x.example/1' },
  );
  expect(body.data).toMatchObject({ warnings: [], items: [], watch: { mode: 'files' } });
  const text = '𝒜 https://x.example/1';
  expect(body.data.captions).toMatchObject([
    { platformId: b.id, text, limit: 500 },
    { platformId: c.id, text, count: [...text].length, limit: 300, problem: null },
  ]);
  const long = (await previewNew(undefined, { text: 'a'.repeat(301) })).body.data.captions;
  expect(long.map(({ problem }: { problem: string | null }) => problem)).toEqual([
    null,
    'The text has 301 characters. The maximum is 300.',
  ]);
});

test('a preview of a new rule warns about everything', async () => {
  const codes = async (json: object) =>
    (await user.post('/repost/preview', json)).body.data.warnings.map(({ code }: { code: string }) => code);
  await world.rule(user, b, [a]);
  expect(await codes({ from: a.id, to: [b.id] })).toEqual(['circular_dependency']);
  expect(await codes({ from: b.id, to: [c.id, a.id] })).toEqual(['duplicate_rule']);
  expect(await codes({ from: a.id, to: [a.id] })).toEqual(['circular_dependency']);
  await world.service.db.execute(`update account set status = 'EXPIRED' where id = $1`, [c.id]);
  expect(await codes({ from: a.id, to: [c.id] })).toEqual(['platform_not_connected']);
  const pinterest = await world.account(user, 'pinterest');
  expect(await codes({ from: pinterest.id, to: [a.id] })).toEqual([expect.stringMatching(/^watch_\w+_only$/)]);
});

test('a preview rejects what a rule would reject', async () => {
  const other = await world.service.newUser();
  const foreign = await world.account(other);
  expect(await user.post('/repost/preview', { from: a.id, to: [foreign.id] })).toMatchObject({
    status: 404,
    body: { code: 'unknown_platform' },
  });
  expect((await previewNew({ caption: { template: '{nmae}' } })).status).toBe(400);
  expect((await previewNew({ privacy: { [foreign.id]: 'public' } })).status).toBe(400);
  expect((await previewNew(undefined, { text: 'a'.repeat(100_001) })).status).toBe(400);
  expect((await previewNew(undefined, { text: '👍'.repeat(5_000) })).status).toBe(200);
  expect((await previewNew(undefined, { text: '👍'.repeat(5_001) })).body).toMatchObject({
    code: 'invalid_request',
    message: 'The field "text" is invalid: must have at most 5,000 characters.',
  });
  const id = await world.rule(other, foreign, [await world.account(other)]);
  expect(await user.post(`/repost/${id}/preview`)).toMatchObject({ status: 404, body: { code: 'unknown_rule' } });
  expect(await user.post('/repost/nothing/preview', {})).toMatchObject({ status: 404, body: { code: 'unknown_rule' } });
});

test('the longest template and text give a short response', async () => {
  const text = '👍'.repeat(5_000);
  const template = `${'{caption}'.repeat(10)}${'x'.repeat(4_910)}`;
  const { status, body } = await previewNew({ caption: { template, append: template } }, { text });
  expect(status).toBe(200);
  expect(body.data.captions).toMatchObject(
    [b, c].map(({ id }) => ({ platformId: id, count: 2 * (10 * 5_000 + 4_910) + 1 })),
  );
  expect(JSON.stringify(body).length).toBeLessThan(10_000);
});
