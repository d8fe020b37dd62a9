import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at, numberAt, secondsAt, textAt } from '../../src/connectors/kit/json.ts';
import { parseJson } from '../../src/outbound/json.ts';

const isSafe = (value: bigint) => value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);

describe('JSON parser', () => {
  test('keeps every 64-bit integer exact, as a number or string', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), (id) => {
        const expected = isSafe(id) ? Number(id) : String(id);
        expect(parseJson(String(id))).toBe(expected);
        expect(parseJson(`{"data":{"ids":[1,${id}]}}`)).toEqual({ data: { ids: [1, expected] } });
        expect(textAt(parseJson(`[${id}]`), 0)).toBe(String(id));
        for (const around of ['[ # ]', '[[],#]', '{"a":1 ,"b"\t:\r\n#}', ' #', '\n#'])
          expect(JSON.stringify(parseJson(around.replace('#', String(id))))).toBe(
            JSON.stringify(JSON.parse(around.replace('#', JSON.stringify(expected)))),
          );
      }),
    );
  });

  test.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['-9007199254740993', '-9007199254740993'],
    ['7412345678901234567', '7412345678901234567'],
    ['1e300', 1e300],
    ['1.5', 1.5],
    ['-0', -0],
    ['"7412345678901234567"', '7412345678901234567'],
  ])('parses %s', (text, expected) => {
    expect(parseJson(text)).toBe(expected);
  });

  test.each([
    ['"\\u0000a"', 'a'],
    ['"a\ud800"', 'a\ufffd'],
    ['"\\uD83C\\uDFAC"', '🎬'],
    ['"\\uDFAC\\uD83C"', '\ufffd\ufffd'],
  ])('stores the text of %j', (text, expected) => {
    expect(parseJson(text)).toBe(expected);
  });

  test('removes U+0000 and lone surrogates', () => {
    expect(parseJson('{"error":"Slow\\u0000 down","list":["\\ud800","🎬\\n\\u001b"]}')).toEqual({
      error: 'Slow down',
      list: ['\ufffd', '🎬\n\u001b'],
    });
  });

  test('otherwise equals JSON.parse', () => {
    const small = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constant(null),
        fc.boolean(),
        fc.string(),
        fc.maxSafeInteger(),
        fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(small, (value) => {
        const text = JSON.stringify(value);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each(['', '{', '<html>', '{"a":1}x', 'undefined', 'NaN'])('rejects "%s"', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test('rejects deep nesting with an error, not a crash', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(() => parseJson(deep)).toThrow();
  });
});

describe('JSON path', () => {
  const value = parseJson('{"a":{"b":[{"c":"x","n":7,"big":7412345678901234567,"f":1.5,"t":"12","no":null}]}}');

  test('returns the value, or undefined without an exception', () => {
    expect(at(value, 'a', 'b', 0, 'c')).toBe('x');
    expect(at(value)).toBe(value);
    for (const path of [['x'], ['a', 'c'], ['a', 'b', 1], ['a', 'b', 0, 'c', 'd'], ['a', 'b', 0, 'no', 'x']])
      expect(at(value, ...path)).toBeUndefined();
    for (const nothing of [null, undefined, 7, 'text']) expect(at(nothing, 'length')).toBeUndefined();
  });

  test('ignores inherited properties', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'map']) {
      expect(at({}, name)).toBeUndefined();
      expect(at([], name)).toBeUndefined();
    }
  });

  test('returns strings and numbers as text, otherwise ""', () => {
    const here = (name: string) => textAt(value, 'a', 'b', 0, name);
    expect(['c', 'n', 'big', 'f', 't', 'no', 'missing'].map(here)).toEqual([
      'x',
      '7',
      '7412345678901234567',
      '1.5',
      '12',
      '',
      '',
    ]);
    expect([textAt(value, 'a'), textAt({ a: true }, 'a')]).toEqual(['', '']);
  });

  test('returns a number, also from a numeric string', () => {
    const here = (name: string) => numberAt(value, 'a', 'b', 0, name);
    expect(['n', 'f', 't', 'c', 'no', 'missing'].map(here)).toEqual([7, 1.5, 12, null, null, null]);
    const texts = [' 1', '1 ', '', '1e3', '0x10', 'Infinity', '-2', '2.50'];
    expect(texts.map((text) => numberAt({ text }, 'text'))).toEqual([null, null, null, null, null, null, -2, 2.5]);
  });
});

test.each([
  [1_795_000_000, 1_795_000_000_000],
  ['1795000000', 1_795_000_000_000],
  [1.5, 1_500],
  [0, null],
  [-1, null],
  [1e308, null],
  ['soon', null],
  [null, null],
])('%j seconds are read as a time', (seconds, time) => {
  expect(secondsAt({ date: seconds }, 'date')).toBe(time);
});
