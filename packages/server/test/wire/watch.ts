/** Observes each request to a simulator as it arrives, without changing it. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { MULTIPART } from './bodies.ts';
import { entriesFor, headerOf, isPicture, judge, type Places, REDIRECT_MARK } from './checker.ts';
import { type FormReading, readForm } from './multipart.ts';
import type { Seen, WireTable } from './table.ts';

/** Maximum size of a body that is stored for inspection, in bytes. */
const MAX_TEXT = 1024 * 1024;

export interface WireWatch {
  /** Call it before the request is read or answered. */
  see(request: IncomingMessage, response: ServerResponse): void;
  /** Each finding once, in order. */
  findings(): string[];
}

export interface WatchOptions {
  table: WireTable;
  places: Places;
  /** Called with each complete request, before it is checked. */
  observe?: ((request: Seen) => void) | undefined;
}

/** Paths of a simulator's endpoints, and of URLs in its responses. */
export function placesOf(endpoints: Readonly<Record<string, string>>, baseUrl: string): Places {
  const pathOf = (url: string) => new URL(url).pathname.replace(/\/$/, '');
  const named = Object.entries(endpoints).flatMap(([name, url]) => (url ? [[name, pathOf(url)] as const] : []));
  return { ...Object.fromEntries(named), given: pathOf(baseUrl) };
}

/** Observes all requests to a server. */
export function watchWire(server: Server, { table, places, observe }: WatchOptions): WireWatch {
  const found = new Set<string>();
  const note = (request: Seen) => {
    if (request.body) observe?.(request);
    for (const finding of judge(table, places, request)) found.add(finding);
  };
  // Node parses bytes after the end of a body as another request.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code?.startsWith('HPE_') && error.code !== 'HPE_INVALID_EOF_STATE')
      found.add(`something that is no request was sent: ${error.code}`);
    socket.destroy();
  });
  return {
    findings: () => [...found],
    see(request, response) {
      const method = request.method ?? '';
      const target = request.url ?? '/';
      // Tests use the built-in fetch as the user's browser. Connectors never use it.
      if (request.headers['sec-fetch-mode'] !== undefined || isPicture(table, places, target)) return;
      const seen: Omit<Seen, 'body'> = { method, target, headers: pairs(request.rawHeaders) };
      const reading = readBody(headerOf({ ...seen, body: null }, 'content-type'));
      let over = false;
      const push = request.push;
      // The reader of the body consumes it at its own pace. Every byte passes through `push`.
      request.push = (chunk: Buffer | null, ...more) => {
        if (chunk) reading.take(chunk);
        else if (!over) {
          over = true;
          note({ ...seen, body: bodyOf(request, reading) });
        }
        return push.call(request, chunk, ...more);
      };
      request.once('close', () => {
        if (!over) note({ ...seen, body: null });
        over = true;
      });
      if (!entriesFor(table, places, seen).some(({ goesOn }) => goesOn)) markRedirects(response);
    },
  };
}

interface BodyReading {
  take(chunk: Buffer): void;
  bytes(): number;
  text(): string | null;
  form: FormReading | null;
}

function readBody(type: string): BodyReading {
  const boundary = MULTIPART.exec(type)?.[1];
  const form = boundary ? readForm(boundary) : null;
  const isText = /^application\/(?:json|x-www-form-urlencoded)\b/i.test(type);
  let bytes = 0;
  let kept: Buffer[] = [];
  return {
    form,
    bytes: () => bytes,
    text: () => (isText && bytes <= MAX_TEXT ? Buffer.concat(kept).toString('utf8') : null),
    take(chunk) {
      bytes += chunk.length;
      form?.take(chunk);
      if (isText && bytes <= MAX_TEXT) kept.push(chunk);
      else kept = [];
    },
  };
}

/** Null if the server discarded the body because it had already responded. */
function bodyOf(request: IncomingMessage, reading: BodyReading): Seen['body'] {
  const announced = Number(request.headers['content-length'] ?? reading.bytes());
  if (!request.complete || reading.bytes() < announced) return null;
  return { bytes: reading.bytes(), text: reading.text(), form: reading.form?.end() ?? null };
}

/** Marks the target of a redirect, so that following it is detected. */
function markRedirects(response: ServerResponse): void {
  const writeHead = response.writeHead;
  response.writeHead = (...given: unknown[]) => {
    const location = response.getHeader('location');
    if ([301, 302, 303, 307, 308].includes(Number(given[0])) && typeof location === 'string')
      response.setHeader('location', `${location}${location.includes('?') ? '&' : '?'}${REDIRECT_MARK}=1`);
    return Reflect.apply(writeHead, response, given);
  };
}

function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : []));
}
