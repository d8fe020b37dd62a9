/** When a rule was active, as far as its user can know. Pure. */

/** A change of a rule, which took effect between two moments. In ms since the epoch by the service's clock. */
export interface RuleChange {
  becomes: 'on' | 'off' | 'gone';
  from: number;
  to: number;
}

/** `must`: the rule reposts what was posted then. `never`: it does not. */
export type Duty = 'must' | 'may' | 'never';

/**
 * What a rule does about a post.
 * @param changes its changes in order; before the first it was on @param moment earliest and latest time of the post
 */
export function dutyOf(changes: readonly RuleChange[], moment: { from: number; to: number }): Duty {
  if (changes.some(({ from, to }) => from <= moment.to && to >= moment.from)) return 'may';
  const state = changes.findLast(({ to }) => to < moment.from)?.becomes ?? 'on';
  if (state !== 'on') return 'never';
  // A deleted rule takes along what has not begun.
  return changes.some(({ becomes, from }) => becomes === 'gone' && from > moment.to) ? 'may' : 'must';
}
