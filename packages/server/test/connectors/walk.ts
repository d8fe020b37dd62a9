/**
 * Walks a connector as the publisher does, move by move, with no database: the row is a value, and the clock is the
 * test's. What a publish needs of a drive (`drive.ts`) is only what `Drive` names.
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
import { type Failure, PlatformError } from '../../src/connectors/kit/failure.ts';
import { type ManagedHttp, NetworkError } from '../../src/connectors/kit/http.ts';
import { send } from '../../src/publishing/send.ts';

export interface Drive {
  connector: Connector;
  http: ManagedHttp;
  /** The connector's, the simulator's and the publisher's, in ms; every pause that is asked for moves it. */
  clock: { now: number };
  /** How long the irreversible request may take, ms; null: as long as the connector says. */
  patience: { ms: number | null };
  /** Renews the token of the latest session. @throws PlatformError */
  renew(): Promise<void>;
}

/** Where a publish stands; a value, so that a test can go on from any point more than once. */
export interface Walk {
  phase: 'working' | 'committing' | 'unknown' | 'confirming' | 'posted' | 'failed';
  checkpoint: JsonObject | null;
  /** Number of the send, from 1: a new one after each that is proven to have done nothing. */
  commitNumber: number;
  committedAt: number;
  /** Some send ended without proof: from then on only a look counts. */
  unproven: boolean;
  unknownSince: number;
  notPostedSince: number | null;
  /** When the platform first said "complete"; ms. */
  completeSince: number | null;
  published?: Published;
  failure?: Failure;
  /** What the timeline would say. */
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

/** One move, as the publisher makes it; the clock goes on by whatever pause it asks for. @throws what is a bug */
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

/** The publisher's own `send`: only what the answer proves is believed. */
async function commit(turn: Turn): Promise<Walk> {
  const { drive, work, walk } = turn;
  const { connector, http, clock, patience } = drive;
  const checkpoint = walk.checkpoint ?? {};
  let request: IrreversibleRequest;
  try {
    request = await connector.commit.request(work, checkpoint);
  } catch (error) {
    return failed(turn, meant(error));
  }
  const deadlineMs = patience.ms ?? request.deadlineMs;
  const outcome = await send(http, connector, work, checkpoint, { ...request, deadlineMs }, () => true);
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

/** Behind a send that nobody knows the outcome of, or the signs of one. */
const lost = (walk: Walk, now: number): Walk => ({
  ...walk,
  phase: 'unknown',
  unproven: true,
  unknownSince: now,
  notPostedSince: null,
});

/** A look that fails teaches nothing; that nothing is there is believed after the settling time and two looks. */
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

/** The platform has it: whatever goes wrong with asking, it is asked again. */
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

/** What passes is waited for and tried again, from `back` where that is given; anything else ends the walk. */
async function failed({ drive, walk }: Turn, given: Failure, back: Partial<Walk> = {}): Promise<Walk> {
  const failure = await heeded(drive, given);
  const notes = [...walk.notes, failure.detail];
  if (failure.kind !== 'rateLimited' && failure.kind !== 'transient')
    return { ...walk, phase: 'failed', failure, notes };
  drive.clock.now += waitOf(failure) ?? 30_000;
  return { ...walk, ...back, phase: 'working', notes };
}

/** An expired token is renewed, and the move made again. */
async function heeded(drive: Drive, failure: Failure): Promise<Failure> {
  if (failure.kind !== 'tokenExpired') return failure;
  try {
    await drive.renew();
  } catch (error) {
    return meant(error);
  }
  return { kind: 'transient', detail: 'The token was renewed.', waitMs: 0 };
}

/** The failure that an error stands for. @throws the error, where it is a bug */
function meant(error: unknown): Failure {
  if (error instanceof PlatformError) return error.failure;
  if (error instanceof NetworkError) return { kind: 'transient', detail: error.message };
  throw error;
}

const waitOf = (failure: Failure) =>
  failure.kind === 'rateLimited' || failure.kind === 'transient' ? failure.waitMs : undefined;

/** As the database keeps it. */
export const stored = (checkpoint: JsonObject) => JSON.parse(JSON.stringify(checkpoint)) as JsonObject;

/** Walks to the end. @param crashAt number of the move whose result is lost, as when the worker is killed behind it */
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

/** Walks until a phase is reached, or something holds of the walk; at most to the end. */
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

/** The failure that some work ends with. @throws where it ends otherwise */
export async function failureOf(doing: Promise<unknown>): Promise<Failure> {
  const error = await doing.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof PlatformError) return error.failure;
  throw new Error('A PlatformError was expected.', { cause: error });
}
