import { simulator } from '@reelay/sandbox/platforms/mastodon/index.ts';
import { expect, test } from 'vitest';
import { connector } from '../../src/connectors/mastodon/index.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { createWorld } from '../harness/world.ts';

const POSTS = 24;

test('24 posts due in a minute appear in order', async () => {
  const world = await createWorld({ connector, module: simulator });
  try {
    const [owner] = await world.db.query<{ id: string }>('select user_id as id from account');
    const accounts = [world.account];
    for (const name of ['second', 'third']) accounts.push(await world.connect(owner?.id ?? '', name));
    const texts = Array.from({ length: POSTS }, (_, index) => `Take ${index}`);
    const targets: string[] = [];
    // The last one is created first.
    for (const [index, text] of [...texts.entries()].reverse())
      for (const on of accounts) targets.push(await world.post({ text, on, dueIn: (index * MINUTE) / POSTS }));
    const workers = [await world.worker(), await world.worker()];
    const count = async () => {
      const [row] = await world.db.query<{ open: number }>(
        'select count(*)::integer as open from target where due_at is not null',
      );
      return row?.open ?? 0;
    };
    for (let round = 0; (await count()) > 0; round++) {
      expect(round).toBeLessThan(10 * POSTS);
      await Promise.all(workers.map((worker) => worker.runUntilIdle()));
      if ((await count()) > 0) await world.advanceToNextDue();
    }
    for (const id of targets) expect(await world.target(id)).toMatchObject({ state: 'posted' });
    const published = await world.simulator.published();
    for (const username of new Set(published.map((each) => each.username)))
      expect(published.filter((each) => each.username === username).map(({ text }) => text)).toEqual(texts);
    expect(published).toHaveLength(POSTS * accounts.length);
    expect(world.bugs).toEqual([]);
  } finally {
    await world.close();
  }
});
