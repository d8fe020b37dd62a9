/** Rows of posts that took place in the past, or that stay in a state for a picture. */
import type { Queryable } from '../../../packages/server/src/db/database.ts';
import { uuidv7 } from '../../../packages/server/src/lib/ids.ts';
import type { Entry } from './entries.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export interface Account {
  id: string;
  identityId: string;
  platform: string;
}

export interface Stock {
  userId: string;
  accounts: ReadonlyMap<string, Account>;
  /** Ids of stored videos. */
  media: readonly string[];
}

/** A moment in ms since the epoch. @param day from today @param minute of the day, UTC */
export function momentOf(day: number, minute: number): number {
  return (Math.floor(Date.now() / DAY_MS) + day) * DAY_MS + minute * MINUTE_MS;
}

/** Adds a finished post, with a timeline for each account. @returns its id */
export async function addFinished(db: Queryable, stock: Stock, entry: Entry): Promise<string> {
  const id = uuidv7();
  const date = momentOf(entry.day, entry.minute);
  await insertPost(db, stock, { id, date, text: entry.text, video: entry.video });
  for (const [position, platform] of entry.platforms.entries()) {
    const account = stock.accounts.get(platform);
    if (!account) continue;
    const [code = null, detail = null] = entry.failed?.[platform] ?? [];
    const target = uuidv7();
    const settled = new Date(date + (8 + 3 * position) * 1_000);
    await db.execute(
      `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, counts_from,
         settled_at, published_at, url, code, detail)
       values ($1, $2, $3, $4, $5, $2, $6, $7, $8, $9, $10, $11, $12, $13)`,
      [
        target,
        id,
        stock.userId,
        account.id,
        account.identityId,
        position,
        code ? 'failed' : 'posted',
        new Date(date),
        settled,
        code ? null : settled,
        code ? null : `https://example.org/${platform}/${target}`,
        code,
        detail,
      ],
    );
    const end = code ? { event: 'failed', message: ['gave_up', { reason: detail ?? '' }] as const } : null;
    await addLines(db, target, [
      { event: 'queued', message: ['queued', {}], at: date },
      ...(end ? [{ ...end, at: settled.getTime() }] : []),
    ]);
  }
  return id;
}

interface Line {
  event: string;
  message: readonly [code: string, params: object];
  at: number;
}

async function addLines(db: Queryable, target: string, lines: readonly Line[]): Promise<void> {
  for (const { event, message, at } of lines)
    await db.execute('insert into timeline (target_id, at, event, code, params) values ($1, $2, $3, $4, $5)', [
      target,
      new Date(at),
      event,
      message[0],
      JSON.stringify(message[1]),
    ]);
}

interface NewPost {
  id: string;
  date: number;
  text: string;
  video: number;
}

async function insertPost(db: Queryable, { userId, media }: Stock, { id, date, text, video }: NewPost): Promise<void> {
  await db.execute(
    `insert into post (id, user_id, origin_id, media_id, description, preview_time_ms, scheduled, date, created_at)
     values ($1, $2, $1, $3, $4, 0, false, $5, $5)`,
    [id, userId, media[video % media.length], text, new Date(date)],
  );
  await db.execute(
    `insert into user_counter as c (user_id, posts) values ($1, 1)
     on conflict (user_id) do update set posts = c.posts + 1`,
    [userId],
  );
}

interface UnderWay {
  platform: string;
  state: string;
  line: Omit<Line, 'at'> | null;
  rendition?: string;
}

/** Targets that a worker would take in a day: until then they stay in their state. */
const HELD_MS = DAY_MS;

/**
 * Adds a post that is under way: one account is done, one uploads, one processes, and the others wait for a conversion.
 * @returns its id
 */
export async function addUnderWay(db: Queryable, stock: Stock, text: string): Promise<string> {
  const id = uuidv7();
  const date = Date.now() - 40_000;
  await insertPost(db, stock, { id, date, text, video: 2 });
  const rendition = uuidv7();
  await db.execute(
    `insert into rendition (id, media_id, spec_key, spec, storage_key, progress, due_at)
     values ($1, $2, $3, '{}', $3, 0.42, $4)`,
    [rendition, stock.media[2], `held-${rendition}`, new Date(Date.now() + HELD_MS)],
  );
  const upload: Omit<Line, 'at'> = {
    event: 'working',
    message: ['bytes_sent', { sentBytes: 31_000_000, totalBytes: 48_000_000 }],
  };
  const states: readonly UnderWay[] = [
    { platform: 'bluesky', state: 'posted', line: null },
    { platform: 'youtube', state: 'working', line: upload },
    { platform: 'instagram', state: 'confirming', line: { event: 'confirming', message: ['processing', {}] } },
    {
      platform: 'mastodon',
      state: 'waiting',
      line: { event: 'rendition', message: ['file_converting', {}] },
      rendition,
    },
    {
      platform: 'telegram',
      state: 'waiting',
      line: { event: 'rendition', message: ['file_converting', {}] },
      rendition,
    },
  ];
  for (const [position, each] of states.entries()) {
    const account = stock.accounts.get(each.platform);
    if (!account) continue;
    const target = uuidv7();
    const isDone = each.state === 'posted';
    await db.execute(
      `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, counts_from,
         begun_at, due_at, settled_at, published_at, url, rendition_id)
       values ($1, $2, $3, $4, $5, $2, $6, $7, $8, $8, $9, $10, $10, $11, $12)`,
      [
        target,
        id,
        stock.userId,
        account.id,
        account.identityId,
        position,
        each.state,
        new Date(date),
        isDone ? null : new Date(Date.now() + HELD_MS),
        isDone ? new Date() : null,
        isDone ? `https://example.org/${target}` : null,
        each.rendition ?? null,
      ],
    );
    const queued: Line = { event: 'queued', message: ['queued', {}], at: date };
    const line = each.line ? [{ ...each.line, at: date + 9_000 }] : [];
    await addLines(db, target, [queued, ...line]);
  }
  return id;
}

/** Makes the check of an account's posts fail since some hours, until tomorrow. */
export async function failSource(db: Queryable, identityId: string): Promise<void> {
  await db.execute(
    `update watch set failing_since = app_now() - interval '5 hours', due_at = app_now() + interval '1 day',
       problem = '{"code": "watch_unreachable", "params": {"reason": "HTTP 503"}}'
     where id = (select watch_id from identity where id = $1)`,
    [identityId],
  );
}
