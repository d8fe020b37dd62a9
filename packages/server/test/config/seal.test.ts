/** Sealed values: keys, purposes, and which values can be opened. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSealer } from '../../src/lib/encryption/seal.ts';

const key = randomBytes(32);
const other = randomBytes(32);

test('a sealed value opens with any of its keys', () => {
  const sealed = createSealer([key]).seal({ token: 'x' }, 'grant 1');
  const rotated = createSealer([other, key]);
  expect(rotated.open(sealed, 'grant 1')).toEqual({ token: 'x' });
  expect(rotated.opens(sealed, 'grant 1')).toBe(true);
  expect(rotated.isCurrent(sealed, 'grant 1')).toBe(false);
});

test('values of another key, purpose or content are rejected', () => {
  const sealer = createSealer([key]);
  const sealed = sealer.seal('secret', 'grant 1');
  const changed = Buffer.from(sealed);
  changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
  for (const [value, purpose, keys] of [
    [sealed, 'grant 1', [other]],
    [sealed, 'grant 2', [key]],
    [changed, 'grant 1', [key]],
    [Buffer.of(1, 2), 'grant 1', [key]],
  ] as const) {
    const asked = createSealer(keys);
    expect(asked.opens(value, purpose)).toBe(false);
    expect(() => asked.open(value, purpose)).toThrow(/SECRET_KEY/);
  }
});

test('sealing the same value twice gives different texts', () => {
  const sealer = createSealer([key]);
  const sealed = Array.from({ length: 600 }, () => sealer.seal('secret', 'grant 1').toString('hex'));
  // After the version.
  expect(new Set(sealed.map((each) => each.slice(2, 26))).size).toBe(600);
  expect(sealed.some((each) => Buffer.from(each, 'hex').includes('secret'))).toBe(false);
});

test("a seal's validity is remembered per value and purpose", () => {
  const sealer = createSealer([key]);
  const sealed = sealer.seal('secret', 'grant 1');
  for (let count = 0; count < 2; count++) {
    expect(sealer.opens(sealed, 'grant 1')).toBe(true);
    expect(sealer.opens(sealed, 'grant 2')).toBe(false);
  }
});
