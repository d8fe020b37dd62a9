/**
 * One tab's part in the live updates of a browser, as states and events. Pure: `next` returns the new state, and effects
 * for the runner (live.ts), which reports their results as events.
 *
 *               granted              failed
 *    waiting ──────────────▶ reading ──────────▶ pausing
 *     │ ▲  ▲                  │  ▲  │             │  │
 *     │ │  │ lost, or a later │  └──┼─────────────┘  │
 *     │ │  └── term was heard ┘     │ retry, online  │
 *     │ │                           │                │
 *     │ │ heard            signedOut│     lost       │
 *     ▼ │                           ▼                ▼
 *    asking                      stopped          waiting
 *     └─ unanswered: takes the lock ▲
 *                                   └── stop, in every state
 *
 * The tab that holds a Web Lock leads: it reads the stream or pauses, and shares events and the state of the connection with the
 * others. A visible tab asks whether the leading tab is alive, which may be frozen, and takes the lock from one that does
 * not respond. A frozen tab learns that later; until then its messages have an older term, and are ignored. Without Web
 * Locks nothing is shared: every tab leads while it is visible.
 */
import type { LiveEvent } from '@reelay/sdk';

/** `connecting`: not known yet, `open`: changes arrive, `down`: changes may be missed. */
export type LiveState = 'connecting' | 'open' | 'down';

/** What the tabs tell each other. */
export type Message =
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'state'; state: LiveState; term: number }
  | { kind: 'ended' }
  | { kind: 'hello' };

export interface Tab {
  role: 'waiting' | 'leading' | 'stopped';
  shown: LiveState;
  isVisible: boolean;
  /** Whether everything was read again since this tab hears all changes. */
  isSynced: boolean;
  /** Whether there are no Web Locks. */
  isAlone: boolean;
  /** When the latest other tab that is known to lead began to lead, in ms. */
  term: number;
  /** When this tab began to lead, in ms; 0: it does not. */
  ownTerm: number;
}

/**
 * `slow`: the first connection takes long. `unanswered`: no tab has responded to a hello. `retry`: the pause after a
 * failed stream.
 */
export type TabTimer = 'slow' | 'unanswered' | 'retry';

export type TabEvent =
  /** The lock was granted. @param at of the browser's clock, in ms */
  | { kind: 'granted'; at: number }
  | { kind: 'heard'; message: Message }
  /** @param isKnown whether this tab has read everything since, so that nothing was missed */
  | { kind: 'arrived'; event: LiveEvent; isKnown?: boolean }
  /**
   * `lost`: another tab has taken the lock. `check`: time to ask the leading tab. `interrupted`: the stream reconnects by
   * itself. `failed`: it does not.
   */
  | { kind: TabTimer | 'lost' | 'check' | 'online' | 'interrupted' | 'failed' | 'signedOut' | 'stop' }
  | { kind: DocumentVisibilityState };

/** What the runner does. */
export interface TabActions {
  /**
   * Waits for the lock, or takes it from another tab. Reports `granted`, and `lost`; of an earlier request nothing anymore,
   * whose lock becomes free.
   */
  request(steal: boolean): void;
  /** Reads the stream from now on, in place of an earlier reading. */
  read(): void;
  /** Reads no stream, not even one that was opened before. */
  rest(): void;
  post(message: Message): void;
  /** Tells this tab's listeners. */
  tell(event: LiveEvent): void;
  /** Starts a timer again. */
  time(timer: TabTimer): void;
  untime(timer: TabTimer): void;
  /** Ends everything: lock, reading, timers and channel. */
  close(): void;
  /** The session has ended. */
  end(): void;
}

export type TabEffect = { [Name in keyof TabActions]: [Name, ...Parameters<TabActions[Name]>] }[keyof TabActions];

export type Step = [tab: Tab, ...effects: TabEffect[]];

const RESYNC = { type: 'resync' } as const;

/** Returns how a tab begins. Its visibility is its first event. */
export function begin(isAlone: boolean): Step {
  const tab: Tab = {
    role: 'waiting',
    shown: 'connecting',
    isVisible: false,
    isSynced: false,
    isAlone,
    term: 0,
    ownTerm: 0,
  };
  return isAlone ? [tab, ['time', 'slow']] : [tab, ['time', 'slow'], ['request', false]];
}

/** Returns what follows from an event. Effects are carried out in order, after the new state is set. */
export function next(tab: Tab, event: TabEvent): Step {
  const { role, isAlone, shown } = tab;
  if (role === 'stopped') return [tab];
  switch (event.kind) {
    case 'granted':
      return [{ ...tab, role: 'leading', ownTerm: event.at }, ['untime', 'unanswered'], ['read']];
    case 'lost':
      return stepBack(tab);
    case 'heard':
      return isAlone ? [tab] : hear(tab, event.message);
    case 'check':
      return ask(tab);
    case 'visible':
    case 'hidden':
      return see({ ...tab, isVisible: event.kind === 'visible' });
    case 'slow':
      return shown === 'connecting' ? show(tab, 'down') : [tab];
    case 'stop':
      return [{ ...tab, role: 'stopped' }, ['close']];
    case 'unanswered':
      return role === 'waiting' && tab.isVisible ? [tab, ['request', true]] : [tab];
  }
  return role === 'leading' ? nextOfStream(tab, event) : [tab];
}

/** Handles an event of the stream that this tab reads, or of its connection. */
function nextOfStream(tab: Tab, event: TabEvent): Step {
  switch (event.kind) {
    case 'arrived': {
      const told: TabEffect[] = [['post', { kind: 'event', event: event.event }]];
      if (!event.isKnown) told.push(['tell', event.event]);
      return event.event.type === 'resync' ? [...show({ ...tab, isSynced: true }, 'open'), ...told] : [tab, ...told];
    }
    case 'interrupted':
      return show(tab, 'down');
    case 'failed':
      return [...show(tab, 'down'), ['time', 'retry']];
    case 'online':
      // The SDK may be in the middle of a long pause, too.
      return tab.shown === 'down' ? [tab, ['untime', 'retry'], ['read']] : [tab];
    case 'retry':
      return [tab, ['read']];
    case 'signedOut':
      return [{ ...tab, role: 'stopped' }, ['post', { kind: 'ended' }], ['close'], ['end']];
    default:
      return [tab];
  }
}

/** Shows a state, in all tabs if it is the leading tab's. */
function show(before: Tab, state: LiveState): Step {
  const tab = { ...before, shown: state };
  return tab.role === 'leading' ? [tab, postState(tab)] : [tab];
}

const postState = ({ shown: state, ownTerm: term }: Tab): TabEffect => ['post', { kind: 'state', state, term }];

/** Another tab leads. While it was frozen, this tab may have missed what others shared. */
function stepBack(tab: Tab): Step {
  const [asking, ...asked] = ask({ ...tab, role: 'waiting', isSynced: false, ownTerm: 0 });
  return [asking, ['rest'], ['untime', 'retry'], ...asked, ['request', false]];
}

/** Asks whether the leading tab is alive, and what its state is. */
function ask(tab: Tab): Step {
  if (tab.role !== 'waiting' || tab.isAlone || !tab.isVisible) return [tab];
  return [tab, ['time', 'unanswered'], ['post', { kind: 'hello' }]];
}

function see(tab: Tab): Step {
  if (!tab.isAlone) return ask(tab);
  // A hidden tab has no stream, because a browser opens few connections to one host.
  if (!tab.isVisible) return [{ ...tab, role: 'waiting' }, ['untime', 'retry'], ['rest']];
  return tab.role === 'leading' ? [tab] : [{ ...tab, role: 'leading' }, ['read']];
}

/** Handles a message of another tab. The leading tab does not repeat what it shared before this tab listened. */
function hear(tab: Tab, message: Message): Step {
  const answered: TabEffect = ['untime', 'unanswered'];
  switch (message.kind) {
    case 'hello':
      return tab.role === 'leading' ? [tab, postState(tab)] : [tab];
    case 'event': {
      const { event } = message;
      return [{ ...tab, isSynced: tab.isSynced || event.type === 'resync' }, answered, ['tell', event]];
    }
    case 'state': {
      const { state: shown, term } = message;
      if (term < Math.max(tab.term, tab.ownTerm)) return [tab];
      const heard = { ...tab, shown, term };
      // Another tab leads since this one was frozen. Or it was frozen, too, and has just learned of a grant that this tab
      // has taken from it: then the lock of this tab must become free.
      if (tab.role === 'leading') return stepBack(heard);
      if (tab.isSynced || shown !== 'open') return [heard, answered];
      return [{ ...heard, isSynced: true }, answered, ['rest'], ['tell', RESYNC]];
    }
    case 'ended':
      return [tab, ['end']];
  }
}
