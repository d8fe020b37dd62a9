/** Writes decisions so that none is lost or made twice: under the fence, read again when the answer was lost. */
import type { Database } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import type { Sealer } from '../seal.ts';
import { afterFailedLook, becomeUnknown } from './decide.ts';
import type { Evidence, EvidenceKeeper } from './evidence.ts';
import type { Held, Leases } from './leases.ts';
import { writePosted } from './posted.ts';
import type { SendOutcome } from './send.ts';
import { readVersion, type Task, writeTarget } from './store.ts';
import type { Transition } from './target.ts';

export interface Writer {
  /** @returns false when the lane was lost, or the target changed meanwhile: nothing was written */
  write(task: Task, transition: Transition, held: Held | undefined, leaseMs: number | null): Promise<boolean>;
  /** Keeps what a send proved although its target could not be written under the fence. */
  keep(task: Task, outcome: SendOutcome): Promise<void>;
}

export interface WriterOptions {
  db: Database;
  sealer: Sealer;
  evidence: EvidenceKeeper;
  leases: Leases;
  isCut: () => boolean;
  random: () => number;
}

const READ_AGAIN_AFTER_MS = 100;

export function createWriter({ db, sealer, evidence, leases, isCut, random }: WriterOptions): Writer {
  const writeOnce = async (task: Task, transition: Transition, leaseMs: number | null): Promise<boolean> => {
    if (transition.target.state !== 'posted') return writeTarget(db, sealer, task, transition, leaseMs);
    const result = await writePosted(db, sealer, task, transition);
    if (result !== 'taken') return result === 'written';
    const why = 'The platform named a post that another of our targets is; looking again.';
    const now = task.readAt + (performance.now() - task.readMark);
    const moment = { now, random };
    // A look that finds what is another's has found nothing, however often it is made.
    const next =
      task.target.state === 'unknown'
        ? afterFailedLook(task.target, { kind: 'unknownOutcome', detail: why }, moment)
        : becomeUnknown(task.target, why, moment);
    return writeTarget(db, sealer, task, next);
  };
  /** A step that was written goes on; one that was not stops here, and the lane's next holder takes it up. */
  const wasWritten = async (task: Task, transition: Transition, held: Held | undefined): Promise<boolean> => {
    while (!isCut() && held && leases.leftMs(held) > 0) {
      await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_AFTER_MS));
      try {
        const row = await readVersion(db, task.target.id);
        const { state, commitNumber } = transition.target;
        return row?.version === task.target.version + 1 && row.state === state && row.commitNumber === commitNumber;
      } catch (error) {
        if (!isAway(error)) throw error;
      }
    }
    return false;
  };
  return {
    async write(task, transition, held, leaseMs) {
      if (isCut()) return false;
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
      if (piece && !isCut()) await evidence.record(piece);
    },
  };
}

/** What a send proved, without fence; a refusal proves nothing that a later look would not find. */
function evidenceOf(task: Task, outcome: SendOutcome): Evidence | null {
  const send = { targetId: task.target.id, commitNumber: task.target.commitNumber };
  if (outcome.came === 'void') return { ...send, proves: 'void', why: outcome.failure.detail };
  if (outcome.came !== 'done') return null;
  const { result } = outcome;
  if (result.then === 'posted') return { ...send, proves: 'posted', published: result.published };
  if (result.then !== 'confirming') return null;
  return { ...send, proves: 'accepted', checkpoint: result.checkpoint, sha256: task.media.sha256 };
}

/** Whether an error says that the database does not answer. */
export function isAway(error: unknown): boolean {
  return error instanceof ReelayError && error.code === 'database_unavailable';
}
