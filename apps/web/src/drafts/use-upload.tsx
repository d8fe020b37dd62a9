/** The draft and its upload in components. */
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { Draft } from './draft.ts';
import type { DraftStore } from './draft-store.ts';
import { watchUpload } from './upload-lock.ts';
import type { UploadJob } from './upload-machine.ts';
import type { UploadManager } from './upload-manager.ts';
import { endUploads, type Workspace } from './workspace.ts';

const WorkspaceContext = createContext<Workspace | null>(null);

/** Provides the workspace to all pages of a signed-in user. An upload pauses while the user is signed out. */
export function WorkspaceProvider({ value, children }: { value: Workspace; children: ReactNode }) {
  useEffect(() => {
    const { resume, wait } = value.manager;
    resume();
    window.addEventListener('online', resume);
    window.addEventListener('offline', wait);
    return () => {
      window.removeEventListener('online', resume);
      window.removeEventListener('offline', wait);
      wait();
    };
  }, [value]);
  return <WorkspaceContext value={value}>{children}</WorkspaceContext>;
}

export function useWorkspace(): Workspace {
  const value = useContext(WorkspaceContext);
  if (!value) throw new Error('There is no draft around this component.');
  return value;
}

export function useDraftStore(): DraftStore {
  return useWorkspace().drafts;
}

/** The stored draft. It follows changes by other tabs. */
export function useDraft(): Draft {
  const { get, subscribe } = useWorkspace().drafts;
  return useSyncExternalStore(subscribe, get);
}

/** The upload of this tab; the job is null without a file. */
export function useUpload(): { job: UploadJob | null; manager: UploadManager } {
  const { manager } = useWorkspace();
  return { job: useSyncExternalStore(manager.subscribe, manager.get), manager };
}

/** @returns ends the uploads and removes everything of the user from the browser */
export function useForgetWork(): () => Promise<void> {
  const workspace = useWorkspace();
  return async () => {
    // Must run first: it writes the upload's progress into the draft.
    endUploads(workspace);
    const { clearBrowserData } = await import('./browser-data.ts');
    await clearBrowserData();
  };
}

/** Whether another tab sends the draft's upload. Always false without https, except on localhost. */
export function useIsElsewhere({ pending }: Draft): boolean {
  const { manager } = useWorkspace();
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
