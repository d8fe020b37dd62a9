/** Inserts rows of posts, targets and rules as their modules write them. */
import { randomUUID } from 'node:crypto';
import { uuidv7 } from '../../src/lib/ids.ts';
import type { TestDatabase } from '../harness/database.ts';

export interface Made {
  postId: string;
  targetIds: string[];
}

/** Inserts a post on some accounts, due in an hour and counted like an accepted one. */
export async function makePost(
  db: TestDatabase,
  userId: string,
  accountIds: readonly string[],
  options: { state?: string; ruleId?: string } = {},
): Promise<Made> {
  const { state = 'scheduled', ruleId = null } = options;
  const [mediaId, postId, originId] = [uuidv7(), uuidv7(), randomUUID()];
  await db.execute(
    `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state)
     values ($1::uuid, $2, 'video/' || $1, $1 || '.jpg', 1, '\\x00', '{}', 'stored')`,
    [mediaId, userId],
  );
  await db.execute(
    `insert into post (id, user_id, origin_id, media_id, rule_id, is_repost, description, preview_time_ms, scheduled, date)
     values ($1, $2, $3, $4, $5, $6, 'x', 0, true, app_now())`,
    [postId, userId, originId, mediaId, ruleId, ruleId !== null],
  );
  await db.execute(
    `insert into usage as u (user_id, month, posts)
     values ($1, date_trunc('month', app_now() at time zone 'UTC')::date, 1)
     on conflict (user_id, month) do update set posts = u.posts + 1`,
    [userId],
  );
  await db.execute(
    `insert into user_counter as c (user_id, posts) values ($1, 1)
     on conflict (user_id) do update set posts = c.posts + 1`,
    [userId],
  );
  const targetIds: string[] = [];
  for (const [position, accountId] of accountIds.entries()) {
    const id = uuidv7();
    targetIds.push(id);
    await db.execute(
      `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, due_at, counts_from,
         begun_at)
       select $1, $2, $3, a.id, a.identity_id, $4, $5, $6, app_now() + interval '1 hour', app_now(),
         case when $6 = 'scheduled' then null else app_now() end
       from account a where a.id = $7`,
      [id, postId, userId, originId, position, state, accountId],
    );
  }
  return { postId, targetIds };
}

export async function makeRule(db: TestDatabase, userId: string, from: string, to: readonly string[]): Promise<string> {
  const id = uuidv7();
  await db.execute('insert into rule (id, user_id, from_account) values ($1, $2, $3)', [id, userId, from]);
  for (const [position, account] of to.entries())
    await db.execute('insert into rule_destination (rule_id, account_id, position) values ($1, $2, $3)', [
      id,
      account,
      position,
    ]);
  return id;
}
