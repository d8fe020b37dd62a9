/**
 * The upload host (`rupload`): receives the bytes of a container in one request. An interrupted upload resumes in
 * another request.
 */
import { Readable } from 'node:stream';
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { ok, uploadError } from '../../graph/answers.ts';
import { Refused } from '../../http/refused.ts';
import { newPlainSecret } from '../../oauth/tokens.ts';
import { totalBytes } from '../../store/records.ts';
import { tokenFor } from './caller.ts';
import { MAX_BYTES, statusCodeOf } from './containers.ts';
import type { Container } from './records.ts';

export async function receive(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const container = await options.books.get<Container>('container', request.params.id ?? '');
  if (!container || !(await mayUpload(options, request, container)))
    return uploadError('ProcessingFailedError', 'unauthorized user request');
  if (statusCodeOf(container, options.now()) === 'EXPIRED')
    return uploadError('ProcessingFailedError', 'the upload has expired');
  const offset = wholeNumber(request.headers.offset);
  const size = wholeNumber(request.headers.file_size);
  const length = wholeNumber(request.headers['content-length']);
  if (size === null || size === 0 || size > MAX_BYTES)
    return uploadError('ProcessingFailedError', 'file_size is missing or too large');
  const has = totalBytes(container.chunks);
  if (offset === null || offset !== has) return uploadError('OffsetInvalidError', 'The offset is not where it ends');
  const differs = container.size !== null && container.size !== size;
  if (differs || length === null || length !== size - offset)
    return uploadError('PartialRequestError', 'Partial request (did not match length of file)');
  // Each attempt writes its own blob, because only one of two concurrent attempts is accepted.
  const blob = `${container.id}-${offset}-${newPlainSecret(6)}`;
  const { bytes } = await options.blobs.put(blob, Readable.from(untilItBreaks(request.body), { objectMode: false }));
  const after = await options.books.change<Container>('container', container.id, (current) => {
    if (!current || totalBytes(current.chunks) !== offset) return undefined;
    const whole = offset + bytes === size;
    const mime = request.headers['content-type'] ?? current.mime;
    const chunks = [...current.chunks, { blob, bytes }];
    return { ...current, chunks, size, mime, completeAt: whole ? options.now() : null };
  });
  if (!after?.chunks.some((chunk) => chunk.blob === blob)) {
    await options.blobs.remove(blob);
    return uploadError('OffsetInvalidError', 'The offset is not where it ends');
  }
  if (after.completeAt === null) return uploadError('PartialRequestError', 'Partial request');
  return ok({ success: true, message: 'Upload successful.' });
}

/** Keeps the bytes that arrived before the connection broke. */
async function* untilItBreaks(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const part of body) yield part as Uint8Array;
  } catch {
    // The client has disconnected.
  }
}

async function mayUpload(options: SimulatorOptions, request: SimulatorRequest, container: Container): Promise<boolean> {
  const token = /^OAuth (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  try {
    const { record, grant } = await tokenFor(options, token, 'facebook');
    const igIds = record.igId === null ? grant.igIds : [record.igId];
    return container.source === 'upload' && igIds.includes(container.igId);
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
