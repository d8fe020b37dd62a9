/**
 * Publishes through the engine's pure transitions, without a database: the row is a value, and the test controls the
 * clock. This file makes the same calls as `publishing/step/`. `Drive` names everything it needs of a drive
 * (`drive.ts`).
 */
import type { Connector, Fingerprint, JsonObject, Published, Work } from '../../src/connectors/contract.ts';
import { rejected } from '../../src/connectors/kit/failures.ts';
import { DAY } from '../../src/lib/time.ts';
import type { Message } from '../../src/messages/message.ts';
import { type ManagedHttp, NetworkError } from '../../src/outbound/http-client.ts';
import { type Failure, PlatformError } from '../../src/outbound/platform-error.ts';
import * as decide from '../../src/publishing/decide.ts';
import { afterCrash, afterFailedCall, afterRefresh, afterUnrecordedSend } from '../../src/publishing/recovery.ts';
import { send } from '../../src/publishing/send.ts';
import { earliestPost, isFinal, type Target, type Transition } from '../../src/publishing/target.ts';
import type { Moment } from '../../src/publishing/transitions.ts';
import { messageOf } from '../harness/message.ts';
import { scheduledTarget } from '../harness/target.ts';

export interface Drive {
  connector: Connector;
  http: ManagedHttp;
  /** Clock of connector, simulator, and publisher, in ms. Every requested delay advances it. */
  clock: { now: number };
  /** Refreshes the token of the latest session. @throws PlatformError */
  renew(): Promise<void>;
}

/** The row of a publish, and what its calls returned. It is a value, so a test can continue from any point again. */
export interface Walk extends Target {
  /** What the connector reported as posted. */
  published?: Published;
  /** The failure that ended it. */
  failure?: Failure;
  /** Notes and failures of all calls so far. */
  notes: string[];
}

export const begun = ({ clock: { now } }: Pick<Drive, 'clock'>): Walk => ({ ...scheduledTarget(now), notes: [] });

/** A daily limit has moved the deadline as far as it goes. */
export const extended = (walk: Walk): Walk => ({ ...walk, deadlineAt: walk.countsFrom + 3 * DAY });

/** What a call returned, and the transition that follows from it. */
interface Move {
  transition: Transition;
  result:
    | { then: string; note: Message }
    | { then: 'posted'; note: Message; published: Published }
    | { failure: Failure };
}

/** Makes the next call and advances the clock to the time of the one after it. @throws errors that are bugs */
export async function move(drive: Drive, base: Work, walk: Walk): Promise<Walk> {
  if (isFinal(walk)) return walk;
  const { clock } = drive;
  const work: Work = { ...base, post: { ...base.post, sendKey: walk.sendKey } };
  const { transition, result } = await call(drive, work, walk).catch(async (error: unknown): Promise<Move> => {
    if (walk.state === 'committing') throw error;
    const failure = await afterRefreshing(drive, walk, failureIn(error));
    const { completeWithoutIdMs } = drive.connector;
    return { transition: afterFailedCall(walk, failure, completeWithoutIdMs, at(clock)), result: { failure } };
  });
  const target = asStored(transition.target);
  if (target.state !== 'committing') clock.now = Math.max(clock.now, target.dueAt ?? 0);
  return {
    ...target,
    notes: [...walk.notes, ('failure' in result ? result.failure.detail : result.note).text],
    ...(target.state === 'posted' && 'published' in result && { published: result.published }),
    ...(target.state === 'failed' && 'failure' in result && { failure: result.failure }),
  };
}

/** Makes the call that the state requires. @throws PlatformError, NetworkError */
async function call(drive: Drive, work: Work, walk: Walk): Promise<Move> {
  const { connector, clock } = drive;
  const { completeWithoutIdMs, settle } = connector;
  const checkpoint = walk.checkpoint ?? {};
  switch (walk.state) {
    case 'committing': {
      const request = await connector.commit.request(work, checkpoint);
      const sent = await send(drive.http, connector, work, checkpoint, request, () => true);
      const outcome = 'failure' in sent ? { ...sent, failure: await afterRefreshing(drive, walk, sent.failure) } : sent;
      const transition = decide.afterSend(walk, outcome, completeWithoutIdMs, at(clock));
      if (outcome.kind === 'unknown') return { transition, result: { then: 'unknown', note: outcome.why } };
      return { transition, result: outcome.kind === 'done' ? outcome.result : outcome };
    }
    case 'unknown': {
      const result = await connector.verify(work, walk.checkpoint, fingerprintOf(work, earliestPost(walk)));
      return { transition: decide.afterVerification(walk, result, settle, completeWithoutIdMs, at(clock)), result };
    }
    case 'confirming': {
      const result = await connector.confirm(work, checkpoint);
      return { transition: decide.afterConfirm(walk, result, completeWithoutIdMs, at(clock)), result };
    }
    default:
      return step(drive, work, decide.begin(walk, at(clock)));
  }
}

/** Identifies the post of this work. */
export const fingerprintOf = (work: Work, committedAt: number): Fingerprint => ({
  text: work.post.text,
  durationMs: work.media.durationMs,
  committedAt,
});

async function step({ connector, clock }: Drive, work: Work, target: Target): Promise<Move> {
  const problem = target.checkpoint ? null : connector.textProblem?.(work.post.text);
  if (problem) throw new PlatformError(rejected('caption', problem));
  const result = await (target.checkpoint ? connector.step(work, target.checkpoint) : connector.begin(work));
  switch (result.then) {
    case 'failed':
      throw new PlatformError(result.failure);
    case 'continue':
      return { transition: decide.afterContinue(target, result, at(clock)), result };
    case 'look':
      return { transition: decide.afterDoubt(target, result, at(clock)), result };
    case 'commit': {
      const { checkpoint, note } = result;
      const { deadlineMs } = await connector.commit.request(work, checkpoint);
      return { transition: decide.toCommitting(target, checkpoint, note, deadlineMs, at(clock)), result };
    }
  }
}

/** Waits that a platform asks for have no jitter. */
const at = ({ now }: Drive['clock']): Moment => ({ now, random: () => 0 });

/** Refreshes an expired token. @returns the failure to continue with */
async function afterRefreshing(drive: Drive, target: Target, failure: Failure): Promise<Failure> {
  if (failure.kind !== 'tokenExpired') return failure;
  try {
    await drive.renew();
    return afterRefresh(target);
  } catch (error) {
    return failureIn(error);
  }
}

/** Returns the failure of an error. @throws the error if it is a bug */
function failureIn(error: unknown): Failure {
  if (error instanceof PlatformError) return error.failure;
  if (error instanceof NetworkError) return { kind: 'transient', detail: messageOf(error.message) };
  throw error;
}

/** Returns the checkpoint as the database stores it. */
export const stored = (checkpoint: JsonObject) => JSON.parse(JSON.stringify(checkpoint)) as JsonObject;

const asStored = (target: Target): Target => ({
  ...target,
  checkpoint: target.checkpoint && stored(target.checkpoint),
});

/** The next worker takes over after a crash. */
function takenOver({ clock }: Drive, walk: Walk): Walk {
  const { target } = afterCrash(walk, at(clock));
  return { ...walk, ...(walk.state === 'committing' ? afterUnrecordedSend(target, at(clock)).target : target) };
}

/** Runs to the end. @param crashAt number of the call whose result is lost, as if the worker was killed after it */
export async function walkThrough(
  drive: Drive,
  work: Work,
  given: { from?: Walk; crashAt?: number; maxMoves?: number } = {},
): Promise<Walk> {
  let walk = given.from ?? begun(drive);
  for (let count = 1; count <= (given.maxMoves ?? 80) && !isFinal(walk); count++) {
    const next = await move(drive, work, walk);
    walk = count === given.crashAt ? takenOver(drive, walk) : next;
  }
  return walk;
}

/** Runs until a state is reached or a condition holds, at most to the end. */
export async function walkTo(
  drive: Drive,
  work: Work,
  there: Walk['state'] | ((walk: Walk) => boolean),
  from = begun(drive),
): Promise<Walk> {
  const arrived = typeof there === 'string' ? ({ state }: Walk) => state === there : there;
  let walk = from;
  for (let count = 0; !arrived(walk) && !isFinal(walk) && count < 200; count++) walk = await move(drive, work, walk);
  return walk;
}

/** Returns the failure that a promise rejects with. @throws if it ends otherwise */
export async function failureOf(doing: Promise<unknown>): Promise<Failure> {
  const error = await doing.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof PlatformError) return error.failure;
  throw new Error('A PlatformError was expected.', { cause: error });
}
