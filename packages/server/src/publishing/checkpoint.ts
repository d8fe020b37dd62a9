/** Encrypts checkpoints and opens them again. */
import type { JsonObject } from '../connectors/contract.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import type { Target } from './target.ts';
import type { Task } from './task.ts';

interface SealedCheckpoint {
  /** Hash of the file it belongs to. Other bytes need a new session. */
  sha256: string;
  data: JsonObject;
}

const purposeOf = (targetId: string) => `checkpoint ${targetId}`;

/** Encrypts a checkpoint of a target. */
export function sealCheckpoint(sealer: Sealer, targetId: string, checkpoint: SealedCheckpoint): Buffer {
  return sealer.seal(checkpoint, purposeOf(targetId));
}

/**
 * Opens a checkpoint. A checkpoint for other bytes is discarded, except after a send: then it only identifies what to
 * verify, and the file may be gone. A checkpoint that cannot be decrypted (its key is missing on this node) must not
 * fail the other rows of the batch.
 */
export function openCheckpoint(
  sealer: Sealer,
  target: Pick<Target, 'id' | 'state'>,
  sealed: Buffer | null,
  sha256: string,
): { checkpoint: JsonObject | null; unreadable: Buffer | null } {
  if (!sealed) return { checkpoint: null, unreadable: null };
  let opened: SealedCheckpoint;
  try {
    opened = sealer.open<SealedCheckpoint>(sealed, purposeOf(target.id));
  } catch {
    return { checkpoint: null, unreadable: sealed };
  }
  return { checkpoint: isAfterSend(target) || opened.sha256 === sha256 ? opened.data : null, unreadable: null };
}

/**
 * The checkpoint to store with a target. Another node, or this one with its key restored, may need an unreadable
 * checkpoint to find the post. It is kept until the target is posted or proven not posted.
 */
export function checkpointToStore(sealer: Sealer, task: Task, target: Target): Buffer | null {
  const { checkpoint, id, code } = target;
  if (checkpoint) return sealCheckpoint(sealer, id, { sha256: task.media.sha256, data: checkpoint });
  return isAfterSend(target) || code === 'outcome_unknown' ? task.unreadable : null;
}

/** Returns whether the latest send may have reached the platform, so the checkpoint identifies what to verify. */
function isAfterSend({ state }: Pick<Target, 'state'>): boolean {
  return state === 'unknown' || state === 'confirming' || state === 'committing';
}
