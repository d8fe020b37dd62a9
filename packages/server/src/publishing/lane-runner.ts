/** Runs one claimed lane: advances its due targets step by step, then releases it. */
import { buffer } from 'node:stream/consumers';
import type { Container, Media } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import type { ManagedHttp } from '../outbound/http-client.ts';
import { orderRendition } from '../renditions/store.ts';
import type { Sealer } from '../seal.ts';
import type { Storage } from '../storage/contract.ts';
import { pictureKey } from '../storage/pictures.ts';
import { advance, type Mover } from './advance.ts';
import { type BudgetHolder, closeBudgets, spend } from './budgets.ts';
import { LEASE_MS, nextInHand } from './lanes.ts';
import type { Held, Leases } from './leases.ts';
import { afterCrash, afterInternalError } from './recovery.ts';
import type { Releases } from './releases.ts';
import type { SessionSource } from './sessions.ts';
import type { Transition } from './target.ts';
import type { Task } from './task.ts';
import { loadTasks, minutesWithoutWorker, textsInDoubt } from './task-store.ts';
import { settleWithin } from './time-limit.ts';
import { isAway, type Writer } from './writer.ts';

/** Events of a lane, for logs and metrics. */
export interface LaneEvents {
  moved(task: Task, transition: Transition): void;
  bug(error: unknown, targetId: string): void;
  trouble(what: string, error: unknown): void;
}

export interface LaneRunnerOptions {
  db: Database;
  sealer: Sealer;
  storage: Storage;
  sessions: SessionSource;
  /** The HTTP client for real platforms, or the one that may also reach the local simulators. */
  http: (sandbox: boolean) => ManagedHttp;
  /** The URL from which a platform fetches a target's video. @param until ms since the epoch */
  link: (targetId: string, container: Container, until: number) => string;
  events: LaneEvents;
  random: () => number;
  /** If writing a send's result takes longer than this (in ms), the result is also kept as evidence. Default: 5,000. */
  resultWithinMs?: number;
  leases: Leases;
  releases: Releases;
  writer: Writer;
  /** Other lanes wait for a slot. */
  isPressed: () => boolean;
  /** No irreversible call may start any more. */
  isStopping: () => boolean;
  /** Nothing may be written or released any more. */
  isCut: () => boolean;
}

const RESULT_WITHIN_MS = 5_000;
/**
 * Opening an account may refresh its tokens, which has its own deadlines. This limit only catches a promise that never
 * settles.
 */
const SESSION_WITHIN_MS = 300_000;
const READ_WITHIN_MS = 60_000;

/**
 * @returns a function that works on a lane until no target is due, the lane is lost, or other lanes wait; it never
 * rejects
 */
export function createLaneRunner(options: LaneRunnerOptions): (held: Held, first: Task | undefined) => Promise<void> {
  const { db, sealer, events, leases, writer, resultWithinMs = RESULT_WITHIN_MS } = options;

  return async (held, first) => {
    const { lane } = held;
    let mover: Mover | null = null;
    try {
      for (let task = first; task; ) {
        mover = createMover(task, held);
        const crashed = task === first && lane.crashedWith === task.target.id && task.target.state !== 'committing';
        // Counting the crash is a step of its own, so a target that crashes its worker is delayed before it runs again.
        const moved = crashed
          ? mover.commit(afterCrash(task.target, { now: mover.now(), random: options.random }))
          : advance(task, mover);
        if (!(await moved) || options.isPressed() || options.isStopping()) break;
        // Later errors are not caused by this target.
        mover = null;
        const inHand = await nextInHand(db, lane);
        if (!inHand) break;
        [task] = await loadTasks(db, sealer, [{ ...lane, inHand, crashedWith: null }]);
      }
    } catch (error) {
      if (!options.isCut()) events.trouble('lane', error);
      if (!isAway(error) && !(await recorded(error, mover))) {
        // Even the failure cannot be written. Only this pause before the next attempt prevents a busy loop.
        void options.releases.release(lane, LEASE_MS);
        return leases.drop(held);
      }
    }
    await options.releases.release(lane);
    leases.drop(held);
  };

  /**
   * Records an unexpected error of a target as a failure with growing pauses.
   * @returns false when it cannot be written either
   */
  async function recorded(error: unknown, mover: Mover | null): Promise<boolean> {
    if (!mover || options.isCut()) return false;
    mover.onBug(error);
    const target = mover.current();
    if (target.dueAt === null) return true;
    const moment = { now: mover.now(), random: options.random };
    // The connector is unavailable here. An internal error must not end a post that the platform reported as complete,
    // so there is no limit.
    const transition = afterInternalError(target, Number.POSITIVE_INFINITY, moment);
    return mover.commit(transition).then(
      () => true,
      (again) => {
        events.trouble('lane', again);
        return false;
      },
    );
  }

  function createMover(task: Task, held: Held): Mover {
    let current = task;
    const commit = async (transition: Transition, leaseMs?: number) => {
      if (!(await writer.write(current, transition, held, leaseMs ?? null))) return false;
      held.progressAt = leases.mark().monotonic;
      events.moved(current, transition);
      current = { ...current, target: { ...transition.target, version: current.target.version + 1 } };
      return true;
    };
    return {
      sessions: limitSessions(options.sessions),
      http: options.http,
      now: () => task.readAt + (performance.now() - task.readMark),
      random: options.random,
      current: () => current.target,
      lost: held.lost.signal,
      commit,
      leaseLeftMs: () => (options.isStopping() ? 0 : leases.leftMs(held)),
      async settleSend(outcome, transition) {
        try {
          if (await settleWithin(resultWithinMs, commit(transition))) return true;
        } catch (error) {
          events.trouble('outcome', error);
        }
        await writer.keep(current, outcome);
        return false;
      },
      order: (wanted) => orderRendition(db, task.media.id, wanted),
      textsInDoubt: () => textsInDoubt(db, current.target),
      minutesWithoutWorker: (since) => minutesWithoutWorker(db, since),
      media: (each) => mediaOf(each, options),
      spend: (connector, budget) => spend(db, connector, budget, { ...holderOf(task), userId: task.post.userId }),
      limitReached: (connector, failure) =>
        closeBudgets(db, connector, failure.scope, failure.window, holderOf(task), failure.waitMs),
      onBug: (error) => events.bug(error, task.target.id),
    };
  }
}

function holderOf({ account, target }: Task): BudgetHolder {
  return { accountId: account.id, identityId: target.identityId, service: account.service };
}

function limitSessions(sessions: SessionSource): SessionSource {
  return {
    connector: sessions.connector,
    open: (accountId, options) => settleWithin(SESSION_WITHIN_MS, sessions.open(accountId, options)),
    refresh: (accountId) => settleWithin(SESSION_WITHIN_MS, sessions.refresh(accountId)),
    refused: (accountId, failure) => settleWithin(SESSION_WITHIN_MS, sessions.refused(accountId, failure)),
  };
}

/** Platforms fetch within minutes, but ask for links that stay valid for a day. */
const LINK_LIFE_MS = 25 * 3_600_000;

function mediaOf(task: Task, { storage, link }: Pick<LaneRunnerOptions, 'storage' | 'link'>): Media {
  const { facts, sha256, storageKey } = task.media;
  return {
    bytes: facts.bytes,
    sha256,
    mime: facts.mime,
    container: facts.container,
    durationMs: facts.durationMs,
    width: facts.width,
    height: facts.height,
    stream: (range) => settleWithin(READ_WITHIN_MS, storage.read(storageKey, range)),
    link: () => link(task.target.id, facts.container, task.readAt + LINK_LIFE_MS),
    async cover() {
      const picture = await settleWithin(READ_WITHIN_MS, storage.read(pictureKey(task.media.thumbnail)));
      return { mime: 'image/jpeg', bytes: await buffer(picture) };
    },
  };
}
