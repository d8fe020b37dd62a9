import { availableParallelism } from 'node:os';
import type { Claim } from '../../queue/claim.ts';
import { createDueLoop, type DueLoop } from '../../queue/loop.ts';
import { holderOf, longShareOf } from '../../queue/shares.ts';
import { LEASE_MS, makeRendition, type RenditionDeps, WITHIN_MS } from './make-rendition.ts';
import { claimRenditions, type RenditionRow } from './rendition-store.ts';

/**
 * Creates the loop that makes renditions, one per core at a time; those of one user leave a core to others, if there are
 * several. Stopping it aborts those in progress. It is not started yet.
 */
export function createRenditionLoop(deps: RenditionDeps, cores = availableParallelism()): DueLoop {
  const stopping = new AbortController();
  const loop = createDueLoop<Claim<RenditionRow>>({
    claim: (limit, limits) => claimRenditions(deps.db, { limit, leaseMs: LEASE_MS, limits }),
    holder: holderOf,
    share: longShareOf(cores),
    run: (claim) => makeRendition(deps, claim, stopping.signal),
    concurrency: cores,
    withinMs: WITHIN_MS,
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
