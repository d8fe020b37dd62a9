import { availableParallelism } from 'node:os';
import type { Claim } from '../queue/claim.ts';
import { createDueLoop, type DueLoop } from '../queue/loop.ts';
import { LEASE_MS, makeRendition, type RenditionNeeds } from './make.ts';
import { claimRenditions, type RenditionRow } from './store.ts';

/**
 * Creates the loop that makes renditions, one per core at a time. Stopping it aborts those in progress. It is not
 * started yet.
 */
export function createRenditionLoop(needs: RenditionNeeds): DueLoop {
  const stopping = new AbortController();
  const loop = createDueLoop<Claim<RenditionRow>>({
    claim: (limit) => claimRenditions(needs.db, { limit, leaseMs: LEASE_MS }),
    run: (claim) => makeRendition(needs, claim, stopping.signal),
    concurrency: availableParallelism(),
    onError: needs.onError,
  });
  return {
    ...loop,
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}
