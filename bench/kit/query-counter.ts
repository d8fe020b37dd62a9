/** A proxy in front of PostgreSQL that counts the statements of its clients. */
import net from 'node:net';
import { join } from 'node:path';

export interface QueryCounter {
  /** For `DATABASE_URL`. */
  url: string;
  /** Number of executed statements. */
  count(): number;
  close(): Promise<void>;
}

const PORT = 5432;
const EXECUTE = 'E'.charCodeAt(0);
const SIMPLE_QUERY = 'Q'.charCodeAt(0);

/** @param url of a server on a Unix socket @param folder for the proxy's socket */
export async function startQueryCounter(url: string, folder: string): Promise<QueryCounter> {
  const target = new URL(url);
  const socketFolder = decodeURIComponent(target.hostname);
  let count = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(join(socketFolder, `.s.PGSQL.${target.port || PORT}`));
    const scan = messageScanner((type) => {
      if (type === EXECUTE || type === SIMPLE_QUERY) count++;
    });
    client.on('data', scan);
    client.pipe(upstream).pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => {})
        .once('close', () => {
          sockets.delete(one);
          other.destroy();
        });
    }
  });
  await new Promise<void>((resolve) => server.listen(join(folder, `.s.PGSQL.${PORT}`), resolve));
  target.hostname = encodeURIComponent(folder);
  target.port = '';
  return {
    url: target.href,
    count: () => count,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Calls back with the type of each message. The first message of a connection has none. */
function messageScanner(onMessage: (type: number) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let started = false;
  return (bytes) => {
    rest = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
    for (;;) {
      const head = started ? 1 : 0;
      if (rest.length < head + 4) return;
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return;
      if (started) onMessage(rest[0] ?? 0);
      started = true;
      rest = rest.subarray(length);
    }
  };
}
