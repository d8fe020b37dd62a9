/**
 * Delays by number of attempts, in ms, such as `[1_000, 5_000, 60_000]`. The last one applies to all further attempts.
 */
export type Delays = readonly [number, ...number[]];

/** @param attempts attempts made so far, from 0 */
export function delayAfter(delays: Delays, attempts: number): number {
  return delays[attempts] ?? delays.at(-1) ?? 0;
}
