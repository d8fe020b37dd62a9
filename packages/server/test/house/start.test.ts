/** Tests of what `npm start` executes: effects of signals and kills on all its processes. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createInstallation, type Installation, isRunning, top } from './npm-start.ts';

let installation: Installation;
beforeEach(async () => {
  installation = await createInstallation();
});
afterEach(() => installation.close());

const isGone = (pid: number) => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);

test('npm start and reelay start use the same flags', async () => {
  const flags = (text: string, before: RegExp) => before.exec(text)?.[1]?.split(' ');
  const { scripts } = JSON.parse(await readFile(join(top, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const launcher = await readFile(join(top, 'packages/cli/bin/reelay'), 'utf8');
  const wanted = ['--expose-gc', '--max-semi-space-size=4'];
  expect(flags(scripts.start, /\.cache\/node ((?:--\S+ )*--\S+) packages/)).toEqual(wanted);
  expect(flags(launcher, /exec "\$node" ((?:--\S+ )*--\S+) "\$root\/packages\/server/)).toEqual(wanted);
});

test('the database stops after SIGKILL and the next start recovers', async () => {
  const first = await installation.start();
  expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
  expect(await installation.numberIn('owner')).toBe(first.process.pid);
  const database = await installation.numberIn('pg/postmaster.pid');
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  await vi.waitFor(() => isGone(database), 60_000);

  const second = await installation.start();
  expect((await fetch(`${second.url}/health/ready`)).status).toBe(200);
  const next = await installation.numberIn('pg/postmaster.pid');
  second.process.kill('SIGTERM');
  expect(await once(second.process, 'exit')).toEqual([0, null]);
  isGone(next);
});

test('the service ends with its shell or npm', async () => {
  const shell = await installation.start({ isChild: true });
  const [service, database] = [await installation.numberIn('owner'), await installation.numberIn('pg/postmaster.pid')];
  expect(service).not.toBe(shell.process.pid);
  shell.process.kill('SIGHUP');
  await expect.poll(() => [service, database].filter(isRunning), { timeout: 60_000 }).toEqual([]);
});
