import type { Queryable } from '../db/database.ts';
import type { MessageRef } from '../messages/message.ts';
import type { StoredValues } from './settings/account-settings.ts';

export interface PlatformRow {
  id: string;
  platform: string;
  display_name: string;
  username: string;
  avatar: string | null;
  status: 'CONNECTED' | 'EXPIRED' | 'REVOKED';
  sandbox: boolean;
  kind: 'oauth' | 'credentials' | null;
  expiresAt: Date | null;
  refreshExpiresAt: Date | null;
  grantId: string | null;
  sealed: Buffer | null;
  /** Why its tokens could not be refreshed, twice or more in a row, since when (ms since the epoch); null: they could. */
  refreshFailure: { since: number; reason: MessageRef } | null;
}

const COLUMNS = `a.id, a.platform, a.display_name, a.username, a.avatar, a.status, a.sandbox, g.kind,
  g.expires_at as "expiresAt", g.refresh_expires_at as "refreshExpiresAt", g.id as "grantId", g.sealed,
  case when g.attempts > 1 then g.refresh_failure end as "refreshFailure"`;

/**
 * The user's accounts, ordered by time of connection, without disconnected ones. Indexes: `account_listing`, primary
 * key.
 */
export function listPlatforms(db: Queryable, userId: string): Promise<PlatformRow[]> {
  return db.query<PlatformRow>(
    `select ${COLUMNS} from account a left join access_grant g on g.id = a.grant_id
     where a.user_id = $1 and a.status <> 'DISCONNECTED' order by a.connected_at, a.id`,
    [userId],
  );
}

export type OwnAccountRow = PlatformRow & {
  identityId: string;
  /** The account's server, for platforms with many; else "". */
  service: string;
  choices: Record<string, string>;
  choiceValues: StoredValues;
  /** When it was last read from the platform. */
  checkedAt: Date | null;
};

/** One account of the user, with its choices. Indexes: primary keys. */
export async function findOwnAccount(db: Queryable, userId: string, id: string): Promise<OwnAccountRow | null> {
  const [row] = await db.query<OwnAccountRow>(
    `select ${COLUMNS}, a.identity_id as "identityId", a.service, a.choices, a.choice_values as "choiceValues",
       a.checked_at as "checkedAt"
     from account a left join access_grant g on g.id = a.grant_id
     where a.id = $2 and a.user_id = $1 and a.status <> 'DISCONNECTED'`,
    [userId, id],
  );
  return row ?? null;
}

/** What disconnecting an account would end. */
export interface LostByDisconnect {
  /** Scheduled posts that would fail. */
  posts: number;
  /** Rules from this account, or with no other destination. */
  rules: number;
  /** Rules that would lose a destination. */
  changedRules: number;
}

/** Indexes: `target_account`, `rule_source`, `rule_destination_account`. */
export async function countLost(db: Queryable, accountId: string): Promise<LostByDisconnect> {
  const [row] = await db.query<LostByDisconnect>(
    `with touched as (
       select r.id, r.from_account = $1 or not exists (
         select from rule_destination o where o.rule_id = r.id and o.account_id <> $1) as deleted
       from rule r where r.id in (
         select id from rule where from_account = $1
         union select rule_id from rule_destination where account_id = $1))
     select
       (select count(*) from target where account_id = $1 and due_at is not null and state = 'scheduled'
           and not unproven) as posts,
       (select count(*) from touched where deleted) as rules,
       (select count(*) from touched where not deleted) as "changedRules"`,
    [accountId],
  );
  return row ?? { posts: 0, rules: 0, changedRules: 0 };
}
