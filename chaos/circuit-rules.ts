/** Connects the accounts of circuits and adds their rules. */
import type { AccountService, ChaosUser } from './accounts.ts';
import { type Circuit, type CircuitRule, type Place, placeKey } from './circuits.ts';
import { addRule, type Rule } from './load.ts';

/** More than a rule reposts in a run; the default would let most wait for days. */
export const RULE_OPTIONS = { maxPerDay: 1_000 };

/** @returns ids of the accounts by user and place: see {@link accountKey} */
export async function connectCircuits(
  accountService: AccountService,
  users: readonly ChaosUser[],
  circuits: readonly Circuit[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { user, from, to } of circuits.flatMap(({ rules }) => rules))
    for (const place of [from, ...to]) {
      const key = accountKey(user, place);
      const { id = '' } = users[user] ?? {};
      if (!ids.has(key)) ids.set(key, await accountService.connect(id, place.platform, place.username));
    }
  return ids;
}

/** @param user index of the user */
export const accountKey = (user: number, place: Place) => `${user} ${placeKey(place)}`;

/** A rule of a circuit, with what was added. */
export interface AddedRule {
  plan: CircuitRule;
  rule: Rule;
}

/** Adds the rules of all circuits. */
export async function addCircuitRules(
  url: string,
  users: readonly ChaosUser[],
  circuits: readonly Circuit[],
  ids: ReadonlyMap<string, string>,
): Promise<AddedRule[]> {
  const idOf = ({ user }: CircuitRule, place: Place) => ids.get(accountKey(user, place)) ?? '';
  const added: AddedRule[] = [];
  for (const plan of circuits.flatMap(({ rules }) => rules)) {
    const given = { from: idOf(plan, plan.from), to: plan.to.map((place) => idOf(plan, place)) };
    added.push({ plan, rule: await addRule(url, users[plan.user]?.key ?? '', given, RULE_OPTIONS) });
  }
  return added;
}
