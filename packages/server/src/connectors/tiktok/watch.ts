/** Finds an account's public videos. TikTok lists no others, and does not give their files. */
import { SECOND } from '../../lib/time.ts';
import type { Session, WatchedPost, WatchFlow } from '../contract.ts';
import { at, listAt, numberAt, positiveInteger, secondsAt, textAt } from '../kit/json.ts';
import type { Page } from '../kit/pages.ts';
import { call } from './api.ts';

const FIELDS = 'id,create_time,title,video_description,duration,width,height,share_url';

/**
 * Reads a page of the account's public videos, newest first.
 * @returns the offset of TikTok's clock to ours in ms, too
 * @throws PlatformError
 */
export async function listVideos(session: Session, cursor: string): Promise<Page<unknown> & { aheadMs: number }> {
  const { data, aheadMs } = await call(session, 'POST', `/v2/video/list/?fields=${FIELDS}`, {
    max_count: 20,
    ...(cursor === '' ? {} : { cursor: Number(cursor) }),
  });
  const next = at(data, 'has_more') === true ? numberAt(data, 'cursor') : null;
  return { items: listAt(data, 'videos'), next: String(next ?? ''), aheadMs };
}

export const watch: WatchFlow = {
  async list(session, { cursor }) {
    const { items, next } = await listVideos(session, cursor);
    return { posts: items.map(postFrom).filter((post) => post !== null), next };
  },
};

/** The text has at most 150 characters. Returns null without an id. */
function postFrom(video: unknown): WatchedPost | null {
  const remoteId = textAt(video, 'id');
  if (!/^[1-9]\d*$/.test(remoteId)) return null;
  const url = textAt(video, 'share_url').split('?')[0] ?? '';
  return {
    remoteId,
    publishedAt: secondsAt(video, 'create_time'),
    text: textAt(video, 'video_description') || textAt(video, 'title'),
    url: /^https?:\/\/[^\s]+$/.test(url) ? url : null,
    durationMs: positiveInteger((numberAt(video, 'duration') ?? 0) * SECOND),
    width: positiveInteger(numberAt(video, 'width')),
    height: positiveInteger(numberAt(video, 'height')),
    isPublic: true,
    file: null,
  };
}
