/** A streamed `multipart/form-data` encoder. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { HttpBody } from '../../outbound/http-client.ts';

export type MultipartPart =
  | { name: string; value: string }
  | { name: string; filename: string; type: string; length: number; open: () => Promise<Readable> };

/**
 * Builds a `multipart/form-data` body (RFC 7578) that is streamed part by part and has a known length in bytes.
 * @throws RangeError if a name, file name, or type has a quote or a line break
 */
export function multipartBody(parts: readonly MultipartPart[]): HttpBody & { kind: 'stream' } {
  const boundary = `reelay-${randomUUID()}`;
  const heads = parts.map((part) => Buffer.from(headOf(part, boundary)));
  const tail = Buffer.from(`--${boundary}--\r\n`);
  const contents = parts.map((part) => ('value' in part ? Buffer.byteLength(part.value) : part.length));
  const length = [...heads.map((head) => head.length + 2), ...contents, tail.length].reduce((sum, one) => sum + one, 0);
  async function* write(): AsyncGenerator<Uint8Array> {
    for (const [index, part] of parts.entries()) {
      yield heads[index] ?? Buffer.alloc(0);
      if ('value' in part) yield Buffer.from(part.value);
      else yield* (await part.open()) as AsyncIterable<Uint8Array>;
      yield Buffer.from('\r\n');
    }
    yield tail;
  }
  return {
    kind: 'stream',
    open: async () => Readable.from(write(), { objectMode: false }),
    length,
    type: `multipart/form-data; boundary=${boundary}`,
  };
}

function headOf(part: MultipartPart, boundary: string): string {
  const [filename, type] = 'value' in part ? ['', ''] : [part.filename, part.type];
  if (/["\r\n]/.test(part.name + filename + type)) throw new RangeError('A part has a name that cannot be written.');
  const file = filename && `; filename="${filename}"\r\nContent-Type: ${type}`;
  return `--${boundary}\r\nContent-Disposition: form-data; name="${part.name}"${file}\r\n\r\n`;
}
