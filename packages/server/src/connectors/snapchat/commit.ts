/** The request that creates the spotlight, what its response proves, and the review that follows. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, ConfirmResult, JsonObject, Work } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { bearer } from './api.ts';
import { type Progress, progressOf } from './checkpoint.ts';
import { codeOf, failureOf } from './classify.ts';
import { madeAt, pathOf, publishedAs, readSpotlight } from './spotlights.ts';

const DEADLINE_MS = 60_000;
const USUAL_LOCALE = 'en_US';
const POLL_AFTER_MS = [60_000, 60_000, 120_000, 300_000];
const POLL_LATER_MS = 600_000;
const POLL_AFTER_SANDBOX_MS = 1_000;
/** Maximum wait for the review, in ms. */
const REVIEW_FOR_MS = 72 * 3_600_000;

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
  answers: [
    { status: [200, 299], code: 'SUCCESS', proves: 'done' },
    { status: [200, 499], code: 'MEDIA_PROCESSING', proves: 'notYet' },
    { status: [200, 499], code: 'MEDIA_EXPIRED', proves: 'notYet' },
    { status: [200, 499], code: 'NOT_ALLOWED', proves: 'refused' },
    { status: 400, code: 'REFUSED', proves: 'refused' },
    { status: 401, proves: 'notYet' },
    { status: 429, proves: 'notYet' },
  ],
  codeOf,
  failureOf: (answer) => failureOf(answer),
  /** @throws TypeError if the response has no spotlight id */
  done: ({ session }, checkpoint, answer) => {
    const spotlightId = textAt(answer.json(), 'spotlight_id');
    if (!spotlightId) throw new TypeError('The answer names no spotlight.');
    return reviewed(session.sandbox, { ...progressOf(checkpoint), spotlightId, acceptedAt: session.now() });
  },
};

/** Schedules the next poll of the review, with growing delays. */
export function reviewed(sandbox: boolean, progress: Progress): Extract<ConfirmResult, { then: 'confirming' }> {
  return {
    then: 'confirming',
    checkpoint: { ...progress, key: '', chain: '', polls: progress.polls + 1 },
    afterMs: sandbox ? POLL_AFTER_SANDBOX_MS : (POLL_AFTER_MS[progress.polls] ?? POLL_LATER_MS),
    note: 'Snapchat has the video and reviews it.',
  };
}

/** Polls until the review ends. Snapchat has accepted the video, so one that cannot be read still exists. */
export async function confirm({ session }: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const progress = progressOf(checkpoint);
  const waited = session.now() - progress.acceptedAt > REVIEW_FOR_MS;
  let spotlight: unknown;
  try {
    spotlight = await readSpotlight(session, progress.spotlightId);
  } catch (error) {
    const passes = !(error instanceof PlatformError) || !['setup', 'rejected'].includes(error.failure.kind);
    if (passes) throw error;
  }
  const found = afterReview(session, spotlight);
  if (found) return found;
  if (!waited) return reviewed(session.sandbox, progress);
  const detail = 'Snapchat took the video; how its review went could not be looked up.';
  const published = { ...publishedAs(session, progress.spotlightId, madeAt(spotlight)), detail };
  return { then: 'posted', published, note: 'Snapchat has the video.' };
}

/** Maps the result of a review; null while it is in progress. */
export function afterReview(
  session: Work['session'],
  spotlight: unknown,
): Extract<ConfirmResult, { then: 'posted' | 'failed' }> | null {
  switch (textAt(spotlight, 'status')) {
    case 'LIVE':
      return {
        then: 'posted',
        published: publishedAs(session, textAt(spotlight, 'id'), madeAt(spotlight)),
        note: 'The video is live.',
      };
    case 'REJECTED':
      return {
        then: 'failed',
        failure: { kind: 'rejected', what: 'policy', platformCode: 'REJECTED', detail: 'Snapchat rejected the video.' },
      };
    default:
      return null;
  }
}
