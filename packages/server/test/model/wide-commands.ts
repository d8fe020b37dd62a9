/** Commands and scenes that only the model in memory knows: accounts, audiences, lengths, older posts, years. */
import fc from 'fast-check';
import { HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import type { StoredOptions } from '../../src/reposts/options/rule-options.ts';
import { type Command, type Length, option, optional, place, places, ref, user, words } from './history.ts';
import { SCENES } from './wide-scenes.ts';

const length = fc.constantFrom<Length[]>('usual', 'usual', 'near', 'long');
const order = fc.constantFrom<('oldest' | 'newest')[]>('oldest', 'newest');

/** One option or two, each as users set them. */
const options: fc.Arbitrary<StoredOptions> = fc
  .uniqueArray(
    fc.constantFrom<StoredOptions[]>(
      { jitterMinutes: 60 },
      { quietHours: { from: '10:00', to: '12:00', zone: 'Europe/Berlin' } },
      { zone: 'Asia/Kathmandu', maxPerDay: 1 },
      { privacy: { 0: 'few', 1: 'few' } },
      { caption: { template: '{caption}\n\nFirst on {source}' } },
      { caption: { append: 'Follow us' } },
      { caption: { removeMentions: true } },
      { caption: { removeHashtags: true } },
      { filters: { contains: ['ad'] } },
      { filters: { excludes: ['ad'] } },
      { filters: { hashtags: ['tag'] } },
      { filters: { minSeconds: 7 } },
      { filters: { maxSeconds: 7 } },
      { fit: 'pad' },
    ),
    { minLength: 1, maxLength: 2, selector: (each) => Object.keys(each)[0] },
  )
  .map((each) => Object.assign({}, ...each) as StoredOptions);

const few = option(fc.boolean(), 2);
const single: fc.Arbitrary<Command> = fc.oneof(
  optional(
    fc.record({
      do: fc.constant('addRule' as const),
      ...{ user, from: place, to: places(2), options },
      delay: option(fc.constantFrom(30 * MINUTE), 2),
    }),
  ) as fc.Arbitrary<Command>,
  optional(
    fc.record({
      do: fc.constant('post' as const),
      ...{ user, to: places(3), words, length, few },
      captions: option(fc.constant(true), 2),
    }),
  ) as fc.Arbitrary<Command>,
  optional(
    fc.record({
      do: fc.constant('phone' as const),
      ...{ on: place, words, length },
      hidden: option(fc.constantFrom(5 * SECOND, 3 * HOUR), 2),
      isPrivate: option(fc.constant(true), 2),
    }),
  ) as fc.Arbitrary<Command>,
  fc.record({ do: fc.constant('mirror' as const), item: ref, on: place, length }) as fc.Arbitrary<Command>,
  fc.record({
    do: fc.constant('account' as const),
    ...{ user, on: place, is: fc.constantFrom('connected', 'connected', 'expired', 'disconnected') },
  }) as fc.Arbitrary<Command>,
  fc.record({ do: fc.constant('audience' as const), user, on: place, few: fc.boolean() }),
  fc.record({ do: fc.constantFrom('reveal', 'hide', 'restore'), item: ref }) as fc.Arbitrary<Command>,
  fc.record({
    do: fc.constant('select' as const),
    ...{ rule: ref, count: fc.integer({ min: 1, max: 3 }), order, perDay: fc.constantFrom(2, 50) },
  }) as fc.Arbitrary<Command>,
);

/** Rare, because what follows differs much from other histories, or takes long. */
const rare: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('share' as const), from: place, to: place }) },
  { weight: 1, arbitrary: fc.constant({ do: 'retention' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('burst' as const), on: place, count: fc.constant(11) }) },
) as fc.Arbitrary<Command>;

export const WIDE: readonly fc.Arbitrary<Command[]>[] = [
  fc.oneof(
    { weight: 10, arbitrary: single.map((each) => [each]) },
    { weight: 1, arbitrary: rare.map((each) => [each]) },
    { weight: 3, arbitrary: fc.oneof(...SCENES) },
  ),
];
