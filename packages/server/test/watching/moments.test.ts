import { expect, test } from 'vitest';
import { HOUR, SECOND } from '../../src/lib/time.ts';
import { publishedAt, readSince } from '../../src/watching/post-times.ts';

const NOON = Date.UTC(2026, 0, 15, 12);

test('whole seconds mean the end of the second', () => {
  expect(publishedAt(NOON, NOON + HOUR)).toBe(NOON + 999);
  expect(publishedAt(NOON + 1, NOON + HOUR)).toBe(NOON + 1);
  expect(publishedAt(NOON, NOON + 400)).toBe(NOON + 400);
  expect(publishedAt(null, NOON)).toBe(NOON);
});

test('a check covers the second in which watching began', () => {
  const began = NOON + 11;
  // The platform reports a post that was published 100 ms later with the start of the second.
  expect(publishedAt(NOON, NOON + SECOND)).toBeGreaterThan(began);
  expect(readSince(began, null)).toBe(NOON);
  expect(readSince(began, NOON + 72 * HOUR + 500)).toBe(NOON + 24 * HOUR);
});
