/**
 * Holds the connections on which platforms announce posts. A stream is a row with a lease, so one worker holds it; a
 * worker that stops or dies leaves it to another. Polling continues while a stream is open: an announcement only moves
 * a check to now.
 */
import type { Metrics } from '../../lib/metrics.ts';
import { HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import type { AddressGuard } from '../../outbound/address-guard.ts';
import { type Detour, NetworkError } from '../../outbound/http-client.ts';
import { BudgetEmpty, PlatformError } from '../../outbound/platform-error.ts';
import { readStream, type StreamEnd, type StreamOptions } from '../../outbound/stream-client.ts';
import type { Claim } from '../../queue/claim.ts';
import { createDueLoop, type DueLoop } from '../../queue/loop.ts';
import { holderOf } from '../../queue/shares.ts';
import type { Hints } from './early-checks.ts';
import { type OpenDeps, type OpenedStream, openStream } from './open-stream.ts';
import { dueStreams, keepStream, noteRead, type StreamRow, syncStreams } from './stream-store.ts';

export interface StreamDeps extends OpenDeps {
  outbound(sandbox: boolean): { guard: AddressGuard; detour?: Detour | undefined };
  hints: Hints;
  metrics: Pick<Metrics, 'counter' | 'gauge'>;
  userAgent: string;
  /** Called when a stream ended, or could not be opened. */
  onEnded(stream: StreamRow, end: StreamEnd): void;
  /** Called once for each reason for which a platform refuses a shared stream, or some of its accounts. */
  onRefused(stream: StreamRow, reason: Message): void;
  random(): number;
  /** Shorter times, for tests. */
  timing?: Partial<StreamTiming>;
}

export interface StreamTiming {
  /** Interval of renewing leases and of reading which accounts a shared stream is for, in ms. */
  renewMs: number;
  /** Interval of looking for missing streams, in ms. */
  syncMs: number;
  /** Backoff after the first failure, in ms. */
  firstRetryMs: number;
  connectMs: NonNullable<StreamOptions['connectMs']>;
  silenceMs: NonNullable<StreamOptions['silenceMs']>;
}

/**
 * Maximum number of streams of a process: half of them for single accounts. The accounts of others are polled. A stream
 * for many accounts always finds room.
 */
const MAX_STREAMS = 400;
const LEASE_MS = 90 * SECOND;
const SYNC_MS = 10 * SECOND;
const MAX_RETRY_MS = 15 * MINUTE;
/** A server without streams is asked again after this time, in ms. */
const NO_STREAM_MS = 6 * HOUR;
/** Interval of reading whether the operator wants a shared stream now, in ms. */
const UNWANTED_MS = MINUTE;
/** A stream that lasted this long counts as a success, in ms. */
const LASTING_MS = MINUTE;
/** Statuses of a server that has no stream at the URL. */
const NO_STREAM = [400, 404, 405, 406, 410, 426, 501];

/** Creates the loop. It is not started yet. */
export function createStreamLoop(deps: StreamDeps): DueLoop {
  const { db, connectors, metrics, monotonic, timing = {} } = deps;
  const held = new Set<AbortController>();
  const state = { open: 0, stopping: false };
  metrics.gauge('push_streams', 'Open connections on which platforms announce posts.', () => state.open);
  const platforms = (kind: string) =>
    Object.values(connectors).flatMap(({ id, watch }) => (watch?.stream?.kind === kind ? [id] : []));
  const wanted = { account: platforms('account'), shared: platforms('shared') };

  /** The last refusal of each stream, until all of its accounts are selected. */
  const refusals = new Map<string, string>();
  const refused = (row: StreamRow, reason: Message) => {
    if (refusals.get(row.id) === reason.text) return;
    refusals.set(row.id, reason.text);
    deps.onRefused(row, reason);
  };

  const read = createReader(deps, state, { refused, selected: ({ id }) => refusals.delete(id) });

  const hold = async (claim: Claim<StreamRow>) => {
    const { row } = claim;
    const over = new AbortController();
    held.add(over);
    const startedAt = monotonic();
    const first = timing.firstRetryMs ?? 2 * SECOND;
    const jitter = 0.5 + deps.random();
    const backoffMs = Math.min(MAX_RETRY_MS, first * 2 ** Math.min(12, claim.attempts - 1)) * jitter;
    let next = { afterMs: backoffMs, failed: true };
    try {
      if (state.stopping) over.abort();
      const end = await read(claim, over);
      if (end === null)
        next = { afterMs: (row.watch_id === null ? UNWANTED_MS : NO_STREAM_MS) * jitter, failed: false };
      else if (end.status !== null && NO_STREAM.includes(end.status))
        next = { afterMs: NO_STREAM_MS * jitter, failed: false };
      else if (end.reason === 'cut') next = { afterMs: 0, failed: false };
      else if (monotonic() - startedAt >= LASTING_MS) next = { afterMs: first * jitter, failed: false };
      if (end) deps.onEnded(row, end);
    } catch (error) {
      next = { afterMs: Math.max(waitOf(error), backoffMs), failed: true };
      if (error instanceof NetworkError) deps.onEnded(row, { reason: error.reason, status: null });
      else if (!isOfPlatform(error)) deps.onError(error);
      // Whether an account is still accessible is for its checks to find out.
      else if (error instanceof PlatformError && row.watch_id === null) refused(row, error.failure.detail);
    } finally {
      held.delete(over);
    }
    await dueStreams.release(db, claim, next);
  };

  const loop = createDueLoop<Claim<StreamRow>>({
    chore: { everyMs: timing.syncMs ?? SYNC_MS, run: () => syncStreams(db, wanted) },
    claim: (limit, limits) => dueStreams.claim(db, { limit, leaseMs: LEASE_MS, limits }),
    holder: holderOf,
    run: hold,
    concurrency: MAX_STREAMS,
    clock: monotonic,
    // A stream that lasts does its work.
    withinMs: Number.POSITIVE_INFINITY,
    onError: deps.onError,
  });
  return {
    ...loop,
    status() {
      const status = loop.status();
      return status.ok ? { ok: true, detail: `${state.open} of ${held.size} streams open` } : status;
    },
    async stop() {
      state.stopping = true;
      for (const over of held) over.abort();
      await loop.stop();
    },
  };
}

interface ReaderEvents {
  refused(row: StreamRow, reason: Message): void;
  /** All accounts of a stream are selected. */
  selected(row: StreamRow): void;
}

/**
 * Returns a function that reads a stream to its end.
 * @param state counts the open streams
 */
function createReader(deps: StreamDeps, state: { open: number }, on: ReaderEvents) {
  const { db, metrics, timing = {} } = deps;
  const announced = metrics.counter('push_announcements_total', 'Announced posts of watched accounts.');
  /** @returns null if the server has none. @throws what ended the stream */
  return async (claim: Claim<StreamRow>, over: AbortController): Promise<StreamEnd | null> => {
    const { row } = claim;
    const failures: unknown[] = [];
    const fail = (error: unknown) => {
      // What fails because the stream ends is not why it ends.
      if (over.signal.aborted) return;
      failures.push(error);
      over.abort();
    };
    const opened = await openStream(deps, row, { signal: over.signal, fail });
    if (!opened) return null;
    const selection = createSelection(opened, {
      onSelected: (problem) => (problem ? on.refused(row, problem) : on.selected(row)),
      onError: (error) => (isOfPlatform(error) ? fail(error) : deps.onError(error)),
    });
    const renew = async () => {
      if (!(await keepStream(db, claim, LEASE_MS))) return over.abort();
      // A stream that ends meanwhile selects nothing: a response would end the report of a refusal.
      if (over.signal.aborted) return;
      selection.renew();
      await opened.reads.check().catch((error) => (isOfPlatform(error) ? fail(error) : deps.onError(error)));
    };
    // After failed renewals another worker may have the stream. It is only read twice then.
    let renewing = Promise.resolve();
    const renewal = setInterval(
      () => {
        renewing = renew().catch(deps.onError);
      },
      timing.renewMs ?? LEASE_MS / 3,
    );
    let isOpen = false;
    try {
      const { guard, detour } = deps.outbound(row.sandbox);
      const { refusal } = opened;
      const end = await readStream({
        ...opened.address,
        ...timing,
        guard,
        detour,
        userAgent: deps.userAgent,
        signal: over.signal,
        onOpen(send) {
          state.open++;
          isOpen = true;
          selection.begin(send);
          // What was announced meanwhile is not repeated.
          if (row.watch_id !== null) deps.hints.add(opened.identities());
        },
        onMessage(message) {
          opened.reads.add(opened.chargedReads(message));
          const identityIds = opened.announced(message);
          if (identityIds.length === 0) return;
          announced.add();
          deps.hints.add(identityIds, opened.lagMs);
        },
        ...(refusal && { onRefused: (response) => fail(refusal(response)) }),
      });
      if (failures.length > 0) throw failures[0];
      return end;
    } finally {
      over.abort();
      clearInterval(renewal);
      // What it notes must not be later than the end.
      await renewing;
      if (isOpen) {
        state.open--;
        await noteRead(db, claim).catch(deps.onError);
      }
      await selection.settle();
      await opened.reads.settle();
      await opened.close().catch((error) => (isOfPlatform(error) ? undefined : deps.onError(error)));
    }
  };
}

/** Whether an error is the platform's or the network's. Others are bugs, or the database's. */
function isOfPlatform(error: unknown): boolean {
  return error instanceof PlatformError || error instanceof NetworkError || error instanceof BudgetEmpty;
}

/** The wait that an error asks for, in ms. */
function waitOf(error: unknown): number {
  if (error instanceof BudgetEmpty) return error.waitMs;
  return error instanceof PlatformError && 'waitMs' in error.failure ? (error.failure.waitMs ?? 0) : 0;
}

/** Selects the accounts of a stream, one call at a time, from its opening on. */
function createSelection(
  opened: OpenedStream,
  { onSelected, onError }: { onSelected(problem: Message | null): void; onError(error: unknown): void },
) {
  let send: ((text: string) => void) | null = null;
  let running: Promise<void> | null = null;
  const renew = () => {
    if (!send || running) return;
    running = opened
      .select(send)
      .then(onSelected, onError)
      .finally(() => {
        running = null;
      });
  };
  return {
    begin(sendText: (text: string) => void) {
      send = sendText;
      renew();
    },
    renew,
    /** Resolves when no call is running. No other begins. */
    async settle() {
      send = null;
      await running;
    },
  };
}
