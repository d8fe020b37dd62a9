/**
 * Who may write to an upload. One request at a time holds the lease of its row, renewed every second; another one that
 * wants it says so, and the holder ends: in this process at once, in another at its next renewal. A holder that was killed
 * stops renewing, and so does one that cannot end; its lease runs out. Such a holder may be alive all the same, and bytes
 * of it on their way to the disk. The next one therefore leaves it the file, and goes on in a copy of what was certain.
 */
import { ReelayError } from '../errors.ts';
import { changeFile, findUpload, renewLease, takeLease, uploadKey, wantLease } from './store.ts';
import type { Claim, Every, Upload, UploadNeeds } from './types.ts';

/** A killed writer holds nobody up for longer, in ms. */
const LEASE_MS = 5_000;
const RENEW_EVERY_MS = 1_000;
/** How long a request waits for the one before it, in ms: longer than a lease. */
const PATIENCE_MS = 7_000;
/** How long a question waits. */
const SHORT_PATIENCE_MS = 2_000;
const LOOK_EVERY_MS = 40;

const takenOver = () =>
  new ReelayError('upload_locked', 'Another request has taken this upload over. Ask where it stands, and go on there.');

interface Which {
  userId: string;
  uploadId: string;
}

/**
 * Takes the lease; whoever has it is told to end, and waited for.
 * @param patienceMs how long
 * @returns null where the upload is finished already
 * @throws ReelayError `unknown_upload`, `upload_locked`
 */
export async function takeOver(
  needs: UploadNeeds,
  { userId, uploadId }: Which,
  patienceMs = PATIENCE_MS,
): Promise<Claim | null> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const claim = await takeLease(needs.db, { userId, id: uploadId, leaseMs: LEASE_MS });
    if (claim) return claim;
    const found = await findUpload(needs.db, userId, uploadId);
    if (!found) throw new ReelayError('unknown_upload');
    if (found.sha256) return null;
    if (performance.now() > until) throw new ReelayError('upload_locked');
    await askToEnd(needs, uploadId);
  }
}

/**
 * An upload as it stands; whoever writes to it is told to end, so that it stands still.
 * @throws ReelayError `unknown_upload`
 */
export async function lookAt(needs: UploadNeeds, { userId, uploadId }: Which): Promise<Upload> {
  const until = performance.now() + SHORT_PATIENCE_MS;
  for (;;) {
    const found = await findUpload(needs.db, userId, uploadId);
    if (!found) throw new ReelayError('unknown_upload');
    if (!found.held || performance.now() > until) return found;
    await askToEnd(needs, uploadId);
  }
}

async function askToEnd({ db, uploadWriters }: UploadNeeds, uploadId: string): Promise<void> {
  uploadWriters.stop(uploadId, takenOver());
  await wantLease(db, uploadId);
  await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}

/**
 * The file to write to, as a name in the storage: of one's own where the writer before has vanished.
 * @throws ReelayError `upload_locked` where the lease was lost meanwhile
 */
export async function ownFile({ db, uploadFiles }: UploadNeeds, claim: Claim): Promise<string> {
  const name = uploadKey(claim.id, claim.file);
  if (!claim.vanished) return name;
  const own = uploadKey(claim.id, claim.fence);
  await uploadFiles.copy(name, own, claim.durable);
  if (await changeFile(db, { ...claim, file: claim.fence })) return own;
  await uploadFiles.remove(own);
  throw takenOver();
}

/** A lease that is kept while somebody writes. */
export interface Keeper {
  /** From now on it is renewed whoever wants it, and whatever was asked. */
  finishing(): void;
  stop(): void;
}

/**
 * Renews until the request is told to end, or the lease is lost.
 * @param onTick at every renewal @param end told why the request must end
 */
export function keepLease(
  { db }: UploadNeeds,
  claim: Claim,
  { every, onTick, end }: { every: Every; onTick: () => void; end: (why: ReelayError) => void },
): Keeper & { ended(): void } {
  let ending = false;
  let finishing = false;
  const renew = async () => {
    // One that was told to end, and does not, must not hold up others for ever.
    if (ending && !finishing) return;
    // A database that is away is asked again at the next turn.
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
