/**
 * Reads streams of messages: HTTP responses that do not end, and WebSockets. Streams follow no redirects, refuse private
 * addresses, end when they are silent, and hold at most one message in memory.
 */
import http from 'node:http';
import https from 'node:https';
import type { WebSocket } from 'ws';
import { type AddressGuard, guardedLookup } from './address-guard.ts';
import { createEventParser } from './event-parser.ts';
import { type Detour, type HttpResponse, reasonOf, toResponse } from './http-client.ts';
import { createLineParser } from './line-parser.ts';

export interface StreamOptions {
  /** `https:` for an HTTP response, `wss:` for a WebSocket. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Format of an HTTP response. Default: server-sent events. Empty lines of `lines` are signs of life only. */
  format?: keyof typeof FORMATS;
  guard: AddressGuard;
  detour?: Detour | undefined;
  userAgent: string;
  /** Ends the stream. */
  signal: AbortSignal;
  /** Called once connected. `send` works for WebSockets only. */
  onOpen(send: (text: string) => void): void;
  /** Errors that it throws end the stream. */
  onMessage(message: { event: string; data: string }): void;
  /** Called before the end with an HTTP response that is no stream. Its body may be cut off. */
  onRefused?(response: HttpResponse): void;
  /** Timeout of the connection, in ms. */
  connectMs?: number;
  /** A stream without any sign of life for this long is closed, in ms. */
  silenceMs?: number;
}

/** Why a stream ended: a reason as in `NetworkError`, or `status`, `type`, `ended`, `silent`, `too_large`, `cut`. */
export interface StreamEnd {
  reason: string;
  /** Status of a response that is no stream. */
  status: number | null;
}

/** Content types of the formats, and their parsers. */
const FORMATS = {
  events: {
    accept: 'text/event-stream',
    type: /^text\/event-stream\b/i,
    parser: (onMessage: StreamOptions['onMessage']) => createEventParser(MAX_MESSAGE_BYTES, onMessage),
  },
  lines: {
    accept: 'application/json',
    type: /^application\/[\w.+-]*json\b/i,
    parser: (onMessage: StreamOptions['onMessage']) =>
      createLineParser(
        () => MAX_MESSAGE_BYTES,
        (data) => data.trim() !== '' && onMessage({ event: '', data }),
      ),
  },
};
const MAX_MESSAGE_BYTES = 1024 * 1024;
const MAX_REFUSAL_BYTES = 64 * 1024;
const REFUSAL_MS = 5_000;
const CONNECT_MS = 30_000;
/** Mastodon sends a heartbeat every 15 s, X every 20 s. */
const SILENCE_MS = 90_000;

/** Reads a stream until it ends. Never rejects. */
export async function readStream(options: StreamOptions): Promise<StreamEnd> {
  const url = URL.parse(options.url);
  const isSocket = url !== null && /^wss?:$/.test(url.protocol);
  if (!url || !(isSocket || /^https?:$/.test(url.protocol))) return { reason: 'address', status: null };
  const page = new URL(url.href.replace(/^ws/, 'http'));
  const refusal = options.guard.refuse(page);
  if (refusal) return { reason: refusal, status: null };
  if (options.signal.aborted) return { reason: 'cut', status: null };
  const own = options.detour && page.href.startsWith(options.detour.below) ? options.detour : null;
  const port = own?.port;
  const target: Target = {
    url: port === undefined ? page : new URL(`http://127.0.0.1:${port}${page.pathname}${page.search}`),
    headers: {
      'user-agent': options.userAgent,
      ...options.headers,
      ...own?.headers,
      ...(port !== undefined && { host: page.host }),
    },
    ...(port === undefined && { lookup: guardedLookup(options.guard, page) }),
  };
  return isSocket ? readSocket(target, options) : readResponse(target, options);
}

interface Target {
  url: URL;
  headers: Record<string, string>;
  lookup?: http.RequestOptions['lookup'];
}

/** Ends a stream once, for the first reason. */
function createEnd(options: StreamOptions, close: () => void) {
  const { promise, resolve } = Promise.withResolvers<StreamEnd>();
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const end = (reason: string, status: number | null = null) => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    options.signal.removeEventListener('abort', cut);
    close();
    resolve({ reason, status });
  };
  const cut = () => end('cut');
  options.signal.addEventListener('abort', cut, { once: true });
  const within = (ms: number, reason: string, status: number | null = null) => {
    clearTimeout(timer);
    if (!over) timer = setTimeout(end, ms, reason, status);
  };
  within(options.connectMs ?? CONNECT_MS, 'timeout');
  /** Runs a callback of the caller, whose errors end the stream. */
  const guarded = (call: () => void) => {
    if (over) return;
    try {
      call();
    } catch (error) {
      end(error instanceof RangeError ? 'too_large' : 'failed');
    }
  };
  return { promise, end, within, alive: () => within(options.silenceMs ?? SILENCE_MS, 'silent'), guarded };
}

function readResponse({ url, headers, lookup }: Target, options: StreamOptions): Promise<StreamEnd> {
  const format = FORMATS[options.format ?? 'events'];
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    headers: { accept: format.accept, ...headers },
    agent: false,
    lookup,
  });
  const { promise, end, within, alive, guarded } = createEnd(options, () => request.destroy());
  request.on('error', (error) => end(reasonOf(error)));
  request.on('response', (response) => {
    const { statusCode = 0 } = response;
    response.setEncoding('utf8');
    if (statusCode !== 200 && options.onRefused) {
      within(REFUSAL_MS, 'status', statusCode);
      return readRefusal(response, (text) => {
        guarded(() => options.onRefused?.(toResponse(response, text)));
        end('status', statusCode);
      });
    }
    response.on('error', (error) => end(reasonOf(error)));
    response.on('close', () => end('ended'));
    if (statusCode !== 200) return end('status', statusCode);
    if (!format.type.test(response.headers['content-type'] ?? '')) return end('type', statusCode);
    const parser = format.parser(options.onMessage);
    // Single bytes are no sign of life: a line that never ends would keep the connection open.
    response.on('data', (chunk: string) =>
      guarded(() => {
        if (parser.push(chunk) > 0) alive();
      }),
    );
    alive();
    guarded(() => options.onOpen(() => {}));
  });
  request.end();
  return promise;
}

/** Reads the body of a response that is no stream, up to its end or its limit. @param done called at least once */
function readRefusal(response: http.IncomingMessage, done: (text: string) => void): void {
  let text = '';
  const finish = () => done(text);
  response.on('data', (chunk: string) => {
    text += chunk;
    if (text.length > MAX_REFUSAL_BYTES) finish();
  });
  for (const event of ['end', 'close', 'error']) response.on(event, finish);
}

async function readSocket({ url, headers, lookup }: Target, options: StreamOptions): Promise<StreamEnd> {
  // Loaded when the first one is opened: most installations have none.
  const { WebSocket } = await import('ws');
  const socket: WebSocket = new WebSocket(url.href.replace(/^http/, 'ws'), {
    headers,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    ...(lookup && { lookup }),
  });
  const silenceMs = options.silenceMs ?? SILENCE_MS;
  let pings: NodeJS.Timeout | undefined;
  const { promise, end, alive, guarded } = createEnd(options, () => {
    clearInterval(pings);
    socket.terminate();
  });
  socket.on('error', (error: NodeJS.ErrnoException) =>
    end(
      error.code?.startsWith('WS_ERR_') ? (TOO_LARGE.includes(error.code) ? 'too_large' : 'garbage') : reasonOf(error),
    ),
  );
  socket.on('unexpected-response', (_, response) => end('status', response.statusCode ?? 0));
  socket.on('close', () => end('ended'));
  socket.on('open', () => {
    pings = setInterval(() => socket.ping(), silenceMs / 3);
    alive();
    guarded(() => options.onOpen((text) => socket.readyState === socket.OPEN && socket.send(text)));
  });
  socket.on('pong', alive);
  socket.on('ping', alive);
  socket.on('message', (data, isBinary) => {
    alive();
    if (!isBinary) guarded(() => options.onMessage({ event: '', data: data.toString() }));
  });
  return promise;
}

const TOO_LARGE = ['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH', 'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH'];
