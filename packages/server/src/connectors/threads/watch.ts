/** Watches the profile's posts (`GET /me/threads`), which lists no replies. */
import type { Session, WatchedPost, WatchFlow } from '../contract.ts';
import { nullIf } from '../kit/failures.ts';
import { PAGE_SIZE, watchedFile, watchPage } from '../kit/graph-watch.ts';
import { textAt } from '../kit/json.ts';
import { apiOf } from './api.ts';
import { missingNode } from './classify.ts';
import { say } from './messages.ts';
import { publishedIn } from './verify.ts';

const FIELDS = 'id,media_type,permalink,shortcode,text,timestamp';

export const watch = {
  async list(session, position) {
    const query = { fields: FIELDS, limit: String(PAGE_SIZE) };
    const page = await apiOf(session).list('me/threads', query, position.cursor);
    // The documented response has no `next`. A full page may have a successor.
    const next = page.next || (page.items.length >= PAGE_SIZE ? page.after : '');
    return watchPage({ ...page, next }, position, 'timestamp', (entry) => postIn(session, entry));
  },
  async file(session, { remoteId }) {
    const post = await apiOf(session)
      .get(encodeURIComponent(remoteId), { fields: 'id,media_url,timestamp' })
      .catch(nullIf((failure) => missingNode(failure) !== null));
    if (!post) return { found: 'gone' };
    return watchedFile(post, ['media_url', 'timestamp'], session.now(), say('file_withheld'));
  },
} satisfies WatchFlow;

/**
 * Returns the post in an entry of the list; null for texts, photos, sounds, and reposts (`REPOST_FACADE`). A carousel may
 * have only photos: the list does not say.
 */
function postIn(session: Session, entry: unknown): WatchedPost | null {
  const type = textAt(entry, 'media_type');
  const isCarousel = type === 'CAROUSEL_ALBUM';
  if (!isCarousel && type !== 'VIDEO') return null;
  const remoteId = textAt(entry, 'id');
  const { url, publishedAt } = publishedIn(session, entry, remoteId);
  return {
    remoteId,
    publishedAt,
    text: textAt(entry, 'text'),
    url,
    durationMs: null,
    width: null,
    height: null,
    // Responses do not say whether the profile is private.
    isPublic: true,
    ...(isCarousel ? { file: null, problem: say('post_is_album') } : { file: {} }),
  };
}
