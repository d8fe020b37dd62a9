/** What was not public when it was sent is never made public by a rule. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/connectors/contract.ts';
import type { AccountRow } from '../harness/rows.ts';
import type { TestUser } from '../harness/service.ts';
import { createRuleWorld, type RuleWorld } from './rule-world.ts';

let world: RuleWorld;
let user: TestUser;
let to: AccountRow;
beforeAll(async () => {
  world = await createRuleWorld();
});
beforeEach(async () => {
  user = await world.service.newUser();
  to = await world.account(user);
});
afterAll(async () => {
  expect(world.errors).toEqual([]);
  await world.service.close();
});

const set = (account: AccountRow, column: 'choices' | 'extra', value: JsonObject) =>
  world.service.db.execute(`update account set ${column} = $2 where id = $1`, [account.id, JSON.stringify(value)]);

const texts = () => world.texts(user);

test.each<[string, JsonObject, JsonObject]>([
  ['tiktok', { privacy: 'SELF_ONLY' }, { privacy: 'PUBLIC_TO_EVERYONE' }],
  ['tiktok', {}, { privacy: 'FOLLOWER_OF_CREATOR' }],
  ['youtube', { privacy: 'private' }, {}],
  ['youtube', {}, { privacy: 'unlisted' }],
  ['mastodon', { visibility: 'private' }, {}],
  ['instagram', { trial: 'manual' }, {}],
])('a private post to %s stays private: %j %j', async (platform, options, choices) => {
  const from = await world.account(user, platform);
  await set(from, 'choices', choices);
  const id = await world.rule(user, from, [to]);
  await world.own(user, from, 'For few', options);
  const preview = await user.post(`/repost/${id}/preview`, {});
  expect(preview.body.data.items).toMatchObject([{ status: 'skip', reason: 'source_private' }]);
  await world.fire();
  const [item] = await world.activity(user, id);
  expect(item).toMatchObject({ status: 'skipped', reason: 'source_private', repostable: false });
  const byHand = await user.post(`/repost/${id}/activity/${item?.id}/repost`);
  expect(byHand).toMatchObject({ status: 409, body: { code: 'not_repostable' } });
  expect(await texts()).toEqual([]);
});

test('a post of a protected account stays private', async () => {
  const from = await world.account(user, 'x');
  await set(from, 'extra', { protected: true });
  const id = await world.rule(user, from, [to]);
  await world.own(user, from);
  await world.fire();
  expect(await world.activity(user, id)).toMatchObject([{ reason: 'source_private' }]);
});

test('a setting that changes after the send changes nothing', async () => {
  const from = await world.account(user, 'tiktok');
  const id = await world.rule(user, from, [to], { delayMinutes: 60 });
  await set(from, 'choices', { privacy: 'SELF_ONLY' });
  await world.own(user, from, 'For few');
  await set(from, 'choices', { privacy: 'PUBLIC_TO_EVERYONE' });
  await world.own(user, from, 'For all');
  await set(from, 'choices', { privacy: 'SELF_ONLY' });
  await world.fire();
  expect(await world.activity(user, id)).toMatchObject([
    { caption: 'For all', status: 'waiting', reason: 'delayed' },
    { caption: 'For few', status: 'skipped', reason: 'source_private' },
  ]);
});

test('a private post stays private after it is removed here', async () => {
  const from = await world.account(user, 'tiktok');
  const id = await world.rule(user, from, [to]);
  const postId = await world.own(user, from, 'For few', { privacy: 'SELF_ONLY' });
  expect((await user.call('DELETE', `/post/${postId}`)).status).toBe(200);
  expect(await world.activity(user, id)).toMatchObject([{ status: 'waiting', repostable: false }]);
  await world.fire();
  expect(await world.activity(user, id)).toMatchObject([{ status: 'skipped', reason: 'source_private' }]);
  expect(await texts()).toEqual([]);
});

test('a repost with a limited audience ends the chain', async () => {
  const [a, b] = [await world.account(user), await world.account(user, 'tiktok')];
  const first = await world.rule(user, a, [b], { privacy: { [b.id]: 'SELF_ONLY' } });
  const second = await world.rule(user, b, [to]);
  await world.own(user, a, 'For all');
  await world.fire();
  const [item] = await world.activity(user, first);
  await world.publish(item?.postId ?? '');
  await world.fire();
  expect(await world.activity(user, second)).toMatchObject([{ status: 'skipped', reason: 'source_private' }]);
  expect(await texts()).toEqual(['For all']);
});
