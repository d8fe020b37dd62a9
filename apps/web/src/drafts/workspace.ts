/** A user's work in this browser: the draft and its upload, and changes of posts. */
import type { Uploads } from '@reelay/sdk';
import type { Draft } from './draft.ts';
import { createDraftStore, type DraftStore, newKey } from './draft-store.ts';
import { holdUpload } from './upload-lock.ts';
import { createUploadManager, type UploadManager } from './upload-manager.ts';

interface Work {
  drafts: DraftStore;
  manager: UploadManager;
}

/** The change of a post. */
export interface PostEdit extends Work {
  /** The post when the change was begun, as a draft. */
  opened: Draft;
}

export interface Workspace extends Work {
  /** Changes of posts that are not saved, by id of the post. */
  edits: Map<string, Promise<PostEdit>>;
  /** Begins a change, which is kept by this tab alone. */
  begin(opened: Draft): Work;
}

/** @returns the workspace of the signed-in user */
export type WorkspaceOf = (userId: string) => Workspace;

/** How long an upload without a connection waits for the browser to report one, in ms. */
const ATTEMPT_MS = 15_000;

/**
 * Keeps one workspace. It survives a new sign-in of the same user; a sign-in of another user ends its uploads.
 * @param open opens the workspace of a user
 */
export function createWorkspaces(open: WorkspaceOf): WorkspaceOf {
  let current: { userId: string; workspace: Workspace } | null = null;
  return (userId) => {
    if (current?.userId === userId) return current.workspace;
    if (current) endUploads(current.workspace);
    current = { userId, workspace: open(userId) };
    return current.workspace;
  };
}

/** Ends all uploads of a workspace, which is not used afterwards. */
export function endUploads({ manager, edits }: Workspace): void {
  // Not delayed: it writes the upload's progress into the draft.
  manager.end();
  for (const edit of edits.values()) void edit.then((begun) => begun.manager.end());
}

type DraftStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** `localStorage`. If the browser forbids it, the draft is lost with the page. */
function openStorage(): DraftStorage {
  try {
    return localStorage;
  } catch {
    return holding(null);
  }
}

/** A storage that cannot be written: the draft is kept by its store alone. */
function holding(text: string | null): DraftStorage {
  const setItem = () => {
    throw new Error('Not stored.');
  };
  return { getItem: () => text, setItem };
}

/**
 * Opens workspaces in the storage of the browser.
 * @param isPosting whether a post with this upload is being sent to the service
 */
export function openWorkspace(
  uploads: Pick<Uploads, 'send' | 'remove'>,
  isPosting: (uploadId: string) => boolean,
): WorkspaceOf {
  const tab = newKey();
  const open = (userId: string, storage: DraftStorage) => {
    const drafts = createDraftStore({ userId, storage, window, newKey });
    const now = () => performance.now();
    return {
      drafts,
      manager: createUploadManager({ uploads, drafts, tab, isPosting, now, hold: holdUpload, untilOnline }),
    };
  };
  return (userId) => ({
    ...open(userId, openStorage()),
    edits: new Map(),
    begin: (opened) => open(userId, holding(JSON.stringify(opened))),
  });
}

function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ATTEMPT_MS);
    signal.addEventListener('abort', () => reject(clearTimeout(timer)), { once: true });
  });
}
