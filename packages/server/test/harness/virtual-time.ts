/**
 * Time that passes only when a test lets it: timers, clocks and the database's clock move together, in small steps, and
 * only once what runs has come to a halt. A minute of leases, renewals and pauses takes milliseconds, and a busy machine
 * makes nothing late.
 */

import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type http from 'node:http';
import { vi } from 'vitest';
import type { Queryable } from '../../src/db/database.ts';

export interface VirtualTime {
  /** ms since the epoch. */
  now(): number;
  /** Lets time pass until a condition holds. False: it did not within so many ms. */
  until(holds: () => Promise<boolean>, withinMs: number): Promise<boolean>;
  /** Lets so many ms pass. */
  pass(ms: number): Promise<void>;
  /** Gives the real clocks back. */
  end(): void;
}

export interface VirtualTimeOptions {
  /** A database whose `app_now()` shows this time; on a pool that nobody disturbs. */
  db: Queryable;
  /** Work that time waits for, beside HTTP requests and child processes. */
  busy: () => boolean;
  /** A number that changes whenever something happens. */
  progress: () => number;
}

const STEP_MS = 250;
/** Turns of the event loop without work after which nothing is expected any more. */
const CALM_TURNS = 12;
/** Turns after which the processor is left to those that are waited for. */
const BUSY_TURNS = 40;
/** Work that shows no progress for this long waits for time itself; child processes never do. */
const STALLED_MS = 30;

const realTimeout = globalThis.setTimeout;
const realNow = performance.now.bind(performance);
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const shortly = () => new Promise<void>((resolve) => realTimeout(resolve, 1));

/** Takes over this process's clocks. Call `end`. */
export function startVirtualTime(): { attach(options: VirtualTimeOptions): Promise<VirtualTime>; end(): void } {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    now: Date.now(),
  });
  const work = watchWork();
  const end = () => {
    work.end();
    vi.useRealTimers();
  };
  return {
    end,
    async attach({ db, busy, progress }) {
      await db.execute('create table test_clock.moment (at timestamptz not null)');
      await db.execute('insert into test_clock.moment values ($1)', [new Date()]);
      await db.execute(
        'create or replace function app_now() returns timestamptz language sql stable as $$ select at from test_clock.moment $$',
      );
      const calm = async () => {
        let since = realNow();
        let seen = progress() + work.progress();
        for (let turns = 0, idle = 0; turns < CALM_TURNS; idle++) {
          await (idle > BUSY_TURNS ? shortly() : turn());
          turns = busy() || work.underWay() > 0 ? 0 : turns + 1;
          const now = progress() + work.progress();
          if (now !== seen) idle = 0;
          if (now !== seen || work.slow()) since = realNow();
          else if (realNow() - since > STALLED_MS) return;
          seen = now;
        }
      };
      const step = async () => {
        // The database first: a worker whose clock runs ahead of it would find nothing due.
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

/** Requests that this process serves, and processes that it has started. */
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
    /** Whether a child process is at work. */
    slow: () => processes > 0,
    progress: () => progress,
    end() {
      unsubscribe('http.server.request.start', onRequest);
      unsubscribe('child_process', onProcess);
    },
  };
}
