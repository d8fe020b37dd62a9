/** Reads the profile's spotlights and matches them against ours. */
import type { Fingerprint, Published, Session } from '../contract.ts';
import { comparableText } from '../kit/comparable-text.ts';
import { at, textAt } from '../kit/json.ts';
import { call, callDated } from './api.ts';
import { isGood } from './identify.ts';

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
export async function readSpotlight(session: Session, id: string): Promise<unknown> {
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
export function saysTheSame(spotlight: unknown, { text }: Pick<Fingerprint, 'text'>): boolean | null {
  const shown = ['caption', 'description', 'title'].flatMap((name) => {
    const words = at(spotlight, name);
    return typeof words === 'string' ? [comparableText(words)] : [];
  });
  return shown.length === 0
    ? null
    : shown.includes(comparableText(text)) && (comparableText(text) !== '' || shown.every((one) => one === ''));
}

/** Whether a text has letters or digits to match by. */
export function isTelling(text: string): boolean {
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
