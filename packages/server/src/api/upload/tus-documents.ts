/** Describes the tus methods for the OpenAPI document. */
import type { RawDescription, RawHeader } from '../../http/raw.ts';

const count = { type: 'integer', minimum: 0 };
const version: Record<string, RawHeader> = {
  'Tus-Resumable': { description: 'Version of the protocol.', required: true, schema: { const: '1.0.0' } },
};
const offset: RawHeader = { description: 'Bytes that are on disk.', required: true, schema: count };
const expires: RawHeader = { description: 'When the upload is removed unless a post uses it.', required: true };
const tag = 'Uploads';

const RESTARTS =
  'While the service starts or stops, the answer is 423 `upload_locked`, never 503: ask by HEAD after `Retry-After` seconds, and go on there. It does not count against the request limit.';

export const abilitiesDocument: RawDescription = {
  id: 'uploadAbilities',
  tag,
  summary: 'Tell what uploads support',
  description:
    'Versions, extensions, largest size and checksum algorithms of tus, as the protocol has it. Needs no key.',
  success: {
    status: 204,
    description: 'Done.',
    headers: {
      'Tus-Extension': { description: 'Extensions, separated by commas.', required: true },
      'Tus-Max-Size': { description: 'Most bytes of an upload.', required: true, schema: count },
      'Tus-Checksum-Algorithm': { description: 'Algorithms for `Upload-Checksum`.', required: true },
    },
  },
  errors: [],
};

export const createDocument: RawDescription = {
  id: 'createUpload',
  tag,
  summary: 'Create an upload',
  description:
    'Begins an upload of known length (tus 1.0, https://tus.io/protocols/resumable-upload). The last part of `Location` is its id, which `POST /post` takes as `uploadId` once all bytes are there. It counts as one request, its pieces do not. Each user may have 5 uploads that no post has used, finished or not, and 2 GiB of them.',
  requestHeaders: {
    ...version,
    'Upload-Length': { description: 'Bytes of the video, at most 524,288,000.', required: true, schema: count },
    'Upload-Metadata': {
      description:
        'Keys with base64 values, separated by commas. `filename` is the name of the file; `sha256` has the 64 hexadecimal digits of the whole, which are compared when the last byte is there.',
    },
  },
  success: {
    status: 201,
    description: 'Created.',
    headers: { Location: { description: 'Path of the upload.', required: true }, 'Upload-Expires': expires },
  },
  errors: [
    'invalid_request',
    'video_too_large',
    'too_many_uploads',
    'unsupported_tus_version',
    'storage_full',
    'storage_unavailable',
  ],
};

export const headDocument: RawDescription = {
  id: 'getUpload',
  tag,
  summary: 'Tell where an upload stands',
  description: `Ends a request that still writes to the upload, then answers how many bytes are on disk. ${RESTARTS}`,
  requestHeaders: version,
  success: {
    status: 200,
    description: 'Done.',
    headers: {
      'Upload-Offset': offset,
      'Upload-Length': { description: 'Bytes of the whole.', required: true, schema: count },
      'Upload-Metadata': { description: 'As it was sent when the upload was created.' },
      'Upload-Expires': expires,
    },
  },
  errors: ['unknown_upload', 'unsupported_tus_version'],
};

export const patchDocument: RawDescription = {
  id: 'sendUpload',
  tag,
  summary: 'Send a piece of an upload',
  description: `Appends bytes. What has arrived stays when the request breaks off, unless the piece has a checksum. ${RESTARTS}`,
  requestHeaders: {
    ...version,
    'Upload-Offset': { description: 'Where the piece begins: where the upload stands.', required: true, schema: count },
    'Upload-Checksum': { description: 'Algorithm and hash of the piece in base64, `sha256 …` or `sha1 …`.' },
  },
  bodyType: 'application/offset+octet-stream',
  success: {
    status: 204,
    description: 'All bytes of the piece are on disk.',
    headers: { 'Upload-Offset': offset, 'Upload-Expires': expires },
  },
  errors: [
    ...(['invalid_request', 'unknown_upload', 'wrong_offset', 'unsupported_tus_version', 'video_too_large'] as const),
    ...([
      'unsupported_media_type',
      'upload_locked',
      'checksum_mismatch',
      'storage_full',
      'storage_unavailable',
    ] as const),
  ],
};

export const deleteDocument: RawDescription = {
  id: 'deleteUpload',
  tag,
  summary: 'Delete an upload',
  description: 'Removes an upload with its bytes. A post that used it keeps its video.',
  requestHeaders: version,
  success: { status: 204, description: 'Deleted.', headers: {} },
  errors: ['unknown_upload', 'unsupported_tus_version'],
};
