/** Runs what `npm start` executes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** Root of the repository. */
export const top = fileURLToPath(new URL('../../../../', import.meta.url));

/** Whether a process runs: neither gone nor a zombie. */
export const isRunning = (pid: number) =>
  spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`])
    .stdout.toString()
    .replace(/^Z.*/, '')
    .trim() !== '';

export interface Installation {
  folder: string;
  /** Starts a shell, which is replaced by the service. `isChild`: the shell stays, as npm does. */
  start(options?: { isChild?: boolean }): Promise<{ process: ChildProcess; url: string }>;
  /** The number in the first line of a file of the embedded database. */
  numberIn(name: string): Promise<number>;
  /** Ends everything that it started. */
  close(): Promise<void>;
}

async function addressIn(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const url = /^Reelay is at (\S+)$/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('It ended before it said where it is.');
}

export async function createInstallation(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'reelay-start-'));
  const started: ChildProcess[] = [];
  return {
    folder,
    async start({ isChild = false } = {}) {
      const { scripts } = JSON.parse(await readFile(join(top, 'package.json'), 'utf8')) as {
        scripts: { start: string };
      };
      const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' };
      const args = isChild ? ['-c', 'sh -c "$0" & wait', scripts.start] : ['-c', scripts.start];
      const shell = spawn('sh', args, { cwd: top, env, stdio: ['ignore', 'pipe', 'inherit'] });
      started.push(shell);
      const url = await addressIn(shell.stdout);
      // Nobody reads the rest. A full pipe would stop the service.
      shell.stdout.resume();
      return { process: shell, url };
    },
    numberIn: async (name) => Number((await readFile(join(folder, 'data/database', name), 'utf8')).split('\n')[0]),
    async close() {
      for (const each of started)
        if (each.exitCode === null && each.signalCode === null) {
          each.kill('SIGTERM');
          await once(each, 'exit');
        }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
