/**
 * The HTTP client that connectors use, on node:http and node:https: no redirect is followed, nothing is sent twice
 * behind our back, every call has a deadline, and addresses inside private networks are refused.
 * (The built-in `fetch` sends a POST again after 421, and follows 307 and 308 with the body.)
 */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import type { Json } from '../contract.ts';
import { type AddressGuard, guardedLookup } from './address-guard.ts';
import { PlatformError } from './failure.ts';
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
  /** Cuts this call. */
  signal?: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  /** Lower-case names; repeated headers joined by ", ". */
  headers: Record<string, string>;
  /** At most 1 MiB. */
  text: string;
  /** Integers too large for a double come as text. @throws PlatformError `transient` when the body is no JSON */
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
  /** Told of each finished call, by an address that {@link redactUrl} has made fit to be seen. */
  observe?: (call: { method: string; url: string; status: number | null; reason: string | null; ms: number }) => void;
  /** Told of each piece of a streamed body, in bytes. */
  used?: (bytes: number) => void;
  userAgent?: string;
  detour?: Detour;
}

/** Addresses that are our own: calls to them carry headers, and go to a port of 127.0.0.1 in plain HTTP where there is one. */
export interface Detour {
  /** What such addresses begin with: `https://reelay.example/sandbox/`. */
  below: string;
  /** Absent: the address itself is called. */
  port?: number | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface ManagedHttp {
  request: HttpClient;
  /** Sends on a connection of its own, looking at `permit` in the tick of the first byte, and of the last of a stream. */
  irreversible(request: HttpRequest, options: IrreversibleOptions): Promise<HttpAnswer>;
  close(): void;
}

export interface IrreversibleOptions {
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

/** A part of a path that is a word, a name or a short id. Tokens in paths are longer, or have other characters too. */
const PLAIN_PART = /^[\w.~@-]{0,40}$/;

/** Origin and path: queries carry tokens and upload keys. Of the path, whatever is not plain is shown as "…". */
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
): Promise<HttpAnswer> {
  const url = URL.parse(request.url);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw new NetworkError('address', 'no');
  const refusal = options.guard.refuse(url);
  if (refusal) throw new NetworkError(refusal, 'no');
  const body = bodyOf(request);
  // Opened before the connection stands: a file that cannot be read is a request that was never sent.
  const source = body.kind === 'stream' ? await body.open() : null;
  const own = options.detour && url.href.startsWith(options.detour.below) ? options.detour : null;
  const detour = own?.port === undefined ? null : own;
  const secure = url.protocol === 'https:' && !detour;
  const signals = [options.signal, request.signal].filter((signal) => signal !== undefined);
  const deadline = Math.min(request.deadlineMs ?? 30_000, options.maxDeadlineMs ?? Number.POSITIVE_INFINITY);

  return new Promise<HttpAnswer>((resolve, reject) => {
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
      over.abort();
      source?.destroy();
      // Answered before the request was complete: half a request lies on this connection, which nobody may use again.
      if (!outgoing.writableFinished) outgoing.destroy();
      settle();
    };
    // A request whose announced length was not handed over whole cannot have been carried out.
    const fail = (reason: string, cause?: unknown) =>
      finish(() => {
        outgoing.destroy();
        reject(new NetworkError(reason, progress.ended ? 'maybe' : 'no', { cause }));
      });
    const cut = () => fail('cut');
    const timer = setTimeout(() => fail('timeout'), deadline);
    for (const signal of signals) signal.addEventListener('abort', cut, { once: true });
    outgoing.on('error', (error) => fail(reasonOf(error), error));
    // Before the connection stands nobody reads the source, and its error would be nobody's.
    source?.on('error', (error) => fail('source', error));
    if (signals.some((signal) => signal.aborted)) return cut();

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
      incoming.on('end', () => finish(() => resolve(toAnswer(incoming, Buffer.concat(chunks).toString('utf8')))));
    });
    const begin = () => {
      // The last look at the lease and the first byte share one tick; nothing can come between them.
      if (single && !single.permit()) return fail('lease_lost');
      feed(outgoing, { body, source, single, progress, used: options.used, signal: over.signal }).catch((error) => {
        if (!over.signal.aborted) fail(error instanceof NetworkError ? error.reason : 'source', error);
      });
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
  progress: { ended: boolean };
  used: HttpClientOptions['used'];
  signal: AbortSignal;
}

/** Hands the body over with back pressure; of an irreversible stream the last byte is held back for a second look. */
async function feed(
  outgoing: http.ClientRequest,
  { body, source, single, progress, used, signal }: Feed,
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
    // All but the last byte leaves this process before the second look, which shares its tick with the last byte.
    await flushed;
    if (signal.aborted) return;
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

function toAnswer(incoming: http.IncomingMessage, text: string): HttpAnswer {
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
        const detail = `The platform answered ${incoming.statusCode} with something that cannot be read.`;
        throw new PlatformError({ kind: 'transient', detail, status: incoming.statusCode }, { cause });
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

/** A short word for what a connection came to, as {@link NetworkError} has it. */
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
