/**
 * Steps before the irreversible request: register the media, upload it, poll until it is processed, and read the board.
 * The snapshot of the board tells a new pin from an existing one. All steps are safe to repeat.
 */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { JsonObject, StepResult, Work } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { read } from './api.ts';
import { type Progress, progressOf } from './checkpoint.ts';
import { boardFor } from './identify.ts';
import { likePins, notBefore, wordsOf } from './pins.ts';
import { register, restart, upload } from './upload.ts';

const POLL_AFTER_MS = [1_000, 2_000, 5_000, 10_000, 15_000, 30_000];
const POLL_LATER_MS = 60_000;
/** How long in ms an upload may stay `registered` before it is repeated. */
const UNNOTICED_MS = 600_000;
/** Delay before the next send in ms, by number of sends. A retryable response (a limit, a token) adds its own delay. */
const SEND_PAUSE_MS = [0, 0, 30_000, 300_000, 900_000];
const SEND_LATER_MS = 3_600_000;
const SEND_SANDBOX_MS = 1_000;
/** Pages to read before a send. Pins with our text on later pages are ruled out by their creation time. */
const LOOK_PAGES = 2;

export async function begin(work: Work): Promise<StepResult> {
  const { session, post } = work;
  const boardId = boardFor(session, post);
  if (!boardId)
    return {
      then: 'failed',
      failure: { kind: 'setup', detail: 'The account has no board of the chosen kind. Choose another one.' },
    };
  return register(work, { ...progressOf(null), boardId });
}

export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const progress = progressOf(checkpoint);
  if (progress.armed) return sendAgain(work, progress);
  if (progress.mediaId === '' || progress.sha256 !== work.media.sha256) return register(work, progress);
  if (progress.uploadedAt === 0) return upload(work, progress);
  if (!progress.ready) return poll(work, progress);
  return send(work, progress);
}

/** Prepares another send after one that created no pin. The video's status and the board are read again first. */
function sendAgain({ session }: Work, known: Progress): StepResult {
  const pause = SEND_PAUSE_MS[known.sends] ?? SEND_LATER_MS;
  const afterMs = session.sandbox ? Math.min(pause, SEND_SANDBOX_MS) : pause;
  const checkpoint = { ...known, armed: false, ready: false };
  return { then: 'continue', checkpoint, afterMs, note: 'The pin was not made; preparing another attempt.' };
}

async function poll({ session }: Work, progress: Progress): Promise<StepResult> {
  let status: string;
  try {
    status = textAt(await read(session, `/media/${encodeURIComponent(progress.mediaId)}`), 'status');
  } catch (error) {
    if (error instanceof PlatformError && error.failure.status === 404 && error.failure.platformCode !== undefined)
      return forgotten(progress);
    throw error;
  }
  if (status === 'succeeded')
    return { then: 'continue', checkpoint: { ...progress, ready: true }, note: 'The video is ready.' };
  if (status === 'failed')
    return {
      then: 'failed',
      failure: {
        kind: 'rejected',
        what: 'video',
        detail: 'Pinterest could not work on the video. It gives no reason.',
      },
    };
  if (status === 'registered' && session.now() - progress.uploadedAt > UNNOTICED_MS)
    return restart(progress, 'Pinterest has not noticed the upload.');
  return {
    then: 'continue',
    checkpoint: { ...progress, polls: progress.polls + 1 },
    afterMs: POLL_AFTER_MS[progress.polls] ?? POLL_LATER_MS,
    note: 'Pinterest still works on the video.',
  };
}

/**
 * Handles media that is gone. Pinterest does not document whether creating a pin consumes the media. If the media is
 * gone after a send, verify once before uploading again.
 */
function forgotten(progress: Progress): StepResult {
  const note = 'Pinterest does not know the video any more.';
  if (progress.sends === 0 || progress.doubted) return restart(progress, note);
  return { then: 'look', checkpoint: { ...progress, doubted: true }, note: `${note} Its pin may have been made.` };
}

/**
 * Reads the board right before each send, because others may create pins with the same text in the meantime. Before the
 * first send, it records the existing pins with our text. Before a resend, it checks for new ones.
 */
async function send({ session, post }: Work, progress: Progress): Promise<StepResult> {
  await session.spend('writes');
  const { alike } = await likePins(session, progress.boardId, wordsOf(post), LOOK_PAGES);
  const ids = (pins: readonly unknown[]) => pins.map((pin) => textAt(pin, 'id'));
  const fresh = ids(notBefore(alike, progress.sentAt)).filter((id) => !progress.seen?.includes(id));
  if (progress.sends > 0 && fresh.length > 0)
    return { then: 'look', checkpoint: { ...progress }, note: 'A pin with these words is on the board by now.' };
  const checkpoint = {
    ...progress,
    seen: progress.sends > 0 ? progress.seen : ids(alike),
    armed: true,
    sends: progress.sends + 1,
    sentAt: progress.sentAt || session.now(),
    doubted: false,
  };
  return { then: 'commit', checkpoint, note: 'The board was read; making the pin.' };
}
