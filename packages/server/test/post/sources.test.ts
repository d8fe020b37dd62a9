import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { revokeKey } from '../../src/keys/service.ts';
import { createFileLoop } from '../../src/maintenance/files.ts';
import { createFetcher } from '../../src/uploads/remote/fetcher.ts';
import { waitingSessions } from '../harness/locks.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { ask, begin, idOf, send, withKey } from '../uploads/world.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { finishedUpload } from './source-world.ts';
import { type Source, serveSource } from './video-address-world.ts';
import {
  addReadyAccount,
  eventually,
  filesOf,
  formOf,
  sendPost,
  smallVideo,
  squareVideo,
  startPostService,
} from './world.ts';

let service: TestService;
let user: TestUser;
let account: { id: string };
let host: Source;
/** Response of the video host; undefined: a file. */
let serve: ((response: ServerResponse) => void) | undefined;
let video: Buffer;
beforeAll(async () => {
  video = await readFile(await smallVideo());
  host = await serveSource((_request, response) => (serve ? serve(response) : response.end(video)));
  service = await startPostService({ overrides: { videoHosts: [`127.0.0.1:${host.port}`] } });
});
beforeEach(async () => {
  serve = undefined;
  host.requests.length = 0;
  user = await service.newUser();
  account = await addReadyAccount(service.db, user.userId, { platform: 'mastodon' });
});
afterAll(async () => {
  await service.close();
  await host.close();
});

type Fields = readonly (readonly [string, string])[];
const from = (fields: Fields, key?: string, caller = user) =>
  sendPost(caller, {
    to: [account.id],
    video: null,
    fields,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const byUpload = async (path?: string): Promise<Fields> => [
  ['uploadId', await finishedUpload(withKey(service, user), path)],
];
const byAddress = (): Fields => [['videoUrl', `${host.origin}/v.mp4?signed=1`]];
const codeOf = async (response: ReturnType<typeof sendPost>) => {
  const { status, body } = await response;
  return status === 200 ? '200' : `${status} ${body.code}`;
};
const replayed = async (response: ReturnType<typeof sendPost>) => {
  const { status, headers } = await response;
  return status === 200 && headers.get('idempotent-replayed') === 'true';
};
const posts = async () => (await user.get('/post/history')).body.total as number;
/** Rows that a rejected request must not leave. */
const rowsOf = async () => {
  const [rows] = await service.db.query(
    `select (select count(*) from media where user_id = $1) + (select count(*) from post where user_id = $1)
       + (select count(*) from idempotency where user_id = $1)
       + (select coalesce(sum(posts), 0) from usage where user_id = $1) as rows`,
    [user.userId],
  );
  return rows;
};

describe.each([
  ['an upload', (path?: string) => byUpload(path)],
  ['an address', async () => byAddress()],
])('a post of %s', (_, source) => {
  test('stores the same bytes and a thumbnail', async () => {
    const response = await from([...(await source()), ['description', 'From elsewhere']]);
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    const [media] = await service.db.query<{ key: string; thumbnail: string }>(
      'select storage_key as key, thumbnail from media where user_id = $1',
      [user.userId],
    );
    const { storage } = service.context;
    const kept = await storage.withFile(media?.key ?? '', (path) => readFile(path));
    expect(kept.equals(video)).toBe(true);
    expect((await user.get(`/media/${media?.thumbnail}`)).status).toBe(200);
    expect((await user.get(`/post/${response.body.historyId}`)).body.data.description).toBe('From elsewhere');
  });

  test('accepts options and a preview', async () => {
    const fields = await source();
    const options = ['options', '{"mastodon":{"caption":"Only here","visibility":"unlisted"}}'] as const;
    expect(await codeOf(from([...fields, ['previewTime', '5'], options]))).toBe('400 preview_time_out_of_range');
    expect(await codeOf(from([...fields, ['previewTime', '2'], options]))).toBe('200');
    const [target] = await service.db.query('select caption, options from target where user_id = $1', [user.userId]);
    expect(target).toEqual({ caption: 'Only here', options: { visibility: 'unlisted' } });
  });

  test('with a file or an empty field is rejected', async () => {
    const fields = await source();
    expect(await codeOf(sendPost(user, { to: [account.id], fields }))).toBe('400 several_videos');
    expect(await codeOf(sendPost(user, { to: [account.id], fields, videoFirst: true }))).toBe('400 several_videos');
    const [name = ''] = fields[0] ?? [];
    expect(await codeOf(from([[name, '']]))).toBe('400 invalid_request');
    expect(await codeOf(from([...fields, ...fields]))).toBe('400 invalid_request');
    expect(await rowsOf()).toEqual({ rows: 0 });
  });

  test('without valid accounts is rejected before using the video', async () => {
    const fields = await source();
    const expired = await addReadyAccount(service.db, user.userId, { status: 'EXPIRED' });
    expect(await codeOf(sendPost(user, { video: null, fields }))).toBe('400 invalid_request');
    const lost = sendPost(user, { to: [account.id, expired.id], video: null, fields });
    expect(await codeOf(lost)).toBe('409 platform_not_connected');
    expect(host.requests).toEqual([]);
  });
});

test('an upload and a URL together are rejected', async () => {
  expect(await codeOf(from([...(await byUpload()), ...byAddress()]))).toBe('400 invalid_request');
  expect(host.requests).toEqual([]);
});

test.each([
  ['upload', async (path: string) => byUpload(path)],
  [
    'address',
    async (path: string) => {
      const bytes = await readFile(path);
      serve = (response) => void response.end(bytes);
      return byAddress();
    },
  ],
] as const)('a video of another shape by its %s is fitted', async (_, source) => {
  const square = await squareVideo();
  const fields = await source(square);
  expect(await codeOf(from(fields))).toBe('400 video_not_vertical');
  expect(await codeOf(from([...fields, ['fit', 'crop']]))).toBe('200');
  const [row] = await service.db.query<{ facts: { width: number; height: number } }>(
    'select facts from media where user_id = $1',
    [user.userId],
  );
  expect((row?.facts.width ?? 0) / (row?.facts.height ?? 1)).toBeCloseTo(9 / 16, 2);
});

describe('an upload', () => {
  test('can be used by one post', async () => {
    const fields = await byUpload();
    expect(await codeOf(from(fields))).toBe('200');
    expect(await codeOf(from(fields))).toBe('409 upload_used');
    expect(await posts()).toBe(1);
  });

  test('is used by one of several concurrent posts', async () => {
    const fields = await byUpload();
    const responses = await Promise.all(Array.from({ length: 5 }, () => codeOf(from(fields))));
    expect(responses.sort()).toEqual(['200', ...Array.from({ length: 4 }, () => '409 upload_used')]);
    expect(await posts()).toBe(1);
    const [left] = await service.db.query('select count(*) as rows from media where user_id = $1', [user.userId]);
    expect(left).toEqual({ rows: 1 });
  });

  test('is deleted once the post has its video', async () => {
    const loop = createFileLoop({ ...service.context, retentionDays: 30, onError: () => {} });
    const tidy = async () => {
      while ((await loop.runOnce()) > 0);
    };
    await tidy();
    const before = new Set(await filesOf(service));
    expect(await codeOf(from(await byUpload()))).toBe('200');
    await tidy();
    const left = (await filesOf(service)).filter((path) => !before.has(path));
    expect(left.map((path) => /(videos|pictures|uploads|\.scratch)\//.exec(path)?.[1]).sort()).toEqual([
      'pictures',
      'videos',
    ]);
  });

  test('of a rejected post stays available', async () => {
    const fields = await byUpload(await squareVideo());
    const before = await filesOf(service);
    expect(await codeOf(from(fields))).toBe('400 video_not_vertical');
    expect(await filesOf(service)).toEqual(before);
    expect(await codeOf(from([...fields, ['fit', 'pad']]))).toBe('200');
  });

  test('of another user is unknown; an unfinished one is rejected', async () => {
    const stranger = await service.newUser();
    const theirs = await finishedUpload(withKey(service, stranger));
    expect(await codeOf(from([['uploadId', theirs]]))).toBe('404 unknown_upload');
    expect(await codeOf(from([['uploadId', 'x']]))).toBe('404 unknown_upload');
    const uploader = withKey(service, user);
    const place = await begin(uploader, video.length);
    await send(uploader, place, 0, video.subarray(0, 1_000));
    const fields = [['uploadId', idOf(place)]] as const;
    expect(await codeOf(from(fields, 'early'))).toBe('409 upload_incomplete');
    await sendPost(user, { to: [account.id], headers: { 'idempotency-key': 'used before' } });
    expect(await codeOf(from(fields, 'used before'))).toBe('409 upload_incomplete');
    await send(uploader, place, 1_000, video.subarray(1_000));
    expect(await codeOf(from(fields, 'early'))).toBe('200');
  });

  test('that was deleted posts nothing', async () => {
    const fields = await byUpload();
    await ask(withKey(service, user), 'DELETE', `/uploads/${fields[0]?.[1]}`);
    expect(await codeOf(from(fields))).toBe('404 unknown_upload');
  });
});

describe('the same key', () => {
  test('with the used upload replays the first response', async () => {
    const fields = await byUpload();
    const first = await from(fields, 'a');
    const again = await from(fields, 'a');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.bytes).toEqual(first.bytes);
    expect(await posts()).toBe(1);
  });

  test('with the same file in another form replays it', async () => {
    expect(await codeOf(from(await byUpload(), 'a'))).toBe('200');
    const headers = { 'idempotency-key': 'a' };
    expect(await replayed(sendPost(user, { to: [account.id], headers }))).toBe(true);
    const other = await byUpload();
    expect(await replayed(from(other, 'a'))).toBe(true);
    // It was not needed, so it is still unused.
    expect(await codeOf(from(other, 'b'))).toBe('200');
    await sendPost(user, { to: [account.id], headers: { 'idempotency-key': 'c' } });
    expect(await replayed(from(await byUpload(), 'c'))).toBe(true);
  });

  test('with the same URL replays without fetching', async () => {
    expect(await codeOf(from(byAddress(), 'a'))).toBe('200');
    expect(host.requests).toHaveLength(1);
    serve = (response) => void response.writeHead(404).end();
    expect(await replayed(from(byAddress(), 'a'))).toBe(true);
    expect(host.requests).toHaveLength(1);
    expect(await codeOf(from(byAddress(), 'b'))).toBe('400 video_source_failed');
  });

  test('with another text, URL, video or source is rejected', async () => {
    const fields = await byUpload();
    expect(await codeOf(from(fields, 'a'))).toBe('200');
    expect(await codeOf(from([...fields, ['description', 'x']], 'a'))).toBe('422 idempotency_key_reused');
    const other = await byUpload(await makeVideo());
    expect(await codeOf(from(other, 'a'))).toBe('422 idempotency_key_reused');
    expect(await codeOf(from(byAddress(), 'a'))).toBe('422 idempotency_key_reused');
    expect(await codeOf(from(byAddress(), 'b'))).toBe('200');
    expect(await codeOf(from([['videoUrl', `${host.origin}/other`]], 'b'))).toBe('422 idempotency_key_reused');
    expect(await posts()).toBe(2);
  });

  test('is released when the post was rejected', async () => {
    serve = (response) => void response.writeHead(403).end();
    expect(await codeOf(from(byAddress(), 'a'))).toBe('400 video_source_failed');
    serve = undefined;
    expect(await codeOf(from(byAddress(), 'a'))).toBe('200');
  });
});

describe('while a URL is fetched', () => {
  /** Sent before the host's response is held: less than the whole video. */
  const FIRST_BYTES = 1_000;
  /** Holds the host's response until the test continues. */
  function held() {
    const asked = Promise.withResolvers<ServerResponse>();
    serve = (response) => {
      response.writeHead(200, { 'content-length': video.length }).write(video.subarray(0, FIRST_BYTES));
      asked.resolve(response);
    };
    return asked.promise;
  }

  test('the key is held', async () => {
    const asked = held();
    const first = from(byAddress(), 'a');
    const response = await asked;
    expect(await codeOf(from(byAddress(), 'a'))).toBe('409 idempotency_in_progress');
    response.end(video.subarray(FIRST_BYTES));
    expect(await codeOf(first)).toBe('200');
    expect(await replayed(from(byAddress(), 'a'))).toBe(true);
    expect(host.requests).toHaveLength(1);
  });

  test('a revoked API key posts and stores nothing', async () => {
    const before = await filesOf(service);
    const asked = held();
    const running = from(byAddress(), 'a');
    const response = await asked;
    await revokeKey(service.db, user.userId);
    response.end(video.subarray(FIRST_BYTES));
    expect(await codeOf(running)).toBe('401 unauthorized');
    expect(await rowsOf()).toEqual({ rows: 0 });
    expect(await filesOf(service)).toEqual(before);
  });

  test('a disconnecting client ends the fetch without leftovers', async () => {
    const before = await filesOf(service);
    const asked = held();
    const away = new AbortController();
    const form = await formOf({ video: null, fields: [['platforms', account.id], ...byAddress()] });
    const running = fetch(`${service.url}/api/v1/post`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.key}`, 'idempotency-key': 'a' },
      body: form,
      signal: away.signal,
    });
    const response = await asked;
    const closed = new Promise((resolve) => response.once('close', resolve));
    away.abort();
    await expect(running).rejects.toThrow();
    await closed;
    await eventually('the key is free', async () => JSON.stringify(await rowsOf()) === '{"rows":0}');
    await eventually('the file is gone', async () => (await filesOf(service)).length === before.length);
    serve = undefined;
    expect(await codeOf(from(byAddress(), 'a'))).toBe('200');
  });
});

describe('a service that is killed', () => {
  let crashing: ServiceProcess;
  beforeEach(async () => {
    // The data folder of the other process is the one whose `files` are our storage.
    const folder = service.context.config.storageFolder.replace(/\/files$/, '');
    crashing = await startServiceProcess({ folder, databaseUrl: service.db.url, leastFreeBytes: 0 });
  });

  test('in the post’s transaction leaves upload and key unused', async () => {
    const fields = await byUpload();
    const holder = service.db.another(1);
    const { client, release } = await holder.connect();
    await client.query('begin');
    await client.query('lock table post in share mode');
    const form = await formOf({ video: null, fields: [['platforms', account.id], ...fields] });
    const headers = { authorization: `Bearer ${user.key}`, 'idempotency-key': 'a' };
    const running = fetch(`${crashing.url}/api/v1/post`, { method: 'POST', headers, body: form });
    running.catch(() => {});
    await eventually('the transaction waits', async () => (await waitingSessions(service.db, 'insert into post')) > 0);
    await crashing.kill();
    await expect(running).rejects.toThrow();
    await client.query('rollback');
    release();
    await eventually('its session is over', async () => {
      const open = await service.db.query(
        `select from pg_stat_activity where query like 'insert into post%' and state <> 'idle'
           and datname = current_database()`,
      );
      return open.length === 0;
    });
    await service.db.clock.advance(16_000);
    const response = await from(fields, 'a');
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    expect(response.headers.get('idempotent-replayed')).toBeNull();
    expect(await posts()).toBe(1);
    expect(await codeOf(from(fields))).toBe('409 upload_used');
  });

  test('before its response has created the post to replay', async () => {
    const fields = await byUpload();
    const form = await formOf({ video: null, fields: [['platforms', account.id], ...fields] });
    const headers = { authorization: `Bearer ${user.key}`, 'idempotency-key': 'a' };
    expect((await fetch(`${crashing.url}/api/v1/post`, { method: 'POST', headers, body: form })).status).toBe(200);
    await crashing.kill();
    expect(await replayed(from(fields, 'a'))).toBe(true);
    expect(await posts()).toBe(1);
  });
});

test('videos are not fetched from ALLOWED_PRIVATE_HOSTS', async () => {
  const { config } = service.context;
  service.context.config.allowedPrivateHosts = ['127.0.0.1'];
  const strict = createFetcher({ ...service.context, config, videoHosts: [] });
  const signal = new AbortController().signal;
  await expect(strict(`${host.origin}/v.mp4`, { userId: user.userId, onBytes() {}, signal })).rejects.toMatchObject({
    code: 'video_source_refused',
  });
  expect(host.requests).toEqual([]);
});
