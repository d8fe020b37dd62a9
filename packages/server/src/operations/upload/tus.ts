/**
 * Resumable uploads: tus 1.0 with creation, termination, checksum and expiration
 * (https://tus.io/protocols/resumable-upload).
 */
import { apiError, ReelayError } from '../../errors/reelay-error.ts';
import { BASE_PATH } from '../../http/addresses.ts';
import type { RawRequest, RawResponse, RawRoute } from '../../http/raw.ts';
import { readRawBody } from '../../http/receive/raw-body.ts';
import { everyInterval } from '../../http/receive/speed.ts';
import { CHECKSUMS, parseBytes, parseChecksum } from '../../uploads/headers.ts';
import { receivePiece } from '../../uploads/receive.ts';
import { assertUploadId, beginUpload, endUpload, standing } from '../../uploads/service.ts';
import { MAX_UPLOAD } from '../../uploads/types.ts';
import { abilitiesDocument, createDocument, deleteDocument, headDocument, patchDocument } from './tus-documents.ts';

type Handle = RawRoute['handle'];

const VERSION = '1.0.0';
const PLACE = '/uploads';
const headers = { 'tus-resumable': VERSION, 'tus-version': VERSION };
const abilities = {
  'tus-extension': 'creation,termination,checksum,expiration',
  'tus-max-size': String(MAX_UPLOAD),
  'tus-checksum-algorithm': CHECKSUMS.join(','),
};

const which = ({ caller, params }: RawRequest) => ({
  userId: caller().userId,
  uploadId: assertUploadId(params.id ?? ''),
});

/** "The response to a request of another version MUST be 412, and it MUST NOT be processed." */
function assertVersion({ header }: RawRequest): void {
  if (header('tus-resumable') !== VERSION) throw new ReelayError('unsupported_tus_version');
}

const create: Handle = async (context, request) => {
  assertVersion(request);
  const { caller, header } = request;
  if (header('upload-defer-length') !== undefined) throw apiError('upload_length_deferred');
  const { id, expiresAt } = await beginUpload(context, {
    userId: caller().userId,
    bytes: parseBytes('Upload-Length', header('upload-length')),
    metadata: header('upload-metadata'),
  });
  return {
    status: 201,
    headers: { location: `${BASE_PATH}${PLACE}/${id}`, 'upload-expires': expiresAt.toUTCString() },
  };
};

const head: Handle = async (context, request) => {
  assertVersion(request);
  const { bytes, durable, metadata, expiresAt } = await standing(context, which(request));
  return {
    status: 200,
    headers: {
      'upload-offset': String(durable),
      'upload-length': String(bytes),
      ...(metadata === null ? {} : { 'upload-metadata': metadata }),
      'upload-expires': expiresAt.toUTCString(),
    },
  };
};

const patch: Handle = async (context, request) => {
  assertVersion(request);
  const { caller, header, raw, response } = request;
  if (!/^application\/offset\+octet-stream *(?:;|$)/i.test(header('content-type') ?? ''))
    throw apiError('upload_type_wrong');
  const length = header('content-length');
  const { offset, expiresAt } = await receivePiece(context, {
    ...which(request),
    offset: parseBytes('Upload-Offset', header('upload-offset')),
    length: length === undefined ? null : Number(length),
    checksum: parseChecksum(header('upload-checksum')),
    pour: (taker) => readRawBody(raw, { ...taker, response, every: everyInterval }),
    credential: caller(),
    every: everyInterval,
  });
  return { status: 204, headers: { 'upload-offset': String(offset), 'upload-expires': expiresAt.toUTCString() } };
};

const terminate: Handle = async (context, request) => {
  assertVersion(request);
  await endUpload(context, which(request));
  return { status: 204 };
};

/** For these methods a used upload no longer exists: tus-js-client then creates another one. */
const gone = (refusal: ReelayError) =>
  refusal.code === 'upload_used' ? new ReelayError('upload_used', refusal.said, { status: 410 }) : refusal;

const locked = (cause: ReelayError) => apiError('upload_paused', {}, { cause, extras: cause.extras });

/** tus-js-client restarts the upload if HEAD returns anything but 2xx and 423. */
const lockedHead = (refusal: ReelayError) =>
  refusal.status >= 500 || refusal.said.code === 'problem.pieces_limited' ? locked(refusal) : gone(refusal);

const lockedPiece = (refusal: ReelayError) =>
  refusal.code === 'starting' || refusal.code === 'draining' ? locked(refusal) : gone(refusal);

/** For clients that can only send POST. */
const overridden: Handle = (context, request) => {
  const meant = request.header('x-http-method-override')?.toUpperCase() ?? '';
  const handle = { PATCH: patch, DELETE: terminate, HEAD: head }[meant];
  if (!handle) throw new ReelayError('method_not_allowed');
  return handle(context, request);
};

const tell = (): RawResponse => ({ status: 204, headers: abilities });

export const TUS: readonly RawRoute[] = [
  {
    ...{ method: 'OPTIONS', path: PLACE, open: true, writes: false, headers, handle: tell },
    document: abilitiesDocument,
  },
  { method: 'OPTIONS', path: `${PLACE}/{id}`, open: true, writes: false, headers, handle: tell },
  { method: 'POST', path: PLACE, writes: true, headers, document: createDocument, handle: create },
  {
    ...{ method: 'HEAD', path: `${PLACE}/{id}`, writes: false, headers, handle: head },
    ...{ counts: false, refuseAs: lockedHead, document: headDocument },
  },
  {
    ...{ method: 'PATCH', path: `${PLACE}/{id}`, writes: true, headers, handle: patch },
    ...{ counts: false, refuseAs: lockedPiece, document: patchDocument },
  },
  {
    ...{ method: 'DELETE', path: `${PLACE}/{id}`, writes: true, headers, handle: terminate },
    ...{ refuseAs: gone, document: deleteDocument },
  },
  {
    ...{ method: 'POST', path: `${PLACE}/{id}`, writes: true, headers, handle: overridden },
    ...{ counts: false, refuseAs: lockedPiece },
  },
];
