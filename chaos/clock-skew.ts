/** Wall clocks that disagree: each worker runs minutes ahead of or behind the others, through libfaketime where it is installed. */
import { globSync } from 'node:fs';

/** Minutes by worker, in turn. More than any time limit of a token or a lease between two processes may bear. */
const SKEW_MINUTES = [0, 11, -11] as const;

export interface ClockSkew {
  /** Minutes that the clock of this process is ahead. */
  minutes: number;
  /** For the environment of the process. */
  env: Record<string, string>;
}

/** @param index of the worker, from 0. Without libfaketime every clock is right */
export function clockSkew(index: number): ClockSkew {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  const minutes = SKEW_MINUTES[index % SKEW_MINUTES.length] ?? 0;
  if (!library || minutes === 0) return { minutes: 0, env: {} };
  return {
    minutes,
    // Timers and leases count on the monotonic clock, which no administrator sets.
    env: { LD_PRELOAD: library, FAKETIME: `${minutes > 0 ? '+' : ''}${minutes}m`, FAKETIME_DONT_FAKE_MONOTONIC: '1' },
  };
}
