/** Streams stored videos to the browser of their owner. */
import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { type ErrorCode, ReelayError } from '../../errors/reelay-error.ts';
import type { Caller } from '../../http/caller.ts';
import { type OperationRequest, type StreamResponse, streamResponse } from '../../http/operation.ts';
import { patientStream } from '../../lib/patient-stream.ts';
import { answerRange, type ByteRange } from '../../lib/ranges.ts';
import { FORMATS } from '../../media/formats.ts';
import { SNIFF_BYTES, sniff } from '../../media/sniff.ts';
import { StorageMissing } from '../../storage/contract.ts';

/** The most of a partial response, in bytes. A player asks for the rest when it needs it. */
const MOST_BYTES = 4 * 1024 * 1024;

export interface StoredFile {
  /** Storage key. */
  key: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/**
 * Responds with a stored video, or with the range that is asked for.
 * @param gone code of the error if the file is not stored any more
 * @throws ReelayError this code, `range_not_satisfiable`, `storage_unavailable`
 */
export async function streamVideo(
  { storage, videoStreams }: Pick<Context, 'storage' | 'videoStreams'>,
  request: OperationRequest<unknown, unknown, unknown, Caller>,
  { key, bytes, sha256 }: StoredFile,
  gone: ErrorCode,
): Promise<StreamResponse> {
  const { caller, header, setHeader, raw, signal } = request;
  const asked = { range: header('range'), 'if-range': header('if-range') };
  const { status, headers, range } = answerRange(asked, bytes, `"${sha256}"`, MOST_BYTES);
  for (const [name, value] of Object.entries({ ...headers, ...SAFE })) setHeader(name, String(value));
  if (!range) throw new ReelayError('range_not_satisfiable');
  const read = async (part: ByteRange) =>
    storage.read(key, part).catch((cause: unknown) => {
      throw new ReelayError(cause instanceof StorageMissing ? gone : 'storage_unavailable', undefined, { cause });
    });
  const type = await typeOf(await read({ first: 0, last: Math.min(SNIFF_BYTES, bytes) - 1 }));
  // The framework reads the stream also for HEAD.
  if (raw.method === 'HEAD') return streamResponse({ stream: Readable.from([]), type, status });
  const held = Promise.withResolvers<Readable>();
  const send = async (part: ByteRange) => {
    const stream = patientStream(await read(part));
    held.resolve(stream);
    await new Promise<void>((resolve) => stream.once('close', resolve));
  };
  videoStreams.run(caller.userId, () => send(range), signal).catch(held.reject);
  return streamResponse({ stream: await held.promise, type, status });
}

async function typeOf(head: Readable): Promise<string> {
  const container = sniff(Buffer.concat(await head.toArray()));
  return container ? FORMATS[container].mime : 'application/octet-stream';
}

/** Opened as a page, the file runs nothing. */
const SAFE = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
} as const;
