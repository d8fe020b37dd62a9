/** A seeded pseudorandom generator (mulberry32), so that a seed repeats a run's plan. */

export interface Random {
  /** 0 ≤ x < 1 */
  next(): number;
  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
  /** Some of the items, in random order. */
  sample<T>(items: readonly T[], count: number): T[];
  chance(probability: number): boolean;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const sample = <T>(items: readonly T[], count: number): T[] => {
    const left = [...items];
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(below(left.length), 1)).flat();
  };
  return {
    next,
    below,
    sample,
    chance: (probability) => next() < probability,
    pick(items) {
      const [item] = items.slice(below(items.length));
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
  };
}
