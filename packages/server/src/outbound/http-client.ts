/**
 * The HTTP client for connectors, built on node:http and node:https. It follows no redirects, never resends a request
 * implicitly, sets a deadline for each call, and refuses private addresses. (The built-in `fetch` resends a POST after
 * 421, and follows 307 and 308 with the body.)
 */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { say } from '../messages/timeline.ts';
import { type AddressGuard, guardedLookup } from './address-guard.ts';
import { type Json, parseJson } from './json.ts';
import { PlatformError } from './platform-error.ts';

export type HttpBody =
  | { kind: 'none' }
  | { kind: 'bytes'; bytes: Uint8Array | string; type: string }
  | { kind: 'stream'; open: () => Promise<Readable>; length: number; type: string };

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD';
  url: string;
  headers?: Record<string, string>;
  /** Give at most one of body, json, and form. */
  body?: HttpBody;
  json?: unknown;
  form?: Record<string, string>;
  /** Ms from start to complete response. Defaults to 30,000. */
  deadlineMs?: number;
  /** Of the response's body. Defaults to 1 MiB. */
  maxResponseBytes?: number | undefined;
  /** Aborts this call. */
  signal?: AbortSignal;
}

export interface HttpResponse {
  status: number;
  /** Lowercase names; repeated headers are joined by ", ". */
  headers: Record<string, string>;
  text: string;
  /**
   * Parses the body. Integers too large for a double become strings. @throws PlatformError `transient` if the body is
   * not JSON
   */
  json(): Json;
  /** Parses the body as JSON; null if it is not JSON. */
  tryJson(): Json;
}

export type HttpClient = (request: HttpRequest) => Promise<HttpResponse>;

/** No usable response. `sent: 'no'` proves that the complete request did not reach the platform. */
export class NetworkError extends Error {
  readonly sent: 'no' | 'maybe';
  /** Short code for the timeline, such as refused, reset, timeout, name, tls, private_address, or answer_too_large. */
  readonly reason: string;

  constructor(reason: string, sent: 'no' | 'maybe', options: { cause?: unknown } = {}) {
    super(`No usable response (${reason}).`, options);
    this.name = 'NetworkError';
    this.reason = reason;
    this.sent = sent;
  }
}

const MAX_RESPONSE_BYTES = 1024 * 1024;
/** Reason of the abort at the end of each call. The default would be an error with a stack, a fiftieth of the CPU time. */
const ENDED = 'ended';
/** Time that an irreversible upload leaves for its response, in ms; at most half of its deadline. */
const MIN_RESPONSE_MS = 20_000;

export interface HttpClientOptions {
  guard: AddressGuard;
  /** Aborts all calls at once, as a crash would. */
  signal?: AbortSignal;
  /** Maximum deadline of any call in ms. Absent: no maximum. */
  maxDeadlineMs?: number;
  /** Called after each call. The URL is redacted by {@link redactUrl}. */
  observe?: (call: { method: string; url: string; status: number | null; reason: string | null; ms: number }) => void;
  /** Called for each chunk of a streamed body, with its length in bytes. */
  used?: (bytes: number) => void;
  userAgent?: string;
  detour?: Detour;
}

/**
 * Routing for our own URLs: calls to them carry extra headers and, if a port is set, go to 127.0.0.1 over plain HTTP.
 */
export interface Detour {
  /** URL prefix that the routing applies to: `https://reelay.example/sandbox/`. */
  below: string;
  /** Absent: the URL itself is called. */
  port?: number | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface ManagedHttp {
  request: HttpClient;
  /**
   * Sends on a dedicated connection. Checks `permit` in the same tick as the first byte, and for a stream again with
   * the last byte. A stream that reaches its last byte too late for a response is not completed: the outcome would be
   * unknown.
   */
  irreversible(request: HttpRequest, options: IrreversibleOptions): Promise<HttpResponse>;
  close(): void;
}

export interface IrreversibleOptions {
  /** False if the lease is lost and nothing may be sent. */
  permit: () => boolean;
}

/** Creates a client. Ordinary calls reuse connections; irreversible calls do not. */
export function createHttp(options: HttpClientOptions): ManagedHttp {
  const agents = {
    http: new http.Agent({ keepAlive: true, maxSockets: 256, scheduling: 'lifo', timeout: 30_000 }),
    https: new https.Agent({ keepAlive: true, maxSockets: 256, scheduling: 'lifo', timeout: 30_000 }),
  };
  const run = async (request: HttpRequest, single: IrreversibleOptions | null): Promise<HttpResponse> => {
    const started = performance.now();
    let status: number | null = null;
    let reason: string | null = null;
    try {
      const response = await send(request, single, options, agents);
      status = response.status;
      return response;
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

/** A path segment that is a word, a name, or a short id. Tokens in paths are longer or have other characters. */
const PLAIN_PART = /^[\w.~@-]{0,40}$/;

/**
 * Returns the origin and path. Queries are removed because they carry tokens and upload keys; path segments that may be
 * tokens become "…".
 */
export function redactUrl(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return '(no address)';
  const parts = parsed.pathname.split('/').map((part) => (PLAIN_PART.test(part) ? part : '…'));
  return `${parsed.origin}${parts.join('/')}`;
}

async function send(
  request: HttpRequest,
  single: IrreversibleOptions | null,
  options: HttpClientOptions,
  agents: { http: http.Agent; https: https.Agent },
): Promise<HttpResponse> {
  const url = URL.parse(request.url);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw new NetworkError('address', 'no');
  const refusal = options.guard.refuse(url);
  if (refusal) throw new NetworkError(refusal, 'no');
  const body = bodyOf(request);
  // Opened before connecting, so that an unreadable file proves that nothing was sent.
  const source = body.kind === 'stream' ? await body.open() : null;
  const own = options.detour && url.href.startsWith(options.detour.below) ? options.detour : null;
  const detour = own?.port === undefined ? null : own;
  const secure = url.protocol === 'https:' && !detour;
  const signals = [options.signal, request.signal].filter((signal) => signal !== undefined);
  const deadline = Math.min(request.deadlineMs ?? 30_000, options.maxDeadlineMs ?? Number.POSITIVE_INFINITY);
  const completeBy = performance.now() + deadline - Math.min(MIN_RESPONSE_MS, deadline / 2);

  return new Promise<HttpResponse>((resolve, reject) => {
    const over = new AbortController();
    const progress = { ended: false };
    const headers = { ...headersOf(request, body, options.userAgent), ...own?.headers };
    const call = { method: request.method, agent: single ? false : secure ? agents.https : agents.http };
    const outgoing = detour
      ? http.request(`http://127.0.0.1:${detour.port}${url.pathname}${url.search}`, {
          ...call,
          headers: { ...headers, host: url.host },
        })
      : (secure ? https : http).request(url, { ...call, headers, lookup: guardedLookup(options.guard, url) });
    const finish = (settle: () => void) => {
      if (over.signal.aborted) return;
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', cut);
      over.abort(ENDED);
      source?.destroy();
      // The response arrived before the request was complete. The connection holds a partial request and must not be
      // reused.
      if (!outgoing.writableFinished) outgoing.destroy();
      settle();
    };
    // A request whose body was not fully written cannot have been carried out.
    const fail = (reason: string, cause?: unknown) =>
      finish(() => {
        outgoing.destroy();
        reject(new NetworkError(reason, progress.ended ? 'maybe' : 'no', { cause }));
      });
    const cut = () => fail('cut');
    const timer = setTimeout(() => fail('timeout'), deadline);
    for (const signal of signals) signal.addEventListener('abort', cut, { once: true });
    outgoing.on('error', (error) => fail(reasonOf(error), error));
    // Nothing reads the source before the connection is established, so its error must be handled here.
    source?.on('error', (error) => fail('source', error));
    if (signals.some((signal) => signal.aborted)) return cut();

    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const maxBytes = request.maxResponseBytes ?? MAX_RESPONSE_BYTES;
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) return fail('answer_too_large');
        chunks.push(chunk);
      });
      incoming.on('error', (error) => fail(reasonOf(error), error));
      incoming.on('aborted', () => fail('reset'));
      incoming.on('end', () => finish(() => resolve(toResponse(incoming, Buffer.concat(chunks).toString('utf8')))));
    });
    const begin = () => {
      // The lease check and the first byte share one tick, so nothing can happen between them.
      if (single && !single.permit()) return fail('lease_lost');
      feed(outgoing, { body, source, single, completeBy, progress, used: options.used, signal: over.signal }).catch(
        (error) => {
          if (!over.signal.aborted) fail(error instanceof NetworkError ? error.reason : 'source', error);
        },
      );
    };
    if (!single) return begin();
    outgoing.on('socket', (socket) => {
      if (secure || socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', begin);
      else begin();
    });
  });
}

interface Feed {
  body: HttpBody;
  source: Readable | null;
  single: IrreversibleOptions | null;
  /** Latest time of an irreversible upload's last byte, by `performance.now()`. */
  completeBy: number;
  progress: { ended: boolean };
  used: HttpClientOptions['used'];
  signal: AbortSignal;
}

/**
 * Writes the body with backpressure. For an irreversible stream, it holds the last byte back until the lease is checked
 * again.
 */
async function feed(
  outgoing: http.ClientRequest,
  { body, source, single, completeBy, progress, used, signal }: Feed,
): Promise<void> {
  const end = (last?: Uint8Array | string) => {
    progress.ended = true;
    outgoing.end(last);
  };
  if (body.kind === 'none') return end();
  if (body.kind === 'bytes') return end(body.bytes);
  if (!source) throw new NetworkError('source', 'no');
  const total = body.length;
  let handed = 0;
  let last: Buffer | undefined;
  let flushed = Promise.resolve();
  for await (const chunk of source as AsyncIterable<Buffer>) {
    if (signal.aborted) return;
    const final = handed + chunk.length >= total;
    if (handed + chunk.length > total) throw new NetworkError('source_long', 'no');
    handed += chunk.length;
    used?.(chunk.length);
    last = final ? chunk.subarray(chunk.length - 1) : undefined;
    const part = final ? chunk.subarray(0, chunk.length - 1) : chunk;
    if (part.length === 0) continue;
    if (final) flushed = new Promise((resolve) => outgoing.write(part, () => resolve()));
    else if (!outgoing.write(part)) await once(outgoing, 'drain', { signal });
  }
  if (handed !== total || !last) throw new NetworkError('source_short', 'no');
  if (single) {
    // All bytes except the last are flushed before the second lease check, which shares its tick with the last byte.
    await flushed;
    if (signal.aborted) return;
    if (performance.now() > completeBy) throw new NetworkError('timeout', 'no');
    if (!single.permit()) throw new NetworkError('lease_lost', 'no');
  }
  end(last);
}

function headersOf(request: HttpRequest, body: HttpBody, userAgent = 'Reelay'): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    accept: 'application/json',
    'accept-language': 'en',
    ...Object.fromEntries(Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
  };
  if (body.kind !== 'none') {
    headers['content-type'] ??= body.type;
    headers['content-length'] = String(bodyLength(body));
  } else if (request.method !== 'GET' && request.method !== 'HEAD') headers['content-length'] = '0';
  return headers;
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

/** Builds a response from its head and its whole body. */
export function toResponse(incoming: http.IncomingMessage, text: string): HttpResponse {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  return {
    status: incoming.statusCode ?? 0,
    headers,
    text,
    json: () => {
      try {
        return parseJson(text);
      } catch (cause) {
        const detail = say('response_malformed', { status: String(incoming.statusCode) });
        throw new PlatformError({ kind: 'transient', cause: 'server', detail, status: incoming.statusCode }, { cause });
      }
    },
    tryJson: () => {
      try {
        return parseJson(text);
      } catch {
        return null;
      }
    },
  };
}

/** Maps a connection error to a reason of {@link NetworkError}. */
export function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'reset';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (code === 'PRIVATE_ADDRESS') return 'private_address';
  if (typeof code === 'string' && /^(ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO_)|CERT/.test(code)) return 'tls';
  return typeof code === 'string' && code.startsWith('HPE_') ? 'garbage' : 'connection';
}
