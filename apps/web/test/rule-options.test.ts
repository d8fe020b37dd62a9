import { ReelayApiError } from '@reelay/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  completeOptions,
  type GivenOptions,
  mergeOptions,
  ruleOptions,
} from '../../../packages/server/src/reposts/options/rule-options.ts';
import {
  catalogChange,
  isChanged,
  isSelectable,
  selectAll,
  selectionOf,
  toggleItem,
} from '../src/pages/reposts/panel/catalog-selection.ts';
import {
  changesOf,
  formOf,
  hasChanges,
  type OptionsForm,
  optionsOf,
  problemAt,
  refusedField,
  type ShownOptions,
} from '../src/pages/reposts/panel/options-form.ts';

const DEFAULTS = completeOptions({}) as ShownOptions;
const form = formOf(DEFAULTS, 'Europe/Berlin');
const changed = (changes: Partial<OptionsForm>) => changesOf(DEFAULTS, { ...form, ...changes });

const number = (max: number) => fc.constantFrom<number | ''>('', 1, 7, max);
const anyForm = fc.record<OptionsForm>({
  delayMinutes: fc.constantFrom<number | ''>('', 0, 30),
  jitterMinutes: fc.constantFrom<number | ''>('', 0, 5),
  isQuiet: fc.boolean(),
  quietFrom: fc.constantFrom('22:00', '23:30'),
  quietTo: fc.constantFrom('06:00', '07:15'),
  quietZone: fc.constantFrom('UTC', 'Asia/Kolkata'),
  maxPerDay: number(1_000),
  zone: fc.constantFrom('UTC', 'Europe/Berlin'),
  privacy: fc.dictionary(fc.constantFrom('one', 'two'), fc.constantFrom('', 'public')),
  template: fc.constantFrom('{caption}', 'From {source}', ''),
  append: fc.constantFrom('', '{url}'),
  removeMentions: fc.boolean(),
  removeHashtags: fc.boolean(),
  contains: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
  excludes: fc.array(fc.constantFrom('c', 'd'), { maxLength: 2 }),
  hashtags: fc.array(fc.constantFrom('#e', 'f'), { maxLength: 2 }),
  minSeconds: fc.constantFrom<number | ''>('', 3),
  maxSeconds: fc.constantFrom<number | ''>('', 60),
  fit: fc.constantFrom('' as const, 'pad' as const, 'crop' as const),
});

describe('the changes of a form', () => {
  test('are empty if nothing was changed', () => {
    expect(changed({})).toEqual({});
    expect(hasChanges(changed({}))).toBe(false);
  });

  test('contain only what was changed', () => {
    expect(changed({ delayMinutes: 30 })).toEqual({ delayMinutes: 30 });
    expect(changed({ isQuiet: true })).toEqual({
      quietHours: { from: '22:00', to: '07:00', zone: 'Europe/Berlin' },
    });
    expect(changed({ privacy: { a: 'public', b: '' } })).toEqual({ privacy: { a: 'public' } });
  });

  test('reset an option to its default with null', () => {
    const stored = { ...DEFAULTS, maxPerDay: 5, fit: 'crop' as const, delayMinutes: 10 };
    const emptied = { ...formOf(stored, 'UTC'), maxPerDay: '' as const, fit: '' as const, delayMinutes: '' as const };
    expect(changesOf(stored, emptied)).toEqual({ maxPerDay: null, fit: null, delayMinutes: null });
  });

  test('are accepted by the service and shown again as typed', () => {
    fc.assert(
      fc.property(anyForm, anyForm, (first, second) => {
        const stored = mergeOptions({}, ruleOptions.parse(optionsOf(first)) as GivenOptions);
        const changes = changesOf(completeOptions(stored), second);
        const after = completeOptions(mergeOptions(stored, ruleOptions.parse(changes) as GivenOptions));
        expect(optionsOf(formOf(after, 'UTC'))).toEqual(optionsOf(second));
        expect(hasChanges(changesOf(after, second))).toBe(false);
      }),
    );
  });
});

describe('a refused field', () => {
  const refused = (path: string) =>
    refusedField(
      new ReelayApiError('No.', { status: 400, code: 'invalid_request', field: { path, problem: 'must be small' } }),
    );

  test('is found by its path, also in a list', () => {
    expect(problemAt(refused('options.quietHours.from'), 'quietHours.from')).toBe('must be small');
    expect(problemAt(refused('options.filters.contains.3'), 'filters.contains')).toBe('must be small');
    expect(problemAt(refused('options.delayMinutes'), 'delay')).toBeNull();
  });

  test('is unknown without a path below the options', () => {
    expect(refused('to')).toBeNull();
    expect(refusedField(new Error('Other'))).toBeNull();
    expect(problemAt(null, 'zone')).toBeNull();
  });
});

describe('a selection of older posts', () => {
  const item = (id: string, status: 'available' | 'selected' | 'reposted' | 'unavailable') => ({
    id,
    status,
    publishedAt: '2026-01-01T00:00:00Z',
    caption: '',
    url: null,
    durationMs: null,
  });
  const listed = [item('a', 'available'), item('b', 'reposted'), item('c', 'selected'), item('d', 'unavailable')];
  const empty = selectionOf(DEFAULTS);

  test('takes only posts that can be reposted', () => {
    expect(listed.filter(isSelectable).map(({ id }) => id)).toEqual(['a', 'c']);
    expect(selectAll({ ...empty, items: ['c', 'x'] }, listed).items).toEqual(['c', 'x', 'a']);
  });

  test('is sent with its pace, and removed when empty', () => {
    const one = toggleItem(empty, 'a', true);
    expect(catalogChange(one)).toEqual({ backCatalog: { items: ['a'], order: 'oldest', perDay: 1 } });
    expect(catalogChange({ ...one, perDay: '' })).toEqual({
      backCatalog: { items: ['a'], order: 'oldest', perDay: null },
    });
    expect(catalogChange(toggleItem(one, 'a', false))).toEqual({ backCatalog: null });
  });

  test('is changed by other posts, not by their order', () => {
    const stored = { ...empty, items: ['a', 'b'] };
    expect(isChanged(stored, { ...stored, items: ['b', 'a'] })).toBe(false);
    expect(isChanged(stored, { ...stored, items: ['b'] })).toBe(true);
    expect(isChanged(stored, { ...stored, perDay: 2 })).toBe(true);
  });
});
