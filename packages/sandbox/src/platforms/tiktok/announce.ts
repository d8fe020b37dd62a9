/** Publishes a completed upload. */
import type { SimulatorOptions } from '../../contract.ts';
import { publishVideo, update } from '../../store/records.ts';
import { type Mp4Facts, readMp4Facts } from './mp4.ts';
import type { Account, Task, Video } from './records.ts';
import { shareUrl } from './videos.ts';

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
  return (await update<Task>(options.books, ['task', task.uploadId], { announced: true, failReason })) ?? task;
}

/** @returns the failure reason, or null if published */
async function publish(options: SimulatorOptions, task: Task, completedAt: number): Promise<string | null> {
  const account = await options.books.get<Account>('account', task.openId);
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
  await options.books.insert('video', task.postId, video, task.openId);
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
