/**
 * Ensures that renewed tokens reach the database. A platform that rotates tokens has already invalidated the previous
 * ones. So the write is retried on any database error. Until it succeeds, the tokens are kept encrypted in a file of
 * the data folder.
 */
import { join } from 'node:path';
import type { Database } from '../../db/database.ts';
import type { Sealer } from '../../lib/encryption/seal.ts';
import { createSealedFiles, type SealedFiles } from '../../lib/encryption/sealed-files.ts';
import { MINUTE } from '../../lib/time.ts';
import { type GrantVersion, type NewPair, writePair } from './token-store.ts';

/** How long the write is retried before the tokens are left in their file, in ms. */
const RETRY_FOR_MS = 10 * MINUTE;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

interface KeptPair {
  grantId: string;
  /** The version that was refreshed. */
  version: number;
  pair: NewPair;
  /** When the refresh completed, in ms since the epoch. The spans in `pair` start here. */
  at: number;
}

export interface RenewedPairs {
  /**
   * Writes the tokens, retrying for ten minutes.
   * @returns false if other tokens have replaced that version first
   * @throws the database's error after ten minutes
   */
  write(grant: GrantVersion, pair: NewPair): Promise<boolean>;
  /** Writes the tokens kept in a file for this version, if any. */
  writeKept(grant: GrantVersion): Promise<boolean>;
  /**
   * Writes the tokens that an earlier process could not write. Never rejects.
   * @returns how many were written
   */
  readLeftOver(): Promise<number>;
}

/** The encrypted files of renewed tokens, in the data folder. */
export function renewedPairFiles(dataDir: string, sealer: Sealer): SealedFiles<KeptPair> {
  return createSealedFiles<KeptPair>({
    folder: join(dataDir, 'renewed-tokens'),
    sealer,
    ending: '.tokens',
    purpose: 'renewed tokens',
  });
}

export function createRenewedPairs(needs: {
  db: Database;
  sealer: Sealer;
  dataDir: string;
  now: () => number;
  /** Called for each file that cannot be read. */
  onUnreadable: (file: string, error: unknown) => void;
  onError: (error: unknown) => void;
}): RenewedPairs {
  const { db, sealer, now } = needs;
  const files = renewedPairFiles(needs.dataDir, sealer);
  const nameOf = ({ key, version }: GrantVersion) => `${key}-${version}`;
  const writeFrom = async (grant: GrantVersion, kept: KeptPair) => {
    const written = await writePair(db, sealer, grant, aged(kept.pair, now() - kept.at));
    await files.remove(nameOf(grant));
    return written;
  };
  return {
    async write(grant, pair) {
      const kept: KeptPair = { grantId: grant.key, version: grant.version, pair, at: now() };
      const until = performance.now() + RETRY_FOR_MS;
      let inFile = false;
      for (let waitMs = FIRST_PAUSE_MS; ; waitMs = Math.min(waitMs * 2, MAX_PAUSE_MS)) {
        try {
          const written = await writePair(db, sealer, grant, aged(pair, now() - kept.at));
          if (inFile) await files.remove(nameOf(grant));
          return written;
        } catch (error) {
          needs.onError(error);
          if (!inFile)
            inFile = await files.put(nameOf(grant), kept).then(
              () => true,
              (each) => {
                needs.onError(each);
                return false;
              },
            );
          if (performance.now() > until) throw error;
          await new Promise((resolve) => setTimeout(resolve, waitMs));
        }
      }
    },
    async writeKept(grant) {
      const kept = await files.get(nameOf(grant));
      return kept ? writeFrom(grant, kept) : false;
    },
    async readLeftOver() {
      let taken = 0;
      for (const { name, value, aside } of await files.readAll()) {
        if (!value) {
          needs.onUnreadable(name, new Error('No key opens it.'));
          if (!aside) await files.setAside(name).catch(needs.onError);
          continue;
        }
        // On failure the file stays: the next refresh of the grant or the next start reads it again.
        await writeFrom({ key: value.grantId, version: value.version, fence: null }, value).then((written) => {
          if (written) taken++;
        }, needs.onError);
      }
      return taken;
    },
  };
}

/** Subtracts the elapsed time (ms) from the spans of the tokens. */
function aged(pair: NewPair, ms: number): NewPair {
  const left = (span: number | null) => (span === null ? null : Math.max(0, span - Math.max(0, ms)));
  return { ...pair, lifeMs: left(pair.lifeMs), refreshLifeMs: left(pair.refreshLifeMs), dueInMs: left(pair.dueInMs) };
}
