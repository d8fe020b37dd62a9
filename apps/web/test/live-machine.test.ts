/** The live updates of a browser: tabs that come, freeze and go, one lock, and a stream that fails at any moment. */
import type { LiveEvent } from '@reelay/sdk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { begin, type Message, next, type Tab, type TabEffect, type TabEvent } from '../src/live/live-machine.ts';

interface OpenTab {
  name: number;
  tab: Tab;
  timers: Set<string>;
  /** `connecting` until the service has responded; changes reach an `open` stream only. */
  stream: 'none' | 'connecting' | 'open';
  /** The latest change before the stream that was opened before the tab read anything; null if it cannot be used anymore. */
  early: number | null;
  /** Whether it reads that stream. */
  isEarly: boolean;
  isFrozen: boolean;
  /** What happens to it while it is frozen. A grant is of a request for the lock. */
  held: { event: TabEvent; request: number }[];
  /** Number of its requests for the lock. */
  requests: number;
  /** Whether another tab has taken its lock, which it learns after it was frozen. */
  isOverthrown: boolean;
  /** The latest change up to which it knows all. */
  known: number;
  /** Number of times that it had to read everything again. */
  resyncs: number;
  isTold: boolean;
}

/** A Web Lock. A frozen tab learns later that another one has taken it. */
function createLock(report: (tab: OpenTab, event: 'granted' | 'lost') => void) {
  let holder: OpenTab | null = null;
  let queue: OpenTab[] = [];
  const grant = () => {
    if (holder) return;
    holder = queue.shift() ?? null;
    if (holder) report(holder, 'granted');
  };
  const leave = (tab: OpenTab) => {
    queue = queue.filter((each) => each !== tab);
    if (holder === tab) holder = null;
    grant();
  };
  /** An earlier request ends: its lock becomes free, and it reports nothing anymore. */
  const request = (tab: OpenTab) => {
    tab.requests += 1;
    tab.isOverthrown = false;
    leave(tab);
  };
  const take = (tab: OpenTab) => {
    request(tab);
    const before = holder;
    holder = tab;
    if (before) before.isOverthrown = true;
    if (before && !before.isFrozen) learn(before);
    report(tab, 'granted');
  };
  /** The tab learns that it has lost the lock. */
  const learn = (tab: OpenTab) => {
    tab.isOverthrown = false;
    report(tab, 'lost');
  };
  const enter = (tab: OpenTab) => {
    request(tab);
    queue.push(tab);
    grant();
  };
  return { enter, leave, take, learn, holder: () => holder };
}

const isGrant = ({ event }: OpenTab['held'][number]) => event.kind === 'granted';

const grantsFirst = (held: OpenTab['held']) => [...held.filter(isGrant), ...held.filter((each) => !isGrant(each))];

/** It has no early stream anymore. */
function forget(tab: OpenTab): void {
  tab.early = null;
  tab.isEarly = false;
}

function changesBetween(from: number | null, to: number): { type: 'post'; id: string }[] {
  const first = (from ?? 0) + 1;
  return Array.from({ length: to - first + 1 }, (_, index) => ({ type: 'post', id: String(first + index) }));
}

function openedTab(name: number, early: number | null, changes: number): OpenTab {
  const [tab] = begin(false);
  return {
    ...{ name, tab, timers: new Set(), stream: 'none', early, isEarly: false },
    ...{ isFrozen: false, held: [], requests: 0, isOverthrown: false },
    // It has read everything before the latest change, or after its early stream was opened.
    ...{ known: early ?? changes - 1, resyncs: 0, isTold: false },
  };
}

function tellTab(tab: OpenTab, event: LiveEvent, changes: number): void {
  if (event.type === 'resync') {
    tab.resyncs += 1;
    tab.known = changes;
  } else if (tab.known === Number(event.id) - 1) tab.known += 1;
}

type Order = 'first' | 'last' | 'lossy';

interface Thawing {
  dispatch(tab: OpenTab, event: TabEvent): void;
  /** The tab learns that it has lost the lock. */
  learn(tab: OpenTab): void;
  now(): number;
}

/** Runs what was held, in a given order. A lock is granted before it is lost. The messages of a tab that led may be lost. */
function thawTab(tab: OpenTab, order: Order, { dispatch, learn, now }: Thawing): void {
  if (!tab.isFrozen) return;
  tab.isFrozen = false;
  const isOverthrown = tab.isOverthrown;
  const held = tab.held.splice(0);
  const inOrder = isOverthrown && order === 'first' ? grantsFirst(held) : held;
  for (const { event, request } of inOrder) {
    if (tab.isOverthrown && order === 'first' && event.kind !== 'granted') learn(tab);
    if (isOverthrown && order === 'lossy' && event.kind === 'heard') continue;
    // A grant has the time of the tab's clock when it learns of it.
    if (event.kind !== 'granted') dispatch(tab, event);
    else if (request === tab.requests) dispatch(tab, { ...event, at: now() });
  }
  if (tab.isOverthrown) learn(tab);
}

function createBrowser() {
  const tabs: OpenTab[] = [];
  let clock = 0;
  let changes = 0;
  let isSignedIn = true;

  const dispatch = (to: OpenTab, event: TabEvent) => {
    if (to.isFrozen) to.held.push({ event, request: to.requests });
    else proceed(to, next(to.tab, event));
  };
  const proceed = (to: OpenTab, [tab, ...effects]: [Tab, ...TabEffect[]]) => {
    to.tab = tab;
    for (const effect of effects) carryOut(to, effect);
  };
  const { enter, leave, take, learn, holder } = createLock((tab, event) =>
    dispatch(tab, event === 'lost' ? { kind: 'lost' } : { kind: 'granted', at: ++clock }),
  );
  const carryOut = (tab: OpenTab, [name, given]: TabEffect) => {
    if (name === 'request') (given ? take : enter)(tab);
    if (name === 'read') {
      tab.isEarly = tab.early !== null && tab.stream === 'none';
      if (!tab.isEarly) tab.early = null;
      tab.stream = 'connecting';
    }
    if (name === 'rest' || name === 'close') {
      forget(tab);
      tab.stream = 'none';
    }
    if (name === 'post')
      for (const each of tabs) if (each !== tab) dispatch(each, { kind: 'heard', message: given as Message });
    if (name === 'tell') tellTab(tab, given, changes);
    if (name === 'time') tab.timers.add(given);
    if (name === 'untime') tab.timers.delete(given);
    if (name === 'end') tab.isTold = true;
    if (name === 'close') {
      tab.timers.clear();
      leave(tab);
    }
  };
  const open = (isEarly = false) => {
    const opened = openedTab(++clock, isEarly ? changes : null, changes);
    tabs.push(opened);
    proceed(opened, begin(false));
  };
  const thaw = (tab: OpenTab, order: Order) => thawTab(tab, order, { dispatch, learn, now: () => ++clock });
  const browser = {
    tabs,
    holder,
    changes: () => changes,
    open,
    close(tab: OpenTab) {
      tab.isFrozen = false;
      dispatch(tab, { kind: 'stop' });
      tabs.splice(tabs.indexOf(tab), 1);
    },
    freeze(tab: OpenTab) {
      tab.isFrozen = true;
    },
    thaw,
    see: (tab: OpenTab, kind: 'visible' | 'hidden') => dispatch(tab, { kind }),
    check: (tab: OpenTab) => dispatch(tab, { kind: 'check' }),
    fire(tab: OpenTab) {
      const [timer] = tab.timers;
      if (timer === undefined || tab.isFrozen) return;
      tab.timers.delete(timer);
      dispatch(tab, { kind: timer as 'slow' });
    },
    online: (tab: OpenTab) => dispatch(tab, { kind: 'online' }),
    /** The service responds to the stream. */
    connect(tab: OpenTab) {
      if (tab.stream !== 'connecting' || tab.isFrozen) return;
      if (isSignedIn) tab.stream = 'open';
      const isKnown = tab.isEarly;
      const missed = isKnown ? changesBetween(tab.early, changes) : [];
      forget(tab);
      if (!isSignedIn) return dispatch(tab, { kind: 'signedOut' });
      dispatch(tab, { kind: 'arrived', event: { type: 'resync' }, isKnown });
      for (const event of missed) dispatch(tab, { kind: 'arrived', event });
    },
    /** Nothing has used the early stream for too long. */
    expire(tab: OpenTab) {
      if (!tab.isEarly) forget(tab);
    },
    interrupt(tab: OpenTab) {
      if (tab.stream === 'none') return;
      forget(tab);
      tab.stream = 'connecting';
      dispatch(tab, { kind: 'interrupted' });
    },
    fail(tab: OpenTab) {
      if (tab.stream === 'none') return;
      forget(tab);
      tab.stream = 'none';
      dispatch(tab, { kind: 'failed' });
    },
    change() {
      changes += 1;
      for (const tab of tabs)
        if (tab.stream === 'open') dispatch(tab, { kind: 'arrived', event: { type: 'post', id: String(changes) } });
    },
    signOut() {
      isSignedIn = false;
      for (const tab of tabs) if (tab.stream === 'open') browser.interrupt(tab);
    },
    settle: () => settleTabs(browser),
  };
  return browser;
}

type Browser = ReturnType<typeof createBrowser>;

/** All tabs run and are seen, and the service responds, until nothing happens anymore. */
function settleTabs({ tabs, thaw, see, connect, fire }: Omit<Browser, 'settle'>): void {
  for (const tab of tabs) thaw(tab, 'last');
  for (const tab of tabs) see(tab, 'visible');
  for (let round = 0; round < 3 * tabs.length + 3; round++)
    for (const tab of [...tabs]) {
      connect(tab);
      fire(tab);
    }
}

const ACTIONS: Readonly<Record<string, (browser: Browser, tab: OpenTab) => void>> = {
  close: (browser, tab) => browser.close(tab),
  freeze: (browser, tab) => browser.freeze(tab),
  thaw: (browser, tab) => browser.thaw(tab, 'first'),
  'thaw late': (browser, tab) => browser.thaw(tab, 'last'),
  'thaw without messages': (browser, tab) => browser.thaw(tab, 'lossy'),
  hide: (browser, tab) => browser.see(tab, 'hidden'),
  show: (browser, tab) => browser.see(tab, 'visible'),
  check: (browser, tab) => browser.check(tab),
  fire: (browser, tab) => browser.fire(tab),
  online: (browser, tab) => browser.online(tab),
  connect: (browser, tab) => browser.connect(tab),
  interrupt: (browser, tab) => browser.interrupt(tab),
  fail: (browser, tab) => browser.fail(tab),
  change: (browser) => browser.change(),
  expire: (browser, tab) => browser.expire(tab),
};
const OFTEN = ['connect', 'connect', 'change', 'change', 'show', 'fire', 'freeze', 'thaw late'];
const action = fc.tuple(fc.nat(3), fc.constantFrom('open', 'open early', ...Object.keys(ACTIONS), ...OFTEN));

function act(browser: Browser, [at, name]: [number, string]): void {
  const tab = browser.tabs[at % Math.max(1, browser.tabs.length)];
  if (name === 'open' || name === 'open early') {
    if (browser.tabs.length < 4) browser.open(name === 'open early');
  } else if (tab) ACTIONS[name]?.(browser, tab);
}

/** What must hold at any moment, in words. @returns what does not */
function problemsOf({ tabs, holder }: Browser): string[] {
  const leads = ({ tab, isFrozen }: OpenTab) => tab.role === 'leading' && !isFrozen;
  return [
    ...(tabs.filter(leads).length > 1 ? ['Two tabs lead.'] : []),
    ...tabs.flatMap((each) => {
      const { name, tab, timers, stream, isFrozen } = each;
      const reads = stream !== 'none';
      return [
        ...(leads(each) && holder() !== each ? [`Tab ${name} leads without the lock.`] : []),
        ...(holder() === each && !isFrozen && tab.role !== 'leading' ? [`Tab ${name} does not lead.`] : []),
        ...(reads && tab.role !== 'leading' ? [`Tab ${name} reads and does not lead.`] : []),
        ...(leads(each) && !reads && !timers.has('retry') ? [`Tab ${name} leads and does not read.`] : []),
        ...(timers.has('retry') && tab.role !== 'leading' ? [`Tab ${name} waits for a stream.`] : []),
        ...(timers.has('unanswered') && tab.role !== 'waiting' ? [`Tab ${name} waits for a response.`] : []),
        ...(tab.role === 'stopped' && timers.size > 0 ? [`Tab ${name} has stopped and has timers.`] : []),
      ];
    }),
  ];
}

const run = (actions: [number, string][], then: (browser: Browser) => void) => {
  const browser = createBrowser();
  const done: unknown[] = [];
  browser.open();
  for (const each of actions) {
    act(browser, each);
    done.push(each);
    expect([done, problemsOf(browser)]).toEqual([done, []]);
  }
  then(browser);
  expect([done, problemsOf(browser)]).toEqual([done, []]);
};
const actions = fc.array(action, { maxLength: 40, size: 'max' });

/** A frozen tab is granted the lock, which another tab takes before it thaws. */
const GRANTED_LATE: [[number, string][]][] = [
  ['open', 'open', '1 freeze', 'close', '1 show', '1 fire', '1 fire', 'thaw'],
  ['open', 'open', '1 freeze', 'close', '1 show', '1 fire', '1 fire'],
  ['open', 'open', '1 freeze', 'close', '1 fire', '1 show', '1 fire', 'thaw without messages'],
  ['show', 'open', '1 fire', 'freeze', '1 show', '1 fire', '1 close', 'thaw'],
].map((names) => [names.map((name) => (name.startsWith('1 ') ? [1, name.slice(2)] : [0, name]))]);

test('one tab leads, and all tabs know all changes', () => {
  fc.assert(
    fc.property(actions, (given) =>
      run(given, (browser) => {
        browser.settle();
        for (const { tab, known, timers } of browser.tabs)
          expect([tab.shown, known, [...timers]]).toEqual(['open', browser.changes(), []]);
      }),
    ),
    { numRuns: 2_000, examples: GRANTED_LATE },
  );
});

test('a tab that read after its stream is current', () => {
  const browser = createBrowser();
  browser.change();
  browser.open(true);
  const [tab] = browser.tabs;
  browser.change();
  browser.connect(tab as OpenTab);
  expect([tab?.known, tab?.tab.shown, tab?.resyncs]).toEqual([2, 'open', 0]);
});

test('a visible tab takes over from a frozen one', () => {
  fc.assert(
    fc.property(actions, fc.constantFrom('first', 'last', 'lossy'), (given, order) =>
      run(given, (browser) => {
        browser.open();
        browser.open();
        browser.settle();
        const frozen = browser.holder() as OpenTab;
        browser.freeze(frozen);
        for (const tab of browser.tabs) browser.check(tab);
        const asking = browser.tabs.filter(({ timers }) => timers.has('unanswered'));
        expect(asking).toEqual(browser.tabs.filter((tab) => tab !== frozen));
        for (const tab of browser.tabs) browser.fire(tab);
        const successor = browser.holder() as OpenTab;
        expect(successor).not.toBe(frozen);
        browser.connect(successor);
        browser.interrupt(frozen);
        browser.change();
        browser.thaw(frozen, order);
        for (const { tab, known } of browser.tabs) expect([tab.shown, known]).toEqual(['open', browser.changes()]);
      }),
    ),
    { numRuns: 500 },
  );
});

test('all tabs learn that the session has ended', () => {
  fc.assert(
    fc.property(actions, (given) =>
      run(given, (browser) => {
        browser.open();
        browser.settle();
        browser.signOut();
        browser.connect(browser.holder() as OpenTab);
        expect(browser.tabs.filter(({ isTold }) => !isTold)).toEqual([]);
        browser.settle();
        for (const { stream, timers } of browser.tabs) expect([stream, [...timers]]).toEqual(['none', []]);
        expect(browser.holder()).toBeNull();
      }),
    ),
    { numRuns: 500 },
  );
});

test('a tab without locks reads while it is visible', () => {
  const event = fc.constantFrom<TabEvent['kind']>('visible', 'hidden', 'failed', 'interrupted', 'retry', 'online');
  fc.assert(
    fc.property(fc.array(event), (events) => {
      let [tab] = begin(true);
      let reads = false;
      let isPausing = false;
      for (const kind of events) {
        if ((kind === 'failed' || kind === 'interrupted') && !reads) continue;
        if (kind === 'retry' && !isPausing) continue;
        if (kind === 'failed') reads = false;
        const [after, ...effects] = next(tab, { kind } as TabEvent);
        tab = after;
        for (const [name, given] of effects) {
          if (name === 'read') reads = true;
          if (name === 'rest') reads = false;
          if (given === 'retry') isPausing = name === 'time';
          expect(name).not.toBe('request');
        }
        if (kind === 'retry') isPausing = false;
        expect([reads || isPausing, reads && isPausing]).toEqual([tab.isVisible, false]);
      }
    }),
  );
});
