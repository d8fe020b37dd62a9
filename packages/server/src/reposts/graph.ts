/** From one account to the accounts it is reposted to. */
export interface Edge {
  from: string;
  to: string;
}

/**
 * Whether content could come back to where it started, over chains of any length, once the source reposts to the
 * destinations. A source among its own destinations is the shortest such circle.
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
