/** What was found private is reposted only if everybody could see it soon after it was published. */
import { beforeEach, expect, test } from 'vitest';
import { HOUR, SECOND } from '../../src/lib/time.ts';
import { type RuleScene, setUpRules } from './rule-scene.ts';

let { world, user, a, b } = {} as RuleScene;
let publishedAt: number;
let posts = 0;
setUpRules((scene) => {
  ({ world, user, a, b } = scene);
});
beforeEach(() => {
  posts++;
});

/** Adds a rule; a second later, the post is published. */
async function rule(options = {}): Promise<string> {
  const id = await world.rule(user, a, [b], options);
  await wait(SECOND);
  publishedAt = (await world.service.db.clock.now()).getTime();
  return id;
}

/** Lets a check see the post on the source. */
const see = (isPublic: boolean, at = publishedAt) =>
  world.foreign(a, { remoteId: `one-${posts}`, publishedAt: at, isPublic });

const wait = (ms: number) => world.service.db.clock.advance(ms);

async function decided(ruleId: string) {
  await world.settle(user);
  const items = await world.activity(user, ruleId);
  return items.map(({ status, reason, repostable }) => ({ status, reason, repostable }));
}

const PRIVATE = [{ status: 'skipped', reason: 'source_private', repostable: false }];
const REPOSTED = [expect.objectContaining({ status: 'reposted' })];

test('a post that becomes public within 48 hours is reposted', async () => {
  const id = await rule();
  await see(false);
  expect(await decided(id)).toEqual(PRIVATE);
  await wait(47 * HOUR);
  await see(true);
  expect(await decided(id)).toEqual(REPOSTED);
});

test('a post that becomes public later is not reposted', async () => {
  const id = await rule();
  await see(false);
  await decided(id);
  await wait(49 * HOUR);
  await see(true);
  expect(await decided(id)).toEqual(PRIVATE);
  const [item] = await world.activity(user, id);
  expect((await user.post(`/repost/${id}/activity/${item?.id}/repost`)).body.code).toBe('not_repostable');
  expect((await user.post(`/repost/${id}/preview`, {})).body.data.items).toMatchObject([{ reason: 'source_private' }]);
});

test('a scheduled post counts from its publication', async () => {
  const id = await rule();
  await see(false);
  await decided(id);
  await wait(72 * HOUR);
  await see(true, publishedAt + 71 * HOUR);
  expect(await decided(id)).toEqual(REPOSTED);
});

test('a waiting post that becomes private is not reposted', async () => {
  const id = await rule({ delayMinutes: 60 });
  await see(true);
  expect(await decided(id)).toMatchObject([{ status: 'waiting', reason: 'delayed' }]);
  await see(false);
  await wait(2 * HOUR);
  expect(await decided(id)).toEqual(PRIVATE);
});

test('a post that returns is reposted if it was public', async () => {
  const id = await rule({ delayMinutes: 60 });
  await see(true);
  await see(false);
  await wait(2 * HOUR);
  expect(await decided(id)).toEqual(PRIVATE);
  await wait(72 * HOUR);
  await see(true);
  expect(await decided(id)).toEqual(REPOSTED);
});

test('an old post that was found public is reposted', async () => {
  const id = await rule();
  await wait(72 * HOUR);
  await see(true, publishedAt + HOUR);
  expect(await decided(id)).toEqual(REPOSTED);
});
