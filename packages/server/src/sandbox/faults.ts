/**
 * Trouble that tests switch on in front of a simulator. "Before" means that the simulator never sees the request;
 * "after" means that it did everything and only the answer is lost or spoilt.
 */
import type { PlatformRefusal, SimulatorAnswer } from '../connectors/kit/simulator.ts';

export type Fault =
  /** Cuts the connection once `afterBytes` bytes of the body have come (0: at once; absent: when it is complete). */
  | { kind: 'reset-before'; afterBytes?: number }
  | { kind: 'reset-after' }
  /** Reads the body and never answers; the connection stays open until the client gives up. */
  | { kind: 'timeout-before' }
  | { kind: 'timeout-after' }
  /** A page that is no answer of the platform, with status 200 unless told. */
  | { kind: 'garbage'; acted: boolean; status?: number }
  /** Any answer in place of the true one. */
  | { kind: 'status'; answer: SimulatorAnswer; acted?: boolean }
  /** The platform's own way to say no. */
  | { kind: 'refusal'; refusal: PlatformRefusal; acted?: boolean }
  /** The true answer, its body byte by byte over this many ms. */
  | { kind: 'slow-body'; ms: number }
  /** Waits for the test before the simulator acts (the body is read first), or between acting and answering. */
  | { kind: 'pause'; at: 'before' | 'after'; hold: Promise<void> }
  /** Sends the client to the same address again. */
  | { kind: 'redirect'; status: 307 | 308; acted?: boolean }
  /** Reads the body, cuts the connection; the simulator acts when the test calls {@link FaultHandle.release}. */
  | { kind: 'late-execution' };

export interface FaultRequest {
  method: string;
  /** Below the simulator's prefix, without the query. */
  path: string;
  /** Number of this request among all since the start, from 1. */
  count: number;
  /** Number of this request among those of its method and path, from 1. */
  nth: number;
}

export interface FaultHandle {
  /** How many requests it has struck. */
  hits(): number;
  remove(): void;
  /** Lets the simulator act on the requests that `late-execution` held back; resolves when it has. */
  release(): Promise<void>;
}

export interface TakenFault {
  fault: Fault;
  /** Keeps work for {@link FaultHandle.release}. */
  defer(work: () => Promise<void>): void;
}

export interface Faults {
  /** The first rule that fits strikes. @param rule.times how often; absent: every time */
  add(rule: { when: (request: FaultRequest) => boolean; times?: number; fault: Fault }): FaultHandle;
  /** Takes all rules away. */
  clear(): void;
  /** Counts a request and says what strikes it, if anything; called by the handler. */
  take(method: string, path: string): TakenFault | null;
}

/** A switchboard with no fault on it. */
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
