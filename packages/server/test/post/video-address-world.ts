/** Video hosts with good and bad responses, and fetches from them. */
import { createReadStream } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { ReelayError } from '../../src/errors/reelay-error.ts';
import { type AddressGuard, createAddressGuard, type Resolve } from '../../src/outbound/address-guard.ts';
import { createHashing } from '../../src/storage/incoming/hasher.ts';
import { type FetchOptions, fetchVideo } from '../../src/uploads/remote/video-address.ts';

export interface Source {
  origin: string;
  port: number;
  requests: IncomingMessage[];
  sockets: Set<Socket>;
  close(): Promise<void>;
}

export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** Listens on a free port of 127.0.0.1, with TLS if a certificate is given. */
export async function serveSource(serve: Serve, tls?: { cert: string; key: string }): Promise<Source> {
  const requests: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  const listener: Serve = (request, response) => {
    requests.push(request);
    response.on('error', () => {});
    serve(request, response);
  };
  const server = tls ? https.createServer(tls, listener) : http.createServer(listener);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests,
    sockets,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Serves a video file without its length. @param others files at other paths of the address */
export const serveVideo = (file: string, others: Readonly<Record<string, string>> = {}): Promise<Source> =>
  serveSource((request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'transfer-encoding': 'chunked' });
    createReadStream(others[request.url ?? ''] ?? file).pipe(response);
  });

/** A guard as if the operator had listed this host. */
const named = (address: string): AddressGuard => createAddressGuard([URL.parse(address)?.host ?? ''], []);

/** A guard for which only these addresses are public, and plain HTTP is allowed. */
export const worldOf = (...publicAddresses: string[]): AddressGuard => ({
  refuse: () => null,
  allows: (_url, address) => publicAddresses.includes(address),
});

/** A resolver that returns one list after the other, repeats the last, and records its calls. */
export function answering(...responses: string[][]): { resolve: Resolve; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve(hostname, _options, callback) {
      const addresses = responses[Math.min(asked.length, responses.length - 1)] ?? [];
      asked.push(hostname);
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
  };
}

/** Fetches with the service's defaults, except for the options. */
export function fetching(address: string, folder: string, options: Partial<FetchOptions> = {}) {
  return fetchVideo(address, {
    folder,
    guard: named(address),
    hasher: createHashing(),
    maxBytes: 1_000_000,
    deadlineMs: 20_000,
    onBytes: () => {},
    signal: new AbortController().signal,
    ...options,
  });
}

/** The error that a fetch ends with. */
export async function refusalOf(fetch: Promise<unknown>): Promise<ReelayError> {
  try {
    await fetch;
  } catch (error) {
    if (error instanceof ReelayError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

/** Writes for as long as the client reads. @returns bytes written so far */
export function pour(response: ServerResponse, chunk: Buffer): () => number {
  let sent = 0;
  const write = () => {
    while (!response.destroyed) {
      sent += chunk.length;
      if (!response.write(chunk)) break;
    }
  };
  response.on('drain', write);
  write();
  return () => sent;
}
