/** How targets end whose user asked to stop trying. Pure. */
import { say } from '../messages/timeline.ts';
import type { Target, Transition } from './target.ts';
import { fail } from './transitions.ts';

/** Ends a target of which nothing was sent, or what was sent provably had no effect; null for others. */
export function stopBeforeSend(target: Target): Transition | null {
  const { state, stopRequested } = target;
  if (!stopRequested || state === 'committing' || state === 'unknown' || state === 'confirming') return null;
  return fail(target, 'stopped', say('stopped'));
}

/**
 * Ends a target that was verified, or polled, once more without a result. It may be published.
 * @param before what the transition began with
 */
export function stopAfterVerification(before: Target, transition: Transition): Transition {
  const { target, entries } = transition;
  const isVerified = before.state === 'unknown' || before.state === 'confirming';
  if (!before.stopRequested || !isVerified || target.state !== before.state) return transition;
  const ended = fail(target, 'outcome_unknown', say('stopped_unverified'), target.trouble?.platformCode);
  return { ...ended, entries: [...entries, ...ended.entries] };
}
