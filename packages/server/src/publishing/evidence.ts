/**
 * What an irreversible call answered is proof, even from a worker that has lost its lease meanwhile. Evidence carries
 * no fence: it is written again and again until the database takes it, and kept in a file of the data folder when
 * that lasts longer, so that the next start reads it.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject, Published } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import type { Sealer } from '../seal.ts';
import { claimPlacement } from './placement.ts';
import { recordConsequences } from './posted.ts';

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
  /** Applies what an earlier process could not. @returns how many pieces were taken */
  readLeftOver(): Promise<number>;
  /** Pieces that are still on their way. */
  pending(): number;
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
}

export function createEvidenceKeeper(options: EvidenceOptions): EvidenceKeeper {
  const { db, sealer, folder } = options;
  let pending = 0;
  const pathOf = (evidence: Evidence) => join(folder, `${evidence.targetId}-${evidence.commitNumber}.evidence`);
  const keepInFile = async (evidence: Evidence) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = pathOf(evidence);
    await writeFile(`${path}.new`, sealer.seal(evidence, 'evidence'), { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
  };
  return {
    pending: () => pending,
    async record(evidence) {
      pending++;
      const started = performance.now();
      let inFile = false;
      for (let attempt = 1; ; attempt++) {
        try {
          await applyEvidence(db, sealer, evidence);
          if (inFile) await rm(pathOf(evidence), { force: true });
          break;
        } catch (error) {
          options.onTrouble?.(error);
          if (!inFile && (performance.now() - started >= options.fileAfterMs || options.signal.aborted))
            inFile = await keepInFile(evidence).then(
              () => true,
              () => false,
            );
          if (options.signal.aborted) break;
          await options.pause(Math.min(5_000, 100 * attempt));
        }
      }
      pending--;
    },
    async readLeftOver() {
      const names = await readdir(folder).catch(() => []);
      let taken = 0;
      for (const name of names.filter((each) => each.endsWith('.evidence'))) {
        const path = join(folder, name);
        const evidence = sealer.open<Evidence>(await readFile(path), 'evidence');
        await applyEvidence(db, sealer, evidence);
        await rm(path, { force: true });
        taken++;
      }
      return taken;
    },
  };
}

/**
 * Takes evidence into the books. Proof of `posted` counts in any state, a FAILED one included; the others only while
 * that send is the target's latest and nobody has resolved it.
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
      const { published } = evidence;
      const changed = await tx.execute(
        `update target set state = 'posted', due_at = null, settled_at = app_now(), code = null, platform_code = null,
           detail = $2, remote_id = $3, url = $4, published_at = coalesce($5, committed_at), version = version + 1
         where id = $1 and state <> 'posted'`,
        [
          evidence.targetId,
          published.detail ?? null,
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
      const changed = await tx.execute(
        `update target set state = 'confirming', due_at = app_now(), checkpoint = $3, confirming_since = app_now(),
           unknown_since = null, not_posted_since = null, looks = 0, version = version + 1 where ${open}`,
        [evidence.targetId, evidence.commitNumber, sealed],
      );
      if (changed > 0)
        await note(tx, evidence.targetId, 'confirming', 'The platform had taken it; the answer was noted late.');
    } else {
      const changed = await tx.execute(
        `update target set state = 'waiting', due_at = app_now(), unknown_since = null, not_posted_since = null,
           looks = 0, key_number = key_number + 1, version = version + 1 where ${open}`,
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

async function note(
  tx: { execute: Database['execute'] },
  targetId: string,
  event: string,
  text: string,
): Promise<void> {
  await tx.execute('insert into timeline (target_id, event, text) values ($1, $2, $3)', [targetId, event, text]);
}
