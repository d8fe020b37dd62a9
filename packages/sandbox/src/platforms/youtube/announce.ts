import type { SimulatorOptions } from '../../contract.ts';
import { publishVideo, update } from '../../store/records.ts';
import type { Account, Session, Video } from './records.ts';

/**
 * Publishes a completed upload on its channel. Idempotent.
 *
 * The process may crash after the last part is recorded and before this runs. The next request to the session then runs
 * it.
 */
export async function announce(options: SimulatorOptions, session: Session): Promise<void> {
  if (session.completedAt === null || session.announced) return;
  const account = await options.books.get<Account>('account', session.channelId);
  const { completedAt, failureReason, metadata } = session;
  const video: Video = {
    id: session.videoId,
    channelId: session.channelId,
    channelTitle: account?.title ?? '',
    metadata,
    fileName: session.slug,
    fileSize: session.size,
    createdAt: completedAt,
    processedAt: completedAt + session.processingMs,
    failureReason,
    rejectionReason: null,
    deleted: false,
    thumbnail: null,
  };
  await options.books.insert('video', video.id, video, video.channelId);
  const entry = {
    id: video.id,
    username: account?.username ?? '',
    text: metadata.description,
    url: `${options.baseUrl}/watch?v=${video.id}`,
    publishedAt: completedAt,
    blobs: session.chunks.map(({ blob }) => blob),
    mime: session.type,
  };
  if (failureReason === null) await publishVideo(options, entry, session.uploadId, session.size);
  await update<Session>(options.books, ['session', session.uploadId], { announced: true });
}
