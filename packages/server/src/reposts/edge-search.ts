/** Searches all edges of a user's rules in memory. */

const ID_BYTES = 16;

/**
 * Returns whether edges lead from any of the accounts to another one, which may be among them.
 * @param edges 32 bytes each: the ids of a source and of a destination
 * @param from ids of accounts @param to an id
 */
export function leadsTo(edges: Buffer, from: readonly string[], to: string): boolean {
  const next = new Map<string, string[]>();
  for (let at = 0; at < edges.length; at += 2 * ID_BYTES) {
    const source = edges.toString('latin1', at, at + ID_BYTES);
    const destination = edges.toString('latin1', at + ID_BYTES, at + 2 * ID_BYTES);
    const known = next.get(source);
    if (known) known.push(destination);
    else next.set(source, [destination]);
  }
  const goal = keyOf(to);
  const visited = new Set(from.map(keyOf));
  // A set passes on what is added meanwhile.
  for (const account of visited) {
    if (account === goal) return true;
    for (const neighbor of next.get(account) ?? []) visited.add(neighbor);
  }
  return false;
}

/** The bytes of an id as text. */
function keyOf(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('latin1');
}
