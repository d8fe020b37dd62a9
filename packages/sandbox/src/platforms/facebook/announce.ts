import type { SimulatorOptions } from '../../contract.ts';
import { type Page, receivedBytes, type Video } from './records.ts';

/**
 * Publishes a finished reel. Idempotent.
 *
 * The process may crash after the finish is recorded and before this runs. The next reader of the video then runs it.
 */
export async function announce(options: SimulatorOptions, video: Video): Promise<void> {
  if (video.finishedAt === null || video.state !== 'PUBLISHED' || video.announced) return;
  if (video.failure === null) await publishReel(options, video, video.id);
  await options.books.change<Video>('video', video.id, (current) => current && { ...current, announced: true });
}

/** @param act idempotency key of this publish */
export async function publishReel(options: SimulatorOptions, video: Video, act: string): Promise<void> {
  const page = await options.books.get<Page>('page', video.pageId);
  const blobs = video.parts.map(({ blob }) => blob);
  const { bytes, sha256 } = await options.blobs.hash(blobs);
  if (bytes !== video.size || receivedBytes(video) !== video.size)
    throw new Error(`Video ${video.id} counts as whole with ${bytes} of ${video.size} bytes.`);
  await options.books.publish(
    {
      id: video.id,
      username: page?.username ?? '',
      text: video.description,
      url: `${options.baseUrl}/reel/${video.id}/`,
      publishedAt: video.finishedAt ?? options.now(),
      bytes,
      sha256,
      blobs,
      mime: 'video/mp4',
    },
    act,
  );
}
