import { ReelayApiError, type Uploads } from '@reelay/sdk';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Draft, NO_VIDEO } from '../src/drafts/draft.ts';
import { createDraftStore, type DraftStore } from '../src/drafts/draft-store.ts';
import { createUploadManager, type UploadManager } from '../src/drafts/upload-manager.ts';
import { createWorkspaces } from '../src/drafts/workspace.ts';

/** Storage of a browser: a change dispatches an event in the other tabs. */
function createBrowser() {
  const stored = new Map<string, string>();
  const tabs: EventTarget[] = [];
  return {
    openTab() {
      const window = new EventTarget();
      tabs.push(window);
      return {
        window,
        storage: {
          getItem: (key: string) => stored.get(key) ?? null,
          removeItem: (key: string) => void stored.delete(key),
          setItem(key: string, value: string) {
            stored.set(key, value);
            for (const tab of tabs) if (tab !== window) tab.dispatchEvent(new Event('storage'));
          },
        },
      };
    },
  };
}

interface Sending {
  id: string | undefined;
  file: File;
  begin(id: string): void;
  progress(sent: number): void;
  retry(): void;
  succeed(id: string): void;
  fail(error: unknown): void;
  signal: AbortSignal;
}

/** A service whose uploads are controlled by the test. */
function createFakeUploads() {
  const sendings: Sending[] = [];
  const removed: string[] = [];
  const uploads: Pick<Uploads, 'send' | 'remove'> = {
    send(video, { id, signal = new AbortController().signal, onBegun, onProgress, onRetry } = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      signal.addEventListener('abort', () => reject(signal.reason));
      const file = video as File;
      sendings.push({
        id,
        file,
        begin: (begun) => onBegun?.(begun),
        progress: (sent) => onProgress?.({ sent, total: file.size }),
        retry: () => onRetry?.({ error: unreachable, delayMs: 0 }),
        succeed: resolve,
        fail: reject,
        signal,
      });
      return promise;
    },
    async remove(id) {
      removed.push(id);
    },
  };
  const latest = () => {
    const sending = sendings.at(-1);
    if (!sending) throw new Error('Nothing is sent.');
    return sending;
  };
  return { uploads, sendings, removed, latest };
}

interface Tab {
  drafts: DraftStore;
  manager: UploadManager;
  held: Set<string>;
  /** The uploads whose post is being sent. */
  posting: Set<string>;
  service: ReturnType<typeof createFakeUploads>;
  /** Lets a waiting upload try again. */
  goOnline(): void;
}

const unreachable = new ReelayApiError('Unreachable', { status: 0, code: 'unreachable' });
const refused = (code: string, status = 404) => new ReelayApiError(code, { status, code });
const fileOf = (name: string, lastModified = 1) => new File(['x'.repeat(100)], name, { lastModified });

let browser: ReturnType<typeof createBrowser>;
beforeEach(() => {
  browser = createBrowser();
});

function openTab(name: string, userId = 'ana'): Tab {
  let key = 0;
  const drafts = createDraftStore({ userId, ...browser.openTab(), newKey: () => `${name}-${key++}` });
  const service = createFakeUploads();
  const held = new Set<string>();
  const posting = new Set<string>();
  let online = Promise.withResolvers<void>();
  const manager = createUploadManager({
    uploads: service.uploads,
    drafts,
    tab: name,
    now: () => 0,
    isPosting: (id) => posting.has(id),
    hold(id) {
      held.add(id);
      return () => held.delete(id);
    },
    untilOnline: () => online.promise,
  });
  const goOnline = () => {
    online.resolve();
    online = Promise.withResolvers();
  };
  return { drafts, manager, held, posting, service, goOnline };
}

/** Begins to send a file, of which the service has some bytes then. */
function begin({ manager, service }: Tab, file: File, id: string, sent = 40): void {
  manager.choose(file);
  manager.start();
  service.latest().begin(id);
  service.latest().progress(sent);
}

const statusOf = ({ manager }: Tab) => manager.get()?.status ?? null;
const pendingOf = ({ drafts }: Tab): Draft['pending'] => drafts.get().pending;

test('a finished upload is in the draft', async () => {
  const tab = openTab('one');
  begin(tab, fileOf('a.mp4'), 'u');
  expect([statusOf(tab), pendingOf(tab)?.sent, [...tab.held]]).toEqual(['sending', 40, ['u']]);
  tab.service.latest().succeed('u');
  await vi.waitFor(() => expect(statusOf(tab)).toBe('done'));
  expect(tab.drafts.get().upload).toEqual({ id: 'u', name: 'a.mp4', bytes: 100, lastModified: 1 });
  expect([pendingOf(tab), tab.held.size]).toEqual([null, 0]);
});

test('a post that is being sent keeps its video', async () => {
  const tab = openTab('one');
  begin(tab, fileOf('a.mp4'), 'u');
  tab.service.latest().succeed('u');
  await vi.waitFor(() => expect(statusOf(tab)).toBe('done'));
  tab.posting.add('u');
  tab.manager.choose(fileOf('b.mp4'));
  expect([tab.drafts.get().upload, tab.service.removed]).toEqual([null, []]);
});

test('a paused upload continues where it was', () => {
  const tab = openTab('one');
  begin(tab, fileOf('a.mp4'), 'u');
  tab.manager.pause();
  expect([statusOf(tab), tab.service.latest().signal.aborted, [...tab.held]]).toEqual(['paused', true, ['u']]);
  tab.manager.start();
  expect([statusOf(tab), tab.service.latest().id, tab.service.removed]).toEqual(['sending', 'u', []]);
});

describe('after a reload', () => {
  test('the same file continues, even if another tab sent it', () => {
    begin(openTab('one'), fileOf('a.mp4'), 'u');
    const tab = openTab('two');
    tab.manager.choose(fileOf('a.mp4'));
    expect([tab.manager.get()?.sent, tab.manager.get()?.replaced]).toEqual([40, null]);
    tab.manager.start();
    expect([tab.service.latest().id, pendingOf(tab)?.owner, tab.service.removed]).toEqual(['u', 'two', []]);
  });

  test.each([
    ['another name', fileOf('b.mp4')],
    ['another time of change', fileOf('a.mp4', 2)],
  ])('a file with %s starts from the beginning', (_name, file) => {
    begin(openTab('one'), fileOf('a.mp4'), 'u');
    const tab = openTab('two');
    tab.manager.choose(file);
    expect([tab.manager.get()?.sent, tab.manager.get()?.replaced, pendingOf(tab)]).toEqual([0, 'a.mp4', null]);
    expect(tab.service.removed).toEqual(['u']);
    tab.manager.start();
    expect(tab.service.latest().id).toBeUndefined();
  });

  test('a finished upload is not sent again', async () => {
    const before = openTab('one');
    begin(before, fileOf('a.mp4'), 'u');
    before.service.latest().succeed('u');
    await vi.waitFor(() => expect(statusOf(before)).toBe('done'));
    const tab = openTab('two');
    tab.manager.choose(fileOf('a.mp4'));
    tab.manager.start();
    expect([statusOf(tab), tab.service.sendings, tab.drafts.get().upload?.id]).toEqual(['done', [], 'u']);
  });
});

test('an upload that the service no longer has starts again', async () => {
  const tab = openTab('one');
  begin(tab, fileOf('a.mp4'), 'u');
  tab.service.latest().fail(refused('unknown_upload'));
  await vi.waitFor(() => expect(tab.service.sendings).toHaveLength(2));
  expect(tab.service.latest().id).toBeUndefined();
  tab.service.latest().begin('v');
  expect([pendingOf(tab)?.id, [...tab.held]]).toEqual(['v', ['v']]);
});

test('an upload that the service lost starts again', async () => {
  const tab = openTab('one');
  begin(tab, fileOf('a.mp4'), 'u');
  tab.service.latest().succeed('u');
  await vi.waitFor(() => expect(statusOf(tab)).toBe('done'));
  tab.manager.restart();
  expect([statusOf(tab), tab.service.latest().id, tab.drafts.get().upload]).toEqual(['sending', undefined, null]);
});

test('a retry that is announced after a pause changes nothing', () => {
  const tab = openTab('one');
  begin(tab, fileOf('a.mp4'), 'u');
  tab.manager.pause();
  tab.service.latest().retry();
  expect(statusOf(tab)).toBe('paused');
});

test('a lost connection is waited for, however long', async () => {
  const tab = openTab('one');
  begin(tab, fileOf('a.mp4'), 'u');
  for (let round = 1; round <= 3; round++) {
    tab.service.latest().fail(unreachable);
    await vi.waitFor(() => expect(statusOf(tab)).toBe('waiting'));
    tab.goOnline();
    await vi.waitFor(() => expect(tab.service.sendings).toHaveLength(round + 1));
    expect(tab.service.latest().id).toBe('u');
    tab.service.latest().progress(40 + round);
  }
  expect(statusOf(tab)).toBe('sending');
});

test('a browser that goes offline waits at once', () => {
  const tab = openTab('one');
  begin(tab, fileOf('a.mp4'), 'u');
  tab.manager.wait();
  expect([statusOf(tab), tab.service.latest().signal.aborted, [...tab.held]]).toEqual(['waiting', true, ['u']]);
  tab.manager.start();
  expect([statusOf(tab), tab.service.latest().id]).toEqual(['sending', 'u']);
  tab.manager.pause();
  tab.manager.wait();
  expect(statusOf(tab)).toBe('paused');
});

describe('when the session has ended', () => {
  test('an upload that was refused continues after signing in', async () => {
    const tab = openTab('one');
    begin(tab, fileOf('a.mp4'), 'u');
    tab.service.latest().fail(refused('unauthorized', 401));
    await vi.waitFor(() => expect(statusOf(tab)).toBe('failed'));
    tab.manager.wait();
    tab.manager.resume();
    expect([statusOf(tab), tab.service.latest().id, tab.service.removed]).toEqual(['sending', 'u', []]);
  });

  test('a running upload waits until the user signs in again', async () => {
    const tab = openTab('one');
    begin(tab, fileOf('a.mp4'), 'u');
    tab.service.latest().fail(unreachable);
    await vi.waitFor(() => expect(statusOf(tab)).toBe('waiting'));
    tab.manager.wait();
    tab.goOnline();
    await Promise.resolve();
    expect(tab.service.sendings).toHaveLength(1);
    tab.manager.resume();
    expect([statusOf(tab), tab.service.latest().id]).toEqual(['sending', 'u']);
  });

  test('neither a paused nor a failed upload continues by itself', async () => {
    const tab = openTab('one');
    begin(tab, fileOf('a.mp4'), 'u');
    tab.manager.pause();
    tab.manager.resume();
    expect(statusOf(tab)).toBe('paused');
    tab.manager.start();
    tab.service.latest().fail(refused('storage_full', 503));
    await vi.waitFor(() => expect(statusOf(tab)).toBe('failed'));
    tab.manager.resume();
    expect(statusOf(tab)).toBe('failed');
  });
});

describe('with two users', () => {
  test('each has a draft of their own', () => {
    const [ana, ben] = [openTab('one'), openTab('one', 'ben')];
    ana.drafts.change({ description: 'From Ana' });
    ben.drafts.change({ description: 'From Ben' });
    expect(ana.drafts.get().description).toBe('From Ana');
    expect(openTab('two', 'ben').drafts.get().description).toBe('From Ben');
  });

  test('the upload of one ends when the other signs in', async () => {
    const [ana, ben] = [openTab('one'), openTab('one', 'ben')];
    const edit = openTab('one', 'edit');
    begin(edit, fileOf('b.mp4'), 'v');
    const opened = { ...edit, opened: edit.drafts.get() };
    const edits = new Map([['post', Promise.resolve(opened)]]);
    const workspaces = {
      ana: { ...ana, edits, begin: () => ana },
      ben: { ...ben, edits: new Map(), begin: () => ben },
    };
    const workspaceOf = createWorkspaces((userId) => workspaces[userId as 'ana' | 'ben']);
    begin(ana, fileOf('a.mp4'), 'u');
    const { signal } = ana.service.latest();
    expect([workspaceOf('ana').manager, workspaceOf('ana').manager, signal.aborted]).toEqual([
      ana.manager,
      ana.manager,
      false,
    ]);
    expect(workspaceOf('ben').manager).toBe(ben.manager);
    expect([statusOf(ana), signal.aborted, ana.service.removed, [...ana.held]]).toEqual([null, true, [], []]);
    expect(pendingOf(ana)).toMatchObject({ id: 'u', sent: 40 });
    expect(pendingOf(ben)).toBeNull();
    await vi.waitFor(() => expect(edit.service.latest().signal.aborted).toBe(true));
  });
});

test('a refused upload says why and can be tried again', async () => {
  const tab = openTab('one');
  begin(tab, fileOf('a.mp4'), 'u');
  tab.service.latest().fail(refused('storage_full', 503));
  await vi.waitFor(() => expect(statusOf(tab)).toBe('failed'));
  expect(tab.manager.get()?.error?.message).toBe('storage_full');
  tab.manager.start();
  expect([statusOf(tab), tab.manager.get()?.error, tab.service.latest().id]).toEqual(['sending', null, 'u']);
});

test('an unreadable file ends the upload', async () => {
  const tab = openTab('one');
  const file = fileOf('a.mp4');
  begin(tab, file, 'u');
  file.slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }) as Blob;
  tab.service.latest().retry();
  await vi.waitFor(() => expect(statusOf(tab)).toBe('fileChanged'));
  expect(tab.service.latest().signal.aborted).toBe(true);
});

test('a removed video is deleted from the service', () => {
  const tab = openTab('one');
  begin(tab, fileOf('a.mp4'), 'u');
  tab.drafts.change({ previewTime: 3, fit: 'crop' });
  tab.manager.remove();
  expect([statusOf(tab), tab.service.latest().signal.aborted, tab.service.removed]).toEqual([null, true, ['u']]);
  expect(tab.drafts.get()).toMatchObject({ pending: null, upload: null, previewTime: 0, fit: null });
});

test('a file is forgotten once its post is made', async () => {
  const tab = openTab('one');
  begin(tab, fileOf('a.mp4'), 'u');
  tab.service.latest().succeed('u');
  await vi.waitFor(() => expect(statusOf(tab)).toBe('done'));
  tab.drafts.change(NO_VIDEO);
  expect([statusOf(tab), tab.service.removed]).toEqual([null, []]);
});

describe('with two tabs', () => {
  test('a taken-over upload stops without being deleted', () => {
    const [one, two] = [openTab('one'), openTab('two')];
    begin(one, fileOf('a.mp4'), 'u');
    two.manager.choose(fileOf('a.mp4'));
    two.manager.start();
    expect([statusOf(one), one.service.latest().signal.aborted, one.service.removed]).toEqual([null, true, []]);
    expect(statusOf(two)).toBe('sending');
    expect(one.held.size).toBe(0);
  });

  test('the video that starts last stays', () => {
    const [one, two] = [openTab('one'), openTab('two')];
    begin(one, fileOf('a.mp4'), 'u');
    begin(two, fileOf('b.mp4'), 'v');
    expect([statusOf(one), pendingOf(one)?.id]).toEqual([null, 'v']);
    expect([...one.service.removed, ...two.service.removed]).toContain('u');
  });

  test('a paused upload ends when its video is removed', () => {
    const [one, two] = [openTab('one'), openTab('two')];
    begin(one, fileOf('a.mp4'), 'u');
    one.manager.pause();
    two.manager.remove();
    expect([statusOf(one), two.service.removed]).toEqual([null, ['u']]);
  });

  test('typed text and progress do not undo each other', () => {
    const [one, two] = [openTab('one'), openTab('two')];
    begin(one, fileOf('a.mp4'), 'u');
    two.drafts.change({ description: 'Typed in the second tab' });
    one.service.latest().progress(60);
    one.drafts.change({ accounts: ['a'] });
    for (const tab of [one, two])
      expect(tab.drafts.get()).toMatchObject({
        description: 'Typed in the second tab',
        accounts: ['a'],
        pending: { id: 'u', sent: 60 },
      });
  });
});

test('an ended upload does not write a deleted draft again', () => {
  const tab = openTab('one');
  begin(tab, fileOf('a.mp4'), 'u');
  tab.manager.end();
  browser.openTab().storage.removeItem('reelay-draft-ana');
  tab.service.latest().progress(60);
  expect(openTab('two').drafts.get()).toMatchObject({ pending: null, upload: null });
});

test('a draft works in a storage that is full', () => {
  const { storage, window } = browser.openTab();
  const setItem = () => {
    throw new DOMException('', 'QuotaExceededError');
  };
  const drafts = createDraftStore({ userId: 'ana', storage: { ...storage, setItem }, window, newKey: () => 'k' });
  drafts.change({ description: 'One' });
  drafts.change({ accounts: ['a'] });
  expect(drafts.get()).toMatchObject({ description: 'One', accounts: ['a'] });
});
