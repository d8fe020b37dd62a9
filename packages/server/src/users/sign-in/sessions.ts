/** Resolves session cookies to users. */
import type { PlanName } from '../../config/plan-names.ts';
import type { Database } from '../../db/database.ts';
import type { SessionUser } from '../auth-request.ts';
import { hasSessionCookie } from '../auth-route.ts';
import { endMoves, IDLE_DAYS, SESSION_DAYS, useMoves } from '../session-life.ts';
import { moveSessionEnd } from '../user-store.ts';
import type { AuthLoader } from './auth-loader.ts';

/** Returns a function that returns the user of the session in a Cookie header, or null. */
export function createSessionFinder({ db, loader }: { db: Database; loader: Pick<AuthLoader, 'auth' | 'explain'> }) {
  return async (cookie: string): Promise<SessionUser | null> => {
    // Without our cookie, better-auth need not be loaded.
    if (!hasSessionCookie(cookie)) return null;
    const { api } = await loader.auth();
    const findSession = () => api.getSession({ headers: new Headers({ cookie }), query: { disableRefresh: true } });
    // Reading is safe to retry: the first call may have hit a connection that broke while idle.
    const found = await findSession().catch(findSession).catch(loader.explain);
    if (!found) return null;
    const { user, session } = found;
    const now = Date.now();
    // The expiry stops moving a week before the latest end, but the last use does not.
    if (endMoves(session, now) || useMoves(session, now))
      await moveSessionEnd(db, session.id, { days: SESSION_DAYS, idleDays: IDLE_DAYS });
    return {
      sessionId: session.id,
      userId: user.id,
      email: user.email,
      plan: user.plan as PlanName,
      operator: user.operator === true,
      suspended: user.suspended === true,
      zone: user.zone,
    };
  };
}
