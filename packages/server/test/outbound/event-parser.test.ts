import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventParser, type ServerEvent } from '../../src/outbound/event-parser.ts';

/** Parses text in pieces of these lengths, repeated. */
function parse(text: string, lengths: readonly number[] = [text.length || 1], maxLength = 10_000): ServerEvent[] {
  const events: ServerEvent[] = [];
  const parser = createEventParser(maxLength, (event) => events.push(event));
  let at = 0;
  for (let i = 0; at < text.length; i++) {
    const length = lengths[i % lengths.length] ?? 1;
    parser.push(text.slice(at, at + length));
    at += length;
  }
  return events;
}

test.each([
  ['an event', 'event: update\ndata: {"a":1}\n\n', [{ event: 'update', data: '{"a":1}' }]],
  ['no name', 'data: x\n\n', [{ event: '', data: 'x' }]],
  ['several lines', 'data: a\ndata:b\ndata:  c\n\n', [{ event: '', data: 'a\nb\n c' }]],
  ['comments', ':)\n:thump\ndata: a\n:thump\n\n', [{ event: '', data: 'a' }]],
  ['no data', 'event: update\n\ndata: a\n\n', [{ event: '', data: 'a' }]],
  ['other fields', 'id: 7\nretry: 9\nfoo\ndata\n\n', [{ event: '', data: '' }]],
  ['an unfinished event', 'data: a\n', []],
  [
    'carriage returns',
    'data: a\r\rdata: b\r\n\r\n',
    [
      { event: '', data: 'a' },
      { event: '', data: 'b' },
    ],
  ],
])('the parser reads %s', (_case, text, events) => {
  expect(parse(text)).toEqual(events);
});

test('pieces of any length give the same events', () => {
  const text = fc
    .array(fc.constantFrom('data: ', 'event: ', ':', 'a', 'é', '\n', '\r', '\r\n', '\n\n'), { maxLength: 30 })
    .map((parts) => `${parts.join('')}x`);
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 }), (given, lengths) => {
      expect(parse(given, lengths)).toEqual(parse(given));
    }),
  );
});

test.each([
  ['line', 'data: '.padEnd(200, 'x')],
  ['field name', 'x'.repeat(200)],
  ['number of lines', 'data: 12345678\n'.repeat(20)],
])('an event with a too large %s is rejected', (_case, text) => {
  for (const lengths of [[1], [7], [1_000]]) expect(() => parse(text, lengths, 100)).toThrow(RangeError);
});

test('many small events are not too large', () => {
  expect(parse('data: x\n\n'.repeat(1_000), [7], 100)).toHaveLength(1_000);
});
