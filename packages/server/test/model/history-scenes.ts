/** Situations that single commands rarely form, and whole histories. */
import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '../../src/lib/time.ts';
import {
  type Command,
  caption,
  command,
  filePlace,
  type GeneratedHistory,
  type GeneratedOptions,
  type Length,
  length,
  maybe,
  options,
  place,
  type Send,
  user,
  type Words,
  words,
} from './history-generator.ts';

const LAST = -1;
const work = (ms: number): Command => ({ do: 'work', ms });
const rule = (by: number, from: number, to: number[], given?: GeneratedOptions): Command => ({
  ...{ do: 'addRule', user: by, from, to },
  ...(given && { options: given }),
});
const hand = (on: number, text: Words = 'own', long: Length = 'short'): Command => ({
  ...{ do: 'hand', on, words: text, length: long },
});
const post = (by: number, to: number[], text: Words = 'own', long: Length = 'short'): Command => ({
  ...{ do: 'post', user: by, to, words: text, length: long },
});
const either = (by: number, on: number, isByHand: boolean, text: Words = 'own', long: Length = 'short') =>
  isByHand ? hand(on, text, long) : post(by, [on], text, long);
/** A source that gives its files, and two other places. */
const three = fc
  .tuple(filePlace, fc.uniqueArray(place, { minLength: 3, maxLength: 3 }))
  .map(([from, others]): [number, number, number] => {
    const [second = 0, third = 1] = others.filter((each) => each !== from);
    return [from, second, third];
  });
const send = fc.constantFrom<Send[]>('rejected', 'rejected', 'lost', 'void', 'blind', 'blind', 'blindVoid');
/** After a send whose outcome stays unknown, until it is given up. */
const afterSend = (ends: Send) =>
  ends === 'blind' || ends === 'blindVoid'
    ? [work(MINUTE), { do: 'jump', ms: DAY + 2 * HOUR } as const, work(20 * MINUTE)]
    : [work(20 * MINUTE)];

/** One video on two sources, by any path, for one destination. */
const twoSources = fc
  .record({
    ...{ user, three, length, second: fc.constantFrom<Words[]>('same', 'alike') },
    byHand: fc.tuple(fc.boolean(), fc.boolean()),
    between: fc.constantFrom(0, MINUTE, 20 * MINUTE, 2 * HOUR),
    apart: fc.constantFrom(0, 0, 0, 6 * DAY, 8 * DAY),
    given: fc.oneof(maybe(options, 1), fc.constant({ caption: { template: 'Via {source}: {caption}' } })),
  })
  .map(({ user: by, three: [a, b, to], second, length: other, byHand, between, apart, given }): Command[] => [
    rule(by, a, [to], given),
    rule(by, b, [to], given),
    either(by, a, byHand[0], 'same'),
    ...(between ? [work(between)] : []),
    ...(apart ? [{ do: 'jump', ms: apart } as const] : []),
    either(by, b, byHand[1], second, other),
    work(20 * MINUTE),
  ]);

/** A post in or near a pause, and changed options. */
const pause = fc
  .record({
    user,
    from: filePlace,
    to: place,
    byHand: fc.boolean(),
    late: fc.boolean(),
    given: maybe(options, 1),
    options,
  })
  .map(({ user: by, from, to, byHand, late, given, options: next }): Command[] => [
    rule(by, from, [to], given),
    ...(late ? [] : [{ do: 'pause', rule: LAST } as const]),
    either(by, from, byHand),
    ...(late ? [{ do: 'pause', rule: LAST } as const] : []),
    work(20 * MINUTE),
    { do: 'resume', rule: LAST },
    { do: 'setOptions', rule: LAST, options: next },
    work(20 * MINUTE),
  ]);

/** More posts than a day allows. */
const limit = fc
  .record({ user, from: filePlace, to: place, days: fc.nat({ max: 4 }), zone: maybe(fc.constant('Asia/Tokyo'), 1) })
  .map(({ user: by, from, to, days, zone }): Command[] => [
    rule(by, from, [to], { maxPerDay: 1, ...(zone && { zone }) }),
    ...Array.from({ length: 3 }, () => hand(from)),
    ...Array.from({ length: days }, () => [work(40 * MINUTE), { do: 'jump', ms: DAY } as const]).flat(),
    { do: 'deleteRule', rule: LAST },
  ]);

/** Sources that change while their reposts wait. */
const change = fc
  .record({
    ...{ user, from: fc.constantFrom(0, 4, 4, 1, 5), to: place, back: fc.boolean(), byHand: fc.boolean() },
    how: fc.constantFrom<('remove' | 'hide' | 'vanish')[]>('remove', 'remove', 'hide', 'hide', 'vanish', 'vanish'),
  })
  .map(({ user: by, from, to, how, back, byHand }): Command[] => [
    rule(by, from, [to], { delayMinutes: 90 }),
    { do: 'hand', on: from, words: 'own', length: 'short', limited: true },
    work(MINUTE),
    { do: 'show', item: LAST },
    hand(from),
    work(20 * MINUTE),
    { do: 'edit', item: LAST },
    either(by, from, byHand),
    work(20 * MINUTE),
    { do: how, item: LAST },
    ...(how === 'vanish' ? [work(back ? 50 * MINUTE : MINUTE), { do: 'restore', item: LAST } as const] : []),
    work(2 * HOUR),
  ]);

/** Posts from the phone that change after they were found: one becomes public, one hidden, and one is away for a time. */
const afterFound = fc
  .record({ user, from: fc.constantFrom(0, 0, 4, 3), to: place, isLate: fc.boolean() })
  .map(({ user: by, from, to, isLate }): Command[] => [
    rule(by, from, [to], { delayMinutes: 90, jitterMinutes: 60 }),
    { do: 'hand', on: from, words: 'own', length: 'short', limited: true },
    hand(from),
    hand(from),
    work(isLate ? 2 * HOUR : 20 * MINUTE),
    { do: 'show', item: LAST - 2 },
    { do: 'hide', item: LAST - 1 },
    { do: 'vanish', item: LAST },
    work(50 * MINUTE),
    { do: 'restore', item: LAST },
    work(3 * HOUR),
  ]);

/** A repost that its user deletes after it was posted, and what is posted next. */
const deleted = fc
  .record({ user, from: filePlace, to: place, byHand: fc.boolean() })
  .map(({ user: by, from, to, byHand }): Command[] => [
    rule(by, from, [to], { quietHours: { from: '01:00', to: '00:30' } }),
    either(by, from, byHand),
    work(DAY),
    { do: 'deleteEntry', entry: LAST },
    either(by, from, byHand),
    work(2 * HOUR),
  ]);

/** Older posts. */
const older = fc
  .record({ user, from: filePlace, to: place, again: fc.boolean(), given: options })
  .map(({ user: by, from, to, again, given }): Command[] => [
    hand(from),
    hand(from, again ? 'same' : 'own'),
    { do: 'hand', on: from, words: 'own', length: 'short', square: true },
    work(MINUTE),
    rule(by, from, [to], given),
    { do: 'select', rule: LAST, perDay: 24, order: 'oldest' },
    work(HOUR),
    { do: 'select', rule: LAST, perDay: 24, order: 'newest' },
    work(HOUR),
  ]);

/** A repost whose send fails, and a copy that waited for it, which can have another destination. */
const failure = fc
  .record({ user, three, ends: send, more: maybe(place, 1), isLate: fc.boolean(), again: fc.nat({ max: 2 }) })
  .map(({ user: by, three: [a, b, to], ends, more, isLate, again }): Command[] => [
    rule(by, a, [to]),
    rule(by, b, more === undefined || more === b || more === to ? [to] : [to, more]),
    hand(a, 'same'),
    ...(isLate ? [] : [hand(b, 'alike')]),
    { do: 'send', on: to, ends },
    ...afterSend(ends),
    ...(isLate ? [either(by, b, b % 4 < 2, 'alike'), work(20 * MINUTE)] : []),
    ...(again ? [{ do: 'retry', entry: LAST, ...(again > 1 && { duplicate: true as const }) } as const] : []),
    work(20 * MINUTE),
  ]);

/** A direct post that fails, and its retry. */
const directFailure = fc
  .record({ user, three, ends: send, again: fc.nat({ max: 3 }) })
  .map(({ user: by, three: [a, b, to], ends, again }): Command[] => [
    rule(by, a, [to]),
    { do: 'send', on: a, ends },
    post(by, [a, b], 'same'),
    ...afterSend(ends),
    ...(again ? [{ do: 'retry', entry: LAST, ...(again > 1 && { duplicate: true as const }) } as const] : []),
    work(20 * MINUTE),
  ]);

/** A busy destination that has a copy below newer posts. */
const busy = fc
  .record({ user, three, count: fc.constantFrom(5, 12, 12, 25) })
  .map(({ user: by, three: [from, to], count }): Command[] => [
    hand(to, 'same'),
    { do: 'busy', on: to, count },
    rule(by, from, [to]),
    hand(from, 'alike'),
    work(20 * MINUTE),
  ]);

/** A destination whose list nobody can read has a copy below newer posts. */
const unlisted = fc
  .record({ user, from: filePlace, count: fc.constantFrom(3, 11), byHand: fc.boolean() })
  .map(({ user: by, from, count, byHand }): Command[] => [
    post(by, [6], 'same'),
    ...Array.from({ length: count }, () => post(by, [6])),
    rule(by, from, [6]),
    work(20 * MINUTE),
    either(by, from, byHand, 'alike'),
    work(20 * MINUTE),
  ]);

/** Older posts whose order changes while they wait. */
const newOrder = fc
  .record({ user, from: filePlace, to: place, order: fc.constantFrom('oldest', 'newest') })
  .map(({ user: by, from, to, order }): Command[] => [
    ...[40, 30, 20, 10].map(
      (age): Command => ({ do: 'hand', on: from, words: 'own', length: 'short', age: age * MINUTE }),
    ),
    rule(by, from, [to]),
    { do: 'select', rule: LAST, perDay: 24, order },
    work(MINUTE),
    { do: 'select', rule: LAST, perDay: 24, order: order === 'oldest' ? 'newest' : 'oldest', again: true },
    work(2 * HOUR),
  ]);

/** Nobody waits for a file any more, and then the same post is selected. */
const unwantedFile = fc
  .record({ user, three })
  .map(({ user: by, three: [from, to, other] }): Command[] => [
    rule(by, from, [to]),
    hand(from),
    ...(['watch', 'match', 'fire'] as const).map((job): Command => ({ do: 'run', job })),
    { do: 'deleteRule', rule: LAST },
    { do: 'run', job: 'file' },
    { do: 'down', ms: MINUTE },
    rule(by, from, [other]),
    { do: 'select', rule: LAST, perDay: 24, order: 'oldest' },
    work(20 * MINUTE),
  ]);

/** Another post beside a send that cannot be verified for a day, while the list of its account can be read. */
const besideUnknown = fc
  .record({
    ...{ user, three, ends: fc.constantFrom<Send>('blind', 'blindVoid'), isLater: fc.boolean() },
    text: fc.constantFrom<Words>('own', 'same', 'tagged'),
  })
  .map(({ user: by, three: [to], ends, text, isLater }): Command[] => [
    rule(by, 3, [to]),
    work(MINUTE),
    { do: 'send', on: 3, ends },
    post(by, [3]),
    { do: 'run', job: 'publish' },
    hand(3, text),
    work(20 * MINUTE),
    ...(isLater ? [work(40 * MINUTE), { do: 'jump', ms: DAY + 2 * HOUR } as const, work(20 * MINUTE)] : []),
  ]);

/** Accounts that lose their access, and get it back. */
const access = fc
  .record({ user, three, isSource: fc.boolean() })
  .map(({ user: by, three: [from, to], isSource }): Command[] => {
    const [first, second] = isSource ? [from, to] : [to, from];
    return [
      rule(by, from, [to]),
      { do: 'expire', user: by, on: first },
      hand(from),
      work(20 * MINUTE),
      { do: 'reconnect', user: by, on: first },
      post(by, [from]),
      work(20 * MINUTE),
      { do: 'disconnect', user: by, on: second },
      hand(from),
      work(20 * MINUTE),
      { do: 'reconnect', user: by, on: second },
    ];
  });

/** Audiences of an account, of targets, and of a rule. */
const audience = fc
  .record({
    user,
    from: fc.constantFrom(0, 2, 3, 4),
    to: fc.constantFrom(2, 3),
    isLimited: fc.boolean(),
    own: fc.boolean(),
  })
  .map(({ user: by, from, to, isLimited, own }): Command[] => {
    const second = from === 2 ? 3 : from === 3 ? 2 : 4 - from;
    const limited = own ? [from] : [second];
    return [
      { do: 'addRule', user: by, from, to: [to], limited: true },
      rule(by, second, [1]),
      { do: 'audience', user: by, on: to, limited: isLimited },
      { do: 'post', user: by, to: [from, second], words: 'own', length: 'short', limited, captions: [from] },
      work(20 * MINUTE),
      { do: 'audience', user: by, on: to, limited: !isLimited },
    ];
  });

/** Sources whose lists lack files, lengths or posts. */
const blindSources = fc
  .record({ user, to: filePlace, hidden: fc.constantFrom(0, 20 * MINUTE), words })
  .map(({ user: by, to, hidden, words: text }): Command[] => [
    rule(by, 2, [to]),
    rule(by, 3, [to]),
    rule(by, 6, [to]),
    { do: 'hand', on: to === 0 ? 2 : 3, words: text, length: 'short', hidden: hidden || MINUTE },
    post(by, [2, 3], text),
    post(by, [6], text),
    work(40 * MINUTE),
  ]);

/** A repost that was made and has not begun, while its source, its user or its destination changes. */
const made = fc
  .record({
    ...{ user, three, byHand: fc.boolean() },
    then: fc.constantFrom(
      ...(['remove', 'remove', 'remove', 'vanish', 'vanish', 'edit'] as const),
      ...(['deleteEntry', 'deleteEntry', 'deleteEntry', 'cancel', 'pause', 'deleteRule'] as const),
    ),
  })
  .map(({ user: by, three: [from, to, other], byHand, then }): Command[] => {
    const jobs = (['match', 'fire', 'file', 'fire'] as const).map((job): Command => ({ do: 'run', job }));
    const isSource = then === 'remove' || then === 'vanish' || then === 'edit';
    return [
      rule(by, from, [to, other]),
      ...(byHand
        ? [hand(from), { do: 'run', job: 'watch' } as const]
        : [post(by, [from]), { do: 'run', job: 'publish' } as const]),
      ...jobs,
      isSource
        ? { do: then, item: LAST }
        : then === 'pause' || then === 'deleteRule'
          ? { do: then, rule: LAST }
          : { do: then, entry: LAST },
      ...(isSource
        ? [2, 3].flatMap((): Command[] => [
            { do: 'down', ms: 2 * MINUTE },
            { do: 'run', job: 'watch' },
          ])
        : []),
      { do: 'run', job: 'fire' },
      work(20 * MINUTE),
    ];
  });

/** Posts of one text on one account, and on another one. */
const series = fc
  .record({ user, three, byHand: fc.boolean(), texts: fc.constantFrom<Words[]>('same', 'none'), between: fc.boolean() })
  .map(({ user: by, three: [a, b, to], byHand, texts, between }): Command[] => [
    rule(by, a, [to]),
    rule(by, b, [to]),
    either(by, a, byHand, texts),
    ...(between ? [work(20 * MINUTE)] : []),
    either(by, a, byHand, texts),
    either(by, b, !byHand, texts),
    work(20 * MINUTE),
  ]);

/** Several targets with captions of their own, and a chain or a diamond of rules. */
const several = fc
  .record({ user, three, words, isDiamond: fc.boolean(), isRemoved: fc.boolean(), caption, given: options })
  .map(({ user: by, three: [a, b, to], words: text, isDiamond, isRemoved, caption: changes, given }): Command[] => [
    rule(by, a, isDiamond ? [b, to] : [b], { caption: changes }),
    rule(by, b, [to], given),
    isDiamond ? hand(a, text) : { do: 'post', user: by, to: [a, b], words: text, length: 'short', captions: [a, b] },
    work(20 * MINUTE),
    ...(isRemoved ? [{ do: 'remove', item: LAST } as const, work(40 * MINUTE)] : []),
  ]);

/** A video that a filter refuses, which is then reposted by hand; perhaps it does not fit. */
const byHand = fc
  .record({
    ...{ user, three, how: fc.constantFrom('own', 'square', 'plain'), isThere: fc.boolean() },
    filters: fc.constantFrom<NonNullable<GeneratedOptions['filters']>[]>(
      { excludes: ['secret'] },
      { contains: ['rome'], minSeconds: 5 },
      { hashtags: ['travel'], maxSeconds: 20 },
      { hashtags: ['travel', 'rome'], minSeconds: 8 },
    ),
  })
  .map(({ user: by, three: [from, to], how, isThere, filters }): Command[] => [
    rule(by, from, [to], { filters }),
    how === 'own'
      ? post(by, [from], 'tagged')
      : { do: 'hand', on: from, words: 'tagged', length: 'short', ...(how === 'square' && { square: true as const }) },
    work(20 * MINUTE),
    ...(isThere ? [hand(to, 'tagged'), { do: 'remove', item: LAST - 1 } as const, work(40 * MINUTE)] : []),
    { do: 'byHand', rule: LAST, line: LAST },
    work(20 * MINUTE),
    { do: 'byHand', rule: LAST, line: LAST },
  ]);

/** A destination that shares its posts with another one by itself. */
const share = fc
  .record({ user, three, isChain: fc.boolean() })
  .map(({ user: by, three: [from, to, other], isChain }): Command[] => [
    rule(by, from, [to]),
    ...(isChain ? [rule(by, to, [other])] : []),
    hand(from),
    work(isChain ? MINUTE : 20 * MINUTE),
    { do: 'share', item: LAST, on: other },
    ...(isChain ? [] : [rule(by, other, [to === 5 ? 1 : 5])]),
    hand(to),
    { do: 'share', item: LAST, on: other },
    work(20 * MINUTE),
  ]);

/** A platform that fails while there is something to read, to download and to send. */
const outage = fc
  .record({ user, three, isSource: fc.boolean(), ms: fc.constantFrom(20 * MINUTE, 2 * HOUR) })
  .map(({ user: by, three: [from, to], isSource, ms }): Command[] => [
    rule(by, from, [to]),
    hand(from),
    { do: 'outage', on: isSource ? from : to, ms },
    work(20 * MINUTE),
    { do: 'down', ms: HOUR },
    work(HOUR),
  ]);

/**
 * A post of another user, which a filter skips, is listed again when its rows are deleted. Accounts of other platforms
 * expire meanwhile.
 */
const longAfter = fc
  .record({ from: fc.constantFrom(0, 4), words })
  .map(({ from, words: text }): Command[] => [
    rule(1, from, [4 - from], { filters: { contains: ['nothing'] } }),
    post(0, [from], text),
    work(20 * MINUTE),
    { do: 'setOptions', rule: LAST, options: {} },
    { do: 'jump', ms: 91 * DAY },
    work(20 * MINUTE),
  ]);

/** A long absence. */
const absence = fc
  .record({ ms: fc.constantFrom(31 * DAY, 88 * DAY, 91 * DAY, 91 * DAY, 91 * DAY) })
  .map(({ ms }): Command[] => [{ do: 'jump', ms }, work(20 * MINUTE)]);

const scene: fc.Arbitrary<Command[]> = fc.oneof(
  { weight: 3, arbitrary: twoSources },
  { weight: 4, arbitrary: pause },
  { weight: 2, arbitrary: limit },
  { weight: 5, arbitrary: change },
  { weight: 4, arbitrary: afterFound },
  { weight: 3, arbitrary: deleted },
  { weight: 4, arbitrary: older },
  { weight: 7, arbitrary: failure },
  { weight: 5, arbitrary: directFailure },
  { weight: 3, arbitrary: busy },
  { weight: 2, arbitrary: unlisted },
  { weight: 2, arbitrary: newOrder },
  { weight: 2, arbitrary: unwantedFile },
  { weight: 2, arbitrary: besideUnknown },
  { weight: 4, arbitrary: access },
  { weight: 4, arbitrary: audience },
  { weight: 3, arbitrary: blindSources },
  { weight: 12, arbitrary: made },
  { weight: 2, arbitrary: series },
  { weight: 5, arbitrary: several },
  { weight: 5, arbitrary: byHand },
  { weight: 3, arbitrary: share },
  { weight: 1, arbitrary: outage },
  { weight: 3, arbitrary: absence },
  { weight: 4, arbitrary: longAfter },
);

/** Scenes rarely share their text with others: the more posts have one text, the less is certain of them. */
const topic = fc.constantFrom(0, 1, 2, 3, 4, 5).map((each): Command => ({ do: 'topic', topic: each }));

/** @param parts maximum number of commands and scenes */
export const generatedHistory = (parts: number): fc.Arbitrary<GeneratedHistory> =>
  // Biased histories would be short half of the time.
  fc.noBias(
    fc
      .array(
        fc.oneof(
          { weight: 1, arbitrary: command.map((each) => [each]) },
          { weight: 2, arbitrary: fc.tuple(topic, scene).map(([first, rest]) => [first, ...rest]) },
        ),
        { minLength: 2, maxLength: parts, size: 'max' },
      )
      .map((commands) => commands.flat()),
  );
