import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_DRAFTS } from '../../src/drafts/service.ts';
import { HOUR } from '../../src/lib/time.ts';
import type { AccountRow } from '../harness/rows.ts';
import type { SessionUser, TestService } from '../harness/service.ts';
import { addReadyAccount, sendPost, smallVideo, startPostService } from '../post/world.ts';
import { begin, contentOf, withSession } from '../uploads/world.ts';

let service: TestService;
let user: SessionUser;
/** An account with a caption of its own, and one without. */
let a: AccountRow;
let b: AccountRow;
let at: number;
let postId: string;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newSession();
  [a, b] = [await addReadyAccount(service.db, user.userId), await addReadyAccount(service.db, user.userId)];
  at = (await service.db.clock.now()).getTime() + HOUR;
  postId = await scheduled();
});
afterAll(() => service.close());

const DRAFT = '019a0b1c-2d3e-4f40-8a5b-6c7d8e9f0a1b';

async function scheduled(fields: readonly [string, string][] = []): Promise<string> {
  const { status, body } = await sendPost(user, {
    to: [b.id, a.id],
    fields: [
      ['description', 'First light'],
      ['scheduled', String(at)],
      ['previewTime', '1.5'],
      ['options', JSON.stringify({ [a.id]: { caption: 'Own' } })],
      ...fields,
    ],
  });
  expect([status, body.code]).toEqual([200, undefined]);
  return body.historyId;
}

const move = (changes: object = {}) =>
  user.call('POST', `/dashboard/posts/${postId}/draft`, {
    json: { draftId: DRAFT, videoName: 'clip.mp4', values: {}, ...changes },
  });
const refused = (status: number, code: string) => ({ status, body: { success: false, code } });
const drafts = async () => (await user.get('/drafts')).body.data;
const uploads = () => service.db.query<{ id: string }>('select id from upload where user_id = $1', [user.userId]);
/** The post is unchanged, and no copy of its video is left. */
async function expectUnmoved(found: readonly object[] = []) {
  expect((await user.get(`/post/${postId}`)).body.data).toMatchObject({ id: postId, scheduled: true });
  expect(await uploads()).toHaveLength(found.length);
  expect((await drafts()).map(({ id }: { id: string }) => id)).not.toContain(DRAFT);
}

describe('a scheduled post that is moved to the drafts', () => {
  test('is a draft with everything', async () => {
    const bytes = await readFile(await smallVideo());
    const { status, body } = await move({ values: { [b.id]: { title: 'T' } } });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...{ id: DRAFT, version: 1, changedAt: expect.any(String), description: 'First light' },
      ...{ platforms: [b.id, a.id], scheduled: at, previewTime: 1.5, fit: null },
      ...{ cropPosition: 0.5, trimStart: null, trimEnd: null },
      options: { [a.id]: { caption: 'Own', values: {} }, [b.id]: { caption: null, values: { title: 'T' } } },
      video: { uploadId: expect.any(String), name: 'clip.mp4', bytes: bytes.length, lastModified: null },
    });
    expect(await user.get(`/post/${postId}`)).toMatchObject(refused(404, 'unknown_post'));
    expect(await drafts()).toHaveLength(1);
    const copy = await contentOf(service, user.userId, `/uploads/${body.data.video.uploadId}`);
    expect(copy.bytes.equals(bytes)).toBe(true);
  });

  test('no longer counts in the plan', async () => {
    const used = async () => (await user.get('/user')).body.data.limits;
    const before = await used();
    await move();
    expect(await used()).not.toEqual(before);
    expect((await sendBack()).status).toBe(200);
    expect(await used()).toEqual(before);
  });

  test('can be scheduled again at once', async () => {
    await move();
    const { status, body } = await sendBack();
    expect(status).toBe(200);
    expect((await user.get(`/post/${body.historyId}`)).body.data).toMatchObject({
      ...{ description: 'First light', scheduled: true, date: new Date(at).toISOString() },
    });
    expect(await drafts()).toEqual([]);
  });

  test('is moved once when the request is repeated', async () => {
    const first = await move();
    expect(await move()).toMatchObject({ status: 200, body: first.body });
    expect(await uploads()).toHaveLength(1);
  });

  test('is canceled or moved, never both', async () => {
    const cancel = () => user.get(`/post/cancelSchedule?id=${postId}`);
    const [moved, canceled] = await Promise.all([move(), cancel()]);
    expect(canceled.status).toBe(200);
    expect(await drafts()).toHaveLength(moved.status === 200 ? 1 : 0);
    expect(await uploads()).toHaveLength(moved.status === 200 ? 1 : 0);
  });
});

/** Posts the draft. */
async function sendBack() {
  const [{ video, platforms, scheduled: time, description }] = await drafts();
  return sendPost(user, {
    ...{ to: platforms, video: null, headers: { 'idempotency-key': DRAFT } },
    fields: [
      ['uploadId', video.uploadId],
      ['scheduled', String(time)],
      ['description', description],
    ],
  });
}

describe('a post stays scheduled', () => {
  test('when the id is that of another draft', async () => {
    const json = { version: 0, description: '', platforms: [], options: {}, scheduled: null, previewTime: 0 };
    await user.call('PUT', `/drafts/${DRAFT}`, { json: { ...json, fit: null, video: null } });
    expect(await move()).toMatchObject(refused(409, 'draft_changed'));
    expect((await user.get(`/post/${postId}`)).status).toBe(200);
    expect(await uploads()).toEqual([]);
  });

  test('when all drafts are used', async () => {
    await service.db.execute(
      `insert into draft (user_id, id, content) select $1, uuid_v7(), '{}' from generate_series(1, ${MAX_DRAFTS})`,
      [user.userId],
    );
    expect(await move()).toMatchObject(refused(403, 'too_many_drafts'));
    await service.db.execute('delete from draft where user_id = $1', [user.userId]);
    await expectUnmoved();
  });

  test('when the uploads are used up', async () => {
    for (let count = 0; count < 5; count++) await begin(withSession(service, user), 10);
    expect(await move()).toMatchObject(refused(403, 'too_many_uploads'));
    await expectUnmoved(await uploads());
  });

  test('when its video cannot be read', async () => {
    await service.db.execute(`update media set storage_key = 'videos/none' where user_id = $1`, [user.userId]);
    expect(await move()).toMatchObject(refused(410, 'video_gone'));
    await expectUnmoved();
  });

  test('when it has started', async () => {
    await service.db.execute(`update target set state = 'working', begun_at = app_now() where post_id = $1`, [postId]);
    expect(await move()).toMatchObject(refused(409, 'not_cancellable'));
    await expectUnmoved();
  });

  test.each([
    ['without an id', { draftId: undefined }],
    ['with an id that is no UUID', { draftId: 'x' }],
    ['without a name', { videoName: '' }],
    ['with values that are no input', { values: { x: { title: 1 } } }],
    ['with long values', { values: { x: { title: 'x'.repeat(65_536) } } }],
  ])('for a request %s', async (_, changes) => {
    expect(await move(changes)).toMatchObject(refused(400, 'invalid_request'));
    await expectUnmoved();
  });

  test('for another user', async () => {
    const owner = user;
    user = await service.newSession();
    expect(await move()).toMatchObject(refused(404, 'unknown_post'));
    expect(await drafts()).toEqual([]);
    user = owner;
    await expectUnmoved();
  });
});

test('a post that is not scheduled is not moved', async () => {
  const { body } = await sendPost(user, { to: [a.id] });
  postId = body.historyId;
  expect(await move()).toMatchObject(refused(409, 'not_cancellable'));
  postId = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b';
  expect(await move()).toMatchObject(refused(404, 'unknown_post'));
  postId = 'none';
  expect(await move()).toMatchObject(refused(404, 'unknown_post'));
});
