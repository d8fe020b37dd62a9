import { describe, expect, test } from 'vitest';
import { addDays, createZone, isRepeated, utcOfDay, weekStart, zoneOf } from '../src/time/zone-time.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const momentOf = (zone: string, wall: string) => iso(createZone(zone).momentOf(wall));

describe('a wall time', () => {
  test.each([
    ['UTC', '2026-07-01 12:00:00', '2026-07-01T12:00:00.000Z'],
    ['Europe/Berlin', '2026-07-01 12:00:00', '2026-07-01T10:00:00.000Z'],
    ['Asia/Kolkata', '2026-01-01 00:00:00', '2025-12-31T18:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01 00:00:00', '2025-12-31T10:00:00.000Z'],
    ['America/New_York', '2026-12-31 23:59:59', '2027-01-01T04:59:59.000Z'],
  ])('of %s converts to a moment and back', (zone, wall, moment) => {
    expect(momentOf(zone, wall)).toBe(moment);
    expect(createZone(zone).wallAt(Date.parse(moment))).toBe(wall);
  });

  test.each([
    // The clock goes from 02:00 to 03:00, and in Lord Howe by half an hour.
    ['Europe/Berlin', '2026-03-29 02:30:00', '2026-03-29 03:30:00'],
    ['America/New_York', '2026-03-08 02:00:00', '2026-03-08 03:00:00'],
    ['Australia/Lord_Howe', '2026-10-04 02:10:00', '2026-10-04 02:40:00'],
    ['Africa/Cairo', '2026-04-24 00:00:00', '2026-04-24 01:00:00'],
  ])('skipped in %s moves to after the gap', (name, wall, shown) => {
    const zone = createZone(name);
    expect(zone.wallAt(zone.momentOf(wall))).toBe(shown);
  });

  test.each([
    ['Europe/Berlin', '2026-10-25 02:30:00', '2026-10-25T00:30:00.000Z'],
    ['America/New_York', '2026-11-01 01:00:00', '2026-11-01T05:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05 01:45:00', '2026-04-04T14:45:00.000Z'],
  ])('shown twice in %s means the first', (name, wall, moment) => {
    expect(momentOf(name, wall)).toBe(moment);
    expect(isRepeated(createZone(name), Date.parse(moment))).toBe(true);
  });

  test('shown once is not repeated', () => {
    const zone = createZone('Europe/Berlin');
    expect(isRepeated(zone, zone.momentOf('2026-10-25 03:30:00'))).toBe(false);
    expect(isRepeated(zone, zone.momentOf('2026-10-25 01:30:00'))).toBe(false);
  });
});

test('days have 23, 24 or 25 hours', () => {
  const zone = createZone('Europe/Berlin');
  const hours = (day: string) =>
    (zone.momentOf(`${addDays(day, 1)} 00:00:00`) - zone.momentOf(`${day} 00:00:00`)) / 3_600_000;
  expect(['2026-03-29', '2026-06-01', '2026-10-25'].map(hours)).toEqual([23, 24, 25]);
});

test('days are counted over months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
});

test('a week starts on Monday', () => {
  expect(weekStart('2026-11-23')).toBe('2026-11-23');
  expect(weekStart('2026-11-29')).toBe('2026-11-23');
  expect(weekStart('2027-01-01')).toBe('2026-12-28');
});

test('a day that does not exist has no time', () => {
  for (const day of ['2026-02-30', '2026-13-01', '2026-1-1', '', 'today']) expect(utcOfDay(day)).toBeNaN();
});

test('a chosen zone replaces that of the browser', () => {
  expect(zoneOf('Asia/Tokyo', 'Europe/Berlin').name).toBe('Asia/Tokyo');
  expect(zoneOf('UTC', 'Europe/Berlin').name).toBe('Europe/Berlin');
  expect(zoneOf('Nowhere/Else', 'Europe/Berlin').name).toBe('Europe/Berlin');
});
