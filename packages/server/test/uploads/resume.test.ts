import { join } from 'node:path';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDiskUploadFiles } from '../../src/uploads/files.ts';
import { openUpload } from '../../src/uploads/posting.ts';
import { testConfig } from '../harness/config.ts';
import { FULL } from '../harness/draw.ts';
import { withFolder } from '../harness/folder.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { startServiceProcess } from '../post/service-process.ts';
import { eventually, startPostService } from '../post/world.ts';
import { openLine } from './broken-line.ts';
import {
  base64,
  begin,
  beginPiece,
  contentOf,
  idOf,
  MIB,
  offsetOf,
  send,
  sha256,
  someBytes,
  type Uploader,
  withKey,
} from './world.ts';

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

/** The durable bytes according to the row. */
async function durable(path?: string): Promise<number> {
  const [row] = await service.db.query<{ durable: number }>(
    'select durable from upload where user_id = $1 and ($2::uuid is null or id = $2)',
    [user.userId, path ? idOf(path) : null],
  );
  return row?.durable ?? 0;
}

async function isHeld(path: string): Promise<boolean> {
  const held = 'select from upload where id = $1 and lease_until is not null';
  return (await service.db.query(held, [idOf(path)])).length > 0;
}

test('a kill during a piece loses no durable bytes', () =>
  withFolder(async (folder) => {
    const kills = FULL ? 3 : 1;
    const bytes = someBytes((kills + 1) * 16 * MIB);
    const line = await openLine();
    const started = Promise.withResolvers<void>();
    const finished = new Promise<string>((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint: `${line.url}/api/v1/uploads`,
        headers: me.headers,
        retryDelays: [0, 0, 0],
        metadata: { sha256: sha256(bytes) },
        onError: reject,
        onSuccess: () => resolve(upload.url ?? ''),
      });
      upload.start();
      started.resolve();
    });
    await started.promise;
    const start = () => startServiceProcess({ folder, databaseUrl: service.db.url, leastFreeBytes: 0 });
    const mortals = await Promise.all(Array.from({ length: kills }, start));
    const { storageFolder } = testConfig(folder);
    const last = await startPostService({ config: { databaseUrl: service.db.url, storageFolder } });
    const past: number[] = [0];
    for (const process of mortals) {
      const before = past.at(-1) ?? 0;
      line.leadTo(process.url, 20 * MIB);
      // The forwarded bytes, except those not flushed yet and request headers.
      await eventually('some of it is on disk', async () => (await durable()) >= before + 11 * MIB);
      // Before the kill: the client tries only three times, and not against a dead process.
      line.hold();
      await process.kill();
      past.push(await durable());
      // The lease of the killed process expires.
      await service.db.clock.advance(6_000);
    }
    line.leadTo(last.url);
    const url = await finished;
    await last.close();
    await line.close();
    const opened = await openUpload(
      { db: service.db, uploadFiles: createDiskUploadFiles(storageFolder) },
      { userId: user.userId, uploadId: idOf(url), scratchFolder: join(storageFolder, '.scratch') },
    );
    expect(opened).toMatchObject({ bytes: bytes.length, sha256: sha256(bytes) });
    for (const [index, offset] of past.slice(1).entries())
      expect(offset - (past[index] ?? 0)).toBeGreaterThanOrEqual(11 * MIB);
  }));

describe('two services with one folder and database', () => {
  let other: TestService;
  let there: Uploader;
  beforeAll(async () => {
    const { storageFolder } = service.context.config;
    other = await startPostService({ config: { databaseUrl: service.db.url, storageFolder } });
  });
  beforeEach(() => {
    there = { ...me, url: other.url };
  });
  afterAll(() => other.close());

  test('take pieces in turn', async () => {
    const bytes = someBytes(3 * MIB + 5);
    const path = await begin(me, bytes.length);
    for (let at = 0; at < bytes.length; at += 512 * 1024) {
      const uploader = (at / (512 * 1024)) % 2 === 0 ? there : me;
      expect(await offsetOf(uploader, path)).toBe(at);
      const piece = bytes.subarray(at, at + 512 * 1024);
      expect((await send(uploader, path, at, piece)).offset).toBe(at + piece.length);
    }
    expect((await contentOf(service, user.userId, path)).sha256).toBe(sha256(bytes));
  });

  test('a stuck writer is ended by the other service', async () => {
    const bytes = someBytes(4 * MIB);
    const path = await begin(me, bytes.length);
    const stuck = beginPiece(me, path, { offset: 0, length: bytes.length });
    await stuck.write(bytes.subarray(0, 3 * MIB));
    await eventually('it writes', () => isHeld(path));
    const offset = await offsetOf(there, path);
    expect(offset).toBeLessThanOrEqual(3 * MIB);
    expect((await send(there, path, offset, bytes.subarray(offset))).status).toBe(204);
    expect(await stuck.response).toEqual({ status: 423, code: 'upload_locked' });
    expect((await contentOf(service, user.userId, path)).bytes.equals(bytes)).toBe(true);
  });
});

describe('an interrupted piece', () => {
  test('keeps what was received', async () => {
    const bytes = someBytes(2 * MIB);
    const path = await begin(me, bytes.length, { 'upload-metadata': `sha256 ${base64(sha256(bytes))}` });
    const broken = beginPiece(me, path, { offset: 0, length: bytes.length });
    await broken.write(bytes.subarray(0, MIB));
    await eventually('all of it has come', async () => (await durable(path)) === MIB);
    broken.request.destroy();
    expect(await offsetOf(me, path)).toBe(MIB);
    expect((await send(me, path, MIB, bytes.subarray(MIB))).status).toBe(204);
    expect((await contentOf(service, user.userId, path)).bytes.equals(bytes)).toBe(true);
  });

  test('with a checksum keeps nothing', async () => {
    const bytes = someBytes(MIB);
    const path = await begin(me, bytes.length);
    const hash = `sha256 ${Buffer.from(sha256(bytes), 'hex').toString('base64')}`;
    const broken = beginPiece(me, path, { offset: 0, length: bytes.length, more: { 'upload-checksum': hash } });
    await broken.write(bytes.subarray(0, 600_000));
    await eventually('it writes', () => isHeld(path));
    broken.request.destroy();
    expect(await offsetOf(me, path)).toBe(0);
    expect((await send(me, path, 0, bytes, { 'upload-checksum': hash })).status).toBe(204);
  });

  test('by a shutdown is kept and the client retries', async () => {
    const stopping = await startPostService({
      config: { databaseUrl: service.db.url, storageFolder: service.context.config.storageFolder },
    });
    const path = await begin(me, MIB);
    const piece = beginPiece({ ...me, url: stopping.url }, path, { offset: 0, length: MIB });
    await piece.write(someBytes(MIB / 2));
    await eventually('it writes', () => isHeld(path));
    await stopping.drain();
    expect(await piece.response).toEqual({ status: 423, code: 'upload_locked' });
    await stopping.close();
    expect(await offsetOf(me, path)).toBeLessThanOrEqual(MIB / 2);
  });
});
