/** Tests of what `npm start` executes: effects of signals and kills on all its processes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const top = fileURLToPath(new URL('../../../../', import.meta.url));

let folder: string;
let started: ChildProcess[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-start-'));
  started = [];
});
afterEach(async () => {
  for (const process of started)
    if (process.exitCode === null && process.signalCode === null) {
      process.kill('SIGTERM');
      await once(process, 'exit');
    }
  await rm(folder, { recursive: true, force: true });
});

/** Starts a shell, which is replaced by the service. @param isChild whether the shell stays, as npm does */
async function start({ isChild = false } = {}): Promise<{ process: ChildProcess; url: string }> {
  const { scripts } = JSON.parse(await readFile(join(top, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const command = scripts.start;
  const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' };
  const shell = spawn('sh', isChild ? ['-c', 'sh -c "$0" & wait', command] : ['-c', command], {
    cwd: top,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(shell);
  for await (const line of createInterface({ input: shell.stdout })) {
    const url = /^Reelay is at (\S+)$/.exec(line)?.[1];
    if (url) return { process: shell, url };
  }
  throw new Error('It ended before it said where it is.');
}

async function numberIn(name: string): Promise<number> {
  return Number((await readFile(join(folder, 'data/database', name), 'utf8')).split('\n')[0]);
}

/** Whether a process runs: neither gone nor a zombie. */
const isRunning = (pid: number) =>
  spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`])
    .stdout.toString()
    .replace(/^Z.*/, '')
    .trim() !== '';

const isGone = (pid: number) => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);

test('npm start and reelay start use the same flags', async () => {
  const flags = (text: string, before: RegExp) => before.exec(text)?.[1]?.split(' ');
  const { scripts } = JSON.parse(await readFile(join(top, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const launcher = await readFile(join(top, 'packages/cli/bin/reelay'), 'utf8');
  const wanted = ['--expose-gc', '--max-semi-space-size=4'];
  expect(flags(scripts.start, /\.cache\/node ((?:--\S+ )*--\S+) packages/)).toEqual(wanted);
  expect(flags(launcher, /start\)\n.*\n {4}exec "\$node" ((?:--\S+ )*--\S+) "/)).toEqual(wanted);
});

test('the database stops after SIGKILL and the next start recovers', async () => {
  const first = await start();
  expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
  expect(await numberIn('owner')).toBe(first.process.pid);
  const database = await numberIn('pg/postmaster.pid');
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  await vi.waitFor(() => isGone(database), 60_000);

  const second = await start();
  expect((await fetch(`${second.url}/health/ready`)).status).toBe(200);
  const next = await numberIn('pg/postmaster.pid');
  second.process.kill('SIGTERM');
  expect(await once(second.process, 'exit')).toEqual([0, null]);
  isGone(next);
});

test('the service ends with its shell or npm', async () => {
  const shell = await start({ isChild: true });
  const [service, database] = [await numberIn('owner'), await numberIn('pg/postmaster.pid')];
  expect(service).not.toBe(shell.process.pid);
  shell.process.kill('SIGHUP');
  await expect.poll(() => [service, database].filter(isRunning), { timeout: 60_000 }).toEqual([]);
});
