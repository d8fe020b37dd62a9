/** Uploads the video, waits for its processing, and sends the post. A lost upload is invisible and expires by itself. */
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import type { CommitPlan, Json, JsonObject, StepResult, Work } from '../contract.ts';
import { rejected, transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { bearer, postJson } from '../kit/requests.ts';
import { failed, proceed, readyToCommit } from '../kit/results.ts';
import { isId } from './api.ts';
import { failureOf, processingFailure, RESPONSES, verdictOf } from './classify.ts';
import { say } from './messages.ts';
import * as uploads from './upload.ts';
import { isSameText, posted, postsSince } from './verify.ts';

type Upload = uploads.Upload;

/** An upload is not used this close to its expiry, ms. */
const EXPIRY_MARGIN_MS = 10 * MINUTE;
/** Upper bound on the poll interval that X requests, seconds. */
const MAX_CHECK_SECONDS = 300;
/** Maximum processing time that counts as progress, ms. After that the post's deadline applies. */
const PATIENCE_MS = 10 * MINUTE;
/** Delay before a video that X failed to process is uploaded again, ms. */
const BROKEN_PAUSE_MS = 30 * SECOND;
/** After this many rejected sends of one upload, a new upload is made, in case X has lost the video. */
const MAX_OFFERS = 3;
/** Delay before a resend when X neither accepted nor rejected the post, ms. After the last one, the post fails. */
const VOID_PAUSE_MS = [0, 0, MINUTE, HOUR, 4 * HOUR, 10 * HOUR];
/** From this many sends without effect on, the timeline is checked for an earlier post with the same text. */
const DUPLICATE_AFTER = 2;

export function begin(work: Work): Promise<StepResult> {
  return uploads.openUpload(work, uploads.NEW);
}

export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const upload = uploads.uploadOf(checkpoint);
  const { session, media } = work;
  if (upload.rest) return rest(work, upload);
  if (!upload.mediaId) return uploads.openUpload(work, upload);
  if (session.now() > upload.expiresAt - EXPIRY_MARGIN_MS) return uploads.restart(upload, say('upload_expired'));
  if (upload.offeredAs > 0) return offerAgain(work, upload);
  if (upload.sent < uploads.segmentCount(media.bytes, upload.segmentSize)) return uploads.sendSegments(work, upload);
  if (upload.finalizedAt > 0) return processed(work, upload, await uploads.pollUpload(session, upload.mediaId));
  const processing = await uploads.finalizeUpload(session, upload.mediaId);
  return processed(work, { ...upload, finalizedAt: session.now() }, processing);
}

/** Continues with the state of the upload, as returned by {@link uploads.pollUpload}. */
async function processed(work: Work, upload: Upload, processing: Json | undefined): Promise<StepResult> {
  if (processing === undefined) return uploads.restart(upload, say('upload_unknown'));
  const state = processing === null ? 'succeeded' : textAt(processing, 'state');
  if (state === 'succeeded') return offer(work, upload);
  if (state === 'failed') return afterFailedProcessing(upload, at(processing, 'error'));
  const seconds = numberAt(processing, 'check_after_secs') ?? 5;
  const afterMs = Math.min(Math.max(seconds, 1), MAX_CHECK_SECONDS) * SECOND;
  const note = say('processing');
  if (work.session.now() - upload.finalizedAt > PATIENCE_MS) return failed(transient(note, afterMs));
  return proceed(upload, note, afterMs);
}

/** A first failure may be temporary; a second one is blamed on the video. */
function afterFailedProcessing(upload: Upload, error: unknown): StepResult {
  const failure = processingFailure(error);
  if (failure) return failed(failure);
  const reason = say('video_not_processed');
  if (upload.broken > 0) return failed(rejected('video', reason));
  const fresh: Upload = { ...upload, ...uploads.UNOPENED, broken: upload.broken + 1 };
  return proceed(fresh, say('upload_restarted', { reason }), BROKEN_PAUSE_MS);
}

async function offer({ session, post }: Work, upload: Upload): Promise<StepResult> {
  await session.spend('posts');
  await session.spend('postsOfAll');
  const offered = [...new Set([...upload.offered, upload.mediaKey || upload.mediaId])];
  return readyToCommit({ ...upload, offered, offers: upload.offers + 1, offeredAs: post.sendKey }, say('processed'));
}

/** Resends the same text with the same upload, because X rejects a second post of it. */
async function offerAgain(work: Work, upload: Upload): Promise<StepResult> {
  const hadNoEffect = work.post.sendKey > upload.offeredAs;
  if (hadNoEffect && upload.offers >= MAX_OFFERS) return uploads.restart(upload, say('sends_rejected'));
  return processed(work, upload, await uploads.pollUpload(work.session, upload.mediaId));
}

/** After a send without proof that is verified to have had no effect. X may have considered it a duplicate. */
async function rest({ session, post }: Work, upload: Upload): Promise<StepResult> {
  if (upload.voids >= DUPLICATE_AFTER) {
    const { posts } = await postsSince(session, session.now() - DAY, post.text);
    if (posts.some((each) => isSameText(each, post.text))) return failed(rejected('duplicate', say('same_text_shown')));
  }
  const pause = VOID_PAUSE_MS[upload.voids];
  if (pause === undefined) return failed(rejected('other', say('never_accepted')));
  const afterMs = session.sandbox ? Math.min(pause, SECOND) : pause;
  return proceed({ ...upload, rest: false }, say('attempt_follows'), afterMs);
}

/** The irreversible request (`POST /2/tweets`). */
export const commit: CommitPlan = {
  async request({ session, post }, checkpoint) {
    const { replySettings, madeWithAi, paidPartnership } = post.options;
    const body = {
      text: post.text,
      media: { media_ids: [uploads.uploadOf(checkpoint).mediaId] },
      // Everyone is the default; X rejects the explicit value.
      ...(replySettings && replySettings !== 'everyone' ? { reply_settings: replySettings } : {}),
      ...(typeof madeWithAi === 'boolean' ? { made_with_ai: madeWithAi } : {}),
      ...(typeof paidPartnership === 'boolean' ? { paid_partnership: paidPartnership } : {}),
    };
    return postJson(`${session.endpoints.api}/2/tweets`, bearer(session.secret), body);
  },
  responses: RESPONSES,
  codeOf: verdictOf,
  failureOf: (response, now) => failureOf(response, now, 'post'),
  /** The post is live once 201 arrives. @throws TypeError if the response names no post */
  done: ({ session }, _checkpoint, response) => {
    const id = textAt(response.tryJson(), 'data', 'id');
    if (!isId(id)) throw new TypeError('The response names no post.');
    return posted(session, { id, createdAt: null }, say('posted'));
  },
};
