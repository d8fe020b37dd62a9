import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withFolder } from '../harness/folder.ts';
import type { TestService } from '../harness/service.ts';
import { startServiceProcess } from '../post/service-process.ts';
import { insideSmallDisk, overTcp, smallDisks } from '../post/small-disk.ts';
import { startPostService } from '../post/world.ts';
import { ask, begin, MIB, offsetOf, send, someBytes, withKey } from './world.ts';

let service: TestService;
beforeAll(async () => {
  service = await startPostService();
});
afterAll(() => service.close());

describe.runIf(smallDisks.possible)(`a disk of 64 MiB${smallDisks.reason}`, () => {
  test('filled by two uploads keeps durable bytes to resume', () =>
    withFolder(async (folder) => {
      const database = await overTcp(service.db);
      const options = { folder, databaseUrl: database.url, leastFreeBytes: 0 };
      const small = await startServiceProcess(options, insideSmallDisk(folder));
      try {
        const me = withKey(small, await service.newUser());
        const first = await begin(me, 40 * MIB);
        const second = await begin(me, 40 * MIB);
        const bytes = someBytes(40 * MIB);
        expect((await send(me, first, 0, bytes)).status).toBe(204);
        expect(await send(me, second, 0, bytes)).toMatchObject({ status: 503, code: 'storage_full' });
        const offset = await offsetOf(me, second);
        expect(offset).toBeLessThan(24 * MIB);
        expect(await ask(me, 'POST', '/uploads', { 'upload-length': String(65 * MIB) })).toMatchObject({ status: 503 });
        expect((await ask(me, 'DELETE', first)).status).toBe(204);
        expect((await send(me, second, offset, bytes.subarray(offset))).status).toBe(204);
        expect(await small.files()).toHaveLength(1);
      } finally {
        await small.kill();
        database.close();
      }
    }));
});
