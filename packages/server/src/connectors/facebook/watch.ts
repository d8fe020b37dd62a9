/** Watches the Page's reels (`GET /{page}/video_reels`). It lists no stories, no live videos and no unpublished reels. */
import { SECOND } from '../../lib/time.ts';
import type { JsonObject, Session, WatchedPost, WatchFlow } from '../contract.ts';
import { PAGE_SIZE, watchedFile, watchPage } from '../kit/graph-watch.ts';
import { at, numberAt, positiveInteger, textAt } from '../kit/json.ts';
import { readVideo, storedPageToken } from './api.ts';
import { say } from './messages.ts';
import { posted } from './status.ts';
import { listReels, REEL_FIELDS, reelIn } from './verify.ts';

const LIST_FIELDS = `${REEL_FIELDS},status,published,privacy`;
const FILE_FIELDS = 'id,source,created_time,published,privacy';
/** The year 5138; later times are no times. */
const MAX_SECONDS = 1e11;
const LIMIT = String(PAGE_SIZE);

export const watch = {
  async list(session, position) {
    const query = { fields: LIST_FIELDS, limit: LIMIT };
    const page = await listReels(session, tokenOf(session), query, position.cursor);
    return watchPage(page, position, 'created_time', (entry) => postIn(session, entry));
  },
  async file(session, { remoteId }) {
    const wanted = { id: encodeURIComponent(remoteId), fields: FILE_FIELDS, asPerson: true };
    const { value } = await readVideo(session, tokenOf(session), wanted);
    const video = value ?? (await findListed(session, remoteId));
    // The owner may have limited its audience since.
    if (!video || !isPublished(video) || !isPublic(video)) return { found: 'gone' };
    return watchedFile(video, ['source', 'created_time'], session.now(), say('file_withheld'));
  },
} satisfies WatchFlow;

const tokenOf = ({ secret, remoteId }: Session) => storedPageToken(secret, remoteId);

/** Meta at times hides single objects even from valid tokens, but not their lists. @throws PlatformError */
async function findListed(session: Session, id: string): Promise<JsonObject | undefined> {
  const { items } = await listReels(session, tokenOf(session), { fields: FILE_FIELDS, limit: LIMIT });
  return items.find((entry) => textAt(entry, 'id') === id) as JsonObject | undefined;
}

/** Returns the post in an entry of the list; null if it is not published yet. */
function postIn(session: Session, entry: unknown): WatchedPost | null {
  if (!isPublished(entry)) return null;
  const reel = reelIn(entry);
  return {
    remoteId: reel.id,
    publishedAt: publishTime(entry) ?? reel.publishedAt,
    text: reel.description,
    url: posted(session, reel.id, reel).published.url,
    durationMs: positiveInteger((reel.length ?? 0) * SECOND),
    width: null,
    height: null,
    isPublic: isPublic(entry),
    file: {},
  };
}

/** A scheduled reel is created long before. */
function publishTime(video: unknown): number | null {
  const seconds = numberAt(video, 'status', 'publishing_phase', 'publish_time') ?? 0;
  return Number.isInteger(seconds) && seconds > 0 && seconds < MAX_SECONDS ? seconds * SECOND : null;
}

const isPublished = (video: unknown) => at(video, 'published') !== false;

/** A Page is public, unless the reel says otherwise. */
function isPublic(video: unknown): boolean {
  const privacy = at(video, 'privacy', 'value') ?? '';
  return privacy === '' || privacy === 'EVERYONE';
}
