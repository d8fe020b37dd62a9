/** Session lifetime: at most 30 days, and 7 days after the last use. */
import { HOUR } from '../time.ts';

export const SESSION_DAYS = 30;
export const IDLE_DAYS = 7;
export const DAY_S = 24 * 3600;

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
