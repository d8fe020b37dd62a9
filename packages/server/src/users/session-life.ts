/** Lifetimes. A session lasts at most 30 days, and 7 days after the last use. */
import { HOUR } from '../lib/time.ts';

export const SESSION_DAYS = 30;
export const IDLE_DAYS = 7;
export const DAY_S = 24 * 3600;
/** Time limit for the second factor, after the password. */
export const CHALLENGE_MINUTES = 10;
/** How long a second factor is locked after ten wrong codes. */
export const LOCK_MINUTES = 15;
/** Lifetime of a mailed link that replaces a password. */
export const RESET_MINUTES = 60;

/** Minimum interval between writes of the expiry, in ms. */
const STEP_MS = HOUR;

/**
 * Whether using a session now extends its expiry. Pure.
 * @param session timestamps of its row
 */
export function endMoves(session: { createdAt: Date; expiresAt: Date }, now: number): boolean {
  const latest = session.createdAt.getTime() + SESSION_DAYS * DAY_S * 1000;
  const idle = now + IDLE_DAYS * DAY_S * 1000;
  return session.expiresAt.getTime() < Math.min(latest, idle) - STEP_MS;
}

/**
 * Whether using a session now updates the time of its last use. Accurate to one hour, like the expiry. Pure.
 * @param session timestamps of its row
 */
export function useMoves(session: { updatedAt: Date }, now: number): boolean {
  return session.updatedAt.getTime() < now - STEP_MS;
}
