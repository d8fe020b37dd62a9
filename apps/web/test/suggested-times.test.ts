import { expect, test } from 'vitest';
import { laterThan, suggestionRange, suggestTimes, takenTimes } from '../src/pages/compose/time/suggested-times.ts';
import { createZone } from '../src/time/zone-time.ts';

const MINUTE_MS = 60_000;
const berlin = createZone('Europe/Berlin');
/** Suggestions as "kind wall-time", for a wall time in Berlin. */
const suggest = (now: string, taken: readonly string[] = []) =>
  suggestTimes(
    berlin,
    berlin.momentOf(`${now}:00`),
    taken.map((each) => berlin.momentOf(`${each}:00`)),
  ).map(({ kind, at }) => `${kind} ${berlin.wallAt(at).slice(0, 16)}`);

test('a morning has times of today, tomorrow and Monday', () => {
  expect(suggest('2026-11-25 08:00')).toEqual([
    'today 2026-11-25 12:00',
    'evening 2026-11-25 18:00',
    'tomorrow 2026-11-26 09:00',
    'tomorrow 2026-11-26 18:00',
  ]);
});

test('late in the evening, times begin tomorrow', () => {
  expect(suggest('2026-11-25 22:00')).toEqual([
    'tomorrow 2026-11-26 09:00',
    'tomorrow 2026-11-26 18:00',
    'later 2026-11-30 12:00',
  ]);
});

test('a time is at least half an hour ahead', () => {
  expect(suggest('2026-11-25 17:30')[0]).toBe('evening 2026-11-25 18:00');
  expect(suggest('2026-11-25 17:31')[0]).toBe('evening 2026-11-25 19:00');
});

test('Monday is not suggested when it is tomorrow', () => {
  expect(suggest('2026-11-29 22:00').at(-1)).toBe('later 2026-12-07 12:00');
  expect(suggest('2026-11-30 22:00').at(-1)).toBe('later 2026-12-07 12:00');
});

test('a taken time is replaced by the next hour', () => {
  const taken = ['2026-11-25 18:10', '2026-11-26 09:00', '2026-11-26 10:00', '2026-11-26 11:00'];
  expect(suggest('2026-11-25 16:00', taken)).toEqual([
    'evening 2026-11-25 19:00',
    'tomorrow 2026-11-26 18:00',
    'later 2026-11-30 12:00',
  ]);
});

test.each([
  ['begins', '2026-03-28 20:00', 'tomorrow 2026-03-29 09:00', '2026-03-29T07:00:00.000Z'],
  ['ends', '2026-10-24 21:00', 'tomorrow 2026-10-25 09:00', '2026-10-25T08:00:00.000Z'],
])('the hour is right when daylight saving time %s', (_name, now, name, moment) => {
  const at = suggestTimes(berlin, berlin.momentOf(`${now}:00`), []).find(({ kind }) => kind === 'tomorrow')?.at ?? 0;
  expect(suggest(now)).toContain(name);
  expect(new Date(at).toISOString()).toBe(moment);
});

test('an hour that the clock skips is not suggested', () => {
  // In Apia, the whole day of 2011-12-30 was skipped.
  const apia = createZone('Pacific/Apia');
  const now = apia.momentOf('2011-12-29 22:00:00');
  const walls = suggestTimes(apia, now, []).map(({ at }) => apia.wallAt(at).slice(0, 10));
  expect(walls).toEqual(['2012-01-02']);
});

test('posts of the same accounts that wait take their time', () => {
  const post = (date: string, id: string, status: 'PENDING' | 'SUCCESS') =>
    ({ date, result: [{ id, status }] }) as unknown as Parameters<typeof takenTimes>[0][number];
  const posts = [
    post('2026-11-25T17:00:00.000Z', 'a', 'PENDING'),
    post('2026-11-25T18:00:00.000Z', 'b', 'PENDING'),
    post('2026-11-25T19:00:00.000Z', 'a', 'SUCCESS'),
  ];
  expect(takenTimes(posts, ['a', 'c'])).toEqual([Date.UTC(2026, 10, 25, 17)]);
  expect(takenTimes(posts, [])).toEqual([]);
});

test('the range contains every suggestion', () => {
  for (let day = 0; day < 8; day++) {
    const now = Date.UTC(2026, 10, 22 + day, 3, 17);
    const { from, to } = suggestionRange(berlin, now);
    for (const { at } of suggestTimes(berlin, now, [])) expect(at > from && at < to).toBe(true);
  }
});

test('the default time is at least one hour ahead', () => {
  const hour = Date.UTC(2026, 10, 25, 12);
  expect(laterThan(hour)).toBe(hour + 60 * MINUTE_MS);
  expect(laterThan(hour + MINUTE_MS)).toBe(hour + 75 * MINUTE_MS);
});
