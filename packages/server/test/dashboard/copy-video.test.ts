import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AccountRow } from '../harness/rows.ts';
import type { SessionUser, TestService } from '../harness/service.ts';
import { addReadyAccount, sendPost, smallVideo, startPostService } from '../post/world.ts';
import { contentOf } from '../uploads/world.ts';

let service: TestService;
let user: SessionUser;
let account: AccountRow;
let video: string;
beforeAll(async () => {
  service = await startPostService();
  video = await smallVideo();
});
beforeEach(async () => {
  user = await service.newSession();
  account = await addReadyAccount(service.db, user.userId);
});
afterAll(() => service.close());

const fields = (): [string, string][] => [['platforms', JSON.stringify([account.id])]];

async function post(): Promise<string> {
  return (await sendPost(user, { video, fields: fields() })).body.historyId;
}

test('the copy is a finished upload with the same bytes', async () => {
  const id = await post();
  const { status, body } = await user.call('POST', `/dashboard/posts/${id}/upload`);
  expect(status).toBe(200);
  const bytes = await readFile(video);
  expect(body.data.bytes).toBe(bytes.length);
  const copy = await contentOf(service, user.userId, `/uploads/${body.data.uploadId}`);
  expect(copy.bytes.equals(bytes)).toBe(true);
  const again = await sendPost(user, { video: null, fields: [...fields(), ['uploadId', body.data.uploadId]] });
  expect(again.status).toBe(200);
});

test('a removed video and another user get an error', async () => {
  const id = await post();
  const other = await service.newSession();
  expect(await other.call('POST', `/dashboard/posts/${id}/upload`)).toMatchObject({ status: 404 });
  await service.db.execute(`update media set state = 'gone' where user_id = $1`, [user.userId]);
  expect(await user.call('POST', `/dashboard/posts/${id}/upload`)).toMatchObject({
    status: 410,
    body: { code: 'video_gone' },
  });
});

test('a failed copy leaves no upload', async () => {
  const id = await post();
  await service.db.execute(`update media set storage_key = 'videos/none' where user_id = $1`, [user.userId]);
  expect((await user.call('POST', `/dashboard/posts/${id}/upload`)).body.code).toBe('video_gone');
  expect(await service.db.query('select from upload where user_id = $1', [user.userId])).toEqual([]);
});
