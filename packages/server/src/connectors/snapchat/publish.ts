/**
 * Steps up to the irreversible request: create the media, send its parts, finalize it, and read the list of
 * spotlights. The snapshot of the list tells a new spotlight from an existing one.
 */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, JsonObject, StepResult, Work } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { bearer } from '../kit/requests.ts';
import { proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { codeOf, failureOf } from './classify.ts';
import { partCount } from './parts.ts';
import { addPart, create, finalize, type Progress, progressOf, restart } from './upload.ts';
import { cameSince, earliestOf, isSameText, type Listed, listSpotlights, pathOf, reviewed } from './verify.ts';

/** Media is usable for one day. One hour is reserved for the remaining steps. In ms. */
const MEDIA_LIFE_MS = 23 * 3_600_000;
/** How long in ms after finalizing a video that cannot be posted is kept before it is uploaded again. */
const PROCESSING_FOR_MS = 600_000;

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
  if (age > MEDIA_LIFE_MS || stuck) return restart(progress, 'The upload is too old to be posted.');
  if (progress.parts < partCount(media.bytes)) return addPart(work, progress);
  if (progress.finalizedAt === 0) return finalize(work, progress);
  if (!progress.looked) return look(work, progress);
  const sentAt = progress.sentAt || session.now();
  return readyToCommit({ ...progress, armed: true, sentAt }, 'Posting to Spotlight.');
}

/**
 * Reads the list of spotlights. Before the first send, records the existing ones with our text. Before a resend, checks
 * for new ones.
 */
async function look({ session, post }: Work, progress: Progress): Promise<StepResult> {
  let listed: Listed;
  try {
    listed = await listSpotlights(session);
  } catch (error) {
    if (!(error instanceof PlatformError) || !['setup', 'rejected'].includes(error.failure.kind)) throw error;
    const note = 'Snapchat does not let the list be read; a lost answer could not be looked into.';
    return proceed({ ...progress, looked: true }, note);
  }
  const alike = listed.spotlights.filter((each) => isSameText(each, post) !== false);
  // Uses the same filter as `verify`: after `notPosted`, nothing is found here either.
  if (progress.sentAt > 0 && cameSince(alike, earliestOf(progress.sentAt, listed), progress.seen).length > 0)
    return verifyFirst(progress, 'Something that could be this post appeared meanwhile.');
  const seen = progress.sentAt > 0 ? progress.seen : alike.map((each) => textAt(each, 'id'));
  return proceed({ ...progress, looked: true, seen }, 'The list was read.');
}

const DEADLINE_MS = 60_000;
const USUAL_LOCALE = 'en_US';

/** The request that creates the spotlight. */
export const commit: CommitPlan = {
  async request({ session, post }, checkpoint) {
    const body = {
      media_id: progressOf(checkpoint).mediaId,
      locale: textAt(post.options, 'locale') || USUAL_LOCALE,
      ...(post.text === '' ? {} : { description: post.text }),
      skip_save_to_profile: at(post.options, 'saveToProfile') === false,
    };
    return {
      method: 'POST',
      url: `${session.endpoints.api}${pathOf(session)}`,
      headers: bearer(session.secret),
      body: { kind: 'bytes', type: 'application/json; charset=UTF-8', bytes: JSON.stringify(body) },
      deadlineMs: DEADLINE_MS,
    };
  },
  // MEDIA_POSTING_ALREADY_IN_PROGRESS means that an earlier send is in progress. Like every unlisted response, and any
  // unknown code with a status other than 400, it is verified.
  responses: [
    { status: [200, 299], code: 'SUCCESS', proves: 'done' },
    { status: [200, 499], code: 'MEDIA_PROCESSING', proves: 'retryable' },
    { status: [200, 499], code: 'MEDIA_EXPIRED', proves: 'retryable' },
    { status: [200, 499], code: 'NOT_ALLOWED', proves: 'refused' },
    { status: 400, code: 'REFUSED', proves: 'refused' },
    { status: 401, proves: 'retryable' },
    { status: 429, proves: 'retryable' },
  ],
  codeOf,
  failureOf,
  /** @throws TypeError if the response has no spotlight id */
  done: ({ session }, checkpoint, response) => {
    const spotlightId = textAt(response.json(), 'spotlight_id');
    if (!spotlightId) throw new TypeError('The answer names no spotlight.');
    return reviewed(session.sandbox, { ...progressOf(checkpoint), spotlightId, acceptedAt: session.now() });
  },
};
