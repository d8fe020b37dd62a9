/**
 * Runs a connector's steps like the publisher, without a database: the row is a value, and the test controls the clock.
 * `Drive` names everything it needs of a drive (`drive.ts`).
 */
import type {
  ConfirmResult,
  Connector,
  IrreversibleRequest,
  JsonObject,
  Published,
  VerifyResult,
  Work,
} from '../../src/connectors/contract.ts';
import { type ManagedHttp, NetworkError } from '../../src/outbound/http-client.ts';
import { type Failure, PlatformError } from '../../src/outbound/platform-error.ts';
import { send } from '../../src/publishing/send.ts';

export interface Drive {
  connector: Connector;
  http: ManagedHttp;
  /** Clock of connector, simulator, and publisher, in ms. Every requested delay advances it. */
  clock: { now: number };
  /** Refreshes the token of the latest session. @throws PlatformError */
  renew(): Promise<void>;
}

/** State of a publish. It is a value, so a test can continue from any point more than once. */
export interface Walk {
  phase: 'working' | 'committing' | 'unknown' | 'confirming' | 'posted' | 'failed';
  checkpoint: JsonObject | null;
  /** Number of the send, starting at 1. It increases after each send that is proven to have had no effect. */
  commitNumber: number;
  committedAt: number;
  /** The outcome of some send is unknown; from then on only a verification counts. */
  unproven: boolean;
  unknownSince: number;
  notPostedSince: number | null;
  /** When the platform first reported "complete", in ms since the epoch. */
  completeSince: number | null;
  published?: Published;
  failure?: Failure;
  /** Notes of the timeline. */
  notes: string[];
}

export const begun = (): Walk => ({
  phase: 'working',
  checkpoint: null,
  commitNumber: 1,
  committedAt: 0,
  unproven: false,
  unknownSince: 0,
  notPostedSince: null,
  completeSince: null,
  notes: [],
});

export const isOver = ({ phase }: Walk) => phase === 'posted' || phase === 'failed';

/** Runs one step like the publisher and advances the clock by the requested delay. @throws errors that are bugs */
export async function move(drive: Drive, base: Work, walk: Walk): Promise<Walk> {
  const work: Work = { ...base, post: { ...base.post, commitNumber: walk.commitNumber } };
  const turn = { drive, work, walk };
  switch (walk.phase) {
    case 'working':
      return step(turn);
    case 'committing':
      return commit(turn);
    case 'unknown':
      return look(turn);
    case 'confirming':
      return poll(turn);
    default:
      return walk;
  }
}

interface Turn {
  drive: Drive;
  work: Work;
  walk: Walk;
}

async function step(turn: Turn): Promise<Walk> {
  const { drive, work, walk } = turn;
  const { connector, clock } = drive;
  try {
    const result = await (walk.checkpoint ? connector.step(work, walk.checkpoint) : connector.begin(work));
    if (result.then === 'failed') return failed(turn, result.failure);
    if (result.then === 'look')
      return { ...lost(walk, clock.now), checkpoint: stored(result.checkpoint), notes: [...walk.notes, result.note] };
    if (result.then === 'continue') clock.now += result.afterMs ?? 0;
    const checkpoint = stored(result.checkpoint);
    const notes = [...walk.notes, result.note];
    if (result.then === 'continue') return { ...walk, phase: 'working', checkpoint, notes };
    return { ...walk, phase: 'committing', checkpoint, committedAt: clock.now, notes };
  } catch (error) {
    return failed(turn, meant(error));
  }
}

/** Sends through the publisher's own `send`: only what the response proves counts. */
async function commit(turn: Turn): Promise<Walk> {
  const { drive, work, walk } = turn;
  const { connector, http, clock } = drive;
  const checkpoint = walk.checkpoint ?? {};
  let request: IrreversibleRequest;
  try {
    request = await connector.commit.request(work, checkpoint);
  } catch (error) {
    return failed(turn, meant(error));
  }
  const outcome = await send(http, connector, work, checkpoint, request, () => true);
  const unknown = (why: string): Walk => ({ ...lost(walk, clock.now), notes: [...walk.notes, why] });
  switch (outcome.came) {
    case 'done':
      return confirmed(turn, outcome.result);
    case 'void':
      return failed(turn, outcome.failure, { commitNumber: walk.commitNumber + 1 });
    case 'refused':
      return walk.unproven ? unknown(outcome.failure.detail) : failed(turn, outcome.failure);
    default:
      return unknown(outcome.why);
  }
}

/** State after a send of unknown outcome, or after signs of one. */
const lost = (walk: Walk, now: number): Walk => ({
  ...walk,
  phase: 'unknown',
  unproven: true,
  unknownSince: now,
  notPostedSince: null,
});

/**
 * Verifies the send. A failed verification proves nothing; `notPosted` counts only after the settling time and two
 * verifications.
 */
async function look(turn: Turn): Promise<Walk> {
  const { drive, work, walk } = turn;
  const { connector, clock } = drive;
  const fingerprint = {
    text: work.post.text,
    durationMs: work.media.durationMs,
    committedAt: walk.committedAt || clock.now,
  };
  let result: VerifyResult;
  try {
    result = await connector.verify(work, walk.checkpoint, fingerprint);
  } catch (error) {
    const failure = await heeded(drive, meant(error));
    const afterMs = failure.kind === 'rateLimited' ? failure.waitMs : undefined;
    result = { then: 'stillUnknown', note: failure.detail, ...(afterMs === undefined ? {} : { afterMs }) };
  }
  if (result.then !== 'notPosted' && result.then !== 'stillUnknown') return confirmed(turn, result);
  const notes = [...walk.notes, result.note];
  if (result.then === 'stillUnknown') {
    clock.now += result.afterMs ?? 60_000;
    return { ...walk, notPostedSince: null, notes };
  }
  const { waitMs, apartMs } = connector.settle;
  const first = walk.notPostedSince;
  if (first !== null && clock.now >= walk.unknownSince + waitMs && clock.now >= first + apartMs)
    return { ...walk, phase: 'working', checkpoint: result.checkpoint && stored(result.checkpoint), notes };
  const notPostedSince = first ?? clock.now;
  clock.now += Math.max(apartMs, walk.unknownSince + waitMs - clock.now);
  return { ...walk, notPostedSince, notes };
}

/** Polls a post that the platform has accepted. Any error leads to another poll. */
async function poll(turn: Turn): Promise<Walk> {
  const { drive, work, walk } = turn;
  let result: ConfirmResult;
  try {
    result = await drive.connector.confirm(work, walk.checkpoint ?? {});
  } catch (error) {
    const failure = await heeded(drive, meant(error));
    drive.clock.now += waitOf(failure) ?? 30_000;
    return { ...walk, notes: [...walk.notes, failure.detail] };
  }
  return confirmed(turn, result);
}

function confirmed(turn: Turn, result: ConfirmResult): Walk | Promise<Walk> {
  const { clock } = turn.drive;
  const { walk } = turn;
  if (result.then === 'failed') return failed(turn, result.failure, { checkpoint: null, completeSince: null });
  const notes = [...walk.notes, result.note];
  if (result.then === 'posted') return { ...walk, phase: 'posted', published: result.published, notes };
  const completeSince = result.complete ? (walk.completeSince ?? clock.now) : walk.completeSince;
  clock.now += result.afterMs;
  return { ...walk, phase: 'confirming', checkpoint: stored(result.checkpoint), completeSince, notes };
}

/** Waits after a temporary failure and retries, from `back` if given. Any other failure ends the walk. */
async function failed({ drive, walk }: Turn, given: Failure, back: Partial<Walk> = {}): Promise<Walk> {
  const failure = await heeded(drive, given);
  const notes = [...walk.notes, failure.detail];
  if (failure.kind !== 'rateLimited' && failure.kind !== 'transient')
    return { ...walk, phase: 'failed', failure, notes };
  drive.clock.now += waitOf(failure) ?? 30_000;
  return { ...walk, ...back, phase: 'working', notes };
}

/** Refreshes an expired token so that the step is retried. */
async function heeded(drive: Drive, failure: Failure): Promise<Failure> {
  if (failure.kind !== 'tokenExpired') return failure;
  try {
    await drive.renew();
  } catch (error) {
    return meant(error);
  }
  return { kind: 'transient', detail: 'The token was renewed.', waitMs: 0 };
}

/** Returns the failure of an error. @throws the error if it is a bug */
function meant(error: unknown): Failure {
  if (error instanceof PlatformError) return error.failure;
  if (error instanceof NetworkError) return { kind: 'transient', detail: error.message };
  throw error;
}

const waitOf = (failure: Failure) =>
  failure.kind === 'rateLimited' || failure.kind === 'transient' ? failure.waitMs : undefined;

/** Returns the checkpoint as the database stores it. */
export const stored = (checkpoint: JsonObject) => JSON.parse(JSON.stringify(checkpoint)) as JsonObject;

/** Runs to the end. @param crashAt number of the step whose result is lost, as if the worker was killed after it */
export async function walkThrough(
  drive: Drive,
  work: Work,
  given: { from?: Walk; crashAt?: number; maxMoves?: number } = {},
): Promise<Walk> {
  let walk = given.from ?? begun();
  for (let count = 1; count <= (given.maxMoves ?? 80) && !isOver(walk); count++) {
    const next = await move(drive, work, walk);
    if (count !== given.crashAt) walk = next;
    else if (walk.phase === 'committing') walk = lost(walk, drive.clock.now);
  }
  return walk;
}

/** Runs until a phase is reached or a condition holds, at most to the end. */
export async function walkTo(
  drive: Drive,
  work: Work,
  there: Walk['phase'] | ((walk: Walk) => boolean),
  from = begun(),
): Promise<Walk> {
  const arrived = typeof there === 'string' ? ({ phase }: Walk) => phase === there : there;
  let walk = from;
  for (let count = 0; !arrived(walk) && !isOver(walk) && count < 200; count++) walk = await move(drive, work, walk);
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
