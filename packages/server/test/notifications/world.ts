/** Facts that users are notified of, for tests. */
import type { Queryable } from '../../src/db/database.ts';
import type { Message } from '../../src/messages/message.ts';
import { type AccountRow, addMedia, addPost } from '../harness/rows.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Adds a post that failed on each of the accounts. Its targets are due in a day until they have failed: the workers of a
 * running service would send them otherwise.
 * @returns its id
 */
export async function failPost(
  db: Queryable,
  userId: string,
  accounts: readonly AccountRow[],
  { description = '', ...failure }: { description?: string } & FailureOptions = {},
): Promise<string> {
  const media = await addMedia(db, userId);
  const post = { userId, mediaId: media.id, accounts, state: 'working', dueInMs: DAY_MS } as const;
  const { id, targets } = await addPost(db, post);
  await db.execute('update post set description = $2, scheduled = false, date = app_now() where id = $1', [
    id,
    description,
  ]);
  for (const target of targets) await failTarget(db, target, failure);
  return id;
}

export interface FailureOptions {
  code?: string;
  detail?: string | null;
  /** Written to the timeline; the detail is its English text. */
  reason?: Message;
}

export async function failTarget(
  db: Queryable,
  id: string,
  { code = 'platform_error', reason, detail = reason?.text ?? null }: FailureOptions = {},
): Promise<void> {
  await db.execute(
    `update target set state = 'failed', due_at = null, settled_at = app_now(), code = $2, detail = $3,
       version = version + 1 where id = $1`,
    [id, code, detail],
  );
  if (!reason) return;
  await db.execute(`insert into timeline (target_id, event, code, params) values ($1, 'failed', $2, $3)`, [
    id,
    reason.code,
    JSON.stringify(reason.params),
  ]);
}

/** Lets failed targets of a post start over. */
export async function retryPost(db: Queryable, postId: string): Promise<void> {
  await db.execute(
    `update target set state = 'waiting', due_at = app_now(), settled_at = null, code = null, version = version + 1
     where post_id = $1 and state = 'failed'`,
    [postId],
  );
}

export async function endAccess(db: Queryable, { id }: AccountRow): Promise<void> {
  await db.execute(`update account set status = 'EXPIRED' where id = $1`, [id]);
}

/** Gives the account an access that ends in one hour, or after these days if it cannot be renewed further. */
export async function grantFor(db: Queryable, { id }: AccountRow, days: number): Promise<void> {
  await db.execute(
    `with made as (
       insert into access_grant (user_id, platform, service, kind, sandbox, sealed, scopes, expires_at, refresh_expires_at)
         select user_id, platform, '', 'oauth', false, '', '{}', app_now() + interval '1 hour', app_now() + $2 * interval '1 day'
         from account where id = $1
       returning id)
     update account set grant_id = made.id from made where account.id = $1`,
    [id, days],
  );
}

export interface TroubleOptions {
  code?: string;
  /** Failures since the last progress. */
  attempts?: number;
  dueInMs?: number;
  reason?: Message;
  platformCode?: string;
}

/** Lets the target wait for its next attempt, as a worker does. */
export async function troubleTarget(
  db: Queryable,
  id: string,
  { code = 'platform_unavailable', attempts = 2, dueInMs = 30_000, reason, platformCode }: TroubleOptions = {},
): Promise<void> {
  await db.execute(
    `update target set state = 'waiting', due_at = app_now() + $3 * interval '1 millisecond', version = version + 1,
       trouble = $2::jsonb || jsonb_build_object('since',
         coalesce((trouble->>'since')::bigint, floor(extract(epoch from app_now()) * 1000)))
     where id = $1`,
    [id, JSON.stringify({ code, attempts, reason: reason ?? null, platformCode: platformCode ?? null }), dueInMs],
  );
}
