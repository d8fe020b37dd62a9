/** Generates histories for the reference model: what users, phones and platforms do. Plain JSON, replayable. */
import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '../../src/lib/time.ts';

/** The platform of each place. A place is an account; all users may connect it. */
export const PLATFORMS = ['mastodon', 'bluesky', 'tiktok', 'youtube', 'mastodon', 'bluesky', 'linkedin'] as const;

/** `own`: unlike others. `same`, `alike`: texts that are equal when compared. `tagged`: with a word to filter. `none`: empty. */
export type Words = 'own' | 'same' | 'alike' | 'tagged' | 'none';
/** Lengths in seconds: `near` differs from `short` by less than half a second. */
export const SECONDS = { short: 6, near: 6.4, long: 9 } as const;
export type Length = keyof typeof SECONDS;
/**
 * How the next send to a place ends. `lost`: the post appears, but its response is lost. `void`: it does not appear.
 * `blind`, `blindVoid`: the same, and the platform cannot be asked about it for a day.
 */
export type Send = 'rejected' | 'lost' | 'void' | 'blind' | 'blindVoid';
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
  fit?: 'pad' | 'blur' | 'crop';
}

/** The user whose plan has few posts. */
export const LIMITED_USER = 2;

/** References (`rule`, `item`, `entry`) are numbers modulo what exists; -1 is the last. Times are in ms. */
export type Command =
  /** @property limited makes the reposts of the rule private where its destinations can */
  | { do: 'addRule'; user: number; from: number; to: number[]; options?: GeneratedOptions; limited?: true }
  | { do: 'setOptions'; rule: number; options: GeneratedOptions }
  | { do: 'pause' | 'resume' | 'deleteRule'; rule: number }
  /** Selects older posts of the source. @property again also those that wait in the selection before */
  | { do: 'select'; rule: number; perDay: number; order: 'oldest' | 'newest'; again?: true }
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
  /** From now on, `same` and `alike` are another text. */
  | { do: 'topic'; topic: number }
  /** A platform shares an item with another place by itself. */
  | { do: 'share'; item: number; on: number }
  | { do: 'edit' | 'remove' | 'hide' | 'show'; item: number }
  /** A post is not on its platform for a time. */
  | { do: 'vanish' | 'restore'; item: number }
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
  /** One kind of loop does what is due; `watch` checks all sources. */
  | { do: 'run'; job: Job }
  /** Time passes while the service is down. */
  | { do: 'down'; ms: number }
  /** The clock jumps. */
  | { do: 'jump'; ms: number }
  /** A worker dies before a statement of one job. */
  | { do: 'crash'; job: Job; statements: number };

export type GeneratedHistory = readonly Command[];

/** What a number in a command refers to; undefined if there is nothing. */
export const elementAt = <T>(list: readonly T[], number: number): T | undefined =>
  number < 0 ? list.at(number) : list[number % Math.max(1, list.length)];

/** Few places have most of what happens, so that it meets. */
export const place = fc.constantFrom(0, 0, 0, 1, 1, 1, 4, 4, 5, 2, 3, 6);
/** Places of platforms that give their files. */
export const filePlace = fc.constantFrom(0, 1, 4, 5);
export const places = (max: number) => fc.uniqueArray(place, { minLength: 1, maxLength: max });
export const user = fc.constantFrom(0, 0, 0, 0, 1, 1, LIMITED_USER);
export const words = fc.constantFrom<Words[]>('own', 'own', 'same', 'same', 'alike', 'tagged', 'none');
export const length = fc.constantFrom<Length[]>('short', 'short', 'short', 'near', 'long');
const ref = fc.nat({ max: 9 });

/** A record whose optional parts are left out most of the time, so that histories are short to read. */
export function record<T extends object>(parts: { [K in keyof T]-?: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(parts).map((given) => JSON.parse(JSON.stringify(given)) as T);
}
/** @param freq it is present once in `freq + 1` records */
export const maybe = <T>(arbitrary: fc.Arbitrary<T>, freq = 3) =>
  fc.tuple(fc.nat({ max: freq }), arbitrary).map(([n, value]) => (n === 0 ? value : undefined)) as fc.Arbitrary<T>;
export const yes = fc.constant<true>(true);

type Filters = NonNullable<GeneratedOptions['filters']>;
type Caption = NonNullable<GeneratedOptions['caption']>;

/** Filters that most texts pass. */
const filters = record<Filters>({
  contains: maybe(fc.constantFrom(['rome', 'clip', 'secret', 'edited']), 1),
  excludes: maybe(fc.constantFrom(['secret'], ['sunset']), 1),
  hashtags: maybe(fc.constant(['travel', 'home']), 2),
  minSeconds: maybe(fc.constantFrom(5, 5, 8), 2),
  maxSeconds: maybe(fc.constantFrom(8, 20), 2),
});

export const caption = record<Caption>({
  template: maybe(fc.constant('Via {source}: {caption} {url}'), 1),
  removeMentions: maybe(yes, 1),
  removeHashtags: maybe(yes, 1),
  append: maybe(fc.constant('First on {source} {hashtags}'), 1),
});

const quietHours = fc.constantFrom(
  { from: '08:00', to: '11:30' },
  { from: '22:00', to: '12:00', zone: 'America/New_York' },
  { from: '01:00', to: '00:30' },
);

export const options: fc.Arbitrary<GeneratedOptions> = record<GeneratedOptions>({
  delayMinutes: maybe(fc.constantFrom(30, 90), 4),
  jitterMinutes: maybe(fc.constant(60), 4),
  quietHours: maybe(quietHours, 4),
  maxPerDay: maybe(fc.constantFrom(1, 2), 5),
  zone: maybe(fc.constant('Asia/Tokyo'), 3),
  caption: maybe(caption, 2),
  filters: maybe(filters, 1),
  fit: maybe(fc.constantFrom('pad', 'blur', 'crop'), 3),
});

export const addRule = record<Extract<Command, { do: 'addRule' }>>({
  do: fc.constant('addRule'),
  user,
  from: place,
  to: places(2),
  options: maybe(options, 1),
  limited: maybe(yes, 2),
});

export const post = record<Extract<Command, { do: 'post' }>>({
  do: fc.constant('post'),
  user,
  to: places(2),
  words,
  length,
  captions: maybe(places(3), 2),
  limited: maybe(places(3), 1),
  in: maybe(fc.constantFrom(2 * HOUR), 9),
});

export const hand = record<Extract<Command, { do: 'hand' }>>({
  do: fc.constant('hand'),
  on: place,
  words,
  length,
  age: maybe(fc.constantFrom(1, 10 * MINUTE, 5 * HOUR, 90 * DAY), 7),
  hidden: maybe(fc.constantFrom(20 * MINUTE, 3 * HOUR), 7),
  limited: maybe(yes, 7),
  square: maybe(yes, 9),
});

export const command: fc.Arbitrary<Command> = fc.oneof(
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
      again: maybe(yes, 1),
    }),
  },
  {
    weight: 1,
    arbitrary: record<Extract<Command, { do: 'share' }>>({ do: fc.constant('share'), item: ref, on: place }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('edit', 'remove', 'hide', 'show', 'vanish', 'restore'),
      item: ref,
    }) as fc.Arbitrary<Command>,
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
      ends: fc.constantFrom<Send[]>('rejected', 'rejected', 'lost', 'void', 'blind', 'blindVoid'),
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
