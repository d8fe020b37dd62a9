/** Files beside the data of the embedded PostgreSQL: its socket folder and its log. */
import { chmod, lstat, mkdir, mkdtemp, open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Access, readPassword } from './cluster-access.ts';
import type { RunAs } from './cluster-user.ts';

export interface SocketConnection {
  /** Folder of the socket. */
  host: string;
  /** Part of the socket's name; default 5432. */
  port?: number;
  user: string;
  password: string | undefined;
  database: string;
}

/** Linux limits a socket path to 107 bytes. "/.s.PGSQL.5432" takes 14 of them, and one is reserved. */
const MAX_SOCKET_FOLDER = 92;
const MAX_LOG_BYTES = 10_000_000;

/**
 * Connection settings of a role for the application's database, on the server of `folder` with its socket in `host`.
 */
export async function connectionFor(access: Access, folder: string, host: string): Promise<SocketConnection> {
  return { host, user: access.role, password: await readPassword(folder, access), database: 'reelay' };
}

/** The socket folder recorded for a server's folder; null if no server ever ran there. */
export async function notedSockets(folder: string): Promise<string | null> {
  return (await readFile(join(folder, 'sockets'), 'utf8').catch(() => '')) || null;
}

/**
 * Creates a private folder for the socket: in the server's folder, or a short one in the temporary folder if the path
 * would be too long. Records it for clients.
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
  // The server's user must be able to pass through our folder to its own.
  if (user.uid !== null) await chmod(folder, 0o711);
  await writeFile(join(folder, 'sockets'), sockets, { mode: 0o600 });
  return sockets;
}

/** The temporary folder is shared and gets cleaned, so a folder of that name may now belong to another user. */
async function isPrivate(path: string, user: RunAs): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found?.isDirectory() === true && found.uid === (user.uid ?? process.getuid?.() ?? found.uid);
}

/** Opens the server's log for appending. A long log is renamed first. */
export async function openLog(path: string) {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MAX_LOG_BYTES) await rename(path, `${path}.old`);
  return await open(path, 'a', 0o600);
}

/** The last lines of the server's log, for an error message. */
export async function lastLogLines(path: string): Promise<string> {
  const lines = (await readFile(path, 'utf8').catch(() => '')).trimEnd().split('\n');
  return lines.slice(-3).join(' / ');
}

/** Returns whether a server accepts connections. */
export async function answers(connection: SocketConnection): Promise<boolean> {
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
