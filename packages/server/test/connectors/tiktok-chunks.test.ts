import { expect, test } from 'vitest';
import { CHUNK_BYTES, chunkAt, planChunks } from '../../src/connectors/tiktok/chunks.ts';

const LARGEST = 524_288_000;
/** The rules hold in both readings of "MB": the stricter figure of each is taken. */
const SMALLEST_CHUNK = 5 * 1024 * 1024;
const LARGEST_CHUNK = 64_000_000;
const LARGEST_LAST_CHUNK = 128_000_000;

/** What the guide demands of a plan, as one number that is 0 when all of it holds; no allocation, for half a billion calls. */
function violations(size: number, chunkSize: number, count: number): number {
  const last = size - (count - 1) * chunkSize;
  if (count !== Math.floor(size / chunkSize) || count < 1 || count > 1000) return 1;
  if (size < SMALLEST_CHUNK) return count === 1 && chunkSize === size ? 0 : 2;
  if (size > LARGEST_CHUNK && count < 2) return 3;
  if (chunkSize < SMALLEST_CHUNK || chunkSize > LARGEST_CHUNK) return 4;
  return last >= chunkSize && last <= LARGEST_LAST_CHUNK ? 0 : 5;
}

/** All half a billion sizes take some ten seconds, so they are for the full run. */
const STEP = process.env.REELAY_TEST_FULL === '1' ? 1 : 997;

test(`every size of one part, and every ${STEP === 1 ? '' : `${STEP}th `}size to 524,288,000 bytes, keeps every rule`, () => {
  let wrong = 0;
  for (let size = 1; size <= LARGEST; size += size < 2 * CHUNK_BYTES ? 1 : STEP) {
    const plan = planChunks(size);
    wrong += violations(size, plan.chunkSize, plan.count);
  }
  expect(wrong).toBe(0);
});

test('around every change of the plan, each single size keeps every rule', () => {
  for (let edge = CHUNK_BYTES; edge <= LARGEST; edge += CHUNK_BYTES)
    for (let size = edge - 1000; size <= Math.min(edge + 1000, LARGEST); size++) {
      const plan = planChunks(size);
      expect(violations(size, plan.chunkSize, plan.count), `size ${size}`).toBe(0);
    }
});

test.each([1, 4_999_999, 19_999_999, 20_000_000, 64_000_001, 524_288_000])(
  'the chunks of %i bytes follow one another and cover the file',
  (size) => {
    const plan = planChunks(size);
    let offset = 0;
    let count = 0;
    for (let chunk = chunkAt(plan, 0); chunk; chunk = chunkAt(plan, offset)) {
      expect(chunk.first).toBe(offset);
      expect(chunk.isLast).toBe(chunk.last === size - 1);
      offset = chunk.last + 1;
      count++;
      if (chunk.isLast) break;
    }
    expect({ offset, count }).toEqual({ offset: size, count: plan.count });
  },
);

test('no chunk begins inside another', () => {
  const plan = planChunks(64_000_000);
  expect(chunkAt(plan, 1)).toBeNull();
  expect(chunkAt(plan, 64_000_000)).toBeNull();
});
