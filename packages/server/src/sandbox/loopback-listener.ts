import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A loopback listener that gives this process access to its simulators. */
export interface LoopbackListener {
  /** On 127.0.0.1. */
  port: number;
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1, in plain HTTP: no traffic leaves the machine. */
export async function openLoopbackListener(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<LoopbackListener> {
  const server = http.createServer({ requestTimeout: 0 }, answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
