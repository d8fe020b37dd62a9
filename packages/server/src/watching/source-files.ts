/** Fetches the videos of posts made elsewhere, so that they can be reposted. */
import type { Database } from '../db/database.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../lib/time.ts';
import type { Media } from '../media/media.ts';
import { confirmMedia } from '../media/media-store.ts';
import { NO_ADJUSTMENTS } from '../media/types.ts';
import type { Message } from '../messages/message.ts';
import { say } from '../messages/rules.ts';
import type { AddressGuard } from '../outbound/address-guard.ts';
import { NetworkError } from '../outbound/http-client.ts';
import { BudgetEmpty, type Failure, PlatformError } from '../outbound/platform-error.ts';
import { keepVideo } from '../posts/keep-video.ts';
import { databaseNow } from '../posts/post-store.ts';
import { createScratch, type PreparedVideo, prepareVideo } from '../posts/prepare.ts';
import { permanentCode, withRequestId } from '../publishing/failure-words.ts';
import type { SessionSource } from '../publishing/sessions.ts';
import { type Claim, JobTimedOut, keepLease, LeaseLost } from '../queue/claim.ts';
import { createDueLoop, type DueLoop } from '../queue/loop.ts';
import { holderOf } from '../queue/shares.ts';
import type { Storage } from '../storage/contract.ts';
import { openDiskSpaceGuard } from '../storage/disk-space.ts';
import { type Download, DownloaderFailed } from '../uploads/remote/downloader.ts';
import type { FetchFile } from '../uploads/remote/fetcher.ts';
import { waitFor } from './budget-wait.ts';
import { openReader } from './open-reader.ts';
import {
  dropUnwanted,
  dueFiles,
  type FilePost,
  failFile,
  finishFile,
  markGone,
  noteFileProblem,
  readFilePost,
  type SourceFileRow,
} from './source-file-store.ts';

export interface SourceFileDeps {
  db: Database;
  storage: Storage;
  media: Media;
  sessions: SessionSource;
  fetchFile: FetchFile;
  /** The operator's downloader, for posts whose platform gives no file; null if there is no such program. */
  download: Download | null;
  leastFreeBytes: number;
  /** Decides which addresses the files of an account may have, and adds headers for our own simulators. */
  outbound(account: Pick<FilePost, 'sandbox' | 'service'>): {
    guard: AddressGuard;
    headersFor(url: string): Readonly<Record<string, string>>;
  };
  /** Called when rules can continue. */
  onFetched(): void;
  onError(error: unknown): void;
}

const LEASE_MS = MINUTE;
/** Total time in ms: a download, a conversion, and waiting for slots of both. */
const WITHIN_MS = 2 * HOUR;
/** Attempts within about two hours. */
const MAX_ATTEMPTS = 8;
const MAX_PAUSE_MS = HOUR;
/** Reading a hostile file costs as much as reading a large one, so it is not repeated often. */
const MAX_SLOW_READS = 3;
const TOO_SLOW = 'problem.file_read_timed_out';
const OUTAGE_PAUSE_MS = 30 * SECOND;
/** An account that must be reconnected is waited for. */
const RECONNECT_PAUSE_MS = 15 * MINUTE;
const RECONNECT_WITHIN_MS = 7 * DAY;

/** The file cannot be had, and waiting does not help. */
class NoFile extends Error {
  readonly reason: Message;
  constructor(reason: Message) {
    super(reason.text);
    this.reason = reason;
  }
}

/** Fetches one file and stores its video, or records why that is not possible. */
export async function fetchSourceFile(
  deps: SourceFileDeps,
  claim: Claim<SourceFileRow>,
  stopping: AbortSignal,
): Promise<void> {
  const { db } = deps;
  const lease = keepLease(db, dueFiles, claim, { leaseMs: LEASE_MS, withinMs: WITHIN_MS, onError: deps.onError });
  try {
    const post = await readFilePost(db, claim.row);
    if (!post?.isWanted) return await drop(db, claim);
    await fetchAndStore(deps, claim, post, AbortSignal.any([lease.signal, stopping]));
  } catch (error) {
    if (stopping.aborted) return void (await dueFiles.release(db, claim, { afterMs: 0, failed: false }));
    const { reason } = lease.signal;
    if (reason instanceof LeaseLost) return;
    await afterError(deps, claim, reason ?? error);
  } finally {
    lease.end();
  }
  deps.onFetched();
}

/** Nobody waits for the file, so nothing is known of its post. A firing that began to wait meanwhile gets it soon. */
async function drop(db: Database, claim: Claim<SourceFileRow>): Promise<void> {
  const isDropped = await db.transaction((tx) => dropUnwanted(tx, claim));
  if (!isDropped) await dueFiles.release(db, claim, { afterMs: SECOND, failed: true });
}

async function fetchAndStore(
  deps: SourceFileDeps,
  claim: Claim<SourceFileRow>,
  post: FilePost,
  signal: AbortSignal,
): Promise<void> {
  const { storage } = deps;
  await openDiskSpaceGuard(storage, deps.leastFreeBytes);
  const scratch = createScratch(deps);
  try {
    const fetched = await fetchFrom(deps, claim, post, signal);
    scratch.add(fetched.path);
    const userId = claim.row.user_id;
    const fit = claim.row.fit === '' ? null : claim.row.fit;
    const video = await prepareVideo(
      deps,
      fetched,
      { ...NO_ADJUSTMENTS, fit, previewTime: 0 },
      { userId, scratch, signal },
    );
    signal.throwIfAborted();
    await keep(deps, claim, video);
  } finally {
    await scratch.clear();
  }
}

async function fetchFrom(deps: SourceFileDeps, claim: Claim<SourceFileRow>, post: FilePost, signal: AbortSignal) {
  const { db, sessions } = deps;
  const userId = claim.row.user_id;
  const connector = sessions.connector(post.platform);
  if (connector.watch?.file === undefined || post.file === null) {
    // A server that a user names could point the program at any address.
    if (deps.download && post.url && !connector.federated) return deps.download(post.url, { userId, signal });
    throw new NoFile(say('no_file', { reason: say('platform_without_files', { platform: connector.name }) }));
  }
  const { file } = await openReader(deps, { ...post, userId }, { share: 1, isAsked: false });
  const found = await file?.(post);
  if (!found) throw new Error(`The connector ${connector.id} gives no files.`);
  if (found.found === 'none') throw new NoFile(say('no_file', { reason: found.why }));
  if (found.found === 'gone') {
    await db.transaction((tx) => markGone(tx, claim.row.watched_post_id));
    throw new NoFile(say('gone'));
  }
  const { guard, headersFor } = deps.outbound(post);
  const headers = { ...headersFor(found.url), ...found.headers };
  return deps.fetchFile({ url: found.url, headers, guard }, { userId, signal });
}

/** Another worker has the file: then nothing is written. */
class ClaimLost extends Error {}

/** Stores the video and what refers to it. */
function keep(deps: SourceFileDeps, claim: Claim<SourceFileRow>, video: PreparedVideo): Promise<void> {
  return keepVideo(deps, claim.row.user_id, video, ({ id }) =>
    deps.db.transaction(async (tx) => {
      if (!(await finishFile(tx, claim, id))) throw new ClaimLost();
      if (!(await confirmMedia(tx, id))) throw new ReelayError('storage_unavailable');
    }),
  );
}

async function afterError(deps: SourceFileDeps, claim: Claim<SourceFileRow>, error: unknown): Promise<void> {
  const { db } = deps;
  const end = (reason: Message) => db.transaction((tx) => failFile(tx, claim, reason));
  /** Gives up. The next rule that asks for the file tries again. */
  const giveUp = (reason: Message) => end(say('no_file', { reason: say('download_failed', { reason }) }));
  const retry = async (reason: Message, { waitMs = 0, giveUpWith = giveUp } = {}) => {
    if (claim.attempts >= MAX_ATTEMPTS) return giveUpWith(reason);
    await noteFileProblem(db, claim, reason);
    const afterMs = Math.max(waitMs, Math.min(5 * SECOND * 3 ** claim.attempts, MAX_PAUSE_MS));
    await dueFiles.release(db, claim, { afterMs, failed: true });
  };
  if (error instanceof ClaimLost) return;
  if (error instanceof NoFile) return end(error.reason);
  if (error instanceof BudgetEmpty) {
    const { afterMs, problem } = await waitFor(db, error, 0);
    await noteFileProblem(db, claim, problem);
    return void (await dueFiles.release(db, claim, { afterMs, failed: false }));
  }
  // These say by themselves that the download failed.
  const giveUpWith = (reason: Message) => end(say('no_file', { reason }));
  if (error instanceof DownloaderFailed)
    return retry(say('downloader_failed', { reason: error.reason }), { giveUpWith });
  if (error instanceof JobTimedOut) return retry(say('download_failed', { reason: 'timeout' }), { giveUpWith });
  if (error instanceof NetworkError) return retry(say('download_failed', { reason: error.reason }), { giveUpWith });
  if (error instanceof PlatformError) {
    const { failure } = error;
    const reason = withRequestId(failure);
    const isWaitedFor = failure.kind === 'reconnect' && (await isRecent(deps, claim.row));
    if (failure.kind === 'reconnect' || failure.kind === 'tokenExpired') await applyFailure(deps, claim.row, failure);
    if (isWaitedFor) {
      await noteFileProblem(db, claim, reason);
      return void (await dueFiles.release(db, claim, { afterMs: RECONNECT_PAUSE_MS, failed: false }));
    }
    if (isAboutPost(failure)) return end(say('no_file', { reason }));
    if (permanentCode(failure)) return giveUp(reason);
    return retry(reason, { waitMs: 'waitMs' in failure ? (failure.waitMs ?? 0) : 0 });
  }
  if (!(error instanceof ReelayError)) {
    deps.onError(error);
    return retry(say('download_failed', { reason: 'internal error' }), { giveUpWith });
  }
  // Neither says anything about the video.
  if (error.code === 'database_unavailable' || error.code.startsWith('storage_')) {
    deps.onError(error);
    return void (await dueFiles.release(db, claim, { afterMs: OUTAGE_PAUSE_MS, failed: false }));
  }
  // The URL may have expired; the next attempt resolves a new one.
  if (error.code.startsWith('video_source_'))
    return retry(say('download_failed', { reason: error.said }), { giveUpWith });
  // A busy machine reads slowly, too.
  const isSlow = error.said.code === TOO_SLOW && claim.attempts < MAX_SLOW_READS;
  return isSlow ? retry(error.said) : end(say('file_rejected', { reason: error.said }));
}

/** Whether the platform refuses the post itself, not the account or this attempt. */
function isAboutPost(failure: Failure): boolean {
  return failure.kind === 'rejected' && failure.what !== 'permission' && failure.what !== 'other';
}

/** Whether the user may still reconnect the account in time for the repost. */
async function isRecent({ db }: SourceFileDeps, { created_at: createdAt }: SourceFileRow): Promise<boolean> {
  return (await databaseNow(db)) - createdAt.getTime() < RECONNECT_WITHIN_MS;
}

/** Marks the account, or refreshes its token. */
async function applyFailure(deps: SourceFileDeps, row: SourceFileRow, failure: Failure): Promise<void> {
  const post = await readFilePost(deps.db, row);
  if (!post) return;
  if (failure.kind === 'reconnect') return deps.sessions.refused(post.accountId, failure);
  await deps.sessions.refresh(post.accountId).catch((error) => {
    if (!(error instanceof PlatformError)) throw error;
  });
}

/** Creates the loop that fetches files. Stopping it aborts those in progress. It is not started yet. */
export function createSourceFileLoop(deps: SourceFileDeps): DueLoop {
  const stopping = new AbortController();
  const loop = createDueLoop<Claim<SourceFileRow>>({
    claim: (limit, limits) => dueFiles.claim(deps.db, { limit, leaseMs: LEASE_MS, limits }),
    holder: holderOf,
    run: (claim) => fetchSourceFile(deps, claim, stopping.signal),
    concurrency: 8,
    withinMs: WITHIN_MS,
    onError: deps.onError,
  });
  return {
    ...loop,
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}
