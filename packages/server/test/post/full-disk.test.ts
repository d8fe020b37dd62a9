import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withFolder } from '../harness/folder.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { startServiceProcess } from './service-process.ts';
import { addReadyAccount, beginUpload, remainsOf, smallVideo, startPostService } from './world.ts';

const MIB = 1024 * 1024;
/** A name space of its own, in which a small disk can be mounted over a folder; then it becomes the service. */
const INSIDE = ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=64m tmpfs "$0" && shift 0 && exec "$@"'];
const probe = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt']);
const possible = probe.status === 0;
const reason = possible ? '' : ' (not possible here: user name spaces with mounts are forbidden)';

let service: TestService;
let user: TestUser;
let account: { id: string };
beforeEach(async () => {
  service = await startPostService();
  user = await service.newUser();
  account = await addReadyAccount(service.db, user.userId);
});
afterEach(() => service.close());

/** The database by TCP: its socket may belong to a user whom the name space does not know. */
async function overTcp(): Promise<{ url: string; close(): void }> {
  const { host = '', port = 5432, user: name, password, database } = service.db.connection;
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
  return { url: `postgres://${name}${secret}@${address}/${database}`, close: () => void proxy.close() };
}

/** Uploads so many bytes to a service with a disk of 64 MiB; what it answers, and the files it holds afterwards. */
function uploadInto(leastFreeBytes: number, bytes: number) {
  return withFolder(async (folder) => {
    const database = await overTcp();
    const options = { folder, databaseUrl: database.url, leastFreeBytes };
    const small = await startServiceProcess(options, [...INSIDE, folder]);
    try {
      const send = async (parts: Buffer[]) => {
        const upload = beginUpload({ ...service, url: small.url }, user.key, { to: [account.id] });
        for (const part of parts) await upload.write(part);
        upload.finish();
        return upload.answer;
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

describe.skipIf(!possible)(`a disk that fills up while a video comes in${reason}`, () => {
  test.each([
    ['to the last byte', 0, 80 * MIB],
    ['to the room that must remain', 24 * MIB, 48 * MIB],
  ])('%s: 503, nothing is left, and the next video is taken', async (_, leastFreeBytes, bytes) => {
    const before = await remainsOf(service);
    const { refused, left, next } = await uploadInto(leastFreeBytes, bytes);
    expect(refused).toMatchObject({ status: 503, body: { code: 'storage_full' } });
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect(left).toEqual([]);
    expect(next.status).toBe(200);
    expect(await remainsOf(service)).toMatchObject({ posts: 1, media: 1, removals: before.removals });
  });
});
