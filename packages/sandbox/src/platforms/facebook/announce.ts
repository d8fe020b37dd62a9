import type { SimulatorOptions } from '../../contract.ts';
import { publishVideo, update } from '../../store/records.ts';
import type { Page, Video } from './records.ts';

/**
 * Publishes a finished reel. Idempotent.
 *
 * The process may crash after the finish is recorded and before this runs. The next reader of the video then runs it.
 */
export async function announce(options: SimulatorOptions, video: Video): Promise<void> {
  if (video.finishedAt === null || video.state !== 'PUBLISHED' || video.announced) return;
  if (video.failure === null) await publishReel(options, video, video.id);
  await update<Video>(options.books, ['video', video.id], { announced: true });
}

/** @param act idempotency key of this publish */
export async function publishReel(options: SimulatorOptions, video: Video, act: string): Promise<void> {
  const page = await options.books.get<Page>('page', video.pageId);
  const entry = {
    id: video.id,
    username: page?.username ?? '',
    text: video.description,
    url: `${options.baseUrl}/reel/${video.id}/`,
    publishedAt: video.finishedAt ?? options.now(),
    blobs: video.parts.map(({ blob }) => blob),
    mime: 'video/mp4',
  };
  await publishVideo(options, entry, act, video.size);
}
