/** Describes the tus methods for the OpenAPI document. */
import type { RawDescription, RawHeader } from '../../http/raw.ts';

const count = { type: 'integer', minimum: 0 };
const version: Record<string, RawHeader> = {
  'Tus-Resumable': { description: 'Protocol version.', required: true, schema: { const: '1.0.0' } },
};
const offset: RawHeader = { description: 'Number of bytes stored on disk.', required: true, schema: count };
const expires: RawHeader = { description: 'When the upload is deleted unless a post uses it.', required: true };
const tag = 'Uploads';

const RESTARTS =
  'While the service starts or stops, the response is 423 `upload_locked`, never 503: read the offset with HEAD after `Retry-After` seconds and continue there. The request does not count towards the rate limit, but a user may send 1,000 of them in ten seconds.';

export const abilitiesDocument: RawDescription = {
  id: 'uploadAbilities',
  tag,
  summary: 'Upload capabilities',
  description:
    'tus versions, extensions, maximum size and checksum algorithms, as defined by the protocol. Requires no key.',
  success: {
    status: 204,
    description: 'Done.',
    headers: {
      'Tus-Extension': { description: 'Extensions, separated by commas.', required: true },
      'Tus-Max-Size': { description: 'Maximum size of an upload, in bytes.', required: true, schema: count },
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
    'Creates an upload of known length (tus 1.0, https://tus.io/protocols/resumable-upload). The last part of `Location` is its id. Send it to `POST /post` as `uploadId` when all bytes are uploaded. Creating the upload counts as one request; its pieces do not count. Each user may have 5 uploads that no post has used, finished or not, and 2 GiB in total.',
  requestHeaders: {
    ...version,
    'Upload-Length': { description: 'Size of the video in bytes, at most 524,288,000.', required: true, schema: count },
    'Upload-Metadata': {
      description:
        'Keys with base64 values, separated by commas. `filename` is the file name. `sha256` contains the 64 hexadecimal digits of the hash of the whole file, which is verified after the last byte.',
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
  summary: 'Current offset of an upload',
  description: `Ends any request that still writes to the upload, then returns the number of bytes on disk. ${RESTARTS}`,
  requestHeaders: version,
  success: {
    status: 200,
    description: 'Done.',
    headers: {
      'Upload-Offset': offset,
      'Upload-Length': { description: 'Size of the whole upload in bytes.', required: true, schema: count },
      'Upload-Metadata': { description: 'As sent when the upload was created.' },
      'Upload-Expires': expires,
    },
  },
  errors: ['unknown_upload', 'upload_used', 'unsupported_tus_version'],
};

export const patchDocument: RawDescription = {
  id: 'sendUpload',
  tag,
  summary: 'Append to an upload',
  description: `Appends bytes. If the request is interrupted, the received bytes are kept, unless the piece has a checksum. ${RESTARTS}`,
  requestHeaders: {
    ...version,
    'Upload-Offset': {
      description: 'The offset of the piece. It must match the current offset of the upload.',
      required: true,
      schema: count,
    },
    'Upload-Checksum': { description: 'Algorithm and base64 hash of the piece: `sha256 …` or `sha1 …`.' },
  },
  bodyType: 'application/offset+octet-stream',
  success: {
    status: 204,
    description: 'All bytes of the piece are stored on disk.',
    headers: { 'Upload-Offset': offset, 'Upload-Expires': expires },
  },
  errors: [
    ...(['invalid_request', 'unknown_upload', 'upload_used', 'wrong_offset', 'unsupported_tus_version'] as const),
    ...([
      'video_too_large',
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
  description:
    'Deletes an upload and its data. An upload that a post used is 410 `upload_used`: the post keeps its video.',
  requestHeaders: version,
  success: { status: 204, description: 'Deleted.', headers: {} },
  errors: ['unknown_upload', 'upload_used', 'unsupported_tus_version'],
};
