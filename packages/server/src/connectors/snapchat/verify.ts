/**
 * Follows the review of a spotlight, and verifies whether a send of unknown outcome created one. The list references neither the media nor the
 * request. A spotlight is matched by text and by its absence before the send. Text without letters or digits proves
 * nothing, nor do two matches. If the list cannot be read, the outcome stays unknown.
 */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConfirmResult, Fingerprint, JsonObject, Published, Session, VerifyResult, Work } from '../contract.ts';
import { comparableText } from '../kit/comparable-text.ts';
import type { Delays } from '../kit/delays.ts';
import { rejected } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { failed, notPosted, pollAgain, stillUnknown } from '../kit/results.ts';
import { call, callDated, isGood } from './api.ts';
import { type Progress, progressOf } from './upload.ts';

// The profile's spotlights, read and matched against ours.

/** Page size. Only one page is read, because pagination is not documented. */
export const PAGE = 20;

export function pathOf({ remoteId }: Pick<Session, 'remoteId'>): string {
  return `/v1/public_profiles/${encodeURIComponent(remoteId)}/spotlights`;
}

/** The latest spotlights. */
export interface Listed {
  spotlights: readonly unknown[];
  /** Offset of Snapchat's clock from ours in ms (positive: ahead); null if the response has no date. */
  aheadMs: number | null;
}

/** Lists the latest spotlights. @throws PlatformError */
export async function listSpotlights(session: Session): Promise<Listed> {
  const { body, saidAt } = await callDated(session, 'GET', `${pathOf(session)}?limit=${PAGE}`);
  return { spotlights: spotlightsIn(body), aheadMs: saidAt === null ? null : saidAt - session.now() };
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
const SLACK_MS = 300_000;

/**
 * Returns the earliest time at which a send can have created a spotlight, in ms since the epoch by Snapchat's clock.
 * Returns -Infinity if that clock is unknown, so that no spotlight is too old. @param sentAt ms since the epoch, by our
 * clock
 */
export function earliestOf(sentAt: number, { aheadMs }: Listed): number {
  return aheadMs === null ? Number.NEGATIVE_INFINITY : sentAt + aheadMs - SLACK_MS;
}

/** Keeps the spotlights that a send may have created: not older than the send, and not in the snapshot. */
export function cameSince(spotlights: readonly unknown[], since: number, seen: readonly string[] | null): unknown[] {
  return spotlights.filter((each) => (madeAt(each) ?? since) >= since && !seen?.includes(textAt(each, 'id')));
}

/**
 * Whether a list is complete since a moment: it is not full, or it is sorted newest first and ends before the moment.
 */
export function reachesBack(spotlights: readonly unknown[], since: number): boolean {
  if (spotlights.length < PAGE) return true;
  const times = spotlights.map((each) => madeAt(each));
  const falling = times.every((time, index) => time !== null && (index === 0 || time <= (times[index - 1] ?? time)));
  return falling && (times.at(-1) ?? since) < since;
}

/** Compares letters and digits of a spotlight's text with ours; null if the spotlight shows no text. */
export function isSameText(spotlight: unknown, { text }: Pick<Fingerprint, 'text'>): boolean | null {
  const shown = ['caption', 'description', 'title'].flatMap((name) => {
    const words = at(spotlight, name);
    return typeof words === 'string' ? [comparableText(words)] : [];
  });
  return shown.length === 0
    ? null
    : shown.includes(comparableText(text)) && (comparableText(text) !== '' || shown.every((one) => one === ''));
}

/** Whether a text has letters or digits to match by. */
function isIdentifying(text: string): boolean {
  return comparableText(text) !== '';
}

/** Returns the creation time in ms since the epoch; null if absent. */
export function madeAt(spotlight: unknown): number | null {
  const told = at(spotlight, 'created_at');
  const time = typeof told === 'number' ? told : Date.parse(textAt(spotlight, 'created_at'));
  return Number.isNaN(time) ? null : time;
}

export function publishedAs(session: Session, id: string, publishedAt: number | null): Published {
  return { remoteId: id, url: `${session.endpoints.www}/spotlight/${encodeURIComponent(id)}`, publishedAt };
}

// What became of a send.

const POLL_MS: Delays = [60_000, 60_000, 120_000, 300_000, 600_000];
const POLL_SANDBOX_MS: Delays = [1_000];
/** Maximum wait for the review, in ms. */
const REVIEW_FOR_MS = 72 * 3_600_000;

/** Schedules the next poll of the review, with growing delays. */
export function reviewed(sandbox: boolean, progress: Progress): Extract<ConfirmResult, { then: 'confirming' }> {
  const delays = sandbox ? POLL_SANDBOX_MS : POLL_MS;
  return pollAgain({ ...progress, key: '', chain: '' }, delays, 'Snapchat has the video and reviews it.');
}

/** Polls until the review ends. Snapchat has accepted the video, so one that cannot be read still exists. */
export async function confirm({ session }: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const progress = progressOf(checkpoint);
  const waited = session.now() - progress.acceptedAt > REVIEW_FOR_MS;
  let spotlight: unknown;
  try {
    spotlight = await readSpotlight(session, progress.spotlightId);
  } catch (error) {
    const passes = !(error instanceof PlatformError) || !['setup', 'rejected'].includes(error.failure.kind);
    if (passes) throw error;
  }
  const found = afterReview(session, spotlight);
  if (found) return found;
  if (!waited) return reviewed(session.sandbox, progress);
  const detail = 'Snapchat took the video; how its review went could not be looked up.';
  const published = { ...publishedAs(session, progress.spotlightId, madeAt(spotlight)), detail };
  return { then: 'posted', published, note: 'Snapchat has the video.' };
}

/** Maps the result of a review; null while it is in progress. */
function afterReview(
  session: Session,
  spotlight: unknown,
): Extract<ConfirmResult, { then: 'posted' | 'failed' }> | null {
  switch (textAt(spotlight, 'status')) {
    case 'LIVE':
      return {
        then: 'posted',
        published: publishedAs(session, textAt(spotlight, 'id'), madeAt(spotlight)),
        note: 'The video is live.',
      };
    case 'REJECTED':
      return failed({ ...rejected('policy', 'Snapchat rejected the video.'), platformCode: 'REJECTED' });
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
  const fresh = cameSince(listed.spotlights, since, progress.seen);
  if (fresh.some((each) => isSameText(each, fingerprint) === null))
    return stillUnknown('Snapchat shows a new video without its words.');
  const alike = fresh.filter((each) => isSameText(each, fingerprint));
  if (alike.length > 0 && !isIdentifying(fingerprint.text))
    return stillUnknown('Snapchat shows a new video, and there are no words to know it by.');
  if (alike.length > 0 && !progress.seen && listed.aheadMs === null)
    return stillUnknown('Snapchat shows a video that could be this one, and does not say when it answered.');
  if (alike.length > 1) return stillUnknown('Snapchat shows several videos that could be this one.');
  const spotlightId = textAt(alike[0], 'id');
  if (spotlightId)
    return (
      afterReview(session, alike[0]) ??
      reviewed(session.sandbox, { ...progress, spotlightId, acceptedAt: session.now(), polls: 0 })
    );
  if (alike.length > 0) return stillUnknown('Snapchat shows the video without its id.');
  if (!reachesBack(listed.spotlights, since)) return stillUnknown('The list does not reach back to when it was sent.');
  // The same media is sent again; Snapchat rejects it while an earlier send is in progress.
  const again = checkpoint && { ...progress, armed: false, looked: false };
  return notPosted(again, 'Snapchat does not show the video.');
}
