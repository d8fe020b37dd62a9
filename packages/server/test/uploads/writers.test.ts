/** Concurrent writers of one upload, and writers that disappeared. */
import { open } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ReelayError } from '../../src/errors/reelay-error.ts';
import { readRawBody } from '../../src/http/receive/raw-body.ts';
import { takeOver } from '../../src/uploads/lease.ts';
import { endLease, recordDurable, renewLease, takeLease, uploadKey } from '../../src/uploads/upload-store.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { eventually, filesOf, startPostService } from '../post/world.ts';
import {
  ask,
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

/** Far longer than any step of a test, even on a busy machine. */
const LEASE_MS = 60_000;

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

const row = async (path: string) => {
  const [found] = await service.db.query<{ durable: number; file: number; fence: number; held: boolean }>(
    'select durable, file, fence, lease_until is not null as held from upload where id = $1',
    [idOf(path)],
  );
  return found ?? { durable: -1, file: -1, fence: -1, held: false };
};

describe('a second writer', () => {
  test('continues where a dead connection stopped', async () => {
    const bytes = someBytes(3 * MIB);
    const path = await begin(me, bytes.length);
    const first = beginPiece(me, path, { offset: 0, length: bytes.length });
    await first.write(bytes.subarray(0, 2 * MIB));
    await eventually('all of it has come', async () => (await row(path)).durable === 2 * MIB);
    const second = await send(me, path, 2 * MIB, bytes.subarray(2 * MIB));
    expect([second.status, second.offset]).toEqual([204, bytes.length]);
    expect(await first.response).toEqual({ status: 423, code: 'upload_locked' });
    expect((await contentOf(service, user.userId, path)).bytes.equals(bytes)).toBe(true);
  });

  test('gets the current offset when the first got further', async () => {
    const bytes = someBytes(MIB);
    const path = await begin(me, bytes.length);
    const first = beginPiece(me, path, { offset: 0, length: bytes.length });
    await first.write(bytes.subarray(0, 300_000));
    await eventually('all of it has come', async () => (await row(path)).durable === 300_000);
    expect(await send(me, path, 0, bytes)).toMatchObject({ status: 409, code: 'wrong_offset' });
    expect(await offsetOf(me, path)).toBe(300_000);
  });

  test('at the same time leaves a correct file', async () => {
    const bytes = someBytes(4 * MIB);
    const path = await begin(me, bytes.length);
    for (let offset = 0; offset < bytes.length; ) {
      const rest = bytes.subarray(offset);
      const responses = await Promise.all([0, 1, 2].map(() => send(me, path, offset, rest).catch(() => null)));
      for (const response of responses) expect([204, 409, 413, 423, undefined]).toContain(response?.status);
      offset = await offsetOf(me, path);
    }
    expect((await contentOf(service, user.userId, path)).sha256).toBe(sha256(bytes));
  });

  test('is not blocked by a late renewal of the first', async () => {
    const path = await begin(me, 10);
    const claim = await takeLease(service.db, { userId: user.userId, id: idOf(path), leaseMs: LEASE_MS });
    if (!claim) throw new Error('The lease could not be had.');
    expect(await renewLease(service.db, claim, LEASE_MS)).toBe('ours');
    await endLease(service.db, claim);
    expect(await renewLease(service.db, claim, LEASE_MS)).toBeNull();
    expect((await row(path)).held).toBe(false);
  });

  test('finds an upload removed under the first gone', async () => {
    const path = await begin(me, MIB);
    const before = (await filesOf(service)).length;
    const first = beginPiece(me, path, { offset: 0, length: MIB });
    await first.write(someBytes(1_000));
    await eventually('it has come', async () => (await row(path)).durable === 1_000);
    expect((await ask(me, 'DELETE', path)).status).toBe(204);
    expect(await first.response).toEqual({ status: 404, code: 'unknown_upload' });
    expect((await send(me, path, 1_000, someBytes(10))).status).toBe(404);
    expect((await filesOf(service)).length).toBe(before);
  });
});

describe('a writer that disappeared', () => {
  /** A writer whose process froze: it has the lease and the file, and sends nothing. */
  async function freeze(bytes: Buffer, written: number) {
    const path = await begin(me, bytes.length);
    await send(me, path, 0, bytes.subarray(0, written));
    const claim = await takeLease(service.db, { userId: user.userId, id: idOf(path), leaseMs: LEASE_MS });
    if (!claim) throw new Error('The lease could not be had.');
    const handle = await open(service.context.uploadFiles.pathOf(uploadKey(claim.id, claim.file)), 'r+');
    return { path, claim, handle };
  }

  test('blocks others for seconds and cannot change their file', async () => {
    const bytes = someBytes(300_000);
    const { path, claim, handle } = await freeze(bytes, 100_000);
    await service.db.clock.advance(LEASE_MS + 1);
    expect((await send(me, path, 100_000, bytes.subarray(100_000, 200_000))).status).toBe(204);
    await handle.write(someBytes(200_000), 0, 200_000, 100_000);
    expect((await send(me, path, 200_000, bytes.subarray(200_000))).status).toBe(204);
    await handle.write(someBytes(300_000), 0, 300_000, 0);
    await handle.close();
    expect((await contentOf(service, user.userId, path)).bytes.equals(bytes)).toBe(true);
    expect(await renewLease(service.db, claim, LEASE_MS)).toBeNull();
    expect(await recordDurable(service.db, claim, 150_000)).toBeNull();
    expect((await row(path)).file).not.toBe(claim.file);
    expect(
      await service.db.query('select from file_removal where storage_key = $1', [uploadKey(claim.id, claim.file)]),
    ).toHaveLength(1);
  });

  test('before its first byte leaves nothing to copy', async () => {
    const bytes = someBytes(50_000);
    const path = await begin(me, bytes.length);
    await takeLease(service.db, { userId: user.userId, id: idOf(path), leaseMs: LEASE_MS });
    await service.db.clock.advance(LEASE_MS + 1);
    expect((await send(me, path, 0, bytes)).status).toBe(204);
    expect((await contentOf(service, user.userId, path)).sha256).toBe(sha256(bytes));
  });

  test('but is alive blocks others for a limited time', async () => {
    const { path, claim, handle } = await freeze(someBytes(1_000), 500);
    await handle.close();
    const which = { userId: user.userId, uploadId: idOf(path) };
    await expect(takeOver(service.context, which, 100)).rejects.toMatchObject({ code: 'upload_locked', status: 423 });
    expect(await renewLease(service.db, claim, LEASE_MS)).toBe('wanted');
    expect(await offsetOf(me, path)).toBe(500);
  });
});

describe('a body', () => {
  /** Reads one body with a test clock. @returns how that ended */
  async function reading(take: (chunk: Buffer) => boolean, use: (url: string, tick: () => void) => Promise<void>) {
    const ticks: (() => void)[] = [];
    const ended = Promise.withResolvers<unknown>();
    const server = http.createServer((request, response) => {
      readRawBody(request, {
        response,
        every: (_ms, tick) => {
          ticks.push(tick);
          return () => {};
        },
        take,
        whenRoom: () => {},
        failure: new Promise(() => {}),
      }).then(ended.resolve, ended.resolve);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => {
      for (const tick of ticks) tick();
    });
    const result = await ended.promise;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    return result;
  }
  const post = (url: string) => {
    const request = http.request(url, { method: 'PATCH', headers: { 'content-length': 1_000_000 } });
    request.on('error', () => {});
    return request;
  };

  test('below the minimum rate is rejected', async () => {
    const came = Promise.withResolvers<void>();
    const take = () => {
      came.resolve();
      return true;
    };
    const result = await reading(take, async (url, tick) => {
      post(url).write(someBytes(1_000));
      await came.promise;
      tick();
    });
    expect(result).toMatchObject({ code: 'invalid_request', message: 'The upload was slower than 16 kB per second.' });
  });

  test('waiting for the disk is not slow', async () => {
    const came = Promise.withResolvers<void>();
    const take = () => {
      came.resolve();
      return false;
    };
    const result = await reading(take, async (url, tick) => {
      const request = post(url);
      request.write(someBytes(1_000));
      await came.promise;
      tick();
      tick();
      request.destroy();
    });
    expect(result).toMatchObject({ code: 'invalid_request', message: 'The upload was interrupted.' });
  });

  test('ends with the error of its taker', async () => {
    const result = await reading(
      () => {
        throw new ReelayError('storage_full');
      },
      async (url) => void post(url).write(someBytes(1_000)),
    );
    expect(result).toMatchObject({ code: 'storage_full' });
  });
});
