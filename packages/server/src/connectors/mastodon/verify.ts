/**
 * Verifies whether a send of unknown outcome created a status. The account's own list names the media of each status,
 * which is an exact match. If the server still holds our video unattached, nothing was posted. If neither is the case,
 * the outcome stays unknown. `Idempotency-Key` is only a second safeguard. Servers have been seen to return 500 for a
 * known key, to forget keys, and, when slow, to post twice under one.
 */
import { HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type {
  ConfirmResult,
  Fingerprint,
  Json,
  JsonObject,
  Published,
  Session,
  VerifyResult,
  Work,
} from '../contract.ts';
import { platformNow } from '../kit/clock.ts';
import { textWithShortMentions } from '../kit/comparable-text.ts';
import { rejected } from '../kit/failures.ts';
import { listAt, numberAt, textAt, timeAt } from '../kit/json.ts';
import { newItems, type PagedList, readPages } from '../kit/pages.ts';
import { notPosted, removed, stillUnknown } from '../kit/results.ts';
import { ask } from './api.ts';
import { acceptedOf, type Progress, progressOf } from './checkpoint.ts';
import { failureOf } from './classify.ts';
import { visibilityOf } from './limits.ts';
import { say } from './messages.ts';

/** Time in ms after which an accepted status that is still missing was dropped by the server. */
export const DROPPED_AFTER_MS = 5 * MINUTE;
const DROPPED_AFTER_SANDBOX_MS = MINUTE;
/** Maximum time in ms to poll for the status. After it, the post counts as posted, because the server accepted it. */
const CHECK_FOR_MS = HOUR;
const PAGE = 40;
const MAX_PAGES = 10;
/** Tolerance for comparing clocks, in ms: the `Date` header has whole seconds, and requests take time. */
const CLOCK_SLACK_MS = 10 * SECOND;

/**
 * Checks whether the server kept the status. An anti-spam filter returns 200 and stores nothing, and a replica may lag.
 * Only a status that is still missing after minutes was dropped (Mastodon source).
 */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const { session, post } = work;
  const accepted = acceptedOf(checkpoint);
  const age = session.now() - accepted.acceptedAt;
  const requested = visibilityOf(post, session);
  const response = await ask(session, `/api/v1/statuses/${encodeURIComponent(accepted.statusId)}`).catch(() => null);
  if (response?.status === 200 && textAt(response.tryJson(), 'id') !== '')
    return { then: 'posted', published: publishedFrom(response.tryJson(), requested), note: say('post_found') };
  const again = { then: 'confirming' as const, checkpoint, afterMs: Math.min(MINUTE, 2 * SECOND + age / 2) };
  if (response?.status === 404 || response?.status === 410) {
    if (age < (session.sandbox ? DROPPED_AFTER_SANDBOX_MS : DROPPED_AFTER_MS))
      return { ...again, note: say('post_not_shown_yet') };
    return removed({ ...rejected('policy', say('post_dropped')), status: response.status });
  }
  if (response?.status !== 401 && response?.status !== 403 && age < CHECK_FOR_MS)
    return { ...again, note: say('post_unconfirmed') };
  const note = say('post_unreadable');
  const { statusId: remoteId, url, publishedAt } = accepted;
  return { then: 'posted', published: { remoteId, url: url || null, publishedAt, detail: note.text }, note };
}

export async function verify(
  work: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const progress = progressOf(checkpoint);
  return progress.mediaId ? byMedium(work, checkpoint, progress) : byFingerprint(work, fingerprint);
}

async function byMedium(work: Work, checkpoint: JsonObject | null, progress: Progress): Promise<VerifyResult> {
  const listed = await statusesSince(work, progress.uploadedAt);
  const ours = listed.items.find((status) => hasMedium(status, progress.mediaId, progress.mediaUrl));
  if (ours) return posted(work, ours);
  if (!listed.complete) return TOO_MANY;
  // Media attached to a status returns 404 (Mastodon source), and so does media that was cleaned up.
  const response = await ask(work.session, `/api/v1/media/${encodeURIComponent(progress.mediaId)}`);
  // 422: processing failed, so no status can have it.
  if ([200, 206, 422].includes(response.status)) return notPosted(checkpoint, say('video_unused'));
  // Every send with this upload got a response that proves it had no effect. So the media is gone and is uploaded
  // again.
  const { offeredFor, doubtful } = progress;
  if (response.status === 404 && offeredFor < work.post.sendKey && !doubtful)
    return notPosted({ ...progress, mediaId: '', mediaUrl: '' }, say('video_gone'));
  if (response.status === 404) return stillUnknown(say('video_used_or_gone'));
  throw new PlatformError(failureOf(response, work.session.now(), 'other'));
}

/** Verifies without an upload: finds a status posted since the send, with our text and a video of our duration. */
async function byFingerprint(work: Work, fingerprint: Fingerprint): Promise<VerifyResult> {
  const listed = await statusesSince(work, fingerprint.committedAt);
  if (!listed.complete) return TOO_MANY;
  const alike = listed.items.filter((status) => hasVideoLike(status, fingerprint.durationMs));
  const [first, ...more] = alike.filter((status) => isSameText(status, fingerprint));
  if (first && more.length === 0) return posted(work, first);
  if (first) return stillUnknown(say('several_matches'));
  if (alike.length > 0 && !/[\p{L}\p{N}]/u.test(fingerprint.text)) return stillUnknown(say('match_without_text'));
  return notPosted(null, say('post_not_shown'));
}

const TOO_MANY: VerifyResult = stillUnknown(say('list_too_long'));

function posted({ session, post }: Work, status: Json): VerifyResult {
  const published = publishedFrom(status, visibilityOf(post, session));
  return { then: 'posted', published, note: say('post_found') };
}

/** Lists the account's statuses with media since a time of our clock, newest first. @throws PlatformError */
function statusesSince({ session }: Work, since: number): Promise<PagedList<Json>> {
  return readPages(MAX_PAGES, async (cursor) => {
    const { statuses: items, next, theirs } = await statusesBefore(session, cursor);
    const page = { items, next: next === cursor ? '' : next };
    return newItems<Json>(page, (status) => (madeAt(status) ?? theirs(since)) >= theirs(since));
  });
}

export interface StatusPage {
  /** Newest first. */
  statuses: Json[];
  /** Id of the last status that has one; "" if no status has one. */
  next: string;
  /** Converts a time of our clock to the server's, with a tolerance. In ms since the epoch. */
  theirs(time: number): number;
}

/**
 * Reads one page of the account's own statuses with media.
 * @param cursor id of a newer status; "" for the first page
 * @throws PlatformError if the list cannot be read
 */
export async function statusesBefore(
  session: Session,
  cursor: string,
  filters: Record<string, string> = {},
): Promise<StatusPage> {
  const query = new URLSearchParams({ limit: String(PAGE), exclude_reblogs: 'true', only_media: 'true', ...filters });
  if (cursor) query.set('max_id', cursor);
  const response = await ask(session, `/api/v1/accounts/${encodeURIComponent(session.remoteId)}/statuses?${query}`);
  const listed = response.status === 200 ? response.tryJson() : null;
  if (!Array.isArray(listed)) throw new PlatformError(failureOf(response, session.now(), 'other'));
  // A server may send more than it was asked for. The next page begins behind those that are kept.
  const statuses: Json[] = listed.slice(0, PAGE);
  const now = session.now();
  const aheadMs = platformNow(response, now) - now;
  const next = statuses.map((status) => textAt(status, 'id')).findLast((id) => id !== '') ?? '';
  return { statuses, next, theirs: (time) => time + aheadMs - CLOCK_SLACK_MS };
}

const DURATION_SLACK_MS = SECOND;
/** Visibilities, the lowest first. */
const VISIBILITIES = ['direct', 'private', 'unlisted', 'public'];
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** @param requested visibility; a lower one is reported in `detail` */
export function publishedFrom(status: Json, requested = ''): Published {
  const visibility = textAt(status, 'visibility');
  const lesser =
    VISIBILITIES.includes(visibility) && VISIBILITIES.indexOf(visibility) < VISIBILITIES.indexOf(requested);
  return {
    remoteId: textAt(status, 'id') || null,
    url: textAt(status, 'url') || textAt(status, 'uri') || null,
    publishedAt: timeAt(status, 'created_at'),
    ...(lesser ? { detail: say('posted_as', { visibility }).text } : {}),
  };
}

/** Returns the creation time in ms since the epoch; null if absent. */
export function madeAt(status: Json): number | null {
  return publishedFrom(status).publishedAt;
}

/**
 * Whether a status has our video, by upload id or by URL. Some servers use attachment ids that differ from upload ids
 * (Pleroma).
 */
export function hasMedium(status: Json, mediaId: string, mediaUrl: string): boolean {
  return listAt(status, 'media_attachments').some(
    (attachment) => textAt(attachment, 'id') === mediaId || (mediaUrl !== '' && textAt(attachment, 'url') === mediaUrl),
  );
}

/** Whether a status has exactly one video, with our duration if the server reports durations. */
export function hasVideoLike(status: Json, durationMs: number): boolean {
  const videos = videosOf(status);
  if (videos.length !== 1) return false;
  const seconds = numberAt(videos[0], 'meta', 'original', 'duration');
  return seconds === null || Math.abs(seconds * 1000 - durationMs) <= DURATION_SLACK_MS;
}

/** Whether a status has our text. A text without letters and digits never matches. */
export function isSameText(status: Json, { text }: Fingerprint): boolean {
  const ours = textWithShortMentions(text);
  return ours !== '' && textWithShortMentions(textOf(textAt(status, 'content'))) === ours;
}

/** Returns the videos of a status. Servers show a video without sound as `gifv`. */
export function videosOf(status: unknown): unknown[] {
  return listAt(status, 'media_attachments').filter((one) => ['video', 'gifv'].includes(textAt(one, 'type')));
}

/** Returns the text of a status without its HTML. Line breaks and paragraphs are kept. */
export function textOf(html: string): string {
  const plain = html
    .replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))
    .replace(/<br\s?\/?>/gi, '\n')
    .replace(/<\/p>\s?<p\b[^<>]*>/gi, '\n\n')
    .replace(/<[^<>]*>/g, '')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
  return plain.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
