import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBytes, parseChecksum, parseMetadata } from '../../src/uploads/headers.ts';
import { base64 } from './world.ts';

const refused = expect.objectContaining({ code: 'invalid_request' });
/** Returns the result, or the error it throws. */
function attempt<T>(work: () => T): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('metadata', () => {
  test('in any form is parsed or rejected', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'ab =,+/ A0\t') })), (text) => {
        const found = attempt(() => parseMetadata(text));
        expect([refused, { filename: null, sha256: null }]).toContainEqual(found);
      }),
    );
  });

  test('file names have no folders and are text', () => {
    const nameIn = (value: string | Buffer) =>
      parseMetadata(`filename ${Buffer.from(value).toString('base64')},other`).filename;
    expect(nameIn('clip.mp4')).toBe('clip.mp4');
    expect(nameIn('C:\\films\\ä ö.mov')).toBe('ä ö.mov');
    expect(nameIn('../../etc/passwd')).toBe('passwd');
    expect(nameIn('x'.repeat(300))).toHaveLength(255);
    for (const odd of ['', '/', 'a\0b', Buffer.from([0xff, 0xfe])]) expect(nameIn(odd)).toBeNull();
  });

  test('the hash is 64 hex digits in base64', () => {
    const digits = 'Ab'.repeat(32);
    expect(parseMetadata(`sha256 ${base64(digits)}`).sha256).toBe(digits.toLowerCase());
    for (const value of ['', base64('ab'), Buffer.alloc(32).toString('base64')])
      expect(attempt(() => parseMetadata(`sha256 ${value}`))).toEqual(refused);
  });

  test.each(['a,a', 'a a b', 'ä eA==', 'a ?', 'a,,b'])('"%s" is rejected', (text) => {
    expect(attempt(() => parseMetadata(text))).toEqual(refused);
  });

  test.each([undefined, '', '  '])('%j is empty', (text) => {
    expect(parseMetadata(text)).toEqual({ filename: null, sha256: null });
  });
});

test('a number of bytes contains only digits', () => {
  expect(parseBytes('Upload-Length', '0')).toBe(0);
  expect(parseBytes('Upload-Length', '524288000')).toBe(524_288_000);
  for (const value of [undefined, '', '-1', '+1', '1.0', '1e3', ' 1', '0x1', '9'.repeat(16)])
    expect(attempt(() => parseBytes('Upload-Length', value))).toEqual(refused);
});

test('a checksum has a known algorithm and length', () => {
  for (const [algorithm, length] of [
    ['sha1', 20],
    ['sha256', 32],
  ] as const) {
    const digest = Buffer.alloc(length, 7);
    expect(parseChecksum(`${algorithm} ${digest.toString('base64')}`)).toEqual({ algorithm, digest });
    expect(attempt(() => parseChecksum(`${algorithm} ${Buffer.alloc(length - 1).toString('base64')}`))).toEqual(
      refused,
    );
  }
  expect(parseChecksum(undefined)).toBeNull();
});
