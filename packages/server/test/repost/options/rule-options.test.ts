/** Options of repost rules: validation, merging and defaults. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { check } from '../../../src/http/validate-input.ts';
import {
  completeOptions,
  dailyLimit,
  type GivenOptions,
  mergeOptions,
  type RuleOptions,
  ruleOptions,
  shownOptions,
} from '../../../src/reposts/options/rule-options.ts';

const body = z.strictObject({ options: ruleOptions });
const errorOf = (options: unknown): string => {
  try {
    check(body, { options });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};
const parse = (options: unknown): GivenOptions => ruleOptions.parse(options);

const DEFAULTS: RuleOptions = {
  delayMinutes: 0,
  jitterMinutes: 0,
  quietHours: null,
  maxPerDay: null,
  zone: 'UTC',
  privacy: {},
  caption: { template: '{caption}', removeMentions: false, removeHashtags: false, append: '' },
  filters: { contains: [], excludes: [], hashtags: [], minSeconds: null, maxSeconds: null },
  fit: null,
  backCatalog: null,
};
const ID = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b';
const FULL = {
  delayMinutes: 10_080,
  jitterMinutes: 1_440,
  quietHours: { from: '22:00', to: '07:00', zone: 'Europe/Berlin' },
  maxPerDay: 1_000,
  zone: 'Pacific/Chatham',
  privacy: { [ID]: 'public' },
  caption: { template: '{caption} {{x}}\n{url}', removeMentions: true, removeHashtags: true, append: 'via {source}' },
  filters: { contains: ['sea'], excludes: ['ad'], hashtags: ['#meer', 'sea'], minSeconds: 3, maxSeconds: 90 },
  fit: 'crop',
  backCatalog: { order: 'newest', perDay: 50, items: [ID] },
};

describe('valid options', () => {
  test('may be empty, which means the defaults', () => {
    expect(parse({})).toEqual({});
    expect(completeOptions({})).toEqual(DEFAULTS);
  });

  test('may all be set', () => {
    expect(completeOptions(mergeOptions({}, parse(FULL)))).toEqual(FULL);
  });

  test('may be sent back as they are shown', () => {
    for (const sent of [{}, FULL, { filters: {}, caption: {}, quietHours: { from: '01:00', to: '02:00' } }]) {
      const shown = completeOptions(mergeOptions({}, parse(sent)));
      expect(shownOptions.parse(shown)).toEqual(shown);
      expect(completeOptions(mergeOptions({}, parse(shown)))).toEqual(shown);
    }
  });

  test.each([
    { quietHours: { from: '00:00', to: '23:59' } },
    { zone: 'Etc/GMT+5' },
    { zone: 'Asia/Calcutta' },
    { zone: 'Asia/Kolkata' },
    { filters: { minSeconds: 5, maxSeconds: 5 } },
    { filters: { minSeconds: 2.5 } },
    { filters: { hashtags: ['#été', 'হ্যাঁ', '#سلام‌ها', '_x'] } },
    { caption: { template: '' } },
    { caption: { template: '𝒳'.repeat(5_000) } },
    { backCatalog: { items: [] } },
  ])('may be %j', (options) => {
    expect(errorOf(options)).toBe('');
  });
});

describe('invalid options', () => {
  test.each([
    [{ delayMinutes: -1 }, 'The field "options.delayMinutes" is invalid: must be at least 0.'],
    [{ delayMinutes: 10_081 }, 'The field "options.delayMinutes" is invalid: must be at most 10,080.'],
    [{ delayMinutes: 1.5 }, 'The field "options.delayMinutes" is invalid: must be an integer.'],
    [{ jitterMinutes: 1_441 }, 'The field "options.jitterMinutes" is invalid: must be at most 1,440.'],
    [{ maxPerDay: 0 }, 'The field "options.maxPerDay" is invalid: must be at least 1.'],
    [{ maxPerDay: 1_001 }, 'The field "options.maxPerDay" is invalid: must be at most 1,000.'],
    [{ quietHours: { from: '22:00' } }, 'The field "options.quietHours.to" is missing.'],
    [
      { quietHours: { from: '24:00', to: '07:00' } },
      'The field "options.quietHours.from" is invalid: must be a time of day such as 22:00.',
    ],
    [
      { quietHours: { from: '7:00', to: '08:00' } },
      'The field "options.quietHours.from" is invalid: must be a time of day such as 22:00.',
    ],
    [
      { quietHours: { from: '07:00', to: '07:00' } },
      'The field "options.quietHours" is invalid: "from" and "to" must differ.',
    ],
    [{ zone: 'Mars/Olympus' }, 'The field "options.zone" is invalid: unknown time zone "Mars/Olympus".'],
    [
      { quietHours: { from: '01:00', to: '02:00', zone: '+02:00' } },
      'The field "options.quietHours.zone" is invalid: unknown time zone "+02:00".',
    ],
    [{ zone: '' }, 'The field "options.zone" is invalid: unknown time zone "".'],
    [
      { caption: { template: 'a {name}' } },
      'The field "options.caption.template" is invalid: unknown placeholder "{name}". Known: {caption}, {hashtags}, {source}, {url}.',
    ],
    [
      { caption: { template: '{foo} {caption} {bar}, {foo}' } },
      'The field "options.caption.template" is invalid: unknown placeholders {foo}, {bar}. Known: {caption}, {hashtags}, {source}, {url}.',
    ],
    [
      { caption: { append: '{Caption}' } },
      'The field "options.caption.append" is invalid: unknown placeholder "{Caption}". Known: {caption}, {hashtags}, {source}, {url}.',
    ],
    [
      { caption: { template: 'a { b' } },
      'The field "options.caption.template" is invalid: write "{{" for a brace that starts no placeholder.',
    ],
    [
      { caption: { template: 'x'.repeat(5_001) } },
      'The field "options.caption.template" is invalid: must have at most 5,000 characters.',
    ],
    [{ filters: { contains: [' '] } }, 'The field "options.filters.contains.0" is invalid: must not be empty.'],
    [
      { filters: { hashtags: ['a b'] } },
      'The field "options.filters.hashtags.0" is invalid: must be a hashtag of letters, digits and underscores.',
    ],
    [
      { filters: { minSeconds: 9, maxSeconds: 8 } },
      'The field "options.filters.maxSeconds" is invalid: must not be below the minimum.',
    ],
    [{ backCatalog: { perDay: 1 } }, 'The field "options.backCatalog.items" is missing.'],
    [
      { backCatalog: { perDay: 51, items: [] } },
      'The field "options.backCatalog.perDay" is invalid: must be at most 50.',
    ],
    [{ privacy: { [ID]: '' } }, `The field "options.privacy.${ID}" is invalid: must not be empty.`],
    [{ daily: 1 }, 'Unknown field "daily".'],
    [{ caption: { text: 'x' } }, 'Unknown field "text".'],
  ])('%j is rejected', (options, message) => {
    expect(errorOf(options)).toBe(message);
  });

  test.each([
    { fit: 'stretch' },
    { backCatalog: { order: 'random', items: [] } },
    { delayMinutes: '5' },
    { filters: { contains: Array(51).fill('x') } },
    { filters: { contains: ['x'.repeat(201)] } },
    { filters: { minSeconds: -1 } },
    { filters: { maxSeconds: Number.NaN } },
    { backCatalog: { items: Array(1_001).fill(ID) } },
    { privacy: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`${n}`, 'x'])) },
    { zone: 'A'.repeat(10_000) },
  ])('%# is rejected with the field', (options) => {
    expect(errorOf(options)).toContain(`"options.${Object.keys(options)[0]}`);
    expect(errorOf(options).length).toBeLessThan(300);
  });
});

describe('changes', () => {
  test('replace whole fields and keep the others', () => {
    const stored = mergeOptions({}, parse(FULL));
    const merged = mergeOptions(stored, parse({ filters: { minSeconds: 10 }, delayMinutes: 5 }));
    expect(completeOptions(merged)).toEqual({
      ...FULL,
      delayMinutes: 5,
      filters: { ...DEFAULTS.filters, minSeconds: 10 },
    });
  });

  test('with null reset a field', () => {
    const nulls = parse(Object.fromEntries(Object.keys(FULL).map((name) => [name, null])));
    expect(mergeOptions(mergeOptions({}, parse(FULL)), nulls)).toEqual({});
  });

  test('of the zone move quiet hours without their own', () => {
    const stored = mergeOptions({}, parse({ quietHours: { from: '22:00', to: '07:00' } }));
    const moved = mergeOptions(stored, parse({ zone: 'Asia/Tokyo' }));
    expect(completeOptions(moved).quietHours).toEqual({ from: '22:00', to: '07:00', zone: 'Asia/Tokyo' });
  });

  test('applied in sequence equal the last value of each field', () => {
    const names = Object.keys(FULL) as (keyof typeof FULL)[];
    const change = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.boolean()), { selector: ([name]) => name });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), (changes) => {
        const last = new Map(changes.flat());
        const stored = changes.reduce(
          (before, each) =>
            mergeOptions(before, parse(Object.fromEntries(each.map(([name, set]) => [name, set ? FULL[name] : null])))),
          {},
        );
        expect(Object.keys(stored).sort()).toEqual([...last].flatMap(([name, set]) => (set ? [name] : [])).sort());
      }),
    );
  });
});

test('the daily limit protects foreign content only', () => {
  expect([dailyLimit({ maxPerDay: null }, 'own'), dailyLimit({ maxPerDay: null }, 'foreign')]).toEqual([null, 25]);
  expect([dailyLimit({ maxPerDay: 3 }, 'own'), dailyLimit({ maxPerDay: 300 }, 'foreign')]).toEqual([3, 300]);
});

test('any input is either rejected or can be completed', () => {
  const any = fc.record(
    Object.fromEntries(
      Object.entries(FULL).map(([name, value]) => [name, fc.oneof(fc.constant(value), fc.jsonValue())]),
    ),
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(any, (given) => {
      const read = ruleOptions.safeParse(given);
      if (read.success) shownOptions.parse(completeOptions(mergeOptions({}, read.data)));
      else expect(read.error.issues.every(({ message }) => message.length < 500)).toBe(true);
    }),
  );
});
