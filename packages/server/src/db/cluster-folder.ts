/** What lies in the folder of the embedded PostgreSQL beside its data: where its socket is, and its log. */
import { chmod, lstat, mkdir, mkdtemp, open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Access, readPassword } from './cluster-access.ts';
import type { RunAs } from './cluster-user.ts';

export interface SocketConnection {
  /** Folder of the socket. */
  host: string;
  /** Part of the socket's name; 5432 when absent. */
  port?: number;
  user: string;
  password: string | undefined;
  database: string;
}

/** Linux limits a socket's path to 107 bytes; "/.s.PGSQL.5432" takes 14 of them, and one is kept. */
const MAX_SOCKET_FOLDER = 92;
const MAX_LOG_BYTES = 10_000_000;

/** How a role reaches the application's database, on the server of `folder` with its socket in `host`. */
export async function connectionFor(access: Access, folder: string, host: string): Promise<SocketConnection> {
  return { host, user: access.role, password: await readPassword(folder, access), database: 'reelay' };
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
