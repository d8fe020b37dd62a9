/** Compares found posts with our own, and lets rules decide about those made elsewhere. */
import type { Database, Transaction } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { uuidv7 } from '../lib/ids.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import { isEdited } from '../lineage/early-edit.ts';
import { addFiringsOfWatched } from '../lineage/firings.ts';
import { type Match, matchPost } from '../lineage/match.ts';
import { holdOrigins } from '../lineage/origins.ts';
import { applyEvidence } from '../publishing/evidence-store.ts';
import { type Claim, runOrRetry } from '../queue/claim.ts';
import { lockLanes } from '../queue/lane-locks.ts';
import { createDueLoop, type DueLoop } from '../queue/loop.ts';
import { holderOf } from '../queue/shares.ts';
import {
  dueFound,
  type FoundRow,
  namePlacement,
  noteEarlyEdit,
  placeFound,
  readMatchFacts,
  readSends,
  writeMatch,
} from './found-post-store.ts';

export interface MatchDeps {
  db: Database;
  sealer: Sealer;
  /** Called when rules must decide. */
  onFirings(): void;
}

const LEASE_MS = MINUTE;
const MAX_WAIT_MS = MINUTE;

/**
 * Compares one post. A post that may be ours waits until the target is settled; it then is ours, or proves nothing and
 * was made elsewhere.
 */
export async function matchFound(deps: MatchDeps, claim: Claim<FoundRow>): Promise<Match['kind']> {
  const { db } = deps;
  const { row } = claim;
  const match = await db.transaction(async (tx) => {
    await holdOrigins(tx, { alone: false });
    await lockLanes(tx, [row.identity_id]);
    const facts = await readMatchFacts(tx, row);
    const found = matchPost(facts);
    await record(tx, claim, found);
    return found;
  });
  if (match.kind === 'wait') {
    const afterMs = Math.min(MAX_WAIT_MS, SECOND * 2 ** Math.min(10, claim.attempts));
    await dueFound.release(db, claim, { afterMs, failed: true });
  } else if (match.kind === 'proof') {
    const sends = await readSends(db, match.targetId);
    const published = { remoteId: row.remote_id, url: row.url, publishedAt: row.published_at.getTime() };
    if (sends !== undefined)
      await applyEvidence(db, deps.sealer, {
        targetId: match.targetId,
        commitNumber: sends,
        proves: 'posted',
        published,
      });
    // The ledger has it now.
    await dueFound.release(db, claim, { afterMs: 0, failed: true });
  }
  if (match.kind !== 'wait') deps.onFirings();
  return match.kind;
}

/** @throws Error when another worker has the post: then nothing is written */
async function record(tx: Transaction, claim: Claim<FoundRow>, match: Match): Promise<void> {
  const { row, key: id } = claim;
  const write = async (state: 'own' | 'foreign' | 'echo', originId: string) => {
    if (!(await writeMatch(tx, claim, { state, originId }))) throw new Error('Another worker claimed the post.');
  };
  const noteEdit = async (sent: string) => {
    if (isEdited(sent, row.text)) await noteEarlyEdit(tx, id);
  };
  if (match.kind === 'known') {
    await write(match.isOurs ? 'own' : match.isUnclear ? 'echo' : 'foreign', match.originId);
    if (match.isOurs) await noteEdit(match.text);
    // Without the user, nobody can say whose rules have already decided.
    if (!match.isOurs || match.userId !== null) await addFiringsOfWatched(tx, id, match.userId);
  } else if (match.kind === 'named') {
    const { originId, placementId, text } = match.post;
    await write('own', originId);
    await noteEdit(text);
    await namePlacement(tx, placementId, row);
    // Rules that decided when the target was posted have a firing of this origin. Others learn only now that it is there.
    await addFiringsOfWatched(tx, id, null);
  } else if (match.kind === 'foreign' || match.kind === 'unclear') {
    const originId = uuidv7();
    const isUnclear = match.kind === 'unclear';
    await write(isUnclear ? 'echo' : 'foreign', originId);
    await placeFound(tx, row, { originId, isUnclear });
    await addFiringsOfWatched(tx, id, null);
  }
}

/** Creates the loop that compares found posts. It is not started yet. */
export function createMatchLoop(deps: MatchDeps & { onError(error: unknown): void }): DueLoop {
  const { db, onError } = deps;
  return createDueLoop<Claim<FoundRow>>({
    claim: (limit, limits) => dueFound.claim(db, { limit, leaseMs: LEASE_MS, limits }),
    holder: holderOf,
    run: (claim) =>
      runOrRetry(db, dueFound, claim, { run: () => matchFound(deps, claim), onError, maxPauseMs: 5 * MINUTE }),
    concurrency: 8,
    withinMs: LEASE_MS,
    share: 2,
    onError,
  });
}
