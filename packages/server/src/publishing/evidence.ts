/**
 * Records the outcome of irreversible calls. A response is proof even from a worker that has since lost its lease, so
 * evidence carries no fencing token. Writing is retried until the database accepts it. After a delay it is also stored
 * in a file of the data folder, which the next start reads.
 */
import { join } from 'node:path';
import type { JsonObject, Published } from '../connectors/contract.ts';
import { type Database, type Queryable, sqlState } from '../db/database.ts';
import { isUuid } from '../ids.ts';
import type { Sealer } from '../seal.ts';
import { createSealedFiles, type SealedFiles } from '../sealed-files.ts';
import { sealCheckpoint } from './checkpoint.ts';
import { claimPlacement } from './placement.ts';
import { recordConsequences } from './posted.ts';
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

export interface EvidenceKeeper {
  /** Retries until the database accepts the evidence; writes a file after `fileAfterMs`. Never rejects. */
  record(evidence: Evidence): Promise<void>;
  /**
   * Applies evidence left by an earlier process. Evidence that cannot be read or applied is set aside. Evidence that
   * the database does not accept now is recorded in the background. Never rejects.
   * @returns number of applied records
   */
  readLeftOver(): Promise<number>;
  /** Number of records not yet written. */
  pending(): number;
  /** Number of files that could not be read or applied at the last start. */
  unreadable(): number;
}

export interface EvidenceOptions {
  db: Database;
  sealer: Sealer;
  /** Folder for evidence that the database does not accept. */
  folder: string;
  fileAfterMs: number;
  /** Waits between attempts; resolves early when the process stops. */
  pause: (ms: number) => Promise<void>;
  /** When aborted, no further attempts are made. The file remains. */
  signal: AbortSignal;
  onTrouble?: (error: unknown) => void;
  /** Called for each file that is set aside. */
  onUnreadable?: (file: string, error: unknown) => void;
}

/** The evidence folder inside the data folder. */
export function evidenceFolder(dataDir: string): string {
  return join(dataDir, 'evidence');
}

/** Sealed-file store for evidence. */
export function evidenceFiles(folder: string, sealer: Sealer): SealedFiles<Evidence> {
  return createSealedFiles<Evidence>({ folder, sealer, ending: '.evidence', purpose: 'evidence' });
}

export function createEvidenceKeeper(options: EvidenceOptions): EvidenceKeeper {
  const { db, sealer, folder } = options;
  const files = evidenceFiles(folder, sealer);
  let pending = 0;
  let unreadable = 0;
  const nameOf = (evidence: Evidence) => `${evidence.targetId}-${evidence.commitNumber}`;
  const setAside = async (name: string, aside: boolean, error: unknown) => {
    unreadable++;
    options.onUnreadable?.(name, error);
    if (!aside) await files.setAside(name).catch((each) => options.onTrouble?.(each));
  };
  /** @param name of the file that already contains it, if any; else null */
  const record = async (evidence: Evidence, name: string | null): Promise<void> => {
    pending++;
    const started = performance.now();
    let inFile: Promise<boolean> | null = name === null ? null : Promise.resolve(true);
    const ensureFile = () => {
      inFile ??= files.put(nameOf(evidence), evidence).then(
        () => true,
        () => {
          inFile = null;
          return false;
        },
      );
      return inFile;
    };
    // Use a timer instead of waiting for a failed attempt: a statement may never return.
    const timer = setTimeout(ensureFile, options.fileAfterMs);
    for (let attempt = 1; ; attempt++) {
      try {
        await applyWhole(db, sealer, evidence);
        clearTimeout(timer);
        if (await inFile) await files.remove(name ?? nameOf(evidence));
        break;
      } catch (error) {
        options.onTrouble?.(error);
        const late = performance.now() - started >= options.fileAfterMs;
        const kept = (late || options.signal.aborted || isDataError(error)) && (await ensureFile());
        if (options.signal.aborted || (kept && isDataError(error))) break;
        await options.pause(Math.min(5_000, 100 * attempt));
      }
    }
    clearTimeout(timer);
    pending--;
  };
  return {
    pending: () => pending,
    unreadable: () => unreadable,
    record: (evidence) => record(evidence, null),
    async readLeftOver() {
      let taken = 0;
      unreadable = 0;
      for (const { name, value, aside } of await files.readAll()) {
        try {
          if (!isEvidence(value)) throw new Error(value === undefined ? 'No key opens it.' : 'It is no evidence.');
          await applyWhole(db, sealer, value);
          await files.remove(name);
          taken++;
        } catch (error) {
          if (isEvidence(value) && !isDataError(error)) void record(value, name);
          else await setAside(name, aside, error);
        }
      }
      return taken;
    },
  };
}

function isEvidence(value: Evidence | undefined): value is Evidence {
  return value !== undefined && isUuid(value.targetId) && ['posted', 'accepted', 'void'].includes(value.proves);
}

/** SQLSTATE class 22, "data exception": repeating the write would fail with the same values. */
function isDataError(error: unknown): boolean {
  return sqlState(error).startsWith('22');
}

/** Applies evidence. If the database rejects its text, applies it without the text: the proof matters more. */
async function applyWhole(db: Database, sealer: Sealer, evidence: Evidence): Promise<void> {
  try {
    await applyEvidence(db, sealer, evidence);
  } catch (error) {
    if (!isDataError(error)) throw error;
    await applyEvidence(db, sealer, withoutWords(evidence));
  }
}

function withoutWords(evidence: Evidence): Evidence {
  if (evidence.proves === 'posted') return { ...evidence, published: { remoteId: null, url: null, publishedAt: null } };
  return evidence.proves === 'void' ? { ...evidence, why: 'The platform did not take it.' } : evidence;
}

/**
 * Applies evidence to the target. `posted` applies in any state, including FAILED. `accepted` applies unless a later
 * send exists or the state is `posted` or `confirming`. `void` applies only while that send is unresolved.
 */
export async function applyEvidence(db: Database, sealer: Sealer, evidence: Evidence): Promise<void> {
  await db.transaction(async (tx) => {
    const [target] = await tx.query<{ identityId: string; state: string; commitNumber: number }>(
      `select identity_id as "identityId", state, commit_number as "commitNumber" from target where id = $1`,
      [evidence.targetId],
    );
    if (!target) return;
    // Lock order: lanes before targets.
    await tx.query('select 1 from lane where identity_id = $1 for update', [target.identityId]);
    const open = `id = $1 and state in ('committing', 'unknown') and commit_number = $2`;
    if (evidence.proves === 'posted') {
      const published = storedPublished(evidence.published);
      const changed = await tx.execute(
        `update target set state = 'posted', due_at = null, settled_at = app_now(), code = null, platform_code = null,
           detail = $2, remote_id = $3, url = $4, published_at = coalesce($5, committed_at), version = version + 1
         where id = $1 and state <> 'posted'`,
        [
          evidence.targetId,
          published.detail,
          published.remoteId,
          published.url,
          published.publishedAt === null ? null : new Date(published.publishedAt),
        ],
      );
      if (changed === 0) return;
      // The remote id belongs to another post of this identity and must not be claimed.
      if (!(await claimPlacement(tx, evidence.targetId)))
        await tx.execute('update target set remote_id = null, url = null where id = $1', [evidence.targetId]);
      else await recordConsequences(tx, evidence.targetId);
      await note(
        tx,
        evidence.targetId,
        'posted',
        'The platform answered that it is posted; the answer was noted late.',
      );
    } else if (evidence.proves === 'accepted') {
      const checkpoint = { sha256: evidence.sha256, data: evidence.checkpoint };
      const sealed = sealCheckpoint(sealer, evidence.targetId, checkpoint);
      // Decisions made without this response (given up, proven not posted, restored from a backup) did not know its
      // result. Only a later send, or a later platform response about this send, is newer.
      const changed = await tx.execute(
        `update target set state = 'confirming', due_at = app_now(), checkpoint = $3, confirming_since = app_now(),
           complete_since = null, unknown_since = null, not_posted_since = null, looks = 0, accept_duplicate = false,
           commit_number = $2, committed_at = coalesce(committed_at, app_now()), begun_at = coalesce(begun_at, app_now()),
           code = null, detail = null, platform_code = null, settled_at = null, version = version + 1
         where id = $1 and commit_number <= $2 and state not in ('posted', 'confirming')`,
        [evidence.targetId, evidence.commitNumber, sealed],
      );
      if (changed > 0)
        await note(tx, evidence.targetId, 'confirming', 'The platform had taken it; the answer was noted late.');
    } else {
      const changed = await tx.execute(
        `update target set state = 'waiting', due_at = app_now(), unknown_since = null, not_posted_since = null,
           looks = 0, accept_duplicate = false, key_number = key_number + 1, version = version + 1 where ${open}`,
        [evidence.targetId, evidence.commitNumber],
      );
      if (changed > 0) await note(tx, evidence.targetId, 'not_posted', evidence.why);
    }
    await tx.execute(
      `update lane set next_due_at = least(next_due_at, (select due_at from target where id = $2)) where identity_id = $1`,
      [target.identityId, evidence.targetId],
    );
  });
}

const note = (tx: Queryable, targetId: string, event: string, text: string) =>
  appendTimeline(tx, targetId, [{ event, text }]);
