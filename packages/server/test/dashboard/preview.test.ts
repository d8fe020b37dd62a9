/** Previews: small versions of stored videos that every browser plays. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweepRenditions } from '../../src/media/rendition/rendition-store.ts';
import { removeUpload } from '../../src/uploads/remove.ts';
import { listUnused } from '../../src/uploads/upload-store.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';
import { hdrVideo, makeVideo } from '../media/fixtures.ts';
import { addReadyAccount, eventually, sendPost, smallVideo } from '../post/world.ts';
import { begin, idOf, upload as uploadBy, withSession } from '../uploads/world.ts';

let service: TestService;
let user: SessionUser;
beforeAll(async () => {
  service = await startService({ config: { leastFreeBytes: 0 } });
});
beforeEach(async () => {
  user = await service.newSession();
});
afterAll(() => service.close());

async function post(fields: [string, string][] = [], video: string | null = null): Promise<string> {
  const account = await addReadyAccount(service.db, user.userId);
  const sent = await sendPost(user, { video, fields: [['platforms', JSON.stringify([account.id])], ...fields] });
  expect(sent.status).toBe(200);
  return sent.body.historyId;
}

const small = async () => readFile(await smallVideo());
const upload = (bytes: Buffer) => uploadBy(withSession(service, user), bytes);
const ofUpload = (id: string) => `/dashboard/uploads/${id}/preview`;
const ofPost = (id: string) => `/dashboard/posts/${id}/preview`;
const order = (path: string, by = user) => by.call('POST', path);
const read = (path: string, by = user) => by.call('GET', path);
const refused = (status: number, code: string) => ({ status, body: { success: false, code } });
const stateOf = async (path: string) => (await order(path)).body.data.state;
const reaches = (path: string, state: string) =>
  eventually(`the preview is ${state}`, async () => (await stateOf(path)) === state);
const rows = () =>
  service.db.query<{ id: string; key: string }>(
    'select id, storage_key as key from rendition where user_id = $1 order by created_at, id',
    [user.userId],
  );

/** The properties of a preview. */
async function check(path: string) {
  const { status, bytes, headers } = await read(path);
  expect([status, headers.get('content-type')]).toEqual([200, 'video/mp4']);
  const file = join(service.context.storage.scratch, 'preview.mp4');
  await writeFile(file, bytes);
  return service.context.media.of(user.userId).check(file, { fit: 'pad' });
}

describe('a preview is made', () => {
  test('of an upload in HEVC, with its progress', async () => {
    const path = ofUpload(await upload(await readFile(await hdrVideo())));
    expect(await order(path)).toMatchObject({ status: 200, body: { data: { state: 'making', progress: 0 } } });
    await reaches(path, 'stored');
    expect((await order(path)).body.data).toEqual({ state: 'stored', progress: 1 });
    const { videoCodec, hdr, pixelFormat, hasAudio, width, height } = await check(path);
    expect({ videoCodec, hdr, pixelFormat }).toEqual({ videoCodec: 'h264', hdr: false, pixelFormat: 'yuv420p' });
    expect([hasAudio, width * height <= 360 * 640 * 1.02]).toEqual([false, true]);
  });

  test('in the shape and length of the video', async () => {
    const wide = await makeVideo({ seconds: 4, width: 1280, height: 720, extension: 'webm' });
    const path = ofUpload(await upload(await readFile(wide)));
    await reaches(path, 'stored');
    const { width, height, durationMs, hasAudio } = await check(path);
    expect({ width, height, hasAudio }).toEqual({ width: 640, height: 360, hasAudio: true });
    expect(Math.abs(durationMs - 4_000)).toBeLessThan(100);
  });

  test('of the video of a post', async () => {
    const path = ofPost(await post([], await smallVideo()));
    await reaches(path, 'stored');
    expect((await check(path)).videoCodec).toBe('h264');
  });

  test('once for several requests', async () => {
    const path = ofUpload(await upload(await small()));
    await Promise.all([order(path), order(path), order(path)]);
    expect(await rows()).toHaveLength(1);
  });

  test('once for an upload and its post', async () => {
    const id = await upload(await small());
    await reaches(ofUpload(id), 'stored');
    const [made] = await rows();
    const path = ofPost(await post([['uploadId', id]]));
    await sweepRenditions(service.db);
    expect(await stateOf(path)).toBe('stored');
    expect(await rows()).toEqual([made]);
    expect((await check(path)).videoCodec).toBe('h264');
  });

  test('not of a file that is no video', async () => {
    const path = ofUpload(await upload(Buffer.from('no video')));
    await reaches(path, 'failed');
    expect(await read(path)).toMatchObject(refused(404, 'unknown_preview'));
  });
});

describe('a preview is refused', () => {
  test('to another user', async () => {
    const paths = [ofUpload(await upload(await small())), ofPost(await post([], await smallVideo()))];
    for (const path of paths) await reaches(path, 'stored');
    const other = await service.newSession();
    for (const call of [order, read])
      expect(await Promise.all(paths.map((path) => call(path, other)))).toMatchObject([
        refused(404, 'unknown_upload'),
        refused(404, 'unknown_post'),
      ]);
  });

  test('of an unknown video', async () => {
    for (const call of [order, read])
      expect([await call(ofUpload('none')), await call(ofPost('none'))]).toMatchObject([
        refused(404, 'unknown_upload'),
        refused(404, 'unknown_post'),
      ]);
  });

  test('before it is ordered', async () => {
    const paths = [ofUpload(await upload(await small())), ofPost(await post([], await smallVideo()))];
    const missing = refused(404, 'unknown_preview');
    expect(await Promise.all(paths.map((path) => read(path)))).toMatchObject([missing, missing]);
  });

  test('of an upload that is not finished', async () => {
    const id = idOf(await begin(withSession(service, user), 10));
    expect(await order(ofUpload(id))).toMatchObject(refused(409, 'upload_incomplete'));
  });

  test('of a video that is no longer stored', async () => {
    const id = await post([], await smallVideo());
    await service.db.execute(`update media set state = 'gone' where user_id = $1`, [user.userId]);
    expect(await order(ofPost(id))).toMatchObject(refused(410, 'video_gone'));
  });
});

describe('a preview is deleted', () => {
  const isRemoved = (key: string) =>
    eventually('the file is removed', async () => (await service.context.storage.size(key)) === null);

  test('with its upload', async () => {
    const id = await upload(await small());
    await reaches(ofUpload(id), 'stored');
    const [row] = await rows();
    await removeUpload(service.context, { userId: user.userId, id });
    expect(await rows()).toEqual([]);
    await isRemoved(row?.key ?? '');
  });

  test('after a post has used a part of its upload', async () => {
    const id = await upload(await small());
    await reaches(ofUpload(id), 'stored');
    await post([
      ['uploadId', id],
      ['trimStart', '1'],
    ]);
    await sweepRenditions(service.db);
    expect(await rows()).toEqual([]);
  });

  test('after the video of its post', async () => {
    const path = ofPost(await post([], await smallVideo()));
    await reaches(path, 'stored');
    await sweepRenditions(service.db);
    expect(await rows()).toHaveLength(1);
    await service.db.execute(`update media set state = 'gone' where user_id = $1`, [user.userId]);
    await sweepRenditions(service.db);
    expect(await rows()).toEqual([]);
  });

  test('after a week', async () => {
    const path = ofUpload(await upload(await small()));
    await reaches(path, 'stored');
    await service.db.execute(`update rendition set created_at = created_at - interval '8 days'`);
    await sweepRenditions(service.db);
    expect(await rows()).toEqual([]);
    expect(await stateOf(path)).toBe('making');
  });

  test('for the twenty-first of its user', async () => {
    const id = await upload(await small());
    await reaches(ofUpload(id), 'stored');
    const [oldest] = await rows();
    await service.db.execute(
      `with copied as (insert into upload (id, user_id, bytes, durable, sha256, expires_at)
         select uuid_v7(), user_id, bytes, durable, sha256, expires_at from upload, generate_series(1, 19)
         where id = $1 returning id, user_id)
       insert into rendition (upload_id, user_id, spec_key, storage_key, state, due_at)
       select id, user_id, 'preview', id, 'failed', null from copied`,
      [id],
    );
    expect(await rows()).toHaveLength(20);
    expect(await stateOf(ofPost(await post([], await smallVideo())))).toBe('making');
    expect((await rows()).map((row) => row.id)).not.toContain(oldest?.id);
    expect(await rows()).toHaveLength(20);
    await isRemoved(oldest?.key ?? '');
  });
});

test('the size of a preview counts with its upload', async () => {
  const id = await upload(await small());
  const [before] = await listUnused(service.db, user.userId);
  await reaches(ofUpload(id), 'stored');
  const [after] = await listUnused(service.db, user.userId);
  const { bytes } = await check(ofUpload(id));
  expect(after).toEqual({ id, bytes: (before?.bytes ?? 0) + bytes });
});
