/**
 * The embedded PostgreSQL server: real binaries from the npm registry, run as our child process on a socket in the data
 * folder, without a TCP port. It stops with us, cannot be started twice, and survives `kill -9`.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { MINUTE } from '../lib/time.ts';
import {
  type Access,
  APPLICATION,
  ensurePassword,
  hasRules,
  PASSWORD_SETTINGS,
  SUPERUSER,
  withPasswordFile,
  writeOpenRules,
  writeRules,
} from './cluster-access.ts';
import {
  answers,
  connectionFor,
  lastLogLines,
  notedSockets,
  openLog,
  type SocketConnection,
  socketFolder,
} from './cluster-folder.ts';
import { inTurn } from './cluster-lock.ts';
import { findPrograms } from './cluster-programs.ts';
import { connectSuperuser, prepareDatabase, setSuperuserPassword } from './cluster-roles.ts';
import { CLEAN_ENVIRONMENT, chooseUser, initdbUser, type RunAs, takeOver } from './cluster-user.ts';
import { clearOldServer, killServer, noteOwner } from './old-server.ts';

const run = promisify(execFile);

export interface ClusterOptions {
  /** Folder of the cluster; created if missing. */
  folder: string;
  /** Extra `name=value` settings. */
  settings?: readonly string[];
  /** false only for tests that may lose data. */
  durable?: boolean;
  /**
   * A fast shutdown that takes longer than this (in ms) becomes an immediate one; after 1.5 times this the server is
   * killed. Default: 15,000. PostgreSQL needs up to 5 s for an immediate shutdown.
   */
  stopMs?: number;
  /** Called when the server was launched and does not accept connections yet. */
  onLaunched?: (() => void) | undefined;
}

export interface Cluster {
  connection: SocketConnection;
  pid: number;
  /** Resolves when the server process has ended, for any reason. */
  ended: Promise<void>;
  /** Ends a server that was asked to shut down and waits for its clients, which are us. */
  hurry(): void;
  /** Restarts the server after it has ended on its own. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** As in PG_VERSION. */
const VERSION = '18';
const READY_WITHIN_MS = MINUTE;
const FAST_STOP_MS = 15_000;
/** Processes of a killed server end within this time (ms). Until then a new one refuses to start. */
const RESTART_WITHIN_MS = 10_000;

/**
 * Low idle memory matters more than peak throughput here: with ten connections 26 instead of 41 MB. `DATABASE_URL` allows
 * a server with other settings.
 */
const SMALL = [
  'shared_buffers=32MB',
  'max_connections=40',
  'max_worker_processes=2',
  'max_parallel_workers=0',
  'max_logical_replication_workers=0',
  'autovacuum_worker_slots=3',
  'autovacuum_max_workers=2',
  'wal_buffers=1MB',
  'io_method=sync',
  'max_wal_size=256MB',
  'log_min_messages=warning',
  'timezone=UTC',
];

const UNSAFE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/**
 * Starts the embedded server; creates its folder if missing.
 * @throws Error with a sentence when the folder is in use, or PostgreSQL cannot run as another user
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const binaries = await findPrograms();
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const folder = realpathSync(options.folder);
  return inTurn(folder, () => start(folder, binaries, options));
}

async function start(folder: string, binaries: string, options: ClusterOptions): Promise<Cluster> {
  const durable = options.durable !== false;
  const data = join(folder, 'pg');
  // Must happen before its files change their owner.
  await clearOldServer(folder, data);
  const user = await chooseUser(folder, data, join(binaries, 'postgres'));
  await takeOver(folder, data, user);
  const sockets = await socketFolder(folder, user);
  const password = await ensurePassword(folder, SUPERUSER);
  const applicationPassword = await ensurePassword(folder, APPLICATION);
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(binaries, { data, user, durable, password });
  await checkVersion(data);
  await noteOwner(folder);

  const connection = await connectionFor(APPLICATION, folder, sockets);
  const superuser = await connectionFor(SUPERUSER, folder, sockets);
  const settings = ['listen_addresses=', ...SMALL, ...(durable ? [] : UNSAFE), ...(options.settings ?? [])];
  const commandWith = (more: readonly string[]) => {
    const all = [...settings, ...more].flatMap((setting) => ['-c', setting]);
    return user.command([join(binaries, 'postgres'), '-D', data, '-k', sockets, ...all], true);
  };
  const command = commandWith([]);
  const place: Place = {
    superuser,
    log: join(folder, 'postgres.log'),
    data,
    stopMs: options.stopMs ?? FAST_STOP_MS,
    prepare: (client) => prepareDatabase(superuser, applicationPassword, client),
  };
  if (!(await hasRules(data, password))) {
    const rules = await writeOpenRules(data, user);
    await secure(commandWith([`hba_file=${rules}`, `port=${SETUP_PORT}`]), place, { user, password });
    await rm(rules);
  }
  let running = await launch(command, place, options.onLaunched);
  return {
    connection,
    get pid() {
      return running.child.pid ?? 0;
    },
    get ended() {
      return running.ended;
    },
    hurry: () => void stop(running),
    async restart() {
      const limit = performance.now() + RESTART_WITHIN_MS;
      for (;;) {
        try {
          running = await launch(command, place);
          return;
        } catch (error) {
          if (performance.now() > limit) throw error;
        }
        await pause(100);
      }
    },
    stop: () => stop(running),
  };
}

/** The application's connection to the running embedded server of a folder; null if none is running. */
export async function runningCluster(folder: string): Promise<SocketConnection | null> {
  const connection = await notedConnection(folder, APPLICATION);
  return connection && (await answers(connection)) ? connection : null;
}

/**
 * The superuser's connection to the embedded server of a folder; null if none ever ran. The service itself never uses
 * it.
 */
export function superuserConnection(folder: string): Promise<SocketConnection | null> {
  return notedConnection(folder, SUPERUSER);
}

async function notedConnection(folder: string, access: Access): Promise<SocketConnection | null> {
  const sockets = await notedSockets(folder);
  return sockets === null ? null : connectionFor(access, folder, sockets);
}

interface Place {
  superuser: SocketConnection;
  log: string;
  data: string;
  stopMs: number;
  /** Called when the server accepts connections, with one to the database `postgres`, which it closes. */
  prepare(client: pg.Client): Promise<void>;
}

/** Differs from the port that commands use, so that they find no server while passwords are being set. */
const SETUP_PORT = 5433;

/**
 * Sets the superuser's password in a server of an earlier version, or one whose password file was lost. After a crash,
 * the next start repeats it.
 */
async function secure(
  command: readonly string[],
  place: Place,
  { user, password }: { user: RunAs; password: string },
): Promise<void> {
  const superuser = { ...place.superuser, port: SETUP_PORT };
  const prepare = (client: pg.Client) => setSuperuserPassword(client, password);
  await stop(await launch(command, { ...place, superuser, prepare }));
  await writeRules(place.data, user, password);
}

interface Running {
  child: ChildProcess;
  ended: Promise<void>;
  place: Place;
  stopping: Promise<void> | null;
}

async function launch(command: readonly string[], place: Place, onLaunched?: () => void): Promise<Running> {
  const log = await openLog(place.log);
  // Detached, because Ctrl-C reaches the whole process group and the server must outlive our draining.
  const child = spawn(command[0] ?? '', command.slice(1), {
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: CLEAN_ENVIRONMENT,
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const running: Running = { child, ended, place, stopping: null };
  await log.close();
  onLaunched?.();
  try {
    const client = await whenReady(place.superuser, ended);
    if (client) {
      await place.prepare(client);
      return running;
    }
  } catch (error) {
    await stop(running);
    throw error;
  }
  await stop(running);
  throw new Error(
    `The embedded PostgreSQL did not start. Its last words in ${place.log}: ${await lastLogLines(place.log)}`,
  );
}

/** Returns the first connection; null if the server ends or takes too long. */
async function whenReady(superuser: SocketConnection, ended: Promise<void>): Promise<pg.Client | null> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const limit = performance.now() + READY_WITHIN_MS;
  while (!over && performance.now() < limit) {
    const client = await connectSuperuser(superuser, 'postgres').catch(() => null);
    if (client) return client;
    await pause(15);
  }
  return null;
}

/** Stops with PostgreSQL's fast shutdown (SIGTERM would wait for clients), then the immediate one, then SIGKILL. */
function stop(running: Running): Promise<void> {
  running.stopping ??= stopWithin(running);
  return running.stopping;
}

async function stopWithin(running: Running): Promise<void> {
  const { child, ended, place } = running;
  tell(running, 'SIGINT');
  const late = setTimeout(() => tell(running, 'SIGQUIT'), place.stopMs);
  const stuck = setTimeout(() => void killServer(child.pid ?? 0, place.data), place.stopMs * 1.5);
  await ended;
  clearTimeout(late);
  clearTimeout(stuck);
}

function tell({ child }: Running, signal: NodeJS.Signals): void {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) child.kill(signal);
}

interface NewCluster {
  data: string;
  user: RunAs;
  durable: boolean;
  password: string;
}

/** Creates the cluster beside its final place and renames it, so that a crash leaves no partial database. */
async function initialise(binaries: string, { data, user, durable, password }: NewCluster): Promise<void> {
  const staging = `${data}.new`;
  const discard = () => rm(staging, { recursive: true, force: true });
  const maker = await initdbUser(user);
  await discard();
  try {
    await createFiles(binaries, staging, maker, { data, user, durable, password });
  } finally {
    await discard();
  }
}

async function createFiles(
  binaries: string,
  staging: string,
  maker: RunAs,
  { data, user, durable, password }: NewCluster,
): Promise<void> {
  const fresh = join(staging, 'pg');
  await mkdir(staging, { mode: 0o700 });
  await maker.admit(staging);
  await mkdir(fresh, { mode: 0o700 });
  await maker.own(fresh);
  const form = ['-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', ...(durable ? [] : ['--no-sync'])];
  await withPasswordFile(staging, maker, password, async (path) => {
    const access = ['-U', SUPERUSER.role, '--auth=scram-sha-256', `--pwfile=${path}`, ...PASSWORD_SETTINGS];
    const [program = '', ...args] = maker.command([join(binaries, 'initdb'), '-D', fresh, ...access, ...form], true);
    await run(program, args, { timeout: 120_000, env: CLEAN_ENVIRONMENT }).catch((error: { stderr?: string }) => {
      const words = error.stderr?.trim().split('\n').at(-1);
      throw new Error(`The embedded PostgreSQL could not create its database: ${words || 'no output.'}`);
    });
  });
  await takeOver(staging, fresh, user);
  await writeRules(fresh, user, password);
  await rm(data, { recursive: true, force: true });
  await rename(fresh, data);
}

async function checkVersion(data: string): Promise<void> {
  const found = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim();
  if (found !== VERSION)
    throw new Error(
      `The data folder was created by PostgreSQL ${found}, but this version of Reelay contains ${VERSION}.`,
    );
}
