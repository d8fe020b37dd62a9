import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checksum, hashKey, isKey, makeKey, shownPart } from '../../src/keys/format.ts';

// Computed with Python's zlib.crc32 and an independent base62 implementation.
test.each([
  ['0000000000000000000000000000000000000000', '2kaqcA'],
  ['zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz', '2x81PZ'],
  ['abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN', '2a8zJO'],
  ['0000000000000000000000000000000000000356', '00U3y3'],
])('the checksum of %s is %s', (random, expected) => {
  expect(checksum(random)).toBe(expected);
  expect(isKey(`rly_${random}${expected}`)).toBe(true);
});

test('a key is recognized without a database query', () => {
  for (let count = 0; count < 50; count++) {
    const key = makeKey();
    expect(key).toMatch(/^rly_[0-9A-Za-z]{46}$/);
    expect(isKey(key)).toBe(true);
  }
});

test('any changed character of a key is detected', () => {
  const change = fc.record({ at: fc.integer({ min: 0, max: 45 }), by: fc.integer({ min: 1, max: 61 }) });
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  fc.assert(
    fc.property(change, ({ at, by }) => {
      const key = makeKey();
      const place = 4 + at;
      const other = alphabet[(alphabet.indexOf(key[place] ?? '') + by) % 62] ?? '';
      return !isKey(key.slice(0, place) + other + key.slice(place + 1));
    }),
  );
});

test('strings that are no keys are rejected', () => {
  const key = makeKey();
  for (const text of ['', 'rly_', key.slice(1), `${key}0`, key.slice(0, -1), key.replace('rly_', 'RLY_'), `${key}\n`])
    expect(isKey(text)).toBe(false);
});

test('a key shows twelve characters and has a SHA-256', () => {
  expect(shownPart('rly_abcdefghijkl')).toBe('rly_abcdefgh');
  expect(hashKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
