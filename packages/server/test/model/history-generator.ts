/** Generates histories for the reference model: what users, phones and platforms do. Plain JSON, replayable. */
import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '../../src/time.ts';

/** The platform of each place. A place is an account; all users may connect it. */
export const PLATFORMS = ['mastodon', 'bluesky', 'tiktok', 'youtube', 'mastodon', 'bluesky'] as const;

/** `own`: unlike others. `same`, `alike`: texts that are equal when compared. `tagged`: with a word to filter. `none`: empty. */
export type Words = 'own' | 'same' | 'alike' | 'tagged' | 'none';
/** Lengths in seconds: `near` differs from `short` by less than half a second. */
export const SECONDS = { short: 6, near: 6.4, long: 9 } as const;
export type Length = keyof typeof SECONDS;
/** How the next send to a place ends. `lost`: the post appears, but its response is lost. `void`: it does not appear. */
export type Send = 'rejected' | 'lost' | 'void';
export type Job = 'publish' | 'watch' | 'match' | 'file' | 'fire';

/** Options of a rule, without those that name accounts or items. */
export interface GeneratedOptions {
  delayMinutes?: number;
  jitterMinutes?: number;
  quietHours?: { from: string; to: string; zone?: string };
  maxPerDay?: number;
  zone?: string;
  caption?: { template?: string; removeMentions?: boolean; removeHashtags?: boolean; append?: string };
  filters?: { contains?: string[]; excludes?: string[]; hashtags?: string[]; minSeconds?: number; maxSeconds?: number };
}

/** References (`rule`, `item`, `entry`) are numbers modulo what exists. Times are in ms. */
export type Command =
  /** @property limited makes the reposts of the rule private where its destinations can */
  | { do: 'addRule'; user: number; from: number; to: number[]; options?: GeneratedOptions; limited?: true }
  | { do: 'setOptions'; rule: number; options: GeneratedOptions }
  | { do: 'pause' | 'resume' | 'deleteRule'; rule: number }
  /** Selects older posts of the source. */
  | { do: 'select'; rule: number; perDay: number; order: 'oldest' | 'newest' }
  /** @property captions places with a caption of their own @property limited places where few may see it */
  | {
      do: 'post';
      user: number;
      to: number[];
      words: Words;
      length: Length;
      captions?: number[];
      limited?: number[];
      in?: number;
    }
  /** @property age how far the claimed time lies in the past @property hidden how long lists lack it */
  | {
      do: 'hand';
      on: number;
      words: Words;
      length: Length;
      age?: number;
      hidden?: number;
      limited?: true;
      square?: true;
    }
  /** A platform shares an item with another place by itself. */
  | { do: 'share'; item: number; on: number }
  | { do: 'edit' | 'remove' | 'hide' | 'show'; item: number }
  | { do: 'deleteEntry' | 'cancel'; entry: number }
  | { do: 'retry'; entry: number; duplicate?: true }
  | { do: 'byHand'; rule: number; line: number }
  | { do: 'expire' | 'disconnect' | 'reconnect'; user: number; on: number }
  | { do: 'audience'; user: number; on: number; limited: boolean }
  /** Posts that fill the first page of a place. */
  | { do: 'busy'; on: number; count: number }
  /** The platform of a place fails for a time. */
  | { do: 'outage'; on: number; ms: number }
  | { do: 'send'; on: number; ends: Send }
  /** The service runs for a time. */
  | { do: 'work'; ms: number }
  /** Time passes while the service is down. */
  | { do: 'down'; ms: number }
  /** The clock jumps. */
  | { do: 'jump'; ms: number }
  /** A worker dies before a statement of one job. */
  | { do: 'crash'; job: Job; statements: number };

export type GeneratedHistory = readonly Command[];

const place = fc.nat({ max: PLATFORMS.length - 1 });
const places = (max: number) => fc.uniqueArray(place, { minLength: 1, maxLength: max });
const user = fc.constantFrom(0, 0, 1);
const words = fc.constantFrom<Words[]>('own', 'own', 'same', 'same', 'alike', 'tagged', 'none');
const length = fc.constantFrom<Length[]>('short', 'short', 'short', 'near', 'long');
const ref = fc.nat({ max: 9 });

/** A record whose optional parts are left out most of the time, so that histories are short to read. */
function record<T extends object>(parts: { [K in keyof T]-?: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(parts).map((given) => JSON.parse(JSON.stringify(given)) as T);
}
/** @param freq it is present once in `freq + 1` records */
const maybe = <T>(arbitrary: fc.Arbitrary<T>, freq = 3) =>
  fc.tuple(fc.nat({ max: freq }), arbitrary).map(([n, value]) => (n === 0 ? value : undefined)) as fc.Arbitrary<T>;
const yes = fc.constant<true>(true);

const options: fc.Arbitrary<GeneratedOptions> = fc.oneof(
  fc.constantFrom<GeneratedOptions[]>(
    {},
    { delayMinutes: 90 },
    { delayMinutes: 30, jitterMinutes: 60 },
    { quietHours: { from: '08:00', to: '11:30' } },
    { quietHours: { from: '22:00', to: '12:00', zone: 'America/New_York' } },
    { maxPerDay: 1 },
    { maxPerDay: 2, zone: 'Asia/Tokyo' },
    { caption: { template: 'Via {source}: {caption} {url}' } },
    { caption: { removeMentions: true, removeHashtags: true, append: 'First on {source} {hashtags}' } },
    { filters: { contains: ['rome'] } },
    { filters: { excludes: ['secret'] } },
    { filters: { hashtags: ['travel'] } },
    { filters: { minSeconds: 8 } },
    { filters: { maxSeconds: 8 } },
  ),
  fc.constant({}),
);

const addRule = record<Extract<Command, { do: 'addRule' }>>({
  do: fc.constant('addRule'),
  user,
  from: place,
  to: places(2),
  options: maybe(options, 1),
  limited: maybe(yes, 9),
});

const post = record<Extract<Command, { do: 'post' }>>({
  do: fc.constant('post'),
  user,
  to: places(2),
  words,
  length,
  captions: maybe(places(2), 5),
  limited: maybe(places(2), 5),
  in: maybe(fc.constantFrom(2 * HOUR), 9),
});

const hand = record<Extract<Command, { do: 'hand' }>>({
  do: fc.constant('hand'),
  on: place,
  words,
  length,
  age: maybe(fc.constantFrom(1, 10 * MINUTE, 5 * HOUR, 90 * DAY), 7),
  hidden: maybe(fc.constantFrom(20 * MINUTE, 3 * HOUR), 5),
  limited: maybe(yes, 9),
  square: maybe(yes, 19),
});

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: addRule },
  { weight: 6, arbitrary: post },
  { weight: 9, arbitrary: hand },
  {
    weight: 4,
    arbitrary: record<Command & { rule: number }>({
      do: fc.constantFrom('pause', 'resume', 'pause', 'resume', 'deleteRule'),
      rule: ref,
    } as never),
  },
  {
    weight: 2,
    arbitrary: record<Extract<Command, { do: 'setOptions' }>>({ do: fc.constant('setOptions'), rule: ref, options }),
  },
  {
    weight: 1,
    arbitrary: record<Extract<Command, { do: 'select' }>>({
      do: fc.constant('select'),
      rule: ref,
      perDay: fc.constantFrom(4, 24),
      order: fc.constantFrom('oldest', 'newest'),
    }),
  },
  {
    weight: 1,
    arbitrary: record<Extract<Command, { do: 'share' }>>({ do: fc.constant('share'), item: ref, on: place }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('edit', 'remove', 'hide', 'show'), item: ref }) as fc.Arbitrary<Command>,
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('deleteEntry', 'cancel'), entry: ref }) as fc.Arbitrary<Command>,
  },
  {
    weight: 1,
    arbitrary: record<Extract<Command, { do: 'retry' }>>({
      do: fc.constant('retry'),
      entry: ref,
      duplicate: maybe(yes),
    }),
  },
  {
    weight: 2,
    arbitrary: record<Extract<Command, { do: 'byHand' }>>({ do: fc.constant('byHand'), rule: ref, line: ref }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('expire', 'disconnect', 'reconnect', 'reconnect'),
      user,
      on: place,
    }) as fc.Arbitrary<Command>,
  },
  {
    weight: 1,
    arbitrary: record<Extract<Command, { do: 'audience' }>>({
      do: fc.constant('audience'),
      user,
      on: place,
      limited: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: record<Extract<Command, { do: 'outage' }>>({
      do: fc.constant('outage'),
      on: place,
      ms: fc.constantFrom(20 * MINUTE, 2 * HOUR),
    }),
  },
  {
    weight: 2,
    arbitrary: record<Extract<Command, { do: 'send' }>>({
      do: fc.constant('send'),
      on: place,
      ends: fc.constantFrom<Send[]>('rejected', 'lost', 'void'),
    }),
  },
  {
    weight: 8,
    arbitrary: record<Extract<Command, { do: 'work' }>>({
      do: fc.constant('work'),
      ms: fc.constantFrom(MINUTE, MINUTE, 20 * MINUTE, 20 * MINUTE, 2 * HOUR),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('down', 'jump'),
      ms: fc.constantFrom(30 * MINUTE, 5 * HOUR, DAY, 4 * DAY, 8 * DAY),
    }) as fc.Arbitrary<Command>,
  },
  {
    weight: 2,
    arbitrary: record<Extract<Command, { do: 'crash' }>>({
      do: fc.constant('crash'),
      job: fc.constantFrom<Job[]>('publish', 'publish', 'watch', 'match', 'file', 'fire', 'fire'),
      statements: fc.integer({ min: 1, max: 12 }),
    }),
  },
);

const work = (ms: number): Command => ({ do: 'work', ms });

/** Situations that single commands rarely form. */
const scene: fc.Arbitrary<Command[]> = fc.oneof(
  // One video on two sources, by any path, for one destination.
  fc
    .record({
      user,
      three: fc.uniqueArray(place, { minLength: 3, maxLength: 3 }),
      second: fc.constantFrom<Words[]>('same', 'alike'),
      length,
      byHand: fc.tuple(fc.boolean(), fc.boolean()),
      between: fc.constantFrom(0, MINUTE, 20 * MINUTE, 2 * HOUR),
      apart: fc.constantFrom(0, 0, 6 * DAY, 8 * DAY),
    })
    .map(({ user: by, three: [a = 0, b = 1, d = 2], second, length: other, byHand, between, apart }) => {
      const make = (on: number, isByHand: boolean, text: Words, long: Length): Command =>
        isByHand
          ? { do: 'hand', on, words: text, length: long }
          : { do: 'post', user: by, to: [on], words: text, length: long };
      return [
        { do: 'addRule', user: by, from: a, to: [d] },
        { do: 'addRule', user: by, from: b, to: [d] },
        make(a, byHand[0], 'same', 'short'),
        ...(between ? [work(between)] : []),
        ...(apart ? [{ do: 'jump', ms: apart } as const] : []),
        make(b, byHand[1], second, other),
        work(20 * MINUTE),
      ] satisfies Command[];
    }),
  // A post in or near a pause.
  fc
    .record({ user, from: place, to: place, byHand: fc.boolean(), late: fc.boolean() })
    .map(({ user: by, from, to, byHand, late }) => [
      { do: 'addRule', user: by, from, to: [to] },
      ...(late ? [] : [{ do: 'pause', rule: 0 } as const]),
      byHand
        ? ({ do: 'hand', on: from, words: 'own', length: 'short' } as const)
        : ({ do: 'post', user: by, to: [from], words: 'own', length: 'short' } as const),
      ...(late ? [{ do: 'pause', rule: 0 } as const] : []),
      work(20 * MINUTE),
      { do: 'resume', rule: 0 },
    ]),
  // More posts than a day allows.
  fc
    .record({ user, from: place, to: place, days: fc.nat({ max: 4 }) })
    .map(({ user: by, from, to, days }) => [
      { do: 'addRule', user: by, from, to: [to], options: { maxPerDay: 1 } },
      ...Array.from({ length: 3 }, () => ({ do: 'hand', on: from, words: 'own', length: 'short' }) as const),
      ...Array.from({ length: days }, () => [work(40 * MINUTE), { do: 'jump', ms: DAY } as const]).flat(),
    ]),
  // A source that changes while its repost waits.
  fc
    .record({
      user,
      from: fc.constantFrom(0, 1, 4),
      to: place,
      change: fc.constantFrom('edit', 'remove', 'hide', 'show'),
    })
    .map(({ user: by, from, to, change }) => [
      { do: 'addRule', user: by, from, to: [to], options: { delayMinutes: 90 } },
      { do: 'hand', on: from, words: 'own', length: 'short' },
      work(20 * MINUTE),
      { do: change, item: 0 } as Command,
      work(2 * HOUR),
    ]),
  // Older posts.
  fc
    .record({ user, from: fc.constantFrom(0, 1, 4), to: place, again: fc.boolean() })
    .map(({ user: by, from, to, again }) => [
      { do: 'hand', on: from, words: 'own', length: 'short' },
      { do: 'hand', on: from, words: again ? 'same' : 'own', length: 'short' },
      work(MINUTE),
      { do: 'addRule', user: by, from, to: [to] },
      { do: 'select', rule: 0, perDay: 24, order: 'oldest' },
      work(2 * HOUR),
    ]),
  // A repost whose send fails, and a copy that waited for it.
  fc
    .record({
      user,
      three: fc.shuffledSubarray([0, 1, 4, 5], { minLength: 3, maxLength: 3 }),
      ends: fc.constantFrom<Send[]>('rejected', 'lost', 'void'),
      again: fc.boolean(),
    })
    .map(({ user: by, three: [a = 0, b = 1, to = 4], ends, again }) => [
      { do: 'addRule', user: by, from: a, to: [to] },
      { do: 'addRule', user: by, from: b, to: [to] },
      { do: 'hand', on: a, words: 'same', length: 'short' },
      { do: 'hand', on: b, words: 'alike', length: 'short' },
      { do: 'send', on: to, ends },
      work(20 * MINUTE),
      ...(again ? [{ do: 'retry', entry: 0 } as const, work(20 * MINUTE)] : []),
    ]),
  // A busy destination that has a copy below newer posts.
  fc
    .record({ user, from: place, to: place, count: fc.constantFrom(5, 25) })
    .map(({ user: by, from, to, count }) => [
      { do: 'hand', on: to, words: 'same', length: 'short' },
      { do: 'busy', on: to, count },
      { do: 'addRule', user: by, from, to: [to] },
      { do: 'hand', on: from, words: 'alike', length: 'short' },
      work(20 * MINUTE),
    ]),
  // Hours that are quiet at almost any time.
  fc
    .record({ user, from: fc.constantFrom(0, 1, 4), to: place, isByHand: fc.boolean() })
    .map(({ user: by, from, to, isByHand }) => [
      { do: 'addRule', user: by, from, to: [to], options: { quietHours: { from: '01:00', to: '00:30' } } },
      isByHand
        ? ({ do: 'hand', on: from, words: 'own', length: 'short' } as const)
        : ({ do: 'post', user: by, to: [from], words: 'own', length: 'short' } as const),
      work(40 * MINUTE),
    ]),
  // A long absence.
  fc
    .record({ ms: fc.constantFrom(31 * DAY, 88 * DAY, 91 * DAY) })
    .map(({ ms }) => [{ do: 'jump', ms }, work(20 * MINUTE)]),
) as fc.Arbitrary<Command[]>;

/** @param parts maximum number of commands and scenes */
export const generatedHistory = (parts: number): fc.Arbitrary<GeneratedHistory> =>
  fc
    .array(fc.oneof({ weight: 5, arbitrary: command.map((each) => [each]) }, { weight: 1, arbitrary: scene }), {
      minLength: 3,
      maxLength: parts,
      size: 'max',
    })
    .map((commands) => commands.flat());
