/** Applies evidence to targets. Unlike the writes of a lane's holder, these check no fencing token. */
import type { JsonObject, Published } from '../connectors/contract.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { addFirings } from '../lineage/firings.ts';
import { leaveTakenPlace } from '../lineage/occupancy.ts';
import { claimPlacement } from '../lineage/placement.ts';
import { reclaimPost } from '../lineage/reclaim.ts';
import { say } from '../messages/timeline.ts';
import { sealCheckpoint } from './checkpoint.ts';
import { storedPublished } from './stored-texts.ts';
import { appendTimeline } from './timeline-store.ts';

/** The proven outcome of one send. `commitNumber` identifies the send of the target. */
export type Evidence = { targetId: string; commitNumber: number } & (
  | { proves: 'posted'; published: Published }
  /** The platform accepted the post and is processing it. The checkpoint is used to poll for it. */
  | { proves: 'accepted'; checkpoint: JsonObject; sha256: string }
  /** This send provably had no effect. */
  | { proves: 'void'; why: string }
);

type Proof<Outcome extends Evidence['proves']> = Evidence & { proves: Outcome };

/**
 * Applies evidence to the target. `posted` applies in any state, including FAILED. `accepted` applies unless a later
 * send exists or the state is `posted` or `confirming`. `void` applies only while that send is unresolved.
 */
export async function applyEvidence(db: Database, sealer: Sealer, evidence: Evidence): Promise<void> {
  const { targetId } = evidence;
  const remoteId = evidence.proves === 'posted' ? storedPublished(evidence.published).remoteId : null;
  if (remoteId !== null) await reclaimPost(db, targetId, remoteId);
  await db.transaction(async (tx) => {
    const [target] = await tx.query<{ identityId: string }>(
      'select identity_id as "identityId" from target where id = $1',
      [targetId],
    );
    if (!target) return;
    // Lock order: lanes before targets.
    await tx.query('select 1 from lane where identity_id = $1 for update', [target.identityId]);
    if (evidence.proves !== 'void') await leaveTakenPlace(tx, targetId);
    if (evidence.proves === 'accepted') await applyAccepted(tx, sealer, evidence);
    else if (evidence.proves === 'void') await applyNotSent(tx, evidence);
    else if (!(await applyPosted(tx, evidence))) return;
    await tx.execute(
      `update lane set next_due_at = least(next_due_at, (select due_at from target where id = $2)) where identity_id = $1`,
      [target.identityId, targetId],
    );
  });
}

/** @returns false when the target was posted already */
async function applyPosted(tx: Transaction, { targetId, published }: Proof<'posted'>): Promise<boolean> {
  const { detail, remoteId, url, publishedAt } = storedPublished(published);
  const changed = await tx.execute(
    `update target set state = 'posted', due_at = null, settled_at = app_now(), code = null, platform_code = null, trouble = null,
       detail = $2, remote_id = $3, url = $4, published_at = coalesce($5, committed_at), version = version + 1
     where id = $1 and state <> 'posted'`,
    [targetId, detail, remoteId, url, publishedAt === null ? null : new Date(publishedAt)],
  );
  if (changed === 0) return false;
  // The remote id belongs to another post of this identity and must not be claimed.
  if (!(await claimPlacement(tx, targetId)))
    await tx.execute('update target set remote_id = null, url = null where id = $1', [targetId]);
  else await addFirings(tx, targetId);
  await appendTimeline(tx, [targetId], [{ event: 'posted', message: say('late_proof_posted') }]);
  return true;
}

/**
 * Decisions made without this response (given up, proven not posted, restored from a backup) did not know its result.
 * Only a later send, or a later platform response about this send, is newer.
 */
async function applyAccepted(tx: Transaction, sealer: Sealer, evidence: Proof<'accepted'>): Promise<void> {
  const { targetId, commitNumber, sha256, checkpoint } = evidence;
  const sealed = sealCheckpoint(sealer, targetId, { sha256, data: checkpoint });
  const changed = await tx.execute(
    `update target set state = 'confirming', due_at = app_now(), checkpoint = $3, confirming_since = app_now(),
       complete_since = null, unknown_since = null, not_posted_since = null, looks = 0, accept_duplicate = false,
       commit_number = $2, committed_at = coalesce(committed_at, app_now()), begun_at = coalesce(begun_at, app_now()),
       code = null, detail = null, platform_code = null, trouble = null, stop_requested = false, settled_at = null,
       version = version + 1
     where id = $1 and commit_number <= $2 and state not in ('posted', 'confirming')`,
    [targetId, commitNumber, sealed],
  );
  if (changed === 0) return;
  await appendTimeline(tx, [targetId], [{ event: 'confirming', message: say('late_proof_accepted') }]);
}

async function applyNotSent(tx: Transaction, { targetId, commitNumber, why }: Proof<'void'>): Promise<void> {
  const changed = await tx.execute(
    `update target set state = 'waiting', due_at = app_now(), unknown_since = null, not_posted_since = null,
       looks = 0, accept_duplicate = false, key_number = key_number + 1, version = version + 1
     where id = $1 and state in ('committing', 'unknown') and commit_number = $2`,
    [targetId, commitNumber],
  );
  const message = say('late_proof_not_sent', { reason: why });
  if (changed > 0) await appendTimeline(tx, [targetId], [{ event: 'not_posted', message }]);
}
