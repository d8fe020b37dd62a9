/** Watches the account's reels (`GET /{ig-user-id}/media`). It lists no stories, and only accounts that are public. */
import type { JsonObject, Session, WatchedPost, WatchFlow } from '../contract.ts';
import { nullIf } from '../kit/failures.ts';
import { GONE } from '../kit/graph-api.ts';
import { PAGE_SIZE, watchedFile, watchPage } from '../kit/graph-watch.ts';
import { listAt, textAt } from '../kit/json.ts';
import { readAsAccount, readNode } from './api.ts';
import { say } from './messages.ts';
import { publishedIn } from './verify.ts';

const FIELDS = 'id,caption,media_type,media_product_type,permalink,shortcode,timestamp,children{media_type}';
const FILE_FIELDS = 'id,media_url,timestamp';

export const watch = {
  async list(session, position) {
    const page = await readList(session, FIELDS, position.cursor);
    return watchPage(page, position, 'timestamp', (medium) => postIn(session, medium));
  },
  async file(session, { remoteId }) {
    await session.spend('calls');
    const medium =
      (await readNode(session, remoteId, { fields: FILE_FIELDS }).catch(
        nullIf(({ platformCode }) => platformCode === GONE),
      )) ?? (await findListed(session, remoteId));
    if (!medium) return { found: 'gone' };
    return watchedFile(medium, ['media_url', 'timestamp'], session.now(), say('file_withheld'));
  },
} satisfies WatchFlow;

async function readList(session: Session, fields: string, cursor = '') {
  await session.spend('calls');
  const query = { fields, limit: String(PAGE_SIZE) };
  return readAsAccount(session, (api) => api.list(`${session.remoteId}/media`, query, cursor));
}

/** Meta at times hides single objects even from valid tokens, but not their lists. @throws PlatformError */
async function findListed(session: Session, id: string): Promise<JsonObject | undefined> {
  const { items } = await readList(session, FILE_FIELDS);
  return items.find((medium) => textAt(medium, 'id') === id) as JsonObject | undefined;
}

/** Returns the post in an entry of the list; null if it has no video, or is a story or an ad. */
function postIn(session: Session, medium: unknown): WatchedPost | null {
  const type = textAt(medium, 'media_type');
  const isAlbum = type === 'CAROUSEL_ALBUM';
  const videos = listAt(medium, 'children', 'data').filter((child) => textAt(child, 'media_type') === 'VIDEO');
  if (isAlbum ? videos.length === 0 : type !== 'VIDEO') return null;
  if (/^(STORY|AD)$/.test(textAt(medium, 'media_product_type'))) return null;
  const remoteId = textAt(medium, 'id');
  const { url, publishedAt } = publishedIn(session, medium, remoteId);
  return {
    remoteId,
    publishedAt,
    text: textAt(medium, 'caption'),
    url,
    durationMs: null,
    width: null,
    height: null,
    isPublic: true,
    ...(isAlbum ? { file: null, problem: say('post_is_album') } : { file: {} }),
  };
}
