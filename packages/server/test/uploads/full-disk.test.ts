import { spawnSync } from 'node:child_process';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withFolder } from '../harness/folder.ts';
import type { TestService } from '../harness/service.ts';
import { startServiceProcess } from '../post/service-process.ts';
import { startPostService } from '../post/world.ts';
import { ask, begin, MIB, offsetOf, send, someBytes, withKey } from './world.ts';

/** A name space of its own, in which a small disk can be mounted over a folder; then it becomes the service. */
const INSIDE = ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=64m tmpfs "$0" && shift 0 && exec "$@"'];
const probe = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt']);
const possible = probe.status === 0;
const reason = possible ? '' : ' (not possible here: user name spaces with mounts are forbidden)';

let service: TestService;
beforeAll(async () => {
  service = await startPostService();
});
afterAll(() => service.close());

/** The database by TCP: its socket may belong to a user whom the name space does not know. */
async function overTcp() {
  const { host = '', port = 5432, user, password, database } = service.db.connection;
  const proxy = createServer((socket) => {
    const there = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const [one, other] of [
      [socket, there],
      [there, socket],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const secret = password ? `:${encodeURIComponent(String(password))}` : '';
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { url: `postgres://${user}${secret}@${address}/${database}`, close: () => void proxy.close() };
}

describe.runIf(possible)(`a disk of 64 MiB${reason}`, () => {
  test('that two uploads fill up: the second keeps what is certain, and goes on when there is room again', () =>
    withFolder(async (folder) => {
      const database = await overTcp();
      const options = { folder, databaseUrl: database.url, leastFreeBytes: 0 };
      const small = await startServiceProcess(options, [...INSIDE, folder]);
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
