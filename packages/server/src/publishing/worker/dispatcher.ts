/** Claims due lanes and starts their runs, one claim at a time: at every poll, when woken, and when slots become free. */
import type { PublisherEvents } from '../events.ts';
import type { Claimer } from './claimer.ts';
import type { LaneRunner } from './lane-runner.ts';
import type { Slots } from './slots.ts';

export interface Dispatcher {
  /** Claims now, or after the current claim. */
  wake(): void;
  /** Claims once and starts the claimed lanes. @returns number of lanes */
  dispatch(): Promise<number>;
  isBusy(): boolean;
  stop(): void;
}

export interface DispatcherDeps {
  claimer: Claimer;
  slots: Slots;
  runLane: LaneRunner;
  events: PublisherEvents;
  /** Whether the worker takes new lanes. */
  isOpen: () => boolean;
  /** Called after the first claim. */
  onFirstClaim: () => Promise<void>;
}

/**
 * While more lanes wait than there are slots, a claim for one slot costs as much as one for many. The worker then waits
 * until this many slots are free, or this many ms.
 */
const WORTH_A_CLAIM = 24;
const COMPANY_MS = 20;

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { claimer, slots, events } = deps;
  let busy = false;
  let again = false;
  let soon: NodeJS.Timeout | null = null;

  async function dispatch(): Promise<number> {
    const claimed = await claimer.claim();
    for (const [held, task] of claimed) {
      void slots.occupy(held, deps.runLane(held, task)).finally(() => {
        if (slots.isCrowded()) wakeSoon();
      });
    }
    return claimed.length;
  }

  function wakeSoon(): void {
    const free = slots.free();
    if (free >= Math.min(WORTH_A_CLAIM, slots.count)) wake();
    else if (free > 0) soon ??= setTimeout(wake, COMPANY_MS);
  }

  function wake(): void {
    stop();
    if (!deps.isOpen()) return;
    if (busy) again = true;
    else void poll();
  }

  async function poll(): Promise<void> {
    busy = true;
    const isFirst = claimer.lastClaimAgeMs() === null;
    const claimed = await dispatch().catch((error) => {
      events.failed('claim', error);
      return 0;
    });
    busy = false;
    const isWoken = again;
    again = false;
    if (isWoken) setImmediate(wake);
    else if (slots.isCrowded() && claimed > 0) wakeSoon();
    if (isFirst) await deps.onFirstClaim().catch((error) => events.failed('heartbeat', error));
  }

  function stop(): void {
    if (soon) clearTimeout(soon);
    soon = null;
  }

  return { wake, dispatch, isBusy: () => busy, stop };
}
