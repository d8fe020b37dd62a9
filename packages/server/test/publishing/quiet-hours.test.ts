/** A repost is not sent during the quiet hours of its rule, for every kind of delay after the rule decided. */
import { simulator } from '@reelay/sandbox/platforms/mastodon/index.ts';
import { simulator as tiktokSimulator } from '@reelay/sandbox/platforms/tiktok/index.ts';
import { afterEach, expect, test } from 'vitest';
import { connector } from '../../src/connectors/mastodon/index.ts';
import { connector as tiktok } from '../../src/connectors/tiktok/index.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { reopenTargets } from '../../src/posts/change-store.ts';
import { editRule } from '../../src/reposts/service.ts';
import { createWorld, type World } from '../harness/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: World;
afterEach(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

const nowOf = async () => {
  const [row] = await world.db.query<{ now: Date }>('select app_now() as now');
  return row?.now.getTime() ?? 0;
};
const timeOfDay = (at: number) => new Date(at).toISOString().slice(11, 16);

/** Makes the post of a target a repost by a rule that is quiet from `from` to `to`, in ms from now. */
async function quieten(targetId: string, from: number, to: number): Promise<{ ruleId: string; endsAt: number }> {
  const now = await nowOf();
  const endsAt = Math.floor((now + to) / MINUTE) * MINUTE;
  const ruleId = uuidv7();
  const quietHours = { from: timeOfDay(now + from), to: timeOfDay(endsAt) };
  await world.db.execute(
    `insert into rule (id, user_id, from_account, is_paused, options)
     select $1, user_id, account_id, false, $3 from target where id = $2`,
    [ruleId, targetId, JSON.stringify({ quietHours })],
  );
  await world.db.execute(
    `update post set rule_id = $1, is_repost = true from target t where t.id = $2 and t.post_id = post.id`,
    [ruleId, targetId],
  );
  await world.db.execute('update target set obeys_quiet_hours = true where id = $1', [targetId]);
  return { ruleId, endsAt };
}

const dueOf = async (id: string) => ((await world.target(id)).due_at as Date | null)?.getTime();

test('a repost that is due waits until they end', async () => {
  world = await createWorld({ connector, module: simulator });
  const id = await world.post();
  const { endsAt } = await quieten(id, -HOUR, 2 * HOUR);
  const worker = await world.worker();
  await worker.runUntilIdle();
  expect(await world.target(id)).toMatchObject({ state: 'scheduled', begun_at: null });
  expect(await dueOf(id)).toBe(endsAt);
  expect((await world.timeline(id)).at(-1)).toMatch(/^waiting: Waiting until .*, when the quiet hours end\.$/);
  expect(await world.simulator.published()).toEqual([]);
  await world.settle(worker, id);
  expect(await world.target(id)).toMatchObject({ state: 'posted' });
  expect(((await world.target(id)).published_at as Date).getTime()).toBeGreaterThanOrEqual(endsAt);
});

test('a retry in them waits until they end', async () => {
  world = await createWorld({ connector, module: simulator });
  const id = await world.post();
  const { endsAt } = await quieten(id, MINUTE, 8 * HOUR);
  const down = { kind: 'status', answer: { status: 503, body: '' } } as const;
  const outage = world.simulator.faults.add({ when: () => true, fault: down });
  const worker = await world.worker();
  await worker.runUntilIdle();
  while ((await dueOf(id)) !== endsAt) {
    await world.advanceToNextDue();
    await worker.runUntilIdle();
  }
  outage.remove();
  await world.settle(worker, id);
  expect(await world.target(id)).toMatchObject({ state: 'posted' });
  expect(await world.simulator.published()).toHaveLength(1);
  expect(((await world.target(id)).committed_at as Date).getTime()).toBeGreaterThanOrEqual(endsAt);
});

test('an upload that ends in them is sent later', async () => {
  world = await createWorld({ connector: tiktok, module: tiktokSimulator });
  const id = await world.post();
  const { endsAt } = await quieten(id, 2 * HOUR, 4 * HOUR);
  const worker = await world.worker();
  const busy = { kind: 'status', answer: { status: 503, body: '' } } as const;
  world.simulator.faults.add({ when: ({ path }) => path.includes('/video/init'), times: 1, fault: busy });
  await worker.runUntilIdle();
  const begun = await world.target(id);
  expect(begun).toMatchObject({ state: 'waiting', begun_at: expect.any(Date), checkpoint: expect.anything() });
  await world.advance(3 * HOUR);
  await worker.runUntilIdle();
  expect(await dueOf(id)).toBe(endsAt);
  expect(await world.simulator.published()).toEqual([]);
  await world.settle(worker, id);
  expect(await world.target(id)).toMatchObject({ state: 'posted' });
});

test('new options of its rule end the wait', async () => {
  world = await createWorld({ connector, module: simulator });
  const id = await world.post();
  const { ruleId, endsAt } = await quieten(id, -HOUR, 2 * HOUR);
  const worker = await world.worker();
  await worker.runUntilIdle();
  const { user_id: userId } = (await world.target(id)) as { user_id: string };
  const edit = (options: object) => editRule({ db: world.db, connectors: {} }, userId, ruleId, options);
  await edit({ delayMinutes: 5 });
  await worker.runUntilIdle();
  expect(await dueOf(id)).toBe(endsAt);
  await edit({ quietHours: null });
  await world.settle(worker, id);
  const { state, committed_at: sentAt } = await world.target(id);
  expect([state, (sentAt as Date).getTime() < endsAt]).toEqual(['posted', true]);
});

test.each(['retried by its user', 'of a deleted rule', 'asked for'])('a repost %s does not wait', async (why) => {
  world = await createWorld({ connector, module: simulator });
  const id = await world.post();
  const { ruleId } = await quieten(id, -HOUR, 2 * HOUR);
  if (why === 'retried by its user') {
    await world.db.execute(
      `update target set state = 'failed', code = 'platform_unavailable', due_at = null where id = $1`,
      [id],
    );
    await reopenTargets(world.db, [id], { state: 'waiting', dueAt: null, acceptDuplicate: false });
  } else if (why === 'of a deleted rule') await world.db.execute('delete from rule where id = $1', [ruleId]);
  else await world.db.execute('update target set obeys_quiet_hours = false where id = $1', [id]);
  const startedAt = await nowOf();
  await world.settle(await world.worker(), id);
  expect(await world.target(id)).toMatchObject({ state: 'posted' });
  expect(((await world.target(id)).committed_at as Date).getTime()).toBeLessThan(startedAt + HOUR);
});
