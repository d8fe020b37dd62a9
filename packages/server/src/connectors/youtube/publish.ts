/**
 * The steps up to the irreversible request: open a session, send all but the last 256 KiB or less.
 *
 * When the stored offset is uncertain, the session is queried. A new session is opened only if the current one cannot
 * have posted.
 */
import { type HttpResponse, NetworkError } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, JsonObject, StepResult, Work } from '../contract.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { rejected } from '../kit/failures.ts';
import { failed, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { failureOf, reasonOf } from './classify.ts';
import { privacyOf } from './limits.ts';
import { watched } from './state.ts';
import {
  nextPiece,
  openSession,
  type Piece,
  pieceRequest,
  readProgress,
  readSession,
  UNOPENED,
  type Upload,
  uploadOf,
  videoIdIn,
} from './upload.ts';

/** After a part without progress. */
const STRAY_MS: Delays = [1_000, 5_000, 30_000, 120_000, 300_000, 900_000, 1_800_000];
/** Maximum consecutive attempts without progress before the session is abandoned. */
const MAX_MISMATCHES = 8;
/** Delay before a new session, ms. Each session counts against the daily uploads. */
const RESTART_PAUSE_MS = [0, 60_000, 300_000, 900_000, 3_600_000];

/** Spends one daily upload per session, no matter how often opening it is retried. */
export async function begin({ session, post }: Work): Promise<StepResult> {
  await takeUpload(session);
  return proceed({ ...UNOPENED, privacy: privacyOf(post, session) }, 'One of the uploads of the day is taken.');
}

/** Opens the session, then sends one part per step. The last part is the irreversible request. */
export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const upload = uploadOf(checkpoint);
  if (!upload.uri) return open(work, upload);
  if (upload.doubt) return realign(work, upload);
  const piece = nextPiece(work.media.bytes, upload.sent);
  if (piece.isLast) return offer(work, upload);
  let response: HttpResponse;
  try {
    response = await work.session.http(pieceRequest(work, upload.uri, piece));
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return stray(upload, `A part got no answer (${error.reason}).`);
  }
  return afterPiece(work, upload, piece, response);
}

/** Spends the channel's budget first: if that is exhausted, the app's budget stays untouched. */
async function takeUpload(session: Work['session']): Promise<void> {
  await session.spend('channel');
  await session.spend('uploads');
}

async function open(work: Work, upload: Upload): Promise<StepResult> {
  const { privacy, restarts } = upload;
  const uri = await openSession(work, privacy);
  const openedAt = work.session.now();
  return proceed({ ...UNOPENED, privacy, restarts, uri, openedAt }, 'YouTube has opened an upload.');
}

async function afterPiece(work: Work, upload: Upload, piece: Piece, response: HttpResponse): Promise<StepResult> {
  const { session, media } = work;
  const { status } = response;
  if (status === 404 || status === 410) return restart(work, upload, 'The upload session is gone.');
  if (status === 308) {
    const told = readProgress(response, { uri: upload.uri, bytes: media.bytes, session });
    if (told.state !== 'partial' || told.kept === null || told.kept <= upload.sent || told.kept > piece.last + 1)
      return stray({ ...upload, uri: uriAfter(told, upload) }, 'YouTube did not say that it kept the part.');
    return onwards(media.bytes, { ...upload, uri: uriAfter(told, upload) }, told.kept);
  }
  const failure = failureOf(response, session.now());
  if (['tokenExpired', 'rateLimited', 'reconnect', 'setup'].includes(failure.kind)) throw new PlatformError(failure);
  // Includes 200 and 201: YouTube has all bytes, so a send that we have no record of must have completed.
  return stray(upload, `YouTube answered ${status} to a part.`);
}

/** Continues at YouTube's offset. */
async function realign(work: Work, upload: Upload): Promise<StepResult> {
  const { bytes } = work.media;
  const told = await readSession(work, upload.uri);
  if (told.state === 'whole') return doubt(upload, 'YouTube has the whole video already; making sure.');
  if (told.state === 'gone') return restart(work, upload, 'The upload session is gone.');
  const here = { ...upload, uri: uriAfter(told, upload) };
  if (told.kept === null) return stray(here, 'YouTube did not say how much of the video it has kept.');
  if (told.kept >= bytes) return doubt(here, 'YouTube has all bytes and does not name the video yet; making sure.');
  if (upload.strays > MAX_MISMATCHES && told.kept <= upload.sent && upload.offeredAt === 0)
    return restart(work, here, 'Nothing more could be sent.');
  const strays = told.kept > upload.sent ? 0 : upload.strays;
  return onwards(bytes, { ...here, strays }, told.kept, strays);
}

function onwards(bytes: number, upload: Upload, kept: number, strays = 0): StepResult {
  return proceed({ ...upload, sent: kept, doubt: false, strays }, `YouTube has kept ${kept} of ${bytes} bytes.`);
}

/** Queries the session before more is sent, after an increasing delay. */
function stray(upload: Upload, why: string): StepResult {
  const { strays } = upload;
  const checkpoint = { ...upload, doubt: true, strays: strays + 1 };
  return proceed(checkpoint, `${why} Asking what it has.`, delayAfter(STRAY_MS, strays));
}

/** Everything but the last part is sent. Resuming from this checkpoint queries the session first. */
function offer({ session }: Work, upload: Upload): StepResult {
  const note = 'Sending the last part; with its last byte the video is posted.';
  return readyToCommit({ ...upload, doubt: true, offeredAt: session.now() }, note);
}

/** Sends nothing more until `verify` has established whether an earlier send posted. */
function doubt(upload: Upload, note: string): StepResult {
  return verifyFirst({ ...upload, doubt: true }, note);
}

/**
 * Abandons the session. If its last part was ever offered, `verify` runs first: it finds the video or proves that it
 * does not exist.
 */
async function restart(work: Work, upload: Upload, why: string): Promise<StepResult> {
  if (upload.offeredAt > 0) return doubt(upload, `${why} It may have posted before; making sure.`);
  const { privacy, restarts } = upload;
  const pause = RESTART_PAUSE_MS[restarts];
  if (pause === undefined) return failed(rejected('other', `${why} No upload of this video came to its end.`));
  await takeUpload(work.session);
  return proceed({ ...UNOPENED, privacy, restarts: restarts + 1 }, `${why} Beginning another.`, pause);
}

function uriAfter(told: { state: string; uri?: string }, upload: Upload): string {
  return told.uri || upload.uri;
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
