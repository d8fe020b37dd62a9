/**
 * Steps up to the irreversible request: register the media, upload it, poll until it is processed, and read the board.
 * The snapshot of the board tells a new pin from an existing one. All steps are safe to repeat.
 */
import { HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, JsonObject, Media, PostContent, StepResult, Work } from '../contract.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { rejected, setup } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { bearer, postJson } from '../kit/requests.ts';
import { failed, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { boardFor, read } from './api.ts';
import { codeOf, failureOf } from './classify.ts';
import { say } from './messages.ts';
import { type Progress, progressOf, register, restart, upload } from './upload.ts';
import { findAlike, notBefore, publishedFrom, textOf } from './verify.ts';

const POLL_MS: Delays = [1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000];
/** How long in ms an upload may stay `registered` before it is repeated. */
const UNNOTICED_MS = 10 * MINUTE;
/** Delay before the next send in ms, by number of sends. A retryable response (a limit, a token) adds its own delay. */
const SEND_MS: Delays = [0, 0, 30 * SECOND, 5 * MINUTE, 15 * MINUTE, HOUR];
/** Pages to read before a send. Pins with our text on later pages are ruled out by their creation time. */
const MAX_PAGES = 2;

export async function begin(work: Work): Promise<StepResult> {
  const { session, post } = work;
  const boardId = boardFor(session, post);
  if (!boardId) return failed(setup(say('board_missing')));
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
function sendAgain({ session }: Work, progress: Progress): StepResult {
  const pause = delayAfter(SEND_MS, progress.sends);
  const afterMs = session.sandbox ? Math.min(pause, SECOND) : pause;
  return proceed({ ...progress, armed: false, ready: false }, say('resending'), afterMs);
}

async function poll({ session }: Work, progress: Progress): Promise<StepResult> {
  let status: string;
  try {
    status = textAt(await read(session, `/media/${encodeURIComponent(progress.mediaId)}`), 'status');
  } catch (error) {
    if (error instanceof PlatformError && error.failure.status === 404 && error.failure.platformCode !== undefined)
      return afterLoss(progress);
    throw error;
  }
  if (status === 'succeeded') return proceed({ ...progress, ready: true }, say('processed'));
  if (status === 'failed') return failed(rejected('video', say('video_not_processed')));
  if (status === 'registered' && session.now() - progress.uploadedAt > UNNOTICED_MS)
    return restart(progress, say('upload_failed'));
  const { polls } = progress;
  return proceed({ ...progress, polls: polls + 1 }, say('processing'), delayAfter(POLL_MS, polls));
}

/**
 * Handles media that is gone. Pinterest does not document whether creating a pin consumes the media. If the media is
 * gone after a send, verify once before uploading again.
 */
function afterLoss(progress: Progress): StepResult {
  const reason = say('upload_unknown');
  if (progress.sends === 0 || progress.doubted) return restart(progress, reason);
  return verifyFirst({ ...progress, doubted: true }, say('verify_first', { reason }));
}

/**
 * Reads the board right before each send, because others may create pins with the same text in the meantime. Before the
 * first send, it records the existing pins with our text. Before a resend, it checks for new ones.
 */
async function send({ session, post }: Work, progress: Progress): Promise<StepResult> {
  await session.spend('writes');
  const { alike } = await findAlike(session, progress.boardId, textOf(post), MAX_PAGES);
  const ids = (pins: readonly unknown[]) => pins.map((pin) => textAt(pin, 'id'));
  const fresh = ids(notBefore(alike, progress.sentAt)).filter((id) => !progress.seen?.includes(id));
  if (progress.sends > 0 && fresh.length > 0) return verifyFirst(progress, say('match_unclear'));
  const armed = {
    ...progress,
    seen: progress.sends > 0 ? progress.seen : ids(alike),
    armed: true,
    sends: progress.sends + 1,
    sentAt: progress.sentAt || session.now(),
    doubted: false,
  };
  return readyToCommit(armed, say('publishing'));
}

/** Number of sends that include the cover picture. Later sends omit it in case Pinterest rejects the picture. */
const PICTURED_SENDS = 2;

/** The request that creates the pin. */
export const commit: CommitPlan = {
  async request({ session, post, media }, checkpoint) {
    const { boardId, mediaId, sends } = progressOf(checkpoint);
    const texts = {
      title: textAt(post.options, 'title'),
      description: post.text,
      link: textAt(post.options, 'link'),
      alt_text: textAt(post.options, 'altText'),
    };
    return postJson(`${session.endpoints.api}/v5/pins`, bearer(session.secret), {
      board_id: boardId,
      ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
      media_source: {
        source_type: 'video_id',
        media_id: mediaId,
        ...(sends > PICTURED_SENDS ? frameOf(post) : await pictureOf(media, post)),
      },
    });
  },
  // Only a refusal in the API's own format proves that no pin was created. Nothing protects against a second pin,
  // neither an idempotency key nor single-use media, so every other response is verified.
  responses: [
    { status: [200, 201], proves: 'done' },
    { status: 400, code: 'media', proves: 'retryable' },
    { status: 400, code: 'cover', proves: 'retryable' },
    { status: 404, code: 'media', proves: 'retryable' },
    { status: 401, code: 'no', proves: 'retryable' },
    { status: 429, code: 'no', proves: 'retryable' },
    { status: 403, code: 'consumer', proves: 'refused' },
    { status: 404, code: 'board', proves: 'refused' },
    { status: [400, 499], code: 'no', proves: 'refused' },
  ],
  codeOf,
  failureOf,
  /** @throws TypeError if the response is not a pin */
  done: ({ session }, _checkpoint, response) => ({
    then: 'posted',
    published: publishedFrom(session, response.json(), session.now()),
    note: say('posted'),
  }),
};

/** Returns the cover at the chosen moment. If the picture cannot be read, names the nearest key frame time instead. */
async function pictureOf(media: Media, post: PostContent): Promise<JsonObject> {
  const cover = await media.cover().catch(() => null);
  if (!cover) return frameOf(post);
  return { cover_image_content_type: cover.mime, cover_image_data: cover.bytes.toString('base64') };
}

/** Uses whole seconds. A time after the end selects the last frame. */
function frameOf({ previewTimeMs }: PostContent): JsonObject {
  return { cover_image_key_frame_time: Math.max(0, Math.round(previewTimeMs / 1000)) };
}
