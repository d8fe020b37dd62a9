import { expect, test } from 'vitest';
import { oddTimes } from '../src/time/clock-changes.ts';
import { createZone } from '../src/time/zone-time.ts';

const NOW = Date.UTC(2026, 10, 26, 12);

test.each([
  [
    'Europe/Berlin',
    '02:30',
    [
      ['skipped', '2027-03-28', '03:00'],
      ['repeated', '2027-10-31', '02:30'],
    ],
  ],
  [
    'Europe/Berlin',
    '02:00',
    [
      ['skipped', '2027-03-28', '03:00'],
      ['repeated', '2027-10-31', '02:00'],
    ],
  ],
  ['Europe/Berlin', '03:00', []],
  ['America/New_York', '01:30', [['repeated', '2027-11-07', '01:30']]],
  ['Australia/Lord_Howe', '02:10', [['skipped', '2027-10-03', '02:30']]],
  ['Africa/Cairo', '00:30', [['skipped', '2027-04-30', '01:00']]],
  ['Asia/Kolkata', '02:30', []],
])('%s says on which days %s is odd', (zone, time, expected) => {
  const found = oddTimes(createZone(zone), [time], NOW);
  expect(found.map(({ kind, day, used }) => [kind, day, used])).toEqual(expected);
});

test('the change of the same day is found', () => {
  const times = oddTimes(createZone('Europe/Berlin'), ['02:30'], Date.UTC(2027, 2, 27, 23, 30));
  expect(times[0]).toMatchObject({ kind: 'skipped', day: '2027-03-28' });
});

test('an incomplete time has none', () => {
  expect(oddTimes(createZone('Europe/Berlin'), ['', '2:30'], NOW)).toEqual([]);
});
