/** A scripted HTTP server for tests that records its requests. */
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Recorded {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface Server {
  url: string;
  requests: Recorded[];
  close(): Promise<void>;
}

/** The next reaction: a response, a connection reset, or a handler of the raw request. */
export type Next =
  | { status: number; json?: unknown; text?: string; headers?: Record<string, string> }
  | 'reset'
  | ((request: IncomingMessage, response: ServerResponse) => void);

/** @param script responses in order; the last one repeats */
export async function serve(script: readonly Next[]): Promise<Server> {
  const requests: Recorded[] = [];
  let count = 0;
  const server = http.createServer(async (request, response) => {
    const next = script[Math.min(count++, script.length - 1)];
    if (typeof next === 'function') return next(request, response);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers, body: Buffer.concat(parts).toString('latin1') });
    if (next === 'reset' || next === undefined) return void request.socket.resetAndDestroy();
    const body = next.text ?? JSON.stringify(next.json ?? { success: true });
    response.writeHead(next.status, { 'content-type': 'application/json', ...next.headers }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * A proxy that answers larger request bodies with a page of its own, as Cloudflare and nginx do.
 * @param limit in bytes
 */
export async function limitingProxy(target: string, limit: number): Promise<Server & { sizes: number[] }> {
  const sizes: number[] = [];
  const forward = (request: IncomingMessage, response: ServerResponse) => {
    const length = Number(request.headers['content-length'] ?? 0);
    if (request.method === 'PATCH') sizes.push(length);
    if (length > limit) {
      request.resume();
      return void response.writeHead(413, { 'content-type': 'text/html' }).end('<h1>413 Request Entity Too Large</h1>');
    }
    const { method, url, headers } = request;
    const forwarded = http.request(new URL(url ?? '/', target), { method, headers }, (onward) => {
      response.writeHead(onward.statusCode ?? 502, onward.headers);
      onward.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  };
  return { ...(await serve([forward])), sizes };
}

/** Runs a test with such a server. */
export async function withServer<T>(script: readonly Next[], use: (server: Server) => Promise<T>): Promise<T> {
  const server = await serve(script);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

/** A pause that only records its duration, in ms. */
export function noted(): { pauses: number[]; pause: (ms: number) => Promise<void> } {
  const pauses: number[] = [];
  return {
    pauses,
    pause: async (ms) => {
      pauses.push(ms);
    },
  };
}
