/**
 * The steps up to the irreversible request: Threads fetches the video into a container and processes it.
 *
 * Containers are invisible and can be created again. A container that may have been published is not replaced until
 * that is verified.
 */
import { wordsOf } from '../../messages/message.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, JsonObject, Session, StepResult, Work } from '../contract.ts';
import { rateLimited, setup, transient } from '../kit/failures.ts';
import { graphCode, graphPublish, graphRules } from '../kit/graph.ts';
import { textAt } from '../kit/json.ts';
import { failed, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { call, isGone, isUsedUp, VERSION } from './api.ts';
import { containerEnd, failureOf } from './classify.ts';
import { type ContainerState, NEW, type Post, pollContainer, postOf } from './container.ts';
import { optionParameters } from './limits.ts';
import { confirmLater } from './posts.ts';

const CREATE_MS = 120_000;
/** "Wait on average 30 seconds before publishing" (posts guide), ms. The sandbox polls sooner. */
const FIRST_POLL_AFTER_MS = 30_000;
const SANDBOX_POLL_MS = 500;
const SANDBOX_POLL_LATER_MS = 5_000;
/** "Once a minute" (troubleshooting), ms; later less often. */
const POLL_MS = 60_000;
const POLL_LATER_MS = 300_000;
const FAST_POLLS = 30;
/** Containers that may fail for another reason than an unreachable URL; the last one fails the post. */
const MAX_FAILED = 2;
const UNFETCHED_PAUSE_MS = [0, 60_000, 300_000, 900_000, 1_800_000];
const QUOTA_WAIT_MS = 3_600_000;
/** A container that is processed for longer is abandoned, ms. */
const PATIENCE_MS = 3_600_000;
/** How long new containers may be created, ms. `renew` adds an hour. */
const RENEW_FOR_MS = 24 * 3_600_000;
const SWIFT_SENDS = 3;
const SEND_PAUSE_MS = 1_800_000;

/** Queries the remaining daily posts before anything is created. */
export async function begin({ session }: Work): Promise<StepResult> {
  await refuseWhenUsedUp(session);
  await session.spend('posts');
  return proceed(NEW, 'Threads was asked how many posts are left today.');
}

/**
 * Creates a container, polls it, then offers the publish request. A second request might create a second post, so none
 * is sent before the first is verified.
 */
export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const { session } = work;
  const post = postOf(checkpoint);
  if (!post.containerId) return create(work, post);
  let container: ContainerState;
  try {
    container = await pollContainer(session, post.containerId);
  } catch (error) {
    if (!isGone(error)) throw error;
    return post.sends > 0
      ? verifyFirst(post, 'Threads does not show the container any more; looking for the post.')
      : renew(session, post, 'Threads does not know the container.');
  }
  switch (container.state) {
    case 'working': {
      if (post.sends === 0 && session.now() - post.createdAt > PATIENCE_MS)
        return renew(session, post, 'Threads did not finish with the video.');
      const polls = post.polls + 1;
      return proceed({ ...post, polls }, 'Threads is working on the video.', pollDelay(session, polls));
    }
    case 'finished':
      return offer(work, post);
    case 'published':
      return verifyFirst(post, 'Threads has published this already; making sure.');
    case 'expired':
      return renew(session, post, 'The container ran out.');
    case 'failed':
      return afterFailed(session, post, container.message);
  }
}

async function create({ session, post: { text, options }, media }: Work, post: Post): Promise<StepResult> {
  const body = await call(
    session,
    'POST',
    `/${session.remoteId}/threads`,
    { media_type: 'VIDEO', video_url: media.link(), ...(text ? { text } : {}), ...optionParameters(options) },
    { deadlineMs: CREATE_MS },
  );
  const containerId = textAt(body, 'id');
  if (!/^\d+$/.test(containerId)) throw new PlatformError(transient('Threads made a container without a name.'));
  const createdAt = session.now();
  const firstCreatedAt = post.firstCreatedAt || createdAt;
  return proceed(
    { ...post, containerId, createdAt, firstCreatedAt, sends: 0, offeredAt: 0, polls: 0 },
    'Threads was given the address of the video and is fetching it.',
    pollDelay(session, 0),
  );
}

function pollDelay({ sandbox }: Session, polls: number): number {
  if (sandbox) return polls < FAST_POLLS ? SANDBOX_POLL_MS : SANDBOX_POLL_LATER_MS;
  if (polls === 0) return FIRST_POLL_AFTER_MS;
  return polls < FAST_POLLS ? POLL_MS : POLL_LATER_MS;
}

/** Repeated publish requests without effect are delayed more and more, and are sent only while daily posts remain. */
async function offer({ session }: Pick<Work, 'session'>, post: Post): Promise<StepResult> {
  const now = session.now();
  if (post.sends > 0) await refuseWhenUsedUp(session);
  const turn = post.offeredAt + Math.max(0, post.sends + 1 - SWIFT_SENDS) * SEND_PAUSE_MS;
  if (post.sends >= SWIFT_SENDS && now < turn) {
    const note = `Threads did not publish it although it was asked ${post.sends} times; asking once more later.`;
    return proceed(post, note, turn - now);
  }
  const offered = { ...post, sends: post.sends + 1, offeredAt: now, polls: 0 };
  return readyToCommit(offered, 'Asking Threads to publish it.');
}

function afterFailed(session: Session, post: Post, message: string): StepResult {
  const end = containerEnd(message);
  if (end.is === 'final') return failed(end.failure);
  if (end.is === 'unfetched') {
    const afterMs = UNFETCHED_PAUSE_MS[post.unfetched];
    if (afterMs === undefined) return failed(UNFETCHED);
    const note = 'Threads could not fetch the video.';
    return renew(session, { ...post, unfetched: post.unfetched + 1 }, note, afterMs);
  }
  if (post.failed + 1 >= MAX_FAILED) return failed(end.failure);
  return renew(session, { ...post, failed: post.failed + 1 }, wordsOf(end.failure.detail));
}

const UNFETCHED: Failure = {
  ...setup(
    'Threads cannot fetch the video from this service: the address in PUBLIC_URL must be reachable by https from everywhere.',
  ),
  platformCode: 'FAILED_DOWNLOADING_VIDEO',
};

function renew(session: Session, post: Post, why: string, afterMs = 0): StepResult {
  if (session.now() - post.firstCreatedAt > RENEW_FOR_MS + 3_600_000)
    return failed(transient(`${why} No container came to its end.`));
  return proceed({ ...post, containerId: '' }, `${why} Making another container.`, afterMs);
}

/** @throws PlatformError if no daily posts remain */
async function refuseWhenUsedUp(session: Session): Promise<void> {
  if (!(await isUsedUp(session, session.remoteId))) return;
  const detail = 'The posts that Threads allows in a day are used up.';
  throw new PlatformError(rateLimited('account', 'daily', QUOTA_WAIT_MS, detail));
}

/** Invalid tokens, rate limits and used-up posts, which Threads reports before it acts. */
const NOT_YET = [
  ...['190', '190/458', '190/459', '190/460', '190/463', '190/464', '190/467', '102'],
  ...['4', '17', '32', '613', '9/2207042'],
];
const REFUSED = ['3', '10', '200'];

/** The irreversible request (`threads_publish`). A second one might publish a second post. */
export const commit: CommitPlan = {
  async request({ session }, checkpoint) {
    const { containerId } = postOf(checkpoint);
    const form = { creation_id: containerId, access_token: textAt(session.secret, 'accessToken') };
    return graphPublish(`${session.endpoints.graph}/${VERSION}/${session.remoteId}/threads_publish`, form);
  },
  // "Media not found" and "blocked" were observed for posts that had been published. Unlisted codes are verified.
  responses: [
    { status: 200, code: '', proves: 'done' },
    ...graphRules(NOT_YET, 'retryable'),
    ...graphRules(REFUSED, 'refused'),
  ],
  codeOf: graphCode,
  failureOf,
  done(_work, checkpoint, response) {
    const mediaId = textAt(response.tryJson(), 'id');
    if (!/^\d+$/.test(mediaId))
      throw new PlatformError({ kind: 'unknownOutcome', detail: 'It did not name the post.' });
    return confirmLater({ ...postOf(checkpoint), mediaId, polls: 0 }, 'Threads has published the post.');
  },
};
