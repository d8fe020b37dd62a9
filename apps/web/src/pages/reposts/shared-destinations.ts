/** Finds destinations to which several rules repost. Pure. */
import type { Rule } from '@reelay/sdk';

type Account = Rule['from'];

export interface SharedDestination {
  to: Account;
  /** Source accounts of the other rules, without duplicates. */
  sources: Account[];
}

/**
 * Finds the destinations of a rule to which other rules repost, in the order of the rule.
 * @param rule an existing rule, or the accounts of a new one
 */
export function sharedDestinations(
  rules: readonly Pick<Rule, 'id' | 'from' | 'to'>[],
  rule: { id: string | null; from: string | null; to: readonly string[] },
): SharedDestination[] {
  return rule.to.flatMap((id) => {
    const others = rules.filter((other) => other.id !== rule.id && other.from.id !== rule.from && leadsTo(other, id));
    const to = others[0]?.to.find((each) => each.id === id);
    if (!to) return [];
    return [{ to, sources: [...new Map(others.map(({ from }) => [from.id, from])).values()] }];
  });
}

/** Counts the source accounts of the rules that repost to an account. */
export function countSources(rules: readonly Pick<Rule, 'from' | 'to'>[], id: string): number {
  return new Set(rules.filter((rule) => leadsTo(rule, id)).map(({ from }) => from.id)).size;
}

const leadsTo = ({ to }: Pick<Rule, 'to'>, id: string) => to.some((account) => account.id === id);
