/** Reference for the search for cycles in the database: the same on edges in memory. */

/** A repost edge from one account to another. */
export interface Edge {
  from: string;
  to: string;
}

/**
 * Returns whether adding these edges closes a cycle of any length. A source among its own destinations is the shortest
 * cycle.
 */
export function closesCircle(edges: readonly Edge[], from: string, to: readonly string[]): boolean {
  const next = Map.groupBy(edges, (edge) => edge.from);
  const seen = new Set<string>();
  const pending = [...to];
  for (let account = pending.pop(); account !== undefined; account = pending.pop()) {
    if (account === from) return true;
    if (seen.has(account)) continue;
    seen.add(account);
    pending.push(...(next.get(account) ?? []).map((edge) => edge.to));
  }
  return false;
}
