/** What one step of a target works with. */
import type { Connector, Media } from '../../connectors/contract.ts';
import type { Database } from '../../db/database.ts';
import type { ManagedHttp } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { closeBudgets, spend } from '../budgets.ts';
import { countCharged } from '../charged-reads.ts';
import type { PublisherEvents } from '../events.ts';
import type { HeldLane, Leases } from '../leases.ts';
import type { SessionSource } from '../sessions.ts';
import type { Task } from '../task.ts';
import type { Moment } from '../transitions.ts';
import type { Writer } from '../writer.ts';
import { createStepWriter, type StepWriter } from './step-writer.ts';
import { createTaskMedia, type MediaSource } from './task-media.ts';

export interface StepContext {
  clock: StepClock;
  db: Database;
  writer: StepWriter;
  sessions: SessionSource;
  /** The HTTP client for real platforms, or the one that may also reach the local simulators. */
  http: (sandbox: boolean) => ManagedHttp;
  budgets: AccountBudgets;
  lane: StepLane;
  media: Media;
  /** Reports this worker alive now. */
  beat(): Promise<void>;
  reportBug(error: unknown): void;
}

/** The database's clock, as far as this process knows it. */
export interface StepClock {
  /** ms since the epoch */
  now(): number;
  /** Time and randomness for a decision. */
  moment(): Moment;
}

/** The budgets that limit the calls of the task's account. */
export interface AccountBudgets {
  /** @throws BudgetEmpty */
  spend(connector: Connector, budget: string): Promise<void>;
  /** Counts charged reads of posts. They are never refused: a send without a known outcome must be verified. */
  countReads(connector: Connector, reads: number): Promise<void>;
  /** Closes the budgets to which a platform's "too many requests" response applies. */
  close(connector: Connector, limit: Failure & { kind: 'rateLimited' }): Promise<void>;
}

/** The lane that this worker holds. */
export interface StepLane {
  /** Aborted when another worker has taken the lane. */
  lost: AbortSignal;
  /** Remaining lease by this machine's clocks, in ms. 0: no irreversible call may start. */
  leftMs(): number;
}

export interface StepDeps extends MediaSource {
  db: Database;
  sessions: SessionSource;
  http: (sandbox: boolean) => ManagedHttp;
  events: PublisherEvents;
  random: () => number;
  /** If writing a send's result takes longer than this (in ms), the result is also kept as evidence. Default: 5,000. */
  resultWithinMs?: number;
  leases: Leases;
  writer: Writer;
  /** Reports this worker alive now. */
  beat: () => Promise<void>;
  /** No irreversible call may start any more. */
  isStopping: () => boolean;
}

/** Creates the context for the steps of a task in a held lane. */
export function createStepContext(deps: StepDeps, task: Task, held: HeldLane): StepContext {
  const { db, leases, random } = deps;
  const { account, post, target } = task;
  const spender = {
    accountId: account.id,
    identityId: target.identityId,
    service: account.service,
    userId: post.userId,
  };
  const now = () => task.readAt + (performance.now() - task.readMark);
  return {
    clock: { now, moment: () => ({ now: now(), random }) },
    db,
    writer: createStepWriter(deps, task, held),
    sessions: deps.sessions,
    http: deps.http,
    budgets: {
      spend: (connector, budget) => spend(db, connector, budget, spender),
      countReads: (connector, reads) =>
        countCharged(
          db,
          { platform: connector.id, charge: connector.watch?.charge, sandbox: false },
          { userId: spender.userId, isAsked: false },
          reads,
        ),
      close: (connector, { scope, window, waitMs }) => closeBudgets(db, connector, scope, window, spender, waitMs),
    },
    lane: { lost: held.lost.signal, leftMs: () => (deps.isStopping() ? 0 : leases.leftMs(held)) },
    media: createTaskMedia(deps, task),
    beat: deps.beat,
    reportBug: (error) => deps.events.bug(error, target.id),
  };
}
