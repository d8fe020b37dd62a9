/** Situations that single commands rarely form, in commands that both drivers know. */
import fc from 'fast-check';
import { MINUTE } from '../../src/lib/time.ts';
import { type Command, type Job, PLACES, type Place, place, type Send, user } from './history.ts';

type Scene = fc.Arbitrary<Command[]>;

const other = (on: Place, by = 1): Place => (on + by) % PLACES;
const work = (job: Job, on = 0, send?: Send): Command => ({
  ...{ do: 'run', job, on, steps: 4, end: 'done' },
  ...(send && { send }),
});

/** One video on two sources of one destination: by phone, or through Reelay. */
const twoSources: Scene = fc
  .record({ user, to: place, isOwn: fc.boolean() })
  .map(({ user: by, to, isOwn }) => [
    { do: 'addRule', user: by, from: other(to), to: [to] },
    { do: 'addRule', user: by, from: other(to, 2), to: [to] },
    { do: 'phone', on: other(to), words: 'same' },
    isOwn
      ? { do: 'post', user: by, to: [other(to, 2)], words: 'same' }
      : { do: 'phone', on: other(to, 2), words: 'same' },
    { do: 'settle' },
  ]);

/** A repost fails, or goes with its rule, while another rule has left it the account. */
const leftToAnother: Scene = fc
  .record({ user, to: place, isDeleted: fc.boolean() })
  .map(
    ({ user: by, to, isDeleted }) =>
      [
        { do: 'addRule', user: by, from: other(to), to: [to] },
        { do: 'addRule', user: by, from: other(to, 2), to: [to] },
        { do: 'post', user: by, to: [other(to), other(to, 2)], words: 'own' },
        work('publish', other(to)),
        work('publish', other(to, 2)),
        work('fire'),
        work('fire'),
        isDeleted ? { do: 'deleteRule', rule: 0 } : work('publish', to, 'rejected'),
      ] as Command[],
  );

/** An owner removes a post while a rule waits. */
const removedInDelay: Scene = fc
  .record({ user, from: place, isOwn: fc.boolean(), item: fc.nat({ max: 3 }) })
  .map(
    ({ user: by, from, isOwn, item }) =>
      [
        { do: 'addRule', user: by, from, to: [other(from)], delay: 30 * MINUTE },
        isOwn ? { do: 'post', user: by, to: [from], words: 'own' } : { do: 'phone', on: from, words: 'own' },
        { do: 'settle' },
        { do: 'remove', item },
        ...[1, 2, 3].flatMap(() => [{ do: 'advance', ms: 11 * MINUTE }, { do: 'settle' }]),
      ] as Command[],
  );

export const BASIC_SCENES: readonly Scene[] = [fc.oneof(twoSources, leftToAnother, removedInDelay)];
