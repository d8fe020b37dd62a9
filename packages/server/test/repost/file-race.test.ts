import { afterAll, beforeAll, expect, test } from 'vitest';
import { dueFiles, finishFile } from '../../src/watching/source-file-store.ts';
import { waitingSessions } from '../harness/locks.ts';
import { addMedia } from '../harness/rows.ts';
import { eventually } from '../post/world.ts';
import { createRuleWorld, type RuleWorld } from './rule-world.ts';

let world: RuleWorld;
beforeAll(async () => {
  world = await createRuleWorld();
});
afterAll(() => world.service.close());

test('a file that arrives during a decision wakes its firing', async () => {
  const { db } = world.service;
  const user = await world.service.newUser();
  const [a, b, c] = [await world.account(user), await world.account(user), await world.account(user)];
  await world.rule(user, a, [b]);
  const second = await world.rule(user, a, [c]);
  await world.foreign(a, {});
  await world.fire();
  await db.execute('update firing set due_at = app_now() where rule_id = $1', [second]);
  const [claim] = await dueFiles.claim(db, { limit: 1, leaseMs: 60_000 });
  if (!claim) throw new Error('No file was requested.');
  const media = await addMedia(db, user.userId);
  let fired: Promise<void> | undefined;
  await db.transaction(async (tx) => {
    await finishFile(tx, claim, media.id);
    let isOver = false;
    fired = world.fire().then(() => {
      isOver = true;
    });
    await eventually(
      'the decision waits for the file, or is over',
      async () => isOver || (await waitingSessions(db)) > 0,
    );
  });
  await fired;
  await world.fire();
  expect(await world.activity(user, second)).toMatchObject([{ status: 'reposted' }]);
  expect(world.errors).toEqual([]);
});
