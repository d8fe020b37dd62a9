import { spawnSync } from 'node:child_process';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startCluster } from '../../src/db/cluster.ts';
import { inTurn } from '../../src/db/cluster-lock.ts';
import { HOUR, MINUTE } from '../../src/lib/time.ts';
import { withFolder } from '../harness/folder.ts';

test('one of several concurrent starts gets the server', async () => {
  await withFolder(async (folder) => {
    const starts = await Promise.allSettled([1, 2, 3].map(() => startCluster({ folder, durable: false })));
    const started = starts.filter((each) => each.status === 'fulfilled');
    expect(started).toHaveLength(1);
    for (const each of starts)
      if (each.status === 'rejected') expect(String(each.reason)).toContain('Another Reelay is using this data folder');
    await started[0]?.value.stop();
  });
});

/** Starts at once, of which some fail. Fails if two run at the same time. */
async function contend(folder: string, count: number): Promise<void> {
  let inside = 0;
  const turns = Array.from({ length: count }, (_, number) =>
    inTurn(folder, async () => {
      inside += 1;
      // Waiting starts use the file system too, so they inspect the lock meanwhile.
      for (let step = 0; step < 20; step++) expect(await readdir(folder)).toContain('starting');
      expect(inside).toBe(1);
      inside -= 1;
      if (number % 3 === 0) throw new Error('on purpose');
    }).catch((error: Error) => expect(error.message).toBe('on purpose')),
  );
  await Promise.all(turns);
  expect(await readdir(folder)).toEqual([]);
}

/** Runs work while our clock differs from that of the file system. */
function withClockOff(ms: number, work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  return work().finally(() => vi.useRealTimers());
}

test('starts run one after the other, also after failures', () => withFolder((folder) => contend(folder, 20)));

test('a clock ahead of file times does not break locks', () =>
  withFolder((folder) => withClockOff(HOUR, () => contend(folder, 6))));

test('a clock behind file times keeps no old lock', () =>
  withFolder(async (folder) => {
    const old = new Date(Date.now() - 5 * MINUTE);
    await writeFile(join(folder, 'starting'), `${process.pid}`);
    await utimes(join(folder, 'starting'), old, old);
    await withClockOff(-HOUR, () => contend(folder, 1));
  }));

test('a dead start does not block the next one', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  await withFolder(async (folder) => {
    await writeFile(join(folder, 'starting'), `${pid}`);
    expect(await inTurn(folder, async () => 'done')).toBe('done');
    expect(await readdir(folder)).toEqual([]);
  });
});
