/** The profile's spotlights, and which of them could be ours. */
import type { Fingerprint, Published, Session } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { call, callDated } from './api.ts';
import { isGood } from './identify.ts';

/** How paging goes on is not documented, so one page is all that is read. */
export const PAGE = 20;

export function pathOf({ remoteId }: Pick<Session, 'remoteId'>): string {
  return `/v1/public_profiles/${encodeURIComponent(remoteId)}/spotlights`;
}

/** The latest spotlights. */
export interface Listed {
  spotlights: readonly unknown[];
  /** By how much Snapchat's clock was ahead of ours, ms; null where it did not say. */
  aheadMs: number | null;
}

/** @throws PlatformError */
export async function listSpotlights(session: Session): Promise<Listed> {
  const { body, saidAt } = await callDated(session, 'GET', `${pathOf(session)}?limit=${PAGE}`);
  return { spotlights: spotlightsIn(body), aheadMs: saidAt === null ? null : saidAt - session.now() };
}

/** @throws PlatformError */
export async function readSpotlight(session: Session, id: string): Promise<unknown> {
  const body = await call(session, 'GET', `${pathOf(session)}/${encodeURIComponent(id)}`);
  return spotlightsIn(body).find((each) => textAt(each, 'id') === id);
}

/** In a list each with a status of its own, or one alone. */
export function spotlightsIn(body: unknown): unknown[] {
  const listed = at(body, 'spotlights');
  const alone = at(body, 'spotlight');
  const entries = Array.isArray(listed) ? listed.filter(isGood) : alone === undefined ? [] : [alone];
  return entries.map((entry) => at(entry, 'spotlight') ?? entry);
}

/** Clocks are compared by whole seconds, and Snapchat's machines need not agree among themselves, ms. */
const SLACK_MS = 300_000;

/**
 * What is older cannot have come of a send, ms since the epoch by Snapchat's clock; -Infinity where that is not known: then
 * nothing is too old. @param sentAt ms since the epoch, by our clock
 */
export function earliestOf(sentAt: number, { aheadMs }: Listed): number {
  return aheadMs === null ? Number.NEGATIVE_INFINITY : sentAt + aheadMs - SLACK_MS;
}

/** Those that may have come of a send: not older than it, and not among what was there before. */
export function cameSince(spotlights: readonly unknown[], since: number, seen: readonly string[] | null): unknown[] {
  return spotlights.filter((each) => (madeAt(each) ?? since) >= since && !seen?.includes(textAt(each, 'id')));
}

/** Whether a list is all that there is since a moment: it is not full, or goes back behind it from the newest on. */
export function reachesBack(spotlights: readonly unknown[], since: number): boolean {
  if (spotlights.length < PAGE) return true;
  const times = spotlights.map((each) => madeAt(each));
  const falling = times.every((time, index) => time !== null && (index === 0 || time <= (times[index - 1] ?? time)));
  return falling && (times.at(-1) ?? since) < since;
}

/** Whether it says what we wanted to say, by letters and digits only; null where it shows no words at all. */
export function saysTheSame(spotlight: unknown, { text }: Pick<Fingerprint, 'text'>): boolean | null {
  const shown = ['caption', 'description', 'title'].flatMap((name) => {
    const words = at(spotlight, name);
    return typeof words === 'string' ? [bare(words)] : [];
  });
  return shown.length === 0
    ? null
    : shown.includes(bare(text)) && (bare(text) !== '' || shown.every((one) => one === ''));
}

/** Whether a text has anything to be known by. */
export function isTelling(text: string): boolean {
  return bare(text) !== '';
}

/** ms since the epoch; null where it does not say */
export function madeAt(spotlight: unknown): number | null {
  const told = at(spotlight, 'created_at');
  const time = typeof told === 'number' ? told : Date.parse(textAt(spotlight, 'created_at'));
  return Number.isNaN(time) ? null : time;
}

export function publishedAs(session: Session, id: string, publishedAt: number | null): Published {
  return { remoteId: id, url: `${session.endpoints.www}/spotlight/${encodeURIComponent(id)}`, publishedAt };
}

function bare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
