/** The life of uploads: a post uses them or they expire, and nothing is left. */
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uuidv7 } from '../../src/lib/ids.ts';
import { createFileLoop } from '../../src/maintenance/files.ts';
import { runSweep, SWEEPS } from '../../src/maintenance/sweeps.ts';
import { openUpload, useUpload } from '../../src/uploads/posting.ts';
import { sweepUploadFiles } from '../../src/uploads/remove.ts';
import { uploadKey } from '../../src/uploads/upload-store.ts';
import { deleteUser } from '../../src/users/service.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { filesOf, startPostService } from '../post/world.ts';
import { ask, begin, contentOf, idOf, send, sha256, someBytes, type Uploader, withKey } from './world.ts';

const HOUR = 3_600_000;
let service: TestService;
let user: TestUser;
let me: Uploader;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newUser();
  me = withKey(service, user);
});
afterAll(() => service.close());

const needs = () => ({ ...service.context, retentionDays: 30, onError: () => {} });
async function sweep() {
  const known = SWEEPS.find(({ name }) => name === 'uploads');
  if (!known) throw new Error('There is no such sweep.');
  await runSweep(needs(), known);
  while ((await createFileLoop(needs()).runOnce()) > 0);
}
const open = (path: string, userId = user.userId) =>
  openUpload(service.context, { userId, uploadId: idOf(path), scratchFolder: service.context.storage.scratch });
const use = (path: string, postId = uuidv7()) =>
  service.db.transaction((tx) =>
    useUpload(tx, { userId: user.userId, uploadId: idOf(path), postId, mediaId: uuidv7() }),
  );

async function finished(bytes = someBytes(1_000)) {
  const path = await begin(me, bytes.length);
  expect((await send(me, path, 0, bytes)).status).toBe(204);
  return path;
}

describe('a finished upload', () => {
  test('is independent of the copy that a post gets', async () => {
    const bytes = someBytes(5_000);
    const path = await finished(bytes);
    const first = await open(path);
    expect(first).toMatchObject({ bytes: 5_000, sha256: sha256(bytes) });
    await rm(first.path);
    const second = await open(path);
    expect(second.path).not.toBe(first.path);
    expect((await contentOf(service, user.userId, path)).bytes.equals(bytes)).toBe(true);
    await rm(second.path);
  });

  test('is used by one of several concurrent posts', async () => {
    const path = await finished();
    const lent = await open(path);
    const ends = await Promise.allSettled([use(path), use(path), use(path)]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'upload_used' });
    await expect(open(path)).rejects.toMatchObject({ code: 'upload_used' });
    await sweep();
    expect(await filesOf(service)).not.toContain(service.context.uploadFiles.pathOf(uploadKey(idOf(path), 0)));
    expect((await stat(lent.path)).size).toBe(1_000);
    await rm(lent.path);
    expect((await ask(me, 'HEAD', path)).status).toBe(410);
  });

  test('stays unused when the post’s transaction fails', async () => {
    const path = await finished();
    const broken = service.db.transaction(async (tx) => {
      await useUpload(tx, { userId: user.userId, uploadId: idOf(path), postId: uuidv7(), mediaId: uuidv7() });
      throw new Error('taken back');
    });
    await expect(broken).rejects.toThrow('taken back');
    await rm((await open(path)).path);
  });

  test('of another user is unknown, an unfinished one incomplete', async () => {
    const path = await finished();
    const other = await service.newUser();
    for (const [at, who] of [
      [path, other.userId],
      ['x', user.userId],
      [uuidv7(), user.userId],
    ] as const)
      await expect(open(at, who)).rejects.toMatchObject({ code: 'unknown_upload' });
    const begun = await begin(me, 10);
    await send(me, begun, 0, someBytes(4));
    await expect(open(begun)).rejects.toMatchObject({
      code: 'upload_incomplete',
      message: 'The upload is incomplete: 4 of 10 bytes were received.',
    });
    await expect(use(begun)).rejects.toMatchObject({ code: 'upload_used' });
  });
});

describe('an upload without activity', () => {
  test('is deleted a day after its last piece', async () => {
    const begun = await begin(me, 10);
    const whole = await finished();
    await service.db.clock.advance(20 * HOUR);
    expect((await send(me, begun, 0, someBytes(5))).status).toBe(204);
    await service.db.clock.advance(5 * HOUR);
    expect((await ask(me, 'HEAD', whole)).status).toBe(404);
    await expect(open(whole)).rejects.toMatchObject({ code: 'unknown_upload' });
    await sweep();
    const files = await readdir(service.context.uploadFiles.pathOf('uploads'));
    expect(files).toEqual([`${idOf(begun)}.0`]);
    expect((await ask(me, 'HEAD', begun)).offset).toBe(5);
    await service.db.clock.advance(20 * HOUR);
    await sweep();
    expect(await readdir(service.context.uploadFiles.pathOf('uploads'))).toEqual([]);
    expect(await service.db.query('select from upload where user_id = $1', [user.userId])).toEqual([]);
  });

  test('no longer counts against its user, even before the sweep', async () => {
    for (let count = 0; count < 5; count++) await begin(me, 10);
    expect((await ask(me, 'POST', '/uploads', { 'upload-length': '10' })).status).toBe(403);
    await service.db.clock.advance(25 * HOUR);
    await begin(me, 10);
  });

  test('for an hour is deleted when there are too many', async () => {
    const old = await begin(me, 10);
    await service.db.clock.advance(0.9 * HOUR);
    await send(me, old, 0, someBytes(1));
    for (let count = 0; count < 4; count++) await begin(me, 10);
    await service.db.clock.advance(0.9 * HOUR);
    expect((await ask(me, 'POST', '/uploads', { 'upload-length': '10' })).status).toBe(403);
    expect((await send(me, old, 1, someBytes(1))).status).toBe(204);
    await service.db.clock.advance(0.2 * HOUR);
    await begin(me, 10);
    expect((await ask(me, 'HEAD', old)).status).toBe(200);
    expect(await service.db.query('select from upload where user_id = $1', [user.userId])).toHaveLength(2);
    await sweep();
  });

  test('is kept while a post is created from it', async () => {
    const path = await finished();
    await service.db.clock.advance(23.9 * HOUR);
    await rm((await open(path)).path);
    await service.db.clock.advance(0.5 * HOUR);
    await sweep();
    await use(path);
  });
});

test('deleting a user deletes their uploads', async () => {
  await finished();
  const begun = await begin(me, 10);
  await send(me, begun, 0, someBytes(5));
  await deleteUser(service.db, user.email);
  await sweep();
  expect(await readdir(service.context.uploadFiles.pathOf('uploads'))).toEqual([]);
  expect(await service.db.query('select from upload where user_id = $1', [user.userId])).toEqual([]);
});

test('files are removed if old and without a row', async () => {
  const mine = idOf(await finished());
  const { uploadFiles } = service.context;
  const names = [`${mine}.7`, `${uuidv7()}.0`, 'something-else'];
  for (const name of names) await writeFile(uploadFiles.pathOf(`uploads/${name}`), 'x');
  await writeFile(uploadFiles.pathOf(`uploads/${uuidv7()}.0`), 'young');
  const before = new Date(Date.now() - 25 * HOUR);
  for (const name of [...names, `${mine}.0`]) await utimes(uploadFiles.pathOf(`uploads/${name}`), before, before);
  expect(await sweepUploadFiles(service.context)).toBe(2);
  const left = await readdir(uploadFiles.pathOf('uploads'));
  expect(left).toContain(`${mine}.0`);
  expect(left).toContain('something-else');
  expect(left).toHaveLength(3);
  expect(join(uploadFiles.pathOf('uploads'))).toContain('uploads');
});
