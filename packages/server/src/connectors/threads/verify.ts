/**
 * Confirms a published post, and verifies an unanswered `threads_publish`.
 *
 * The container's status is authoritative, but may lag: "not published" counts only after a quarter of an hour. The
 * container does not name the post, so the post is searched by its text.
 */
import { MINUTE, SECOND } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import { NetworkError } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConfirmResult, Fingerprint, JsonObject, Published, Session, VerifyResult, Work } from '../contract.ts';
import { collapsedText } from '../kit/comparable-text.ts';
import type { Delays } from '../kit/delays.ts';
import { isFailure, transient } from '../kit/failures.ts';
import { CLOCK_SLACK_MS, graphTime } from '../kit/graph-api.ts';
import { readPublished, unsettledMs } from '../kit/graph-container.ts';
import { textAt } from '../kit/json.ts';
import { failed, notPosted, pollAgain, stillUnknown } from '../kit/results.ts';
import { apiOf } from './api.ts';
import { containerEnd } from './classify.ts';
import { type Post, pollContainer, postOf, sinceOf } from './container.ts';
import { say } from './messages.ts';

const POLL_MS: Delays = [2 * SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE];
/** Maximum polls for the URL of a published post. After that it counts as posted without a URL. */
const MAX_POLLS = 8;
const MAX_LISTED = '50';
const SEVERAL = say('several_matches');

/** Schedules the next poll for the post with an increasing delay. */
export function confirmLater(post: Post, note: Message): Extract<ConfirmResult, { then: 'confirming' }> {
  return { ...pollAgain(post, POLL_MS, note), complete: true };
}

/**
 * Fetches the URL of a published post. Errors neither fail the post nor delay it for long.
 * @throws PlatformError `tokenExpired`, so that the token is refreshed
 */
export async function confirm({ session, post: { text } }: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const post = postOf(checkpoint);
  const { mediaId, polls } = post;
  let note = say('published_unlisted');
  try {
    if (mediaId) {
      const media = await apiOf(session).get(mediaId, { fields: 'id,permalink,shortcode,timestamp' });
      return { then: 'posted', published: publishedIn(session, media, mediaId), note: say('posted') };
    }
    const found = await findPublished(session, text, sinceOf(post));
    if (found.then === 'posted') return found;
    note = publishedNote(found);
  } catch (error) {
    const isExpected = error instanceof PlatformError || error instanceof NetworkError;
    if (!isExpected || isFailure(error, 'tokenExpired')) throw error;
  }
  if (!mediaId || polls < MAX_POLLS) return confirmLater(post, note);
  const published = { remoteId: mediaId, url: null, publishedAt: null };
  return { then: 'posted', published, note: say('posted_without_url') };
}

/** Why the link of a published post is not known yet. */
function publishedNote({ note }: Found): Message {
  return say(note.code === SEVERAL.code ? 'published_several' : 'published_unlisted');
}

/** @throws PlatformError if a request fails */
export async function verify(
  { session }: Work,
  checkpoint: JsonObject | null,
  { text, committedAt }: Fingerprint,
): Promise<VerifyResult> {
  const post = postOf(checkpoint);
  if (!post.containerId) return findPublished(session, text, committedAt);
  const since = sinceOf(post, committedAt);
  const container = await pollContainer(session, post.containerId);
  switch (container.state) {
    case 'published': {
      const found = await findPublished(session, text, since);
      if (found.then === 'posted') return found;
      const { offeredAt } = post;
      return confirmLater({ ...post, offeredAt: offeredAt || committedAt, polls: 0 }, publishedNote(found));
    }
    case 'failed': {
      const end = containerEnd(container.message);
      return failed(end.is === 'final' ? end.failure : transient(say('video_not_processed')));
    }
    case 'expired':
      return failed(transient(say('container_expired')));
    case 'working':
      return stillUnknown(say('processing'), MINUTE);
    case 'gone':
      return findPublished(session, text, since);
    case 'lost': {
      const matches = await findMatches(session, text, since);
      if (matches?.length !== 0) return onlyMatch(session, matches);
      const afterMs = unsettledMs(session, committedAt);
      if (afterMs > 0) return stillUnknown(say('post_not_shown'), afterMs);
      return notPosted({ ...post, containerId: '' }, say('container_unknown'));
    }
    case 'finished': {
      if (post.sendsBefore > 0) {
        const found = await findPublished(session, text, since);
        if (found.then === 'posted') return found;
      }
      const afterMs = unsettledMs(session, committedAt);
      if (afterMs > 0) return stillUnknown(say('unpublished'), afterMs);
      return notPosted({ ...post, offeredAt: post.offeredAt || committedAt }, say('unpublished'));
    }
  }
}

export function publishedIn({ endpoints, username }: Session, media: unknown, remoteId: string | null): Published {
  const urlOf = (shortcode: string) => `${endpoints.www}/@${encodeURIComponent(username)}/post/${shortcode}`;
  return readPublished(media, remoteId, urlOf);
}

type Found = Extract<VerifyResult, { then: 'posted' | 'stillUnknown' }>;

/** Finds the only post with our text since a time of our clock. @throws PlatformError */
export async function findPublished(session: Session, text: string, since: number): Promise<Found> {
  return onlyMatch(session, await findMatches(session, text, since));
}

/** Lists the posts with our text since a time of our clock; null if our post has no text. @throws PlatformError */
async function findMatches(session: Session, text: string, since: number): Promise<readonly unknown[] | null> {
  if (collapsed(text) === '') return null;
  const query = { fields: 'id,text,timestamp,permalink,shortcode,media_type', limit: MAX_LISTED };
  const { items, aheadMs } = await apiOf(session).list('me/threads', query);
  return items.filter((entry) => isLike(entry, text, since + aheadMs));
}

function onlyMatch(session: Session, matches: readonly unknown[] | null): Found {
  if (!matches) return stillUnknown(say('text_missing'));
  if (matches.length !== 1) return stillUnknown(matches.length > 1 ? SEVERAL : say('post_not_shown'));
  const published = publishedIn(session, matches[0], textAt(matches[0], 'id') || null);
  return { then: 'posted', published, note: say('post_found') };
}

/** Whether a listed post is a video with our text, created since a time (Threads' clock, ms since the epoch). */
export function isLike(entry: unknown, text: string, since: number): boolean {
  const createdAt = graphTime(textAt(entry, 'timestamp'));
  if (createdAt === null || createdAt < since - CLOCK_SLACK_MS) return false;
  return textAt(entry, 'media_type') === 'VIDEO' && collapsed(textAt(entry, 'text')) === collapsed(text);
}

const collapsed = (text: string) => collapsedText(text, 'NFKC');
