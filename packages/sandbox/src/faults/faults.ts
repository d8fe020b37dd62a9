/**
 * Fault injection for simulators, used by tests. "Before" means that the simulator never sees the request. "After"
 * means that it processed the request, and only the response is lost or corrupted.
 */
import type { PlatformRefusal, SimulatorResponse } from '../contract.ts';

export type Fault =
  /** Resets the connection after `afterBytes` bytes of the body (0: at once; absent: after the complete body). */
  | { kind: 'reset-before'; afterBytes?: number }
  | { kind: 'reset-after' }
  /** Reads the body and never responds; the connection stays open until the client gives up. */
  | { kind: 'timeout-before' }
  | { kind: 'timeout-after' }
  /** A page that is not a platform response, with status 200 by default. */
  | { kind: 'garbage'; acted: boolean; status?: number }
  /** Replaces the real response. */
  | { kind: 'status'; answer: SimulatorResponse; acted?: boolean }
  /** The platform's own error response. */
  | { kind: 'refusal'; refusal: PlatformRefusal; acted?: boolean }
  /** The real response, with its body sent byte by byte over this many ms. */
  | { kind: 'slow-body'; ms: number }
  /** Waits for the test before the simulator acts (after reading the body), or between acting and responding. */
  | { kind: 'pause'; at: 'before' | 'after'; hold: Promise<void> }
  /** Redirects the client to the same URL. */
  | { kind: 'redirect'; status: 307 | 308; acted?: boolean }
  /** Reads the body and resets the connection. The simulator acts when the test calls {@link FaultHandle.release}. */
  | { kind: 'late-execution' };

export interface FaultRequest {
  method: string;
  /** Path below the simulator's prefix, without the query. */
  path: string;
  /** Number of this request among all since the start, from 1. */
  count: number;
  /** Number of this request among those with its method and path, from 1. */
  nth: number;
}

export interface FaultHandle {
  /** Number of requests into which the fault was injected. */
  hits(): number;
  remove(): void;
  /** Runs the requests that `late-execution` deferred; resolves when they are done. */
  release(): Promise<void>;
}

export interface TakenFault {
  fault: Fault;
  /** Defers work until {@link FaultHandle.release}. */
  defer(work: () => Promise<void>): void;
}

export interface Faults {
  /** The first matching rule applies. @param rule.times maximum number of injections; absent: unlimited */
  add(rule: { when: (request: FaultRequest) => boolean; times?: number; fault: Fault }): FaultHandle;
  /** Removes all rules. */
  clear(): void;
  /** Counts a request and returns the fault to inject, if any. Called by the handler. */
  take(method: string, path: string): TakenFault | null;
}

/** Creates a fault registry without rules. */
export function createFaults(): Faults {
  const rules = new Set<{ strikes(request: FaultRequest): TakenFault | null }>();
  const counts = new Map<string, number>();
  let count = 0;
  return {
    add({ when, times = Number.POSITIVE_INFINITY, fault }) {
      let hits = 0;
      let held: (() => Promise<void>)[] = [];
      const rule = {
        strikes(request: FaultRequest): TakenFault | null {
          if (hits >= times || !when(request)) return null;
          hits += 1;
          return { fault, defer: (work) => held.push(work) };
        },
      };
      rules.add(rule);
      return {
        hits: () => hits,
        remove: () => rules.delete(rule),
        async release() {
          const work = held;
          held = [];
          for (const run of work) await run();
        },
      };
    },
    clear: () => rules.clear(),
    take(method, path) {
      const name = `${method} ${path}`;
      const nth = (counts.get(name) ?? 0) + 1;
      counts.set(name, nth);
      count += 1;
      for (const rule of rules) {
        const taken = rule.strikes({ method, path, count, nth });
        if (taken) return taken;
      }
      return null;
    },
  };
}
