/** Inserts rows that a test needs, bypassing the operations under test. */
import type { Queryable } from '../../src/db/database.ts';
import { uuidv7 } from '../../src/lib/ids.ts';

export interface AccountRow {
  id: string;
  identityId: string;
}

/** Inserts a connected account with its own identity and lane. */
export async function addAccount(
  db: Queryable,
  userId: string,
  given: { platform?: string; username?: string; status?: string; sandbox?: boolean; avatar?: string } = {},
): Promise<AccountRow> {
  const id = uuidv7();
  const identityId = uuidv7();
  const {
    platform = 'tiktok',
    username = `name-${id.slice(-6)}`,
    status = 'CONNECTED',
    sandbox = true,
    avatar,
  } = given;
  await db.execute(`insert into identity (id, platform, service, remote_id) values ($1, $2, '', $3)`, [
    identityId,
    platform,
    id,
  ]);
  await db.execute('insert into lane (identity_id, user_id) values ($1, $2)', [identityId, userId]);
  await db.execute(
    `insert into account (id, user_id, identity_id, platform, username, display_name, avatar, status, sandbox, capabilities)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, '{}')`,
    [id, userId, identityId, platform, username, `Name of ${username}`, avatar ?? null, status, sandbox],
  );
  return { id, identityId };
}

/** A tuple of accounts. */
export type AccountRows<Count extends number, Rows extends AccountRow[] = []> = Rows['length'] extends Count
  ? Rows
  : AccountRows<Count, [...Rows, AccountRow]>;

/** Adds accounts one after the other, so that their ids ascend. */
export async function addAccounts<Count extends number>(
  count: Count,
  add: () => Promise<AccountRow>,
): Promise<AccountRows<Count>> {
  const rows: AccountRow[] = [];
  while (rows.length < count) rows.push(await add());
  return rows as AccountRows<Count>;
}

/**
 * Inserts a stored video without a file.
 * @returns its id and the name of its thumbnail
 */
export async function addMedia(db: Queryable, userId: string): Promise<{ id: string; thumbnail: string }> {
  const id = uuidv7();
  const thumbnail = `${uuidv7()}.jpg`;
  await db.execute(
    `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state)
     values ($1, $2, $3, $4, 1, '\\x00', '{"durationMs": 5000, "mime": "video/mp4"}', 'stored')`,
    [id, userId, `videos/${id}`, thumbnail],
  );
  return { id, thumbnail };
}

/** Inserts a post, optionally by a rule, with one target per account. It counts in the month and in the history. */
export async function addPost(
  db: Queryable,
  given: {
    userId: string;
    mediaId: string;
    accounts: readonly AccountRow[];
    ruleId?: string;
    state?: 'scheduled' | 'working' | 'posted';
    dueInMs?: number;
  },
): Promise<{ id: string; targets: string[] }> {
  const id = uuidv7();
  const { userId, mediaId, accounts, ruleId = null, state = 'scheduled', dueInMs = 0 } = given;
  await db.execute(
    `insert into post (id, user_id, origin_id, media_id, rule_id, is_repost, description, preview_time_ms, scheduled, date, created_at)
     values ($1, $2, $1, $3, $4::uuid, $4::uuid is not null, '', 0, $5 > 0, app_now() + $5 * interval '1 millisecond', app_now())`,
    [id, userId, mediaId, ruleId, dueInMs],
  );
  const targets: string[] = [];
  for (const [position, account] of accounts.entries()) {
    const target = uuidv7();
    targets.push(target);
    await db.execute(
      `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, due_at, begun_at, counts_from)
       values ($1, $2, $3, $4, $5, $2, $6, $7::text,
         case when $7 = 'posted' then null else app_now() + $8 * interval '1 millisecond' end,
         case when $7 = 'scheduled' then null else app_now() end, app_now() + $8 * interval '1 millisecond')`,
      [target, id, userId, account.id, account.identityId, position, state, dueInMs],
    );
  }
  await db.execute(
    `insert into usage (user_id, month, posts) values ($1, date_trunc('month', app_now() at time zone 'UTC')::date, 1)
     on conflict (user_id, month) do update set posts = usage.posts + 1`,
    [userId],
  );
  await db.execute(
    `insert into user_counter (user_id, posts) values ($1, 1)
     on conflict (user_id) do update set posts = user_counter.posts + 1`,
    [userId],
  );
  return { id, targets };
}
