/**
 * Follows the review of a spotlight, and verifies whether a send of unknown outcome created one. The list references
 * neither the media nor the request. A spotlight is matched by text and by its absence before the send. Text without
 * letters or digits proves nothing, nor do two matches. If the list cannot be read, the outcome stays unknown.
 */
import { HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import type { ConfirmResult, Fingerprint, JsonObject, Published, Session, VerifyResult, Work } from '../contract.ts';
import { respondedAt } from '../kit/clock.ts';
import { comparableText } from '../kit/comparable-text.ts';
import type { Delays } from '../kit/delays.ts';
import { isFailure, rejected } from '../kit/failures.ts';
import { at, MAX_TIME, textAt } from '../kit/json.ts';
import { failed, notPosted, pollAgain, stillUnknown } from '../kit/results.ts';
import { call, isGood, ownPath, request } from './api.ts';
import { say } from './messages.ts';
import { type Progress, progressOf } from './upload.ts';

/** Page size. A verification reads only one page, because pagination is not documented. */
const PAGE = 20;

export function pathOf({ remoteId }: Pick<Session, 'remoteId'>): string {
  return `/v1/public_profiles/${encodeURIComponent(remoteId)}/spotlights`;
}

/** The latest spotlights. */
export interface Listed {
  spotlights: readonly unknown[];
  /** Offset of Snapchat's clock from ours in ms (positive: ahead); null if the response has no date. */
  aheadMs: number | null;
  /** Path of the next page; "" if none is stated. */
  next: string;
}

/** Lists the latest spotlights. @param path of a page; "" for the first @throws PlatformError */
export async function listSpotlights(session: Session, path = ''): Promise<Listed> {
  const response = await request(session, 'GET', path || `${pathOf(session)}?limit=${PAGE}`);
  const theirNow = respondedAt(response);
  const body = response.json();
  return {
    spotlights: spotlightsIn(body),
    aheadMs: theirNow === null ? null : theirNow - session.now(),
    next: ownPath(textAt(body, 'paging', 'next_link'), session.endpoints.api ?? ''),
  };
}

/** Reads one spotlight. @throws PlatformError */
async function readSpotlight(session: Session, id: string): Promise<unknown> {
  const body = await call(session, 'GET', `${pathOf(session)}/${encodeURIComponent(id)}`);
  return spotlightsIn(body).find((each) => textAt(each, 'id') === id);
}

/** Extracts spotlights from a list, whose entries have their own status, or from a response with a single one. */
export function spotlightsIn(body: unknown): unknown[] {
  const listed = at(body, 'spotlights');
  const alone = at(body, 'spotlight');
  const entries = Array.isArray(listed) ? listed.filter(isGood) : alone === undefined ? [] : [alone];
  return entries.map((entry) => at(entry, 'spotlight') ?? entry);
}

/** Tolerance for comparing clocks, in ms: timestamps have whole seconds, and Snapchat's servers may disagree. */
const SLACK_MS = 5 * MINUTE;

/**
 * Returns the earliest time at which a send can have created a spotlight, in ms since the epoch by Snapchat's clock.
 * Returns -Infinity if that clock is unknown, so that no spotlight is too old. @param sentAt ms since the epoch, by our
 * clock
 */
export function earliestOf(sentAt: number, { aheadMs }: Listed): number {
  return aheadMs === null ? Number.NEGATIVE_INFINITY : sentAt + aheadMs - SLACK_MS;
}

/** Keeps the spotlights that a send may have created: not older than the send, and not in the snapshot. */
export function createdSince(spotlights: readonly unknown[], since: number, seen: readonly string[] | null): unknown[] {
  return spotlights.filter((each) => (createdAt(each) ?? since) >= since && !seen?.includes(textAt(each, 'id')));
}

/**
 * Whether a list is complete since a moment: it is not full, or it is sorted newest first and ends before the moment.
 */
export function reachesBack(spotlights: readonly unknown[], since: number): boolean {
  if (spotlights.length < PAGE) return true;
  const times = spotlights.map((each) => createdAt(each));
  const falling = times.every((time, index) => time !== null && (index === 0 || time <= (times[index - 1] ?? time)));
  return falling && (times.at(-1) ?? since) < since;
}

/** Compares letters and digits of a spotlight's text with ours; null if the spotlight shows no text. */
export function isSameText(spotlight: unknown, { text }: Pick<Fingerprint, 'text'>): boolean | null {
  const shown = ['caption', 'description', 'title'].flatMap((name) => {
    const field = at(spotlight, name);
    return typeof field === 'string' ? [comparableText(field)] : [];
  });
  if (shown.length === 0) return null;
  const ours = comparableText(text);
  return shown.includes(ours) && (ours !== '' || shown.every((each) => each === ''));
}

/** Returns the creation time in ms since the epoch; null if absent. */
export function createdAt(spotlight: unknown): number | null {
  const given = at(spotlight, 'created_at');
  const time = typeof given === 'number' ? given : Date.parse(textAt(spotlight, 'created_at'));
  return Math.abs(time) < MAX_TIME ? time : null;
}

export function publishedAs(session: Session, id: string, publishedAt: number | null) {
  const url = `${session.endpoints.www}/spotlight/${encodeURIComponent(id)}`;
  return { remoteId: id, url, publishedAt } satisfies Published;
}

/** Whether Snapchat does not show something to this account, now or ever. */
export function isForbidden(error: unknown): boolean {
  return isFailure(error, 'setup', 'rejected');
}

const POLL_MS: Delays = [MINUTE, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE];
const POLL_SANDBOX_MS: Delays = [SECOND];
/** Maximum wait for the review, in ms. */
const REVIEW_FOR_MS = 72 * HOUR;

/** Schedules the next poll of the review, with growing delays. */
export function reviewAgain(sandbox: boolean, progress: Progress): Extract<ConfirmResult, { then: 'confirming' }> {
  const delays = sandbox ? POLL_SANDBOX_MS : POLL_MS;
  return pollAgain({ ...progress, key: '', chain: '' }, delays, say('published_in_review'));
}

/** Polls until the review ends. Snapchat has accepted the video, so one that cannot be read still exists. */
export async function confirm({ session }: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const progress = progressOf(checkpoint);
  const expired = session.now() - progress.acceptedAt > REVIEW_FOR_MS;
  let spotlight: unknown;
  try {
    spotlight = await readSpotlight(session, progress.spotlightId);
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
  const result = afterReview(session, spotlight);
  if (result) return result;
  if (!expired) return reviewAgain(session.sandbox, progress);
  const note = say('review_unreadable');
  const published = publishedAs(session, progress.spotlightId, createdAt(spotlight));
  return { then: 'posted', published: { ...published, detail: note.text }, note };
}

/** Maps the result of a review; null while it is in progress. */
function afterReview(session: Session, spotlight: unknown): ConfirmResult | null {
  switch (textAt(spotlight, 'status')) {
    case 'LIVE': {
      const published = publishedAs(session, textAt(spotlight, 'id'), createdAt(spotlight));
      return { then: 'posted', published, note: say('posted') };
    }
    case 'REJECTED':
      return failed({ ...rejected('policy', say('video_rejected')), platformCode: 'REJECTED' });
    default:
      return null;
  }
}

/** @throws PlatformError if the list cannot be read */
export async function verify(
  { session }: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const progress = progressOf(checkpoint);
  // An earlier send that was verified as not posted may have taken effect late.
  const listed = await listSpotlights(session);
  const since = earliestOf(progress.sentAt || fingerprint.committedAt, listed);
  const fresh = createdSince(listed.spotlights, since, progress.seen);
  if (fresh.some((each) => isSameText(each, fingerprint) === null)) return stillUnknown(say('match_of_unknown_text'));
  const [first, ...more] = fresh.filter((each) => isSameText(each, fingerprint));
  if (first === undefined) {
    if (!reachesBack(listed.spotlights, since)) return stillUnknown(say('list_incomplete'));
    // The same media is sent again; Snapchat rejects it while an earlier send is in progress.
    return notPosted(checkpoint && { ...progress, armed: false, looked: false }, say('post_not_shown'));
  }
  if (comparableText(fingerprint.text) === '') return stillUnknown(say('match_without_text'));
  // Without a snapshot and without Snapchat's time, the match may be older than the send.
  if (!progress.seen && listed.aheadMs === null) return stillUnknown(say('match_unclear'));
  if (more.length > 0) return stillUnknown(say('several_matches'));
  const spotlightId = textAt(first, 'id');
  if (!spotlightId) return stillUnknown(say('match_without_id'));
  const accepted = { ...progress, spotlightId, acceptedAt: session.now(), polls: 0 };
  return afterReview(session, first) ?? reviewAgain(session.sandbox, accepted);
}
