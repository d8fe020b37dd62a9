import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byUrgency, levelOf } from '../src/pages/compose/options/caption-level.ts';
import { repairsOf, separateConversions, type Verdict, worstFirst } from '../src/pages/compose/preflight/repairs.ts';
import { shorten } from '../src/pages/compose/preflight/shorten.ts';

const verdict = (outcome: Verdict['outcome'], ...codes: string[]) =>
  ({ outcome, reasons: codes.map((code) => ({ effect: 'warning', code, message: code })) }) as unknown as Verdict;

describe('what can be done', () => {
  test('each reason has its repair, once', () => {
    expect(repairsOf(verdict('refused', 'caption_too_long'))).toEqual(['shorten', 'deselect']);
    expect(repairsOf(verdict('refused', 'invalid_request', 'setup_needed'))).toEqual(['options', 'deselect']);
    expect(repairsOf(verdict('fits', 'permission_missing'))).toEqual(['reconnect']);
    expect(repairsOf(verdict('converted', 'converted'))).toEqual([]);
    expect(repairsOf(verdict('fails', 'constructor'))).toEqual(['deselect']);
  });

  test('is shown for the worst accounts first', () => {
    const all = [verdict('converted', 'a'), verdict('fits'), verdict('refused', 'b'), verdict('waits', 'c')];
    expect(worstFirst(all, new Set()).map(({ outcome }) => outcome)).toEqual(['refused', 'waits', 'converted']);
  });

  test('conversions are apart from everything else', () => {
    const all = [
      verdict('converted', 'converted', 'a'),
      verdict('waits', 'converted', 'b'),
      verdict('fails', 'converted', 'c'),
    ];
    const { others, converted } = separateConversions([...all, verdict('fits', 'd')]);
    expect(others).toEqual([verdict('fits', 'a'), verdict('waits', 'b'), verdict('fails', 'c'), verdict('fits', 'd')]);
    // A post that fails is not converted.
    expect(converted).toEqual([verdict('converted', 'converted'), verdict('waits', 'converted')]);
  });

  test('an open question is not reported as a missing setting', () => {
    const missing = { ...verdict('refused', 'setup_needed'), platformId: 'a' };
    expect(worstFirst([missing], new Set(['a']))).toEqual([]);
    expect(worstFirst([missing], new Set(['b']))).toEqual([missing]);
    const worse = { ...verdict('refused', 'setup_needed', 'caption_too_long'), platformId: 'a' };
    expect(worstFirst([worse], new Set(['a']))).toEqual([worse]);
  });
});

describe('a shortened caption', () => {
  /** A platform that counts characters as people see them. */
  const upTo = (limit: number) => async (text: string) => [...new Intl.Segmenter().segment(text)].length <= limit;

  test('ends with a whole word', async () => {
    expect(await shorten('First light over the bay', upTo(20))).toBe('First light over…');
    expect(await shorten('Fi', upTo(1))).toBe('…');
    expect(await shorten('Fi', upTo(0))).toBeNull();
  });

  test('fits, and is not shorter than necessary', async () => {
    const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 100 }), async (text, limit) => {
        const short = await shorten(text, upTo(limit));
        expect(short).not.toBeNull();
        expect(await upTo(limit)(short ?? '')).toBe(true);
        expect(short?.isWellFormed()).toBe(true);
        expect(text.startsWith(short?.slice(0, -1) ?? '-')).toBe(true);
      }),
    );
    expect(await shorten('x'.repeat(5_000), upTo(280))).toBe(`${'x'.repeat(279)}…`);
  });
});

test('a caption near its limit is marked early', () => {
  const count = (length: number, problem: string | null = null) => ({ id: '', length, limit: 100, problem }) as never;
  expect([0, 89, 90, 100, 101].map((length) => levelOf(count(length)))).toEqual([
    'fits',
    'fits',
    'near',
    'near',
    'rejected',
  ]);
  expect(levelOf(count(3, 'Too many hashtags.'))).toBe('rejected');
  expect([count(1), count(95), count(200), count(2)].sort(byUrgency)).toEqual([
    count(200),
    count(95),
    count(1),
    count(2),
  ]);
});
