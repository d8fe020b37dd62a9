/** The package as users install it: packed, installed from the registry, and run by somebody who is not root. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { top } from '../../../server/test/house/npm-start.ts';

/** Has no name, home or rights. */
const STRANGER = 65_534;
const run = promisify(execFile);

export interface Running {
  url: string;
  process: ChildProcess;
  /** Everything that it printed. */
  printed(): string;
  /** Of the service and its database. */
  pids: number[];
}

export interface Installation {
  /** Path of the packed package. */
  tarball: string;
  /** The folder into which npm installs for all users. */
  prefix: string;
  /** An empty folder. */
  createFolder(): Promise<string>;
  /** Runs `reelay` in a folder. @returns what it prints, without the end of the line */
  reelay(folder: string, args: readonly string[], env?: Record<string, string>): Promise<string>;
  /** Starts a service whose data is in the folder. @param command the program and its arguments */
  start(folder: string, command: readonly string[], env?: Record<string, string>): Promise<Running>;
  /** Ends what it started, and removes it. */
  close(): Promise<void>;
}

export async function install(): Promise<Installation> {
  const place = await mkdtemp(join(tmpdir(), 'reelay-installed-'));
  await chmod(place, 0o755);
  const createFolder = async () => {
    const folder = await mkdtemp(join(place, 'folder-'));
    if (process.getuid?.() === 0) await chown(folder, STRANGER, STRANGER);
    return folder;
  };
  const { stdout } = await run(process.execPath, [join(top, 'scripts/package.mjs'), place]);
  const tarball = stdout.trim().split('\n').at(-1) ?? '';
  const [home, prefix] = [await createFolder(), await createFolder()];
  await copySettings(home);
  const env = { ...networkOf(process.env), PATH: process.env.PATH ?? '', HOME: home };
  // Some package managers run install scripts only on request. In the other installations, by npx, they run.
  const npm = ['npm', 'install', '-g', '--ignore-scripts', '--prefix', prefix, tarball];
  await run(...asStranger(npm), { cwd: home, env });
  const started: ChildProcess[] = [];
  return {
    ...{ tarball, prefix, createFolder },
    async reelay(folder, args, more = {}) {
      const command = asStranger([join(prefix, 'bin/reelay'), ...args]);
      return (await run(...command, { cwd: folder, env: { ...env, ...more } })).stdout.trimEnd();
    },
    async start(folder, command, more = {}) {
      const [program, args] = asStranger(command);
      const options = { cwd: folder, env: { ...env, PORT: '0', ...more }, detached: true };
      const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
      started.push(child);
      let printed = '';
      const keep = (part: Buffer) => {
        printed += part;
      };
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
      const url = await addressIn(child, () => printed);
      const numberIn = async (name: string) =>
        Number((await readFile(join(folder, 'data/database', name), 'utf8')).split('\n')[0]);
      const pids = [await numberIn('owner'), await numberIn('pg/postmaster.pid')];
      return { url, process: child, printed: () => printed, pids };
    },
    async close() {
      for (const child of started) await end(child);
      await rm(place, { recursive: true, force: true });
    },
  };
}

/** The registry, and what it asks for, may be in npm's settings of the user who runs the tests. */
async function copySettings(home: string): Promise<void> {
  const { stdout } = await run('npm', ['config', 'get', 'userconfig']);
  const copy = join(home, '.npmrc');
  if (!existsSync(stdout.trim())) return;
  await copyFile(stdout.trim(), copy);
  await chmod(copy, 0o600);
  if (process.getuid?.() === 0) await chown(copy, STRANGER, STRANGER);
}

/** What npm needs to reach the registry from here. */
function networkOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const isOfNetwork = (name: string) => /^(?:NODE_EXTRA_CA_CERTS|npm_config_registry|(?:https?|no)_proxy)$/i.test(name);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value !== undefined && isOfNetwork(name) ? [[name, value]] : [])),
  );
}

/** A file of the stranger. @param path of the original */
export async function give(path: string, folder: string, name: string): Promise<string> {
  const copy = join(folder, name);
  await mkdir(folder, { recursive: true });
  await copyFile(path, copy);
  await chmod(copy, 0o644);
  return copy;
}

function asStranger([program = '', ...args]: readonly string[]): [string, string[]] {
  if (process.getuid?.() !== 0) return [program, args];
  const ids = ['--reuid', `${STRANGER}`, '--regid', `${STRANGER}`, '--clear-groups'];
  return ['setpriv', [...ids, '--', program, ...args]];
}

async function addressIn(child: ChildProcess, printed: () => string): Promise<string> {
  const found = () => /^Reelay is at (\S+)$/m.exec(printed())?.[1];
  while (child.exitCode === null && child.signalCode === null) {
    const url = found();
    if (url) return url;
    await Promise.race([once(child, 'exit'), ...[child.stdout, child.stderr].map((out) => out && once(out, 'data'))]);
  }
  throw new Error(`It ended before it said where it is: ${printed()}`);
}

/** Ends a program and all that it started. */
async function end(child: ChildProcess): Promise<void> {
  try {
    process.kill(-(child.pid ?? 0), 'SIGTERM');
  } catch {
    // All have ended.
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
