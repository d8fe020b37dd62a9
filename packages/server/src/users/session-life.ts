/** How long a session lives: 30 days at most, and 7 days after its last use. */

export const SESSION_DAYS = 30;
export const IDLE_DAYS = 7;
export const DAY_S = 24 * 3600;

/** Uses closer together than this are not written. */
const STEP_MS = 3_600_000;

/** Whether using a session now is to move its end. Pure. @param session times of its row */
export function endMoves(session: { createdAt: Date; expiresAt: Date }, now: number): boolean {
  const latest = session.createdAt.getTime() + SESSION_DAYS * DAY_S * 1000;
  const idle = now + IDLE_DAYS * DAY_S * 1000;
  return session.expiresAt.getTime() < Math.min(latest, idle) - STEP_MS;
}
