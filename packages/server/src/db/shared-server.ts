/** Keeps an embedded server that a command started running until the commands that share it have ended. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { SocketConnection } from './cluster-folder.ts';

/** Held in shared mode by each command that uses the server of another process. */
const SHARING_LOCK = 7_305_015;

/**
 * Keeps the server running for this command, until the returned session ends. A session lock is used, because a pool
 * opens and closes its sessions at any time.
 * @returns null if the server is about to stop
 * @throws an error of the driver when the server does not respond
 */
export async function shareServer(connection: SocketConnection): Promise<pg.Client | null> {
  const client = await open(connection);
  try {
    const sql = 'select pg_try_advisory_lock_shared($1) as shared';
    if ((await client.query<{ shared: boolean }>(sql, [SHARING_LOCK])).rows[0]?.shared) return client;
  } catch (error) {
    await close(client);
    throw error;
  }
  await close(client);
  return null;
}

/**
 * Waits until no other command uses the server. From then on none can, so the server may stop. Also returns when the
 * time is over, or the server has ended.
 */
export async function waitForSharers(connection: SocketConnection, withinMs: number): Promise<void> {
  const over = new AbortController();
  const timeout = pause(withinMs, undefined, { signal: over.signal }).catch(() => {});
  await Promise.race([lockAll(connection).catch(() => {}), timeout]);
  over.abort();
}

/** The session stays open, so it keeps the lock until the server stops. */
async function lockAll(connection: SocketConnection): Promise<void> {
  const client = await open(connection);
  await client.query('select pg_advisory_lock($1)', [SHARING_LOCK]);
}

async function open(connection: SocketConnection): Promise<pg.Client> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  return client;
}

const close = (client: pg.Client) => client.end().catch(() => {});
