import { open as openFile } from 'node:fs/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { ReelayError } from '../../src/errors/reelay-error.ts';
import type { ReceiveOptions } from '../../src/http/receive/form.ts';
import { guardSpeed } from '../../src/http/receive/speed.ts';
import type { Hasher } from '../../src/storage/incoming/hasher.ts';
import { createFileSink } from '../../src/storage/incoming/sink.ts';
import { storageError } from '../../src/storage/storage-error.ts';
import { BOUNDARY, body, field, file, open, type Receiver, readResponse, send, startReceiver } from './harness.ts';

const started: Receiver[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((receiver) => receiver.stop()));
});
async function receiverWith(options: Partial<ReceiveOptions>): Promise<Receiver> {
  const receiver = await startReceiver(options);
  started.push(receiver);
  return receiver;
}

const HEAD = Buffer.from(
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="video"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\n`,
);

describe('size', () => {
  test('an upload over the limit is rejected while sending', async () => {
    const receiver = await receiverWith({ maxVideoBytes: 100_000 });
    const socket = await open(receiver.port, -1);
    const response = readResponse(socket);
    const block = Buffer.alloc(64 * 1024);
    const chunk = Buffer.concat([Buffer.from(`${block.length.toString(16)}\r\n`), block, Buffer.from('\r\n')]);
    socket.write(Buffer.concat([Buffer.from(`${HEAD.length.toString(16)}\r\n`), HEAD, Buffer.from('\r\n')]));
    const pour = () => {
      while (socket.writable && socket.write(chunk));
      socket.once('drain', pour);
    };
    pour();
    expect((await response).json.code).toBe('video_too_large');
    expect(await receiver.leftovers()).toEqual([]);
  });

  test('an announced length over the limit is rejected before reading', async () => {
    const receiver = await receiverWith({ maxVideoBytes: 1000 });
    const socket = await open(receiver.port, 0, { length: 5_000_000, headers: 'Expect: 100-continue\r\n' });
    const response = await readResponse(socket);
    expect(response.status).toBe(413);
    expect(response.raw).not.toContain('100 Continue');
  });

  test('100 Continue is sent once, when the form is read', async () => {
    const receiver = await receiverWith({});
    const content = body(file('video', Buffer.from('v')));
    const socket = await open(receiver.port, content.length, { headers: 'Expect: 100-continue\r\n' });
    const response = readResponse(socket);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.write(content);
    expect((await response).raw.match(/100 Continue/g)).toHaveLength(1);
    expect((await response).json.video?.bytes).toBe(1);
  });

  test('a body without a length is accepted within the limit', async () => {
    const receiver = await receiverWith({});
    const socket = await open(receiver.port, -1);
    const response = readResponse(socket);
    const content = body(file('video', Buffer.alloc(5_000_000)));
    socket.write(
      Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n0\r\n\r\n')]),
    );
    expect((await response).json.video?.bytes).toBe(5_000_000);
  });
});

describe('a client that disconnects', () => {
  test.each([
    ['within the file', Buffer.concat([HEAD, Buffer.alloc(200_000)])],
    ['before anything', Buffer.alloc(0)],
    ['within a text field', Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n`), field('description', 'abc')])],
  ])('%s leaves no file', async (_, sent) => {
    const receiver = await receiverWith({});
    const outcome = receiver.outcome();
    const socket = await open(receiver.port, 1_000_000);
    await new Promise<void>((resolve) => socket.write(sent, () => resolve()));
    socket.resetAndDestroy();
    expect(await outcome).toMatchObject({ error: { code: 'invalid_request' } });
    expect(await receiver.leftovers()).toEqual([]);
  });

  test('during a threaded upload leaves no file', async () => {
    const receiver = await receiverWith({});
    const outcome = receiver.outcome();
    const socket = await open(receiver.port, 200 * 1024 * 1024);
    await new Promise<void>((resolve) => socket.write(Buffer.concat([HEAD, Buffer.alloc(3_000_000)]), () => resolve()));
    socket.destroy();
    expect(await outcome).toMatchObject({ error: { code: 'invalid_request' } });
    expect(await receiver.leftovers()).toEqual([]);
  });
});

describe('an upload ends early', () => {
  test('when the disk space guard throws', async () => {
    let seen = 0;
    const receiver = await receiverWith({
      onBytes(bytes) {
        seen += bytes;
        if (seen > 300_000) throw new ReelayError('storage_full');
      },
    });
    const response = await send(receiver.port, body(file('video', Buffer.alloc(3_000_000))));
    expect(response).toMatchObject({ status: 503, json: { code: 'storage_full' } });
    expect(await receiver.leftovers()).toEqual([]);
  });

  test('when its signal aborts', async () => {
    const stop = new AbortController();
    const receiver = await receiverWith({
      signal: stop.signal,
      onBytes: () => stop.abort(new ReelayError('draining')),
    });
    const response = await send(receiver.port, body(file('video', Buffer.alloc(3_000_000))));
    expect(response.json.code).toBe('draining');
    expect(await receiver.leftovers()).toEqual([]);
  });

  test('when the scratch folder is missing', async () => {
    const receiver = await receiverWith({ folder: '/nonexistent/folder' });
    const response = await send(receiver.port, body(file('video', Buffer.alloc(3_000_000))));
    expect(response.json.code).toBe('storage_unavailable');
  });

  test('when it is slower than 16 kB/s over 20 s', async () => {
    const ticks: (() => void)[] = [];
    const arrived = Promise.withResolvers<void>();
    const receiver = await receiverWith({
      onBytes: () => arrived.resolve(),
      every(ms, tick) {
        expect(ms).toBe(20_000);
        ticks.push(tick);
        return () => {};
      },
    });
    const socket = await open(receiver.port, 1_000_000);
    const response = readResponse(socket);
    socket.once('data', () => socket.end());
    socket.write(Buffer.concat([HEAD, Buffer.alloc(1000)]));
    await arrived.promise;
    for (const tick of ticks) tick();
    expect((await response).json).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('16 kB') });
    expect(await receiver.leftovers()).toEqual([]);
  });
});

describe('the minimum upload rate', () => {
  test.each([
    ['too few bytes in the window', 319_999, false, 1],
    ['enough bytes in the window', 320_000, false, 0],
    ['a pause that the disk asked for', 0, true, 0],
  ])('%s', (_, bytes, paused, refusals) => {
    let tick = () => {};
    let slow = 0;
    const every = (_ms: number, run: () => void) => {
      tick = run;
      return () => {};
    };
    const guard = guardSpeed(
      every,
      () => paused,
      () => {
        slow += 1;
      },
    );
    guard.count(bytes);
    tick();
    expect(slow).toBe(refusals);
  });
});

describe('the disk', () => {
  const noHash: Hasher = { update() {}, written() {}, digest: async () => '', stop() {} };

  test('reports full and unavailable differently', async () => {
    const failed = Promise.withResolvers<unknown>();
    const sink = createFileSink(openFile('/dev/full', 'w'), noHash, { onDrain() {}, onError: failed.resolve });
    sink.write(Buffer.alloc(1024 * 1024));
    expect(storageError(await failed.promise).code).toBe('storage_full');
    await expect(sink.finish()).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(storageError(new Error('EIO')).code).toBe('storage_unavailable');
  });

  test('pauses the sender while it lags', async () => {
    const opening = Promise.withResolvers<Awaited<ReturnType<typeof openFile>>>();
    const drained = Promise.withResolvers<void>();
    const sink = createFileSink(opening.promise, noHash, { onDrain: drained.resolve, onError() {} });
    const block = Buffer.alloc(256 * 1024);
    const responses = Array.from({ length: 8 }, () => sink.write(block));
    expect(responses).toEqual([true, true, true, true, true, true, true, false]);
    opening.resolve(await openFile('/dev/null', 'w'));
    await drained.promise;
    expect(sink.write(block)).toBe(true);
    expect((await sink.finish()).bytes).toBe(9 * block.length);
  });

  test('drains again after a sender that fills it in onDrain', async () => {
    let drains = 0;
    const again = Promise.withResolvers<void>();
    const block = Buffer.alloc(2 * 1024 * 1024);
    const sink = createFileSink(openFile('/dev/null', 'w'), noHash, {
      onDrain: () => void (++drains === 1 ? queueMicrotask(() => sink.write(block)) : again.resolve()),
      onError: again.reject,
    });
    expect(sink.write(block)).toBe(false);
    await again.promise;
    expect((await sink.finish()).bytes).toBe(2 * block.length);
  });
});
