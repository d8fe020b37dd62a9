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
  const next = new Map<string, string[]>();
  for (const edge of edges) next.set(edge.from, [...(next.get(edge.from) ?? []), edge.to]);
  const seen = new Set<string>();
  const pending = [...to];
  for (let account = pending.pop(); account !== undefined; account = pending.pop()) {
    if (account === from) return true;
    if (seen.has(account)) continue;
    seen.add(account);
    pending.push(...(next.get(account) ?? []));
  }
  return false;
}
