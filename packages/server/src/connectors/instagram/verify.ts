/**
 * Verifies a publish request.
 *
 * The container's status is authoritative, but may lag: `PUBLISHED` means published, and `FINISHED` means not published
 * if it persists for a quarter of an hour. The container does not name the reel, so the reel is searched in the
 * account's media.
 */
import { NetworkError } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import { MINUTE } from '../../time.ts';
import type { ConfirmResult, Fingerprint, JsonObject, Session, VerifyResult, Work } from '../contract.ts';
import { collapsedText } from '../kit/comparable-text.ts';
import { at, textAt } from '../kit/json.ts';
import { notPosted, stillUnknown } from '../kit/results.ts';
import { callerOf, get, type Said } from './api.ts';
import { type Progress, pollContainer, progressOf } from './container.ts';

const PAGE = '25';
const MAX_PAGES = 4;
/** Tolerance for whole-second timestamps and network delay, ms. */
const CLOCK_SLACK_MS = 10_000;
const POLL_AFTER_MS = [2_000, 10_000, 30_000, 60_000, 120_000];
const POLL_LATER_MS = 300_000;
/** How late a publish request may take effect or become visible, ms. */
export const LATE_MS = 15 * 60_000;

/** @throws PlatformError if a request fails */
export async function verify(
  work: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const progress = progressOf(checkpoint);
  const since = Math.min(progress.offeredAt || fingerprint.committedAt, fingerprint.committedAt);
  if (!progress.container) return findWithout(work, { ...progress, offeredAt: since }, 'There is no container to ask.');
  const { state } = await pollContainer(work.session, progress.container);
  switch (state) {
    case 'published':
      return {
        then: 'confirming',
        checkpoint: { ...progress, offeredAt: since, looks: 0 },
        afterMs: 0,
        complete: true,
        note: 'Instagram says that it is published.',
      };
    case 'working':
      // After a publish request, "in progress" may refer to publishing.
      if (progress.offeredAt > 0) return stillUnknown('Instagram is working on it.', MINUTE);
      return notPosted(progress, 'Instagram has it unpublished.');
    case 'finished': {
      const early = fingerprint.committedAt + LATE_MS - work.session.now();
      if (early > 0 && !work.session.sandbox) {
        const afterMs = Math.max(MINUTE, Math.min(early, 5 * MINUTE));
        return stillUnknown('Instagram has not published it so far, which may still change.', afterMs);
      }
      return notPosted(progress, 'Instagram has it unpublished.');
    }
    case 'failed':
    case 'expired':
      return notPosted(null, `What was prepared has ${state}; it was not published.`);
    case 'gone':
      return findWithout(work, { ...progress, offeredAt: since }, 'Instagram no longer shows what was prepared.');
  }
}

/** Without a container, only finding the reel is conclusive. */
async function findWithout({ session, post }: Work, progress: Progress, why: string): Promise<VerifyResult> {
  if (collapsed(post.text) === '') return stillUnknown(`${why} There is no text to know the reel by.`);
  const mediaId = await findReel(session, post.text, progress.offeredAt);
  if (!mediaId) return stillUnknown(`${why} The account does not show the reel for certain.`);
  const checkpoint = { ...progress, mediaId, looks: 0 };
  return { then: 'confirming', checkpoint, afterMs: 0, note: 'The account shows the reel.' };
}

/** Looks up the id and URL of a published reel. Missing either is not a failure. */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const { session, post } = work;
  const progress = progressOf(checkpoint);
  try {
    await session.spend('calls');
    const mediaId = progress.mediaId || (await findReel(session, post.text, progress.offeredAt));
    if (mediaId) return await posted(session, mediaId);
  } catch (error) {
    if (!(error instanceof PlatformError) && !(error instanceof NetworkError)) throw error;
    if (progress.mediaId) return withoutAddress(progress);
  }
  return {
    then: 'confirming',
    checkpoint: { ...progress, looks: progress.looks + 1 },
    afterMs: POLL_AFTER_MS[progress.looks] ?? POLL_LATER_MS,
    complete: true,
    note: 'Published; the account does not show it yet.',
  };
}

/** @throws PlatformError */
async function posted(session: Session, mediaId: string): Promise<ConfirmResult> {
  const fields = 'id,permalink,shortcode,timestamp';
  const { body } = await get(callerOf(session), encodeURIComponent(mediaId), { fields });
  const shortcode = textAt(body, 'shortcode');
  const own = shortcode ? `${session.endpoints.instagram}/reel/${encodeURIComponent(shortcode)}/` : null;
  const permalink = textAt(body, 'permalink');
  const publishedAt = timeOf(body);
  const url = /^https?:\/\//.test(permalink) ? permalink : own;
  return { then: 'posted', published: { remoteId: mediaId, url, publishedAt }, note: 'Posted.' };
}

/** After several failed reads it counts as posted without a URL. */
function withoutAddress(progress: Progress): ConfirmResult {
  const afterMs = POLL_AFTER_MS[progress.looks];
  if (afterMs !== undefined)
    return {
      then: 'confirming',
      checkpoint: { ...progress, looks: progress.looks + 1 },
      afterMs,
      note: 'Published; its address could not be read yet.',
    };
  return {
    then: 'posted',
    published: {
      remoteId: progress.mediaId,
      url: null,
      publishedAt: null,
      detail: 'Instagram published it; its address could not be read.',
    },
    note: 'Posted.',
  };
}

/**
 * Returns the only reel with this text since a time of our clock; "" if none or several match.
 * @throws PlatformError
 */
async function findReel(session: Session, text: string, since: number): Promise<string> {
  const found: unknown[] = [];
  let after = '';
  for (let page = 0; page < MAX_PAGES; page++) {
    const said = await get(callerOf(session), `${session.remoteId}/media`, {
      fields: 'id,caption,timestamp,media_product_type',
      limit: PAGE,
      ...(after ? { after } : {}),
    });
    const { fresh, ended } = freshOf(said, since, session.now());
    found.push(...fresh.filter((medium) => isLike(medium, text)));
    // The URL of the next page contains the token, so only its cursor is used.
    after = textAt(said.body, 'paging', 'cursors', 'after');
    if (ended || !after || at(said.body, 'paging', 'next') === undefined) break;
  }
  return found.length === 1 ? textAt(found[0], 'id') : '';
}

/** Returns the media of a page that are new enough, and whether older ones follow. */
function freshOf({ body, saidAt }: Said, since: number, now: number): { fresh: unknown[]; ended: boolean } {
  const listed = at(body, 'data');
  const media: unknown[] = Array.isArray(listed) ? listed : [];
  const theirSince = since + (saidAt === null ? 0 : saidAt - now) - CLOCK_SLACK_MS;
  const fresh = media.filter((medium) => (timeOf(medium) ?? 0) >= theirSince);
  return { fresh, ended: fresh.length < media.length };
}

/** Whether a listed item is a reel with our text. */
export function isLike(medium: unknown, text: string): boolean {
  const kind = textAt(medium, 'media_product_type');
  return (kind === '' || kind === 'REELS') && collapsed(textAt(medium, 'caption')) === collapsed(text);
}

/** Parses `timestamp` (`2026-11-21T10:00:00+0000`) to ms since the epoch, or null. */
function timeOf(medium: unknown): number | null {
  const time = Date.parse(textAt(medium, 'timestamp').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(time) ? null : time;
}

const collapsed = (text: string) => collapsedText(text, 'NFC');
