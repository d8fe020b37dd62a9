import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBoundary, parseDisposition } from '../../src/http/receive/disposition.ts';
import { createPartsParser } from '../../src/http/receive/parts.ts';

const BOUNDARY = 'bb';

/** Parses a body that arrives in pieces of the given lengths. */
async function parse(body: Buffer, cuts: readonly number[]): Promise<string[]> {
  const parts: string[] = [];
  const done = Promise.withResolvers<void>();
  const parser = createPartsParser(BOUNDARY, {
    onPart(header) {
      const index = parts.push(`${header.get('x')[0]}:`) - 1;
      return {
        data(chunk) {
          parts[index] += chunk.toString('latin1');
        },
        end() {
          parts[index] += '.';
        },
      };
    },
    onFinish: done.resolve,
    onError: done.reject,
  });
  let at = 0;
  for (const cut of cuts) {
    parser.write(body.subarray(at, at + cut));
    at += cut;
    await new Promise(setImmediate);
  }
  parser.write(body.subarray(at));
  parser.end();
  await done.promise;
  return parts;
}

/** Content made of the characters that boundaries consist of. */
const content = fc.string({ unit: fc.constantFrom('\r', '\n', '-', 'b', 'x', '\0'), maxLength: 40 });

describe('the multipart parser', () => {
  test('gives the same parts for any chunking of the body', async () => {
    const safe = content.filter((text) => !`\r\n${text}`.includes(`\r\n--${BOUNDARY}`));
    const cuts = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(safe, { minLength: 1, maxLength: 4 }), cuts, async (contents, lengths) => {
        const text = contents.map((one, i) => `--${BOUNDARY}\r\nx: ${i}\r\n\r\n${one}\r\n`).join('');
        const parts = await parse(Buffer.from(`${text}--${BOUNDARY}--\r\n`, 'latin1'), lengths);
        expect(parts).toEqual(contents.map((one, i) => `${i}:${one}.`));
      }),
      { numRuns: 200 },
    );
  });

  test('never finishes a truncated body', async () => {
    const whole = `--${BOUNDARY}\r\nx: 0\r\n\r\nabc\r\n--${BOUNDARY}\r\nx: 1\r\n\r\ndef\r\n--${BOUNDARY}--`;
    for (let length = 0; length < whole.length; length += 1) {
      await expect(parse(Buffer.from(whole.slice(0, length)), [])).rejects.toThrow();
    }
    expect(await parse(Buffer.from(whole), [])).toEqual(['0:abc.', '1:def.']);
  });

  test('survives any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(content, async (text) => {
        await parse(Buffer.from(`--${BOUNDARY}${text}`, 'latin1'), [7, 1]).catch(() => []);
      }),
      { numRuns: 300 },
    );
  });
});

describe('Content-Disposition', () => {
  test.each([
    ['form-data; name="a"', { name: 'a' }],
    ['form-data; name=a', { name: 'a' }],
    ['Form-Data ;NAME = "a" ; FileName="f.mp4"', { name: 'a', filename: 'f.mp4' }],
    ['form-data; filename="x; name=y"; name="a"', { name: 'a', filename: 'x; name=y' }],
    ['form-data; name="a"; filename=""', { name: 'a', filename: '' }],
    ['form-data; name="a\\"b"', { name: 'a"b' }],
    ['form-data; name="a%22b%0D%0A"', { name: 'a"b\r\n' }],
    ['form-data; name="a"; filename="C:\\films\\f.mp4"', { name: 'a', filename: 'f.mp4' }],
    ['form-data; name="a"; filename="../../f.mp4"', { name: 'a', filename: 'f.mp4' }],
    ['form-data; name="\xc3\xa9"', { name: 'é' }],
    ['form-data; name="\xe9"', 'not-utf8'],
    ['form-data; name="a\0"', 'not-utf8'],
    ['form-data; name="a" junk', null],
    ['form-data; name="a"; name="b"', null],
    ['form-data; name="a', null],
    ['form-data', null],
    ['attachment; name="a"', null],
    ['', null],
  ])('%j', (header, expected) => {
    expect(parseDisposition(header)).toEqual(expected);
  });

  test('is parsed in linear time', () => {
    const long = `form-data; name="${'\\'.repeat(20_001)}${';'.repeat(20_000)}`;
    expect(parseDisposition(long)).toBeNull();
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', '\\', ';', '=', ' ', 'a') }), (text) => {
        const parsed = parseDisposition(`form-data; name="x"${text}`);
        expect(parsed === null || parsed === 'not-utf8' || typeof parsed.name === 'string').toBe(true);
      }),
    );
  });
});

describe('boundary', () => {
  test.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['multipart/form-data;boundary="a b:c"', 'a b:c'],
    ['Multipart/Form-Data; charset=utf-8; BOUNDARY=abc; x=y', 'abc'],
    [`multipart/form-data; boundary=${'b'.repeat(70)}`, 'b'.repeat(70)],
    [`multipart/form-data; boundary=${'b'.repeat(71)}`, ''],
    ['multipart/form-data; boundary="a "', ''],
    ['multipart/form-data; boundary=', ''],
    ['multipart/form-data', ''],
    ['multipart/form-data-x; boundary=abc', null],
    ['multipart/mixed; boundary=abc', null],
    ['application/json', null],
    [undefined, null],
  ])('%j', (contentType, expected) => {
    expect(parseBoundary(contentType)).toBe(expected);
  });
});
