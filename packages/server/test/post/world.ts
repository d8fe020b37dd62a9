/** Helpers for tests of posts: accounts, forms, and checks of what is left. */
import { readdir, readFile } from 'node:fs/promises';
import http, { type ClientRequest } from 'node:http';
import { join } from 'node:path';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { connectors } from '../../src/connectors/registry.ts';
import type { Queryable } from '../../src/db/database.ts';
import type { Credential } from '../../src/keys/credential.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { announceMedia } from '../../src/media/media-store.ts';
import type { VideoFacts } from '../../src/media/types.ts';
import { NO_ADJUSTMENTS } from '../../src/media/types.ts';
import { writePost } from '../../src/posts/create.ts';
import { type AccountRow, addAccount, addMedia } from '../harness/rows.ts';
import {
  type Client,
  type ServiceOptions,
  startService,
  type TestResponse,
  type TestService,
} from '../harness/service.ts';
import { pollPause } from '../harness/world.ts';
import { makeVideo } from '../media/fixtures.ts';

/** A service that accepts posts and does not publish them: no worker and no simulators run. */
export function startPostService(options: ServiceOptions = {}): Promise<TestService> {
  return startService({ ...options, config: { role: 'api', sandbox: false, leastFreeBytes: 0, ...options.config } });
}

/** What accounts store that is public. */
const PUBLIC: Readonly<Record<string, JsonObject>> = {
  mastodon: { privacy: 'public' },
  pinterest: { boards: { PUBLIC: '11' }, openBoards: ['11'] },
  telegram: { publicName: 'channel' },
  x: { protected: false },
};

/** A connected public account with its platform's capabilities and every choice made. */
export async function addReadyAccount(
  db: Queryable,
  userId: string,
  given: Parameters<typeof addAccount>[2] = {},
): Promise<AccountRow> {
  const account = await addAccount(db, userId, { sandbox: false, ...given });
  const connector = connectors[given?.platform ?? 'tiktok'];
  if (!connector) throw new Error('There is no such connector.');
  const choices = Object.fromEntries(connector.choices.map(({ name, values }) => [name, values[0]?.value]));
  await db.execute('update account set capabilities = $2, choices = $3, extra = $4 where id = $1', [
    account.id,
    JSON.stringify(connector.capabilities),
    JSON.stringify(choices),
    JSON.stringify(PUBLIC[connector.id] ?? {}),
  ]);
  return account;
}

export interface FormOptions {
  /** Path; null: no file. Default: a minimal real video. */
  video?: string | null;
  /** Replaces the path. */
  bytes?: Buffer;
  filename?: string;
  /** Fields in the order sent. The file follows them, or comes first. */
  fields?: readonly (readonly [name: string, value: string])[];
  videoFirst?: boolean;
}

/** A video that is quick to check. */
export function smallVideo(): Promise<string> {
  return makeVideo({ seconds: 4, width: 90, height: 160, fps: 5, audio: false, picture: 'plain' });
}

/** A video that is not 9:16 and quick to fit. */
export function squareVideo(): Promise<string> {
  return makeVideo({ seconds: 3, width: 320, height: 320, fps: 2 });
}

/** A form as sent by a client. */
export async function formOf({ video, bytes, filename = 'clip.mp4', fields = [], videoFirst }: FormOptions) {
  const form = new FormData();
  const addVideo = async () => {
    if (video === null && !bytes) return;
    const content = bytes ?? (await readFile(video ?? (await smallVideo())));
    form.append('video', new Blob([new Uint8Array(content)], { type: 'video/mp4' }), filename);
  };
  if (videoFirst) await addVideo();
  for (const [name, value] of fields) form.append(name, value);
  if (!videoFirst) await addVideo();
  return form;
}

export interface SendOptions extends FormOptions {
  to?: readonly string[];
  headers?: Record<string, string>;
}

/** Creates a post; `fields` are sent beside `platforms`. */
export async function sendPost(user: Client, options: SendOptions): Promise<TestResponse> {
  const { to, headers, fields = [], ...rest } = options;
  const all = to ? ([['platforms', JSON.stringify(to)], ...fields] as const) : fields;
  return user.call('POST', '/post', { body: await formOf({ ...rest, fields: all }), headers });
}

interface QueuedPost {
  at?: number | null;
  description?: string;
  /** By account id or platform, as sent by a client. */
  options?: Record<string, JsonObject>;
}

/**
 * Writes a post like the create operation, but without a form and a video, for tests of later steps.
 * @returns its id
 */
export async function queuePost(
  service: TestService,
  userId: string,
  accounts: readonly AccountRow[],
  { at = null, description = '', options = {} }: QueuedPost = {},
): Promise<string> {
  const mediaId = uuidv7();
  const facts = { bytes: 1, durationMs: 4_000 } as VideoFacts;
  await announceMedia(service.db, { id: mediaId, userId, sha256: '00'.repeat(32), facts });
  const ids = accounts.map(({ id }) => id);
  const request = {
    credential: await credentialOf(service.db, userId),
    fields: { ...NO_ADJUSTMENTS, platforms: ids, description, previewTime: 0, scheduled: at, options, source: null },
    when: at === null ? ({ scheduled: false } as const) : ({ scheduled: true, at } as const),
    content: Buffer.alloc(0),
    lease: null,
  };
  const { historyId } = await writePost(service.context, request, { id: mediaId, facts });
  return historyId;
}

/** The user's API key, or else their session. */
export async function credentialOf(db: Queryable, userId: string): Promise<Credential> {
  const [key] = await db.query<{ hash: Buffer }>('select hash from api_key where user_id = $1', [userId]);
  if (key) return { userId, by: { kind: 'key', hash: key.hash } };
  const [session] = await db.query<{ id: string }>('select id from auth.session where user_id = $1', [userId]);
  return { userId, by: { kind: 'session', id: session?.id ?? '' } };
}

/** All files of the storage: finished and scratch. */
export async function filesOf(service: TestService): Promise<string[]> {
  const folder = service.context.config.storageFolder;
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

type Remains = Record<'posts' | 'targets' | 'media' | 'removals' | 'keys' | 'used' | 'counted', number>;

/** Rows and files that a rejected request must not change. */
export async function remainsOf(service: TestService): Promise<Remains & { files: number }> {
  const [rows] = await service.db.query<Remains>(
    `select (select count(*) from post) as posts, (select count(*) from target) as targets,
       (select count(*) from media) as media, (select count(*) from file_removal) as removals,
       (select count(*) from idempotency) as keys, (select coalesce(sum(posts), 0) from usage) as used,
       (select coalesce(sum(posts), 0)::bigint from user_counter) as counted`,
  );
  if (!rows) throw new Error('The database says nothing.');
  return { ...rows, files: (await filesOf(service)).length };
}

const BOUNDARY = 'reelay-test-boundary';

/** A form that is sent in pieces. */
export interface SlowUpload {
  request: ClientRequest;
  write(bytes: Buffer | string): Promise<void>;
  /** Sends the final boundary and ends the body. */
  finish(): void;
  /** The response; rejects if the connection is closed before it. */
  response: Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Record<string, unknown> }>;
}

/** Sends the headers of a form, its text fields, and the part header of its video. The caller sends the video. */
export function beginUpload(
  service: TestService,
  key: string,
  options: {
    to: readonly string[];
    fields?: readonly (readonly [name: string, value: string])[];
    headers?: Record<string, string>;
    length?: number;
  },
): SlowUpload {
  const request = http.request(`${service.url}/api/v1/post`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...(options.length === undefined ? {} : { 'content-length': String(options.length) }),
      ...options.headers,
    },
  });
  const response = new Promise<Awaited<SlowUpload['response']>>((resolve, reject) => {
    request.on('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString());
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
    request.on('error', reject);
  });
  response.catch(() => {});
  const closed = new Promise((resolve) => request.once('close', resolve));
  const part = (name: string, more: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}`;
  for (const [name, value] of [['platforms', JSON.stringify(options.to)], ...(options.fields ?? [])] as const)
    request.write(`${part(name, '')}\r\n\r\n${value}\r\n`);
  request.write(`${part('video', '; filename="clip.mp4"')}\r\nContent-Type: video/mp4\r\n\r\n`);
  return {
    request,
    response,
    async write(bytes) {
      if (request.destroyed || request.write(bytes)) return;
      // A server that has rejected the request reads no further and closes the connection.
      await Promise.race([closed, new Promise((resolve) => request.once('drain', resolve))]);
    },
    finish: () => void request.end(`\r\n--${BOUNDARY}--\r\n`),
  };
}

/** Polls with growing delays until a condition holds; fails after three minutes. */
export async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 180_000;
  for (let pauseMs = 10; !(await holds()); pauseMs = Math.min(pauseMs * 1.2, 100)) {
    if (performance.now() > end) throw new Error(`Not within three minutes: ${what}.`);
    await pollPause(pauseMs);
  }
}

/** Waits until every target of a post is final. */
export function untilSettled({ db }: Pick<TestService, 'db'>, postId: string): Promise<void> {
  return eventually('all of it is settled', async () => {
    const open = await db.query('select from target where post_id = $1 and settled_at is null', [postId]);
    return open.length === 0;
  });
}

export interface EntryToAdd {
  /** ms since the epoch */
  at: number;
  description?: string;
}

/** Adds many finished posts of a user with one target each, as in the history. @returns their ids */
export async function addHistory(
  db: Queryable,
  userId: string,
  account: AccountRow,
  entries: readonly EntryToAdd[],
): Promise<string[]> {
  const media = await addMedia(db, userId);
  const ids = entries.map(() => uuidv7());
  const dates = entries.map(({ at }) => new Date(at));
  await db.execute(
    `insert into post (id, user_id, origin_id, media_id, description, preview_time_ms, scheduled, date)
     select e.id, $1, e.id, $2, e.text, 0, false, e.date
     from unnest($3::uuid[], $4::timestamptz[], $5::text[]) as e (id, date, text)`,
    [userId, media.id, ids, dates, entries.map(({ description = '' }) => description)],
  );
  await db.execute(
    `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, counts_from,
       settled_at, published_at, url)
     select uuid_v7(), e.id, $1, $2, $3, e.id, 0, 'posted', e.date, e.date, e.date, 'https://example.org/' || e.id
     from unnest($4::uuid[], $5::timestamptz[]) as e (id, date)`,
    [userId, account.id, account.identityId, ids, dates],
  );
  await db.execute(
    `insert into user_counter as c (user_id, posts) values ($1, $2)
     on conflict (user_id) do update set posts = c.posts + excluded.posts`,
    [userId, ids.length],
  );
  return ids;
}
