/** Makes one claimed rendition: converts the video, stores the file and updates the row. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../db/database.ts';
import { ReelayError } from '../../errors/reelay-error.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';
import { say } from '../../messages/timeline.ts';
import { type Claim, keepLease } from '../../queue/claim.ts';
import { type Storage, StorageMissing } from '../../storage/contract.ts';
import { openDiskSpaceGuard } from '../../storage/disk-space.ts';
import { hashFile } from '../hash-file.ts';
import type { Media } from '../media.ts';
import { previewSpec } from './plan.ts';
import {
  appendToWaiting,
  dueRenditions,
  failRendition,
  finishRendition,
  type RenditionRow,
  readSourceUpload,
  readSourceVideo,
  recordProgress,
  type SourceUpload,
  type SourceVideo,
  wakeWaiting,
} from './rendition-store.ts';

/** Lease in ms. Another worker takes over a dead worker's rendition after it. */
export const LEASE_MS = 30_000;
/** Total time in ms: twice the longest conversion, the checks, and waiting for a core. */
export const WITHIN_MS = 2 * HOUR;
/** After this many claims without a result, the rendition is assumed to crash its workers. */
const MAX_ATTEMPTS = 5;
const MAX_PAUSE_MS = 10 * MINUTE;
/** Delay in ms before free space is checked again. */
const STORAGE_PAUSE_MS = 30_000;

export interface RenditionDeps {
  db: Database;
  storage: Storage;
  media: Pick<Media, 'of'>;
  leastFreeBytes: number;
  onMade(row: RenditionRow, made: { bytes: number; tookMs: number }): void;
  onFailed(row: RenditionRow, detail: string): void;
  /** Called with a temporary error; the rendition is retried. */
  onError(error: unknown): void;
}

/** Makes the claimed rendition, or records why it cannot be made. @param stopping aborted when this process stops */
export async function makeRendition(
  deps: RenditionDeps,
  claim: Claim<RenditionRow>,
  stopping: AbortSignal,
): Promise<void> {
  const { db } = deps;
  await removeScratchOf(deps.storage.scratch, claim.row.id).catch(deps.onError);
  const source = await readSource(db, claim.row);
  if (!source) return giveUp(deps, claim, 'The video is no longer kept.');
  if (claim.attempts > MAX_ATTEMPTS) return giveUp(deps, claim, 'Converting the video did not come to an end.');
  const held = hold(deps, claim, stopping);
  try {
    await make(deps, claim, source, held);
  } catch (error) {
    await afterError(deps, claim, error, stopping);
  } finally {
    held.drop();
  }
}

async function readSource(db: Database, { media_id: mediaId, upload_id: uploadId }: RenditionRow) {
  if (mediaId !== null) return readSourceVideo(db, mediaId);
  return uploadId === null ? undefined : readSourceUpload(db, uploadId);
}

async function make(
  deps: RenditionDeps,
  claim: Claim<RenditionRow>,
  source: SourceVideo | SourceUpload,
  held: HeldRendition,
): Promise<void> {
  const { db, storage, media } = deps;
  const { row } = claim;
  const started = performance.now();
  await openDiskSpaceGuard(storage, deps.leastFreeBytes);
  const path = join(storage.scratch, `${row.id}.${claim.fence}.mp4`);
  try {
    const { check, render } = media.of(source.userId);
    const { signal, onProgress } = held;
    const facts = await storage.withFile(source.storageKey, async (original) => {
      const known =
        source.facts ?? (await check(original, { sha256: source.sha256, fit: 'pad', isTrimmed: true, signal }));
      return render(original, known, row.spec ?? previewSpec(known), path, { signal, onProgress });
    });
    const sha256 = await hashFile(path);
    held.signal.throwIfAborted();
    await storage.adopt(row.storage_key, path);
    if (!(await finishRendition(db, claim, { sha256, facts }))) return await storage.remove(row.storage_key);
    const { width, height, bytes } = facts;
    await appendToWaiting(db, row.id, say('file_converted', { size: `${width}×${height}`, sizeBytes: bytes }));
    // The file is already recorded: if this fails, targets find it when they poll.
    await wakeWaiting(db, row.id).catch(deps.onError);
    deps.onMade(row, { bytes, tookMs: performance.now() - started });
  } finally {
    await rm(path, { force: true });
  }
}

/** Removes scratch files of killed workers. A worker that lost its lease and still writes fails at its rename. */
async function removeScratchOf(folder: string, renditionId: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${renditionId}.`));
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
}

interface HeldRendition {
  /** Aborted when another worker has the row, the row was deleted, its time is over, or this process stops. */
  signal: AbortSignal;
  /** @param done progress, 0 to 1 */
  onProgress(done: number): void;
  drop(): void;
}

/** Renews the lease while the rendition is made, and records its progress. */
function hold({ db, onError }: RenditionDeps, claim: Claim<RenditionRow>, stopping: AbortSignal): HeldRendition {
  const lost = new AbortController();
  const unlessKept = (kept: Promise<boolean>) => kept.then((still) => still || lost.abort(), onError);
  let reported = 0;
  let writing = false;
  const lease = keepLease(db, dueRenditions, claim, { leaseMs: LEASE_MS, withinMs: WITHIN_MS, onError });
  const signal = AbortSignal.any([lost.signal, lease.signal, stopping]);
  return {
    signal,
    onProgress(done) {
      const quarter = Math.min(3, Math.floor(done * 4));
      const isNews = quarter > reported;
      // Progress that is skipped while a write is in progress is included in the next report.
      if (writing || signal.aborted) return;
      writing = true;
      reported = Math.max(reported, quarter);
      const write = async () => {
        const still = await recordProgress(db, claim, done);
        if (still && isNews) await appendToWaiting(db, claim.row.id, say('file_progress', { percent: quarter * 25 }));
        return still;
      };
      void unlessKept(write()).finally(() => {
        writing = false;
      });
    },
    drop: lease.end,
  };
}

async function afterError(
  deps: RenditionDeps,
  claim: Claim<RenditionRow>,
  error: unknown,
  stopping: AbortSignal,
): Promise<void> {
  // Another worker, or this one after its restart, starts it over.
  if (stopping.aborted) return void (await dueRenditions.release(deps.db, claim, { afterMs: 0, failed: false }));
  if (error instanceof ReelayError && error.status === 400) return giveUp(deps, claim, error.message);
  if (error instanceof StorageMissing) return giveUp(deps, claim, 'The video is no longer kept.');
  deps.onError(error);
  // A storage error is not caused by this video and does not count as an attempt.
  const storage = error instanceof ReelayError && error.code.startsWith('storage_');
  const afterMs = storage ? STORAGE_PAUSE_MS : Math.min(5_000 * 2 ** claim.attempts, MAX_PAUSE_MS);
  await dueRenditions.release(deps.db, claim, { afterMs, failed: !storage });
}

async function giveUp(deps: RenditionDeps, claim: Claim<RenditionRow>, detail: string): Promise<void> {
  await failRendition(deps.db, claim, detail);
  await wakeWaiting(deps.db, claim.row.id).catch(deps.onError);
  deps.onFailed(claim.row, detail);
}
