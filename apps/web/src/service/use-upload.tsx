/** The draft and its upload in components. */
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { Draft } from './draft.ts';
import { createDraftStore, type DraftStore, newKey } from './draft-store.ts';
import { useClient } from './service-client.ts';
import { holdUpload, watchUpload } from './upload-lock.ts';
import { createUploadManager, type UploadJob, type UploadManager } from './upload-manager.ts';

const ComposeContext = createContext<{ drafts: DraftStore; manager: UploadManager } | null>(null);

/** How long an upload without a connection waits for the browser to report one, in ms. */
const ATTEMPT_MS = 15_000;

/** Around all pages: an upload continues when the user leaves the compose page, and after signing in again. */
export function UploadProvider({ children }: { children: ReactNode }) {
  const { uploads } = useClient();
  const [value] = useState(() => {
    const drafts = createDraftStore({ storage: localStorage, window, newKey });
    const manager = createUploadManager({
      uploads,
      drafts,
      tab: newKey(),
      now: () => performance.now(),
      hold: holdUpload,
      untilOnline,
    });
    return { drafts, manager };
  });
  useEffect(() => {
    const onOnline = () => {
      if (value.manager.get()?.status === 'waiting') value.manager.start();
    };
    const { wait } = value.manager;
    window.addEventListener('online', onOnline);
    window.addEventListener('offline', wait);
    return () => {
      window.removeEventListener('online', onOnline);
      window.removeEventListener('offline', wait);
    };
  }, [value]);
  return <ComposeContext value={value}>{children}</ComposeContext>;
}

function useCompose() {
  const value = useContext(ComposeContext);
  if (!value) throw new Error('There is no draft around this component.');
  return value;
}

export function useDraftStore(): DraftStore {
  return useCompose().drafts;
}

/** The stored draft, also if another tab changes it. */
export function useDraft(): Draft {
  const { get, subscribe } = useCompose().drafts;
  return useSyncExternalStore(subscribe, get);
}

/** The upload of this tab; the job is null without a file. */
export function useUpload(): { job: UploadJob | null; manager: UploadManager } {
  const { manager } = useCompose();
  return { job: useSyncExternalStore(manager.subscribe, manager.get), manager };
}

/** Whether another tab sends the draft's upload. Without https, except on localhost, this is not known. */
export function useIsElsewhere({ pending }: Draft): boolean {
  const { manager } = useCompose();
  const [busyId, setBusyId] = useState<string | null>(null);
  const id = pending && pending.owner !== manager.tab ? pending.id : null;
  useEffect(() => {
    if (id === null) return;
    const controller = new AbortController();
    watchUpload(id, controller.signal, (isBusy) => setBusyId(isBusy ? id : null));
    return () => controller.abort();
  }, [id]);
  return id !== null && busyId === id;
}

function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ATTEMPT_MS);
    signal.addEventListener('abort', () => reject(clearTimeout(timer)), { once: true });
  });
}
