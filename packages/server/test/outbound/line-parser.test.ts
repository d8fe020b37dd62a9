import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineParser } from '../../src/outbound/line-parser.ts';

/** Parses text in pieces of this length. @returns the lines, and the sum of what `push` returned */
function parse(text: string, length = text.length || 1, maxLength = 100): [string[], number] {
  const lines: string[] = [];
  const parser = createLineParser(
    () => maxLength,
    (line) => lines.push(line),
  );
  let count = 0;
  for (let at = 0; at < text.length; at += length) count += parser.push(text.slice(at, at + length));
  return [lines, count];
}

test('lines end with any line break', () => {
  expect(parse('{"a":1}\r\n\r\n{"b":2}\n\nc\rd')).toEqual([['{"a":1}', '', '{"b":2}', '', 'c'], 5]);
});

test('pieces of any length give the same lines', () => {
  const text = fc.array(fc.constantFrom('a', 'é', '{}', '\n', '\r', '\r\n'), { maxLength: 30 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 5 }), (parts, length) => {
      const whole = `${parts.join('')}\n`;
      expect(parse(whole, length)).toEqual(parse(whole));
    }),
  );
});

test.each([1, 7, 101])('an unfinished line is limited, in pieces of %i', (length) => {
  expect(() => parse('x'.repeat(101), length)).toThrow(RangeError);
  expect(parse(`${'x'.repeat(100)}\n${'x'.repeat(100)}`, length)[1]).toBe(1);
});
