/** The upload machine in two tabs of one browser, with a service that answers in any order. */
import { ReelayApiError } from '@reelay/sdk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyDraft } from '../src/drafts/draft.ts';
import {
  NO_UPLOAD,
  next,
  type UploadEffect,
  type UploadEvent,
  type UploadState,
  type UserEventKind,
} from '../src/drafts/upload-machine.ts';

const FILES = ['a.mp4', 'b.mp4'].map((name) => new File(['x'.repeat(100)], name, { lastModified: 1 }));
const refusal = (code: string, status: number) => new ReelayApiError(code, { status, code });

interface Sending {
  attempt: number;
  /** The upload that it sends; null until it has begun one. */
  id: string | null;
}

interface Tab {
  name: string;
  state: UploadState;
  /** Transfers that the tab has not aborted; aborted ones that have not begun yet can still begin. */
  sending: Sending[];
  aborted: Sending[];
  held: string | null;
}

function createBrowser() {
  const tabs: Tab[] = ['one', 'two'].map((name) => ({ name, state: NO_UPLOAD, sending: [], aborted: [], held: null }));
  /** Unfinished and finished uploads of the service. */
  const stored = new Set<string>();
  let draft = emptyDraft('key');
  let count = 0;

  const dispatch = (tab: Tab, event: UploadEvent) => {
    const step = next(tab.state, event, { draft, tab: tab.name });
    tab.state = step.state;
    for (const effect of step.effects) carryOut(tab, effect);
  };
  const carryOut = (tab: Tab, effect: UploadEffect) => {
    if (effect.kind === 'abort') tab.aborted.push(...tab.sending.splice(0));
    if (effect.kind === 'send') tab.sending.push({ attempt: effect.attempt, id: effect.id });
    if (effect.kind === 'hold') tab.held = effect.id;
    if (effect.kind === 'release') tab.held = null;
    if (effect.kind === 'removeFromService') stored.delete(effect.id);
    if (effect.kind === 'changeDraft') {
      draft = { ...draft, ...effect.fields };
      for (const each of tabs) dispatch(each, { kind: 'draftChanged' });
    }
  };
  const begin = (tab: Tab, sending: Sending) => {
    sending.id = `upload-${count++}`;
    stored.add(sending.id);
    dispatch(tab, { kind: 'begun', attempt: sending.attempt, id: sending.id });
  };
  /** Ends the transfer with a refusal. */
  const refuse = (tab: Tab, sending: Sending, error: Error) => {
    tab.sending = tab.sending.filter((each) => each !== sending);
    dispatch(tab, { kind: 'refused', attempt: sending.attempt, error });
  };
  const service: Readonly<Record<string, (tab: Tab, sending: Sending) => void>> = {
    begin: (tab, sending) => sending.id === null && begin(tab, sending),
    progress: (tab, { attempt, id }) => id !== null && dispatch(tab, { kind: 'progress', attempt, sent: 40, at: 0 }),
    lost: (tab, { attempt }) => dispatch(tab, { kind: 'lost', attempt }),
    unreadable: (tab, { attempt }) => dispatch(tab, { kind: 'fileUnreadable', attempt }),
    forget(tab, sending) {
      if (sending.id !== null) stored.delete(sending.id);
      refuse(tab, sending, refusal('unknown_upload', 404));
    },
    disconnect(tab, sending) {
      refuse(tab, sending, refusal('unreachable', 0));
      dispatch(tab, { kind: 'online', attempt: sending.attempt });
    },
    signOut: (tab, sending) => refuse(tab, sending, refusal('unauthorized', 401)),
    fail: (tab, sending) => refuse(tab, sending, refusal('storage_full', 503)),
    finish(tab, sending) {
      if (sending.id === null || !stored.has(sending.id)) return;
      tab.sending = tab.sending.filter((each) => each !== sending);
      dispatch(tab, { kind: 'finished', attempt: sending.attempt, id: sending.id });
    },
  };
  return {
    tabs,
    stored,
    draft: () => draft,
    user(tab: Tab, event: UploadEvent) {
      // The page asks for it after the service has said that it does not have the upload.
      if (event.kind === 'restart') {
        if (tab.state.job?.status !== 'done' || !draft.upload) return;
        stored.delete(draft.upload.id);
      }
      dispatch(tab, event);
    },
    service(tab: Tab, name: string) {
      const [sending] = tab.sending;
      if (sending) service[name]?.(tab, sending);
    },
    /** A request that was aborted has had its effect, and its response arrives. */
    late(tab: Tab) {
      const sending = tab.aborted.shift();
      if (sending?.id === null) begin(tab, sending);
    },
  };
}

type Browser = ReturnType<typeof createBrowser>;

const tabOf = fc.constantFrom(0, 1);
const USER: readonly UserEventKind[] = ['pause', 'wait', 'resume', 'remove', 'restart'];
const SERVICE = ['begin', 'progress', 'lost', 'unreadable', 'forget', 'disconnect', 'signOut', 'fail', 'finish'];
/** Without these, nothing happens. */
const OFTEN = ['choose 0', 'choose 0', 'choose 1', 'start', 'start', 'start', 'begin', 'begin', 'finish'];
type Action = (browser: Browser) => void;
const action: fc.Arbitrary<[string, Action]> = fc
  .tuple(tabOf, fc.constantFrom(...OFTEN, ...OFTEN, ...USER, ...SERVICE, 'late'))
  .map(([at, name]) => [
    `${name} in tab ${at + 1}`,
    (browser) => {
      const tab = browser.tabs[at] as Tab;
      if (name.startsWith('choose')) browser.user(tab, { kind: 'choose', file: FILES[Number(name.at(-1))] as File });
      else if (name === 'late') browser.late(tab);
      else if (SERVICE.includes(name)) browser.service(tab, name);
      else browser.user(tab, { kind: name as UserEventKind });
    },
  ]);

/** What must hold at any moment, in words. @returns what does not */
function problemsOf({ tabs, stored, draft }: Browser): string[] {
  const { pending, upload } = draft();
  const named = [pending?.id, upload?.id];
  return [
    ...tabs.flatMap(({ name, state: { job, attempt, id }, sending, held }) => [
      ...(sending.length > 1 ? [`Tab ${name} sends twice.`] : []),
      ...(sending.length > 0 && attempt === null ? [`Tab ${name} sends what it does not follow.`] : []),
      ...(id !== null && (pending?.id !== id || pending.owner !== name) ? [`Tab ${name} sends for no draft.`] : []),
      ...(held !== id ? [`Tab ${name} holds ${held} instead of ${id}.`] : []),
      ...(job?.status === 'done' && !upload ? [`Tab ${name} is done without an upload.`] : []),
    ]),
    ...(pending && upload ? ['The draft names two videos.'] : []),
    ...[...stored].filter((id) => !named.includes(id)).map((id) => `Nothing names ${id}.`),
  ];
}

test('two tabs never send for one draft', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40, size: 'max' }), (actions) => {
      const browser = createBrowser();
      const done: string[] = [];
      for (const [name, act] of actions) {
        act(browser);
        done.push(name);
        expect([done, problemsOf(browser)]).toEqual([done, []]);
      }
    }),
    { numRuns: 1_000 },
  );
});
