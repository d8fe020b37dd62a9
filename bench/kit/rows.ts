/** Bulk inserts directly into the database. */
import { grantPurpose } from '@reelay/server/accounts/tokens/token-secret.ts';
import { connector as tiktok } from '../../packages/server/src/connectors/tiktok/index.ts';
import type { Database } from '../../packages/server/src/db/database.ts';
import type { Sealer } from '../../packages/server/src/lib/encryption/seal.ts';
import { uuidv7 } from '../../packages/server/src/lib/ids.ts';
import type { VideoFacts } from '../../packages/server/src/media/types.ts';
import type { TikTokReady } from '../programs/tiktok.ts';

export interface Account {
  id: string;
  identityId: string;
  userId: string;
}

export async function addUsers(db: Database, count: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `insert into auth."user" (name, email) select 'Bench', 'bench-' || gen_random_uuid() || '@example.org'
     from generate_series(1, $1) returning id`,
    [count],
  );
  return rows.map((row) => row.id);
}

/** Connects sandbox accounts of TikTok with encrypted tokens, assigned to the users in turn. */
export async function connectAccounts(
  db: Database,
  sealer: Sealer,
  users: readonly string[],
  simulated: TikTokReady['accounts'],
): Promise<Account[]> {
  const made = simulated.map((each, index) => {
    const grantId = uuidv7();
    const tokens = tiktok.oauth.tokensFrom?.(each.tokenAnswer, '');
    if (!tokens) throw new Error('Tokens cannot be read from a response any more.');
    return {
      ...each,
      id: uuidv7(),
      identityId: uuidv7(),
      userId: users[index % users.length] ?? '',
      grantId,
      sealed: sealer.seal(tokens.secret, grantPurpose(grantId)),
      scopes: tokens.scopes,
    };
  });
  const column = <K extends keyof (typeof made)[number]>(name: K) => made.map((each) => each[name]);
  await db.transaction(async (tx) => {
    await tx.execute(
      `insert into identity (id, platform, service, remote_id)
       select id, 'tiktok', '', remote from unnest($1::uuid[], $2::text[]) as g (id, remote)`,
      [column('identityId'), column('remoteId')],
    );
    await tx.execute('insert into lane (identity_id, user_id) select * from unnest($1::uuid[], $2::uuid[])', [
      column('identityId'),
      column('userId'),
    ]);
    await tx.execute(
      `insert into access_grant (id, user_id, platform, service, kind, sandbox, sealed, scopes, expires_at)
       select id, owner, 'tiktok', '', 'oauth', true, sealed, $4::text[], app_now() + interval '2 hours'
       from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as g (id, owner, sealed)`,
      [column('grantId'), column('userId'), column('sealed'), made[0]?.scopes ?? []],
    );
    await tx.execute(
      `insert into account (id, user_id, identity_id, grant_id, platform, username, display_name, status, sandbox,
         capabilities, choices)
       select id, owner, identity, grant_id, 'tiktok', name, name, 'CONNECTED', true, $6::jsonb,
         '{"privacy": "PUBLIC_TO_EVERYONE"}'
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[]) as g (id, owner, identity, grant_id, name)`,
      [
        column('id'),
        column('userId'),
        column('identityId'),
        column('grantId'),
        column('username'),
        JSON.stringify(tiktok.capabilities),
      ],
    );
  });
  return made.map(({ id, identityId, userId }) => ({ id, identityId, userId }));
}

/**
 * Inserts a stored video for each user, all sharing one file.
 * @returns ids in the order of the users
 */
export async function addMedia(
  db: Database,
  users: readonly string[],
  video: { sha256: Buffer; facts: VideoFacts },
): Promise<{ id: string; storageKey: string }[]> {
  const made = users.map(() => uuidv7()).map((id) => ({ id, storageKey: `videos/${id}` }));
  await db.execute(
    `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state)
     select id, owner, key, id || '.jpg', $4, $5, $6, 'stored'
     from unnest($1::uuid[], $2::uuid[], $3::text[]) as g (id, owner, key)`,
    [
      made.map((each) => each.id),
      users,
      made.map((each) => each.storageKey),
      video.facts.bytes,
      video.sha256,
      JSON.stringify(video.facts),
    ],
  );
  return made;
}

/** Inserts one post with one target for each account, all due at the same time. */
export async function schedule(
  db: Database,
  accounts: readonly Account[],
  mediaOf: (userId: string) => string,
  due: Date,
): Promise<void> {
  const posts = accounts.map(() => uuidv7());
  const owners = accounts.map((each) => each.userId);
  const identities = accounts.map((each) => each.identityId);
  await db.transaction(async (tx) => {
    await tx.execute(
      `insert into post (id, user_id, origin_id, media_id, description, preview_time_ms, scheduled, date)
       select id, owner, id, media, 'Due with all the others', 0, true, $4
       from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as g (id, owner, media)`,
      [posts, owners, owners.map(mediaOf), due],
    );
    await tx.execute(
      `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, due_at, counts_from)
       select id, post, owner, account, identity, post, 0, 'scheduled', $6::timestamptz, $6::timestamptz
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) as g (id, post, owner, account, identity)`,
      [posts.map(() => uuidv7()), posts, owners, accounts.map((each) => each.id), identities, due],
    );
    await tx.execute('update lane set next_due_at = $2 where identity_id = any($1::uuid[])', [identities, due]);
  });
}

/** Posts of one transaction: the time limit of a statement holds on a busy machine, too. */
const POSTS_AT_ONCE = 10_000;

/** Inserts published posts, one per minute up to now, on the user's accounts in turn. */
export async function addPosts(
  db: Database,
  user: { userId: string; accounts: readonly Account[] },
  count: number,
): Promise<void> {
  for (let first = 1; first <= count; first += POSTS_AT_ONCE)
    await addNumberedPosts(db, user, first, Math.min(count, first + POSTS_AT_ONCE - 1));
  await db.execute('insert into user_counter (user_id, posts) values ($1, $2)', [user.userId, count]);
}

async function addNumberedPosts(
  db: Database,
  user: { userId: string; accounts: readonly Account[] },
  first: number,
  last: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(
      `create temporary table made on commit drop as
       select n, uuid_v7() as post, uuid_v7() as target, uuid_v7() as media, 1 + n % $3 as place,
         app_now() - n * interval '1 minute' as at from generate_series($1::int, $2::int) n`,
      [first, last, user.accounts.length],
    );
    await tx.execute(
      `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state)
       select media, $1, 'videos/' || media, media || '.jpg', 1, '\\x00', '{"durationMs": 5000}', 'gone' from made`,
      [user.userId],
    );
    await tx.execute(
      `insert into post (id, user_id, origin_id, media_id, description, preview_time_ms, scheduled, date)
       select post, $1, post, media, 'Post number ' || n || ' of many, with a description of an ordinary length.', 0,
         false, at from made`,
      [user.userId],
    );
    await tx.execute(
      `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, counts_from,
         begun_at, published_at, settled_at, remote_id, url)
       select target, post, $1, ($2::uuid[])[place], ($3::uuid[])[place], post, 0, 'posted', at, at, at, at, n,
         'https://www.tiktok.com/@bench/video/' || n from made`,
      [user.userId, user.accounts.map((each) => each.id), user.accounts.map((each) => each.identityId)],
    );
  });
}
