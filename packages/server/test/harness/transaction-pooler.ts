/**
 * A connection pooler in transaction mode, like PgBouncer. Each server session is lent to a client for one transaction,
 * most recently used first.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type pg from 'pg';
import { addressOf } from './database-proxy.ts';
import { createMessageReader } from './postgres-messages.ts';

export interface TransactionPooler {
  connection: pg.ClientConfig;
  close(): Promise<void>;
}

interface Client {
  socket: Socket;
  session: Socket | null;
  waiting: Buffer[];
}

const TERMINATE = 'X';
const READY_FOR_QUERY = 'Z';
const IDLE = 'I'.charCodeAt(0);

/** Starts a pooler on a free port of 127.0.0.1. Each client opens a session, which is then shared by all clients. */
export async function startTransactionPooler(target: pg.ClientConfig): Promise<TransactionPooler> {
  const free: Socket[] = [];
  const borrowers = new Map<Socket, Client>();
  const sockets = new Set<Socket>();

  const lend = (client: Client) => {
    client.session ??= free.pop() ?? null;
    if (!client.session) return;
    borrowers.set(client.session, client);
    for (const bytes of client.waiting.splice(0)) client.session.write(bytes);
  };
  const openSession = (client: Client) => {
    const session = connect(addressOf(target));
    const read = createMessageReader();
    sockets.add(session);
    session
      .on('error', () => {})
      .on('data', (data) => {
        for (const { type, bytes } of read(data)) {
          const borrower = borrowers.get(session);
          borrower?.socket.write(bytes);
          if (type !== READY_FOR_QUERY || bytes[5] !== IDLE || !borrower) continue;
          borrowers.delete(session);
          borrower.session = null;
          free.push(session);
        }
      });
    client.session = session;
    borrowers.set(session, client);
  };
  const server = createServer((socket) => {
    const client: Client = { socket, session: null, waiting: [] };
    let started = false;
    const read = createMessageReader(() => (started ? 1 : 0));
    sockets.add(socket);
    socket
      .on('error', () => {})
      .on('data', (data) => {
        for (const { type, bytes } of read(data)) {
          if (!started) openSession(client);
          started = true;
          if (type === TERMINATE) return void socket.end();
          client.waiting.push(bytes);
        }
        lend(client);
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    connection: { ...target, host: '127.0.0.1', port },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
