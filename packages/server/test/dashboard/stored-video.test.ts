/** Stored videos that the dashboard plays. */
import { readFile, rm } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SessionUser, TestService } from '../harness/service.ts';
import { addReadyAccount, sendPost, smallVideo, startPostService } from '../post/world.ts';
import { begin, MIB, sha256, someBytes, upload as uploadBy, withSession } from '../uploads/world.ts';

let service: TestService;
let user: SessionUser;
let video: Buffer;
beforeAll(async () => {
  service = await startPostService();
  video = await readFile(await smallVideo());
});
beforeEach(async () => {
  user = await service.newSession();
});
afterAll(() => service.close());

async function post(): Promise<string> {
  const account = await addReadyAccount(service.db, user.userId);
  const fields: [string, string][] = [['platforms', JSON.stringify([account.id])]];
  return (await sendPost(user, { video: await smallVideo(), fields })).body.historyId;
}

const upload = (bytes: Buffer) => uploadBy(withSession(service, user), bytes);
const ofUpload = (id: string) => `/dashboard/uploads/${id}/video`;
const ofPost = (id: string) => `/dashboard/posts/${id}/video`;
const read = (path: string, headers: Record<string, string> = {}, method = 'GET', by = user) =>
  by.call(method, path, { headers });
const refused = (status: number, code: string) => ({ status, body: { success: false, code } });

describe('the video', () => {
  test('of a finished upload is sent with its type', async () => {
    const { status, bytes, headers } = await read(ofUpload(await upload(video)));
    expect({ status, isSame: bytes.equals(video) }).toEqual({ status: 200, isSame: true });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(video.length),
      'accept-ranges': 'bytes',
      etag: `"${sha256(video)}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  test('of a post is sent until it is removed', async () => {
    const id = await post();
    const { status, bytes, headers } = await read(ofPost(id));
    expect({ status, isSame: bytes.equals(video) }).toEqual({ status: 200, isSame: true });
    expect(headers.get('etag')).toBe(`"${sha256(video)}"`);
    await service.db.execute(`update media set state = 'gone' where user_id = $1`, [user.userId]);
    expect(await read(ofPost(id))).toMatchObject(refused(410, 'video_gone'));
  });

  test('that is no video is sent without a type', async () => {
    const { headers } = await read(ofUpload(await upload(Buffer.from('<script>alert(1)</script>'))));
    expect(headers.get('content-type')).toBe('application/octet-stream');
  });

  test('is described without being sent', async () => {
    const { status, bytes, headers } = await read(ofUpload(await upload(video)), {}, 'HEAD');
    expect([status, bytes.length, headers.get('content-length')]).toEqual([200, 0, String(video.length)]);
  });
});

describe('a range', () => {
  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=10-19', 10, 20],
    ['bytes=-5', -5, undefined],
    ['bytes=100-', 100, undefined],
  ])('%s is sent alone', async (range, start, end) => {
    const { status, bytes, headers } = await read(ofUpload(await upload(video)), { range });
    const expected = video.subarray(start, end);
    const first = expected.byteOffset - video.byteOffset;
    expect([status, bytes.equals(expected)]).toEqual([206, true]);
    expect(headers.get('content-range')).toBe(`bytes ${first}-${first + expected.length - 1}/${video.length}`);
  });

  test('without an end has at most 4 MiB', async () => {
    const bytes = someBytes(5 * MIB);
    const path = ofUpload(await upload(bytes));
    const first = await read(path, { range: 'bytes=0-' });
    expect([first.status, first.bytes.length]).toEqual([206, 4 * MIB]);
    expect(first.headers.get('content-range')).toBe(`bytes 0-${4 * MIB - 1}/${5 * MIB}`);
    const rest = await read(path, { range: `bytes=${4 * MIB}-` });
    expect(Buffer.concat([first.bytes, rest.bytes]).equals(bytes)).toBe(true);
  });

  test('of another version is the whole', async () => {
    const { status, bytes } = await read(ofUpload(await upload(video)), { range: 'bytes=0-9', 'if-range': '"other"' });
    expect([status, bytes.length]).toEqual([200, video.length]);
  });

  test('outside of the video is refused', async () => {
    const response = await read(ofUpload(await upload(video)), { range: `bytes=${video.length}-` });
    expect(response).toMatchObject(refused(416, 'range_not_satisfiable'));
    expect(response.headers.get('content-range')).toBe(`bytes */${video.length}`);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  });
});

describe('no video is sent', () => {
  test('of another user', async () => {
    const paths = [ofUpload(await upload(video)), ofPost(await post())];
    const other = await service.newSession();
    const responses = await Promise.all(paths.map((path) => read(path, {}, 'GET', other)));
    expect(responses).toMatchObject([refused(404, 'unknown_upload'), refused(404, 'unknown_post')]);
  });

  test('for an unknown id', async () => {
    expect(await read(ofUpload('none'))).toMatchObject(refused(404, 'unknown_upload'));
    expect(await read(ofPost('none'))).toMatchObject(refused(404, 'unknown_post'));
  });

  test('of an upload that is not finished', async () => {
    const path = await begin(withSession(service, user), 10);
    expect(await read(`/dashboard${path}/video`)).toMatchObject(refused(409, 'upload_incomplete'));
  });

  test('of an upload that a post has used', async () => {
    const account = await addReadyAccount(service.db, user.userId);
    const id = await upload(video);
    const sent = await sendPost(user, {
      video: null,
      fields: [
        ['platforms', JSON.stringify([account.id])],
        ['uploadId', id],
      ],
    });
    expect(sent.status).toBe(200);
    expect(await read(ofUpload(id))).toMatchObject(refused(409, 'upload_used'));
  });

  test('whose file is gone', async () => {
    const [ofFirst, ofSecond] = [ofUpload(await upload(video)), ofPost(await post())];
    const { storageFolder } = service.context.config;
    for (const folder of ['uploads', 'videos']) await rm(join(storageFolder, folder), { recursive: true });
    expect(await read(ofFirst)).toMatchObject(refused(404, 'unknown_upload'));
    expect(await read(ofSecond)).toMatchObject(refused(410, 'video_gone'));
  });

  test('to a request with a key', async () => {
    const key = await service.newUser();
    expect(await key.get(ofUpload('none'))).toMatchObject(refused(403, 'session_required'));
  });
});

test('a seventh reader of one user waits for its turn', async () => {
  const path = ofUpload(await upload(someBytes(48 * MIB)));
  const open = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { cookie: user.cookie };
      http.get(`${service.url}/api/v1${path}`, { headers, agent: false }, resolve).once('error', reject);
    });
  const readers = await Promise.all(Array.from({ length: 6 }, open));
  let isAnswered = false;
  const seventh = open().then((response) => {
    isAnswered = true;
    return response;
  });
  user = await service.newSession();
  expect((await read(ofUpload(await upload(video)))).bytes.equals(video)).toBe(true);
  expect(isAnswered).toBe(false);
  readers[0]?.destroy();
  const response = await seventh;
  expect(response.statusCode).toBe(200);
  for (const each of [...readers, response]) each.destroy();
});
