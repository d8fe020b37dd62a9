/** Writes decisions under the fencing token, exactly once. Reads the row again when the response was lost. */
import { type Database, isAway } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { say } from '../messages/timeline.ts';
import { afterTakenId } from './decide.ts';
import type { EvidenceKeeper } from './evidence.ts';
import type { Evidence } from './evidence-store.ts';
import { writeFailed } from './failed.ts';
import type { HeldLane, Leases } from './leases.ts';
import { writePosted } from './record-posted.ts';
import type { SendOutcome } from './send.ts';
import type { Transition } from './target.ts';
import { readVersion } from './target-store.ts';
import { createTargetWrites } from './target-writes.ts';
import type { Task } from './task.ts';

export interface Writer {
  /** @returns false when the lane was lost or the target has changed: nothing was written */
  write(task: Task, transition: Transition, held: HeldLane | undefined, leaseMs: number | null): Promise<boolean>;
  /** Keeps the proof of a send whose target could not be written under the fencing token. */
  keep(task: Task, outcome: SendOutcome): Promise<void>;
}

export interface WriterOptions {
  db: Database;
  sealer: Sealer;
  evidence: EvidenceKeeper;
  leases: Leases;
  isAborted: () => boolean;
  random: () => number;
}

const READ_AGAIN_AFTER_MS = 100;

export function createWriter({ db, sealer, evidence, leases, isAborted, random }: WriterOptions): Writer {
  const writes = createTargetWrites(db, sealer, isAborted);
  const writeOnce = async (task: Task, transition: Transition, leaseMs: number | null): Promise<boolean> => {
    if (transition.target.state === 'failed') return writeFailed(db, sealer, task, transition, leaseMs);
    const write = { task, transition, leaseMs };
    if (transition.target.state !== 'posted') return (await writes.write(write)) === 'written';
    const result = await writePosted({ db, sealer, task, transition, writeUnfollowed: () => writes.write(write) });
    if (result !== 'taken') return result === 'written';
    const why = say('remote_id_taken');
    const now = task.readAt + (performance.now() - task.readMark);
    return writeOnce(task, afterTakenId(task.target, why, { now, random }), null);
  };
  /** If the write succeeded, the step continues. Otherwise it stops here and the lane's next holder continues. */
  const wasWritten = async (task: Task, transition: Transition, held: HeldLane | undefined): Promise<boolean> => {
    while (!isAborted() && held && leases.leftMs(held) > 0) {
      await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_AFTER_MS));
      try {
        const row = await readVersion(db, task.target.id);
        const { state, sends } = transition.target;
        return row?.version === task.target.version + 1 && row.state === state && row.sends === sends;
      } catch (error) {
        if (!isAway(error)) throw error;
      }
    }
    return false;
  };
  return {
    async write(task, transition, held, leaseMs) {
      if (isAborted()) return false;
      const mark = leases.mark();
      try {
        if (!(await writeOnce(task, transition, leaseMs))) return false;
      } catch (error) {
        if (!isAway(error)) throw error;
        if (!(await wasWritten(task, transition, held))) return false;
      }
      if (leaseMs !== null && held) leases.prolong(held, mark, leaseMs);
      return true;
    },
    async keep(task, outcome) {
      const piece = evidenceOf(task, outcome);
      if (piece && !isAborted()) await evidence.record(piece);
    },
  };
}

/** Evidence of a send, without a fencing token. A rejection needs none: later verification finds the same. */
function evidenceOf(task: Task, outcome: SendOutcome): Evidence | null {
  const send = { targetId: task.target.id, commitNumber: task.target.sends };
  if (outcome.kind === 'void') return { ...send, proves: 'void', why: outcome.failure.detail.text };
  if (outcome.kind !== 'done') return null;
  const { result } = outcome;
  if (result.then === 'posted') return { ...send, proves: 'posted', published: result.published };
  if (result.then !== 'confirming') return null;
  return { ...send, proves: 'accepted', checkpoint: result.checkpoint, sha256: task.media.sha256 };
}
