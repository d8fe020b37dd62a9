/** Lists a channel's uploads and identifies ours by file name. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Session, Work } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { list } from './api.ts';
import { failureIn } from './state.ts';
import { fileNameOf } from './upload.ts';

const PAGE = 50;
const MAX_PAGES = 4;
/** Age limit of earlier uploads, ms: longer than any target is processed, including its platform's daily waits. */
const FORMER_MS = 8 * 86_400_000;

/**
 * Returns the id of another video with our file name that YouTube has not rejected, or "".
 * @throws PlatformError
 */
export async function formerUpload(work: Work, videoId: string): Promise<string> {
  const ids = await newUploads(work.session, work.session.now() - FORMER_MS);
  const videos = await videosOf(work.session, ids ?? []);
  const former = videos.find(
    (video) => textAt(video, 'id') !== videoId && isNamed(video, work) && failureIn(video) === null,
  );
  return textAt(former, 'id');
}

/** Whether a video has the file name that we gave it. */
export function isNamed(video: unknown, work: Pick<Work, 'post' | 'media'>): boolean {
  return textAt(video, 'fileDetails', 'fileName') === fileNameOf(work);
}

/**
 * Returns the ids of uploads since a time of our clock, or null if there are more than `MAX_PAGES` pages.
 * @throws PlatformError
 */
export async function newUploads(session: Session, since: number): Promise<string[] | null> {
  const playlistId = textAt(session.extra, 'uploads') || session.remoteId.replace(/^UC/, 'UU');
  const found: string[] = [];
  let pageToken = '';
  for (let page = 0; page < MAX_PAGES; page++) {
    const { body, items, aheadMs } = await list(session, 'playlistItems', {
      part: 'snippet,contentDetails',
      playlistId,
      maxResults: String(PAGE),
      ...(pageToken ? { pageToken } : {}),
    }).catch((error: unknown) => {
      // A channel that never had an upload has no uploads playlist.
      if (error instanceof PlatformError && error.failure.platformCode === 'playlistNotFound')
        return { body: {}, items: [], aheadMs: 0 };
      throw error;
    });
    const fresh = items.filter((item) => !(timeOf(item) < since + aheadMs));
    found.push(...fresh.map(idOf).filter(Boolean));
    pageToken = textAt(body, 'nextPageToken');
    if (fresh.length < items.length || !pageToken) return found;
  }
  return null;
}

/** Fetches videos by id, with the file details that only their owner sees. @throws PlatformError */
export async function videosOf(session: Session, ids: readonly string[]): Promise<unknown[]> {
  const videos: unknown[] = [];
  for (let first = 0; first < ids.length; first += PAGE) {
    const id = ids.slice(first, first + PAGE).join(',');
    videos.push(...(await list(session, 'videos', { part: 'snippet,status,fileDetails', id })).items);
  }
  return videos;
}

function idOf(item: unknown): string {
  return textAt(item, 'contentDetails', 'videoId') || textAt(item, 'snippet', 'resourceId', 'videoId');
}

/** When it was added to the list, ms since the epoch. NaN if not stated; such an item may be new. */
function timeOf(item: unknown): number {
  return Date.parse(textAt(item, 'snippet', 'publishedAt') || textAt(item, 'contentDetails', 'videoPublishedAt'));
}
