/**
 * The steps up to the irreversible request: create a container, let Instagram fetch the video or upload it, poll until
 * it is processed.
 *
 * Containers are invisible and expire after a day, so a lost one is harmless.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, ConfirmResult, JsonObject, StepResult, Work } from '../contract.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { rejected, transient } from '../kit/failures.ts';
import { graphPublish, graphRules } from '../kit/graph.ts';
import { numberAt, textAt } from '../kit/json.ts';
import { failed, proceed, readyToCommit, verifyFirst } from '../kit/results.ts';
import { callerOf, credentialsOf, get, graphUrl, post } from './api.ts';
import { codeOf, containerFailure, DAY_IS_FULL, failureOf, isUnfetched } from './classify.ts';
import { type ContainerStatus, NEW, type Progress, pollContainer, progressOf } from './container.ts';
import { optionParameters, textProblem } from './limits.ts';
import { sendVideo } from './upload.ts';

const CREATE_DEADLINE_MS = 90_000;
/** The documentation asks for one poll per minute; most videos are ready before the first one. */
const POLL_MS: Delays = [2_000, 5_000, 15_000, 30_000, 60_000];
/** A container that is processed for longer is abandoned, ms. */
const PATIENCE_MS = 30 * 60_000;
const RESTART_MS: Delays = [60_000, 300_000, 900_000, 1_800_000];
/**
 * Number of containers after which a failed fetch counts as a configuration error, or an unknown failure as the
 * video's.
 */
const FETCH_TRIES = 4;
const UNKNOWN_TRIES = 2;
/** This many publish requests are sent without delay; each later one waits longer, by this much (ms). */
const SWIFT_SENDS = 3;
const SEND_PAUSE_MS = 1_800_000;

/** Spends one daily post, no matter how often creating the container is retried. */
export async function begin(work: Work): Promise<StepResult> {
  const problem = problemOf(work);
  if (problem) return failed(problem);
  if (await isDayFull(work)) return failed(DAY_IS_FULL);
  await work.session.spend('posts');
  return proceed(NEW, 'One of the posts of the day is taken.');
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
  const caller = callerOf(session);
  const uploads = caller.login === 'facebook';
  const { body } = await post(
    caller,
    `${session.remoteId}/media`,
    {
      media_type: 'REELS',
      ...(uploads ? { upload_type: 'resumable' } : { video_url: media.link() }),
      caption: content.text,
      thumb_offset: String(Math.max(0, Math.min(Math.round(content.previewTimeMs), media.durationMs - 1))),
      ...optionParameters(content.options),
    },
    CREATE_DEADLINE_MS,
  );
  const container = textAt(body, 'id');
  const uploadUrl = uploads ? textAt(body, 'uri') : '';
  if (!/^\d+$/.test(container) || (uploads && !uploadUrl.startsWith(`${session.endpoints.facebookUpload}/`)))
    throw new PlatformError(transient('Instagram gave no container that can be used.'));
  const next: Progress = { ...progress, container, uploadUrl, createdAt: session.now(), uploaded: false, polls: 0 };
  return proceed(
    next,
    uploads ? 'Instagram waits for the video.' : 'Instagram is fetching the video.',
    uploads ? 0 : 1_000,
  );
}

/** Finds problems that Instagram would reject, before anything is created. */
function problemOf({ post: { text } }: Work): Failure | null {
  const detail = textProblem(text);
  return detail ? rejected('caption', detail) : null;
}

/**
 * Queries whether the daily posts are used up. If the count cannot be read, the publish request will show it. @throws
 * PlatformError
 */
async function isDayFull({ session }: Work): Promise<boolean> {
  try {
    await session.spend('calls');
    const path = `${session.remoteId}/content_publishing_limit`;
    const { body } = await get(callerOf(session), path, { fields: 'config,quota_usage' });
    const used = numberAt(body, 'data', 0, 'quota_usage');
    const total = numberAt(body, 'data', 0, 'config', 'quota_total');
    return used !== null && total !== null && total > 0 && used >= total;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const { kind, platformCode = '' } = error.failure;
    if (kind === 'tokenExpired' || kind === 'rateLimited' || platformCode.startsWith('190')) throw error;
    return false;
  }
}

async function upload(work: Work, progress: Progress, offset: number): Promise<StepResult> {
  const failure = await sendVideo(work, progress.uploadUrl, offset);
  if (failure) return restart(progress, failure);
  return proceed(
    { ...progress, uploaded: true, createdAt: work.session.now() },
    `Sent ${work.media.bytes - offset} bytes; Instagram is working on the video.`,
    1_000,
  );
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
      return verifyFirst(progress, 'Instagram has published this already; making sure.');
    case 'gone':
      // After a publish request, a missing container may mean that it was published.
      if (progress.offeredAt > 0)
        return verifyFirst(progress, 'Instagram no longer shows what was prepared; looking for it.');
      return restart(progress, transient('Instagram no longer knows what was prepared.'));
    case 'expired':
      return restart(progress, transient('What was prepared has expired.'));
    case 'failed':
      return afterFailed(progress, containerFailure(status), status);
    case 'working':
      if (now - progress.createdAt > PATIENCE_MS && progress.offeredAt === 0)
        return restart(progress, transient('Instagram did not finish with the video.'));
      return proceed(
        { ...progress, polls: progress.polls + 1 },
        'Instagram is still working on the video.',
        delayAfter(POLL_MS, progress.polls),
      );
  }
}

/** Repeated publish requests without effect are delayed more and more. */
function offer(progress: Progress, now: number): StepResult {
  const { sends, sentAt } = progress;
  const turn = sentAt + Math.max(0, sends + 1 - SWIFT_SENDS) * SEND_PAUSE_MS;
  if (sends >= SWIFT_SENDS && now < turn) {
    const note = `Instagram did not publish it although it was asked ${sends} times; asking once more later.`;
    return proceed(progress, note, turn - now);
  }
  const offered: Progress = { ...progress, offeredAt: progress.offeredAt || now, sends: sends + 1, sentAt: now };
  return readyToCommit(offered, 'The video is ready; publishing it.');
}

function afterFailed(progress: Progress, known: Failure | null, status: string): StepResult {
  const tries = progress.restarts + 1;
  if (known && known.kind !== 'transient') return failed(known);
  if (known && isUnfetched(known) && tries >= FETCH_TRIES)
    return failed({ ...known, kind: 'setup', detail: `${known.detail} PUBLIC_URL must be reachable from outside.` });
  if (!known && tries >= UNKNOWN_TRIES)
    return failed(rejected('video', `Instagram could not work on the video. It said: ${status}`));
  return restart(progress, known ?? transient('Instagram could not work on the video.'));
}

/** Starts over with a new container, after an increasing delay. */
function restart(progress: Progress, { detail }: Failure): StepResult {
  const next: Progress = { ...NEW, restarts: progress.restarts + 1 };
  const afterMs = delayAfter(RESTART_MS, progress.restarts);
  return proceed(next, `${detail} Beginning anew.`, afterMs);
}

/** The irreversible request (`media_publish`). */
export const commit: CommitPlan = {
  async request({ session }, checkpoint) {
    const { container } = progressOf(checkpoint);
    const caller = callerOf(session);
    return graphPublish(graphUrl(caller, `${session.remoteId}/media_publish`), {
      creation_id: container,
      ...credentialsOf(caller),
    });
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

/** @throws TypeError if the response does not name a reel */
function done({ session }: Work, checkpoint: JsonObject, response: HttpResponse): ConfirmResult {
  const progress = progressOf(checkpoint);
  const mediaId = textAt(response.json(), 'id');
  if (!/^\d+$/.test(mediaId)) throw new TypeError('The answer names no reel.');
  return {
    then: 'confirming',
    checkpoint: { ...progress, mediaId, looks: 0 },
    afterMs: session.sandbox ? 0 : 1_000,
    note: 'Instagram has published the reel.',
  };
}
