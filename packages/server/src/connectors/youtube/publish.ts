/**
 * Publishes a video ("Resumable uploads"): opens a session, sends all but the last 256 KiB or less, then offers the
 * last part, which is the irreversible request. When the stored offset is uncertain, the session is queried. A new
 * session is opened only if the current one cannot have posted.
 */
import { HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import { type HttpResponse, NetworkError } from '../../outbound/http-client.ts';
import { isClosed } from '../../outbound/no-response.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, IrreversibleRequest, JsonObject, Session, StepResult, Work } from '../contract.ts';
import { defineCheckpoint } from '../kit/checkpoint.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { isFailure, rejected, transient } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { bearer, transferMs } from '../kit/requests.ts';
import { failed, pollAgain, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { failureOf, reasonOf } from './classify.ts';
import { privacyOf, resourceOf } from './limits.ts';
import { say } from './messages.ts';

/** Progress of a publish. Checkpoints are stored encrypted, because the session URI grants access to the upload. */
export const { empty: UNOPENED, parse: uploadOf } = defineCheckpoint({
  privacy: '',
  /** URI of the upload session; "" while none is open. */
  uri: '',
  /** When this session was opened, ms since the epoch. */
  openedAt: 0,
  /** Bytes that YouTube has stored, as far as we know. */
  sent: 0,
  /** The session must be queried for its offset before more is sent. */
  doubt: false,
  /** Consecutive requests without progress. */
  strays: 0,
  /** When the last part was prepared for sending, ms since the epoch. If 0, this session cannot have posted. */
  offeredAt: 0,
  restarts: 0,
  /** "" until YouTube has the whole video. */
  videoId: '',
  /** Setting a thumbnail was attempted, successfully or not. */
  covered: false,
  polls: 0,
  /** Since when YouTube has not listed the video, ms since the epoch; 0 if it is listed. */
  missingSince: 0,
});
export type Upload = typeof UNOPENED;

/** Every part but the last is a multiple of this size in bytes; the last one is at most this size. */
export const GRANULE = 262_144;
const PART = 32 * GRANULE;
/** Delay after a part without progress, ms. */
const STRAY_MS: Delays = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];
/** Maximum consecutive attempts without progress before the session is abandoned. */
const MAX_MISMATCHES = 8;
/** Delay before a new session, ms. Each session counts against the daily uploads. */
const RESTART_PAUSE_MS = [0, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR];
/** A short video takes seconds to a minute. Each poll costs one of 10,000 quota units per day. */
export const POLL_MS: Delays = [2_000, 5_000, 10_000, 30_000, MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE];

/** Spends one daily upload per session, no matter how often opening it is retried. */
export async function begin({ session, post }: Work): Promise<StepResult> {
  await reserveUpload(session);
  return proceed({ ...UNOPENED, privacy: privacyOf(post, session) }, say('upload_reserved'));
}

/** Opens the session, then sends one part per step. */
export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const { session, media } = work;
  const upload = uploadOf(checkpoint);
  if (!upload.uri) return openSession(work, upload);
  if (upload.doubt) return realign(work, upload);
  const piece = nextPiece(media.bytes, upload.sent);
  if (!piece.isLast) return sendPiece(work, upload, piece);
  // Resuming from this checkpoint queries the session first.
  return readyToCommit({ ...upload, doubt: true, offeredAt: session.now() }, say('publishing_with_last_part'));
}

/** The irreversible request: the last byte of the last part creates the video on the channel. */
export const commit: CommitPlan = {
  async request(work, checkpoint) {
    const { uri, sent } = uploadOf(checkpoint);
    return pieceRequest(work, uri, { first: sent, last: work.media.bytes - 1 });
  },
  // Any other response is verified by querying the session, which is exact and free.
  // 308 is also used by intermediaries for redirects, and a 4xx may follow an earlier send that succeeded.
  responses: [{ status: [200, 201], proves: 'done' }],
  codeOf: reasonOf,
  failureOf,
  done: (_work, checkpoint, response) => watched(uploadOf(checkpoint), videoIdIn(response)),
};

/** YouTube has the whole video; its id identifies it from now on. */
export function watched(upload: Upload, videoId: string): ReturnType<typeof pollAgain> {
  return pollAgain({ ...upload, videoId, polls: 0 }, POLL_MS, say('upload_processing'));
}

/** Spends the channel's budget first: if that is exhausted, the app's budget stays untouched. */
async function reserveUpload(session: Session): Promise<void> {
  await session.spend('channel');
  await session.spend('uploads');
}

/** Opens a session; nothing is on the channel yet. @throws PlatformError */
async function openSession(work: Work, { privacy, restarts }: Upload): Promise<StepResult> {
  const { session, post, media } = work;
  const notifySubscribers = String(at(post.options, 'notifySubscribers') !== false);
  const query = new URLSearchParams({ uploadType: 'resumable', part: 'snippet,status', notifySubscribers });
  const response = await session.http({
    method: 'POST',
    url: `${session.endpoints.api}/upload/youtube/v3/videos?${query}`,
    headers: {
      ...bearer(session.secret),
      'x-upload-content-length': String(media.bytes),
      'x-upload-content-type': media.mime,
      slug: fileNameOf(work),
    },
    json: resourceOf(post, privacy),
  });
  if (response.status !== 200) throw new PlatformError(failureOf(response, session.now()));
  const uri = locationIn(response, `${session.endpoints.api}/`, session);
  if (!uri) throw new PlatformError(transient(say('upload_without_url')));
  return proceed({ ...UNOPENED, privacy, restarts, uri, openedAt: session.now() }, say('upload_opened'));
}

/** The file name sent to YouTube, by which we recognize our upload. */
export function fileNameOf({ post, media }: Pick<Work, 'post' | 'media'>): string {
  return `${post.targetId.replace(/[^\w-]/g, '_')}.${media.container === 'matroska' ? 'mkv' : media.container}`;
}

/**
 * Returns the part that follows the stored bytes: the offsets of its first and last byte, both inclusive.
 * @param stored fewer than `total`, which is at least 1
 */
export function nextPiece(total: number, stored: number) {
  const rest = total - stored;
  if (rest <= GRANULE) return { first: stored, last: total - 1, isLast: true };
  const length = Math.min(PART, Math.floor((rest - 1) / GRANULE) * GRANULE);
  return { first: stored, last: stored + length - 1, isLast: false };
}

type Range = Pick<ReturnType<typeof nextPiece>, 'first' | 'last'>;

function pieceRequest({ session, media }: Work, uri: string, range: Range): IrreversibleRequest {
  const length = range.last - range.first + 1;
  return {
    method: 'PUT',
    url: uri,
    headers: { ...bearer(session.secret), 'content-range': `bytes ${range.first}-${range.last}/${media.bytes}` },
    body: { kind: 'stream', length, type: media.mime, open: () => media.stream(range) },
    deadlineMs: transferMs(length, { responseMs: 30 * SECOND, bytesPerMs: 125 }),
  };
}

async function sendPiece(work: Work, upload: Upload, piece: Range): Promise<StepResult> {
  const { session, media } = work;
  const response = await session.http(pieceRequest(work, upload.uri, piece)).catch((error: unknown) => {
    if (error instanceof NetworkError) return error;
    throw error;
  });
  if (response instanceof NetworkError) {
    const { reason } = response;
    return query(upload, isClosed(response) ? say('connection_closed') : say('send_unanswered', { reason }));
  }
  const { status } = response;
  if ([404, 410].includes(status)) return restart(work, upload, say('upload_unknown'));
  if (status === 308) {
    const { stored, uri } = readPartial(response, { uri: upload.uri, bytes: media.bytes, session });
    const here = { ...upload, uri: uri || upload.uri };
    const isExpected = stored !== null && stored > upload.sent && stored <= piece.last + 1;
    return isExpected ? continueAt(here, stored, 0) : query(here, say('part_unconfirmed'));
  }
  const error = new PlatformError(failureOf(response, session.now()));
  if (isFailure(error, 'tokenExpired', 'rateLimited', 'reconnect', 'setup')) throw error;
  // Includes 200 and 201: YouTube has all bytes, so a send that we have no record of must have completed.
  return query(upload, error.failure.detail);
}

/** Continues at YouTube's offset. */
async function realign(work: Work, upload: Upload): Promise<StepResult> {
  const progress = await readSession(work, upload.uri);
  if (progress.state === 'whole') return verifyFirst(upload, say('upload_already_complete'));
  if (progress.state === 'gone') return restart(work, upload, progress.reason ?? say('upload_unknown'));
  const { stored, uri } = progress;
  const here = { ...upload, uri: uri || upload.uri };
  if (stored === null) return query(here, say('upload_offset_missing'));
  if (stored >= work.media.bytes) return verifyFirst(here, say('upload_already_complete'));
  if (stored > upload.sent) return continueAt(here, stored, 0);
  const isStuck = upload.strays > MAX_MISMATCHES && upload.offeredAt === 0;
  return isStuck ? restart(work, here, say('no_progress')) : continueAt(here, stored, upload.strays);
}

function continueAt(upload: Upload, stored: number, strays: number): StepResult {
  return proceed({ ...upload, sent: stored, doubt: false, strays }, say('upload_continued', { receivedBytes: stored }));
}

/** Queries the session before more is sent, after an increasing delay. */
function query(upload: Upload, reason: Message): StepResult {
  const next = { ...upload, doubt: true, strays: upload.strays + 1 };
  return proceed(next, say('offset_query', { reason }), delayAfter(STRAY_MS, upload.strays));
}

/**
 * Abandons the session. If its last part was ever offered, `verify` runs first: it finds the video or proves that it
 * does not exist.
 */
async function restart(work: Work, upload: Upload, reason: Message): Promise<StepResult> {
  if (upload.offeredAt > 0) return verifyFirst(upload, say('verify_first', { reason }));
  const { privacy, restarts } = upload;
  const pause = RESTART_PAUSE_MS[restarts];
  if (pause === undefined) return failed(rejected('other', say('restarts_exhausted', { reason })));
  await reserveUpload(work.session);
  return proceed({ ...UNOPENED, privacy, restarts: restarts + 1 }, say('upload_restarted', { reason }), pause);
}

/** State of an upload session. `gone`: it no longer exists or cannot complete, perhaps with YouTube's reason. */
type Progress = { state: 'whole'; videoId: string } | ReturnType<typeof readPartial> | Gone;
type Gone = { state: 'gone'; reason?: Message };

/** The session that a response is from, and the size of the video. */
type Where = { uri: string; bytes: number; session: Pick<Session, 'endpoints' | 'now'> };

/** Queries how many bytes the session has stored; changes nothing. @throws PlatformError, NetworkError */
export async function readSession({ session, media: { bytes } }: Work, uri: string): Promise<Progress> {
  const headers = { ...bearer(session.secret), 'content-range': `bytes */${bytes}` };
  return readProgress(await session.http({ method: 'PUT', url: uri, headers }), { uri, bytes, session });
}

/** Parses a session's response. @throws PlatformError if the response says nothing about the upload */
export function readProgress(response: HttpResponse, where: Where): Progress {
  const { status } = response;
  if (status === 308) return readPartial(response, where);
  if (status === 200 || status === 201) return { state: 'whole', videoId: videoIdIn(response) };
  const failure = failureOf(response, where.session.now());
  if (failure.kind === 'rejected') return { state: 'gone', reason: failure.detail };
  if ([400, 404, 410].includes(status)) return { state: 'gone' };
  throw new PlatformError(failure);
}

/**
 * Parses a 308. `Range: bytes=0-N` states what is stored. Without it nothing is stored, unless the response has a
 * `Location`, which replaces the session URI.
 * @returns the bytes that YouTube has (null if not stated), and where to continue ("" for the same URI)
 */
function readPartial(response: HttpResponse, { uri, bytes, session }: Where) {
  const { range, location } = response.headers;
  const moved = locationIn(response, uri, session);
  const last = Number(/^(?:bytes[= ])?0-(\d+)$/.exec(range?.trim() ?? '')?.[1] ?? Number.NaN);
  const unstated = range === undefined && location === undefined ? 0 : null;
  return { state: 'partial', stored: last < bytes ? last + 1 : unstated, uri: moved === uri ? '' : moved } as const;
}

/** Returns the video id in a response. @throws PlatformError `transient` if it has no valid id */
function videoIdIn(response: HttpResponse): string {
  const id = textAt(response.json(), 'id');
  if (/^[\w-]{6,64}$/.test(id)) return id;
  throw new PlatformError(transient(say('response_incomplete')));
}

/** Returns the `Location` if our token may be sent there, else "". */
function locationIn(response: HttpResponse, base: string, { endpoints }: Pick<Session, 'endpoints'>): string {
  const location = response.headers.location;
  const url = location ? URL.parse(location, base) : null;
  const api = URL.parse(endpoints.api ?? '');
  if (!url || !api) return '';
  const isGoogle = ({ protocol, hostname }: URL) => protocol === 'https:' && hostname.endsWith('.googleapis.com');
  return url.origin === api.origin || (isGoogle(url) && isGoogle(api)) ? url.href : '';
}
