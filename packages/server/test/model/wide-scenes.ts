/** Situations that single commands rarely form, each as its users would cause it. */
import fc from 'fast-check';
import { MINUTE } from '../../src/lib/time.ts';
import {
  type Command,
  type Job,
  type Length,
  PLACES,
  type Place,
  place,
  type Send,
  type User,
  user,
} from './history.ts';

type Scene = fc.Arbitrary<Command[]>;

const other = (on: Place, by = 1): Place => (on + by) % PLACES;
const settle: Command = { do: 'settle' };
const work = (job: Job, on = 0, send?: Send): Command => ({
  ...{ do: 'run', job, on, steps: 4, end: 'done' },
  ...(send && { send }),
});
const length = fc.constantFrom<Length>('usual', 'near', 'long');
const order = fc.constantFrom<('oldest' | 'newest')[]>('oldest', 'newest');

/** One video on two sources of one destination: by phone, or through Reelay. */
const twoSources: Scene = fc
  .record({ user, to: place, length, isOwn: fc.boolean(), isLate: fc.boolean(), template: fc.boolean() })
  .map(({ user: by, to, length: second, isOwn, isLate, template }) => {
    const [a, b] = [other(to), other(to, 2)];
    const options = template ? { options: { caption: { template: '{caption}\n\nFirst on {source}' } } } : {};
    return [
      { do: 'addRule', user: by, from: a, to: [to], ...options },
      { do: 'addRule', user: by, from: b, to: [to] },
      { do: 'phone', on: a, words: 'same' },
      ...(isLate ? [settle, { do: 'advance' as const, ms: 11 * MINUTE }] : []),
      isOwn
        ? { do: 'post', user: by, to: [b], words: 'same', length: second }
        : { do: 'phone', on: b, words: 'same', length: second },
      settle,
    ];
  });

/** A repost fails before anything is sent, while another rule, perhaps of another user, has left it the account, or one of its accounts. */
const failedRepost: Scene = fc
  .record({ to: place, isShared: fc.boolean(), isExpired: fc.boolean(), isPart: fc.boolean() })
  .map(({ to, isShared, isExpired, isPart }) => {
    const [a, b] = [other(to), other(to, 2)];
    const second: User = isShared ? 1 : 0;
    const lose: Command = { do: 'account', user: 0, on: to, is: 'expired' };
    return [
      { do: 'addRule', user: 0, from: a, to: [to] },
      { do: 'addRule', user: second, from: isShared ? a : b, to: isPart ? [to, other(to, 3)] : [to] },
      ...(isExpired ? [lose] : []),
      { do: 'post', user: 0, to: [a, b], words: 'own' },
      work('publish', a),
      work('publish', b),
      work('watch', a),
      work('match'),
      work('fire'),
      work('fire'),
      work('file'),
      work('fire'),
      { ...work('publish', to, 'rejected') },
      { do: 'account', user: 0, on: to, is: 'connected' },
    ] as Command[];
  });

/** A repost that fails, or was skipped, long before its source is listed again. */
const longAfter: Scene = fc
  .record({ from: place, send: fc.constantFrom<Send>('rejected', 'ok') })
  .map(
    ({ from, send }) =>
      [
        { do: 'addRule', user: 1, from, to: [other(from)] },
        { do: 'post', user: 0, to: [from], words: 'own' },
        work('publish', from),
        work('watch', from),
        work('match'),
        work('fire'),
        work('file'),
        work('fire'),
        work('publish', other(from), send),
        settle,
        { do: 'retention' },
        settle,
      ] as Command[],
  );

/** A rule is deleted before its repost starts, while another one has left it the account; perhaps one of its accounts. */
const deletedRule: Scene = fc
  .record({ user, to: place, isPart: fc.boolean() })
  .map(
    ({ user: by, to, isPart }) =>
      [
        { do: 'addRule', user: by, from: other(to), to: [to] },
        { do: 'addRule', user: by, from: other(to, 2), to: isPart ? [to, other(to, 3)] : [to] },
        { do: 'post', user: by, to: [other(to), other(to, 2)], words: 'own' },
        work('publish', other(to)),
        work('publish', other(to, 2)),
        work('fire'),
        work('fire'),
        { do: 'deleteRule', rule: -2 },
        settle,
      ] as Command[],
  );

/** A destination has the video below many newer posts. */
const busyDestination: Scene = fc
  .record({ user, to: place, length })
  .map(
    ({ user: by, to, length: second }) =>
      [
        { do: 'addRule', user: by, from: other(to), to: [to] },
        { do: 'addRule', user: by, from: to, to: [other(to, 2)], options: { filters: { contains: ['nothing'] } } },
        { do: 'post', user: by, to: [to], words: 'same' },
        work('publish', to),
        { do: 'burst', on: to, count: 11 },
        settle,
        { do: 'phone', on: other(to), words: 'same', length: second },
        settle,
      ] as Command[],
  );

/** Nobody waits for a file any more, and then the same post is selected. */
const unwantedFile: Scene = fc
  .record({ user, from: place })
  .map(
    ({ user: by, from }) =>
      [
        { do: 'addRule', user: by, from, to: [other(from)] },
        { do: 'phone', on: from, words: 'own' },
        work('watch', from),
        work('match'),
        work('fire'),
        { do: 'deleteRule', rule: -1 },
        work('file'),
        { do: 'addRule', user: by, from, to: [other(from, 2)] },
        { do: 'select', rule: -1, count: 3, order: 'oldest', perDay: 50 },
        settle,
      ] as Command[],
  );

/** A selection whose order changes while it waits. */
const newOrder: Scene = fc
  .record({ user, from: place, first: order, second: order })
  .map(
    ({ user: by, from, first, second }) =>
      [
        { do: 'phone', on: from, words: 'own' },
        { do: 'advance', ms: MINUTE },
        { do: 'phone', on: from, words: 'own' },
        { do: 'advance', ms: MINUTE },
        { do: 'phone', on: from, words: 'own' },
        { do: 'addRule', user: by, from, to: [other(from)] },
        { do: 'select', rule: -1, count: 3, order: first, perDay: 2 },
        settle,
        { do: 'select', rule: -1, count: 3, order: first, perDay: 2 },
        settle,
        { do: 'select', rule: -1, count: 3, order: second, perDay: 50 },
      ] as Command[],
  );

/** An owner removes a post, or hides it, while a rule waits; perhaps it returns. */
const removedInDelay: Scene = fc
  .record({ user, from: place, isOwn: fc.boolean(), is: fc.constantFrom('remove', 'hide'), isBack: fc.boolean() })
  .map(
    ({ user: by, from, isOwn, is, isBack }) =>
      [
        { do: 'addRule', user: by, from, to: [other(from)], delay: 30 * MINUTE },
        isOwn ? { do: 'post', user: by, to: [from], words: 'own' } : { do: 'phone', on: from, words: 'own' },
        settle,
        { do: is, item: -1 },
        ...[1, 2, 3].flatMap(() => [{ do: 'advance', ms: 11 * MINUTE }, settle]),
        ...(isBack ? [{ do: is === 'hide' ? 'reveal' : 'restore', item: -1 }, settle] : []),
      ] as Command[],
  );

/** A place is shared to a destination by its platform, and a rule does the same. */
const sharedTwice: Scene = fc
  .record({ user, from: place, isOwn: fc.boolean(), isDelayed: fc.boolean() })
  .map(
    ({ user: by, from, isOwn, isDelayed }) =>
      [
        { do: 'share', from, to: other(from) },
        { do: 'addRule', user: by, from, to: [other(from)], ...(isDelayed && { delay: 30 * MINUTE }) },
        isOwn ? { do: 'post', user: by, to: [from], words: 'own' } : { do: 'phone', on: from, words: 'own' },
        work('publish', from),
        { do: 'advance', ms: 11 * MINUTE },
        settle,
      ] as Command[],
  );

/** A post without text, or with the same one, beside a send whose outcome nobody knows. */
const besideUnknown: Scene = fc
  .record({
    on: place,
    text: fc.constantFrom('own', 'same', 'none'),
    send: fc.constantFrom<Send>('blind', 'lost', 'blindVoid'),
  })
  .map(
    ({ on, text, send }) =>
      [
        { do: 'addRule', user: 0, from: on, to: [other(on)] },
        { do: 'post', user: 0, to: [on], words: text },
        work('publish', on, send),
        { do: 'phone', on, words: text === 'same' ? 'own' : text },
        work('watch', on),
        work('match'),
        work('match'),
      ] as Command[],
  );

export const SCENES: readonly Scene[] = [
  ...[twoSources, failedRepost, longAfter, busyDestination, unwantedFile, newOrder],
  ...[deletedRule, removedInDelay, sharedTwice, besideUnknown],
];
