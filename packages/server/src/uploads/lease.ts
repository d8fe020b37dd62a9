/**
 * Write leases of uploads. One request at a time holds the lease of the row and renews it every second.
 * Another request that wants the lease sets a flag. The holder ends: in this process at once, in another at its next
 * renewal. The lease of a holder that was killed, or that cannot end, expires.
 * Such a holder may still be alive, with bytes on their way to disk. The next holder therefore leaves it the file and
 * continues in a copy of the durable bytes.
 */
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import type { Claim, Every, Upload, UploadDeps } from './types.ts';
import { changeFile, findUpload, renewLease, takeLease, uploadKey, wantLease } from './upload-store.ts';

/** Lease in ms. A killed writer blocks others no longer than this. */
const LEASE_MS = 5_000;
const RENEW_EVERY_MS = 1_000;
/** How long a request waits for the previous one, in ms. Longer than a lease. */
const PATIENCE_MS = 7_000;
/** How long a status request waits, in ms. */
const SHORT_PATIENCE_MS = 2_000;
const POLL_EVERY_MS = 40;

const takenOver = () => apiError('upload_taken_over');

interface Which {
  userId: string;
  uploadId: string;
}

/**
 * Takes the lease; asks the current holder to end and waits for it.
 * @param patienceMs maximum wait in ms
 * @returns null if the upload is already finished
 * @throws ReelayError `unknown_upload`, `upload_locked`
 */
export async function takeOver(
  deps: UploadDeps,
  { userId, uploadId }: Which,
  patienceMs = PATIENCE_MS,
): Promise<Claim | null> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const claim = await takeLease(deps.db, { userId, id: uploadId, leaseMs: LEASE_MS });
    if (claim) return claim;
    const found = await findUpload(deps.db, userId, uploadId);
    if (!found) throw new ReelayError('unknown_upload');
    if (found.sha256) return null;
    if (performance.now() > until) throw new ReelayError('upload_locked');
    await requestEnd(deps, uploadId);
  }
}

/**
 * Reads an upload that no post has used. Asks its current writer to end first, so that the offset is final.
 * @throws ReelayError `unknown_upload`, `upload_used`
 */
export async function readIdleUpload(deps: UploadDeps, { userId, uploadId }: Which): Promise<Upload> {
  const until = performance.now() + SHORT_PATIENCE_MS;
  for (;;) {
    const found = await findUpload(deps.db, userId, uploadId);
    if (!found) throw new ReelayError('unknown_upload');
    if (found.postId !== null) throw new ReelayError('upload_used');
    if (!found.held || performance.now() > until) return found;
    await requestEnd(deps, uploadId);
  }
}

async function requestEnd({ db, uploadWriters }: UploadDeps, uploadId: string): Promise<void> {
  uploadWriters.stop(uploadId, takenOver());
  await wantLease(db, uploadId);
  await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
}

/**
 * The storage name of the file to write to: a new copy if the previous writer disappeared.
 * @throws ReelayError `upload_locked` if the lease was lost
 */
export async function ownFile({ db, uploadFiles }: UploadDeps, claim: Claim): Promise<string> {
  const name = uploadKey(claim.id, claim.file);
  if (!claim.vanished) return name;
  const own = uploadKey(claim.id, claim.fence);
  await uploadFiles.copy(name, own, claim.durable);
  if (await changeFile(db, { ...claim, file: claim.fence })) return own;
  await uploadFiles.remove(own);
  throw takenOver();
}

/** A lease that is renewed while a request writes. */
export interface Keeper {
  /** From now on, renews even if another request wants the lease or this one was asked to end. */
  finishing(): void;
  stop(): void;
}

/**
 * Renews the lease until the request is asked to end or the lease is lost.
 * @param onTick called at every renewal
 * @param end called with the reason why the request must end
 */
export function startRenewal(
  { db }: UploadDeps,
  claim: Claim,
  { every, onTick, end }: { every: Every; onTick: () => void; end: (why: ReelayError) => void },
): Keeper & { ended(): void } {
  let ending = false;
  let finishing = false;
  const renew = async () => {
    // A request that was asked to end but does not must not block others indefinitely.
    if (ending && !finishing) return;
    // If the database is unavailable, the next tick retries.
    const state = await renewLease(db, claim, LEASE_MS).catch(() => 'ours' as const);
    if (state !== 'ours' && !finishing) end(takenOver());
  };
  const stop = every(RENEW_EVERY_MS, () => {
    onTick();
    void renew();
  });
  return {
    ended() {
      ending = true;
    },
    finishing() {
      finishing = true;
    },
    stop,
  };
}
