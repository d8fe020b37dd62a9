/** `videos.insert`: opens resumable uploads, and takes whole ones. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { captionKey, forgetFault, injectRequestedFault, processingTime } from '../../faults/requested.ts';
import { receiveRelated } from '../../http/multipart-related.ts';
import { mediaType } from '../../http/parameters.ts';
import { newSecret } from '../../oauth/tokens.ts';
import { DAY } from '../../time.ts';
import { asCaller, type Caller } from './caller.ts';
import { readMetadata } from './metadata.ts';
import { finish } from './receive.ts';
import { type Account, appSettings, MAY_UPLOAD, newVideoId, type Session } from './records.ts';
import {
  backendError,
  badRequest,
  onlyParameters,
  partsOf,
  rateLimited,
  refuse,
  refused,
  unauthenticated,
} from './responses.ts';
import { killGrants } from './tokens.ts';
import { VIDEO_PARTS } from './videos.ts';

const SESSION_LIFE_MS = 7 * DAY;
const MAX_BYTES = 274_877_906_944;
/** Metadata of a video that was sent without any. */
const UNTITLED = { snippet: { title: 'unknown' } };

/** `POST /upload/youtube/v3/videos`: opens a resumable upload, or takes metadata and video in one request. */
export const startUpload = asCaller('uploads', MAY_UPLOAD, async (options, request, caller) => {
  const { account } = caller;
  if (!account.hasChannel) return refuse('youtubeSignupRequired', 'Unauthorized');
  if (account.suspended) return refuse('channelSuspended', 'The channel has been suspended.');
  const parts = partsOf(request, VIDEO_PARTS);
  onlyParameters(request, ['uploadType', 'part', 'notifySubscribers']);
  if (!parts) return badRequest('part is missing or wrong.');
  if (!['true', 'false', null].includes(request.query.get('notifySubscribers')))
    return badRequest('notifySubscribers must be true or false.');
  const uploadType = request.query.get('uploadType') ?? '';
  if (uploadType === 'resumable') return openSession(options, caller, request, parts);
  if (uploadType === 'multipart' || uploadType === 'media') return insert(options, caller, request, parts);
  return badRequest('uploadType is wrong.');
});

/** Opens a resumable upload; nothing is on the channel yet. */
async function openSession(
  options: SimulatorOptions,
  caller: Caller,
  request: SimulatorRequest,
  parts: string[],
): Promise<SimulatorResponse> {
  if (!isJson(request)) return badRequest('The content type must be application/json, in UTF-8.');
  const file = fileOf(request);
  const metadata = readMetadata(await request.json(), parts, options.now());
  const { uploadId } = await createSession(options, caller, request, { ...file, parts, metadata });
  const location = `${options.baseUrl}/upload/youtube/v3/videos?uploadType=resumable&upload_id=${uploadId}`;
  return { status: 200, headers: { location, 'x-guploader-uploadid': uploadId }, body: '' };
}

/** Publishes a video that arrives with its metadata (`multipart`), or alone (`media`). */
async function insert(
  options: SimulatorOptions,
  caller: Caller,
  request: SimulatorRequest,
  parts: string[],
): Promise<SimulatorResponse> {
  const blob = `insert-${randomUUID()}`;
  const receive = (file: Readable) => options.blobs.put(blob, file);
  const uploadType = request.query.get('uploadType');
  const sent =
    uploadType === 'multipart'
      ? await receiveRelated(request, receive)
      : { json: {}, type: mediaType(request), file: await receive(request.body) };
  if (!sent) return badRequest('The body must be multipart/related: the metadata as JSON, then the video.');
  const { json, type, file } = sent;
  try {
    const { slug } = checkedFile({ size: file.bytes, type, slug: request.headers.slug ?? '' });
    const chunks = [{ blob, bytes: file.bytes }];
    const [body, named] = uploadType === 'multipart' ? [json, parts] : [UNTITLED, ['snippet']];
    const metadata = readMetadata(body, named, options.now());
    const upload = { size: file.bytes, type, slug, parts, metadata, chunks, completedAt: options.now() };
    return await finish(options, await createSession(options, caller, request, upload), 200);
  } catch (error) {
    await options.blobs.remove(blob);
    throw error;
  }
}

/** Injects requested faults and stores an upload. @throws Refused */
async function createSession(
  options: SimulatorOptions,
  caller: Caller,
  request: SimulatorRequest,
  upload: Pick<Session, 'size' | 'type' | 'slug' | 'parts' | 'metadata'> &
    Partial<Pick<Session, 'chunks' | 'completedAt'>>,
): Promise<Session> {
  const { account } = caller;
  const { metadata } = upload;
  const trouble = await injectFault(options, caller, metadata.description);
  if (!(await takeUpload(options, account)))
    throw refused('uploadLimitExceeded', 'The user has exceeded the number of videos they may upload.');
  const { audited } = await appSettings(options);
  const session: Session = {
    chunks: [],
    completedAt: null,
    ...upload,
    trouble,
    uploadId: `ABg5-${newSecret(30)}`,
    channelId: account.channelId,
    videoId: newVideoId(),
    metadata: audited ? metadata : { ...metadata, privacyStatus: 'private' },
    notifies: request.query.get('notifySubscribers') !== 'false',
    expiresAt: options.now() + SESSION_LIFE_MS,
    processingMs: processingTime(trouble, options.processingMs),
    failureReason: trouble === 'reject' ? 'invalidFile' : null,
    announced: false,
  };
  await options.store.put('session', session.uploadId, session, session.channelId);
  await forgetFault(options.store, session.channelId, metadata.description);
  return session;
}

type VideoFile = Pick<Session, 'size' | 'type' | 'slug'>;

/** Parses the headers that describe the file. Its size may follow later. @throws Refused */
function fileOf({ headers }: SimulatorRequest): VideoFile {
  const length = headers['x-upload-content-length'];
  if (length !== undefined && !/^\d+$/.test(length)) throw refused('badRequest', 'X-Upload-Content-Length is wrong.');
  const size = length === undefined ? null : Number(length);
  return checkedFile({ size, type: headers['x-upload-content-type'] ?? '', slug: headers.slug ?? '' });
}

/** @throws Refused */
function checkedFile(file: VideoFile): VideoFile {
  const { size, type, slug } = file;
  if (size === 0) throw refused('mediaBodyRequired', 'The request does not include the video content.');
  if (size !== null && size > MAX_BYTES) throw refused('badRequest', 'The file is too large.');
  if (!/^(video\/[\w.+-]+|application\/octet-stream)$/.test(type))
    throw refused(
      'badRequest',
      `Media type '${type}' is not supported. Valid media types: [video/*, application/octet-stream]`,
    );
  if (slug.length > 500 || /[/\\\p{Cc}]/u.test(slug))
    throw refused('invalidFilename', 'The video filename specified in the Slug header is invalid.');
  return file;
}

/** After a successful start, the same text requests its fault again. @throws Refused */
function injectFault(options: SimulatorOptions, { account: { channelId } }: Caller, text: string) {
  const requester = { caption: text, publish: captionKey(channelId, text), account: channelId };
  return injectRequestedFault(options.store, requester, {
    async reconnect() {
      await killGrants(options, channelId);
      return unauthenticated();
    },
    rateLimited: rateLimited(),
    down: backendError(),
  });
}

async function takeUpload(options: SimulatorOptions, { channelId }: Account): Promise<boolean> {
  let may = true;
  await options.store.change<Account>('account', channelId, (account) => {
    if (!account || account.uploadsLeft === null) return undefined;
    may = account.uploadsLeft > 0;
    return may ? { ...account, uploadsLeft: account.uploadsLeft - 1 } : undefined;
  });
  return may;
}

function isJson(request: SimulatorRequest): boolean {
  return /^application\/json(; *charset=utf-8)?$/i.test(request.headers['content-type'] ?? '');
}
