import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFileLoop } from '../../src/maintenance/files.ts';
import type { AccountRow } from '../harness/rows.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { editFile, makeVideo } from '../media/fixtures.ts';
import { begin, idOf, send, withKey } from '../uploads/world.ts';
import { addReadyAccount, filesOf, remainsOf, sendPost, smallVideo, squareVideo, startPostService } from './world.ts';

let service: TestService;
let user: TestUser;
let account: AccountRow;
let postId: string;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newUser();
  account = await addReadyAccount(service.db, user.userId);
  postId = await scheduled(await fitting(4));
});
afterAll(() => service.close());

const scheduled = async (video: string) => {
  const at = (await service.db.clock.now()).getTime() + 3_600_000;
  const { status, body } = await sendPost(user, { to: [account.id], video, fields: [['scheduled', String(at)]] });
  expect(status).toBe(200);
  return body.historyId as string;
};
/** A video that no platform has converted. */
const fitting = (seconds: number, extension: 'mp4' | 'mov' = 'mp4') =>
  makeVideo({ seconds, width: 360, height: 640, fps: 25, extension });
const edit = (json: unknown) => user.call('PATCH', `/post/${postId}`, { json });
const refusal = async (json: unknown) => {
  const { status, body } = await edit(json);
  return `${status} ${body.code}`;
};
const upload = async (video: string): Promise<string> => {
  const bytes = await readFile(video);
  const path = await begin(withKey(service, user), bytes.length);
  expect((await send(withKey(service, user), path, 0, bytes)).status).toBe(204);
  return idOf(path);
};
/** The stored video and cover of the post. */
const stored = async () => {
  const [row] = await service.db.query<{
    id: string;
    sha256: string;
    thumbnail: string;
    at: number;
    key: string;
    ms: number;
  }>(
    `select m.id, encode(m.sha256, 'hex') as sha256, m.thumbnail, p.preview_time_ms as at, m.storage_key as key,
       (m.facts->>'durationMs')::integer as ms
     from post p join media m on m.id = p.media_id where p.id = $1`,
    [postId],
  );
  if (!row) throw new Error('The post has no video.');
  return row;
};
const picture = async (filename: string) => {
  const response = await fetch(`${service.url}/api/v1/media/${filename}`, {
    headers: { authorization: `Bearer ${user.key}` },
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()).toString('base64') };
};
const lines = async () => {
  const { body } = await user.get(`/post/${postId}`);
  return body.data.targets[0].timeline.map(({ message }: { message: { code: string } }) => message.code);
};
/** Removes the files whose removal is due, and returns the names of those left. */
const swept = async () => {
  await service.db.clock.advance(60_000);
  const loop = createFileLoop({ ...service.context, retentionDays: 30, onError: () => {} });
  while ((await loop.runOnce()) > 0);
  return (await filesOf(service)).join('\n');
};

describe('the cover', () => {
  test('another time gives another picture', async () => {
    const before = await stored();
    const { status, body } = await edit({ previewTime: 2.5 });
    expect(status).toBe(200);
    const after = await stored();
    expect(after).toMatchObject({ id: before.id, at: 2_500 });
    expect(body.data.filename).toContain(after.thumbnail);
    const [former, next] = [await picture(before.thumbnail), await picture(after.thumbnail)];
    expect(next.status).toBe(200);
    expect(next.bytes).not.toBe(former.bytes);
    expect(await lines()).toEqual(['scheduled', 'cover_changed']);
    const left = await swept();
    expect([left.includes(before.thumbnail), left.includes(after.thumbnail)]).toEqual([false, true]);
  });

  test('the picture is not removed a day later', async () => {
    await edit({ previewTime: 2 });
    await service.db.clock.advance(2 * 86_400_000);
    expect(await swept()).toContain((await stored()).thumbnail);
  });

  test('the same time changes nothing', async () => {
    await edit({ previewTime: 2 });
    const before = await stored();
    expect((await edit({ previewTime: 2, description: 'Dawn' })).body.data.description).toBe('Dawn');
    expect(await stored()).toEqual(before);
  });

  test('a time after the end is refused', async () => {
    const before = await stored();
    expect(await refusal({ previewTime: 4.5 })).toBe('400 preview_time_out_of_range');
    expect(await stored()).toEqual(before);
  });
});

describe('the video', () => {
  test('an upload replaces the video and the cover', async () => {
    const before = await stored();
    const uploadId = await upload(await fitting(5));
    const { status } = await edit({ uploadId, description: 'The other one' });
    expect(status).toBe(200);
    const after = await stored();
    expect(after.id).not.toBe(before.id);
    expect(after.at).toBe(0);
    expect((await picture(after.thumbnail)).status).toBe(200);
    expect(await lines()).toEqual(['scheduled', 'description_changed', 'video_changed']);
    const left = await swept();
    for (const name of [before.key, before.thumbnail, uploadId]) expect(left).not.toContain(name);
    for (const name of [after.key, after.thumbnail]) expect(left).toContain(name);
  });

  test('a part of an upload replaces the video', async () => {
    const uploadId = await upload(await fitting(6));
    expect((await edit({ uploadId, trimStart: 1, trimEnd: 4.5, previewTime: 3 })).status).toBe(200);
    const { ms, at } = await stored();
    expect(Math.abs(ms - 3_500)).toBeLessThanOrEqual(60);
    expect(at).toBe(3_000);
  });

  test('a repeated edit succeeds without another change', async () => {
    const uploadId = await upload(await smallVideo());
    await edit({ uploadId });
    const before = await stored();
    expect((await edit({ uploadId })).status).toBe(200);
    expect(await stored()).toEqual(before);
    // Another video since then: the upload is used up.
    await edit({ uploadId: await upload(await squareVideo()), fit: 'pad' });
    expect(await refusal({ uploadId })).toBe('409 upload_used');
  });

  test('of two edits with one upload, one succeeds', async () => {
    const uploadId = await upload(await smallVideo());
    const other = await scheduled(await smallVideo());
    const both = await Promise.all([edit({ uploadId }), user.call('PATCH', `/post/${other}`, { json: { uploadId } })]);
    expect(both.map(({ status, body }) => body.code ?? status).sort()).toEqual([200, 'upload_used']);
    const rows = await service.db.query(`select from media where state = 'storing'`);
    expect(rows).toEqual([]);
  });

  test('another shape is converted if asked', async () => {
    const uploadId = await upload(await squareVideo());
    expect(await refusal({ uploadId })).toBe('400 video_not_vertical');
    expect((await edit({ uploadId, fit: 'crop', previewTime: 1 })).status).toBe(200);
    const [row] = await service.db.query(
      `select (m.facts->>'width')::float * 16 = (m.facts->>'height')::float * 9 as vertical, p.preview_time_ms as at
       from post p join media m on m.id = p.media_id where p.id = $1`,
      [postId],
    );
    expect(row).toEqual({ vertical: true, at: 1_000 });
  });

  test('conversions are queued for the new video', async () => {
    const telegram = await addReadyAccount(service.db, user.userId, { platform: 'telegram' });
    await edit({ platforms: [account.id, telegram.id] });
    const renditions = () =>
      service.db.query<{ media: string; target: string | null }>(
        `select r.media_id as media, t.account_id as target from rendition r left join target t on t.rendition_id = r.id
         where r.media_id in (select media_id from post where user_id = $1)`,
        [user.userId],
      );
    expect(await renditions()).toEqual([]);
    await edit({ uploadId: await upload(await fitting(4, 'mov')) });
    const { id: media } = await stored();
    expect(await renditions()).toEqual([{ media, target: telegram.id }]);
    const { body } = await user.get(`/post/${postId}`);
    expect(body.data.targets[1].timeline.map(({ event }: { event: string }) => event)).toContain('rendition');
    await edit({ uploadId: await upload(await fitting(5)) });
    expect(await renditions()).toEqual([]);
  });

  test.each([
    [
      'a video that is too short',
      () => makeVideo({ seconds: 1, width: 90, height: 160, fps: 5 }),
      '400 video_too_short',
    ],
    [
      'a file that is no video',
      async () => editFile(await smallVideo(), () => Buffer.from('no video')),
      '400 video_unreadable',
    ],
  ])('%s is refused and leaves nothing', async (_, video, expected) => {
    const uploadId = await upload(await video());
    const before = [await stored(), await remainsOf(service)];
    expect(await refusal({ uploadId, description: 'Changed' })).toBe(expected);
    expect([await stored(), await remainsOf(service)]).toEqual(before);
  });

  test('an upload that is not finished is refused', async () => {
    const path = await begin(withKey(service, user), 1_000);
    expect(await refusal({ uploadId: idOf(path) })).toBe('409 upload_incomplete');
  });

  test('a post that begins meanwhile keeps its video', async () => {
    const uploadId = await upload(await smallVideo());
    const before = await stored();
    const files = (await filesOf(service)).length;
    const lane = service.db.another(1);
    const { client, release } = await lane.connect();
    await client.query('begin');
    await client.query('select from lane where identity_id = $1 for update', [account.identityId]);
    const editing = refusal({ uploadId });
    await client.query(`update target set state = 'working', begun_at = app_now() where post_id = $1`, [postId]);
    await client.query('commit');
    release();
    expect(await editing).toBe('409 not_editable');
    expect(await stored()).toEqual(before);
    expect(await filesOf(service)).toHaveLength(files);
    const [row] = await service.db.query('select used_at from upload where id = $1', [uploadId]);
    expect(row).toEqual({ used_at: null });
  });
});
