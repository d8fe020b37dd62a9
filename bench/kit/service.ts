/** Runs the service as its users do: the command of `npm start`, without npm. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Command {
  program: string;
  /** Options of Node, then the file. */
  args: string[];
  env: Record<string, string>;
}

/** The script `start` of package.json: what it does first, and what it executes then. */
export function startScript(root: string): { setUp: string; start: string } {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [setUp = '', start = ''] = (scripts.start ?? '').split(/\s*&& exec (?:env )?/);
  return { setUp, start };
}

/**
 * Returns the command that `npm start` executes after the set-up.
 * @param root folder of the version of Reelay
 * @throws Error if package.json no longer has the expected form
 */
export function startCommand(root = ROOT): Command {
  // A shell would fill in the process that the service ends with.
  const words = startScript(root)
    .start.split(/\s+/)
    .filter((word) => !word.startsWith('--parent='));
  const first = words.findIndex((word) => !word.includes('='));
  const [program, ...args] = words.slice(Math.max(first, 0));
  if (!program || args.length === 0) throw new Error('The script "start" of package.json has an unknown form.');
  const settings = words.slice(0, first).map((word) => word.split('=', 2) as [string, string]);
  return { program: join(root, program), args, env: Object.fromEntries(settings) };
}

/** The service's own sources, which need no build. */
export const sourceCommand = (): Command => likeService('packages/server/src/main.ts');

/** The same Node with the same options for another file. */
export function likeService(file: string): Command {
  const { program, args, env } = startCommand();
  return { program, args: [...args.slice(0, -1), file], env };
}

export interface Running {
  pid: number;
  url: string;
  /** From the start of the process to the first 200 of /health/ready, in ms. */
  readyMs: number;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
}

/**
 * @param folder for its data and its log @param options root: folder of the version of Reelay; command: default: what
 * `npm start` runs there
 * @throws Error with the end of the log if it does not become ready
 */
export async function startService(
  folder: string,
  env: Record<string, string> = {},
  { root = ROOT, command = startCommand(root) }: { root?: string; command?: Command } = {},
): Promise<Running> {
  const port = Number(env.PORT ?? (await freePort()));
  const path = join(folder, 'service.log');
  const log = openSync(path, 'a');
  const began = performance.now();
  const child = spawn(command.program, command.args, {
    cwd: root,
    env: { ...basics(), ...command.env, DATA_DIR: join(folder, 'data'), PORT: String(port), RATE_LIMIT: 'off', ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(url, child);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${(error as Error).message} ${readFileSync(path, 'utf8').slice(-2_000)}`);
  }
  return { pid: child.pid ?? 0, url, readyMs: performance.now() - began, ...endings(child) };
}

/** The environment variables passed on to every benchmark process. */
export function basics(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'FFMPEG_PATH', 'FFPROBE_PATH'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

export function endings(child: ChildProcess): Pick<Running, 'stop' | 'kill'> {
  const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve();
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await gone;
  };
  return { stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

const READY_WITHIN_MS = 60_000;

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (const limit = performance.now() + READY_WITHIN_MS; performance.now() < limit; ) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('The service ended.');
    const response = await fetch(`${url}/health/ready`).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
    await pause(5);
  }
  throw new Error('The service did not become ready.');
}

/** Returns a port that is currently free. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
