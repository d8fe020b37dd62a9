/**
 * Verifies a publish request.
 *
 * The container's status is authoritative, but may lag: `PUBLISHED` means published, and `FINISHED` means not published
 * if it persists for a quarter of an hour. The container does not name the reel, so the reel is searched in the
 * account's media.
 */
import { MINUTE, SECOND } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import { NetworkError } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConfirmResult, Fingerprint, JsonObject, Published, Session, VerifyResult, Work } from '../contract.ts';
import { collapsedText } from '../kit/comparable-text.ts';
import { type Delays, delayAfter } from '../kit/delays.ts';
import { CLOCK_SLACK_MS, graphTime } from '../kit/graph-api.ts';
import { readPublished, unsettledMs } from '../kit/graph-container.ts';
import { textAt } from '../kit/json.ts';
import { newItems, readPages } from '../kit/pages.ts';
import { notPosted, stillUnknown } from '../kit/results.ts';
import { apiOf, type Progress, pollContainer, progressOf, readNode } from './api.ts';
import { say } from './messages.ts';

const MAX_PAGES = 4;
const POLL_MS: Delays = [2 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE];
/** Maximum failed reads of a known reel. After that it counts as posted without a URL. */
const MAX_FAILED_READS = 5;

/** @throws PlatformError if a request fails */
export async function verify(
  work: Work,
  checkpoint: JsonObject | null,
  { committedAt }: Fingerprint,
): Promise<VerifyResult> {
  const previous = progressOf(checkpoint);
  const since = Math.min(previous.offeredAt || committedAt, committedAt);
  const progress: Progress = { ...previous, offeredAt: since };
  if (!progress.container) return findWithout(work, progress);
  const { state } = await pollContainer(work.session, progress.container);
  switch (state) {
    case 'published':
      return { ...confirmNow(progress, say('published_unlisted')), complete: true };
    case 'working':
      // After a publish request, "in progress" may refer to publishing.
      return previous.offeredAt > 0 ? stillUnknown(say('processing'), MINUTE) : notPosted(previous, say('unpublished'));
    case 'finished': {
      const afterMs = unsettledMs(work.session, committedAt);
      return afterMs > 0 ? stillUnknown(say('unpublished'), afterMs) : notPosted(previous, say('unpublished'));
    }
    case 'failed':
      return notPosted(null, say('video_not_processed'));
    case 'expired':
      return notPosted(null, say('container_expired'));
    case 'gone':
      return findWithout(work, progress);
  }
}

/** Without a container, only finding the reel is conclusive. */
async function findWithout({ session, post }: Work, progress: Progress): Promise<VerifyResult> {
  if (collapsed(post.text) === '') return stillUnknown(say('text_missing'));
  const { mediaId, count } = await findReel(session, post.text, progress.offeredAt);
  if (!mediaId) return stillUnknown(say(count > 0 ? 'several_matches' : 'post_not_shown'));
  return confirmNow({ ...progress, mediaId }, say('post_found'));
}

function confirmNow(progress: Progress, note: Message): Extract<ConfirmResult, { then: 'confirming' }> {
  return { then: 'confirming', checkpoint: { ...progress, looks: 0 }, afterMs: 0, note };
}

/** Looks up the id and URL of a published reel. Missing either is not a failure. */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const { session, post } = work;
  const progress = progressOf(checkpoint);
  const { mediaId: known, looks } = progress;
  let matches = 0;
  try {
    await session.spend('calls');
    const { mediaId, count } = known
      ? { mediaId: known, count: 1 }
      : await findReel(session, post.text, progress.offeredAt);
    matches = count;
    if (mediaId) return await posted(session, mediaId);
  } catch (error) {
    if (!(error instanceof PlatformError) && !(error instanceof NetworkError)) throw error;
  }
  const note = say('posted_without_url');
  if (known && looks >= MAX_FAILED_READS)
    return { then: 'posted', published: { remoteId: known, url: null, publishedAt: null, detail: note.text }, note };
  return {
    then: 'confirming',
    checkpoint: { ...progress, looks: looks + 1 },
    afterMs: delayAfter(POLL_MS, looks),
    ...(known ? {} : { complete: true }),
    note: say(matches > 1 ? 'published_several' : 'published_unlisted'),
  };
}

/** @throws PlatformError */
async function posted(session: Session, mediaId: string): Promise<ConfirmResult> {
  const fields = 'id,permalink,shortcode,timestamp';
  const media = await readNode(session, mediaId, { fields });
  return { then: 'posted', published: publishedIn(session, media, mediaId), note: say('posted') };
}

export function publishedIn({ endpoints }: Session, media: unknown, mediaId: string): Published {
  return readPublished(media, mediaId, (shortcode) => `${endpoints.instagram}/reel/${shortcode}/`);
}

/**
 * Finds the only reel with this text since a time of our clock. `mediaId` is "" if none or several match.
 * @throws PlatformError
 */
async function findReel(session: Session, text: string, since: number): Promise<{ mediaId: string; count: number }> {
  const query = { fields: 'id,caption,timestamp,media_product_type', limit: '25' };
  const { items } = await readPages(MAX_PAGES, async (cursor) => {
    const page = await apiOf(session).list(`${session.remoteId}/media`, query, cursor);
    const theirSince = since + page.aheadMs - CLOCK_SLACK_MS;
    return newItems(page, (medium) => (graphTime(textAt(medium, 'timestamp')) ?? 0) >= theirSince);
  });
  const found = items.filter((medium) => isLike(medium, text));
  return { mediaId: found.length === 1 ? textAt(found[0], 'id') : '', count: found.length };
}

/** Whether a listed item is a reel with our text. */
export function isLike(medium: unknown, text: string): boolean {
  const kind = textAt(medium, 'media_product_type');
  return (kind === '' || kind === 'REELS') && collapsed(textAt(medium, 'caption')) === collapsed(text);
}

const collapsed = (text: string) => collapsedText(text, 'NFC');
