/** `Idempotency-Key`: one hour, per account; a second request with the same key waits for the first. */
import { setTimeout as delay } from 'node:timers/promises';
import type { World } from './state.ts';

const KEPT_MS = 3_600_000;
/** A first request that is older is taken for dead, ms. */
const DEAD_MS = 30_000;
/** How long a second request waits for the first, and how often it looks, ms. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 10;

interface Entry {
  at: number;
  /** Null while the first request runs. */
  statusId: string | null;
}

export type Claim =
  | { kind: 'first'; done(statusId: string): Promise<void>; drop(): Promise<void> }
  | { kind: 'replay'; statusId: string }
  | { kind: 'busy' };

/** Takes the key, finds what was made with it, or gives up waiting for the request that has it. */
export async function claimKey(world: World, accountId: string, key: string): Promise<Claim> {
  const name = `${accountId} ${key}`;
  const books = world.options.books;
  const patienceEnds = performance.now() + PATIENCE_MS;
  for (;;) {
    let mine = false;
    const entry = await books.change<Entry>('idempotency', name, (current) => {
      const now = world.now();
      const lives = current && now - current.at < (current.statusId === null ? DEAD_MS : KEPT_MS);
      mine = !lives;
      return lives ? undefined : { at: now, statusId: null };
    });
    if (mine)
      return {
        kind: 'first',
        done: (statusId) => books.put<Entry>('idempotency', name, { at: world.now(), statusId }),
        drop: () => books.remove('idempotency', name),
      };
    if (entry?.statusId) return { kind: 'replay', statusId: entry.statusId };
    if (performance.now() > patienceEnds) return { kind: 'busy' };
    await delay(LOOK_MS);
  }
}
