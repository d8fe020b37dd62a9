/** What lies in the folder of the embedded PostgreSQL beside its data: where its socket is, its log, an older server. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { RunAs } from './cluster-user.ts';

const run = promisify(execFile);

export interface SocketConnection {
  /** Folder of the socket. */
  host: string;
  user: string;
  database: string;
}

/** Linux limits a socket's path to 107 bytes; "/.s.PGSQL.5432" takes 14 of them, and one is kept. */
const MAX_SOCKET_FOLDER = 92;
const MAX_LOG_BYTES = 10_000_000;
/** Said where a living process has a server in the folder. */
export const IN_USE = 'Another Reelay is using this data folder. Stop it first, or set DATA_DIR to another folder.';

/** How a server with its socket in `host` is reached. */
export function connectionTo(host: string): SocketConnection {
  return { host, user: 'reelay', database: 'reelay' };
}

/** Where the server of a folder listens, by what it noted there; null where none ever ran. */
export async function notedSockets(folder: string): Promise<string | null> {
  return (await readFile(join(folder, 'sockets'), 'utf8').catch(() => '')) || null;
}

/**
 * A private folder for the socket: in the server's own folder, or, where its path would be too long, a short one in the
 * temporary folder. It is noted for those who want to connect.
 */
export async function socketFolder(folder: string, user: RunAs): Promise<string> {
  let sockets = join(folder, 'socket');
  if (Buffer.byteLength(sockets) > MAX_SOCKET_FOLDER) {
    const noted = await notedSockets(folder);
    sockets = noted && (await isPrivate(noted, user)) ? noted : await mkdtemp(join(tmpdir(), 'reelay-'));
  }
  await mkdir(sockets, { recursive: true, mode: 0o700 });
  await chmod(sockets, 0o700);
  await user.own(sockets);
  // The server's user must get through our folder to its own.
  if (user.uid !== null) await chmod(folder, 0o711);
  await writeFile(join(folder, 'sockets'), sockets, { mode: 0o600 });
  return sockets;
}

/** The temporary folder is everybody's, and is emptied: a folder of that name may be somebody else's by now. */
async function isPrivate(path: string, user: RunAs): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found?.isDirectory() === true && found.uid === (user.uid ?? process.getuid?.() ?? found.uid);
}

/** The server's log, opened for writing at its end; a long one is put aside first. */
export async function openLog(path: string) {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MAX_LOG_BYTES) await rename(path, `${path}.old`);
  return await open(path, 'a', 0o600);
}

/** The last lines that the server said, for an error's sentence. */
export async function lastWords(path: string): Promise<string> {
  const lines = (await readFile(path, 'utf8').catch(() => '')).trimEnd().split('\n');
  return lines.slice(-3).join(' / ');
}

/** Whether a server accepts connections. @param database "postgres" is always there */
export async function answers(connection: SocketConnection, database = connection.database): Promise<boolean> {
  const client = new pg.Client({ ...connection, database, connectionTimeoutMillis: 2_000 });
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

/** Notes whose server this is, for `clearOldServer`. */
export async function noteOwner(folder: string): Promise<void> {
  await writeFile(join(folder, 'owner'), `${process.pid}`, { mode: 0o600 });
}

/**
 * Makes way where an earlier server left something. PostgreSQL refuses to start when `postmaster.pid` names a living
 * process of the same user, even one that got the number after a reboot. A server whose service was killed is on its way
 * out, since its parent's death stops it; where systems cannot do that, it is stopped here.
 * @throws Error when the process that started that server lives
 */
export async function clearOldServer(folder: string, data: string): Promise<void> {
  const file = join(data, 'postmaster.pid');
  const pid = await numberIn(file);
  if (!pid) return;
  const owner = await numberIn(join(folder, 'owner'));
  for (let look = 0; await isServerOf(pid, file); look++) {
    const orphaned = !owner || !exists(owner);
    if (look === (orphaned ? 300 : 10)) throw new Error(IN_USE);
    if (look === 5 && orphaned) process.kill(pid, 'SIGINT');
    await pause(100);
  }
  await rm(file, { force: true });
}

/** The process number on the first line of a file, or null. */
async function numberIn(path: string): Promise<number | null> {
  const number = Number((await readFile(path, 'utf8').catch(() => '')).split('\n')[0]);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}

/** Whether a process is the server that wrote this file; where there is no /proc, whether it is one at all. */
async function isServerOf(pid: number, file: string): Promise<boolean> {
  if (!existsSync('/proc/self/comm')) {
    const shown = await run('ps', ['-o', 'comm=', '-p', `${pid}`]).catch(() => null);
    return shown?.stdout.includes('postgres') === true;
  }
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  if (name.trim() !== 'postgres') return false;
  // A process that has ended and that nobody has fetched yet has no folder any more.
  const theirs = await stat(`/proc/${pid}/cwd/postmaster.pid`).catch(() => null);
  const ours = await stat(file).catch(() => null);
  return theirs !== null && ours !== null && theirs.ino === ours.ino;
}

/** Whether there is a process of this number. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
