/** Records what happens to users through sign-in in the audit trail. */
import { writeAudit } from '../../audit/write-audit.ts';
import type { Database } from '../../db/database.ts';
import type { Log } from '../../lib/log.ts';
import type { AuthRequest } from '../auth-request.ts';
import type { UserMails } from '../user-mails.ts';
import { findUser } from '../user-store.ts';
import type { Account } from './account-of-request.ts';

/** Audit actions for a success and for a failure; null: not recorded. */
export type Audited = readonly [success: string | null, failure: string | null];

export interface AuditRules {
  /** Of requests without a session. */
  visitor?: Audited;
  /** Of requests with a session. `action` of the route replaces the success. */
  session?: Audited;
}

interface Deps {
  db: Database;
  log: Log;
  mails: UserMails;
  /** Identifies an unknown account without its email address. */
  hash(email: string): string;
}

export type Audit = ReturnType<typeof createAudit>;

export function createAudit({ db, log, mails, hash }: Deps) {
  /**
   * Records the outcome of an attempt, and wakes the loop that sends mails if one was queued. A failed write is logged but does not fail the
   * request.
   */
  return async (rules: AuditRules, request: AuthRequest, account: Account, response: Response): Promise<void> => {
    const { route, address } = request;
    const { email, bySession } = account;
    const action = actionOf(rules, request, account, response);
    // 404 and 409: the password was right, but the change was not possible.
    if (action === null || response.status === 404 || response.status === 409) return;
    const actor = bySession ? 'session' : 'visitor';
    try {
      const userId = (await findUser(db, email))?.id ?? null;
      if (route.mails && response.status < 400) mails.wake();
      await writeAudit(db, { userId, actor, address, subject: userId ?? hash(email), action });
    } catch (err) {
      log.error({ err, action }, 'an audit row could not be written');
    }
  };
}

function actionOf(
  { visitor, session }: AuditRules,
  { route }: AuthRequest,
  { bySession }: Account,
  { status }: Response,
): string | null {
  const [success = null, failure = null] = (bySession ? session : visitor) ?? [];
  if (status >= 400) return failure;
  return (bySession && route.action) || success;
}
