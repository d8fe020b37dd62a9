/** Generated histories: what users, phones, platforms and workers do, in order. Plain JSON, so that each can be replayed. */
import fc from 'fast-check';
import { HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import type { StoredOptions } from '../../src/reposts/options/rule-options.ts';

/** Number of an identity: an account on a platform. */
export type Place = number;
/** Both users may use the same places. */
export type User = 0 | 1;
/** `own`: a text of its own. `same`: one text that several posts share. `none`: no text. */
export type Words = 'own' | 'same' | 'none';
/** The text that several posts share. */
export const SAME = 'The same words';
/**
 * Result of sending a post. `lost`: no response, but the post appears, perhaps late. `void`: no response and no post.
 * `blind`: as `lost`, and verification cannot find the post. `blindVoid`: as `void`, and verification proves nothing.
 */
export type Send = 'ok' | 'rejected' | 'lost' | 'void' | 'blind' | 'blindVoid';
/** Length of a video. `near` differs from `usual` by less than half a second, `long` from both by more. */
export type Length = 'usual' | 'near' | 'long';
export type Job = 'publish' | 'watch' | 'match' | 'file' | 'fire';

/** References (`rule`, `post`, `item`) are numbers modulo what exists; -1 is the last. */
export type Command =
  | BasicCommand
  /** Its user's access to a place ends or returns. */
  | { do: 'account'; user: User; on: Place; is: 'connected' | 'expired' | 'disconnected' }
  /** Sets the audience of an account. */
  | { do: 'audience'; user: User; on: Place; few: boolean }
  /** An owner changes who can see an item, or a removed item returns. */
  | { do: 'reveal' | 'hide' | 'restore'; item: number }
  /** From now on, a platform shares what is posted to a place. */
  | { do: 'share'; from: Place; to: Place }
  /** Selects older posts of a rule's source, the newest first. */
  | { do: 'select'; rule: number; count: number; order: 'oldest' | 'newest'; perDay: number }
  | { do: 'burst'; on: Place; count: number }
  /** 91 days pass, and what is kept for 90 days is deleted. */
  | { do: 'retention' };

/** Both drivers know these. */
type BasicCommand =
  | {
      do: 'addRule';
      user: User;
      from: Place;
      to: Place[];
      perDay?: number;
      delay?: number;
      /** `privacy` is by place. */
      options?: StoredOptions;
    }
  | { do: 'pause' | 'resume' | 'deleteRule'; rule: number }
  /** @property captions each place gets a caption of its own @property few the audience, by place */
  | { do: 'post'; user: User; to: Place[]; words: Words; length?: Length; captions?: boolean; few?: boolean }
  | { do: 'deletePost'; post: number }
  /** @property age how far the claimed time lies in the past @property hidden how long lists lack it */
  | { do: 'phone'; on: Place; words: Words; age?: number; hidden?: number; isPrivate?: boolean; length?: Length }
  /** A tool elsewhere copies an item to another place. */
  | { do: 'mirror'; item: number; on: Place; length?: Length }
  | { do: 'edit' | 'remove'; item: number }
  | { do: 'advance'; ms: number }
  /** Makes all loops work until nothing is due. */
  | { do: 'settle' }
  /** Claims one job and makes some steps of it. Then it runs to its end, dies, or stalls. */
  | { do: 'run'; job: Job; on: number; steps: number; end: 'done' | 'crash' | 'stall'; send?: Send; hidden?: number }
  /** Continues a stalled job. */
  | { do: 'go'; stalled: number; steps: number };

export type History = readonly Command[];

export const PLACES = 4;

export const place = fc.nat({ max: PLACES - 1 });
export const user: fc.Arbitrary<User> = fc.constantFrom(0, 0, 1);
export const words: fc.Arbitrary<Words> = fc.constantFrom('own', 'own', 'own', 'same', 'none');
export const ref = fc.nat({ max: 7 });
export const places = (max: number) => fc.uniqueArray(place, { minLength: 1, maxLength: max });
/**
 * Leaves out options that have no effect, so that histories are short to read.
 * @param freq one in this many has no value; with 1, none would have one
 */
export const option = <T>(arbitrary: fc.Arbitrary<T>, freq = 3) => fc.option(arbitrary, { nil: undefined, freq });
export const optional = <T extends object>(record: fc.Arbitrary<T>) =>
  record.map((given) => JSON.parse(JSON.stringify(given)) as T);

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: optional(
      fc.record({
        do: fc.constant('addRule' as const),
        user,
        from: place,
        to: places(2),
        perDay: option(fc.constantFrom(1, 2), 2),
        delay: option(fc.constantFrom(30 * MINUTE), 2),
      }),
    ) as fc.Arbitrary<Command>,
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('pause', 'resume', 'pause', 'resume', 'deleteRule'), rule: ref }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('post'), user, to: places(2), words }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deletePost'), post: ref }) },
  {
    weight: 4,
    arbitrary: optional(
      fc.record({
        do: fc.constant('phone' as const),
        on: place,
        words,
        age: option(fc.constantFrom(1, SECOND, 10 * MINUTE, 5 * HOUR), 2),
        hidden: option(fc.constantFrom(5 * SECOND, 20 * MINUTE, 3 * HOUR), 2),
        isPrivate: option(fc.constant(true), 2),
      }),
    ) as fc.Arbitrary<Command>,
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mirror'), item: ref, on: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('edit', 'remove'), item: ref }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('advance'),
      ms: fc.constantFrom(1, 400, SECOND, 20 * SECOND, MINUTE, 11 * MINUTE, HOUR, 4 * HOUR),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'settle' }) },
  {
    weight: 9,
    arbitrary: optional(
      fc.record({
        do: fc.constant('run' as const),
        job: fc.constantFrom<Job[]>('publish', 'publish', 'watch', 'match', 'file', 'fire'),
        on: ref,
        steps: fc.nat({ max: 4 }),
        end: fc.constantFrom<('done' | 'crash' | 'stall')[]>('done', 'done', 'crash', 'stall'),
        send: option(fc.constantFrom<Send[]>('rejected', 'lost', 'lost', 'void', 'blind', 'blind', 'blindVoid'), 2),
        hidden: option(fc.constantFrom(5 * SECOND, 20 * MINUTE, 3 * HOUR), 2),
      }),
    ) as fc.Arbitrary<Command>,
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('go'), stalled: ref, steps: fc.integer({ min: 1, max: 4 }) }) },
) as fc.Arbitrary<Command>;

const send = fc.constantFrom<Send[]>('rejected', 'lost', 'void', 'blind', 'blind', 'blindVoid');
/** Situations that single commands rarely form. */
const scene: fc.Arbitrary<Command[]> = fc.oneof(
  fc
    .record({ user, on: place, words, send, hidden: option(fc.constantFrom(5 * SECOND, 20 * MINUTE, 3 * HOUR), 2) })
    .map(({ hidden, user: by, on, words: text, send: result }) => [
      { do: 'post', user: by, to: [on], words: text },
      { do: 'run', job: 'publish', on, steps: 4, end: 'done', send: result, ...(hidden && { hidden }) },
    ]),
  fc
    .record({
      user,
      to: places(3),
      words,
      send: fc.constantFrom<Send>('blind', 'blindVoid'),
      post: ref,
      hidden: option(fc.constant(3 * HOUR), 2),
    })
    .map(({ hidden, user: by, to, words: text, send: result, post }) => [
      { do: 'post', user: by, to, words: text },
      { do: 'run', job: 'publish', on: to[0], steps: 4, end: 'done', send: result, ...(hidden && { hidden }) },
      { do: 'settle' },
      { do: 'advance', ms: HOUR },
      { do: 'settle' },
      { do: 'deletePost', post },
    ]),
  fc
    .record({
      user,
      from: place,
      to: place,
      words,
      isPause: fc.boolean(),
      age: fc.constantFrom(1, SECOND, undefined),
      isPrivate: fc.boolean(),
    })
    .map(({ user: by, from, to, words: text, isPause, age, isPrivate }) => [
      { do: 'addRule', user: by, from, to: [to] },
      ...(isPause ? [{ do: 'pause' as const, rule: 0 }] : []),
      { do: 'phone', on: from, words: text, ...(age && { age }), ...(isPrivate && { isPrivate }) },
    ]),
  fc
    .record({ user, from: place, to: place, steps: fc.nat({ max: 4 }), perDay: option(fc.constant(1), 2) })
    .map(({ user: by, from, to, steps, perDay }) => [
      { do: 'addRule', user: by, from, to: [to], ...(perDay && { perDay }) },
      { do: 'phone', on: from, words: 'own' },
      { do: 'phone', on: from, words: 'own' },
      { do: 'run', job: 'watch', on: from, steps, end: 'crash' },
    ]),
) as fc.Arbitrary<Command[]>;

/** @param parts maximum number of commands and scenes @param more commands and scenes that are generated, too */
export const historyOf = (parts: number, more: readonly fc.Arbitrary<Command[]>[] = []): fc.Arbitrary<History> =>
  fc
    .array(
      fc.oneof(
        { weight: 10, arbitrary: command.map((each) => [each]) },
        { weight: 2, arbitrary: scene },
        ...more.map((arbitrary) => ({ weight: 3, arbitrary })),
      ),
      { maxLength: parts, size: 'max' },
    )
    .map((commands) => commands.flat());
