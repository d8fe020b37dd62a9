import type { SimulatorOptions } from '../../kit/simulator.ts';
import { readMp4Facts } from './mp4.ts';
import { shareUrl } from './pages.ts';
import { type Account, type Task, uploadedBytes, type Video } from './records.ts';

/**
 * Shows a finished upload to the world. A crash may come between the record of the last chunk and this; whoever looks
 * at the task next does it then, and doing it twice changes nothing.
 */
export async function announce(options: SimulatorOptions, task: Task): Promise<void> {
  if (task.completedAt === null || task.announced) return;
  if (task.failReason === null) await publish(options, task, task.completedAt);
  await options.books.change<Task>('task', task.uploadId, (current) => current && { ...current, announced: true });
}

async function publish(options: SimulatorOptions, task: Task, completedAt: number): Promise<void> {
  const account = await options.books.get<Account>('account', task.openId);
  const username = account?.username ?? '';
  const blobs = task.chunks.map(({ blob }) => blob);
  const { bytes, sha256 } = await options.blobs.hash(blobs);
  if (bytes !== task.size || uploadedBytes(task) !== task.size)
    throw new Error(`Upload ${task.uploadId} counts as whole with ${bytes} of ${task.size} bytes.`);
  const facts = await readMp4Facts(options.blobs, task.chunks);
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
  const url = shareUrl(options, video);
  await options.books.publish(
    {
      id: task.postId,
      username,
      text: task.title,
      url,
      publishedAt: completedAt,
      bytes,
      sha256,
      blobs,
      mime: task.mime,
    },
    task.uploadId,
  );
}
