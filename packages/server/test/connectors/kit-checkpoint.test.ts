import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { defineCheckpoint, numberOrNull, texts, textsOrNull } from '../../src/connectors/kit/checkpoint.ts';

const { empty, parse } = defineCheckpoint({
  id: '',
  sent: 0,
  ready: false,
  off: { comment: false, at: 0 },
  offered: texts,
  seen: textsOrNull,
  publishedAt: numberOrNull,
});

const EMPTY = {
  id: '',
  sent: 0,
  ready: false,
  off: { comment: false, at: 0 },
  offered: [],
  seen: null,
  publishedAt: null,
};

describe('defineCheckpoint', () => {
  test('missing fields get their defaults', () => {
    expect(empty).toEqual(EMPTY);
    for (const nothing of [{}, null]) expect(parse(nothing)).toStrictEqual(empty);
    expect(parse({ sent: 5 })).toEqual({ ...EMPTY, sent: 5 });
  });

  test('fields of another type get their defaults', () => {
    for (const wrong of [null, true, [], {}, 'x'])
      expect(parse({ sent: wrong, ready: 'true', off: [1], offered: wrong === null ? 0 : 'a', seen: {} })).toEqual(
        EMPTY,
      );
    expect(parse({ id: { a: 1 }, publishedAt: 'soon' })).toEqual(EMPTY);
    expect(parse({ off: { comment: true, at: 'x' } }).off).toEqual({ comment: true, at: 0 });
  });

  test('reads numbers stored as text and text stored as numbers', () => {
    expect(parse({ id: 7, sent: '12', publishedAt: '-1.5' })).toMatchObject({ id: '7', sent: 12, publishedAt: -1.5 });
  });

  test('lists of anything else become lists of text', () => {
    const list = ['a', 7, null, { toString: 1, valueOf: 2 }];
    expect(parse({ offered: list, seen: list })).toMatchObject({
      offered: ['a', '7', 'null', '{"toString":1,"valueOf":2}'],
      seen: ['a', '7', 'null', '{"toString":1,"valueOf":2}'],
    });
  });

  test('drops unknown fields', () => {
    expect(parse({ id: 'a', later: 1 })).not.toHaveProperty('later');
  });

  test('parses what it stored, and never throws', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(EMPTY)), fc.jsonValue()), (stored) => {
        const parsed = parse(stored as JsonObject);
        expect(Object.keys(parsed).sort()).toEqual(Object.keys(EMPTY).sort());
        // As JSON, because it stores -0 as 0.
        const json = JSON.stringify(parsed);
        expect(JSON.stringify(parse(JSON.parse(json)))).toBe(json);
      }),
    );
  });
});
