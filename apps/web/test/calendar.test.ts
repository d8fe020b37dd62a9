import type { FoundPost, PostStatus, ReelayClient } from '@reelay/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byDay, entriesIn, entryOf, firstWords, statusOf } from '../src/pages/calendar/entries.ts';
import { firstHour } from '../src/pages/calendar/first-hour.ts';
import { eventOf, movedTo, positionOf, problemOfMove, proposedOn } from '../src/pages/calendar/moves.ts';
import { daysOf, momentsOf, readSearch, turn } from '../src/pages/calendar/range.ts';
import { type CalendarPosts, calendarQuery, withMoves } from '../src/queries/calendar.ts';
import { createZone } from '../src/time/zone-time.ts';
import { readTyped } from '../src/ui/date-time-value.ts';

const berlin = createZone('Europe/Berlin');
const NOW = Date.UTC(2026, 9, 20, 12);
const DAY_MS = 86_400_000;

function post(statuses: readonly PostStatus[], change: Partial<FoundPost> = {}): FoundPost {
  const result = statuses.map((status, index) => ({
    platform: 'any',
    id: String(index),
    username: 'nora',
    displayName: 'Nora',
    usernameImage: '',
    status,
  }));
  const date = new Date(NOW + DAY_MS).toISOString();
  return { id: 'p', description: 'Hi', filename: 'f', result, scheduled: true, date, createdAt: date, ...change };
}

describe('the address', () => {
  test('keeps a known view and an existing date', () => {
    expect(readSearch({ view: 'week', date: '2026-10-25' })).toEqual({ view: 'week', date: '2026-10-25' });
    expect(readSearch({ view: 'year', date: '2026-02-31', other: 1 })).toEqual({});
  });
});

describe('the first hour of a week', () => {
  const entry = (wall: string) => ({ wall, at: berlin.momentOf(wall) });
  const days = daysOf('week', '2026-10-20');
  const hourOf = (walls: readonly string[], now = NOW) => firstHour(days, walls.map(entry), { zone: berlin, now });

  test('comes before the first post of a day to come', () => {
    const walls = ['2026-10-19 03:10:00', '2026-10-21 18:30:00', '2026-10-22 16:59:00'];
    expect(hourOf(walls)).toBe('15:00:00');
  });

  test('comes before now if everything is posted', () => {
    expect(hourOf(['2026-10-19 03:10:00'])).toBe('13:00:00');
    expect(hourOf([], berlin.momentOf('2026-10-20 00:20:00'))).toBe('00:00:00');
  });

  test('comes before the first post of another week', () => {
    expect(hourOf(['2026-10-19 09:10:00', '2026-10-21 12:00:00'], NOW + 14 * DAY_MS)).toBe('08:00:00');
    expect(hourOf([], NOW + 14 * DAY_MS)).toBe('07:00:00');
  });
});

describe('the shown days', () => {
  test('are whole weeks, a week or four weeks', () => {
    expect(daysOf('month', '2026-10-25')).toEqual({ first: '2026-09-28', last: '2026-11-01' });
    expect(daysOf('month', '2027-02-14')).toEqual({ first: '2027-02-01', last: '2027-02-28' });
    expect(daysOf('week', '2026-10-25')).toEqual({ first: '2026-10-19', last: '2026-10-25' });
    expect(daysOf('list', '2026-10-25')).toEqual({ first: '2026-10-25', last: '2026-11-21' });
  });

  test('begin and end at midnight of the zone', () => {
    const { from, to } = momentsOf(daysOf('week', '2026-10-25'), berlin);
    expect(new Date(from).toISOString()).toBe('2026-10-18T22:00:00.000Z');
    expect(new Date(to).toISOString()).toBe('2026-10-25T22:59:59.999Z');
  });

  test('are turned like pages', () => {
    expect(turn('month', '2026-01-31', 1)).toBe('2026-02-01');
    expect(turn('month', '2026-01-31', -1)).toBe('2025-12-01');
    expect(turn('week', '2026-12-30', 1)).toBe('2027-01-06');
    expect(turn('list', '2026-12-30', -1)).toBe('2026-12-02');
  });
});

describe('an entry', () => {
  test.each<[string, PostStatus[], Partial<FoundPost>]>([
    ['SCHEDULED', ['PENDING', 'PENDING'], {}],
    ['SCHEDULED', ['PENDING', 'FAILED'], {}],
    ['PENDING', ['PENDING', 'SUCCESS'], {}],
    ['PENDING', ['PENDING'], { scheduled: false }],
    ['PENDING', ['PENDING'], { date: new Date(NOW).toISOString() }],
    ['SUCCESS', ['SUCCESS'], {}],
    ['PARTLY', ['SUCCESS', 'FAILED'], {}],
    ['FAILED', ['FAILED'], {}],
  ])('has the status %s', (status, statuses, change) => {
    expect(statusOf(post(statuses, change), NOW)).toBe(status);
  });

  test.each<[string, (PostStatus | 'UNKNOWN')[]]>([
    ['UNKNOWN', ['UNKNOWN']],
    ['UNKNOWN', ['SUCCESS', 'UNKNOWN', 'FAILED']],
    ['PENDING', ['UNKNOWN', 'PENDING']],
  ])('has the status %s after an unknown outcome', (status, looks) => {
    const { result, ...others } = post(looks.map((look) => (look === 'UNKNOWN' ? 'FAILED' : look)));
    const unknown = result.map((each, at) =>
      looks[at] === 'UNKNOWN' ? { ...each, message: 'outcome_unknown' as const } : each,
    );
    expect(statusOf({ ...others, scheduled: false, result: unknown }, NOW)).toBe(status);
  });

  test('is at its wall time and moves only if scheduled', () => {
    const date = '2026-10-24T23:30:00.000Z';
    expect(entryOf(post(['PENDING'], { date }), berlin, NOW)).toMatchObject({
      wall: '2026-10-25 01:30:00',
      accounts: 1,
      isMovable: true,
    });
    expect(entryOf(post(['SUCCESS'], { date }), berlin, NOW).isMovable).toBe(false);
  });

  test('shows the first words in one line', () => {
    expect(firstWords('  One\n two ')).toBe('One two');
    expect(firstWords(`${'word '.repeat(30)}`)).toBe(`${'word '.repeat(15)}word…`.replace(' …', '…'));
    expect([...firstWords('🌅'.repeat(100))]).toHaveLength(81);
  });

  test('is listed below its day, earliest first', () => {
    const at = (hours: number) =>
      post(['PENDING'], { id: `${hours}`, date: new Date(NOW + hours * 3_600_000).toISOString() });
    const days = { first: '2026-10-20', last: '2026-10-21' };
    // As the service sends them: the latest first.
    const entries = entriesIn([at(60), at(30), at(2), at(1), at(-24)], days, { zone: berlin, now: NOW });
    expect(entries.map(({ id }) => id)).toEqual(['1', '2', '30']);
    expect(byDay(entries).map(([day, ofDay]) => [day, ofDay.map(({ id }) => id)])).toEqual([
      ['2026-10-20', ['1', '2']],
      ['2026-10-21', ['30']],
    ]);
  });
});

describe('a dropped post', () => {
  const moved = (name: string, wall: string, drop: Parameters<typeof movedTo>[1]) => {
    const zone = createZone(name);
    return new Date(movedTo({ at: zone.momentOf(wall), wall }, drop, zone).to).toISOString();
  };

  test.each([
    ['Europe/Berlin', '2026-10-23 09:15:30', '2026-10-26', '2026-10-26T08:15:30.000Z'],
    ['America/New_York', '2026-10-30 09:15:00', '2026-11-02', '2026-11-02T14:15:00.000Z'],
    ['Asia/Kolkata', '2026-10-23 00:00:00', '2026-10-26', '2026-10-25T18:30:00.000Z'],
    // 02:30 does not exist there.
    ['Europe/Berlin', '2026-03-20 02:30:00', '2026-03-29', '2026-03-29T01:30:00.000Z'],
  ])('keeps its time of day in %s', (zone, wall, day, moment) => {
    expect(moved(zone, wall, { day })).toBe(moment);
  });

  test('names the time that the clock skips on its day', () => {
    const wall = '2026-03-20 02:30:00';
    const drop = (day: string) => movedTo({ at: berlin.momentOf(wall), wall }, { day }, berlin).skipped;
    expect(drop('2026-03-29')).toBe('02:30');
    expect(drop('2026-03-28')).toBeNull();
  });

  test('keeps the second occurrence of a repeated time', () => {
    const at = Date.UTC(2026, 9, 25, 1, 30);
    const entry = { at, wall: berlin.wallAt(at) };
    expect(movedTo(entry, { day: '2026-10-25' }, berlin).to).toBe(at);
    expect(movedTo(entry, { slot: '2026-10-25 02:30:00' }, berlin).to).toBe(at);
  });

  test('gets the time of the slot', () => {
    expect(moved('Europe/Berlin', '2026-10-23 09:15:00', { slot: '2026-10-25 18:30:00' })).toBe(
      '2026-10-25T17:30:00.000Z',
    );
  });

  test('cannot move to the past or too far', () => {
    expect(problemOfMove(NOW + 1, NOW + 1, NOW)).toBe('unchanged');
    expect(problemOfMove(NOW + 1, NOW, NOW)).toBe('inPast');
    expect(problemOfMove(NOW + 1, NOW + 367 * DAY_MS, NOW)).toBe('tooFar');
    expect(problemOfMove(NOW + 1, NOW + 2, NOW)).toBeNull();
  });

  test('is shown at its new time before the response', () => {
    const posts = [post(['PENDING'], { id: 'a' }), post(['PENDING'], { id: 'b' })];
    const moves = [NOW + 1, NOW].map((at) => ({ id: 'b', at }));
    const dates = withMoves(posts, moves).map(({ date }) => date);
    expect(dates).toEqual([posts[0]?.date, new Date(NOW).toISOString()]);
    expect(withMoves(posts, [])).toBe(posts);
  });
});

test('a post that moves between two pages is shown once', async () => {
  const pages = [
    { data: [post(['PENDING'], { id: 'a' }), post(['PENDING'], { id: 'b' })], next: '1' },
    { data: [post(['PENDING'], { id: 'a', description: 'Moved' })], next: null },
  ];
  const client = { posts: { calendar: async (_: unknown, { cursor = '0' }) => pages[Number(cursor)] } };
  const { queryFn } = calendarQuery(client as unknown as ReelayClient, { from: 0, to: 1 });
  const found = await (queryFn as (given: object) => Promise<CalendarPosts>)({});
  expect(found.posts.map(({ id, description }) => [id, description])).toEqual([
    ['a', 'Moved'],
    ['b', 'Hi'],
  ]);
});

describe('an empty day', () => {
  test('proposes noon, then the next full hour, then nothing', () => {
    const at = (day: string, now: string) => {
      const proposed = proposedOn(day, berlin, berlin.momentOf(now));
      return proposed === null ? null : berlin.wallAt(proposed);
    };
    expect(at('2026-10-25', '2026-10-25 08:10:00')).toBe('2026-10-25 12:00:00');
    expect(at('2026-10-25', '2026-10-25 14:10:00')).toBe('2026-10-25 15:00:00');
    expect(at('2026-10-25', '2026-10-25 23:10:00')).toBeNull();
    expect(at('2026-10-24', '2026-10-25 08:10:00')).toBeNull();
  });
});

describe('the column of a day', () => {
  test('has hours of equal height and ends at midnight', () => {
    expect(positionOf('2026-03-29 12:00:00')).toEqual({ top: '50%', bottom: `${100 - (780 / 1440) * 100}%` });
    expect(positionOf('2026-03-29 23:59:00').bottom).toBe('0%');
  });

  test('is laid out with times that exist in every zone', () => {
    const at = (minute: number) => `2026-03-29 ${new Date(minute * 60_000).toISOString().slice(11, 16)}:45`;
    const event = (minute: number) => eventOf({ id: 'p', words: '', wall: at(minute) });
    for (let minute = 0; minute < 1_440; minute += 1) {
      const { start, end } = event(minute);
      expect(start >= '2026-03-29 06:00:00' && start < end && end <= '2026-03-29 18:00:00').toBe(true);
      expect(start >= event(Math.max(0, minute - 1)).start).toBe(true);
    }
  });

  test('puts entries next to each other that would overlap', () => {
    const minutes = fc.integer({ min: 0, max: 1_439 });
    const wall = (minute: number) => `2026-03-29 ${new Date(minute * 60_000).toISOString().slice(11, 19)}`;
    const percent = (minute: number) => {
      const { top, bottom } = positionOf(wall(minute));
      return { start: Number.parseFloat(top), end: 100 - Number.parseFloat(bottom) };
    };
    fc.assert(
      fc.property(minutes, minutes, (one, other) => {
        const [a, b] = [one, other].map((minute) => eventOf({ id: 'p', words: '', wall: wall(minute) }));
        const [shownA, shownB] = [percent(one), percent(other)];
        const isOverlap = shownA.start < shownB.end - 1e-9 && shownB.start < shownA.end - 1e-9;
        expect(a && b && a.start < b.end && b.start < a.end).toBe(isOverlap);
      }),
    );
  });
});

describe('a typed time', () => {
  const typed = (day: string | null, time: string) => readTyped(day, time, berlin, NOW);

  test('is converted to a moment in the zone', () => {
    expect(typed('2026-10-26', '09:30')).toEqual({
      at: Date.UTC(2026, 9, 26, 8, 30),
      problem: null,
      note: null,
      wall: '2026-10-26 09:30:00',
      choices: [],
    });
  });

  test('is refused in the past, too far ahead or incomplete', () => {
    expect(typed('2026-10-20', '14:00')).toMatchObject({ at: Date.UTC(2026, 9, 20, 12), problem: 'inPast' });
    expect(typed('2028-10-20', '14:00')).toMatchObject({ at: Date.UTC(2028, 9, 20, 12), problem: 'tooFar' });
    expect(typed(null, '14:00')).toMatchObject({ at: null, problem: 'incomplete' });
    expect(typed('2026-10-26', '')).toMatchObject({ at: null, problem: 'incomplete' });
  });

  test('is announced if the clock skips or repeats it', () => {
    expect(typed('2027-03-28', '02:30')).toMatchObject({ note: 'skipped', wall: '2027-03-28 03:30:00' });
    expect(typed('2026-10-25', '02:30')).toMatchObject({ note: 'repeated', at: Date.UTC(2026, 9, 25, 0, 30) });
  });

  test('can mean the second occurrence if it is repeated', () => {
    const choices = [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30)];
    expect(readTyped('2026-10-25', '02:30', berlin, NOW, true)).toMatchObject({ at: choices[1], choices });
    expect(readTyped('2026-10-25', '03:30', berlin, NOW, true)).toMatchObject({ at: Date.UTC(2026, 9, 25, 2, 30) });
  });

  test('is refused if its chosen occurrence is over', () => {
    const between = Date.UTC(2026, 9, 25, 1);
    expect(readTyped('2026-10-25', '02:30', berlin, between)).toMatchObject({ problem: 'inPast' });
    expect(readTyped('2026-10-25', '02:30', berlin, between, true)).toMatchObject({ problem: null });
  });
});
