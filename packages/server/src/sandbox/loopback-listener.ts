import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A loopback listener that gives this process access to its simulators. Other local processes can connect to it, too. */
export interface LoopbackListener {
  /** On 127.0.0.1. */
  port: number;
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1, in plain HTTP: no traffic leaves the machine. */
export async function openLoopbackListener(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): Promise<LoopbackListener> {
  const server = http.createServer({ requestTimeout: 0 }, answer);
  const sockets = new Set<Duplex>();
  server.on('upgrade', (request, socket, head) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    upgrade(request, socket, head);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
    },
  };
}
