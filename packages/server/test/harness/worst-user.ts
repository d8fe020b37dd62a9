/** A user with as much of everything as one user can have, as rows. For tests and benchmarks of what requests cost. */
import { MAX_ATTEMPTS, MAX_STEPS } from '../../src/accounts/connect/attempt-store.ts';
import { connectors } from '../../src/connectors/registry.ts';
import type { Queryable } from '../../src/db/database.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { TEXT_LIMITS } from '../../src/lib/text.ts';
import { contentKey } from '../../src/lineage/content.ts';
import { MAX_PREVIEWS } from '../../src/media/rendition/preview-store.ts';
import { sayChannel } from '../../src/messages/channels.ts';
import { say } from '../../src/messages/timeline.ts';
import { MAX_LINES } from '../../src/publishing/timeline-store.ts';
import { messageOf } from './message.ts';

/** The ids that requests name. */
export interface WorstUser {
  userId: string;
  /** Connected, with limits that all differ. The first one is the source of the rule. */
  accounts: string[];
  /** The most that one post or rule may have: all but the first and the last. */
  destinations: string[];
  /** Stored before templates were limited to what is accepted today. */
  rule: string;
  /** A skipped item of the rule. */
  item: string;
  /** Failed on all destinations, with long timelines. */
  post: string;
  /** Another one. */
  oldPost: string;
  /** Not begun, on all destinations. */
  scheduled: string;
  /** Another one. */
  movable: string;
  /** In trouble on all destinations. */
  troubled: string;
  /** Its thumbnail. */
  filename: string;
  notification: string;
  attempt: string;
  session: string;
  passkey: string;
  /** Ids of found posts. */
  found: string[];
  group: string;
  snippet: string;
  channel: string;
  draft: string;
  /** Finished. */
  upload: string;
  /** Another user. */
  other: string;
}

/** Accounts of one post or rule. */
const DESTINATIONS = 50;
/** Accounts of one user: what the plan allows, less those of a sandbox. */
const ACCOUNTS = 150 - Object.keys(connectors).length;
/** Account groups of one user, less one that is saved. */
const GROUPS = 49;
/** Snippets of one user, less one that is saved. */
const SNIPPETS = 49;
/** Devices and chats of one user, less one that is added. */
const CHANNELS = 9;
/** Drafts of one user, less one that is moved from a post. */
const DRAFTS = 99;
/** Posts beyond the largest page. */
const POSTS = 110;
/** Found posts: as many as a rule may select. */
const FOUND = 1_000;
/** Those with a long text: more than a page of the activity. */
const LONG_FOUND = 60;

/** In UTF-16 units; what a found post may have. */
const FOUND_TEXT = 20_000;
/** No post is too long for it, in any unit. */
const MAX_CAPTION = 100_000;
/** In code points; what a post or template may have. */
const DESCRIPTION = 5_000;

/** One letter of eleven UTF-16 units. */
export const FAMILY = '👨‍👩‍👧‍👦';

/** @param maxLength in UTF-16 units @param letters what it repeats */
export const longText = (maxLength: number, letters = FAMILY): string =>
  letters.repeat(Math.max(1, Math.floor(maxLength / letters.length)));

/** A text of at most 5,000 code points. */
export const longDescription = (letters = FAMILY): string =>
  letters.repeat(Math.floor(DESCRIPTION / [...letters].length));

/** A caption that is inserted as often as a template of 5,000 characters can name it. */
export const LONGEST_TEMPLATE = '{caption}'.repeat(Math.floor(DESCRIPTION / '{caption}'.length));

/** A rule's options, each as large as it may be. */
function largestOptions() {
  const words = Array.from({ length: 50 }, (_, index) => `${index}${longText(197)}`);
  return {
    caption: { template: LONGEST_TEMPLATE, append: LONGEST_TEMPLATE, removeMentions: true, removeHashtags: true },
    filters: { excludes: words },
    quietHours: { from: '22:00', to: '21:59', zone: 'America/Argentina/ComodRivadavia' },
    backCatalog: { order: 'oldest', perDay: 50, items: Array.from({ length: 1_000 }, uuidv7) },
  };
}

/** @param letters what texts repeat */
export async function addWorstUser(
  db: Queryable,
  { userId, letters = FAMILY, rules = 1 }: { userId: string; letters?: string; rules?: number },
): Promise<WorstUser> {
  const accounts = await addAccounts(db, userId);
  const destinations = accounts.slice(1, DESTINATIONS + 1);
  const posts = await addPosts(db, { userId, destinations, text: longDescription(letters) });
  const rule = await addRules(db, { userId, accounts, rules });
  const found = await addFound(db, { userId, rule, source: accounts[0] ?? '', text: longText(FOUND_TEXT, letters) });
  const others = await addOthers(db, userId, accounts);
  await addPreviews(db, { userId, post: posts.post, upload: others.upload });
  return { userId, accounts, destinations, rule, ...found, ...posts, ...others };
}

/** As many previews as a user may have: those of a post and of an upload are the newest. */
async function addPreviews(db: Queryable, { userId, post, upload }: { userId: string; post: string; upload: string }) {
  await db.execute(
    `with videos as (
       select id as media_id, null::uuid as upload_id, 0 as age from media where id = $2
       union all select null, $3::uuid, 0
       union all (select id, null, 1 from media where user_id = $1 and id <> $2 order by id desc limit ${MAX_PREVIEWS - 2}))
     insert into rendition (media_id, upload_id, user_id, spec_key, storage_key, state, bytes, sha256, facts, due_at, created_at)
     select media_id, upload_id, $1, 'preview', 'renditions/' || coalesce(media_id, upload_id), 'stored', 1, '\\x00', '{}', null,
       app_now() - age * interval '1 hour'
     from videos`,
    [userId, post, upload],
  );
}

async function addAccounts(db: Queryable, userId: string): Promise<string[]> {
  const kinds = Object.values(connectors);
  // Most are of one platform whose servers have limits of their own.
  const made = Array.from({ length: ACCOUNTS }, (_, index) => {
    const connector = kinds[index - 1] ?? connectors.mastodon;
    if (!connector) throw new Error('The connector is missing.');
    const { capabilities, id: platform, choices } = connector;
    return {
      ...{ id: uuidv7(), identity: uuidv7(), platform },
      choices: Object.fromEntries(choices.map(({ name, values }) => [name, values[0]?.value])),
      capabilities: {
        ...capabilities,
        caption: { ...capabilities.caption, maxLength: MAX_CAPTION + index, maxBytes: undefined },
      },
    };
  });
  const given = JSON.stringify(made);
  const ROWS = `jsonb_to_recordset($1::jsonb) as g (id uuid, identity uuid, platform text, choices jsonb, capabilities jsonb)`;
  await db.execute(
    `insert into identity (id, platform, service, remote_id) select identity, platform, '', id::text from ${ROWS}`,
    [given],
  );
  await db.execute(`insert into lane (identity_id, user_id) select identity, $2::uuid from ${ROWS}`, [given, userId]);
  await db.execute(
    `insert into account (id, user_id, identity_id, platform, username, display_name, status, sandbox, capabilities, choices)
     select id, $2, identity, platform, 'n' || right(id::text, 12), repeat('name', 40), 'CONNECTED', false, capabilities, choices
     from ${ROWS}`,
    [given, userId],
  );
  return made.map(({ id }) => id);
}

/** A step of an attempt, with the longest texts that are stored. */
const LONG_STEP = JSON.stringify({
  at: '2026-01-01T00:00:00.000Z',
  step: 'answer',
  ok: false,
  message: messageOf('x'.repeat(TEXT_LIMITS.sentence)),
  platformCode: 'x'.repeat(TEXT_LIMITS.code),
  platformRequestId: 'x'.repeat(TEXT_LIMITS.code),
});

/** Failed posts on all destinations, two that are scheduled, and one that is in trouble. */
async function addPosts(
  db: Queryable,
  { userId, destinations, text }: { userId: string; destinations: readonly string[]; text: string },
): Promise<Pick<WorstUser, 'post' | 'oldPost' | 'scheduled' | 'movable' | 'troubled' | 'filename'>> {
  const posts = Array.from({ length: POSTS }, uuidv7);
  await db.execute(
    `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state)
     select id, $2, 'videos/' || id, id || '.jpg', 1, '\\x00', '{"durationMs": 5000, "mime": "video/mp4"}', 'stored'
     from unnest($1::uuid[]) as g (id)`,
    [posts, userId],
  );
  await db.execute(
    `insert into post (id, user_id, origin_id, media_id, description, preview_time_ms, scheduled, date)
     select id, $2, id, id, $3, 0, true, app_now() + (50 - place) * interval '1 hour'
     from unnest($1::uuid[]) with ordinality as g (id, place)`,
    [posts, userId, text],
  );
  const [scheduled = '', post = '', oldPost = '', troubled = '', movable = ''] = posts;
  await db.execute(
    `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, due_at, counts_from,
       begun_at, settled_at, code, detail)
     select uuid_v7(), p, $2, a.id, a.identity_id, p, place, case when p = any($4) then 'scheduled' else 'failed' end,
       case when p = any($4) then app_now() + interval '50 hours' end, app_now(), case when p <> all($4) then app_now() end,
       case when p <> all($4) then app_now() end, case when p <> all($4) then 'platform_error' end,
       case when p <> all($4) then repeat('x', 1000) end
     from unnest($1::uuid[]) p cross join unnest($3::uuid[]) with ordinality as g (id, place)
       join account a on a.id = g.id`,
    [posts, userId, destinations, [scheduled, movable]],
  );
  const reason = say('platform_says', { reason: 'x', words: 'x'.repeat(TEXT_LIMITS.sentence) });
  await db.execute(
    `update target set state = 'waiting', due_at = app_now() + interval '1 hour', settled_at = null, code = null, detail = null,
       trouble = $2 where post_id = $1`,
    [
      troubled,
      { code: 'platform_unavailable', reason, platformCode: 'x'.repeat(TEXT_LIMITS.code), since: 0, attempts: 1 },
    ],
  );
  await db.execute(
    `insert into timeline (target_id, event, text)
     select t.id, 'waiting', repeat('x', 300) from target t cross join generate_series(1, $2) where t.post_id = $1`,
    [post, MAX_LINES],
  );
  await db.execute('insert into user_counter (user_id, posts) values ($1, $2)', [userId, posts.length]);
  return { post, oldPost, scheduled, movable, troubled, filename: `${post}.jpg` };
}

async function addRules(
  db: Queryable,
  { userId, accounts, rules }: { userId: string; accounts: readonly string[]; rules: number },
): Promise<string> {
  const ids = Array.from({ length: rules }, uuidv7);
  await db.execute(
    `insert into rule (id, user_id, from_account, options) select id, $2, $3, $4 from unnest($1::uuid[]) as g (id)`,
    [ids, userId, accounts[0], JSON.stringify(largestOptions())],
  );
  await db.execute(
    `insert into rule_destination (rule_id, account_id, position)
     select r, a, place from unnest($1::uuid[]) r cross join unnest($2::uuid[]) with ordinality as g (a, place)`,
    [ids, accounts.slice(1, DESTINATIONS + 1)],
  );
  await db.execute(
    'insert into rule_interval (rule_id, active_from) select id, app_now() from unnest($1::uuid[]) as g (id)',
    [ids],
  );
  return ids[0] ?? '';
}

/** Found posts with their ledger entries, which the rule has skipped. */
async function addFound(
  db: Queryable,
  { userId, rule, source, text }: { userId: string; rule: string; source: string; text: string },
): Promise<Pick<WorstUser, 'item' | 'found'>> {
  const rows = await db.query<{ id: string; found: string }>(
    `with found as (
       insert into watched_post (identity_id, user_id, remote_id, published_at, text, url, duration_ms, width, height,
           is_public, public_in_time, file, state, origin_id, due_at)
         select a.identity_id, a.user_id, n::text, app_now() - n * interval '1 minute',
           case when n <= ${LONG_FOUND} then $3 else n::text end, repeat('u', 2000), 9000, 540,
           960, true, true, '{}', 'foreign', uuid_v7(), null
         from account a cross join generate_series(1, ${FOUND}) n where a.id = $2
         returning *),
     placed as (
       insert into placement (origin_id, identity_id, remote_id, duration_ms, normal_text, content_key, published_at)
         select origin_id, identity_id, remote_id, duration_ms, text, $5, published_at from found)
     insert into firing (rule_id, user_id, origin_id, watched_post_id, state, reason, decided_at, due_at)
       select $4, $1, origin_id, id, 'skipped', '{"code": "gone", "params": {}}', app_now(), null from found returning id, watched_post_id as found`,
    [userId, source, text, rule, contentKey(text)],
  );
  return { item: rows[0]?.id ?? '', found: rows.map(({ found }) => found) };
}

/** The texts and accounts of a draft. All options have at most 65,536 UTF-16 units. @param letters what texts repeat */
export function draftTexts(accounts: readonly string[], letters = FAMILY) {
  const captions = accounts.map((id) => [id, { caption: longText(300, letters), values: {} }]);
  return { description: longText(20_000, letters), platforms: accounts, options: Object.fromEntries(captions) };
}

/** As large as it may be. */
function largestDraft(accounts: readonly string[]) {
  return {
    ...draftTexts(accounts),
    ...{ scheduled: 1_900_000_000_000, previewTime: 1.5, fit: 'pad' },
    ...{ cropPosition: 0.25, trimStart: 1.25, trimEnd: 91.25 },
    video: { uploadId: uuidv7(), name: longText(255), bytes: 500_000_000, lastModified: 1_900_000_000_000 },
  };
}

/** Notifications, attempts, sessions and passkeys. */
async function addOthers(db: Queryable, userId: string, accounts: readonly string[]) {
  const first = async (sql: string, values: unknown[]) => (await db.query<{ id: string }>(sql, values))[0]?.id ?? '';
  return {
    notification: await first(
      `insert into notification (user_id, kind, post_id, account_id, occurrence)
       select $1, 'post_failed', p.id, $2, '1' from post p where p.user_id = $1 returning id`,
      [userId, accounts[0]],
    ),
    attempt: await first(
      `with made as (insert into consent (ticket_hash, user_id, platform, sandbox, choices, input, expires_at, steps)
         select sha256(convert_to(n || $1::text, 'UTF8')), $1::uuid, 'mastodon', false, '{}', '{}', app_now(),
           (select jsonb_agg($2::jsonb) from generate_series(1, $4)) from generate_series(1, $3) n returning id)
       select id from made order by id desc limit 1`,
      [userId, LONG_STEP, MAX_ATTEMPTS, MAX_STEPS],
    ),
    session: await first(
      `insert into auth.session (expires_at, token, user_agent, user_id)
       select app_now() + interval '1 day', n || $1::text, repeat('a', 512), $1::uuid from generate_series(1, 49) n returning id`,
      [userId],
    ),
    other: await first(`insert into auth."user" (name, email) values ('Other', uuid_v7()::text) returning id`, []),
    group: await first(
      `insert into account_group (user_id, name, accounts)
       select $1::uuid, n || repeat('n', 38), $2 from generate_series(1, ${GROUPS}) n returning id`,
      [userId, accounts.slice(0, DESTINATIONS)],
    ),
    snippet: await first(
      `insert into snippet (user_id, name, text)
       select $1::uuid, n || repeat('n', 38), repeat('t', 2000) from generate_series(1, ${SNIPPETS}) n returning id`,
      [userId],
    ),
    // At a private address, to which nothing is sent.
    channel: await first(
      `insert into notification_channel (user_id, kind, name, host, service, sealed, failed_at, failure)
       select $1::uuid, 'ntfy', repeat('n', 60), repeat('h', 253), 'h', '', app_now(), $2::jsonb
       from generate_series(1, ${CHANNELS}) n returning id`,
      [userId, sayChannel('unreachable', { host: 'h'.repeat(253), reason: 'private_address' })],
    ),
    draft: await first(
      `insert into draft (user_id, id, content) select $1, uuid_v7(), $2::jsonb from generate_series(1, ${DRAFTS}) returning id`,
      [userId, largestDraft(accounts)],
    ),
    upload: await first(
      `insert into upload (id, user_id, bytes, durable, sha256, expires_at)
       values (uuid_v7(), $1, 1, 1, '\\x00', app_now() + interval '1 day') returning id`,
      [userId],
    ),
    passkey: await first(
      `insert into auth.passkey (user_id, name, public_key, credential_id, counter, device_type, backed_up)
       select $1::uuid, repeat('n', 100), 'x', n || $1::text, 0, 'singleDevice', false from generate_series(1, 20) n returning id`,
      [userId],
    ),
  };
}
