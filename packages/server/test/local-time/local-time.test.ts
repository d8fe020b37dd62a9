/** Quiet hours and local days, in every time zone and across every kind of clock change. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayOf } from '../../src/local-time/days.ts';
import { quietUntil } from '../../src/local-time/quiet-hours.ts';
import { createZone, isZone } from '../../src/local-time/zones.ts';
import { createLocalClock, type Transition, transitionsOf } from './local-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ZONES = Intl.supportedValuesOf('timeZone');
const utc = (text: string) => Date.parse(`${text}Z`);
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString().slice(0, 16));
const anyZone = fc.constantFrom(...ZONES);
const anyInstant = fc.integer({ min: utc('1972-02-01T00:00'), max: utc('2060-01-01T00:00') });
const timeText = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const anyTime = fc.integer({ min: 0, max: 24 * 60 - 1 });
const anyQuiet = fc
  .tuple(anyTime, anyTime)
  .filter(([from, to]) => from !== to)
  .map(([from, to]) => ({ from: timeText(from), to: timeText(to) }));

/** Each different clock change of two years, with one zone that has it. */
const CURRENT: readonly Transition[] = [
  ...new Map(
    ZONES.flatMap((zone) => transitionsOf(zone, utc('2026-01-01T00:00'), utc('2028-01-01T00:00'))).map((each) => [
      `${each.at} ${each.beforeMs} ${each.afterMs}`,
      each,
    ]),
  ).values(),
];
/** Clock changes at midnight, over midnight, over the date line, and by seconds. */
const ODD: readonly Transition[] = [
  ['America/Sao_Paulo', '2018-11-01T00:00', '2019-03-01T00:00'],
  ['America/St_Johns', '2010-03-01T00:00', '2010-12-01T00:00'],
  ['Atlantic/Azores', '2026-03-01T00:00', '2026-12-01T00:00'],
  ['Pacific/Apia', '2011-12-01T00:00', '2012-01-20T00:00'],
  ['Pacific/Kwajalein', '1993-08-01T00:00', '1993-09-10T00:00'],
  ['Africa/Monrovia', '1971-12-20T00:00', '1972-01-20T00:00'],
  ['Asia/Pyongyang', '2018-04-20T00:00', '2018-05-20T00:00'],
  ['Africa/Casablanca', '2023-03-01T00:00', '2023-05-01T00:00'],
  ['Africa/Cairo', '2014-05-01T00:00', '2014-10-10T00:00'],
].flatMap(([zone = '', start = '', end = '']) => transitionsOf(zone, utc(start), utc(end)));
const CHANGES = [...CURRENT, ...ODD];

describe('zones', () => {
  test('are known by their IANA names only', () => {
    expect(ZONES.every(isZone)).toBe(true);
    for (const name of ['UTC', 'Etc/GMT+5', 'GMT', 'Asia/Calcutta', 'europe/berlin']) expect(isZone(name)).toBe(true);
    for (const name of ['', '+02:00', '-0500', 'Mars/Olympus', 'Europe/Berlin ', 'null', ' UTC'])
      expect(isZone(name)).toBe(false);
  });

  test('have the local time that Intl formats', () => {
    for (const name of ZONES) {
      const zone = createZone(name);
      const clock = createLocalClock(name);
      for (let at = utc('1971-01-01T12:34:56.789'); at < utc('2050-01-01T00:00'); at += 1_700 * DAY + 5 * HOUR)
        expect(zone.localTime(at), `${name} ${iso(at)}`).toBe(clock(at));
    }
  });

  test('have many kinds of clock changes', () => {
    const kinds = new Set(CHANGES.map(({ beforeMs, afterMs }) => (afterMs - beforeMs) / MINUTE));
    expect(CURRENT.length).toBeGreaterThan(30);
    expect([...kinds].sort((a, b) => a - b)).toEqual(
      expect.arrayContaining([-120, -60, -30, 30, 44.5, 60, 120, 24 * 60]),
    );
  });

  test('find the first instant of each local time around changes', () => {
    for (const { zone: name, at, beforeMs, afterMs } of CHANGES) {
      const zone = createZone(name);
      const clock = createLocalClock(name);
      const reach = Math.abs(afterMs - beforeMs) + 2 * HOUR;
      const step = reach > DAY ? HOUR : 10 * MINUTE;
      // Whole minutes before and after the change, where all local times in reach occur.
      const minutes: [number, number][] = [];
      for (let each = at - reach - HOUR; each <= at + reach + HOUR; each += step / 2) minutes.push([each, clock(each)]);
      for (let local = at + Math.min(beforeMs, afterMs); local <= at + Math.max(beforeMs, afterMs); local += step) {
        const first = zone.firstInstant(local);
        const label = `${name} ${iso(local)}`;
        expect(clock(first), label).toBeGreaterThanOrEqual(local);
        if (first !== at) expect(clock(first), label).toBe(local);
        expect(clock(first - 1), label).toBeLessThan(local);
        const earlier = minutes.filter(([instant, shown]) => instant < first && shown >= local);
        expect(earlier, label).toEqual([]);
      }
    }
  });
});

describe('quiet hours', () => {
  const night = (zone: string) => ({ from: '22:00', to: '07:00', zone });

  test.each([
    ['before', 'UTC', '2026-05-01T21:59', null],
    ['at the start', 'UTC', '2026-05-01T22:00', '2026-05-02T07:00'],
    ['after midnight', 'UTC', '2026-05-02T03:00', '2026-05-02T07:00'],
    ['just before the end', 'UTC', '2026-05-02T06:59:59.999', '2026-05-02T07:00'],
    ['at the end', 'UTC', '2026-05-02T07:00', null],
    ['in a night of 8 hours', 'Europe/Berlin', '2026-03-28T21:00', '2026-03-29T05:00'],
    ['in a night of 10 hours', 'Europe/Berlin', '2026-10-24T20:00', '2026-10-25T06:00'],
    ['with an offset of 45 minutes', 'Asia/Kathmandu', '2026-05-01T16:15', '2026-05-02T01:15'],
    ['in a night without a day', 'Pacific/Apia', '2011-12-30T09:00', '2011-12-30T17:00'],
  ])('%s', (_, zone, at, end) => {
    expect(iso(quietUntil(night(zone), utc(at)))).toBe(end);
  });

  test.each([
    ['an end that is skipped', '22:00', '02:30', '2026-03-28T23:30', '2026-03-29T01:00'],
    ['the end of the gap', '22:00', '02:30', '2026-03-29T01:00', null],
    ['an end that exists twice', '22:00', '02:30', '2026-10-24T23:30', '2026-10-25T00:30'],
    ['the first of two ends', '22:00', '02:30', '2026-10-25T00:30', null],
    ['the second of two hours', '22:00', '02:30', '2026-10-25T01:10', null],
    ['a start that is skipped', '02:30', '06:00', '2026-03-29T01:00', '2026-03-29T04:00'],
    ['before a start that is skipped', '02:30', '06:00', '2026-03-29T00:59', null],
    ['a start that exists twice', '02:30', '06:00', '2026-10-25T01:10', '2026-10-25T05:00'],
    ['hours that are skipped', '02:10', '02:50', '2026-03-29T01:00', null],
    ['a skipped pause between two nights', '03:00', '02:30', '2026-03-29T00:30', '2026-03-30T00:30'],
    ['hours by day', '09:00', '17:00', '2026-03-29T07:00', '2026-03-29T15:00'],
  ])('%s', (_, from, to, at, end) => {
    expect(iso(quietUntil({ from, to, zone: 'Europe/Berlin' }, utc(at)))).toBe(end);
  });

  test('begin at the first of two midnights', () => {
    const quiet = { from: '00:00', to: '06:00', zone: 'America/St_Johns' };
    expect(iso(quietUntil(quiet, utc('2010-11-07T02:29')))).toBeNull();
    // The clocks went back from 00:01 to 23:01.
    expect(iso(quietUntil(quiet, utc('2010-11-07T02:45')))).toBe('2010-11-07T09:30');
  });

  test('none never wait', () => {
    expect(quietUntil(null, 0)).toBeNull();
  });

  test('follow the wall clock, far from clock changes', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, anyQuiet, (zone, at, { from, to }) => {
        const clock = createLocalClock(zone);
        const offset = clock(at) - at;
        const isSteady = [-3, -2, -1, 1, 2, 3].every((days) => clock(at + days * DAY) - at - days * DAY === offset);
        fc.pre(isSteady);
        const now = timeText(Math.floor((((clock(at) % DAY) + DAY) % DAY) / MINUTE));
        const isQuiet = from < to ? from <= now && now < to : from <= now || now < to;
        const end = quietUntil({ from, to, zone }, at);
        expect(end !== null).toBe(isQuiet);
        if (end === null) return;
        expect(timeText(Math.floor((((clock(end) % DAY) + DAY) % DAY) / MINUTE))).toBe(to);
        expect(end - at > 0 && end - at < DAY && clock(end) % MINUTE === 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('hold until their end, around every change', () => {
    const change = fc.constantFrom(...CHANGES);
    const near = fc.integer({ min: -30 * 60, max: 30 * 60 });
    fc.assert(
      fc.property(change, near, anyQuiet, fc.integer({ min: 0, max: 1_000 }), ({ zone, at }, minutes, times, part) => {
        const quiet = { ...times, zone };
        const now = at + minutes * MINUTE;
        const end = quietUntil(quiet, now);
        if (end === null) return;
        expect(end).toBeGreaterThan(now);
        expect(quietUntil(quiet, end)).toBeNull();
        const between = now + Math.floor(((end - 1 - now) * part) / 1_000);
        expect(quietUntil(quiet, between)).toBe(end);
      }),
      { numRuns: 500 },
    );
  });

  test('end at their local time or at a change', () => {
    for (const { zone, at, beforeMs, afterMs } of CHANGES) {
      const clock = createLocalClock(zone);
      // Ends before, at, in and after the gap or the repeated time.
      for (const local of [
        at + beforeMs - 30 * MINUTE,
        at + beforeMs,
        (at + beforeMs + at + afterMs) / 2,
        at + afterMs,
      ]) {
        const whole = Math.floor(local / MINUTE) * MINUTE;
        const minute = (((whole % DAY) + DAY) % DAY) / MINUTE;
        const quiet = { from: timeText((minute + 24 * 60 - 300) % (24 * 60)), to: timeText(minute), zone };
        const end = quietUntil(quiet, createZone(zone).firstInstant(whole) - 1);
        const shown = end === null ? '' : timeText(Math.floor((((clock(end) % DAY) + DAY) % DAY) / MINUTE));
        expect(end === at || shown === quiet.to || end === null, `${zone} ${iso(at)} ${quiet.to} ${iso(end)}`).toBe(
          true,
        );
      }
    }
  });
});

describe('local days', () => {
  test.each([
    ['UTC', '2026-05-01T12:00', '2026-05-01T00:00', '2026-05-02T00:00'],
    ['Europe/Berlin', '2026-03-29T12:00', '2026-03-28T23:00', '2026-03-29T22:00'],
    ['Europe/Berlin', '2026-10-25T12:00', '2026-10-24T22:00', '2026-10-25T23:00'],
    ['Australia/Lord_Howe', '2026-10-04T00:00', '2026-10-03T13:30', '2026-10-04T13:00'],
    ['Antarctica/Troll', '2026-03-29T12:00', '2026-03-29T00:00', '2026-03-29T22:00'],
    // Midnight is skipped: the day begins at 01:00.
    ['America/Sao_Paulo', '2018-11-04T12:00', '2018-11-04T03:00', '2018-11-05T02:00'],
    ['Asia/Beirut', '2026-03-29T12:00', '2026-03-28T22:00', '2026-03-29T21:00'],
    // The last hour of the day is repeated.
    ['America/Sao_Paulo', '2019-02-17T02:30', '2019-02-16T02:00', '2019-02-17T03:00'],
    ['America/Havana', '2026-11-01T12:00', '2026-11-01T04:00', '2026-11-02T05:00'],
    // There was no 30 December.
    ['Pacific/Apia', '2011-12-30T09:59', '2011-12-29T10:00', '2011-12-30T10:00'],
    ['Pacific/Apia', '2011-12-30T10:00', '2011-12-30T10:00', '2011-12-31T10:00'],
    // At one minute past midnight the clocks went back to the day before.
    ['America/St_Johns', '2010-11-07T02:31', '2010-11-07T02:30', '2010-11-08T03:30'],
    ['America/St_Johns', '2010-11-07T03:00', '2010-11-07T02:30', '2010-11-08T03:30'],
  ])('%s on %s', (zone, at, start, end) => {
    const day = dayOf(utc(at), zone);
    expect([iso(day.start), iso(day.end)]).toEqual([start, end]);
  });

  test('divide time without gaps, at every change', () => {
    for (const { zone, at } of CHANGES) {
      let day = dayOf(at - 3 * DAY, zone);
      while (day.start < at + 3 * DAY) {
        expect(day.end, zone).toBeGreaterThan(day.start);
        expect(dayOf(day.start, zone), zone).toEqual(day);
        expect(dayOf(day.end - 1, zone), zone).toEqual(day);
        const next = dayOf(day.end, zone);
        expect(next.start, zone).toBe(day.end);
        day = next;
      }
    }
  });

  test('contain their time and have a plausible length', () => {
    const lengths = new Set<number>();
    fc.assert(
      fc.property(anyZone, anyInstant, (zone, at) => {
        const { start, end } = dayOf(at, zone);
        expect(start <= at && at < end).toBe(true);
        lengths.add((end - start) / HOUR);
      }),
      { numRuns: 500 },
    );
    expect([...lengths].every((hours) => hours >= 22 && hours <= 26)).toBe(true);
  });
});
