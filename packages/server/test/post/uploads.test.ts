import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RawRequest, sendRaw } from '../../../sandbox/test/harness/raw-http.ts';
import { ReelayError } from '../../src/errors/reelay-error.ts';
import { generateKey, revokeKey } from '../../src/keys/service.ts';
import { createFileLoop } from '../../src/maintenance/files.ts';
import { deleteUser, suspendUser } from '../../src/users/service.ts';
import { waitingSessions } from '../harness/locks.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import {
  addReadyAccount,
  beginUpload,
  eventually,
  filesOf,
  remainsOf,
  type SlowUpload,
  sendPost,
  startPostService,
} from './world.ts';

let service: TestService;
let user: TestUser;
let account: { id: string; identityId: string };
let video: Buffer;
beforeAll(async () => {
  service = await startPostService();
  user = await service.newUser();
  account = await addReadyAccount(service.db, user.userId);
  video = await readFile(await makeVideo());
});
afterAll(() => service.close());

const codeOf = async ({ response }: SlowUpload) => {
  const { status, body } = await response;
  return `${status} ${body.code}`;
};

describe('a body', () => {
  const send = (type: string | undefined, body: RawRequest['body']) =>
    sendRaw(`${service.url}/api/v1/post`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.key}`, ...(type ? { 'content-type': type } : {}) },
      body,
    });

  test.each([
    ['of another type', 'application/json', '{}', 'unsupported_media_type'],
    ['of no type', undefined, 'x', 'unsupported_media_type'],
    ['without a boundary', 'multipart/form-data', '--x--', 'invalid_request'],
    ['with another boundary than announced', 'multipart/form-data; boundary=y', '--x\r\n\r\n--x--', 'invalid_request'],
    ['that is empty', 'multipart/form-data; boundary=x', '', 'invalid_request'],
  ])('%s is rejected', async (_, type, body, code) => {
    const before = await remainsOf(service);
    expect(JSON.parse((await send(type, body)).text)).toMatchObject({ success: false, code });
    expect(await remainsOf(service)).toEqual(before);
  });

  test('that is truncated leaves nothing', async () => {
    const before = await remainsOf(service);
    const upload = beginUpload(service, user.key, { to: [account.id] });
    await upload.write(video.subarray(0, 60_000));
    await eventually('the file has begun', async () => (await filesOf(service)).length > before.files);
    upload.request.destroy();
    await eventually('the file is gone', async () => (await filesOf(service)).length === before.files);
    expect(await remainsOf(service)).toEqual(before);
  });

  test('that announces over 501 MiB is rejected before it', async () => {
    const upload = beginUpload(service, user.key, { to: [account.id], length: 550_000_000 });
    expect(await codeOf(upload)).toBe('413 video_too_large');
    upload.request.destroy();
  });

  test('that exceeds 500 MiB unannounced is rejected there', async () => {
    const before = await remainsOf(service);
    const upload = beginUpload(service, user.key, { to: [account.id] });
    const megabyte = Buffer.alloc(1024 * 1024);
    for (let sent = 0; sent < 500; sent++) await upload.write(megabyte);
    await upload.write('x');
    expect(await codeOf(upload)).toBe('413 video_too_large');
    upload.request.destroy();
    expect(await remainsOf(service)).toEqual(before);
  });
});

describe('before the video is read', () => {
  /** Sends only the start of the form and the first bytes of the video. */
  const asked = async (to: string[], key = user.key) => {
    const upload = beginUpload(service, key, { to });
    await upload.write(video.subarray(0, 1_000));
    const code = await codeOf(upload);
    upload.request.destroy();
    return code;
  };

  test('an unknown key is rejected', async () => {
    expect(await asked([account.id], `rly_${'0'.repeat(46)}`)).toBe('401 unauthorized');
  });

  test('an unknown or disconnected account is rejected', async () => {
    const expired = await addReadyAccount(service.db, user.userId, { status: 'EXPIRED' });
    expect(await asked([])).toBe('400 invalid_request');
    expect(await asked(['019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b'])).toBe('404 unknown_platform');
    expect(await asked([expired.id])).toBe('409 platform_not_connected');
  });

  test('a user without posts left is rejected', async () => {
    const poor = await service.newUser({ plan: 'FREE' });
    await service.db.execute(
      `insert into usage (user_id, month, posts) values ($1, date_trunc('month', app_now() at time zone 'UTC'), 30)`,
      [poor.userId],
    );
    expect(await asked([account.id], poor.key)).toBe('403 plan_limit_reached');
  });

  test('too little disk space is rejected', async () => {
    const { config } = service.context;
    service.context.config = { ...config, leastFreeBytes: 1e15 };
    expect(await asked([account.id])).toBe('503 storage_full');
    service.context.config = config;
  });
});

describe('during the upload', () => {
  /** Runs an action during the upload. @returns the response, and whether anything is left */
  async function during(happens: (owner: TestUser, own: { id: string }) => Promise<unknown>): Promise<string> {
    const owner = await service.newUser();
    const own = await addReadyAccount(service.db, owner.userId);
    const upload = beginUpload(service, owner.key, { to: [own.id], headers: { 'idempotency-key': 'once' } });
    const before = (await filesOf(service)).length;
    await upload.write(video.subarray(0, 100_000));
    await eventually('the file has begun', async () => (await filesOf(service)).length > before);
    await happens(owner, own);
    await upload.write(video.subarray(100_000));
    upload.finish();
    const code = await codeOf(upload);
    const [left] = await service.db.query(
      `select (select count(*) from media where user_id = $1) + (select count(*) from post where user_id = $1)
         + (select count(*) from idempotency where user_id = $1)
         + (select coalesce(sum(posts), 0) from usage where user_id = $1)
         + (select count(*) from file_removal) as rows`,
      [owner.userId],
    );
    expect(left).toEqual({ rows: 0 });
    expect((await filesOf(service)).length).toBe(before);
    return code;
  }

  test('revoking the key prevents the post', async () => {
    expect(await during((owner) => revokeKey(service.db, owner.userId))).toBe('401 unauthorized');
  });

  test('regenerating the key prevents the post', async () => {
    expect(await during((owner) => generateKey(service.db, owner.userId))).toBe('401 unauthorized');
  });

  test('suspending or deleting the user prevents the post', async () => {
    expect(await during((owner) => suspendUser(service.db, owner.email))).toBe('403 account_suspended');
    expect(await during((owner) => deleteUser(service.db, owner.email))).toMatch(/^40[14] /);
  });

  test('an account that expires prevents the post', async () => {
    const lose = (_: TestUser, own: { id: string }) =>
      service.db.execute(`update account set status = 'EXPIRED' where id = $1`, [own.id]);
    expect(await during(lose)).toBe('409 platform_not_connected');
  });

  test('a scheduled time may pass', async () => {
    const at = (await service.db.clock.now()).getTime() + 60_000;
    const upload = beginUpload(service, user.key, { to: [account.id], fields: [['scheduled', String(at)]] });
    const before = (await filesOf(service)).length;
    await upload.write(video);
    await eventually('the file has begun', async () => (await filesOf(service)).length > before);
    await service.db.clock.advance(600_000);
    upload.finish();
    expect((await upload.response).body).toMatchObject({ scheduled: true, date: new Date(at).toISOString() });
  });

  test('the month’s last post goes to one concurrent request', async () => {
    const poor = await service.newUser({ plan: 'FREE' });
    const own = await addReadyAccount(service.db, poor.userId);
    await service.db.execute(
      `insert into usage (user_id, month, posts) values ($1, date_trunc('month', app_now() at time zone 'UTC'), 28)`,
      [poor.userId],
    );
    const responses = await Promise.all(Array.from({ length: 5 }, () => sendPost(poor, { to: [own.id] })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 403, 403, 403]);
    const refused = responses.find(({ status }) => status === 403);
    expect(refused?.body.limit).toMatchObject({ name: 'posts_per_month', value: 30, used: 30 });
    expect(refused?.body.limit.resetsAt).toMatch(/-01T00:00:00.000Z$/);
  });
});

test('scheduled posts have a separate limit', async () => {
  const poor = await service.newUser({ plan: 'FREE' });
  const own = await addReadyAccount(service.db, poor.userId);
  const at = String((await service.db.clock.now()).getTime() + 3_600_000);
  const send = () => sendPost(poor, { to: [own.id], fields: [['scheduled', at]] });
  const responses = await Promise.all(Array.from({ length: 12 }, send));
  const refused = responses.filter(({ status }) => status === 403);
  expect(refused).toHaveLength(2);
  expect(refused[0]?.body.limit).toEqual({ name: 'scheduled_ahead', value: 10, used: 10, resetsAt: null });
  const [used] = await service.db.query('select posts from usage where user_id = $1', [poor.userId]);
  expect(used).toEqual({ posts: 10 });
});

describe('unavailable', () => {
  test('scratch folder: 503, and recovers', async () => {
    const { scratch } = service.context.storage;
    await rename(scratch, `${scratch}-away`);
    expect((await sendPost(user, { to: [account.id] })).body.code).toBe('storage_unavailable');
    await rename(`${scratch}-away`, scratch);
    expect((await sendPost(user, { to: [account.id] })).status).toBe(200);
  });

  test('storage folder: 503, and no files are left', async () => {
    const folder = join(service.context.config.storageFolder, 'videos');
    const before = await remainsOf(service);
    await rename(folder, `${folder}-away`);
    await writeFile(folder, 'in the way');
    const { body } = await sendPost(user, { to: [account.id] });
    await rm(folder);
    await rename(`${folder}-away`, folder);
    expect(body.code).toBe('storage_unavailable');
    // Files that could not be removed then are queued for removal.
    expect(await remainsOf(service)).toEqual({ ...before, removals: 1 });
    await createFileLoop({ ...service.context, retentionDays: 30, onError: () => {} }).runOnce();
    expect(await remainsOf(service)).toEqual(before);
  });

  test('database during the transaction: 503, and nothing is left', async () => {
    const before = await remainsOf(service);
    const holder = service.db.another(1);
    const { client, release } = await holder.connect();
    await client.query('begin');
    await client.query('lock table post in share mode');
    const running = sendPost(user, { to: [account.id], headers: { 'idempotency-key': 'cut' } });
    await eventually('the transaction waits', async () => (await waitingSessions(service.db, 'insert into post')) > 0);
    await service.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where wait_event_type = 'Lock' and query like 'insert into post%' and datname = current_database()`,
    );
    expect((await running).body.code).toBe('database_unavailable');
    await client.query('rollback');
    release();
    expect(await remainsOf(service)).toEqual(before);
    expect((await sendPost(user, { to: [account.id], headers: { 'idempotency-key': 'cut' } })).status).toBe(200);
  });

  test('response to COMMIT: the post is kept and replayed', async () => {
    const before = await remainsOf(service);
    const { db } = service.context;
    service.context.db = {
      ...db,
      async transaction(work) {
        const result = await db.transaction(work);
        // The cleanup is a transaction too, and may run.
        service.context.db = db;
        if (typeof result === 'object') throw new ReelayError('database_unavailable');
        return result;
      },
    };
    const headers = { 'idempotency-key': 'answer lost' };
    expect((await sendPost(user, { to: [account.id], headers })).body.code).toBe('database_unavailable');
    service.context.db = db;
    const after = await remainsOf(service);
    expect(after).toMatchObject({
      posts: Number(before.posts) + 1,
      files: before.files + 2,
      removals: before.removals,
    });
    const again = await sendPost(user, { to: [account.id], headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await remainsOf(service)).toEqual(after);
  });
});

test('a client that disconnects during the check leaves nothing', async () => {
  const before = await remainsOf(service);
  const { media } = service.context;
  const started = Promise.withResolvers<void>();
  service.context.media = {
    ...media,
    of: (userId) => ({
      ...media.of(userId),
      checkWithThumbnail(_path, _wanted, { signal }) {
        started.resolve();
        // Like a slow check, ended only by the signal.
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      },
    }),
  };
  const upload = beginUpload(service, user.key, { to: [account.id], headers: { 'idempotency-key': 'gone' } });
  await upload.write(video);
  upload.finish();
  await started.promise;
  upload.request.destroy();
  await expect.poll(() => remainsOf(service)).toEqual(before);
  service.context.media = media;
});
