/**
 * Steps up to the irreversible request: create the media, send its parts, finalize it, and read the list of
 * spotlights. The snapshot of the list tells a new spotlight from an existing one.
 */
import { HOUR, MINUTE } from '../../lib/time.ts';
import type { CommitPlan, JsonObject, StepResult, Work } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { bearer, postJson } from '../kit/requests.ts';
import { proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { codeOf, failureOf } from './classify.ts';
import { say } from './messages.ts';
import { addPart, create, finalize, type Progress, partCount, progressOf, restart } from './upload.ts';
import {
  createdSince,
  earliestOf,
  isForbidden,
  isSameText,
  type Listed,
  listSpotlights,
  pathOf,
  reviewAgain,
} from './verify.ts';

/** Media is usable for one day. One hour is reserved for the remaining steps. In ms. */
const MEDIA_LIFE_MS = 23 * HOUR;
/** How long in ms after finalizing a video that cannot be posted is kept before it is uploaded again. */
const PROCESSING_FOR_MS = 10 * MINUTE;

export async function begin(work: Work): Promise<StepResult> {
  return create(work, progressOf(null));
}

export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const { session, media } = work;
  const known = progressOf(checkpoint);
  // A send from this checkpoint created no spotlight. Read the list again before the next send.
  const progress = known.armed ? { ...known, armed: false, looked: false } : known;
  if (progress.mediaId === '' || progress.sha256 !== media.sha256) return create(work, progress);
  const age = session.now() - progress.createdAt;
  const stuck = known.armed && session.now() - progress.finalizedAt > PROCESSING_FOR_MS;
  if (age > MEDIA_LIFE_MS || stuck) return restart(progress, say('upload_expired'));
  if (progress.parts < partCount(media.bytes)) return addPart(work, progress);
  if (progress.finalizedAt === 0) return finalize(work, progress);
  if (!progress.looked) return readList(work, progress);
  const sentAt = progress.sentAt || session.now();
  return readyToCommit({ ...progress, armed: true, sentAt }, say('publishing'));
}

/**
 * Reads the list of spotlights. Before the first send, records the existing ones with our text. Before a resend, checks
 * for new ones.
 */
async function readList({ session, post }: Work, progress: Progress): Promise<StepResult> {
  let listed: Listed;
  try {
    listed = await listSpotlights(session);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return proceed({ ...progress, looked: true }, say('list_forbidden'));
  }
  const alike = listed.spotlights.filter((each) => isSameText(each, post) !== false);
  // Uses the same filter as `verify`: after `notPosted`, nothing is found here either.
  if (progress.sentAt > 0 && createdSince(alike, earliestOf(progress.sentAt, listed), progress.seen).length > 0)
    return verifyFirst(progress, say('match_unclear'));
  const seen = progress.sentAt > 0 ? progress.seen : alike.map((each) => textAt(each, 'id'));
  return proceed({ ...progress, looked: true, seen }, say('list_read'));
}

const USUAL_LOCALE = 'en_US';

/** The request that creates the spotlight. */
export const commit: CommitPlan = {
  async request({ session, post }, checkpoint) {
    return postJson(`${session.endpoints.api}${pathOf(session)}`, bearer(session.secret), {
      media_id: progressOf(checkpoint).mediaId,
      locale: textAt(post.options, 'locale') || USUAL_LOCALE,
      ...(post.text === '' ? {} : { description: post.text }),
      skip_save_to_profile: at(post.options, 'saveToProfile') === false,
    });
  },
  // MEDIA_POSTING_ALREADY_IN_PROGRESS means that an earlier send is in progress. Like every unlisted response, it is
  // verified.
  responses: [
    { status: [200, 299], code: 'SUCCESS', proves: 'done' },
    { status: [200, 499], code: 'MEDIA_PROCESSING', proves: 'retryable' },
    { status: [200, 499], code: 'MEDIA_EXPIRED', proves: 'retryable' },
    { status: [200, 499], code: 'NOT_ALLOWED', proves: 'refused' },
    { status: 401, proves: 'retryable' },
    { status: 429, proves: 'retryable' },
    { status: [200, 499], code: 'REFUSED', proves: 'refused' },
  ],
  codeOf,
  failureOf,
  /** @throws TypeError if the response has no spotlight id */
  done: ({ session }, checkpoint, response) => {
    const spotlightId = textAt(response.json(), 'spotlight_id');
    if (!spotlightId) throw new TypeError('The response names no spotlight.');
    return reviewAgain(session.sandbox, { ...progressOf(checkpoint), spotlightId, acceptedAt: session.now() });
  },
};
