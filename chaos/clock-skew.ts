/** Clock skew between workers: each runs some minutes fast or slow, if libfaketime is installed. */
import { globSync } from 'node:fs';

/** Skew in minutes, assigned to workers in turn. Larger than any tolerated time difference of tokens and leases. */
const SKEW_MINUTES = [0, 11, -11] as const;

export interface ClockSkew {
  /** Minutes by which the clock of this process is ahead. */
  minutes: number;
  /** Environment variables of the process. */
  env: Record<string, string>;
}

/** @param index of the worker, from 0. Without libfaketime there is no skew */
export function clockSkew(index: number): ClockSkew {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  const minutes = SKEW_MINUTES[index % SKEW_MINUTES.length] ?? 0;
  if (!library || minutes === 0) return { minutes: 0, env: {} };
  return {
    minutes,
    // Do not fake the monotonic clock: timers and leases use it, and administrators cannot set it.
    env: { LD_PRELOAD: library, FAKETIME: `${minutes > 0 ? '+' : ''}${minutes}m`, FAKETIME_DONT_FAKE_MONOTONIC: '1' },
  };
}
