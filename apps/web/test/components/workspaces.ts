/** Workspaces for components: drafts and uploads are real, the service is a fake. */
import type { Uploads } from '@reelay/sdk';
import type { Draft } from '../../src/drafts/draft.ts';
import { createDraftStore, newKey } from '../../src/drafts/draft-store.ts';
import { createUploadManager } from '../../src/drafts/upload-manager.ts';
import type { Workspace } from '../../src/drafts/workspace.ts';

interface GivenWorkspace {
  /** Of the present draft. */
  draft?: Partial<Draft>;
  uploads?: Partial<Pick<Uploads, 'send' | 'remove'>>;
}

export function workspaceWith({ draft = {}, uploads }: GivenWorkspace = {}): Workspace {
  const open = (fields: Partial<Draft>) => {
    let text: string | null = null;
    const storage = {
      getItem: () => text,
      setItem(_: string, value: string) {
        text = value;
      },
    };
    const drafts = createDraftStore({ userId: 'u', storage, window: new EventTarget(), newKey });
    drafts.change(fields);
    const manager = createUploadManager({
      uploads: { send: () => new Promise(() => {}), remove: async () => {}, ...uploads },
      drafts,
      tab: 'tab',
      isPosting: () => false,
      now: () => 0,
      hold: () => () => {},
      untilOnline: async () => {},
    });
    return { drafts, manager };
  };
  return { ...open(draft), edits: new Map(), begin: open };
}
