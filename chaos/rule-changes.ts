/** Users who change their minds about a rule: they pause and resume it, delete it, or disconnect its source. */
import type { AccountService, ChaosUser } from './accounts.ts';
import { type ApiResponse, call } from './calls.ts';
import { type AddedRule, accountKey, RULE_OPTIONS } from './circuit-rules.ts';
import { reconnectAccount } from './post-changes.ts';
import type { Random } from './random.ts';
import type { RuleChange } from './rule-duty.ts';

export interface RuleChangeDeps {
  url: string;
  accountService: AccountService;
  users: readonly ChaosUser[];
  /** Ids of the accounts by user and place. */
  accountIds: ReadonlyMap<string, string>;
  /** Ms since the epoch by the service's clock. */
  now(): number;
  /** Waits for this share of the run. */
  waitFor(share: number): Promise<void>;
}

/** @throws Error if the first request was refused; a later one may find its work done */
async function changed(response: Promise<ApiResponse>): Promise<void> {
  const { status, attempts } = await response;
  if (status >= 400 && attempts === 1) throw new Error(`A change of a rule was refused: ${status}`);
}

/**
 * Makes the planned change of a rule.
 * @returns when the rule was turned on and off
 */
export async function changeRule(
  deps: RuleChangeDeps,
  { plan, rule }: AddedRule,
  random: Random,
): Promise<RuleChange[]> {
  const { url, accountService, users, accountIds, now, waitFor } = deps;
  const user = users[plan.user];
  if (!plan.change || !user) return [];
  const to = { url, key: user.key };
  const made: RuleChange[] = [];
  const record = async (becomes: RuleChange['becomes'], act: () => Promise<unknown>) => {
    const from = now();
    await act();
    made.push({ becomes, from, to: now() });
  };
  const first = 0.2 + random.next() * 0.3;
  await waitFor(first);
  if (plan.change === 'delete') {
    await record('gone', () => changed(call(to, 'POST', '/repost/delete', () => ({ id: rule.id }))));
  } else if (plan.change === 'pause') {
    const pause = (isPaused: boolean) => changed(call(to, 'POST', '/repost/pause', () => ({ id: rule.id, isPaused })));
    await record('off', () => pause(true));
    await waitFor(first + 0.1 + random.next() * 0.2);
    await record('on', () => pause(false));
  } else {
    const id = accountIds.get(accountKey(plan.user, plan.from)) ?? '';
    await record('gone', () => reconnectAccount(accountService, user, { id, ...plan.from }));
    await waitFor(first + 0.1);
    // The response 409 says that an earlier request without a response has added it.
    const given = () => ({ from: rule.from, to: rule.to, options: RULE_OPTIONS });
    await record('on', () => changed(call(to, 'POST', '/repost/add', given)));
  }
  return made;
}
