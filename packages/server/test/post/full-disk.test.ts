import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withFolder } from '../harness/folder.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { startServiceProcess } from './service-process.ts';
import { insideSmallDisk, overTcp, smallDisks } from './small-disk.ts';
import { addReadyAccount, beginUpload, remainsOf, smallVideo, startPostService } from './world.ts';

const MIB = 1024 * 1024;

let service: TestService;
let user: TestUser;
let account: { id: string };
beforeEach(async () => {
  service = await startPostService();
  user = await service.newUser();
  account = await addReadyAccount(service.db, user.userId);
});
afterEach(() => service.close());

/** Uploads this many bytes to a service with a disk of 64 MiB. @returns the response and the remaining files */
function uploadInto(leastFreeBytes: number, bytes: number) {
  return withFolder(async (folder) => {
    const database = await overTcp(service.db);
    const options = { folder, databaseUrl: database.url, leastFreeBytes };
    const small = await startServiceProcess(options, insideSmallDisk(folder));
    try {
      const send = async (parts: Buffer[]) => {
        const upload = beginUpload({ ...service, url: small.url }, user.key, { to: [account.id] });
        for (const part of parts) await upload.write(part);
        upload.finish();
        return upload.response;
      };
      const refused = await send(Array.from({ length: bytes / MIB }, () => Buffer.alloc(MIB)));
      const left = await small.files();
      const next = await send([await readFile(await smallVideo())]);
      return { refused, left, next };
    } finally {
      await small.kill();
      database.close();
    }
  });
}

describe.skipIf(!smallDisks.possible)(`a disk that fills up during an upload${smallDisks.reason}`, () => {
  test.each([
    ['to the last byte', 0, 80 * MIB],
    ['to the room that must remain', 24 * MIB, 48 * MIB],
  ])('%s: 503, no files left, next video accepted', async (_, leastFreeBytes, bytes) => {
    const before = await remainsOf(service);
    const { refused, left, next } = await uploadInto(leastFreeBytes, bytes);
    expect(refused).toMatchObject({ status: 503, body: { code: 'storage_full' } });
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect(left).toEqual([]);
    expect(next.status).toBe(200);
    expect(await remainsOf(service)).toMatchObject({ posts: 1, media: 1, removals: before.removals });
  });
});
