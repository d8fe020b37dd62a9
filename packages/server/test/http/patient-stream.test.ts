import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { patientStream } from '../../src/lib/patient-stream.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const PATIENCE_MS = 1_000;

/** Three pieces, more than streams buffer. */
const source = () =>
  Readable.from(
    [1, 2, 3].map((byte) => Buffer.alloc(100_000, byte)),
    { objectMode: false },
  );

/** A stream that is not read to its end closes with an error. */
const closed = (stream: Readable) =>
  new Promise<void>((resolve) => {
    stream.on('error', () => {}).once('close', () => resolve());
  });

describe('a patient stream', () => {
  test('passes on every piece', async () => {
    const pieces = await patientStream(source(), PATIENCE_MS).toArray();
    expect(Buffer.concat(pieces)).toHaveLength(300_000);
  });

  test('fails if its reader takes nothing for too long', async () => {
    const [from, failed] = [source(), vi.fn()];
    const stream = patientStream(from, PATIENCE_MS).once('error', failed);
    await once(stream, 'readable');
    const ended = closed(from);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    await ended;
    expect(failed).toHaveBeenCalledOnce();
  });

  test('closes its source, even if it is not read', async () => {
    const from = source();
    const ended = closed(from);
    patientStream(from, PATIENCE_MS).destroy();
    await ended;
    expect(vi.getTimerCount()).toBe(0);
  });
});
