import { availableParallelism } from 'node:os';
import type { Claim } from '../../queue/claim.ts';
import { createDueLoop, type DueLoop } from '../../queue/loop.ts';
import { LEASE_MS, makeRendition, type RenditionDeps } from './make-rendition.ts';
import { claimRenditions, type RenditionRow } from './rendition-store.ts';

/**
 * Creates the loop that makes renditions, one per core at a time. Stopping it aborts those in progress. It is not
 * started yet.
 */
export function createRenditionLoop(deps: RenditionDeps): DueLoop {
  const stopping = new AbortController();
  const loop = createDueLoop<Claim<RenditionRow>>({
    claim: (limit) => claimRenditions(deps.db, { limit, leaseMs: LEASE_MS }),
    run: (claim) => makeRendition(deps, claim, stopping.signal),
    concurrency: availableParallelism(),
    onError: deps.onError,
  });
  return {
    ...loop,
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}
