/**
 * Finds a channel's uploads. YouTube does not give their files. A page costs two of the application's quota units, or
 * one if it has no new uploads.
 */

import { SECOND } from '../../lib/time.ts';
import type { Session, WatchedPost, WatchFlow } from '../contract.ts';
import { nullIf } from '../kit/failures.ts';
import { at, positiveInteger, textAt, timeAt } from '../kit/json.ts';
import { list } from './api.ts';
import { callback } from './callback.ts';
import { titleOf } from './limits.ts';

/** A page of the uploads playlist. */
interface Uploads {
  items: readonly unknown[];
  next: string;
  /** Offset of YouTube's clock to ours in ms (positive: ahead). */
  aheadMs: number;
}

/** Reads a page of the channel's uploads, newest first as far as observed. @throws PlatformError */
export async function listUploads(session: Session, pageToken: string): Promise<Uploads> {
  const playlistId = textAt(session.extra, 'uploads') || session.remoteId.replace(/^UC/, 'UU');
  const query = { part: 'snippet,contentDetails,status', playlistId, maxResults: '50' };
  const page = await list(session, 'playlistItems', { ...query, ...(pageToken ? { pageToken } : {}) }).catch(
    // A channel that never had an upload has no uploads playlist.
    nullIf(({ platformCode }) => platformCode === 'playlistNotFound'),
  );
  if (!page) return { items: [], next: '', aheadMs: 0 };
  return { items: page.items, next: textAt(page.body, 'nextPageToken'), aheadMs: page.aheadMs };
}

/** Returns "" for anything that is not an id. */
export function videoIdOf(item: unknown): string {
  return /^[\w-]{1,64}$/.exec(textAt(item, 'contentDetails', 'videoId'))?.[0] ?? '';
}

export const watch: WatchFlow = {
  callback,
  async list(session, { cursor, since }) {
    await session.spend('watching');
    const { items, next } = await listUploads(session, cursor);
    const listed = items.filter((item) => videoIdOf(item) !== '');
    const recent = listed.filter((item) => (publishedAt(item) ?? since) >= since);
    const videos = await detailsOf(session, recent.map(videoIdOf));
    const posts = listed.flatMap((item) => {
      if (!recent.includes(item)) return [postFrom(session, item, undefined)];
      const video = videos.get(videoIdOf(item));
      // It was deleted meanwhile, or rejected, or it is a live stream that has not ended.
      return video === undefined || !isVideo(video) ? [] : [postFrom(session, item, video)];
    });
    return { posts, next };
  },
};

/** Returns the `video` resources by id. @throws PlatformError */
async function detailsOf(session: Session, ids: readonly string[]): Promise<Map<string, unknown>> {
  if (ids.length === 0) return new Map();
  await session.spend('watching');
  const { items } = await list(session, 'videos', { part: 'snippet,status,contentDetails', id: ids.join() });
  return new Map(items.map((video) => [textAt(video, 'id'), video]));
}

function isVideo(video: unknown): boolean {
  const state = textAt(video, 'status', 'uploadStatus');
  const live = textAt(video, 'snippet', 'liveBroadcastContent');
  return !['deleted', 'failed', 'rejected'].includes(state) && !['live', 'upcoming'].includes(live);
}

/** @param video absent for an older upload; the playlist then tells what is known */
function postFrom({ endpoints }: Session, item: unknown, video: unknown): WatchedPost {
  const remoteId = videoIdOf(item);
  const privacy = textAt(video, 'status', 'privacyStatus') || textAt(item, 'status', 'privacyStatus');
  return {
    remoteId,
    publishedAt: publishedAt(item),
    text: textOf(at(video, 'snippet') ?? at(item, 'snippet')),
    url: `${endpoints.www}/watch?v=${remoteId}`,
    durationMs: durationMs(textAt(video, 'contentDetails', 'duration')),
    width: null,
    height: null,
    isPublic: privacy === 'public',
    file: null,
  };
}

/** The item's own time is that of the upload. A scheduled video is published later. */
function publishedAt(item: unknown): number | null {
  return timeAt(item, 'contentDetails', 'videoPublishedAt') ?? timeAt(item, 'snippet', 'publishedAt');
}

/** Returns the description, preceded by the title unless that is derived from it. */
function textOf(snippet: unknown): string {
  const [title, description] = [textAt(snippet, 'title'), textAt(snippet, 'description')];
  return titleOf(description) === titleOf(title) ? description : [title, description].filter(Boolean).join('\n\n');
}

/** Parses a duration like `PT1H2M3S`; null if it is unknown, as for a video that is being processed (`P0D`). */
function durationMs(text: string): number | null {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] =
    /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text) ?? [];
  const total = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  return positiveInteger(total * SECOND);
}
