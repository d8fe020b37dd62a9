/**
 * Uploads the draft's video: carries out the effects of upload-machine.ts. It lives until the tab is closed or another
 * user signs in, so an upload continues on other pages and after signing in again.
 */
import type { Uploads } from '@reelay/sdk';
import type { DraftStore } from './draft-store.ts';
import {
  NO_UPLOAD,
  next,
  type UploadEffect,
  type UploadEvent,
  type UploadJob,
  type UserEventKind,
} from './upload-machine.ts';

export interface UploadManager {
  /** Identifies this tab. */
  tab: string;
  /** Returns the same object until it changes; null without a file. */
  get(): UploadJob | null;
  subscribe(listener: () => void): () => void;
  /** Chooses a file. It is sent after `start`, unless the service already has it. */
  choose(file: File): void;
  /** Starts or continues the transfer. While it waits for the connection, it retries immediately. */
  start(): void;
  pause(): void;
  /**
   * Interrupts the upload until {@link resume}: the session has ended, or the browser has lost its connection, which a
   * request that hangs would not report for long.
   */
  wait(): void;
  /** Continues an upload that waits for the connection or failed because the session had ended. */
  resume(): void;
  /** Removes the video from the draft and from the service. */
  remove(): void;
  /** The service does not have the finished upload anymore: sends the file again, or asks for it. */
  restart(): void;
  /** Drops the file but keeps the upload. The manager is not used afterwards. */
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
  /** Marks an upload as sent by this tab, for other tabs. @returns removes the mark */
  hold(uploadId: string): () => void;
  /** Waits until the connection may be back. @throws the reason that `signal` was aborted with */
  untilOnline(signal: AbortSignal): Promise<void>;
}

export function createUploadManager(deps: UploadManagerDeps): UploadManager {
  const { drafts, tab } = deps;
  const listeners = new Set<() => void>();
  let state = NO_UPLOAD;
  let running = new AbortController();
  let unhold = () => {};

  const dispatch = (event: UploadEvent) => {
    const before = state.job;
    const step = next(state, event, { draft: drafts.get(), tab });
    state = step.state;
    // Effects may dispatch events. A change of the draft does so, for example.
    for (const effect of step.effects) carryOut(effect);
    if (state.job !== before) for (const listener of [...listeners]) listener();
  };
  const carryOut = (effect: UploadEffect): void => {
    switch (effect.kind) {
      case 'abort':
        running.abort();
        running = new AbortController();
        return;
      case 'send':
        return void send(deps, effect, { signal: running.signal, dispatch });
      case 'waitOnline': {
        const { attempt } = effect;
        return void deps.untilOnline(running.signal).then(
          () => dispatch({ kind: 'online', attempt }),
          () => {},
        );
      }
      case 'checkFile': {
        const { attempt, file } = effect;
        return void isReadable(file).then((is) => is || dispatch({ kind: 'fileUnreadable', attempt }));
      }
      case 'hold':
        unhold = deps.hold(effect.id);
        return;
      case 'release':
        unhold();
        unhold = () => {};
        return;
      case 'changeDraft':
        drafts.change(effect.fields);
        return;
      case 'removeFromService':
        // Otherwise it expires after a day. It is kept while its post is being sent, because the post needs the video.
        if (!deps.isPosting(effect.id)) void deps.uploads.remove(effect.id).catch(() => {});
    }
  };
  const unfollow = drafts.subscribe(() => dispatch({ kind: 'draftChanged' }));
  const on = (kind: UserEventKind) => () => dispatch({ kind });

  return {
    tab,
    get: () => state.job,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    choose: (file) => dispatch({ kind: 'choose', file }),
    start: on('start'),
    pause: on('pause'),
    wait: on('wait'),
    resume: on('resume'),
    remove: on('remove'),
    restart: on('restart'),
    end() {
      unfollow();
      dispatch({ kind: 'end' });
    },
  };
}

interface Running {
  signal: AbortSignal;
  dispatch(event: UploadEvent): void;
}

async function send(
  { uploads, now }: UploadManagerDeps,
  { attempt, file, id }: Extract<UploadEffect, { kind: 'send' }>,
  { signal, dispatch }: Running,
): Promise<void> {
  try {
    const finished = await uploads.send(file, {
      ...(id === null ? {} : { id }),
      keep: true,
      signal,
      onBegun: (begun) => dispatch({ kind: 'begun', attempt, id: begun }),
      onProgress: ({ sent }) => dispatch({ kind: 'progress', attempt, sent, at: now() }),
      onRetry: () => dispatch({ kind: 'lost', attempt }),
    });
    dispatch({ kind: 'finished', attempt, id: finished });
  } catch (error) {
    dispatch({ kind: 'refused', attempt, error });
  }
}

async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}
