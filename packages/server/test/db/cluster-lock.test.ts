import { spawnSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCluster } from '../../src/db/cluster.ts';
import { inTurn } from '../../src/db/cluster-lock.ts';
import { withFolder } from '../harness/folder.ts';

test('of several concurrent starts one gets the server', async () => {
  await withFolder(async (folder) => {
    const starts = await Promise.allSettled([1, 2, 3].map(() => startCluster({ folder, durable: false })));
    const started = starts.filter((each) => each.status === 'fulfilled');
    expect(started).toHaveLength(1);
    for (const each of starts)
      if (each.status === 'rejected') expect(String(each.reason)).toContain('Another Reelay is using this data folder');
    await started[0]?.value.stop();
  });
});

test('starts run one after the other, also after failures', async () => {
  await withFolder(async (folder) => {
    let inside = 0;
    const turns = Array.from({ length: 20 }, (_, number) =>
      inTurn(folder, async () => {
        inside += 1;
        await new Promise((resolve) => setImmediate(resolve));
        expect(inside).toBe(1);
        inside -= 1;
        if (number % 3 === 0) throw new Error('on purpose');
      }).catch((error: Error) => expect(error.message).toBe('on purpose')),
    );
    await Promise.all(turns);
    expect(await readdir(folder)).toEqual([]);
  });
});

test('a dead start does not block the next one', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  await withFolder(async (folder) => {
    await writeFile(join(folder, 'starting'), `${pid}`);
    expect(await inTurn(folder, async () => 'done')).toBe('done');
    expect(await readdir(folder)).toEqual([]);
  });
});
