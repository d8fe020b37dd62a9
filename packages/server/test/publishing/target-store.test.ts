import { randomBytes } from 'node:crypto';
import { simulator } from '@reelay/sandbox/platforms/mastodon/index.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connector } from '../../src/connectors/mastodon/index.ts';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { claimLanes, releaseLanes } from '../../src/publishing/lanes.ts';
import type { Target } from '../../src/publishing/target.ts';
import { writeTarget, writeUnfollowed } from '../../src/publishing/target-store.ts';
import type { Task } from '../../src/publishing/task.ts';
import { loadTasks } from '../../src/publishing/task-store.ts';
import { post } from '../../src/publishing/transitions.ts';
import { messageOf } from '../harness/message.ts';
import { createWorld, type World } from '../harness/world.ts';

const sealer = createSealer([randomBytes(32)]);
let world: World;
beforeAll(async () => {
  world = await createWorld({ connector, module: simulator });
});
afterAll(() => world.close());

/** Runs `work` with the task of a new target, under the lane's lease. Afterwards the target is final. */
async function withTask<T>(work: (task: Task) => Promise<T>): Promise<T> {
  const id = await world.post();
  const { lanes } = await claimLanes(world.db, uuidv7(), 1);
  const [task] = await loadTasks(world.db, sealer, lanes);
  if (task?.target.id !== id) throw new Error('The target was not claimed.');
  const result = await work(task);
  await world.db.execute(`update target set state = 'failed', due_at = null where id = $1`, [id]);
  await releaseLanes(world.db, lanes);
  return result;
}

test('a target moved after its claim does not begin', async () => {
  const id = await world.post();
  const { lanes } = await claimLanes(world.db, uuidv7(), 1);
  await world.db.execute(
    `update target set due_at = app_now() + interval '4 seconds', version = version + 1 where id = $1`,
    [id],
  );
  expect(lanes).toMatchObject([{ inHand: id }]);
  expect(await loadTasks(world.db, sealer, lanes)).toEqual([]);
  await world.db.execute(`update target set state = 'failed', due_at = null where id = $1`, [id]);
  await releaseLanes(world.db, lanes);
});

test('a written target is read back unchanged', async () => {
  await withTask(async (task) => {
    let ms = Date.UTC(2026, 0, 2);
    let count = 1;
    const target: Target = {
      ...task.target,
      state: 'unknown',
      dueAt: ms++,
      countsFrom: ms++,
      deadlineAt: ms++,
      begunAt: ms++,
      checkpoint: { upload: 'u1' },
      attempts: count++,
      crashes: count++,
      sends: count++,
      sendKey: count++,
      committedAt: ms++,
      commitUntil: ms++,
      isPublic: true,
      unproven: true,
      verifications: count++,
      unknownSince: ms++,
      notPostedSince: ms++,
      confirmingSince: ms++,
      completeSince: ms++,
      acceptDuplicate: true,
      code: 'platform_error',
      detail: 'detail',
      platformCode: 'E1',
      remoteId: 'r1',
      url: 'https://social.example/r1',
      publishedAt: ms++,
    };
    expect(await writeTarget(world.db, sealer, task, { target, entries: [] })).toBe(true);
    const [read] = await loadTasks(world.db, sealer, [task.lane]);
    expect(read?.target).toEqual({ ...target, version: task.target.version + 1 });
  });
});

test('one statement detects the remote id of another post', async () => {
  const write = (remoteId: string) =>
    withTask((task) => {
      const published = { remoteId, url: `https://social.example/${task.target.id}`, publishedAt: null };
      const transition = post(task.target, published, messageOf('Posted.'), {
        now: task.readAt,
        random: Math.random,
      });
      return writeUnfollowed(world.db, sealer, task, transition);
    });
  expect(await write('1')).toBe('written');
  expect(await write('2')).toBe('written');
  expect(await write('1')).toBe('taken');
});

test('a publish takes at most 22 statements, with constant texts', async () => {
  let statements: string[] = [];
  const beforeStatement = (text: string) => void statements.push(text);
  const worker = await world.worker({ beforeStatement });
  const publish = async () => {
    statements = [];
    await world.settle(worker, await world.post());
    // A claim without due lanes may run at any time.
    return statements.filter((text) => !text.includes('with candidate as'));
  };
  await publish();
  const texts = new Set(await publish());
  const again = await publish();
  expect(again.length).toBeLessThanOrEqual(22);
  expect(again.filter((text) => !texts.has(text))).toEqual([]);
});
