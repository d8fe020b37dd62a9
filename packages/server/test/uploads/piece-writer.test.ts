import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { UploadFile } from '../../src/uploads/files.ts';
import { createPieceWriter, MAX_UNSURE } from '../../src/uploads/piece-writer.ts';
import { someBytes } from './world.ts';

const MIB = 1024 * 1024;

/** A fake disk that records what was written and what is durable, with delays for both. */
function makeDisk(turns: () => number, fails: (what: 'write' | 'sync') => boolean = () => false) {
  const disk = { pieces: [] as Buffer[], written: 0, safe: 0 };
  const wait = async () => {
    for (let left = turns(); left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
  };
  const file: UploadFile = {
    path: '',
    async write(chunks, position) {
      const bytes = Buffer.concat(chunks);
      await wait();
      if (fails('write')) throw new Error('No disk.');
      expect(position).toBe(disk.written);
      disk.pieces.push(bytes);
      disk.written = position + bytes.length;
    },
    async sync() {
      const upTo = disk.written;
      await wait();
      if (fails('sync')) throw new Error('No disk.');
      disk.safe = upTo;
    },
    cut: async () => {},
    close: async () => {},
  };
  return { disk, file };
}

/** Sends like a request and pauses when asked to. @returns the maximum that a crash would have lost */
async function pour(chunks: readonly Buffer[], turns: () => number, nudges: boolean) {
  const { disk, file } = makeDisk(turns);
  let room = Promise.withResolvers<void>();
  let noted = 0;
  let most = 0;
  const errors: unknown[] = [];
  const writer = createPieceWriter({
    file,
    from: 0,
    async note(bytes) {
      expect(bytes).toBeLessThanOrEqual(disk.safe);
      expect(bytes).toBeGreaterThan(noted);
      noted = bytes;
    },
    onWritten: (bytes) => expect(bytes).toBe(disk.written),
    onRoom: () => room.resolve(),
    onError: (error) => errors.push(error),
  });
  for (const chunk of chunks) {
    room = Promise.withResolvers();
    const more = writer.write(chunk);
    most = Math.max(most, writer.end() - noted);
    if (nudges) writer.nudge();
    if (!more) await room.promise;
  }
  await writer.settle();
  expect(errors).toEqual([]);
  return { disk, noted, most, end: writer.end() };
}

describe('received bytes', () => {
  test('are written in order, and a crash loses few', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 3 * MIB }), { minLength: 1, maxLength: 16 });
    const source = someBytes(3 * MIB);
    await fc.assert(
      fc.asyncProperty(sizes, fc.infiniteStream(fc.nat(3)), fc.boolean(), async (lengths, turns, nudges) => {
        const chunks = lengths.map((length, index) => source.subarray(index, index + length));
        const { disk, noted, most, end } = await pour(chunks, () => turns.next().value, nudges);
        const whole = Buffer.concat(chunks);
        expect(end).toBe(whole.length);
        expect(disk.safe).toBe(whole.length);
        expect(noted).toBe(whole.length);
        expect(Buffer.concat(disk.pieces).equals(whole)).toBe(true);
        expect(most).toBeLessThanOrEqual(MAX_UNSURE + 3 * MIB);
      }),
      { numRuns: 25 },
    );
  });

  test('in small amounts are flushed only on request', async () => {
    const { disk, file } = makeDisk(() => 0);
    const noted = Promise.withResolvers<number>();
    const writer = createPieceWriter({
      file,
      from: 0,
      note: async (bytes) => noted.resolve(bytes),
      onWritten: () => {},
      onRoom: () => {},
      onError: noted.reject,
    });
    writer.write(someBytes(1_000));
    expect(disk.written).toBe(0);
    writer.nudge();
    expect(await noted.promise).toBe(1_000);
    await writer.stop();
  });
});

describe('a failing disk', () => {
  test.each(['write', 'sync'] as const)('at %s: reports once, and settle rejects', async (what) => {
    const { file } = makeDisk(
      () => 1,
      (each) => each === what,
    );
    const errors: unknown[] = [];
    const writer = createPieceWriter({
      file,
      from: 0,
      note: async () => {},
      onWritten: () => {},
      onRoom: () => {},
      onError: (error) => errors.push(error),
    });
    for (let count = 0; count < 12; count++) writer.write(someBytes(MIB));
    await expect(writer.settle()).rejects.toThrow('No disk.');
    expect(errors).toHaveLength(1);
    await writer.stop();
  });

  test('writes nothing after stop', async () => {
    const { disk, file } = makeDisk(() => 2);
    const writer = createPieceWriter({ file, from: 0, onWritten: () => {}, onRoom: () => {}, onError: () => {} });
    writer.write(someBytes(MIB));
    await writer.stop();
    const { written } = disk;
    writer.write(someBytes(MIB));
    writer.nudge();
    await new Promise((resolve) => setImmediate(resolve));
    expect(disk.written).toBe(written);
  });
});
