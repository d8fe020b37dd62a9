/** Jobs of the video service: after a while, uploaded bytes become a blob in the account's repository. */
import { type JsonObject, textAt } from '../../json.ts';
import { type Account, findAccount } from './accounts.ts';
import { refOf, storeBlob } from './blobs.ts';
import { randomText } from './ids.ts';
import { readJwt } from './jwt.ts';
import type { World } from './world.ts';

export interface Job {
  id: string;
  did: string;
  startedAt: number;
  keys: string[];
  size: number;
  sha256: string;
  /** Service token with which the service stores the result at the account's server. */
  token: string;
  blob: JsonObject | null;
  failure: { code: string; error: string } | null;
}

const STATES = ['CREATED', 'ENCODING', 'ENCODED', 'SCANNING', 'SCANNED', 'UPLOADING', 'UPLOADED'] as const;
export const MAX_VIDEO_BYTES = 300_000_000;

/** Starts a job, or finds the one with the same bytes of the same account. */
export async function startJob(
  world: World,
  account: Account,
  given: { keys: string[]; size: number; sha256: string; token: string },
): Promise<{ job: Job; known: boolean }> {
  const { store, blobs, now } = world.options;
  const id = randomText('', 10);
  const name = `${account.did} ${given.sha256}`;
  let owner = id;
  const earlier = await store.get<string>('video', name);
  const useless = earlier === undefined || !(await isUnexpired(world, earlier));
  await store.change<string>('video', name, (known) => {
    owner = known === undefined || (useless && known === earlier) ? id : known;
    return owner;
  });
  if (owner !== id) {
    const job = await settle(world, owner);
    if (job) {
      for (const key of given.keys) await blobs.remove(key);
      return { job, known: true };
    }
  }
  const job = { ...given, id: owner, did: account.did, startedAt: now(), blob: null, failure: null };
  await store.put<Job>('job', owner, job, account.did);
  return { job, known: false };
}

/** Whether a job still leads to a blob: it did not fail, and the blob was not deleted with its post. */
async function isUnexpired(world: World, id: string): Promise<boolean> {
  const job = await settle(world, id);
  if (!job || job.failure) return false;
  return (
    !job.blob || (await world.options.store.get('blob', `${job.did} ${textAt(job.blob, 'ref', '$link')}`)) !== undefined
  );
}

/** Returns a job. One whose processing time has passed is completed first. */
export async function settle(world: World, id: string): Promise<Job | undefined> {
  const { store, now, processingMs } = world.options;
  return world.inTurn(`job ${id}`, async () => {
    const job = await store.get<Job>('job', id);
    if (!job || job.blob || job.failure || now() < job.startedAt + processingMs) return job;
    const account = await findAccount(world, job.did);
    const { size, sha256, keys } = job;
    const expires = Number(readJwt(job.token)?.claims.exp) * 1000;
    const done: Job =
      account?.status === 'active' && expires > job.startedAt + processingMs
        ? { ...job, blob: refOf(await storeBlob(world, job.did, { size, sha256, keys, mimeType: 'video/mp4' })) }
        : { ...job, failure: { code: 'pds_upload_failure', error: 'Failed to upload the video to the PDS' } };
    await store.put<Job>('job', id, done);
    return done;
  });
}

/** `app.bsky.video.defs#jobStatus` */
export function jobStatus(world: World, job: Job): JsonObject {
  const common = { jobId: job.id, did: job.did };
  if (job.failure)
    return {
      ...common,
      state: 'JOB_STATE_FAILED',
      failureCode: job.failure.code,
      error: job.failure.error,
      message: job.failure.error,
    };
  if (job.blob) return { ...common, state: 'JOB_STATE_COMPLETED', progress: 100, blob: job.blob };
  const part = Math.min(1, (world.options.now() - job.startedAt) / Math.max(1, world.options.processingMs));
  const state = STATES[Math.min(STATES.length - 1, Math.floor(part * STATES.length))] ?? 'CREATED';
  return { ...common, state: `JOB_STATE_${state}`, progress: Math.floor(part * 100) };
}
