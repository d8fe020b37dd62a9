import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFiringWorld, type FiringWorld } from './firing-world.ts';

let world: FiringWorld;
beforeAll(async () => {
  world = await createFiringWorld();
});
afterAll(() => world.db.drop());

/** A rule, and then a post on its source. */
async function followed() {
  const userId = await world.newUser();
  const [from, to] = [await world.account(userId), await world.account(userId)];
  const ruleId = await world.rule(userId, from, [to]);
  const { targets } = await world.post(userId, [from]);
  return { ruleId, target: targets[0] ?? '' };
}

const due = async (target: string) =>
  (await world.db.query(`select 1 from firing where target_id = $1 and state = 'waiting'`, [target])).length;

test.each([
  ['whole seconds', `date_trunc('second', app_now()) - interval '1 second'`],
  ['a clock that is behind', `app_now() - interval '20 minutes'`],
  ['a clock that is ahead', `app_now() + interval '20 minutes'`],
])('a rule acts on a post whose platform has %s', async (_, published) => {
  const { target } = await followed();
  await world.posted(target, world.db, { published });
  expect(await due(target)).toBe(1);
});

test('a rule acts on a post from before its pause', async () => {
  const { ruleId, target } = await followed();
  await world.db.clock.advance(60_000);
  await world.db.execute('update rule_interval set active_to = app_now() where rule_id = $1', [ruleId]);
  const published = `app_now() - interval '30 seconds'`;
  await world.posted(target, world.db, { published, sent: `app_now() - interval '40 seconds'` });
  expect(await due(target)).toBe(1);
});

test('a rule ignores posts sent after it was paused', async () => {
  const { ruleId, target } = await followed();
  await world.db.execute('update rule_interval set active_to = app_now() where rule_id = $1', [ruleId]);
  await world.posted(target, world.db, { published: `app_now() - interval '1 hour'` });
  expect(await due(target)).toBe(0);
});

test('a platform clock ahead does not extend into a pause', async () => {
  const { ruleId, target } = await followed();
  await world.db.clock.advance(60_000);
  const ends = `app_now() + interval '5 minutes'`;
  await world.db.execute(`update rule_interval set active_to = ${ends} where rule_id = $1`, [ruleId]);
  await world.posted(target, world.db, { published: `app_now() + interval '20 minutes'` });
  expect(await due(target)).toBe(1);
});
