import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_DRAFTS } from '../../src/drafts/service.ts';
import { DAY } from '../../src/lib/time.ts';
import { sweepUploads } from '../../src/uploads/remove.ts';
import { waitingSessions } from '../harness/locks.ts';
import type { AccountRow } from '../harness/rows.ts';
import type { SessionUser, TestService } from '../harness/service.ts';
import { finishedUpload } from '../post/source-world.ts';
import { addReadyAccount, eventually, filesOf, sendPost, smallVideo, startPostService } from '../post/world.ts';
import { begin, idOf, withSession } from '../uploads/world.ts';

let service: TestService;
let user: SessionUser;
let account: AccountRow;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newSession();
  account = await addReadyAccount(service.db, user.userId);
});
afterAll(() => service.close());

const ID = '019a0b1c-2d3e-4f40-8a5b-6c7d8e9f0a1b';
const OTHER_ID = '019a0b1c-2d3e-4f40-8a5b-6c7d8e9f0a1c';
const EMPTY = {
  ...{ version: 0, description: '', platforms: [], options: {}, scheduled: null, previewTime: 0, fit: null },
  video: null,
};
const save = (changes: object = {}, id = ID) => user.call('PUT', `/drafts/${id}`, { json: { ...EMPTY, ...changes } });
const get = (id = ID) => user.get(`/drafts/${id}`);
const remove = (id = ID) => user.call('DELETE', `/drafts/${id}`);
const list = async () => (await user.get('/drafts')).body.data;
const refused = (status: number, code: string) => ({ status, body: { success: false, code } });
const upload = () => finishedUpload(withSession(service, user));
const video = (uploadId: string) => ({ uploadId, name: 'clip.mp4', lastModified: 1_700_000_000_000 });
const post = (uploadId: string, key: string) =>
  sendPost(user, {
    ...{ to: [account.id], video: null, fields: [['uploadId', uploadId]] },
    headers: { 'idempotency-key': key },
  });

async function saved(changes: object, id = ID) {
  const { status, body } = await save(changes, id);
  expect([status, body.code]).toEqual([200, undefined]);
  return body.data;
}

/** Days that an upload is still kept; null: it is gone. */
async function daysLeft(id: string): Promise<number | null> {
  const [row] = await service.db.query<{ left: number }>(
    'select extract(epoch from expires_at - app_now()) / 86400 as left from upload where id = $1',
    [id],
  );
  return row ? Math.round(Number(row.left)) : null;
}

describe('a draft', () => {
  test('returns what was saved', async () => {
    const uploadId = await upload();
    const content = {
      ...{ description: 'First\nlight 🌅', platforms: [account.id], scheduled: 1_900_000_000_000, previewTime: 1.5 },
      options: { [account.id]: { caption: 'Own', values: { title: 'T', tags: ['a', 'b'], isKids: false } } },
      ...{ fit: 'crop', cropPosition: 0.2, trimStart: 1.5, trimEnd: null },
    };
    const stored = { ...content, video: { ...video(uploadId), bytes: expect.any(Number) } };
    const data = await saved({ ...content, video: video(uploadId) });
    expect(data).toEqual({ id: ID, version: 1, changedAt: expect.any(String), ...stored });
    expect((await get()).body.data).toEqual(data);
  });

  test('of an earlier version keeps the whole video', async () => {
    const whole = { cropPosition: 0.5, trimStart: null, trimEnd: null };
    expect(await saved({})).toMatchObject(whole);
    await service.db.execute("update draft set content = content - 'cropPosition' - 'trimStart' - 'trimEnd'");
    expect((await get()).body.data).toMatchObject(whole);
  });

  test('may be incomplete', async () => {
    expect(await saved({ scheduled: 'incomplete', description: 'x'.repeat(20_000) })).toMatchObject({
      scheduled: 'incomplete',
    });
  });

  test('is listed with the start of its description', async () => {
    const uploadId = await upload();
    await saved({ description: `${'🌅'.repeat(199)}ab`, platforms: [account.id], video: video(uploadId) });
    await saved({ description: 'Second' }, OTHER_ID);
    const [second, first] = await list();
    expect(second).toMatchObject({ id: OTHER_ID, description: 'Second', platforms: [], video: null });
    expect(first).toEqual({
      ...{ id: ID, version: 1, changedAt: expect.any(String), description: `${'🌅'.repeat(199)}a` },
      ...{ platforms: [account.id], scheduled: null },
      video: { ...video(uploadId), bytes: expect.any(Number) },
    });
  });

  test('comes first in the list when it was changed last', async () => {
    await saved({});
    await saved({}, OTHER_ID);
    await service.db.clock.advance(1);
    await saved({ version: 1, description: 'Again' });
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual([ID, OTHER_ID]);
  });

  test('is not replaced by an older version', async () => {
    await saved({ description: 'One' });
    await saved({ version: 1, description: 'Two' });
    expect(await save({ version: 1, description: 'Three' })).toMatchObject(refused(409, 'draft_changed'));
    expect(await save({ version: 0, description: 'Three' })).toMatchObject(refused(409, 'draft_changed'));
    expect(await save({ version: 3, description: 'Three' })).toMatchObject(refused(409, 'draft_changed'));
    expect((await get()).body.data).toMatchObject({ version: 2, description: 'Two' });
  });

  test('is saved once when the request is repeated', async () => {
    const first = await saved({ description: 'One' });
    expect(await saved({ description: 'One' })).toEqual(first);
    const second = await saved({ version: 1, description: 'Two', platforms: [account.id] });
    expect(await saved({ version: 1, description: 'Two', platforms: [account.id] })).toEqual(second);
    expect(second.version).toBe(2);
  });

  test('is changed by one of several requests at once', async () => {
    await saved({});
    const texts = ['One', 'Two', 'Three', 'Four'];
    const results = await Promise.all(texts.map((description) => save({ version: 1, description })));
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect((await get()).body.data.version).toBe(2);
  });

  test('is not added again while its post is created', async () => {
    await saved({});
    const { client, release } = await service.db.another(1).connect();
    await client.query('begin');
    await client.query('delete from draft where user_id = $1', [user.userId]);
    const saving = save({ version: 1, description: 'Late' });
    await eventually('it waits', async () => (await waitingSessions(service.db)) === 1);
    await client.query('commit');
    release();
    expect(await saving).toMatchObject(refused(404, 'unknown_draft'));
    expect(await list()).toEqual([]);
  });

  test('is unknown once it is deleted', async () => {
    await saved({});
    expect((await remove()).status).toBe(200);
    expect(await remove()).toMatchObject(refused(404, 'unknown_draft'));
    expect(await get()).toMatchObject(refused(404, 'unknown_draft'));
    expect(await save({ version: 1 })).toMatchObject(refused(404, 'unknown_draft'));
    expect(await get('none')).toMatchObject(refused(404, 'unknown_draft'));
    expect(await remove('none')).toMatchObject(refused(404, 'unknown_draft'));
  });

  test('belongs to one user, also if ids are the same', async () => {
    await saved({ description: 'Mine' });
    const mine = user;
    user = await service.newSession();
    expect(await get()).toMatchObject(refused(404, 'unknown_draft'));
    expect(await save({ version: 1 })).toMatchObject(refused(404, 'unknown_draft'));
    await saved({ description: 'Theirs' });
    expect((await remove()).status).toBe(200);
    user = mine;
    expect((await get()).body.data.description).toBe('Mine');
  });

  test('is not saved with an unknown field', async () => {
    expect(await save({ more: 1 })).toMatchObject(refused(400, 'unknown_field'));
    expect(await list()).toEqual([]);
  });

  test.each([
    ['an id that is no UUID', {}, 'none'],
    ['a long description', { description: 'x'.repeat(20_001) }, ID],
    ['too many accounts', { platforms: Array.from({ length: 201 }, () => ID) }, ID],
    ['an account that is no id', { platforms: ['x'] }, ID],
    ['an option that is a number', { options: { [ID]: { caption: null, values: { title: 1 } } } }, ID],
    ['long options', { options: { [ID]: { caption: 'x'.repeat(65_536), values: {} } } }, ID],
    ['a time that is text', { scheduled: 'later' }, ID],
    ['a time that is no integer', { scheduled: 0.5 }, ID],
    ['a negative position of the cover', { previewTime: -1 }, ID],
    ['a negative version', { version: -1 }, ID],
    ['U+0000', { description: 'a\0b' }, ID],
    ['half a letter', { description: '\ud800' }, ID],
    ['a video without a name', { video: { uploadId: ID, name: '', lastModified: null } }, ID],
  ])('is not saved with %s', async (_, changes, id) => {
    expect(await save(changes, id)).toMatchObject(refused(400, 'invalid_request'));
    expect(await list()).toEqual([]);
  });

  test('is one of at most 100, also at once', async () => {
    await service.db.execute(
      `insert into draft (user_id, id, content) select $1, uuid_v7(), $2::jsonb from generate_series(1, ${MAX_DRAFTS - 2})`,
      [user.userId, EMPTY],
    );
    const ids = Array.from({ length: 5 }, (_, index) => ID.replace(/.$/, String(index)));
    const statuses = (await Promise.all(ids.map((id) => save({}, id)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 403, 403, 403]);
    expect(await save({}, OTHER_ID)).toMatchObject(refused(403, 'too_many_drafts'));
    const [{ id, version }] = await list();
    await saved({ version, description: 'Still changed' }, id);
  });

  test('needs a session', async () => {
    const key = await service.newUser();
    expect(await key.get('/drafts')).toMatchObject(refused(403, 'session_required'));
  });
});

describe('the video of a draft', () => {
  test('is kept for 30 days, and other uploads for one', async () => {
    const [kept, other] = [await upload(), await upload()];
    await saved({ video: video(kept) });
    expect([await daysLeft(kept), await daysLeft(other)]).toEqual([30, 1]);
    await service.db.clock.advance(2 * DAY);
    await sweepUploads(service.db);
    expect([await daysLeft(kept), await daysLeft(other)]).toEqual([28, null]);
    await service.db.execute("update auth.session set expires_at = app_now() + interval '1 day'");
    await saved({ version: 1, video: video(kept), description: 'More' });
    expect(await daysLeft(kept)).toBe(30);
  });

  test('is null once its upload is gone', async () => {
    const uploadId = await upload();
    const { bytes } = (await saved({ video: video(uploadId) })).video;
    await service.db.execute('update upload set expires_at = app_now() where id = $1', [uploadId]);
    const gone = { name: 'clip.mp4', uploadId: null, bytes };
    expect((await get()).body.data.video).toMatchObject(gone);
    await sweepUploads(service.db);
    expect((await get()).body.data.video).toMatchObject(gone);
    expect((await list())[0].video).toMatchObject(gone);
    expect(await save({ version: 1, video: video(uploadId) })).toMatchObject(refused(404, 'unknown_upload'));
    await saved({ version: 1, video: null });
  });

  test('expires within a day when another replaces it', async () => {
    const [first, second] = [await upload(), await upload()];
    await saved({ video: video(first) });
    await saved({ version: 1, video: video(second) });
    expect([await daysLeft(first), await daysLeft(second)]).toEqual([1, 30]);
    await saved({ version: 2 });
    expect(await daysLeft(second)).toBe(1);
  });

  test('is deleted with its last draft', async () => {
    const uploadId = await upload();
    await saved({ video: video(uploadId) });
    await saved({ video: video(uploadId) }, OTHER_ID);
    await saved({ version: 1 }, OTHER_ID);
    expect(await daysLeft(uploadId)).toBe(30);
    await saved({ version: 2, video: video(uploadId) }, OTHER_ID);
    const files = await filesOf(service);
    expect((await remove()).status).toBe(200);
    expect(await daysLeft(uploadId)).toBe(30);
    expect((await remove(OTHER_ID)).status).toBe(200);
    expect(await daysLeft(uploadId)).toBeNull();
    expect((await filesOf(service)).length).toBe(files.length - 1);
  });

  test('must be a finished upload of the user', async () => {
    const part = idOf(await begin(withSession(service, user), 10));
    expect(await save({ video: video(part) })).toMatchObject(refused(409, 'upload_incomplete'));
    expect(await save({ video: video('none') })).toMatchObject(refused(404, 'unknown_upload'));
    const uploadId = await upload();
    const other = await service.newSession();
    const theirs = await finishedUpload(withSession(service, other));
    expect(await save({ video: video(theirs) })).toMatchObject(refused(404, 'unknown_upload'));
    expect(await daysLeft(theirs)).toBe(1);
    expect((await post(uploadId, 'key')).status).toBe(200);
    expect(await save({ video: video(uploadId) })).toMatchObject(refused(409, 'upload_used'));
    expect(await list()).toEqual([]);
  });
});

describe('a post', () => {
  test('deletes its draft', async () => {
    const uploadId = await upload();
    await saved({ video: video(uploadId) });
    await saved({}, OTHER_ID);
    expect((await post(uploadId, ID)).status).toBe(200);
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual([OTHER_ID]);
    expect(await save({ version: 1 })).toMatchObject(refused(404, 'unknown_draft'));
  });

  test('that is refused keeps the draft', async () => {
    const uploadId = await upload();
    await saved({ video: video(uploadId) });
    await service.db.execute(`update account set status = 'DISCONNECTED' where id = $1`, [account.id]);
    expect((await post(uploadId, ID)).status).toBe(409);
    expect(await get()).toMatchObject({ status: 200, body: { data: { video: { uploadId } } } });
  });

  test('from two devices is created once', async () => {
    const uploadId = await upload();
    await saved({ video: video(uploadId) });
    const [one, other] = await Promise.all([post(uploadId, ID), post(uploadId, ID)]);
    const created = [one, other].filter(({ status }) => status === 200).map(({ body }) => body.historyId);
    expect(new Set(created).size).toBe(1);
    expect(await list()).toEqual([]);
  });

  test('with another key keeps the draft, without a video', async () => {
    const uploadId = await upload();
    await saved({ video: video(uploadId) });
    expect((await post(uploadId, OTHER_ID)).status).toBe(200);
    expect((await get()).body.data.video).toMatchObject({ uploadId: null });
  });

  test('of another user with the same key keeps it', async () => {
    await saved({});
    const other = await service.newUser();
    const theirs = await addReadyAccount(service.db, other.userId);
    const sent = await sendPost(other, {
      ...{ to: [theirs.id], video: await smallVideo(), headers: { 'idempotency-key': ID } },
    });
    expect(sent.status).toBe(200);
    expect((await get()).status).toBe(200);
  });
});
