/**
 * The upload host (`rupload`): receives the bytes of a container in one request. An interrupted upload resumes in
 * another request.
 */
import { Readable } from 'node:stream';
import type { SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { ok, uploadError, wholeNumber } from '../../graph/responses.ts';
import type { Handler } from '../../http/routes.ts';
import { Refused } from '../../refused.ts';
import { appendChunk, totalBytes } from '../../store/chunks.ts';
import { tokenFor } from './caller.ts';
import { MAX_BYTES, statusCodeOf } from './containers.ts';
import type { Container } from './records.ts';

export const receive: Handler = async (options, request) => {
  const container = await options.store.get<Container>('container', request.params.id ?? '');
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
  const body = Readable.from(untilItBreaks(request.body), { objectMode: false });
  const upload = ['container', container.id] as const;
  const { record: after, recorded } = await appendChunk<Container>(options, upload, { offset, body }, (bytes) => ({
    size,
    mime: request.headers['content-type'] ?? container.mime,
    completeAt: offset + bytes === size ? options.now() : null,
  }));
  if (!after || !recorded) return uploadError('OffsetInvalidError', 'The offset is not where it ends');
  if (after.completeAt === null) return uploadError('PartialRequestError', 'Partial request');
  return ok({ success: true, message: 'Upload successful.' });
};

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
