import fc from 'fast-check';
import { expect, test } from 'vitest';
import { local, parseWhen } from '../src/when.ts';

const BERLIN = 'Europe/Berlin';
/** Saturday, 1 p.m. in Berlin (UTC+1). */
const NOW = new Date('2026-03-28T12:00:00.000Z');
const at = (text: string, zone = BERLIN, now = NOW) => parseWhen(text, now, zone).toISOString();

test.each([
  ['2026-12-01T09:00:00Z', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T09:00+02:00', '2026-12-01T07:00:00.000Z'],
  ['2026-12-01T09:00:30.250-0500', '2026-12-01T14:00:30.250Z'],
  ['2026-12-01T09:00', '2026-12-01T08:00:00.000Z'],
  ['2026-12-01 09:00', '2026-12-01T08:00:00.000Z'],
  ['2026-07-01 9:00:15', '2026-07-01T07:00:15.000Z'],
  ['today 18:30', '2026-03-28T17:30:00.000Z'],
  ['Tomorrow  9:00', '2026-03-29T07:00:00.000Z'],
  ['tomorrow at 9:00', '2026-03-29T07:00:00.000Z'],
  ['in 2 hours', '2026-03-28T14:00:00.000Z'],
  ['in 90 minutes', '2026-03-28T13:30:00.000Z'],
  ['in 1 hour and 5 minutes', '2026-03-28T13:05:00.000Z'],
  ['in 1h 5m', '2026-03-28T13:05:00.000Z'],
  ['in 2 weeks', '2026-04-11T11:00:00.000Z'],
])('%s in Berlin is %s', (text, expected) => {
  expect(at(text)).toBe(expected);
});

test('days keep the wall-clock time across DST, hours do not', () => {
  expect(at('in 1 day')).toBe('2026-03-29T11:00:00.000Z');
  expect(at('in 24 hours')).toBe('2026-03-29T12:00:00.000Z');
});

test('"tomorrow" uses the date in the zone, not in UTC', () => {
  const late = new Date('2026-03-28T23:30:00.000Z');
  expect(at('tomorrow 9:00', 'Asia/Tokyo', late)).toBe('2026-03-30T00:00:00.000Z');
  expect(at('tomorrow 9:00', 'America/New_York', late)).toBe('2026-03-29T13:00:00.000Z');
  expect(at('tomorrow 0:00', 'UTC', new Date('2026-12-31T12:00:00.000Z'))).toBe('2027-01-01T00:00:00.000Z');
});

test('an ambiguous time means its first occurrence', () => {
  expect(at('2026-10-25 02:30')).toBe('2026-10-25T00:30:00.000Z');
  expect(at('2026-10-25 03:00')).toBe('2026-10-25T02:00:00.000Z');
});

test('a time that the clocks skip is rejected', () => {
  expect(() => at('2026-03-29 02:30')).toThrow(
    '"2026-03-29 02:30" does not exist in Europe/Berlin: daylight saving time skips it',
  );
  expect(() => at('tomorrow 2:30')).toThrow('does not exist');
  expect(at('2026-03-29 03:00')).toBe('2026-03-29T01:00:00.000Z');
  // Samoa skipped all of December 30, 2011.
  expect(() => at('2011-12-30 12:00', 'Pacific/Apia')).toThrow('does not exist');
});

test.each([
  'yesterday',
  'tomorrow',
  '9:00',
  '2026-12-01',
  '2026-02-30 09:00',
  '2026-13-01 09:00',
  '2026-12-01 24:01',
  '2026-12-01T25:00:00Z',
  '2026-02-30T09:00:00Z',
  'in',
  'in a while',
  'in 2',
  'in 2 fortnights',
  'in 99999999999 hours',
  '',
])('the time %j is rejected with a message', (text) => {
  expect(() => at(text)).toThrow(/is not a time|is not a valid date or time|too far in the future/);
});

const ZONES = [
  BERLIN,
  'UTC',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Apia',
  'Africa/Casablanca',
];

test('formatted times parse back to the first matching time', () => {
  const moments = fc.date({ min: new Date('2015-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(moments, fc.constantFrom(...ZONES), (date, zone) => {
      const moment = new Date(Math.floor(date.getTime() / 1000) * 1000);
      const shown = show(moment, zone);
      const read = parseWhen(shown, NOW, zone);
      expect(show(read, zone)).toBe(shown);
      expect(read.getTime()).toBeLessThanOrEqual(moment.getTime());
    }),
  );
});

test('a repeated time is shown with its offset', () => {
  expect(local('2027-10-31T00:30:00Z', BERLIN)).toBe(
    '31 Oct 2027, 02:30 (Europe/Berlin, GMT+02:00: clocks show this time twice on that day)',
  );
  expect(local('2027-10-31T01:30:00Z', BERLIN)).toContain('GMT+01:00');
  expect(local('2027-10-31T02:30:00Z', BERLIN)).toBe('31 Oct 2027, 03:30 (Europe/Berlin)');
});

/** Formats a time as clocks in the zone show it: `2026-12-01 09:00:00`. */
function show(moment: Date, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(moment);
}
