import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { SimulatorRequest } from '../contract.ts';

/** The body for `text`, `json` or `form` exceeds 1 MiB. */
export class BodyTooLarge extends Error {}

const MAX_TEXT_BYTES = 1024 * 1024;

/** The client disconnected, or the body was already read. */
class BodyGone extends Error {}

/** Reads a body to its end. @throws BodyTooLarge above `maxBytes`; errors of the stream */
export async function readBody(body: Readable, maxBytes = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  // Uses events, because `for await` would destroy the stream and its connection on exit.
  return new Promise((resolve, reject) => {
    if (body.destroyed || body.readableEnded) return reject(new BodyGone('There is no body to read.'));
    body.once('close', () => reject(new BodyGone('The body broke off.')));
    body.on('data', (part: Buffer) => {
      length += part.length;
      if (length <= maxBytes) parts.push(part);
      else reject(new BodyTooLarge('The body is too large.'));
    });
    body.once('end', () => resolve(Buffer.concat(parts)));
    body.once('error', reject);
  });
}

/** Reads and discards a body, or its first `upTo` bytes. */
export function drainBody(body: Readable, upTo = Number.POSITIVE_INFINITY): Promise<void> {
  let length = 0;
  return new Promise((resolve, reject) => {
    if (upTo === 0 || body.destroyed || body.readableEnded) return resolve();
    body.once('close', resolve);
    body.on('data', (part: Buffer) => {
      length += part.length;
      if (length >= upTo) resolve();
    });
    body.once('end', resolve);
    body.once('error', reject);
  });
}

/**
 * Converts a request for a simulator. `json` returns undefined for a body that is not JSON. `form` returns no fields
 * unless the content type is that of a form.
 * @throws BodyTooLarge from `text`, `json` and `form`
 */
export function toSimulatorRequest(given: {
  method: string;
  path: string;
  query: string;
  params: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: Readable;
}): SimulatorRequest {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(given.headers))
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  let read: Promise<string> | null = null;
  const text = () => {
    read ??= readBody(given.body, MAX_TEXT_BYTES).then((bytes) => bytes.toString('utf8'));
    return read;
  };
  return {
    method: given.method,
    path: given.path,
    params: given.params,
    query: new URLSearchParams(given.query),
    headers,
    body: given.body,
    text,
    async json() {
      try {
        return JSON.parse(await text()) as unknown;
      } catch (error) {
        if (error instanceof SyntaxError) return undefined;
        throw error;
      }
    },
    async form() {
      const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
      return new URLSearchParams(type === 'application/x-www-form-urlencoded' ? await text() : '');
    },
  };
}
