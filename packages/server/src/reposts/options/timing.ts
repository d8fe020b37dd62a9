/** The time of a repost, by delay and jitter. Times are in ms since the epoch. Pure. */
import { MINUTE } from '../../lib/time.ts';
import type { RuleOptions } from './rule-options.ts';

/**
 * The earliest time of a repost, by delay and jitter.
 * @param content `random`: a number in [0, 1) that is drawn once and stored, so that a retry gets the same time
 */
export function earliestAt(
  { delayMinutes, jitterMinutes }: Pick<RuleOptions, 'delayMinutes' | 'jitterMinutes'>,
  content: { seenAt: number; random: number },
): number {
  return content.seenAt + delayMinutes * MINUTE + Math.floor(content.random * jitterMinutes * MINUTE);
}
