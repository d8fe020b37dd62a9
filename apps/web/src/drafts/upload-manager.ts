/**
 * Uploads the draft's video. It lives until the tab is closed or another user signs in, so an upload continues on other
 * pages and after signing in again.
 *
 * The draft names the one upload (`pending`) and the tab that sends it (`owner`). A tab sends only while the draft names
 * it: if another tab takes the upload over or replaces the video, it stops.
 */
import { ReelayApiError, type Uploads } from '@reelay/sdk';
import { isSignedOut } from '../queries/signed-out.ts';
import { type Draft, type FileIdentity, identityOf, isSameFile, NO_VIDEO } from './draft.ts';
import type { DraftStore } from './draft-store.ts';
import { type Sample, withSample } from './transfer-rate.ts';

export type UploadStatus =
  /** Chosen, not started. */
  | 'chosen'
  | 'sending'
  /** The connection was lost; it continues by itself. */
  | 'waiting'
  | 'paused'
  | 'failed'
  /** The file was changed or removed since it was chosen. */
  | 'fileChanged'
  | 'done';

export interface UploadJob {
  file: File;
  status: UploadStatus;
  /** Bytes that the service has. */
  sent: number;
  /** Recent progress, for the speed. */
  samples: readonly Sample[];
  error: Error | null;
  /** The name of an unfinished upload of another file, which this file replaced. */
  replaced: string | null;
}

export interface UploadManager {
  /** Identifies this tab. */
  tab: string;
  /** Returns the same object until it changes; null without a file. */
  get(): UploadJob | null;
  subscribe(listener: () => void): () => void;
  /** Chooses a file. It is not sent before `start`, unless the service has it already. */
  choose(file: File): void;
  /** Begins or continues to send the file. While it waits for the connection, tries at once. */
  start(): void;
  pause(): void;
  /**
   * Interrupts the upload until {@link resume}: the session has ended, or the browser has lost its connection, which a
   * request that hangs would not report for long.
   */
  wait(): void;
  /** Continues an upload that waits, or that was refused because the session had ended. */
  resume(): void;
  /** Removes the video from the draft and from the service. */
  remove(): void;
  /** The service does not have the finished upload anymore: sends the file again, or asks for it. */
  restart(): void;
  /** Forgets the file without removing the upload. The manager is not used afterwards. */
  end(): void;
}

interface UploadManagerDeps {
  uploads: Pick<Uploads, 'send' | 'remove'>;
  drafts: DraftStore;
  tab: string;
  /** Monotonic, in ms. */
  now(): number;
  /** Whether a post with this upload is being sent to the service. */
  isPosting(uploadId: string): boolean;
  /** Marks an upload as sent by this tab, for {@link UploadManager.tab}s that ask. @returns ends it */
  hold(uploadId: string): () => void;
  /** Waits until a new attempt is worth it. @throws the reason that `signal` was aborted with */
  untilOnline(signal: AbortSignal): Promise<void>;
}

/** How often an upload that the service does not know is begun again. */
const MAX_RESTARTS = 3;

export function createUploadManager(deps: UploadManagerDeps): UploadManager {
  const { drafts, uploads, tab } = deps;
  const listeners = new Set<() => void>();
  let job: UploadJob | null = null;
  let running: AbortController | null = null;
  /** The unfinished upload that this tab sends. */
  let currentId: string | null = null;
  let unhold = () => {};

  const set = (next: UploadJob | null) => {
    job = next;
    for (const listener of [...listeners]) listener();
  };
  const update = (fields: Partial<UploadJob>) => job && set({ ...job, ...fields });
  const removeFromService = (id: string | undefined) => {
    // An upload that stays expires after a day. A post that is being sent must find its video.
    if (id !== undefined && !deps.isPosting(id)) void uploads.remove(id).catch(() => {});
  };
  const halt = () => {
    running?.abort();
    running = null;
    currentId = null;
    unhold();
    unhold = () => {};
  };
  const own = (): Draft['pending'] => {
    const { pending } = drafts.get();
    return pending?.owner === tab ? pending : null;
  };
  /** The draft was posted, or another tab has replaced the video or has taken over. */
  const followDraft = () => {
    if (!job) return;
    const { pending, upload } = drafts.get();
    if (job.status === 'done') {
      if (!upload || !isSameFile(upload, identityOf(job.file))) set(null);
    } else if (currentId !== null && own()?.id !== currentId) {
      const id = currentId;
      halt();
      if (pending?.id !== id && upload?.id !== id) removeFromService(id);
      set(null);
    }
  };
  const unfollow = drafts.subscribe(followDraft);

  const begin = (id: string, file: File, sent: number) => {
    currentId = id;
    unhold();
    unhold = deps.hold(id);
    drafts.change({ upload: null, pending: { id, ...identityOf(file), sent, owner: tab } });
  };
  const progress = (sent: number) => {
    if (!job) return;
    update({ sent, status: 'sending', samples: withSample(job.samples, { at: deps.now(), sent }) });
    const pending = own();
    if (pending && pending.sent !== sent) drafts.change({ pending: { ...pending, sent } });
  };
  const finish = (id: string, file: File) => {
    halt();
    drafts.change({ pending: null, upload: { id, ...identityOf(file) } });
    update({ status: 'done', sent: file.size, error: null });
  };
  const checkFile = async (file: File, { signal }: AbortController) => {
    if ((await isReadable(file)) || signal.aborted) return;
    halt();
    update({ status: 'fileChanged' });
  };

  const run = async (file: File, controller: AbortController) => {
    const { signal } = controller;
    const { pending } = drafts.get();
    let id = pending && isSameFile(pending, identityOf(file)) ? pending.id : undefined;
    if (id !== undefined) begin(id, file, pending?.sent ?? 0);
    for (let restarts = 0; !signal.aborted; )
      try {
        const known = id === undefined ? {} : { id };
        const finished = await uploads.send(file, {
          ...known,
          keep: true,
          signal,
          onBegun(begun) {
            id = begun;
            if (signal.aborted) removeFromService(begun);
            else begin(begun, file, 0);
          },
          onProgress: ({ sent }) => signal.aborted || progress(sent),
          onRetry() {
            if (signal.aborted) return;
            update({ status: 'waiting', samples: [] });
            void checkFile(file, controller);
          },
        });
        if (!signal.aborted) finish(finished, file);
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (isUnknown(error) && id !== undefined && restarts++ < MAX_RESTARTS) id = undefined;
        else if (isPassing(error)) {
          update({ status: 'waiting', samples: [] });
          await deps.untilOnline(signal).catch(() => {});
        } else {
          halt();
          return void update({ status: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
        }
      }
  };

  const start = () => {
    if (!job || job.status === 'done' || (running && job.status !== 'waiting')) return;
    running?.abort();
    running = new AbortController();
    update({ status: 'sending', samples: [], error: null });
    void run(job.file, running);
  };

  const interrupt = (status: 'paused' | 'waiting') => {
    running?.abort();
    running = null;
    update({ status, samples: [] });
  };

  return {
    tab,
    get: () => job,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    choose(file) {
      halt();
      const { pending, upload } = drafts.get();
      const chosen = identityOf(file);
      const isIt = (stored: FileIdentity | null) => stored !== null && isSameFile(stored, chosen);
      const before = pending ?? upload;
      if (before && !isIt(before)) {
        removeFromService(before.id);
        drafts.change({ ...NO_VIDEO });
      }
      const isDone = isIt(upload);
      const sent = isDone ? file.size : isIt(pending) ? (pending?.sent ?? 0) : 0;
      const replaced = pending && !isIt(pending) && !job ? pending.name : null;
      set({ file, status: isDone ? 'done' : 'chosen', sent, samples: [], error: null, replaced });
    },
    start,
    pause: () => interrupt('paused'),
    wait() {
      if (job?.status === 'sending' || job?.status === 'waiting') interrupt('waiting');
    },
    resume() {
      if (job?.status === 'waiting' || (job?.status === 'failed' && isSignedOut(job.error))) start();
    },
    remove() {
      halt();
      const { pending, upload } = drafts.get();
      removeFromService((pending ?? upload)?.id);
      set(null);
      drafts.change({ ...NO_VIDEO });
    },
    restart() {
      update({ status: 'chosen', sent: 0 });
      drafts.change({ upload: null });
      start();
    },
    end() {
      unfollow();
      halt();
      set(null);
    },
  };
}

/** The service could not be reached, or only for a moment could not respond. */
const isPassing = (error: unknown) =>
  error instanceof ReelayApiError && error.code !== 'storage_full' && [0, 502, 503, 504].includes(error.status);

const isUnknown = (error: unknown) =>
  error instanceof ReelayApiError && (error.code === 'unknown_upload' || error.code === 'upload_used');

async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}
