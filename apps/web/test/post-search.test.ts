import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filterOf, isFiltered, parseSearch } from '../src/queries/post-search.ts';
import { createZone } from '../src/time/zone-time.ts';

test('invalid URL parameters are ignored', () => {
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

test('days are in the zone and include their last moment', () => {
  const kolkata = createZone('Asia/Kolkata');
  const { from, to } = filterOf({ from: '2026-08-01', to: '2026-08-01' }, kolkata);
  expect(from).toBe(Date.parse('2026-08-01T00:00:00+05:30'));
  expect(to).toBe(Date.parse('2026-08-02T00:00:00+05:30') - 1);
  expect(filterOf({ from: '2026-08-03', to: '2026-08-01' }, kolkata)).toEqual(
    filterOf({ from: '2026-08-01', to: '2026-08-03' }, kolkata),
  );
});

test('a day with a clock change has 25 hours', () => {
  const { from, to } = filterOf({ from: '2026-10-25', to: '2026-10-25' }, createZone('Europe/Berlin'));
  expect(Number(to) + 1 - Number(from)).toBe(25 * 3_600_000);
});

test('blank text does not filter', () => {
  expect(filterOf({ text: '  ' }, createZone('UTC'))).toEqual({});
  expect([isFiltered({ text: ' ' }), isFiltered({}), isFiltered({ status: 'FAILED' })]).toEqual([false, false, true]);
});
