/** SQL of warnings: watches that fail, and sources that cannot be watched. */
import type { Queryable } from '../db/database.ts';
import type { MessageRef } from '../messages/message.ts';

/** How long a watch fails before anybody is warned. Short outages of platforms are normal. */
const AFTER = `interval '1 hour'`;

export interface FailingWatch {
  id: string;
  platform: string;
  since: Date;
  /** The code of its problem. */
  code: string | null;
}

/** Returns watches that have failed for an hour, each once per failure. */
export function claimFailing(db: Queryable): Promise<FailingWatch[]> {
  return db.query<FailingWatch>(
    `update watch set warned_since = failing_since
     where failing_since <= app_now() - ${AFTER} and warned_since is distinct from failing_since
     returning id, platform, failing_since as since, problem->>'code' as code`,
  );
}

/** A connected account whose new posts rules do not see. */
export interface UnreadAccount {
  id: string;
  platform: string;
  username: string;
  status: string;
  watch: 'own' | 'announce' | 'poll' | 'push' | null;
  failingSince: Date | null;
  problem: MessageRef | null;
}

/**
 * The user's accounts with active rules that are disconnected, or whose watch has failed for an hour. Indexes:
 * account_listing, rule_source, primary keys.
 * @param accountId only this account
 */
export function listUnread(db: Queryable, userId: string, accountId: string | null = null): Promise<UnreadAccount[]> {
  return db.query<UnreadAccount>(
    `select a.id, a.platform, a.username, a.status, a.capabilities->>'watch' as watch, w.failing_since as "failingSince",
       w.problem
     from account a join identity d on d.id = a.identity_id left join watch w on w.id = d.watch_id
     where a.user_id = $1 and ($2::uuid is null or a.id = $2) and a.status <> 'DISCONNECTED'
       and (a.status <> 'CONNECTED' or w.failing_since <= app_now() - ${AFTER})
       and exists (select from rule r where r.from_account = a.id and not r.is_paused)`,
    [userId, accountId],
  );
}
