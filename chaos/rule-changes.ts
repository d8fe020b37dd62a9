/** Users who change their minds about a rule: they pause and resume it, delete it, or disconnect its source. */
import type { AccountDesk, ChaosUser } from './accounts.ts';
import { call } from './calls.ts';
import { type AddedRule, accountKey, RULE_OPTIONS } from './circuit-rules.ts';
import { turnOffAndOn } from './post-changes.ts';
import type { Random } from './random.ts';
import type { RuleTurn } from './rule-turns.ts';

export interface RuleChangeDeps {
  url: string;
  desk: AccountDesk;
  users: readonly ChaosUser[];
  /** Ids of the accounts by user and place. */
  accountIds: ReadonlyMap<string, string>;
  /** Ms since the epoch by the service's clock. */
  now(): number;
  /** Waits for this share of the run. */
  turn(share: number): Promise<void>;
}

/**
 * Makes the planned change of a rule.
 * @returns when the rule was turned on and off
 */
export async function changeRule(deps: RuleChangeDeps, { plan, rule }: AddedRule, random: Random): Promise<RuleTurn[]> {
  const { url, desk, users, accountIds, now, turn } = deps;
  const user = users[plan.user];
  if (!plan.change || !user) return [];
  const to = { url, key: user.key };
  const turns: RuleTurn[] = [];
  const record = async (becomes: RuleTurn['becomes'], act: () => Promise<unknown>) => {
    const from = now();
    await act();
    turns.push({ becomes, from, to: now() });
  };
  const first = 0.2 + random.next() * 0.3;
  await turn(first);
  if (plan.change === 'delete') {
    await record('gone', () => call(to, 'POST', '/repost/delete', () => ({ id: rule.id })));
  } else if (plan.change === 'pause') {
    const pause = (isPaused: boolean) => call(to, 'POST', '/repost/pause', () => ({ id: rule.id, isPaused }));
    await record('off', () => pause(true));
    await turn(first + 0.1 + random.next() * 0.2);
    await record('on', () => pause(false));
  } else {
    const id = accountIds.get(accountKey(plan.user, plan.from)) ?? '';
    await record('gone', () => turnOffAndOn(desk, user, { id, ...plan.from }));
    await turn(first + 0.1);
    // The answer 409 says that an earlier request without an answer has added it.
    const given = () => ({ from: rule.from, to: rule.to, options: RULE_OPTIONS });
    await record('on', () => call(to, 'POST', '/repost/add', given));
  }
  return turns;
}
