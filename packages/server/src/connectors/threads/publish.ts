/**
 * The steps up to the irreversible request: Threads fetches the video into a container and processes it.
 *
 * Containers are invisible and can be created again. A container that may have been published is not replaced until
 * that is verified.
 */
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, JsonObject, Session, StepResult, Work } from '../contract.ts';
import { rateLimited, setup, transient } from '../kit/failures.ts';
import { graphCode, graphRules, TOKEN_ERRORS } from '../kit/graph.ts';
import { resendDelay } from '../kit/graph-api.ts';
import { textAt } from '../kit/json.ts';
import { failed, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { apiOf, isUsedUp } from './api.ts';
import { containerEnd, failureOf, isUnfetched } from './classify.ts';
import { NEW, type Post, pollContainer, postOf, sinceOf } from './container.ts';
import { optionParameters } from './limits.ts';
import { say } from './messages.ts';
import { confirmLater, findPublished } from './verify.ts';

const CREATE_DEADLINE_MS = 2 * MINUTE;
/** "Wait on average 30 seconds before publishing" (posts guide). The sandbox polls sooner. */
const FIRST_POLL_MS = 30 * SECOND;
const SANDBOX_POLL_MS = SECOND / 2;
const SANDBOX_POLL_LATER_MS = 5 * SECOND;
/** "Once a minute" (troubleshooting); later less often. */
const POLL_MS = MINUTE;
const POLL_LATER_MS = 5 * MINUTE;
const FAST_POLLS = 30;
/** Containers that may fail for another reason than an unreachable URL; the last one fails the post. */
const MAX_FAILED = 2;
const UNFETCHED_DELAY_MS = [0, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];
/** Publish requests for one container. */
const MAX_SENDS = 2;
const QUOTA_WAIT_MS = HOUR;
/** A container that is processed for longer is abandoned. */
const PATIENCE_MS = HOUR;
/** How long new containers may be created. */
const REPLACE_FOR_MS = DAY + HOUR;

type Reason = Parameters<typeof transient>[0];

/** Queries the remaining daily posts before anything is created. */
export async function begin({ session }: Work): Promise<StepResult> {
  await checkQuota(session);
  await session.spend('posts');
  return proceed(NEW, say('account_checked'));
}

/**
 * Creates a container, polls it, then offers the publish request. A second request might create a second post, so none
 * is sent before the first is verified.
 */
export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const { session } = work;
  const post = postOf(checkpoint);
  if (!post.containerId) return create(work, post);
  const container = await pollContainer(session, post.containerId);
  switch (container.state) {
    case 'lost':
    case 'gone': {
      const reason = say('container_unknown');
      return post.sends > 0 ? verifyFirst(post, say('verify_first', { reason })) : replace(session, post, reason);
    }
    case 'working': {
      if (post.sends === 0 && session.now() - post.createdAt > PATIENCE_MS)
        return replace(session, post, say('processing_timed_out'));
      const polls = post.polls + 1;
      return proceed({ ...post, polls }, say('processing'), pollDelay(session, polls));
    }
    case 'finished':
      return offer(work, post);
    case 'published':
      return verifyFirst(post, say('publish_requested_before'));
    case 'expired':
      return replace(session, post, say('container_expired'));
    case 'failed':
      return afterFailed(session, post, container.message);
  }
}

async function create({ session, post: { text, options }, media }: Work, post: Post): Promise<StepResult> {
  const form = {
    media_type: 'VIDEO',
    video_url: media.link(),
    ...(text ? { text } : {}),
    ...optionParameters(options),
  };
  let body: JsonObject;
  try {
    body = await apiOf(session).post(`${session.remoteId}/threads`, form, CREATE_DEADLINE_MS);
  } catch (error) {
    if (error instanceof PlatformError && isUnfetched(error.failure)) return afterUnfetched(session, post);
    throw error;
  }
  const containerId = textAt(body, 'id');
  if (!/^\d+$/.test(containerId)) throw new PlatformError(transient(say('response_incomplete')));
  const createdAt = session.now();
  const firstCreatedAt = post.firstCreatedAt || createdAt;
  const sendsBefore = post.sendsBefore + post.sends;
  const next: Post = { ...post, containerId, createdAt, firstCreatedAt, sends: 0, sendsBefore, offeredAt: 0, polls: 0 };
  return proceed(next, say('fetching'), pollDelay(session, 0));
}

function pollDelay({ sandbox }: Session, polls: number): number {
  if (sandbox) return polls < FAST_POLLS ? SANDBOX_POLL_MS : SANDBOX_POLL_LATER_MS;
  if (polls === 0) return FIRST_POLL_MS;
  return polls < FAST_POLLS ? POLL_MS : POLL_LATER_MS;
}

/**
 * Repeated publish requests without effect are delayed more and more, and are sent only while daily posts remain. A
 * finished container can be lost ("Media Not Found"), so the next requests get a new one.
 */
async function offer({ session, post: { text } }: Work, post: Post): Promise<StepResult> {
  const now = session.now();
  const { sends, sendsBefore, offeredAt: sentAt } = post;
  const all = sends + sendsBefore;
  if (all > 0) await checkQuota(session);
  if (sends >= MAX_SENDS) return replace(session, post, say('container_unknown'));
  const delayMs = resendDelay({ sends: all, sentAt: sentAt || post.createdAt }, now);
  if (delayMs > 0) return proceed(post, say('publish_again_later', { sends: all }), delayMs);
  // The request for an earlier container may have taken effect late.
  if (sends === 0 && sendsBefore > 0 && (await findPublished(session, text, sinceOf(post))).then === 'posted')
    return verifyFirst(post, say('publish_requested_before'));
  return readyToCommit({ ...post, sends: sends + 1, offeredAt: now, polls: 0 }, say('publishing'));
}

function afterFailed(session: Session, post: Post, message: string): StepResult {
  const end = containerEnd(message);
  if (end.is === 'unfetched') return afterUnfetched(session, post);
  if (end.is === 'final' || post.failed + 1 >= MAX_FAILED) return failed(end.failure);
  return replace(session, { ...post, failed: post.failed + 1 }, end.failure.detail);
}

function afterUnfetched(session: Session, post: Post): StepResult {
  const afterMs = UNFETCHED_DELAY_MS[post.unfetched];
  if (afterMs === undefined)
    return failed({ ...setup(say('video_not_reachable')), platformCode: 'FAILED_DOWNLOADING_VIDEO' });
  return replace(session, { ...post, unfetched: post.unfetched + 1 }, say('video_not_fetched'), afterMs);
}

function replace(session: Session, post: Post, reason: Reason, afterMs = 0): StepResult {
  if (post.firstCreatedAt > 0 && session.now() - post.firstCreatedAt > REPLACE_FOR_MS)
    return failed(transient(say('restarts_exhausted', { reason })));
  return proceed({ ...post, containerId: '' }, say('container_replaced', { reason }), afterMs);
}

/** @throws PlatformError if no daily posts remain */
async function checkQuota(session: Session): Promise<void> {
  if (await isUsedUp(apiOf(session), session.remoteId))
    throw new PlatformError(rateLimited('account', 'daily', QUOTA_WAIT_MS, say('daily_limit')));
}

/** Invalid tokens, rate limits and used-up posts, which Threads reports before it acts. */
const NOT_YET = [...TOKEN_ERRORS, '4', '17', '32', '613', '9/2207042'];
const REJECTED = ['3', '200'];

/** The irreversible request (`threads_publish`). A second one might publish a second post. */
export const commit: CommitPlan = {
  async request({ session }, checkpoint) {
    const { containerId } = postOf(checkpoint);
    return apiOf(session).publish(`${session.remoteId}/threads_publish`, { creation_id: containerId });
  },
  // "Media not found", "blocked" and a missing permission (10) were observed for posts that had been published.
  // Unlisted codes are verified. A permission that is really missing shows before the next send.
  responses: [
    { status: 200, code: '', proves: 'done' },
    ...graphRules(NOT_YET, 'retryable'),
    ...graphRules(REJECTED, 'refused'),
  ],
  codeOf: graphCode,
  failureOf,
  done(_work, checkpoint, response) {
    const mediaId = textAt(response.tryJson(), 'id');
    if (!/^\d+$/.test(mediaId)) throw new PlatformError({ kind: 'unknownOutcome', detail: say('response_incomplete') });
    return confirmLater({ ...postOf(checkpoint), mediaId, polls: 0 }, say('published_processing'));
  },
};
