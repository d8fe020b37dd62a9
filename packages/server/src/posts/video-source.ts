/** Source of a post's video: the form, a finished upload, or a URL. */
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { isUuid } from '../lib/ids.ts';
import { openUpload } from '../uploads/posting.ts';
import { extendExpiry } from '../uploads/upload-store.ts';
import type { PostDeps, PostFields } from './types.ts';

/** A file in the scratch folder, owned by the caller. */
export interface ScratchVideo {
  path: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** @throws ReelayError `video_missing`, `several_videos` */
export function assertOneVideo({ source }: Pick<PostFields, 'source'>, file: ScratchVideo | null): void {
  if (source && file) throw apiError('several_sources');
  if (!source && !file) throw new ReelayError('video_missing');
}

/**
 * Returns the video as a local file; opens the upload or fetches the URL if needed.
 * @param file received with the form
 * @throws ReelayError as {@link openUpload} and {@link PostDeps.fetchVideo}
 */
export async function receiveVideo(
  deps: Pick<PostDeps, 'db' | 'storage' | 'uploadFiles' | 'fetchVideo'>,
  { userId, source, file }: { userId: string; source: PostFields['source']; file: ScratchVideo | null },
  { onBytes, signal }: { onBytes(bytes: number): void; signal: AbortSignal },
): Promise<ScratchVideo> {
  const { scratch } = deps.storage;
  if (source && 'uploadId' in source)
    return openUpload(deps, { userId, uploadId: source.uploadId, scratchFolder: scratch });
  if (source) return deps.fetchVideo(source.videoUrl, { userId, onBytes, signal });
  if (file) return file;
  throw new ReelayError('video_missing');
}

/** Identifies the video when two requests are compared: the URL it is fetched from, or the hash of its bytes. Pure. */
export function identityOf(source: PostFields['source'], { sha256 }: Pick<ScratchVideo, 'sha256'>): string {
  return addressIn(source) ?? sha256;
}

function addressIn(source: PostFields['source']): string | undefined {
  return source && 'videoUrl' in source ? `address ${source.videoUrl}` : undefined;
}

/**
 * Same, without fetching the video. Also works for an upload that a post has used.
 * @throws ReelayError `unknown_upload`, `upload_incomplete`
 */
export async function findIdentity(
  { db }: Pick<PostDeps, 'db'>,
  { userId, source, file }: { userId: string; source: PostFields['source']; file: ScratchVideo | null },
): Promise<string> {
  const known = addressIn(source) ?? file?.sha256;
  if (known !== undefined) return known;
  const id = source && 'uploadId' in source ? source.uploadId : '';
  const found = isUuid(id) ? await extendExpiry(db, userId, id) : null;
  if (!found) throw new ReelayError('unknown_upload');
  if (found.sha256 === null) throw new ReelayError('upload_incomplete');
  return found.sha256;
}
