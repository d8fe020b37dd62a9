/** Opens resumable uploads. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { captionKey, forgetFault, injectRequestedFault, processingTime } from '../../faults/requested.ts';
import { newSecret } from '../../oauth/tokens.ts';
import { DAY } from '../../time.ts';
import { asCaller, type Caller } from './caller.ts';
import { readMetadata } from './metadata.ts';
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

const SESSION_LIFE_MS = 7 * DAY;
const MAX_BYTES = 274_877_906_944;
const PARTS = ['snippet', 'status', 'contentDetails', 'processingDetails'];

/** `POST /upload/youtube/v3/videos?uploadType=resumable`: opens an upload; nothing is on the channel yet. */
export const startUpload = asCaller('uploads', MAY_UPLOAD, async (options, request, caller) => {
  const { account } = caller;
  if (!account.hasChannel) return refuse('youtubeSignupRequired', 'Unauthorized');
  if (account.suspended) return refuse('channelSuspended', 'The channel has been suspended.');
  const parts = partsOf(request, PARTS);
  onlyParameters(request, ['uploadType', 'part', 'notifySubscribers']);
  if (request.query.get('uploadType') !== 'resumable' || !parts) return badRequest('uploadType or part is wrong.');
  if (!['true', 'false', null].includes(request.query.get('notifySubscribers')))
    return badRequest('notifySubscribers must be true or false.');
  if (!isJson(request)) return badRequest('The content type must be application/json; charset=UTF-8.');
  const file = fileOf(request);
  const metadata = readMetadata(await request.json(), parts, options.now());
  const trouble = await injectFault(options, caller, metadata.description);
  if (!(await takeUpload(options, account)))
    return refuse('uploadLimitExceeded', 'The user has exceeded the number of videos they may upload.');
  return open(options, caller, request, { ...file, parts, metadata, trouble });
});

async function open(
  options: SimulatorOptions,
  caller: Caller,
  request: SimulatorRequest,
  given: Pick<Session, 'size' | 'type' | 'slug' | 'parts' | 'metadata' | 'trouble'>,
): Promise<SimulatorResponse> {
  const { metadata, trouble } = given;
  const { audited } = await appSettings(options);
  const session: Session = {
    ...given,
    uploadId: `ABg5-${newSecret(30)}`,
    channelId: caller.account.channelId,
    videoId: newVideoId(),
    metadata: audited ? metadata : { ...metadata, privacyStatus: 'private' },
    notifies: request.query.get('notifySubscribers') !== 'false',
    chunks: [],
    expiresAt: options.now() + SESSION_LIFE_MS,
    processingMs: processingTime(trouble, options.processingMs),
    failureReason: trouble === 'reject' ? 'invalidFile' : null,
    completedAt: null,
    announced: false,
  };
  await options.books.put('session', session.uploadId, session, session.channelId);
  await forgetFault(options.books, session.channelId, metadata.description);
  const location = `${options.baseUrl}/upload/youtube/v3/videos?uploadType=resumable&upload_id=${session.uploadId}`;
  return { status: 200, headers: { location, 'x-guploader-uploadid': session.uploadId }, body: '' };
}

/** Parses the headers that describe the file. @throws Refused */
function fileOf(request: SimulatorRequest): Pick<Session, 'size' | 'type' | 'slug'> {
  const length = request.headers['x-upload-content-length'] ?? '';
  const size = /^\d+$/.test(length) ? Number(length) : Number.NaN;
  const type = request.headers['x-upload-content-type'] ?? '';
  const slug = request.headers.slug ?? '';
  if (size === 0) throw refused('mediaBodyRequired', 'The request does not include the video content.');
  if (!Number.isSafeInteger(size) || size > MAX_BYTES)
    throw refused('badRequest', 'X-Upload-Content-Length is missing or wrong.');
  if (!/^(video\/[\w.+-]+|application\/octet-stream)$/.test(type))
    throw refused('badRequest', `Media type '${type}' is not supported.`);
  if (slug.length > 500 || /[/\\\p{Cc}]/u.test(slug))
    throw refused('invalidFilename', 'The video filename specified in the Slug header is invalid.');
  return { size, type, slug };
}

/** After a successful start, the same text requests its fault again. @throws Refused */
function injectFault(options: SimulatorOptions, { account: { channelId } }: Caller, text: string) {
  const requester = { caption: text, publish: captionKey(channelId, text), account: channelId };
  return injectRequestedFault(options.books, requester, {
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
  await options.books.change<Account>('account', channelId, (account) => {
    if (!account || account.uploadsLeft === null) return undefined;
    may = account.uploadsLeft > 0;
    return may ? { ...account, uploadsLeft: account.uploadsLeft - 1 } : undefined;
  });
  return may;
}

function isJson(request: SimulatorRequest): boolean {
  return /^application\/json; *charset=utf-8$/i.test(request.headers['content-type'] ?? '');
}
