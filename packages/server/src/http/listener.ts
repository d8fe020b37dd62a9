/** The public HTTP or HTTPS server: TLS, timeouts and connection limits, before any routing. */
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { compile } from '@fastify/proxy-addr';
import { type Config, isLoopback } from '../config/config.ts';
import { apiError } from '../errors/reelay-error.ts';
import { uuidv7 } from '../lib/ids.ts';
import { HOUR } from '../lib/time.ts';
import { limitConnections, MAX_CONNECTIONS } from './connections.ts';
import { errorBody, sendPlainError } from './error-responses.ts';
import { deferContinue } from './receive/expect.ts';
import { network } from './request-limits.ts';

const OPTIONS = {
  // A slow but legitimate upload of 500 MB may take most of it.
  requestTimeout: HOUR,
  headersTimeout: 10_000,
  // Longer than the usual 60 s of proxies, so that the proxy closes idle connections first.
  keepAliveTimeout: 72_000,
  maxHeaderSize: 16_384,
};

/**
 * Creates the server without listening.
 * @throws Error if a certificate file cannot be read
 */
export function createListener(
  config: Pick<Config, 'listen' | 'publicUrl' | 'httpsOnly' | 'trustProxy'>,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): http.Server {
  const { tls } = config.listen;
  const headers = headersOfAll(config);
  const server = tls
    ? https.createServer({ ...OPTIONS, cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) })
    : http.createServer(OPTIONS);
  server.on('request', (request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    handle(request, response);
  });
  const isProxy = compile(config.trustProxy);
  // Loopback is never limited: a local process could do worse anyway.
  limitConnections(server, {
    max: MAX_CONNECTIONS,
    exempt: (address) => network(address).startsWith('127.') || address === '::1' || isProxy(address, 0),
  });
  server.on('clientError', refuseGarbage);
  // Without a handler, Node answers with an empty body.
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    sendPlainError(response, apiError('expect_unsupported', {}, { status: 417 }), uuidv7());
  });
  deferContinue(server);
  return server;
}

/**
 * Headers of every response. Other sites may not embed any, because browsers would send the reader's cookie;
 * `FOR_OTHER_SITES` excepts responses for platforms. HSTS lasts one year, for this host only.
 */
function headersOfAll({ publicUrl, httpsOnly }: Pick<Config, 'publicUrl' | 'httpsOnly'>): [string, string][] {
  const strict = httpsOnly && !isLoopback(new URL(publicUrl).hostname);
  return [
    ['x-content-type-options', 'nosniff'],
    ['cross-origin-resource-policy', 'same-origin'],
    ...(strict ? [['strict-transport-security', 'max-age=31536000'] as [string, string]] : []),
  ];
}

/**
 * Starts listening. `localhost` is the loopback address of both families, because programs try them in either order.
 * @returns the port that was assigned if 0 was requested
 * @throws Error with a one-line message if the port is in use, or the host is no address of this machine
 */
export async function listen(server: http.Server, { listen: { host, port } }: Pick<Config, 'listen'>): Promise<number> {
  const assigned = await bind(server, host === 'localhost' ? '127.0.0.1' : host, port);
  if (host !== 'localhost') return assigned;
  const second = createServer({ allowHalfOpen: !(server instanceof https.Server), noDelay: true });
  second.on('connection', (socket) => server.emit('connection', socket));
  server.once('close', () => second.close());
  try {
    await bind(second, '::1', assigned);
  } catch (error) {
    const { code } = (error as Error).cause as NodeJS.ErrnoException;
    if (code === undefined || !WITHOUT_IPV6.includes(code)) {
      server.close();
      throw error;
    }
  }
  return assigned;
}

/** Errors of a machine without IPv6. */
const WITHOUT_IPV6: readonly string[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT'];

async function bind(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new Error(listenProblem(cause, host, port), { cause })),
    );
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function listenProblem({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use by another program. Stop it, or set PORT to another.`;
  if (code === 'EACCES') return `Port ${port} is reserved for root. Set PORT to another, and run a proxy before it.`;
  return `HOST=${host} is no address of this machine (${code ?? message}). Set HOST to one, such as 127.0.0.1 or ::1.`;
}

/** Replaces port 0 (any free port) in a URL by the assigned port. */
export function withPort(address: string, port: number): string {
  const url = new URL(address);
  if (url.port !== '0') return address;
  url.port = String(port);
  return url.origin;
}

/** Responds to invalid HTTP and slow requests in the usual error format, if a response can still be sent. */
function refuseGarbage(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const body = JSON.stringify(errorBody(apiError('request_malformed')));
  const [status, words] = STATUS[error.code ?? ''] ?? [400, 'Bad Request'];
  socket.end(
    `HTTP/1.1 ${status} ${words}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nx-content-type-options: nosniff\r\nx-request-id: ${uuidv7()}\r\nconnection: close\r\n\r\n${body}`,
  );
}

const STATUS: Record<string, readonly [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};
