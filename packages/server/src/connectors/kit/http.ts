/**
 * The HTTP client that connectors use, on node:http and node:https: no redirect is followed, nothing is sent twice
 * behind our back, every call has a deadline, and addresses inside private networks are refused.
 * (The built-in `fetch` sends a POST again after 421, and follows 307 and 308 with the body.)
 */
import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import type { Json } from '../contract.ts';
import { type AddressGuard, guardedLookup } from './address-guard.ts';
import { parseJson } from './json.ts';

export type HttpBody =
  | { kind: 'none' }
  | { kind: 'bytes'; bytes: Uint8Array | string; type: string }
  | { kind: 'stream'; open: () => Promise<Readable>; length: number; type: string };

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD';
  url: string;
  headers?: Record<string, string>;
  /** Give at most one of body, json and form. */
  body?: HttpBody;
  json?: unknown;
  form?: Record<string, string>;
  /** Milliseconds from start to complete answer; 30,000 when absent. */
  deadlineMs?: number;
}

export interface HttpAnswer {
  status: number;
  /** Lower-case names; repeated headers joined by ", ". */
  headers: Record<string, string>;
  /** At most 1 MiB. */
  text: string;
  /** Integers too large for a double come as text. @throws SyntaxError */
  json(): Json;
  /** The body as JSON, or null where it is none. */
  tryJson(): Json;
}

export type HttpClient = (request: HttpRequest) => Promise<HttpAnswer>;

/** No usable answer. `sent: 'no'` is proof that the request did not reach the platform whole. */
export class NetworkError extends Error {
  readonly sent: 'no' | 'maybe';
  /** Short word for the timeline: refused, reset, timeout, name, tls, private_address, answer_too_large. */
  readonly reason: string;

  constructor(reason: string, sent: 'no' | 'maybe', options: { cause?: unknown } = {}) {
    super(`No usable answer (${reason}).`, options);
    this.name = 'NetworkError';
    this.reason = reason;
    this.sent = sent;
  }
}

const MAX_ANSWER_BYTES = 1024 * 1024;

export interface HttpClientOptions {
  guard: AddressGuard;
  /** Cuts every call at once, as a crash would. */
  signal?: AbortSignal;
  /** Longest a call may take whatever the connector asks, in ms; absent: no bound of its own. */
  maxDeadlineMs?: number;
  /** Told of each finished call. */
  observe?: (call: { method: string; url: string; status: number | null; reason: string | null; ms: number }) => void;
  userAgent?: string;
}

export interface ManagedHttp {
  request: HttpClient;
  /** Sends on a connection of its own, looking at `permit` in the tick of the first byte (and of the last, if held). */
  irreversible(request: HttpRequest, options: IrreversibleOptions): Promise<HttpAnswer>;
  close(): void;
}

export interface IrreversibleOptions {
  lastByteCommits: boolean;
  /** False: the lease is gone and nothing may be sent. */
  permit: () => boolean;
}

/** Builds a client with connections kept alive for ordinary calls and none kept for irreversible ones. */
export function createHttp(options: HttpClientOptions): ManagedHttp {
  const agents = {
    http: new http.Agent({ keepAlive: true, maxSockets: 256, scheduling: 'lifo', timeout: 30_000 }),
    https: new https.Agent({ keepAlive: true, maxSockets: 256, scheduling: 'lifo', timeout: 30_000 }),
  };
  const run = async (request: HttpRequest, single: IrreversibleOptions | null): Promise<HttpAnswer> => {
    const started = performance.now();
    let status: number | null = null;
    let reason: string | null = null;
    try {
      const answer = await send(request, single, options, agents);
      status = answer.status;
      return answer;
    } catch (error) {
      reason = error instanceof NetworkError ? error.reason : 'error';
      throw error;
    } finally {
      options.observe?.({
        method: request.method,
        url: redactUrl(request.url),
        status,
        reason,
        ms: performance.now() - started,
      });
    }
  };
  return {
    request: (request) => run(request, null),
    irreversible: (request, single) => run(request, single),
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Origin and path: queries carry tokens and upload keys. */
export function redactUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.origin}${parsed.pathname}` : '(no address)';
}

async function send(
  request: HttpRequest,
  single: IrreversibleOptions | null,
  options: HttpClientOptions,
  agents: { http: http.Agent; https: https.Agent },
): Promise<HttpAnswer> {
  const url = URL.parse(request.url);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw new NetworkError('address', 'no');
  const refusal = options.guard.refuse(url);
  if (refusal) throw new NetworkError(refusal, 'no');
  const body = bodyOf(request);
  const headers: Record<string, string> = {
    'user-agent': options.userAgent ?? 'Reelay',
    accept: 'application/json',
    'accept-language': 'en',
    ...request.headers,
  };
  if (body.kind !== 'none') {
    headers['content-type'] ??= body.type;
    headers['content-length'] = String(bodyLength(body));
  } else if (request.method !== 'GET' && request.method !== 'HEAD') headers['content-length'] = '0';
  // Opened before the connection stands: a file that cannot be read is a request that was never sent.
  const source = body.kind === 'stream' ? await body.open() : null;
  const secure = url.protocol === 'https:';
  const deadline = Math.min(request.deadlineMs ?? 30_000, options.maxDeadlineMs ?? Number.POSITIVE_INFINITY);

  return new Promise<HttpAnswer>((resolve, reject) => {
    let handedOver = false;
    let complete = false;
    let settled = false;
    const outgoing = (secure ? https : http).request(url, {
      method: request.method,
      headers,
      agent: single ? false : secure ? agents.https : agents.http,
      lookup: guardedLookup(options.guard, url),
      setDefaultHeaders: true,
    });
    const fail = (reason: string, cause?: unknown) => {
      if (settled) return;
      settled = true;
      cleanUp();
      source?.destroy();
      outgoing.destroy();
      const sent = !handedOver || (body.kind === 'stream' && !complete) ? 'no' : 'maybe';
      reject(new NetworkError(reason, single ? sent : 'maybe', { cause }));
    };
    const timer = setTimeout(() => fail('timeout'), deadline);
    const aborted = () => fail('cut');
    options.signal?.addEventListener('abort', aborted, { once: true });
    const cleanUp = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', aborted);
    };
    if (options.signal?.aborted) return fail('cut');

    outgoing.on('error', (error) => fail(reasonOf(error), error));
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) return fail('answer_too_large');
        chunks.push(chunk);
      });
      incoming.on('error', (error) => fail(reasonOf(error), error));
      incoming.on('aborted', () => fail('reset'));
      incoming.on('end', () => {
        if (settled) return;
        settled = true;
        cleanUp();
        source?.destroy();
        resolve(toAnswer(incoming, Buffer.concat(chunks).toString('utf8')));
      });
    });

    const write = () => {
      // The last look at the lease and the first byte share one tick; nothing can come between them.
      if (single && !single.permit()) return fail('lease_lost');
      handedOver = true;
      if (body.kind === 'bytes') {
        if (single?.lastByteCommits) return writeHeld(bufferOf(body.bytes));
        complete = true;
        outgoing.end(body.bytes);
      } else if (body.kind === 'stream' && source) pump(source);
      else {
        complete = true;
        outgoing.end();
      }
    };
    const writeHeld = (bytes: Buffer) => {
      outgoing.write(bytes.subarray(0, bytes.length - 1), () => {
        if (settled) return;
        if (!single?.permit()) return failUnsent('lease_lost');
        complete = true;
        outgoing.end(bytes.subarray(bytes.length - 1));
      });
    };
    const failUnsent = (reason: string) => {
      complete = false;
      handedOver = false;
      fail(reason);
    };
    const pump = (stream: Readable) => {
      let held: Buffer | null = null;
      let sent = 0;
      stream.on('error', (error) => failUnsent2(error));
      stream.on('data', (chunk: Buffer) => {
        if (settled) return;
        let next = chunk;
        if (single?.lastByteCommits) {
          next = held ? Buffer.concat([held, chunk]) : chunk;
          held = next.subarray(next.length - 1);
          next = next.subarray(0, next.length - 1);
        }
        sent += next.length;
        if (sent >= bodyLength(body)) complete = true;
        if (next.length > 0 && !outgoing.write(next)) {
          stream.pause();
          outgoing.once('drain', () => stream.resume());
        }
      });
      stream.on('end', () => {
        if (settled) return;
        const last = held;
        const total = sent + (last?.length ?? 0);
        if (total !== bodyLength(body)) return fail('source_short');
        if (!last) return void outgoing.end();
        const finish = () => {
          if (settled) return;
          if (!single?.permit()) return failUnsent('lease_lost');
          complete = true;
          outgoing.end(last);
        };
        // The second look comes when all but the last byte has left this process.
        if (outgoing.writableNeedDrain) outgoing.once('drain', finish);
        else finish();
      });
    };
    const failUnsent2 = (error: unknown) => fail('source', error);

    if (!single) return write();
    outgoing.on('socket', (socket) => {
      const ready = secure ? 'secureConnect' : 'connect';
      if (socket.connecting || secure) socket.once(ready, write);
      else write();
    });
    outgoing.flushHeaders === undefined;
  });
}

function bodyOf(request: HttpRequest): HttpBody {
  if (request.json !== undefined)
    return { kind: 'bytes', bytes: JSON.stringify(request.json), type: 'application/json; charset=UTF-8' };
  if (request.form)
    return {
      kind: 'bytes',
      bytes: new URLSearchParams(request.form).toString(),
      type: 'application/x-www-form-urlencoded',
    };
  return request.body ?? { kind: 'none' };
}

function bodyLength(body: HttpBody): number {
  if (body.kind === 'stream') return body.length;
  return body.kind === 'bytes' ? Buffer.byteLength(body.bytes) : 0;
}

function bufferOf(bytes: Uint8Array | string): Buffer {
  return typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function toAnswer(incoming: http.IncomingMessage, text: string): HttpAnswer {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  return {
    status: incoming.statusCode ?? 0,
    headers,
    text,
    json: () => parseJson(text),
    tryJson: () => {
      try {
        return parseJson(text);
      } catch {
        return null;
      }
    },
  };
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'reset';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (code === 'PRIVATE_ADDRESS') return 'private_address';
  if (typeof code === 'string' && (code.startsWith('ERR_TLS') || code.includes('CERT') || code.startsWith('ERR_SSL')))
    return 'tls';
  return typeof code === 'string' && code.startsWith('HPE_') ? 'garbage' : 'connection';
}
