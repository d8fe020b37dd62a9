import type { SimulatorOptions } from '../../contract.ts';
import { type Account, keptBytes, type Session, type Video } from './records.ts';

/**
 * Publishes a completed upload on its channel. Idempotent.
 *
 * The process may crash after the last part is recorded and before this runs. The next request to the session then runs
 * it.
 */
export async function announce(options: SimulatorOptions, session: Session): Promise<void> {
  if (session.completedAt === null || session.announced) return;
  const blobs = session.chunks.map(({ blob }) => blob);
  const { bytes, sha256 } = await options.blobs.hash(blobs);
  if (bytes !== session.size || keptBytes(session) !== session.size)
    throw new Error(`Session ${session.uploadId} counts as whole with ${bytes} of ${session.size} bytes.`);
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
    bytes,
    sha256,
    blobs,
    mime: session.type,
  };
  if (failureReason === null) await options.books.publish(entry, session.uploadId);
  await options.books.change<Session>('session', session.uploadId, (known) => known && { ...known, announced: true });
}
