import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FITS } from '../../src/media/types.ts';
import { parseEarlyFields, parsePostFields } from '../../src/operations/post/fields.ts';
import { contentHash } from '../../src/posts/content.ts';
import { whenToPost } from '../../src/posts/schedule.ts';
import type { Storage } from '../../src/storage/contract.ts';
import { openDiskSpaceGuard } from '../../src/storage/disk-space.ts';
import { eventually } from './world.ts';

const codeOf = (work: () => unknown) => {
  try {
    work();
    return 'taken';
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe('platforms', () => {
  const ids = fc.array(fc.uuid(), { minLength: 1, maxLength: 50 });
  const parse = (values: string[]) => parsePostFields(new Map([['platforms', values]])).platforms;

  test('as JSON array or repeated field are equal, without duplicates', () => {
    fc.assert(
      fc.property(ids, (sent) => {
        expect(parse([JSON.stringify(sent)])).toEqual([...new Set(sent)]);
        expect(parse(sent)).toEqual([...new Set(sent)]);
      }),
    );
  });

  test('in any other form are rejected with the same error', () => {
    const odd = fc.oneof(fc.json(), fc.string(), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(odd, (text) => {
        const outcome = codeOf(() => parse([text]));
        expect(['taken', 'invalid_request']).toContain(outcome);
      }),
      { numRuns: 150 },
    );
  });
});

test.each(['a,b', 'a b', '{"0":"a"}', '["a"'])('platforms as %s name both forms', (text) => {
  expect(() => parsePostFields(new Map([['platforms', [text]]]))).toThrow(
    'The form field "platforms" must be a JSON array of strings. Or repeat the field with one id each.',
  );
});

test('options nested too deep are rejected before hashing', () => {
  const nested = (levels: number) => `{"toy":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
  const parse = (text: string) => parseEarlyFields(new Map([['options', [text]]]));
  for (const levels of [32, 5_000, 10_000]) expect(codeOf(() => parse(nested(levels)))).toBe('invalid_request');
  const { options } = parse(nested(31));
  expect(() =>
    contentHash('', { ...parsePostFields(new Map([['platforms', ['["a"]']]])), options: options ?? {} }),
  ).not.toThrow();
});

test.each([
  ['9'.repeat(65_000), 'taken'],
  [`${'1'.repeat(65_000)}x`, 'invalid_request'],
  ['0.'.padEnd(21, '3'), 'invalid_request'],
])('long numbers are parsed in linear time', (text, scheduled) => {
  expect(codeOf(() => parseEarlyFields(new Map([['previewTime', [text]]])))).toBe('preview_time_out_of_range');
  // A whole number of any length is a time too far in the future.
  expect(codeOf(() => parseEarlyFields(new Map([['scheduled', [text]]])))).toBe(scheduled);
});

test('missing fields are left out', () => {
  expect(parseEarlyFields(new Map())).toEqual({});
  expect(parseEarlyFields(new Map([['previewTime', ['1.5']]]))).toEqual({ previewTime: 1.5 });
  expect(codeOf(() => parsePostFields(new Map()))).toBe('invalid_request');
});

test('times are classified to the millisecond', () => {
  const now = 1_785_576_600_000;
  const day = 86_400_000;
  expect(whenToPost(null, now)).toEqual({ scheduled: false });
  expect(codeOf(() => whenToPost(now - 60_001, now))).toBe('scheduled_in_past');
  expect(whenToPost(now - 60_000, now)).toEqual({ scheduled: false });
  expect(whenToPost(now, now)).toEqual({ scheduled: false });
  expect(whenToPost(now + 1, now)).toEqual({ scheduled: true, at: now + 1 });
  expect(whenToPost(now + 366 * day, now)).toEqual({ scheduled: true, at: now + 366 * day });
  expect(codeOf(() => whenToPost(now + 366 * day + 1, now))).toBe('scheduled_too_far');
});

test('different contents have different hashes', () => {
  const fields = fc.record({
    platforms: fc.array(fc.uuid(), { minLength: 1, maxLength: 3 }),
    description: fc.string(),
    previewTime: fc.nat(90),
    scheduled: fc.option(fc.nat()),
    fit: fc.constantFrom(...FITS, null),
    cropPosition: fc.constantFrom(0, 0.5, 1),
    trim: fc.option(fc.record({ startMs: fc.nat(2), endMs: fc.option(fc.nat(2)) })),
    options: fc.dictionary(fc.constantFrom('a', 'b'), fc.dictionary(fc.constantFrom('c', 'd'), fc.boolean())),
    // Identified by the hash of its file, not by its name.
    source: fc.constant(null),
  });
  fc.assert(
    fc.property(fields, fields, (one, other) => {
      const same = isDeepStrictEqual({ ...one }, { ...other });
      expect(contentHash('ab', one).equals(contentHash('ab', other))).toBe(same);
      expect(contentHash('ab', one).equals(contentHash('cd', one))).toBe(false);
    }),
  );
});

describe('disk space', () => {
  const MIB = 1024 * 1024;
  const storageWith = (free: () => number | null) => ({ free: async () => free() }) as Partial<Storage> as Storage;

  test('is rejected when too little is or would be left', async () => {
    await expect(
      openDiskSpaceGuard(
        storageWith(() => 9 * MIB),
        10 * MIB,
      ),
    ).rejects.toMatchObject({ code: 'storage_full' });
    const space = await openDiskSpaceGuard(
      storageWith(() => 12 * MIB),
      10 * MIB,
    );
    space.take(2 * MIB);
    expect(codeOf(() => space.take(1))).toBe('storage_full');
  });

  test('is measured again during the upload', async () => {
    let looks = 0;
    const space = await openDiskSpaceGuard(
      storageWith(() => {
        looks++;
        return looks === 1 ? 1_000 * MIB : 5 * MIB;
      }),
      10 * MIB,
    );
    space.take(40 * MIB);
    await eventually('it was looked at', async () => codeOf(() => space.take(0)) === 'storage_full');
    expect(looks).toBe(2);
  });

  test('is unlimited when the storage has no limit', async () => {
    const space = await openDiskSpaceGuard(
      storageWith(() => null),
      10 * MIB,
    );
    expect(codeOf(() => space.take(500 * MIB))).toBe('taken');
  });

  test('reports an unavailable storage', async () => {
    const away = { free: () => Promise.reject(new Error('gone')) } as Partial<Storage> as Storage;
    await expect(openDiskSpaceGuard(away, 1)).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});
