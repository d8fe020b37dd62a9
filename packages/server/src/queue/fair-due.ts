/** SQL that selects due rows within the shares of their users. Used by every claim. */
import type { Limits } from './shares.ts';

/** Names and expressions of a table. They come from our source, never from a request. */
export interface DueTable {
  table: string;
  /** The primary key. */
  key: string;
  /** The column with the time from which a row is due. */
  dueAt: string;
  /** Expression of the user whose share the row counts against; null: nobody's. */
  owner: string;
  /** Condition: the row's job asks a server that a user named. */
  ownServer: string;
  /** A further condition on rows. Default: none. */
  where?: string;
  /** Maximum number of due rows to consider. Those of users who have their share are left out before. */
  candidates: string;
}

/** The placeholders of {@link shareParameters}, such as `$3`. */
export interface SharePlaceholders {
  full: string;
  users: string;
  slots: string;
  share: string;
  ownServers: string;
}

/** Whether a row is due and not leased. @param alias the table's alias and a dot, or "" */
export const dueCondition = (dueAt: string, alias = ''): string =>
  `${alias}${dueAt} <= app_now() and (${alias}lease_until is null or ${alias}lease_until <= app_now())`;

/**
 * The subqueries `candidate` (due rows) and `allowed` (those within all shares: key, `due_at`).
 * @returns them without `with`, to be followed by a comma
 */
export function fairDue(from: DueTable, at: SharePlaceholders): string {
  const { table, key, dueAt, owner, ownServer, where = 'true', candidates } = from;
  return `candidate as materialized (
      select ${key}, ${dueAt} as due_at, ${owner} as owner, ${ownServer} as own_server from ${table}
      where ${dueCondition(dueAt)} and ${where}
        and (${owner} is null or ${owner} <> all(${at.full}::uuid[])) and (${at.ownServers} > 0 or not ${ownServer})
      order by ${dueAt} limit ${candidates}),
    ranked as (
      select c.*, coalesce(h.slots, 0) + row_number() over (partition by c.owner order by c.due_at, c.${key}) as place
      from candidate c left join unnest(${at.users}::uuid[], ${at.slots}::integer[]) as h (user_id, slots)
        on h.user_id = c.owner),
    fair as (
      select ${key}, due_at, own_server, row_number() over (partition by own_server order by due_at, ${key}) as place
      from ranked where owner is null or place <= ${at.share}),
    allowed as (select ${key}, due_at from fair where not own_server or place <= ${at.ownServers})`;
}

/** `full`: users with all their slots in use. `users` and `slots`: the others, and how many each uses. */
export function shareParameters({ held, share }: Limits): { full: string[]; users: string[]; slots: number[] } {
  const others = [...held].filter(([, count]) => count < share);
  return {
    full: [...held].flatMap(([id, count]) => (count >= share ? [id] : [])),
    users: others.map(([id]) => id),
    slots: others.map(([, count]) => count),
  };
}
