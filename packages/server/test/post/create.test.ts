import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../../../sandbox/test/harness/raw-http.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { editFile, makeVideo, redThenBlue } from '../media/fixtures.ts';
import { turnQuarter } from '../media/hostile.ts';
import { colourAt } from '../media/pictures.ts';
import { addReadyAccount, filesOf, formOf, sendPost, startPostService } from './world.ts';

let service: TestService;
let user: TestUser;
let account: { id: string; identityId: string };
beforeAll(async () => {
  service = await startPostService();
  user = await service.newUser();
  account = await addReadyAccount(service.db, user.userId);
});
afterAll(() => service.close());

const row = async (text: string, values: unknown[]) => (await service.db.query(text, values))[0] ?? {};

test('a video is stored and queued for each account', async () => {
  const other = await addReadyAccount(service.db, user.userId, { platform: 'mastodon' });
  const ids = [other.id, account.id, other.id];
  const { status, body } = await sendPost(user, { to: ids, fields: [['description', 'Hallo 👋 "welt"']] });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    scheduled: false,
    result: [
      { platformId: other.id, status: 'PENDING' },
      { platformId: account.id, status: 'PENDING' },
    ],
  });
  const post = await row('select * from post where id = $1', [body.historyId]);
  expect(post).toMatchObject({ description: 'Hallo 👋 "welt"', origin_id: body.historyId, is_repost: false });
  expect((post.date as Date).toISOString()).toBe(body.date);
  const targets = await service.db.query(
    'select state, due_at, counts_from, identity_id from target where post_id = $1 order by position',
    [body.historyId],
  );
  const due = { state: 'scheduled', due_at: post.date, counts_from: post.date };
  expect(targets).toEqual([
    { ...due, identity_id: other.identityId },
    { ...due, identity_id: account.identityId },
  ]);
  const lane = await row('select next_due_at, user_id from lane where identity_id = $1', [account.identityId]);
  expect(lane).toEqual({ next_due_at: post.date, user_id: user.userId });
});

test('the file is stored unchanged with an owner-only thumbnail', async () => {
  const path = await makeVideo({ seed: 4 });
  const { body } = await sendPost(user, { to: [account.id], video: path });
  const sent = await readFile(path);
  const media = await row(
    `select m.*, encode(m.sha256, 'hex') as hash from media m join post p on p.media_id = m.id where p.id = $1`,
    [body.historyId],
  );
  expect(media).toMatchObject({
    state: 'stored',
    bytes: sent.length,
    hash: createHash('sha256').update(sent).digest('hex'),
  });
  expect(await buffer(await service.context.storage.read(String(media.storage_key)))).toEqual(sent);
  const { data } = (await user.get(`/post/${body.historyId}`)).body;
  const picture = await user.get(`/media/${data.filename}`);
  expect(picture.headers.get('content-type')).toBe('image/jpeg');
  const stranger = await service.newUser();
  expect((await stranger.get(`/media/${data.filename}`)).body.code).toBe('unknown_media');
});

test('the thumbnail shows the requested time', async () => {
  const path = await redThenBlue(2, 2, 'mp4');
  const shownAt = async (previewTime: string | null) => {
    const fields = previewTime === null ? [] : ([['previewTime', previewTime]] as const);
    const { body } = await sendPost(user, { to: [account.id], video: path, fields });
    const { data } = (await user.get(`/post/${body.historyId}`)).body;
    return colourAt(join(service.context.config.storageFolder, 'pictures', data.filename), 0.5);
  };
  expect(await shownAt(null)).toBe('red');
  expect(await shownAt('3')).toBe('blue');
  expect(await shownAt('4.0')).toBe('blue');
});

test('fields may surround the file and platforms may repeat', async () => {
  const other = await addReadyAccount(service.db, user.userId);
  const fields = [
    ['platforms', other.id],
    ['description', 'after the file'],
    ['platforms', account.id],
  ] as const;
  const { status, body } = await sendPost(user, { fields, videoFirst: true });
  expect(status).toBe(200);
  expect(body.result.map((each: { platformId: string }) => each.platformId)).toEqual([other.id, account.id]);
});

test('a scheduled post goes out at its time', async () => {
  const at = (await service.db.clock.now()).getTime() + 86_400_000;
  const { body } = await sendPost(user, { to: [account.id], fields: [['scheduled', String(at)]] });
  expect(body).toMatchObject({ scheduled: true, date: new Date(at).toISOString() });
  const [target] = await service.db.query('select due_at, counts_from from target where post_id = $1', [
    body.historyId,
  ]);
  expect(target).toEqual({ due_at: new Date(at), counts_from: new Date(at) });
});

test('a time in the last minute counts as now', async () => {
  const at = (await service.db.clock.now()).getTime() - 50_000;
  const { body } = await sendPost(user, { to: [account.id], fields: [['scheduled', String(at)]] });
  expect(body.scheduled).toBe(false);
  expect(Date.parse(body.date)).toBeGreaterThan(at);
});

test('a rotated phone video is vertical', async () => {
  const rotated = await editFile(await makeVideo({ width: 320, height: 180 }), turnQuarter);
  const { status } = await sendPost(user, { to: [account.id], video: rotated });
  expect(status).toBe(200);
});

test('other shapes are fitted on request; 9:16 stays unchanged', async () => {
  const wide = await makeVideo({ width: 320, height: 180, seconds: 3, fps: 2 });
  const { body } = await sendPost(user, { to: [account.id], video: wide, fields: [['fit', 'pad']] });
  const mediaOf = (postId: string) =>
    row(
      `select m.facts, m.bytes, m.storage_key, encode(m.sha256, 'hex') as hash
       from media m join post p on p.media_id = m.id where p.id = $1`,
      [postId],
    );
  const fitted = await mediaOf(body.historyId);
  expect(fitted.facts).toMatchObject({ width: 1080, height: 1920, bytes: fitted.bytes });
  const stored = await buffer(await service.context.storage.read(String(fitted.storage_key)));
  expect(fitted.hash).toBe(createHash('sha256').update(stored).digest('hex'));
  const tall = await makeVideo();
  const same = await sendPost(user, { to: [account.id], video: tall, fields: [['fit', 'crop']] });
  expect((await mediaOf(same.body.historyId)).hash).toBe(
    createHash('sha256')
      .update(await readFile(tall))
      .digest('hex'),
  );
});

test('a part of a video is stored without the rest', async () => {
  const long = await makeVideo({ seconds: 100, fps: 2, picture: 'plain', width: 90, height: 160 });
  const part = [
    ['trimStart', '60.5'],
    ['trimEnd', '64'],
    ['previewTime', '3.4'],
  ] as [string, string][];
  const { body, status } = await sendPost(user, { to: [account.id], video: long, fields: part });
  expect(status).toBe(200);
  const { facts } = await row('select m.facts from media m join post p on p.media_id = m.id where p.id = $1', [
    body.historyId,
  ]);
  expect(facts).toMatchObject({ videoCodec: 'h264', hasAudio: true, width: 90, height: 160 });
  expect(Math.abs(Number(Object(facts).durationMs) - 3_500)).toBeLessThanOrEqual(60);
});

test.each([
  ['is outside the video', { trimStart: '101' }, 'invalid_request', 'must be within the video, which is 100'],
  ['ends before it starts', { trimStart: '9', trimEnd: '8' }, 'invalid_request', 'trimEnd must be after trimStart.'],
  ['is too short', { trimStart: '9', trimEnd: '11' }, 'video_too_short', 'is 2 seconds long. The minimum is 3'],
  ['is too long', { trimStart: '1' }, 'video_too_long', 'is 99 seconds long. The maximum is 90'],
  ['is no number', { trimStart: 'x' }, 'invalid_request', '"trimStart" must be a number of seconds'],
  ['has a thumbnail after its end', { trimStart: '95', previewTime: '6' }, 'preview_time_out_of_range', '5 seconds'],
  ['has a position without a meaning', { trimStart: '95', cropPosition: '1.1' }, 'invalid_request', 'cropPosition'],
])('a part is refused if it %s', async (_, given, code, message) => {
  const long = await makeVideo({ seconds: 100, fps: 2, picture: 'plain', width: 90, height: 160 });
  const { body } = await sendPost(user, { to: [account.id], video: long, fields: Object.entries(given) });
  expect(body).toMatchObject({ code, message: expect.stringContaining(message) });
});

test('a session posts like a key, with the CSRF header', async () => {
  const session = await service.newSession();
  const own = await addReadyAccount(service.db, session.userId);
  expect((await sendPost(session.bare, { to: [own.id] })).body.code).toBe('csrf_required');
  expect((await sendPost(session, { to: [own.id] })).status).toBe(200);
});

test('the scratch folder is empty afterwards', async () => {
  const before = await filesOf(service);
  await sendPost(user, { to: [account.id] });
  const added = (await filesOf(service)).filter((path) => !before.includes(path));
  expect(added.filter((path) => path.includes('.scratch'))).toEqual([]);
  expect(added).toHaveLength(2);
});

test('workers are woken at once', async () => {
  let woken = 0;
  const { wake } = service.context;
  service.context.wake = () => {
    woken++;
  };
  await sendPost(user, { to: [account.id] });
  service.context.wake = wake;
  expect(woken).toBe(1);
});

test('a request with Expect: 100-continue is accepted', async () => {
  const form = await formOf({ fields: [['platforms', JSON.stringify([account.id])]] });
  const request = new Request('http://x', { method: 'POST', body: form });
  const body = Buffer.from(await request.arrayBuffer());
  const response = await sendRaw(`${service.url}/api/v1/post`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${user.key}`,
      'content-type': request.headers.get('content-type') ?? '',
      expect: '100-continue',
    },
    body,
  });
  expect(response.status).toBe(200);
});
