/**
 * What an irreversible call answered is proof, even from a worker that has lost its lease meanwhile. Evidence carries
 * no fence: it is written again and again until the database takes it, and kept in a file of the data folder when
 * that lasts longer, so that the next start reads it.
 */
import { join } from 'node:path';
import type { JsonObject, Published } from '../connectors/contract.ts';
import { type Database, type Queryable, sqlState } from '../db/database.ts';
import { isUuid } from '../ids.ts';
import type { Sealer } from '../seal.ts';
import { createSealedFiles, type SealedFiles } from '../sealed-files.ts';
import { claimPlacement } from './placement.ts';
import { recordConsequences } from './posted.ts';
import { tell } from './store.ts';
import { storedPublished } from './stored-texts.ts';

/** What one send came to. `commitNumber` says which send of the target it was. */
export type Evidence = { targetId: string; commitNumber: number } & (
  | { proves: 'posted'; published: Published }
  /** The platform took it and works on it; the checkpoint is how to ask for it. */
  | { proves: 'accepted'; checkpoint: JsonObject; sha256: string }
  /** It is certain that this send did nothing. */
  | { proves: 'void'; why: string }
);

export interface EvidenceKeeper {
  /** Keeps at it until the database has taken it; the file is written after `fileAfterMs`. Never rejects. */
  record(evidence: Evidence): Promise<void>;
  /**
   * Applies what an earlier process could not. What cannot be read or applied is set aside; what the database does not take
   * now is recorded in the background. Never rejects. @returns how many pieces were taken
   */
  readLeftOver(): Promise<number>;
  /** Pieces that are still on their way. */
  pending(): number;
  /** Files that could not be read or applied at the last start. */
  unreadable(): number;
}

export interface EvidenceOptions {
  db: Database;
  sealer: Sealer;
  /** Folder for evidence that the database does not take. */
  folder: string;
  fileAfterMs: number;
  /** Waits between attempts; resolves early when the process ends. */
  pause: (ms: number) => Promise<void>;
  /** No more attempts are made once this is aborted; the file remains. */
  signal: AbortSignal;
  onTrouble?: (error: unknown) => void;
  /** Told of each file that is set aside. */
  onUnreadable?: (file: string, error: unknown) => void;
}

/** Where evidence is kept in the data folder. */
export function evidenceFolder(dataDir: string): string {
  return join(dataDir, 'evidence');
}

/** The files of evidence. */
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
  /** @param name of the file that holds it already; null: none does */
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
    // By the clock, not after a failed attempt: a statement may never answer.
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

/** Class 22, "data exception": the same values are refused however often they are written. */
function isDataError(error: unknown): boolean {
  return sqlState(error).startsWith('22');
}

/** Applies evidence; where the database refuses its words, without them: what it proves matters more. */
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
 * Takes evidence into the books. Proof of `posted` counts in any state, a FAILED one included; `accepted` in any state while
 * that send is the target's latest; `void` only while nobody has resolved that send.
 */
export async function applyEvidence(db: Database, sealer: Sealer, evidence: Evidence): Promise<void> {
  await db.transaction(async (tx) => {
    const [target] = await tx.query<{ identityId: string; state: string; commitNumber: number }>(
      `select identity_id as "identityId", state, commit_number as "commitNumber" from target where id = $1`,
      [evidence.targetId],
    );
    if (!target) return;
    // Lanes before targets, as everywhere.
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
      // A remote id that another post of this identity holds is not ours to claim.
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
      const sealed = sealer.seal(
        { sha256: evidence.sha256, data: evidence.checkpoint },
        `checkpoint ${evidence.targetId}`,
      );
      // Whatever was decided without this answer (given up, proven not posted, put back by an older copy of the database) was
      // decided without knowing it. Only a later send, and what the platform said of this one, are newer.
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

const note = (tx: Queryable, targetId: string, event: string, text: string) => tell(tx, targetId, [{ event, text }]);
