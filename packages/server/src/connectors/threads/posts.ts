/** Reads published posts, by id or by searching the profile for the text. */
import type { ConfirmResult, Session } from '../contract.ts';
import { collapsedText } from '../kit/comparable-text.ts';
import type { Delays } from '../kit/delays.ts';
import { at, textAt } from '../kit/json.ts';
import { pollAgain } from '../kit/results.ts';
import { say, timeOf } from './api.ts';
import type { Post } from './container.ts';

const POLL_MS: Delays = [2_000, 5_000, 15_000, 60_000, 300_000];
/** Tolerance for whole-second timestamps and network delay, ms. */
const CLOCK_SLACK_MS = 10_000;
const LISTED = 50;

/** Schedules the next poll with an increasing delay. */
export function confirmLater(post: Post, note: string): Extract<ConfirmResult, { then: 'confirming' }> {
  return { ...pollAgain(post, POLL_MS, note), complete: true };
}

/** The result for a published post. Threads may omit the URL. */
export function posted(
  session: Session,
  media: unknown,
  note = 'Published.',
): Extract<ConfirmResult, { then: 'posted' }> {
  const shortcode = textAt(media, 'shortcode');
  const permalink = textAt(media, 'permalink');
  const made = /^[\w-]+$/.test(shortcode)
    ? `${session.endpoints.www}/@${encodeURIComponent(session.username)}/post/${shortcode}`
    : null;
  return {
    then: 'posted',
    published: {
      remoteId: textAt(media, 'id') || null,
      url: /^https?:\/\//.test(permalink) ? permalink : made,
      publishedAt: timeOf(textAt(media, 'timestamp')),
    },
    note,
  };
}

/**
 * Returns the only post with our text since a time of our clock. Returns null if none or several match, or if there is
 * no text.
 * @throws PlatformError
 */
export async function findPublished(
  session: Session,
  text: string,
  since: number,
): Promise<Extract<ConfirmResult, { then: 'posted' }> | null> {
  if (plain(text) === '') return null;
  const query = { fields: 'id,text,timestamp,permalink,shortcode,media_type', limit: String(LISTED) };
  const { body, aheadMs } = await say(session, 'GET', '/me/threads', query, { now: session.now });
  const listed = at(body, 'data');
  const ours = (Array.isArray(listed) ? listed : []).filter((entry) => isLike(entry, text, since + aheadMs));
  const [found] = ours;
  return found && ours.length === 1 ? posted(session, found, 'The profile shows the post.') : null;
}

/** Whether a listed post is a video with our text, created since a time (Threads' clock, ms since the epoch). */
export function isLike(entry: unknown, text: string, since: number): boolean {
  const made = timeOf(textAt(entry, 'timestamp'));
  if (made === null || made < since - CLOCK_SLACK_MS) return false;
  return textAt(entry, 'media_type') === 'VIDEO' && plain(textAt(entry, 'text')) === plain(text);
}

function plain(text: string): string {
  return collapsedText(text, 'NFKC');
}
