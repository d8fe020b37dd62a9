/** `Idempotency-Key`: valid for one hour per account. A second request with the same key waits for the first. */
import { setTimeout as delay } from 'node:timers/promises';
import { HOUR, SECOND } from '../../time.ts';
import type { World } from './state.ts';

/** Age in ms after which a first request without a result counts as dead. */
const DEAD_MS = 30 * SECOND;
/** Maximum wait of a second request for the first, and its poll interval, in ms. */
const PATIENCE_MS = 5 * SECOND;
const POLL_MS = 10;

interface Entry {
  at: number;
  /** null while the first request is in progress. */
  statusId: string | null;
}

export type Claim =
  | { kind: 'first'; done(statusId: string): Promise<void>; drop(): Promise<void> }
  | { kind: 'replay'; statusId: string }
  | { kind: 'busy' };

/** Claims the key, returns the status created with it, or gives up waiting for the request that holds it. */
export async function claimKey(world: World, accountId: string, key: string): Promise<Claim> {
  const name = `${accountId} ${key}`;
  const store = world.options.store;
  const patienceEnds = performance.now() + PATIENCE_MS;
  for (;;) {
    let mine = false;
    const entry = await store.change<Entry>('idempotency', name, (current) => {
      const now = world.now();
      const lives = current && now - current.at < (current.statusId === null ? DEAD_MS : HOUR);
      mine = !lives;
      return lives ? undefined : { at: now, statusId: null };
    });
    if (mine)
      return {
        kind: 'first',
        done: (statusId) => store.put<Entry>('idempotency', name, { at: world.now(), statusId }),
        drop: () => store.remove('idempotency', name),
      };
    if (entry?.statusId) return { kind: 'replay', statusId: entry.statusId };
    if (performance.now() > patienceEnds) return { kind: 'busy' };
    await delay(POLL_MS);
  }
}
