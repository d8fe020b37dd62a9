/**
 * Virtual time: timers, clocks and the database's clock advance together in small steps. They advance only when a test
 * requests it and no work is in progress. A minute of leases, renewals and pauses takes milliseconds, and a busy
 * machine causes no timeouts.
 */
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type http from 'node:http';
import { vi } from 'vitest';
import type { Queryable } from '../../src/db/database.ts';

export interface VirtualTime {
  /** Ms since the epoch. */
  now(): number;
  /**
   * Advances time until a condition holds.
   * @returns false if it did not hold within `withinMs`
   */
  until(holds: () => Promise<boolean>, withinMs: number): Promise<boolean>;
  /** Advances time by `ms`. */
  pass(ms: number): Promise<void>;
  /** Restores the real clocks. */
  end(): void;
}

/** Work that must finish before time advances, besides HTTP requests, file operations and child processes. */
export interface Work {
  /** Number of connections being opened. */
  connecting(): number;
  /** Number of statements whose response has not been read yet. */
  statements(): number;
  /** A number that changes whenever work makes progress. */
  progress(): number;
}

export interface VirtualTimeOptions {
  /** A database whose `app_now()` returns the virtual time; on a pool without injected faults. */
  db: Queryable;
  work: Work;
}

const STEP_MS = 500;
/** After this many event loop turns without work, none is expected. */
const CALM_TURNS = 6;
/** After this many turns, yield the CPU to the awaited work for 1 ms per turn. */
const BUSY_TURNS = 20;
/** After this many turns without progress, work may be waiting for time itself. */
const STALLED_TURNS = 45;
/** Maximum standstill in real ms: then time advances regardless of what is waiting. */
const MAX_STALL_MS = 20_000;
/** Names in `process.getActiveResourcesInfo()` of operations that finish on their own. */
const OPERATIONS =
  /^(FSReq|FileHandleCloseReq|TCPConnect|PipeConnect|GetAddrInfo|Scrypt|PBKDF2|RandomBytes|Hash|Sign|Cipher)/;

const realTimeout = globalThis.setTimeout;
const realNow = performance.now.bind(performance);
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const shortly = () => new Promise<void>((resolve) => realTimeout(resolve, 1));
const operations = () => process.getActiveResourcesInfo().some((name) => OPERATIONS.test(name));

/** Replaces this process's clocks. Call `end`. */
export function startVirtualTime(): { attach(options: VirtualTimeOptions): Promise<VirtualTime>; end(): void } {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    now: Date.now(),
  });
  const local = watchWork();
  const end = () => {
    local.end();
    vi.useRealTimers();
  };
  return {
    end,
    async attach({ db, work }) {
      await db.execute('create table test_clock.moment (at timestamptz not null)');
      await db.execute('insert into test_clock.moment values ($1)', [new Date()]);
      await db.execute(
        'create or replace function app_now() returns timestamptz language sql stable as $$ select at from test_clock.moment $$',
      );
      const isBusy = () => work.statements() + work.connecting() + local.underWay() > 0 || operations();
      /** Whether all work in progress waits for time: for a timer, or for a lock that only a timeout ends. */
      const waitsForTime = async () => {
        if (local.processes() > 0 || work.connecting() > 0 || operations()) return false;
        // Excludes statements that the server has not read yet, or whose response has not been read here.
        const [row] = await db.query<{ count: number }>(
          `select count(*)::integer from pg_stat_activity
           where datname = current_database() and state = 'active' and wait_event_type = 'Lock'`,
        );
        return (row?.count ?? 0) >= work.statements();
      };
      const calm = async () => {
        const began = realNow();
        let seen = -1;
        for (let calmTurns = 0, idleTurns = 0; calmTurns < CALM_TURNS; idleTurns++) {
          await (idleTurns > BUSY_TURNS ? shortly() : turn());
          calmTurns = isBusy() ? 0 : calmTurns + 1;
          const now = work.progress() + local.progress();
          if (now !== seen) idleTurns = 0;
          seen = now;
          if (idleTurns < STALLED_TURNS) continue;
          if (realNow() - began > MAX_STALL_MS || (await waitsForTime())) return;
          idleTurns = 0;
        }
      };
      const step = async () => {
        // The database first: if a worker's clock ran ahead of it, nothing would be due.
        await db.execute('update test_clock.moment set at = $1', [new Date(Date.now() + STEP_MS)]);
        vi.advanceTimersByTime(STEP_MS);
        await calm();
      };
      return {
        now: () => Date.now(),
        end,
        async until(holds, withinMs) {
          await calm();
          for (const end = Date.now() + withinMs; ; ) {
            if (await holds()) return true;
            if (Date.now() >= end) return false;
            await step();
          }
        },
        async pass(ms) {
          for (const end = Date.now() + ms; Date.now() < end; ) await step();
        },
      };
    },
  };
}

/** Tracks requests that this process serves, and processes that it has started. */
function watchWork() {
  let requests = 0;
  let processes = 0;
  let progress = 0;
  const onRequest = (message: unknown) => {
    const { response } = message as { response: http.ServerResponse };
    requests++;
    progress++;
    response.once('close', () => {
      requests--;
      progress++;
    });
  };
  const onProcess = (message: unknown) => {
    const child = (message as { process: ChildProcess }).process;
    processes++;
    child.once('close', () => {
      processes--;
      progress++;
    });
  };
  subscribe('http.server.request.start', onRequest);
  subscribe('child_process', onProcess);
  return {
    underWay: () => requests + processes,
    processes: () => processes,
    progress: () => progress,
    end() {
      unsubscribe('http.server.request.start', onRequest);
      unsubscribe('child_process', onProcess);
    },
  };
}
