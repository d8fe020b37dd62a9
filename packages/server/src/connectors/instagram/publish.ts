/**
 * The steps up to the irreversible request: create a container, let Instagram fetch the video or upload it, poll until
 * it is processed.
 *
 * Containers are invisible and expire after a day, so a lost one is harmless.
 */
import { MINUTE, SECOND } from '../../lib/time.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, ConfirmResult, JsonObject, StepResult, Work } from '../contract.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { isFailure, rejected, transient, withWords } from '../kit/failures.ts';
import { graphCode, graphRules, uploadRefusal } from '../kit/graph.ts';
import { hasSucceeded, isQuotaUsed, resendDelay, uploadRest } from '../kit/graph-api.ts';
import { textAt } from '../kit/json.ts';
import { failed, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { apiOf, type ContainerStatus, loginOf, NEW, type Progress, pollContainer, progressOf, tokenOf } from './api.ts';
import { codeOf, containerFailure, DAY_IS_FULL, failureOf, isUnfetched } from './classify.ts';
import { optionParameters } from './limits.ts';
import { say } from './messages.ts';

const CREATE_DEADLINE_MS = 90 * SECOND;
/** The documentation asks for one poll per minute; most videos are ready before the first one. */
const POLL_MS: Delays = [2 * SECOND, 5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE];
/** A container that is processed for longer is abandoned. */
const PATIENCE_MS = 30 * MINUTE;
const RESTART_MS: Delays = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];
/**
 * Number of failed containers after which a failed fetch counts as a configuration error, and any other failure as the
 * video's: Instagram also calls failures temporary that come back for each container.
 */
const FETCH_TRIES = 4;
const TEMPORARY_TRIES = 3;
const UNKNOWN_TRIES = 2;

/** Spends one daily post, no matter how often creating the container is retried. */
export async function begin(work: Work): Promise<StepResult> {
  if (await isDayFull(work)) return failed(DAY_IS_FULL);
  await work.session.spend('posts');
  return proceed(NEW, say('account_checked'));
}

export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const progress = progressOf(checkpoint);
  if (!progress.container) return create(work, progress);
  const uploads = progress.uploadUrl !== '' && !progress.uploaded;
  const status = await pollContainer(work.session, progress.container, uploads);
  if (uploads && status.state === 'working' && !status.uploaded && status.transferred < work.media.bytes)
    return upload(work, progress, status.transferred);
  return follow(work, { ...progress, uploaded: true }, status);
}

async function create(work: Work, progress: Progress): Promise<StepResult> {
  const { session, post: content, media } = work;
  if (progress.restarts > 0 && (await isDayFull(work))) return failed(DAY_IS_FULL);
  await session.spend('application');
  await session.spend('containers');
  const uploads = loginOf(session.secret) === 'facebook';
  const form = {
    media_type: 'REELS',
    ...(uploads ? { upload_type: 'resumable' } : { video_url: media.link() }),
    caption: content.text,
    thumb_offset: String(Math.max(0, Math.min(Math.round(content.previewTimeMs), media.durationMs - 1))),
    ...optionParameters(content.options),
  };
  const body = await apiOf(session).post(`${session.remoteId}/media`, form, CREATE_DEADLINE_MS);
  const container = textAt(body, 'id');
  const uploadUrl = uploads ? textAt(body, 'uri') : '';
  if (!/^\d+$/.test(container) || (uploads && !uploadUrl.startsWith(`${session.endpoints.facebookUpload}/`)))
    throw new PlatformError(transient(say('response_incomplete')));
  const next: Progress = { ...progress, container, uploadUrl, createdAt: session.now(), uploaded: false, polls: 0 };
  return uploads ? proceed(next, say('upload_opened'), 0) : proceed(next, say('fetching'), SECOND);
}

/**
 * Queries whether the daily posts are used up. If the count cannot be read, the publish request will show it. @throws
 * PlatformError
 */
async function isDayFull({ session }: Work): Promise<boolean> {
  try {
    await session.spend('calls');
    return await isQuotaUsed(apiOf(session), `${session.remoteId}/content_publishing_limit`);
  } catch (error) {
    if (!(error instanceof PlatformError) || isFailure(error, 'tokenExpired', 'rateLimited')) throw error;
    if (error.failure.platformCode?.startsWith('190')) throw error;
    return false;
  }
}

/** Sends all missing bytes in one request ("Resumable Upload"). @throws PlatformError if the upload can continue */
async function upload({ session, media }: Work, progress: Progress, offset: number): Promise<StepResult> {
  const upload = { url: progress.uploadUrl, token: tokenOf(session), media, offset };
  const response = await uploadRest(session.http, upload);
  if (hasSucceeded(response)) {
    const note = say('bytes_sent', { sentBytes: media.bytes - offset, totalBytes: media.bytes });
    return proceed({ ...progress, uploaded: true, createdAt: session.now() }, note, SECOND);
  }
  const refusal = uploadRefusal(response);
  const { status } = response;
  if (!refusal) {
    const unread: Failure = { ...transient(say('status_unexpected', { status })), status };
    throw new PlatformError(graphCode(response) ? failureOf(response) : unread);
  }
  const { type, words, retriable } = refusal;
  const failure: Failure = {
    ...withWords(transient(say('upload_rejected', { code: type || status })), words),
    status,
    ...(type ? { platformCode: type } : {}),
  };
  if (retriable || type === 'OffsetInvalidError' || type === 'PartialRequestError') throw new PlatformError(failure);
  return restart(progress, failure);
}

/**
 * Continues by the container's status. The effect of a second publish request for a published container is not
 * documented, so none is sent before the first is verified.
 */
function follow({ session }: Work, progress: Progress, { state, status }: ContainerStatus): StepResult {
  const now = session.now();
  switch (state) {
    case 'finished':
      return offer(progress, now);
    case 'published':
      return verifyFirst(progress, say('publish_requested_before'));
    case 'gone':
      // After a publish request, a missing container may mean that it was published.
      return progress.offeredAt > 0
        ? verifyFirst(progress, say('verify_first', { reason: say('container_unknown') }))
        : restart(progress, transient(say('container_unknown')));
    case 'expired':
      return restart(progress, transient(say('container_expired')));
    case 'failed':
      return afterFailed(progress, containerFailure(status), status);
    case 'working': {
      if (now - progress.createdAt > PATIENCE_MS && progress.offeredAt === 0)
        return restart(progress, transient(say('processing_timed_out')));
      const { polls } = progress;
      return proceed({ ...progress, polls: polls + 1 }, say('processing'), delayAfter(POLL_MS, polls));
    }
  }
}

/** Repeated publish requests without effect are delayed more and more. */
function offer(progress: Progress, now: number): StepResult {
  const { sends, offeredAt } = progress;
  const delayMs = resendDelay(progress, now);
  if (delayMs > 0) return proceed(progress, say('publish_again_later', { sends }), delayMs);
  return readyToCommit({ ...progress, offeredAt: offeredAt || now, sends: sends + 1, sentAt: now }, say('publishing'));
}

function afterFailed(progress: Progress, known: Failure | null, status: string): StepResult {
  const failures = progress.failures + 1;
  if (known && known.kind !== 'transient') return failed(known);
  if (known && isUnfetched(known)) {
    if (failures >= FETCH_TRIES) return failed({ ...known, kind: 'setup', detail: say('video_not_reachable') });
  } else if (failures >= (known ? TEMPORARY_TRIES : UNKNOWN_TRIES)) {
    const failure = withWords(rejected('video', say('video_not_processed')), status);
    return failed({ ...failure, ...(known?.platformCode ? { platformCode: known.platformCode } : {}) });
  }
  return restart({ ...progress, failures }, known ?? transient(say('video_not_processed')));
}

/** Starts over with a new container, after an increasing delay. */
function restart({ restarts, failures }: Progress, { detail: reason }: Failure): StepResult {
  const next: Progress = { ...NEW, restarts: restarts + 1, failures };
  return proceed(next, say('container_replaced', { reason }), delayAfter(RESTART_MS, restarts));
}

/** The irreversible request (`media_publish`). */
export const commit: CommitPlan = {
  async request({ session }, checkpoint) {
    const { container } = progressOf(checkpoint);
    return apiOf(session).publish(`${session.remoteId}/media_publish`, { creation_id: container });
  },
  // Invalid tokens, missing permissions, limits and the rejections documented for this call are detected before
  // anything is done.
  // Any other response is inconclusive (24, -1, 1, 2, any 5xx, HTML); the container decides. That includes "blocked as
  // spam" (4/2207051), which was observed for reels that had been published.
  responses: [
    { status: 200, proves: 'done' },
    ...graphRules(
      ['102', '190', '4', '17', '32', '341', '368', '613', '80002', '9/2207042', '9007/2207027'],
      'retryable',
    ),
    ...graphRules(['10', '200', '25/2207050', '36004/2207010', '352/2207026'], 'refused'),
  ],
  codeOf,
  failureOf: (response) => failureOf(response),
  done,
};

/** @throws PlatformError if the response does not name a reel */
function done({ session }: Work, checkpoint: JsonObject, response: HttpResponse): ConfirmResult {
  const mediaId = textAt(response.tryJson(), 'id');
  if (!/^\d+$/.test(mediaId)) throw new PlatformError({ kind: 'unknownOutcome', detail: say('response_incomplete') });
  return {
    then: 'confirming',
    checkpoint: { ...progressOf(checkpoint), mediaId, looks: 0 },
    afterMs: session.sandbox ? 0 : SECOND,
    note: say('published_processing'),
  };
}
