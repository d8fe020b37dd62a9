/** A user's draft in this browser and its upload. */
import type { Uploads } from '@reelay/sdk';
import { createDraftStore, type DraftStore, newKey } from './draft-store.ts';
import { holdUpload } from './upload-lock.ts';
import { createUploadManager, type UploadManager } from './upload-manager.ts';

export interface Workspace {
  drafts: DraftStore;
  manager: UploadManager;
}

/** @returns the workspace of the signed-in user */
export type WorkspaceOf = (userId: string) => Workspace;

/** How long an upload without a connection waits for the browser to report one, in ms. */
const ATTEMPT_MS = 15_000;

/**
 * Keeps one workspace. It survives a new sign-in of the same user; a sign-in of another user ends its upload.
 * @param open opens the workspace of a user
 */
export function createWorkspaces(open: WorkspaceOf): WorkspaceOf {
  let current: { userId: string; workspace: Workspace } | null = null;
  return (userId) => {
    if (current?.userId === userId) return current.workspace;
    current?.workspace.manager.end();
    current = { userId, workspace: open(userId) };
    return current.workspace;
  };
}

/** `localStorage`. If the browser forbids it, the draft is lost with the page. */
function openStorage(): Pick<Storage, 'getItem' | 'setItem'> {
  try {
    return localStorage;
  } catch (error) {
    const setItem = () => {
      throw error;
    };
    return { getItem: () => null, setItem };
  }
}

/**
 * Opens workspaces in the storage of the browser.
 * @param isPosting whether a post with this upload is being sent to the service
 */
export function openWorkspace(
  uploads: Pick<Uploads, 'send' | 'remove'>,
  isPosting: (uploadId: string) => boolean,
): WorkspaceOf {
  return (userId) => {
    const drafts = createDraftStore({ userId, storage: openStorage(), window, newKey });
    const manager = createUploadManager({
      uploads,
      drafts,
      tab: newKey(),
      isPosting,
      now: () => performance.now(),
      hold: holdUpload,
      untilOnline,
    });
    return { drafts, manager };
  };
}

function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ATTEMPT_MS);
    signal.addEventListener('abort', () => reject(clearTimeout(timer)), { once: true });
  });
}
