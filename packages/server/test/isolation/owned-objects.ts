/** A user with one object of every kind, and what must not reach others. */
import { uuidv7 } from '../../src/lib/ids.ts';
import { addMedia, addPost } from '../harness/rows.ts';
import type { SessionUser, TestService } from '../harness/service.ts';
import { addReadyAccount } from '../post/world.ts';

export interface Owner {
  user: SessionUser;
  /** One id of every kind of object. */
  ids: Readonly<Record<string, string>>;
  /** The id of another account. */
  otherAccount: string;
  /** Texts and ids that no other user may read. */
  secrets: readonly string[];
}

const PRIVATE = 'private-words-of-the-owner';

export async function createOwner(service: TestService): Promise<Owner> {
  const { db, url } = service;
  const user = await service.newSession();
  const account = await addReadyAccount(db, user.userId, { username: PRIVATE });
  const other = await addReadyAccount(db, user.userId);
  const media = await addMedia(db, user.userId);
  const accounts = [account];
  const scheduled = await addPost(db, { userId: user.userId, mediaId: media.id, accounts, dueInMs: 3_600_000 });
  const posted = await addPost(db, { userId: user.userId, mediaId: media.id, accounts, state: 'posted' });
  const failed = await addPost(db, { userId: user.userId, mediaId: media.id, accounts, state: 'working' });
  await db.execute(`update target set state = 'failed', due_at = null where post_id = $1`, [failed.id]);
  await db.execute('update post set description = $2 where user_id = $1', [user.userId, PRIVATE]);
  const rule = await user.post('/repost/add', { from: account.id, to: [other.id] });
  const upload = await user.call('POST', '/uploads', { headers: { 'tus-resumable': '1.0.0', 'upload-length': '5' } });
  const [attempt] = await db.query<{ id: string }>(
    `insert into consent (ticket_hash, user_id, platform, sandbox, choices, input, expires_at, steps)
     values (uuid_send($1::uuid), $1::uuid, 'tiktok', true, '{}', '{}', app_now() + interval '10 minutes', $2) returning id`,
    [user.userId, JSON.stringify([{ at: new Date().toISOString(), step: 'begun', ok: true, text: PRIVATE }])],
  );
  const passkey = uuidv7();
  await db.execute(
    `insert into auth.passkey (id, user_id, name, public_key, credential_id, counter, device_type, backed_up)
     values ($1::uuid, $2, $3, 'key', gen_random_uuid()::text, 0, 'singleDevice', false)`,
    [passkey, user.userId, PRIVATE],
  );
  const [notification] = await db.query<{ id: string }>('select id from notification where user_id = $1', [
    user.userId,
  ]);
  const group = await user.call('PUT', '/account-groups', { json: { name: PRIVATE, accounts: [account.id] } });
  const snippet = await user.call('PUT', '/snippets', { json: { name: 'Private', text: PRIVATE } });
  const channel = await user.post('/user/notification-channels', {
    ...{ kind: 'telegram', name: PRIVATE, token: `1:${PRIVATE}`, chatId: '1' },
  });
  const draft = uuidv7();
  await db.execute('insert into draft (user_id, id, content) values ($1, $2, $3)', [
    user.userId,
    draft,
    {
      ...{ description: PRIVATE, platforms: [account.id], options: {}, scheduled: null },
      previewTime: 0,
      fit: null,
      video: null,
    },
  ]);
  const ids = {
    draft,
    account: account.id,
    'account group': group.body.data.id as string,
    snippet: snippet.body.data.id as string,
    'notification channel': channel.body.data.id as string,
    'scheduled post': scheduled.id,
    'posted post': posted.id,
    'failed post': failed.id,
    target: posted.targets[0] ?? '',
    rule: rule.body.id as string,
    upload: new URL(upload.headers.get('location') ?? '', url).pathname.split('/').at(-1) ?? '',
    attempt: attempt?.id ?? '',
    session: (await user.get('/user/sessions')).body.data[0].id as string,
    passkey,
    notification: notification?.id ?? '',
    picture: media.thumbnail.replace('.jpg', ''),
    user: user.userId,
  };
  return {
    user,
    ids,
    otherAccount: other.id,
    secrets: [PRIVATE, user.email, ...Object.values(ids), other.id, media.id],
  };
}

/** Rows that requests change without being writes. */
const VOLATILE = ['public.rate'];

/**
 * Returns a hash of all rows, to find out whether anything was written.
 * @param userId only rows of this user
 */
export async function hashRows({ db }: TestService, userId: string | null = null): Promise<string> {
  const tables = await tablesOf(db);
  const wanted = tables.filter(({ name, owner }) => (userId === null ? !VOLATILE.includes(name) : owner !== null));
  const selects = wanted.map(
    ({ name, owner }) => `select t::text as row from ${name} t ${userId === null ? '' : `where ${owner} = $1`}`,
  );
  const [row] = await db.query<{ hash: string }>(
    `select md5(coalesce(string_agg(row, '' order by row), '')) as hash from (${selects.join(' union all ')}) rows`,
    userId === null ? [] : [userId],
  );
  return row?.hash ?? '';
}

interface Table {
  name: string;
  /** The column with the user's id; null: rows belong to no user, or to one by another row. */
  owner: string | null;
}

const TABLES = new WeakMap<object, Promise<Table[]>>();

function tablesOf(db: TestService['db']): Promise<Table[]> {
  const found =
    TABLES.get(db) ??
    db.query<Table>(
      `select format('%I.%I', n.nspname, c.relname) as name,
         (select a.attname::text from pg_attribute a where a.attrelid = c.oid and not a.attisdropped
            and a.attname = case c.relname when 'user' then 'id' else 'user_id' end) as owner
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'auth') order by 1`,
    );
  TABLES.set(db, found);
  return found;
}
