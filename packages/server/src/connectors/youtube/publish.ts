/**
 * The steps up to the irreversible request: open a session, send all but the last 256 KiB or less.
 *
 * When the stored offset is uncertain, the session is queried. A new session is opened only if the current one cannot
 * have posted.
 */
import type { Message } from '../../messages/message.ts';
import { NetworkError } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import { HOUR, MINUTE, SECOND } from '../../time.ts';
import type { CommitPlan, JsonObject, Session, StepResult, Work } from '../contract.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { rejected } from '../kit/failures.ts';
import { failed, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { failureOf, reasonOf } from './classify.ts';
import { privacyOf } from './limits.ts';
import { say } from './messages.ts';
import {
  nextPiece,
  openSession,
  type Piece,
  pieceRequest,
  readPartial,
  readSession,
  UNOPENED,
  type Upload,
  uploadOf,
  videoIdIn,
} from './upload.ts';
import { watched } from './verify.ts';

/** After a part without progress. */
const STRAY_MS: Delays = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];
/** Maximum consecutive attempts without progress before the session is abandoned. */
const MAX_MISMATCHES = 8;
/** Delay before a new session, ms. Each session counts against the daily uploads. */
const RESTART_PAUSE_MS = [0, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR];

/** Spends one daily upload per session, no matter how often opening it is retried. */
export async function begin({ session, post }: Work): Promise<StepResult> {
  await reserveUpload(session);
  return proceed({ ...UNOPENED, privacy: privacyOf(post, session) }, say('upload_reserved'));
}

/** Opens the session, then sends one part per step. The last part is the irreversible request. */
export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const { session, media } = work;
  const upload = uploadOf(checkpoint);
  if (!upload.uri) return open(work, upload);
  if (upload.doubt) return realign(work, upload);
  const piece = nextPiece(media.bytes, upload.sent);
  if (!piece.isLast) return sendPiece(work, upload, piece);
  // Resuming from this checkpoint queries the session first.
  return readyToCommit({ ...upload, doubt: true, offeredAt: session.now() }, say('publishing_with_last_part'));
}

/** Spends the channel's budget first: if that is exhausted, the app's budget stays untouched. */
async function reserveUpload(session: Session): Promise<void> {
  await session.spend('channel');
  await session.spend('uploads');
}

async function open(work: Work, { privacy, restarts }: Upload): Promise<StepResult> {
  const uri = await openSession(work, privacy);
  return proceed({ ...UNOPENED, privacy, restarts, uri, openedAt: work.session.now() }, say('upload_opened'));
}

async function sendPiece(work: Work, upload: Upload, piece: Piece): Promise<StepResult> {
  const { session, media } = work;
  const response = await session.http(pieceRequest(work, upload.uri, piece)).catch((error: unknown) => {
    if (error instanceof NetworkError) return error;
    throw error;
  });
  if (response instanceof NetworkError) return query(upload, say('send_unanswered', { reason: response.reason }));
  const { status } = response;
  if (status === 404 || status === 410) return restart(work, upload, say('upload_unknown'));
  if (status === 308) {
    const { stored, uri } = readPartial(response, upload.uri, media.bytes, session);
    const here = atUri(upload, uri);
    if (stored === null || stored <= upload.sent || stored > piece.last + 1)
      return query(here, say('part_unconfirmed'));
    return continueAt(here, stored, 0);
  }
  const failure = failureOf(response, session.now());
  if (['tokenExpired', 'rateLimited', 'reconnect', 'setup'].includes(failure.kind)) throw new PlatformError(failure);
  // Includes 200 and 201: YouTube has all bytes, so a send that we have no record of must have completed.
  return query(upload, say('status_unexpected', { status }));
}

/** Continues at YouTube's offset. */
async function realign(work: Work, upload: Upload): Promise<StepResult> {
  const progress = await readSession(work, upload.uri);
  if (progress.state === 'whole') return doubt(upload, say('upload_already_complete'));
  if (progress.state === 'gone') return restart(work, upload, say('upload_unknown'));
  const here = atUri(upload, progress.uri);
  const { stored } = progress;
  if (stored === null) return query(here, say('upload_offset_missing'));
  if (stored >= work.media.bytes) return doubt(here, say('upload_already_complete'));
  const hasProgress = stored > upload.sent;
  if (upload.strays > MAX_MISMATCHES && !hasProgress && upload.offeredAt === 0)
    return restart(work, here, say('no_progress'));
  return continueAt(here, stored, hasProgress ? 0 : upload.strays);
}

function continueAt(upload: Upload, stored: number, strays: number): StepResult {
  const next: Upload = { ...upload, sent: stored, doubt: false, strays };
  return proceed(next, say('upload_continued', { receivedBytes: stored }));
}

/** Queries the session before more is sent, after an increasing delay. */
function query(upload: Upload, reason: Message): StepResult {
  const { strays } = upload;
  const next: Upload = { ...upload, doubt: true, strays: strays + 1 };
  return proceed(next, say('offset_query', { reason }), delayAfter(STRAY_MS, strays));
}

/** Sends nothing more until `verify` has established whether an earlier send posted. */
function doubt(upload: Upload, note: Message): StepResult {
  return verifyFirst({ ...upload, doubt: true }, note);
}

/**
 * Abandons the session. If its last part was ever offered, `verify` runs first: it finds the video or proves that it
 * does not exist.
 */
async function restart(work: Work, upload: Upload, reason: Message): Promise<StepResult> {
  if (upload.offeredAt > 0) return doubt(upload, say('verify_first', { reason }));
  const { privacy, restarts } = upload;
  const pause = RESTART_PAUSE_MS[restarts];
  if (pause === undefined) return failed(rejected('other', say('restarts_exhausted', { reason })));
  await reserveUpload(work.session);
  return proceed({ ...UNOPENED, privacy, restarts: restarts + 1 }, say('upload_restarted', { reason }), pause);
}

/** The session may have moved to another URI. */
function atUri(upload: Upload, uri: string): Upload {
  return { ...upload, uri: uri || upload.uri };
}

/** The irreversible request: the last byte of the last part creates the video on the channel. */
export const commit: CommitPlan = {
  async request(work, checkpoint) {
    const upload = uploadOf(checkpoint);
    return pieceRequest(work, upload.uri, { first: upload.sent, last: work.media.bytes - 1 });
  },
  // Any other response is verified by querying the session, which is exact and free.
  // 308 is also used by intermediaries for redirects, and a 4xx may follow an earlier send that succeeded.
  responses: [
    { status: 200, proves: 'done' },
    { status: 201, proves: 'done' },
  ],
  codeOf: reasonOf,
  done: (_work, checkpoint, response) => watched(uploadOf(checkpoint), videoIdIn(response)),
};
