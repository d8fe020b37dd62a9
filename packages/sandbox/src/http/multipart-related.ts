/** Parser for `multipart/related` bodies of two parts: JSON, then a file that is streamed (RFC 2387). */
import { Readable } from 'node:stream';
import type { SimulatorRequest } from '../contract.ts';

const MAX_HEAD_BYTES = 1024 * 1024;

/** The body is incomplete or malformed. */
class Malformed extends Error {}

export interface RelatedParts<File> {
  /** Undefined if the first part is not JSON. */
  json: unknown;
  /** Content type of the file; "" if absent. */
  type: string;
  file: File;
}

/**
 * Receives both parts.
 * @param receive reads the file to its end; rejects if the file's stream fails
 * @returns null if the body is not a complete body of two parts
 */
export async function receiveRelated<File>(
  { headers, body }: SimulatorRequest,
  receive: (file: Readable) => Promise<File>,
): Promise<RelatedParts<File> | null> {
  const type = headers['content-type'] ?? '';
  const boundary = /^multipart\/related *;(?:.*;)? *boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (!boundary) return null;
  const until = readerOf(body);
  try {
    await textOf(until(`--${boundary}\r\n`));
    await textOf(until('\r\n\r\n'));
    const json = parsed(await textOf(until(`\r\n--${boundary}\r\n`)));
    const head = await textOf(until('\r\n\r\n'));
    const file = await receive(Readable.from(until(`\r\n--${boundary}--`), { objectMode: false }));
    body.resume();
    return { json, type: /^content-type: *([^;\r\n]+)/im.exec(head)?.[1]?.trim() ?? '', file };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    body.resume();
    return null;
  }
}

/** Returns a function that yields the bytes before the next delimiter, and skips the delimiter. @throws Malformed */
function readerOf(body: Readable): (delimiter: string) => AsyncGenerator<Buffer> {
  const chunks = body.iterator({ destroyOnReturn: false });
  let held: Buffer = Buffer.alloc(0);
  return async function* until(delimiter) {
    for (;;) {
      const end = held.indexOf(delimiter);
      // The last bytes may be the beginning of the delimiter.
      const sure = end >= 0 ? end : held.length - delimiter.length + 1;
      if (sure > 0) yield held.subarray(0, sure);
      held = held.subarray(end >= 0 ? end + delimiter.length : Math.max(sure, 0));
      if (end >= 0) return;
      const next = (await chunks.next()) as IteratorResult<Buffer, undefined>;
      if (next.done) throw new Malformed('The body ends too early.');
      held = Buffer.concat([held, next.value]);
    }
  };
}

async function textOf(bytes: AsyncGenerator<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of bytes) {
    length += part.length;
    if (length > MAX_HEAD_BYTES) throw new Malformed('The first part is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
