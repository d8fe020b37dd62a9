/** The rules as a directed graph of accounts, with the checks of new arrows. Pure. */
import type { Rule } from '@reelay/sdk';

/** An arrow of the picture: one destination of a rule. */
export interface Arrow {
  ruleId: string;
  from: string;
  to: string;
}

export type Refusal =
  | { kind: 'self' }
  | { kind: 'exists'; ruleId: string }
  /** Accounts of the loop in order; the first and the last are the same. */
  | { kind: 'loop'; path: readonly string[] };

export function arrowsOf(rules: readonly Pick<Rule, 'id' | 'from' | 'to'>[]): Arrow[] {
  return rules.flatMap(({ id, from, to }) => to.map((account) => ({ ruleId: id, from: from.id, to: account.id })));
}

/** The id of an arrow in the picture. */
export const arrowId = ({ ruleId, to }: Pick<Arrow, 'ruleId' | 'to'>) => `${ruleId} ${to}`;

/** Destinations by source, each in the order of the arrows. */
function successors(arrows: readonly Arrow[]): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const { from, to } of arrows) next.set(from, [...(next.get(from) ?? []), to]);
  return next;
}

/**
 * The shortest path along the arrows, by breadth-first search.
 * @returns the accounts from start to end; null if there is no path
 */
export function findPath(arrows: readonly Arrow[], start: string, end: string): string[] | null {
  const next = successors(arrows);
  const before = new Map<string, string | null>([[start, null]]);
  const queue = [start];
  for (const account of queue) {
    if (account === end) break;
    for (const each of next.get(account) ?? [])
      if (!before.has(each)) {
        before.set(each, account);
        queue.push(each);
      }
  }
  if (!before.has(end)) return null;
  const path: string[] = [];
  for (let at: string | null | undefined = end; at; at = before.get(at)) path.unshift(at);
  return path;
}

/** The accounts and arrows on all paths that lead to an account and from it. The account itself is one of them. */
export function pathsThrough(arrows: readonly Arrow[], id: string): { accounts: Set<string>; arrows: Set<string> } {
  const after = reachable(arrows, id);
  const before = reachable(
    arrows.map(({ ruleId, from, to }) => ({ ruleId, from: to, to: from })),
    id,
  );
  const isOnPath = ({ from, to }: Arrow) => (after.has(from) && after.has(to)) || (before.has(from) && before.has(to));
  return { accounts: new Set([...before, ...after]), arrows: new Set(arrows.filter(isOnPath).map(arrowId)) };
}

function reachable(arrows: readonly Arrow[], start: string): Set<string> {
  const next = successors(arrows);
  const found = new Set([start]);
  // A set is iterated in the order of insertion, and what is added meanwhile is visited too.
  for (const id of found) for (const each of next.get(id) ?? []) found.add(each);
  return found;
}

/** Why an arrow cannot be drawn; null if it can. Paused rules count, as in the service. */
export function refusalOf(arrows: readonly Arrow[], from: string, to: string): Refusal | null {
  if (from === to) return { kind: 'self' };
  const same = arrows.find((arrow) => arrow.from === from && arrow.to === to);
  if (same) return { kind: 'exists', ruleId: same.ruleId };
  const back = findPath(arrows, to, from);
  return back ? { kind: 'loop', path: [from, ...back] } : null;
}

/** The ids of the arrows between consecutive accounts of a path. */
export function arrowsAlong(arrows: readonly Arrow[], path: readonly string[]): Set<string> {
  const steps = new Set(path.slice(1).map((to, index) => `${path[index]} ${to}`));
  return new Set(arrows.filter(({ from, to }) => steps.has(`${from} ${to}`)).map(arrowId));
}
