import { randomBytes } from 'node:crypto';
import { simulator } from '@reelay/sandbox/platforms/mastodon/index.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connector } from '../../src/connectors/mastodon/index.ts';
import { uuidv7 } from '../../src/ids.ts';
import * as decide from '../../src/publishing/decide.ts';
import { claimLanes, releaseLanes } from '../../src/publishing/lanes.ts';
import { loadTasks, writeUnfollowed } from '../../src/publishing/store.ts';
import { createSealer } from '../../src/seal.ts';
import { createWorld, type World } from '../harness/world.ts';

const sealer = createSealer([randomBytes(32)]);
let world: World;
beforeAll(async () => {
  world = await createWorld({ connector, module: simulator });
});
afterAll(() => world.close());

/** Writes a new target as posted with this id. */
async function writePost(remoteId: string) {
  const id = await world.post();
  const { lanes } = await claimLanes(world.db, uuidv7(), 1);
  const [task] = await loadTasks(world.db, sealer, lanes);
  if (task?.target.id !== id) throw new Error('The target was not claimed.');
  const published = { remoteId, url: `https://social.example/${id}`, publishedAt: null };
  const transition = decide.post(task.target, published, 'Posted.', { now: task.readAt, random: Math.random });
  const result = await writeUnfollowed(world.db, sealer, task, transition);
  await world.db.execute('update target set due_at = null, state = $2 where id = $1', [id, 'posted']);
  await releaseLanes(world.db, lanes);
  return result;
}

test('one statement detects the remote id of another post', async () => {
  expect(await writePost('1')).toBe('written');
  expect(await writePost('2')).toBe('written');
  expect(await writePost('1')).toBe('taken');
});
