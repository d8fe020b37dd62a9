import { chunkPlanFault } from '@reelay/sandbox/platforms/tiktok/chunk-plan.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ChunkPlan,
  chunkWith,
  MAX_CHUNK,
  planChunks,
  planOf,
  reportedBytes,
} from '../../src/connectors/tiktok/upload.ts';
import type { HttpResponse } from '../../src/outbound/http-client.ts';
import { FULL } from '../harness/draw.ts';

const LARGEST = 524_288_000;
/** Limits that hold in both readings of "MB": the stricter value of each. */
const SMALLEST_CHUNK = 5 * 1024 * 1024;
const MAX_CHUNK_ALLOWED = 64_000_000;
/** Maximum size of one request in bytes: the largest single-chunk file, or a chunk plus the remainder. */
const MAX_SENT = 2 * SMALLEST_CHUNK;

/**
 * Returns 0 if a plan follows the guide, else the number of the violated rule. It allocates nothing, because it runs
 * half a billion times.
 */
function violations(size: number, chunkSize: number, count: number): number {
  const last = size - (count - 1) * chunkSize;
  if (count !== Math.floor(size / chunkSize) || count < 1 || count > 1000) return 1;
  if (size < SMALLEST_CHUNK) return count === 1 && chunkSize === size ? 0 : 2;
  if (size > MAX_CHUNK_ALLOWED && count < 2) return 3;
  if (chunkSize < SMALLEST_CHUNK || chunkSize > MAX_CHUNK_ALLOWED) return 4;
  return last >= chunkSize && last <= MAX_SENT ? 0 : 5;
}

/** Checking all half a billion sizes takes about ten seconds, so only the full run does it. */
const STEP = FULL ? 1 : 997;

test(`every ${STEP === 1 ? '' : `${STEP}th `}size to 524,288,000 bytes, keeps every rule`, () => {
  let wrong = 0;
  for (let size = 1; size <= LARGEST; size += size < 2 * MAX_CHUNK ? 1 : STEP) {
    const plan = planChunks(size);
    wrong += violations(size, plan.chunkSize, plan.count);
  }
  expect(wrong).toBe(0);
}, 600_000);

test('plans obey all rules around every change of chunk count', () => {
  for (let edge = MAX_CHUNK; edge <= LARGEST; edge += MAX_CHUNK)
    for (let size = edge - 1000; size <= Math.min(edge + 1000, LARGEST); size++) {
      const plan = planChunks(size);
      expect(violations(size, plan.chunkSize, plan.count), `size ${size}`).toBe(0);
    }
});

test('plans for files up to 4 GB obey all rules', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4_000_000_000 }), (size) => {
      const { chunkSize, count } = planChunks(size);
      expect(violations(size, chunkSize, count)).toBe(0);
      expect(chunkPlanFault(size, chunkSize, count)).toBeNull();
    }),
  );
});

test('the last chunk is only slightly larger than the others', () => {
  for (const size of [10_485_760, 19_999_999, 25_000_000, 70_000_000, 524_288_000]) {
    const plan = planChunks(size);
    const { first, last } = chunkWith(plan, size);
    expect(last - first + 1 - plan.chunkSize).toBeLessThan(plan.count);
  }
});

test.each([1, 4_999_999, 19_999_999, 20_000_000, 64_000_001, 524_288_000])(
  'chunks of %i bytes cover the file without gaps',
  (size) => {
    const plan = planChunks(size);
    let offset = 0;
    let count = 0;
    while (offset < size) {
      const chunk = chunkWith(plan, offset);
      expect(chunk.first).toBe(offset);
      expect(chunk.isLast).toBe(chunk.last === size - 1);
      offset = chunk.last + 1;
      count++;
    }
    expect({ offset, count }).toEqual({ offset: size, count: plan.count });
  },
);

const anyPlan = fc
  .tuple(fc.integer({ min: 1, max: LARGEST }), fc.integer({ min: 1, max: 100_000_000 }))
  .map(([size, chunkSize]) => planOf(size, Math.min(size, chunkSize)));

test('resuming at any offset starts at a chunk boundary', () => {
  fc.assert(
    fc.property(anyPlan, fc.nat(2 * LARGEST), (plan, bytes) => {
      const { first, last, isLast } = chunkWith(plan, bytes);
      expect(first % plan.chunkSize).toBe(0);
      expect(first).toBeLessThanOrEqual(bytes);
      expect(last).toBeLessThan(plan.videoSize);
      expect(isLast || bytes <= last).toBe(true);
    }),
  );
});

test('a plan is recreated from its chunk size', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: LARGEST }), (size) => {
      const plan = planChunks(size);
      expect(planOf(size, plan.chunkSize)).toEqual(plan);
    }),
  );
});

const told = (plan: ChunkPlan, range: string) =>
  reportedBytes({ status: 416, headers: { 'content-range': range } } as unknown as HttpResponse, plan);

test('uploaded bytes are read from both forms of Content-Range', () => {
  const plan = planChunks(70_000_000);
  const second = chunkWith(plan, 2 * plan.chunkSize).first;
  for (const bound of [second, second - 1]) expect(told(plan, `bytes 0-${bound}/70000000`)).toBe(second);
  for (const bound of [70_000_000, 69_999_999]) expect(told(plan, `bytes 0-${bound}/70000000`)).toBe(70_000_000);
  expect(told(plan, 'bytes 0-0/70000000')).toBe(0);
});

test.each(['', 'bytes 0-12345/70000000', 'bytes 0-10000000/60000000', 'bytes */70000000', 'bytes 5-9/70000000'])(
  'the range "%s" is ignored',
  (range) => {
    expect(told(planChunks(70_000_000), range)).toBeNull();
  },
);
