/** The users of the service, for the operator. */
import type { PlanName } from '../config/plan-names.ts';
import type { Plans } from '../config/plans.ts';
import type { Database, Transaction } from '../db/database.ts';
import { cursorText, parseCursor } from '../errors/cursor.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { isUuid } from '../lib/ids.ts';
import { containsPattern } from '../posts/search.ts';
import { endSessions, setColumn } from '../users/user-store.ts';
import { type ListedUserRow, lockUser, readUsers } from './user-store.ts';

export interface UserPageRequest {
  /** Part of the email address or of the name, in any case. */
  text?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** A page of users with plan, usage and state, newest first. @throws ReelayError `invalid_request` for a foreign cursor */
export async function userPage(db: Database, plans: Plans, { text, cursor, limit }: UserPageRequest) {
  const pattern = text === undefined ? null : containsPattern(text);
  const rows = await readUsers(db, { after: parseCursor(cursor), pattern, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { data: shown.map((row) => present(row, plans)), next: last && rows.length > limit ? cursorText(last) : null };
}

function present(row: ListedUserRow, plans: Plans) {
  const plan = plans[row.plan];
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    plan: row.plan,
    operator: row.operator,
    suspended: row.suspended,
    secondFactor: row.second_factor,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    limits: [
      { name: 'posts_per_month' as const, value: plan.postsPerMonth, used: row.posts },
      { name: 'connected_accounts' as const, value: plan.connectedAccounts, used: row.accounts },
      { name: 'rules' as const, value: plan.rules, used: row.rules },
      { name: 'scheduled_ahead' as const, value: plan.scheduledAhead, used: row.scheduled },
    ],
  };
}

/** Existing data beyond the new plan's limits stays. @throws ReelayError `unknown_user` */
export function changePlan(db: Database, userId: string, plan: PlanName): Promise<void> {
  return withUser(db, userId, (tx) => setColumn(tx, userId, 'plan', plan));
}

/**
 * Rejects all further requests of the user and ends the sessions. Scheduled posts are still published.
 * @throws ReelayError `unknown_user`; `not_suspendable` for an operator
 */
export function suspend(db: Database, userId: string): Promise<void> {
  return withUser(db, userId, async (tx, { operator }) => {
    if (operator) throw new ReelayError('not_suspendable');
    await setColumn(tx, userId, 'suspended', true);
    await endSessions(tx, userId);
  });
}

/** @throws ReelayError `unknown_user` */
export function resume(db: Database, userId: string): Promise<void> {
  return withUser(db, userId, (tx) => setColumn(tx, userId, 'suspended', false));
}

async function withUser(
  db: Database,
  userId: string,
  change: (tx: Transaction, user: { operator: boolean }) => Promise<void>,
): Promise<void> {
  if (!isUuid(userId)) throw new ReelayError('unknown_user');
  await db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new ReelayError('unknown_user');
    await change(tx, user);
  });
}
