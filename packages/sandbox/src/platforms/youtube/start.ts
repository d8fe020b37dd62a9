/** Opens resumable uploads. */
import { faultTagIn, type SimulatorOptions, type SimulatorRequest, type SimulatorResponse } from '../../contract.ts';
import { forgetFault } from '../../faults/requested.ts';
import { newSecret } from '../../oauth/tokens.ts';
import { type Refusal, refuse } from './answers.ts';
import { asCaller, type Caller } from './caller.ts';
import { readMetadata } from './metadata.ts';
import { badRequest, partsOf, unknownParameter } from './parts.ts';
import { type Account, appSettings, MAY_UPLOAD, type Metadata, newVideoId, type Session } from './records.ts';
import { injectFault } from './trouble.ts';

const SESSION_LIFE_MS = 7 * 86_400_000;
const MAX_BYTES = 274_877_906_944;
const SLOW_MS = 30_000;
const PARTS = ['snippet', 'status', 'contentDetails', 'processingDetails'];

/** `POST /upload/youtube/v3/videos?uploadType=resumable`: opens an upload; nothing is on the channel yet. */
export const startUpload = asCaller('uploads', MAY_UPLOAD, async (options, request, caller) => {
  const { account } = caller;
  if (!account.hasChannel) return refuse('youtubeSignupRequired', 'Unauthorized');
  if (account.suspended) return refuse('channelSuspended', 'The channel has been suspended.');
  const parts = partsOf(request, PARTS);
  const stray = unknownParameter(request, ['uploadType', 'part', 'notifySubscribers']);
  if (stray !== null) return badRequest(`Unknown name "${stray}".`);
  if (request.query.get('uploadType') !== 'resumable' || !parts) return badRequest('uploadType or part is wrong.');
  if (!['true', 'false', null].includes(request.query.get('notifySubscribers')))
    return badRequest('notifySubscribers must be true or false.');
  if (!isJson(request)) return badRequest('The content type must be application/json; charset=UTF-8.');
  const file = fileOf(request);
  if ('reason' in file) return refuse(file.reason, file.message);
  const metadata = readMetadata(await request.json(), parts, options.now());
  if ('reason' in metadata) return refuse(metadata.reason, metadata.message);
  const trouble = await injectFault(options, caller, metadata.description);
  if (trouble) return trouble;
  if (!(await takeUpload(options, account)))
    return refuse('uploadLimitExceeded', 'The user has exceeded the number of videos they may upload.');
  return open(options, caller, request, { ...file, parts, metadata });
});

async function open(
  options: SimulatorOptions,
  caller: Caller,
  request: SimulatorRequest,
  given: { size: number; type: string; slug: string; parts: string[]; metadata: Metadata },
): Promise<SimulatorResponse> {
  const { metadata } = given;
  const trouble = faultTagIn(metadata.description);
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
    trouble,
    processingMs: trouble === 'slow' ? Math.max(SLOW_MS, options.processingMs) : options.processingMs,
    failureReason: trouble === 'reject' ? 'invalidFile' : null,
    completedAt: null,
    announced: false,
  };
  await options.books.put('session', session.uploadId, session, session.channelId);
  await forgetFault(options.books, session.channelId, metadata.description);
  const location = `${options.baseUrl}/upload/youtube/v3/videos?uploadType=resumable&upload_id=${session.uploadId}`;
  return { status: 200, headers: { location, 'x-guploader-uploadid': session.uploadId }, body: '' };
}

/** Parses the headers that describe the file. */
function fileOf(request: SimulatorRequest): { size: number; type: string; slug: string } | Refusal {
  const length = request.headers['x-upload-content-length'] ?? '';
  const size = /^\d+$/.test(length) ? Number(length) : Number.NaN;
  const type = request.headers['x-upload-content-type'] ?? '';
  const slug = request.headers.slug ?? '';
  if (size === 0) return { reason: 'mediaBodyRequired', message: 'The request does not include the video content.' };
  if (!Number.isSafeInteger(size) || size > MAX_BYTES)
    return { reason: 'badRequest', message: 'X-Upload-Content-Length is missing or wrong.' };
  if (!/^(video\/[\w.+-]+|application\/octet-stream)$/.test(type))
    return { reason: 'badRequest', message: `Media type '${type}' is not supported.` };
  if (slug.length > 500 || /[/\\\p{Cc}]/u.test(slug))
    return { reason: 'invalidFilename', message: 'The video filename specified in the Slug header is invalid.' };
  return { size, type, slug };
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
