/** The upload URL: accepts chunks in order, each once, and publishes the post as soon as the last byte arrives. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { type Mp4Facts, readMp4Facts } from '../../media/mp4.ts';
import { appendChunk, totalBytes } from '../../store/chunks.ts';
import { lastDay, publishVideo, update } from '../../store/records.ts';
import { chunkLength } from './chunk-plan.ts';
import type { Account, Task, Video } from './records.ts';
import { shareUrl } from './videos.ts';

const TYPES = ['video/mp4', 'video/quicktime', 'video/webm'];

export async function receiveChunk(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const uploadId = request.query.get('upload_id') ?? '';
  const task = await options.store.get<Task>('task', uploadId);
  if (!task || request.query.get('upload_token') !== task.uploadToken) return { status: 404 };
  if (options.now() >= task.expiresAt) return { status: 403 };
  const type = request.headers['content-type'] ?? '';
  const range = readRange(request.headers['content-range']);
  const length = request.headers['content-length'];
  if (!TYPES.includes(type) || !range || Number(length) !== range.last - range.first + 1) return { status: 400 };
  if (range.total !== task.size) return { status: 400 };
  if (range.first !== totalBytes(task.chunks)) return outOfOrder(task);
  if (Number(length) !== chunkLength(task.size, task.chunkSize, task.chunkCount, range.first)) return { status: 400 };

  const last = range.last === task.size - 1;
  const piece = { offset: range.first, body: request.body };
  const { record: after = task, recorded } = await appendChunk<Task>(options, ['task', uploadId], piece, async () => ({
    mime: type,
    completedAt: last ? await timeOfPost(options, task.openId) : null,
  }));
  if (!recorded) return outOfOrder(after);
  if (last) await announce(options, after);
  return {
    status: last ? 201 : 206,
    headers: progress(after),
    trouble: last && after.trouble === 'lost-answer' ? after.trouble : undefined,
  };
}

function outOfOrder(task: Task): SimulatorResponse {
  return { status: 416, headers: progress(task) };
}

/** The documentation defines the upper bound as the number of uploaded bytes. */
function progress(task: Task): Record<string, string> {
  return { 'content-range': `bytes 0-${totalBytes(task.chunks)}/${task.size}` };
}

function readRange(header: string | undefined): { first: number; last: number; total: number } | null {
  const [, first, last, total] = (/^bytes (\d+)-(\d+)\/(\d+)$/.exec(header ?? '') ?? []).map(Number);
  if (first === undefined || last === undefined || total === undefined) return null;
  return first <= last && last < total ? { first, last, total } : null;
}

/** The time of a post, unique within the account, because lists are paged by it. */
async function timeOfPost(options: SimulatorOptions, openId: string): Promise<number> {
  const account = await options.store.change<Account>('account', openId, (current) => {
    if (!current) return undefined;
    const recent = lastDay(current.posts, options.now());
    return { ...current, posts: [...recent, Math.max(options.now(), (recent.at(-1) ?? 0) + 1)] };
  });
  return account?.posts.at(-1) ?? options.now();
}

/** "Video restrictions": minimum and maximum of each side, pixels. */
const MIN_SIDE = 360;
const MAX_SIDE = 4096;
/** Durations are compared in whole seconds, so less than a second over the limit passes, ms. */
const SLACK_MS = 999;

/**
 * Publishes a completed upload, or records why it cannot be published. Idempotent.
 *
 * The process may crash after the last chunk is recorded and before this runs. The next reader of the task then runs
 * it.
 * @returns the updated task
 */
export async function announce(options: SimulatorOptions, task: Task): Promise<Task> {
  if (task.completedAt === null || task.announced) return task;
  const failReason = task.failReason ?? (await publish(options, task, task.completedAt));
  return (await update<Task>(options.store, ['task', task.uploadId], { announced: true, failReason })) ?? task;
}

/** @returns the failure reason, or null if published */
async function publish(options: SimulatorOptions, task: Task, completedAt: number): Promise<string | null> {
  const account = await options.store.get<Account>('account', task.openId);
  const username = account?.username ?? '';
  const facts = await readMp4Facts(options.blobs, task.chunks);
  const refused = checkFailed(facts, account?.maxSeconds ?? Number.POSITIVE_INFINITY);
  if (refused) return refused;
  const video: Video = {
    postId: task.postId,
    openId: task.openId,
    username,
    title: task.title,
    privacy: task.privacy,
    byMachine: task.wishes?.byMachine ?? false,
    createdAt: completedAt,
    visibleAt: completedAt + task.processingMs,
    ...facts,
  };
  await options.store.insert('video', task.postId, video, task.openId);
  const entry = {
    id: task.postId,
    username,
    text: task.title,
    url: shareUrl(options, video),
    publishedAt: completedAt,
    blobs: task.chunks.map(({ blob }) => blob),
    mime: task.mime,
  };
  await publishVideo(options, entry, task.uploadId, task.size);
  return null;
}

/** Checks the file header against the rules. Codecs and frame rates are not checked, nor files without a header. */
function checkFailed({ durationMs, width, height }: Mp4Facts, maxSeconds: number): string | null {
  if (durationMs > maxSeconds * 1000 + SLACK_MS) return 'duration_check_failed';
  const isKnown = width > 0 && height > 0;
  const fits = Math.min(width, height) >= MIN_SIDE && Math.max(width, height) <= MAX_SIDE;
  return isKnown && !fits ? 'picture_size_check_failed' : null;
}
