/**
 * Up to the irreversible call: register, upload, wait until the video was worked on, and read the board, so that a pin
 * which shows up later can be told from one that was there. Everything here may be done again without harm.
 */
import type { JsonObject, StepResult, Work } from '../contract.ts';
import { PlatformError } from '../kit/failure.ts';
import { textAt } from '../kit/json.ts';
import { read } from './api.ts';
import { type Progress, progressOf } from './checkpoint.ts';
import { boardFor } from './identify.ts';
import { likePins, notBefore, wordsOf } from './pins.ts';
import { register, restart, upload } from './upload.ts';

const POLL_AFTER_MS = [1_000, 2_000, 5_000, 10_000, 15_000, 30_000];
const POLL_LATER_MS = 60_000;
/** An upload that Pinterest has not noticed after so long is made again, ms. */
const UNNOTICED_MS = 600_000;
/** Before another send, ms, by how many were made; each refusal that passes (a limit, a token) has its own wait as well. */
const SEND_PAUSE_MS = [0, 0, 30_000, 300_000, 900_000];
const SEND_LATER_MS = 3_600_000;
const SEND_SANDBOX_MS = 1_000;
/** Pins with our words that are older than what two pages hold are told from ours by their time. */
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

/** A pin was sent from here and was not made. Video and board are looked at again before another is sent. */
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

/** Whether a pin uses its video up is not documented: behind a send it is looked whether that made one, once. */
function forgotten(progress: Progress): StepResult {
  const note = 'Pinterest does not know the video any more.';
  if (progress.sends === 0 || progress.doubted) return restart(progress, note);
  return { then: 'look', checkpoint: { ...progress, doubted: true }, note: `${note} Its pin may have been made.` };
}

/**
 * The board is read right before each send, for others may pin with the same words while it waits. Before the first one:
 * what is there with our words. Before another: whether something has come to it.
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
