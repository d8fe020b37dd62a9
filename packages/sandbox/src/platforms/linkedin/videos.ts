/** The Videos API: open an upload, receive its parts, finalize it, report the processing status. */
import { Readable } from 'node:stream';
import type { Blobs, SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { firstBytes, PICTURES } from '../../http/pictures.ts';
import type { Handler } from '../../http/routes.ts';
import { at, type Json, type JsonObject } from '../../json.ts';
import { newPlainSecret } from '../../oauth/tokens.ts';
import { Refused } from '../../refused.ts';
import { update } from '../../store/records.ts';
import { DAY } from '../../time.ts';
import { type Caller, type CallerHandler, need } from './caller.ts';
import { DOWNLOAD_MS, mayPostAs, type Part, personUrn, type Settings, settingsOf, type Video } from './records.ts';
import { bodyOf, FORBIDDEN_VIDEO, onlyFields, refusal, refuse } from './responses.ts';

export const PART_BYTES = 4_194_304;
const MAX_BYTES = 5_000_000_000;
/** Maximum size in bytes that processing accepts. */
const FIT_BYTES = 500_000_000;

type VideoState =
  | { status: 'WAITING_UPLOAD' | 'PROCESSING' | 'AVAILABLE' }
  | { status: 'PROCESSING_FAILED'; reason: string };

/** `POST /rest/videos?action=initializeUpload` or `…=finalizeUpload`. */
export const act: CallerHandler = async (options, request, caller) => {
  const body = await bodyOf(request);
  switch (request.query.get('action')) {
    case 'initializeUpload':
      return initialize(options, caller, body);
    case 'finalizeUpload':
      return finalize(options, caller, body);
    default:
      throw refuse('QUERY_PARAM_NOT_ALLOWED', 'There is no such action.');
  }
};

async function initialize(options: SimulatorOptions, caller: Caller, body: object): Promise<SimulatorResponse> {
  const given = at(body, 'initializeUploadRequest');
  onlyFields(given, ['owner', 'fileSizeBytes', 'uploadCaptions', 'uploadThumbnail'], '/initializeUploadRequest');
  const owner = at(given, 'owner');
  if (typeof owner !== 'string') throw refuse('MISSING_FIELD', 'owner is missing', '/initializeUploadRequest/owner');
  checkAuthor(caller, owner, 'videos.ACTION-initializeUpload');
  const size = at(given, 'fileSizeBytes');
  if (typeof size !== 'number') throw refuse('MISSING_FIELD', 'fileSizeBytes is missing');
  if (!Number.isSafeInteger(size) || size < 1 || size > MAX_BYTES)
    throw refuse('INVALID_VALUE_FOR_FIELD', 'fileSizeBytes is out of range', '/initializeUploadRequest/fileSizeBytes');
  for (const name of ['uploadCaptions', 'uploadThumbnail'])
    if (!['boolean', 'undefined'].includes(typeof at(given, name)))
      throw refuse('INVALID_VALUE_FOR_FIELD', `${name} must be true or false`);
  const { uploadToken = '' } = await settingsOf(options);
  const video: Video = {
    urn: `urn:li:video:C4D00AAAA${newPlainSecret(9)}`,
    owner,
    size,
    uploadToken,
    key: newPlainSecret(24),
    parts: partsOf(size),
    expiresAt: options.now() + DAY,
    finalizedAt: null,
    blobs: [],
    thumbnail: at(given, 'uploadThumbnail') === true ? '' : null,
  };
  await options.store.put('video', video.urn, video, owner);
  await options.store.put('upload', video.key, video.urn);
  const address = (part: string) =>
    `${options.baseUrl}/dms-uploads/sp/v2/${video.key}/${part}?upn=${newPlainSecret(12)}`;
  const value: JsonObject = {
    uploadUrlsExpireAt: video.expiresAt,
    video: video.urn,
    uploadInstructions: video.parts.map(({ first, last }, index) => ({
      uploadUrl: address(String(index)),
      firstByte: first,
      lastByte: last,
    })),
    uploadToken,
    ...(at(given, 'uploadThumbnail') === true ? { thumbnailUploadUrl: address('thumbnail') } : {}),
    ...(at(given, 'uploadCaptions') === true ? { captionsUploadUrl: address('captions') } : {}),
  };
  return { status: 200, body: { value } };
}

function partsOf(size: number): Part[] {
  const parts: Part[] = [];
  for (let first = 0; first < size; first += PART_BYTES)
    parts.push({ first, last: Math.min(first + PART_BYTES, size) - 1, received: [] });
  return parts;
}

/** `PUT` to an upload URL, which carries its own permission. A part may be sent again. */
export async function receivePart(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const urn = await options.store.get<string>('upload', request.params.key ?? '');
  const video = urn === undefined ? undefined : await options.store.get<Video>('video', urn);
  if (!video || !request.query.get('upn')) return { status: 404 };
  if (options.now() >= video.expiresAt) return refusal('EXPIRED_UPLOAD_URL', 'The upload URL has expired');
  const name = request.params.part ?? '';
  if (name === 'thumbnail') return receiveThumbnail(options, video, request);
  if (name === 'captions') return { status: 201 };
  const index = Number(name);
  const part = video.parts[index];
  if (!part) return { status: 404 };
  const length = part.last - part.first + 1;
  if (request.headers['content-type'] !== 'application/octet-stream') return { status: 415 };
  if (Number(request.headers['content-length']) !== length) return { status: 400 };
  const { quotedEtags } = await settingsOf(options);
  const id = newPlainSecret(18);
  const blob = `${video.key}-${index}-${id}`;
  const { bytes } = await options.blobs.put(blob, request.body);
  const plain = `/ambry-videoei/signedId/AAY${id}.bin`;
  const etag = quotedEtags ? `"${plain}"` : plain;
  await options.store.change<Video>('video', video.urn, (current) => {
    if (!current || current.finalizedAt !== null) return undefined;
    const parts = current.parts.map((each, number) =>
      number === index ? { ...each, received: [...each.received, { etag, blob, bytes }] } : each,
    );
    return { ...current, parts };
  });
  return { status: 200, headers: { etag } };
}

const MAX_THUMBNAIL_BYTES = 2_000_000;

/** Stores the cover of a video. Accepted until the upload is finalized. */
async function receiveThumbnail(
  { store, blobs }: SimulatorOptions,
  video: Video,
  request: SimulatorRequest,
): Promise<SimulatorResponse> {
  const begins = PICTURES[request.headers['content-type'] ?? ''];
  if (begins === undefined) return { status: 415 };
  const blob = `${video.key}-thumbnail-${newPlainSecret(9)}`;
  const { bytes, sha256 } = await blobs.put(blob, request.body);
  const first = await firstBytes(blobs, blob);
  await blobs.remove(blob);
  const isFit = video.thumbnail !== null && video.finalizedAt === null && bytes <= MAX_THUMBNAIL_BYTES;
  if (!isFit || !first.startsWith(begins)) return { status: 400 };
  await update<Video>(store, ['video', video.urn], { thumbnail: sha256 });
  return { status: 201 };
}

async function finalize(options: SimulatorOptions, caller: Caller, body: object): Promise<SimulatorResponse> {
  const given = at(body, 'finalizeUploadRequest');
  onlyFields(given, ['video', 'uploadToken', 'uploadedPartIds'], '/finalizeUploadRequest');
  const [urn, token, ids] = ['video', 'uploadToken', 'uploadedPartIds'].map((name) => at(given, name));
  if (typeof urn !== 'string') throw refuse('MISSING_FIELD', 'video is missing');
  // Usually "", but required.
  if (typeof token !== 'string') throw refuse('MISSING_FIELD', 'uploadToken is missing');
  if (!Array.isArray(ids)) throw refuse('MISSING_FIELD', 'uploadedPartIds is missing');
  const video = await videoOf(options, caller, urn, 'videos.ACTION-finalizeUpload');
  if (token !== video.uploadToken) throw refuse('INVALID_VALUE_FOR_FIELD', 'uploadToken is another one');
  if (video.finalizedAt !== null) {
    if ((await settingsOf(options)).finalizeAgain) return { status: 200 };
    throw refuse('UPDATING_ASSET_FAILED', 'The upload of this video is complete already');
  }
  if (options.now() >= video.expiresAt) throw refuse('EXPIRED_UPLOAD_URL', 'The upload has expired');
  if (video.thumbnail === '' && (await settingsOf(options)).finalizeNeedsCover)
    throw refuse('UPDATING_ASSET_FAILED', 'The thumbnail is missing');
  const chosen = video.parts.map((part, index) => part.received.find(({ etag }) => etag === ids[index]));
  if (ids.length !== video.parts.length || chosen.some((part) => part === undefined))
    throw refuse('INVALID_VALUE_FOR_FIELD', 'A part is missing or not known', '/finalizeUploadRequest/uploadedPartIds');
  const blobs = chosen.flatMap((part) => (part ? [part.blob] : []));
  await options.store.change<Video>('video', urn, (current) =>
    current && current.finalizedAt === null ? { ...current, finalizedAt: options.now(), blobs } : undefined,
  );
  return { status: 200 };
}

/** `GET /rest/videos/{urn}`. */
export const show: CallerHandler = async (options, request, caller) => {
  const video = await videoOf(options, caller, request.params.urn ?? '', 'videos.GET');
  if (video.owner === personUrn(caller.person) && (await settingsOf(options)).blindMembers)
    throw refuse('ACCESS_DENIED', 'Not enough permissions to access: videos.GET.20260901');
  const state = stateOf(options, video, await settingsOf(options));
  const body: Record<string, Json> = { id: video.urn, owner: video.owner, status: state.status };
  if (state.status === 'PROCESSING_FAILED') body.processingFailureReason = state.reason;
  if (state.status === 'AVAILABLE' && !(await settingsOf(options)).noDownloads) {
    const endsAt = options.now() + DOWNLOAD_MS;
    body.downloadUrl = `${options.baseUrl}/dms/playback/${video.key}?e=${endsAt}`;
    body.downloadUrlExpiresAt = endsAt;
  }
  return { status: 200, body };
};

/** Serves a video at its download URL, which needs no token. */
export const download: Handler = async ({ store, blobs, now }, { params, query }) => {
  const urn = await store.get<string>('upload', params.key ?? '');
  const video = urn === undefined ? undefined : await store.get<Video>('video', urn);
  if (!video || video.finalizedAt === null) return { status: 404 };
  if (Number(query.get('e')) <= now()) return { status: 403 };
  const headers = { 'content-type': 'video/mp4', 'content-length': String(video.size) };
  return { status: 200, headers, body: Readable.from(bytesOf(blobs, video.blobs), { objectMode: false }) };
};

async function* bytesOf(blobs: Blobs, keys: readonly string[]): AsyncGenerator<Buffer> {
  for (const key of keys) yield* (await blobs.get(key)) as AsyncIterable<Buffer>;
}

export function stateOf(
  options: SimulatorOptions,
  video: Video,
  { leastBytes = 1, waitsForCover }: Settings,
): VideoState {
  if (video.finalizedAt === null || (waitsForCover && video.thumbnail === '')) return { status: 'WAITING_UPLOAD' };
  if (options.now() < video.finalizedAt + options.processingMs) return { status: 'PROCESSING' };
  if (video.size < leastBytes) return { status: 'PROCESSING_FAILED', reason: 'The file is too small' };
  if (video.size > FIT_BYTES) return { status: 'PROCESSING_FAILED', reason: 'The file is too large' };
  return { status: 'AVAILABLE' };
}

async function videoOf(options: SimulatorOptions, caller: Caller, urn: string, what: string): Promise<Video> {
  const video = await options.store.get<Video>('video', checkUrn(urn));
  if (!video) throw refuse('NOT_FOUND', 'Could not find entity');
  checkAuthor(caller, video.owner, what);
  return video;
}

/** Validates the URN of a video. @throws Refused */
export function checkUrn(urn: string): string {
  const [, type, id] = /^urn:li:([A-Za-z]+):(.*)$/s.exec(urn) ?? [];
  if (!type) throw refuse('INVALID_URN_ID', 'This is no URN.');
  if (type !== 'video') throw refuse('INVALID_URN_TYPE', `The URN is of type ${type}.`);
  if (!/^[A-Za-z0-9]+$/.test(id ?? '')) throw refuse('INVALID_VIDEO_ID', 'The id of the video is not valid.');
  return urn;
}

/** Checks that the caller may act as this owner or author. @throws Refused */
export function checkAuthor(caller: Caller, urn: string, what: string): void {
  if (/^urn:li:person:./.test(urn)) {
    need(caller, ['w_member_social'], what);
    if (urn !== personUrn(caller.person)) throw new Refused(FORBIDDEN_VIDEO);
  } else if (/^urn:li:organization:\d+$/.test(urn)) {
    need(caller, ['w_organization_social'], what);
    if (!mayPostAs(caller.person, urn)) throw new Refused(FORBIDDEN_VIDEO);
  } else throw refuse('INVALID_URN_TYPE', 'The URN is of no person and no organization.');
}
