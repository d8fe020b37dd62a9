import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFileLoop } from '../../src/maintenance/files.ts';
import { sweepOrphans } from '../../src/maintenance/media.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../harness/database-proxy.ts';
import { waitingSessions } from '../harness/locks.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { addReadyAccount, beginUpload, eventually, filesOf, sendPost, smallVideo, startPostService } from './world.ts';

let service: TestService;
let user: TestUser;
let account: { id: string };
let crashing: ServiceProcess;
let proxy: DatabaseProxy;
const headers = { 'idempotency-key': 'one post' };
beforeAll(async () => {
  service = await startPostService();
  proxy = await startDatabaseProxy(service.db.connection);
});
beforeEach(async () => {
  user = await service.newUser();
  account = await addReadyAccount(service.db, user.userId);
  const { storageFolder } = service.context.config;
  // The data folder of the other process is the one whose `files` are our storage.
  const folder = storageFolder.replace(/\/files$/, '');
  crashing = await startServiceProcess({ folder, databaseUrl: proxy.url, leastFreeBytes: 0 });
});
afterAll(async () => {
  await proxy.close();
  await service.close();
});

const count = async (table: string, where = 'true') =>
  (await service.db.query(`select from ${table} where user_id = $1 and ${where}`, [user.userId])).length;

/** Starts a post at the process that will be killed. */
async function begin() {
  const upload = beginUpload({ ...service, url: crashing.url }, user.key, { to: [account.id], headers });
  await upload.write(await readFile(await smallVideo()));
  return upload;
}

/** Kills it and retries at another node with the same key until it responds: one post, and no file without a row. */
async function killAndAskAgain() {
  await crashing.kill();
  const blocked = await sendPost(user, { to: [account.id], headers });
  if (blocked.status !== 200) expect(blocked.body.code).toBe('idempotency_in_progress');
  await service.db.clock.advance(16_000);
  const response = await sendPost(user, { to: [account.id], headers });
  expect(response.status).toBe(200);
  expect(await count('post')).toBe(1);
  const needs = { ...service.context, retentionDays: 30, onError: () => {} };
  await service.db.clock.advance(25 * 3_600_000);
  await sweepOrphans(needs);
  while ((await createFileLoop(needs).runOnce()) > 0);
  const kept = (await filesOf(service)).filter((path) => !path.includes('.scratch'));
  const [media] = await service.db.query<{ count: number }>('select count(*) from media');
  expect(kept).toHaveLength(2 * (media?.count ?? 0));
  return response;
}

describe('a service that is killed', () => {
  test('during the upload lets the retry create the post', async () => {
    await begin();
    await eventually('the key is taken', async () => (await count('idempotency')) > 0);
    expect((await killAndAskAgain()).headers.get('idempotent-replayed')).toBeNull();
  });

  test('before writing the post lets the retry create it', async () => {
    const holder = service.db.another(1);
    const { client, release } = await holder.connect();
    await client.query('begin');
    await client.query('lock table post in share mode');
    const upload = await begin();
    upload.finish();
    const stored = eventually('the files are stored', async () => {
      const waiting = await waitingSessions(service.db, 'insert into post');
      return waiting > 0 && (await count('media', `state = 'storing'`)) > 0;
    });
    const early = upload.response.then((response) =>
      Promise.reject(new Error(`Answered: ${JSON.stringify(response)}`)),
    );
    await Promise.race([stored, early]);
    await crashing.kill();
    await client.query('rollback');
    release();
    // A transaction whose client is gone is soon rolled back.
    expect((await killAndAskAgain()).headers.get('idempotent-replayed')).toBeNull();
  });

  test('after writing the post replays it on retry', async () => {
    const upload = await begin();
    upload.finish();
    await eventually('the post is written', async () => (await count('post')) > 0);
    expect((await killAndAskAgain()).headers.get('idempotent-replayed')).toBe('true');
  });
});

test('a database lost while writing a post leaves no file', async () => {
  const lost = proxy.inject((sql) => sql.startsWith('insert into post'), { at: 'before', kind: 'cut', reach: 'all' });
  const upload = await begin();
  upload.finish();
  await lost;
  proxy.refuse(true);
  const files = async () => (await filesOf(service)).filter((path) => !path.includes('.scratch')).length;
  const before = await service.db.query('select from media');
  expect(await upload.response).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
  proxy.refuse(false);
  expect(await count('media', `state = 'storing'`)).toBe(1);
  expect(await files()).toBe(2 * before.length);
  await killAndAskAgain();
});
