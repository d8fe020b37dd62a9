import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filterOf, isFiltered, parseSearch } from '../src/service/post-search.ts';

test('what is not valid in an address is left out', () => {
  expect(parseSearch({ text: '', account: 3, status: 'DONE', from: '2026-13-99x', to: 'soon', page: 2 })).toEqual({});
  const valid = { text: 'sun', account: 'a', status: 'FAILED', from: '2026-08-01', to: '2026-08-02' };
  expect(parseSearch(valid)).toEqual(valid);
  // The router reads a number.
  expect(parseSearch({ text: 2026 })).toEqual({ text: '2026' });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.anything()), (raw) => {
      const search = parseSearch(raw);
      expect(parseSearch({ ...search })).toEqual(search);
    }),
  );
});

test('days are local and include their last moment', () => {
  const { from, to } = filterOf({ from: '2026-08-01', to: '2026-08-01' });
  expect(from).toBe(new Date(2026, 7, 1).getTime());
  expect(to).toBe(new Date(2026, 7, 2).getTime() - 1);
  expect(filterOf({ from: '2026-08-03', to: '2026-08-01' })).toEqual(
    filterOf({ from: '2026-08-01', to: '2026-08-03' }),
  );
});

test('blank text does not filter', () => {
  expect(filterOf({ text: '  ' })).toEqual({});
  expect([isFiltered({ text: ' ' }), isFiltered({}), isFiltered({ status: 'FAILED' })]).toEqual([false, false, true]);
});
