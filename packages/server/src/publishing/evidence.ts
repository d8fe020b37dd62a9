/**
 * Records the outcome of irreversible calls. A response is proof even from a worker that has since lost its lease, so
 * evidence carries no fencing token. Writing is retried until the database accepts it. After a delay it is also stored
 * in a file of the data folder, which the next start reads.
 */
import { join } from 'node:path';
import { type Database, sqlState } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { createSealedFiles, type SealedFiles } from '../lib/encryption/sealed-files.ts';
import { isUuid } from '../lib/ids.ts';
import { applyEvidence, type Evidence } from './evidence-store.ts';

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
  onError?: (error: unknown) => void;
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
    if (!aside) await files.setAside(name).catch((each) => options.onError?.(each));
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
        options.onError?.(error);
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
          if (!isEvidence(value))
            throw new Error(value === undefined ? 'No key decrypts it.' : 'The file contains no evidence.');
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
