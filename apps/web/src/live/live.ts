/**
 * Live updates for all tabs of a browser: carries out the effects of live-machine.ts. The tab that holds a Web Lock reads
 * the service's event stream and shares it by BroadcastChannel. Web Locks need https or localhost.
 */
import type { LiveEvent, ReelayClient } from '@reelay/sdk';
import { isSignedOut } from '../queries/signed-out.ts';
import {
  begin,
  type LiveState,
  type Message,
  next,
  type Step,
  type TabActions,
  type TabEvent,
  type TabTimer,
} from './live-machine.ts';

export interface Live {
  /**
   * Starts.
   * @param onEnded called when the session has ended
   * @returns stops
   */
  start(onEnded: () => void): () => void;
  state(): LiveState;
  /** @returns ends the subscription */
  onState(listener: () => void): () => void;
  /** @returns ends the subscription */
  onEvent(listener: (event: LiveEvent) => void): () => void;
}

export interface LiveOptions {
  events: ReelayClient['events'];
  /** Separates the users of a browser. */
  userId: string;
  first?: FirstStream;
  timings?: LiveTimings;
}

/** The stream that is read first, which may have been opened earlier. */
export interface FirstStream {
  /** Whether everything was read after its first event. Otherwise it is read again. */
  isCurrent(): boolean;
  /** Closes it if it was opened earlier. */
  end(): void;
}

const NOT_OPENED: FirstStream = { isCurrent: () => false, end() {} };

/** In ms. */
export interface LiveTimings {
  /** How long the first connection may take before it counts as down. */
  slow: number;
  /** How long the leading tab may take to respond before another tab takes over: it may be frozen. */
  unanswered: number;
  /** Pause after an error that the SDK does not retry. */
  retry: number;
  /** Interval at which a visible tab asks whether the leading tab is alive. */
  check: number;
}

const TIMINGS: LiveTimings = { slow: 5_000, unanswered: 5_000, retry: 30_000, check: 20_000 };

export function createLive({ events, userId, first = NOT_OPENED, timings = TIMINGS }: LiveOptions): Live {
  const stateListeners = new Set<() => void>();
  const eventListeners = new Set<(event: LiveEvent) => void>();
  let shown: LiveState = 'connecting';
  return {
    start(onEnded) {
      shown = 'connecting';
      return startTab(`reelay-live-${userId}`, timings, {
        events,
        first,
        show(state) {
          if (state === shown) return;
          shown = state;
          for (const listener of [...stateListeners]) listener();
        },
        tell(event) {
          for (const listener of [...eventListeners]) listener(event);
        },
        end: onEnded,
      });
    },
    state: () => shown,
    onState: (listener) => subscribe(stateListeners, listener),
    onEvent: (listener) => subscribe(eventListeners, listener),
  };
}

interface TabDeps extends Pick<TabActions, 'tell' | 'end'> {
  events: ReelayClient['events'];
  first: FirstStream;
  show(state: LiveState): void;
}

/** Runs the machine. It owns the lock, the channel, the stream and the timers. @returns stops */
function startTab(name: string, timings: LiveTimings, { events, first, show, tell, end }: TabDeps): () => void {
  const over = new AbortController();
  const { signal } = over;
  const channel = new BroadcastChannel(name);
  const timers: Partial<Record<TabTimer, ReturnType<typeof setTimeout>>> = {};
  let place = new AbortController();
  let reading = new AbortController();
  let isFirst = true;

  const actions: TabActions = {
    request(steal) {
      place.abort();
      place = new AbortController();
      void holdLock(name, steal, place.signal, dispatch);
    },
    read() {
      reading.abort();
      reading = new AbortController();
      void read(events, reading.signal, dispatch, isFirst ? first.isCurrent : () => false);
      isFirst = false;
    },
    rest() {
      reading.abort();
      first.end();
    },
    post: (message) => channel.postMessage(message),
    tell,
    time(timer) {
      actions.untime(timer);
      timers[timer] = setTimeout(() => dispatch({ kind: timer }), timings[timer]);
    },
    untime: (timer) => clearTimeout(timers[timer]),
    close() {
      over.abort();
      place.abort();
      reading.abort();
      first.end();
      channel.close();
      clearInterval(check);
      for (const timer of Object.values(timers)) clearTimeout(timer);
    },
    end,
  };
  const dispatch = (event: TabEvent) => proceed(next(tab, event));
  const proceed = ([now, ...effects]: Step) => {
    tab = now;
    show(tab.shown);
    // Each effect has the arguments of its action.
    for (const [name, given] of effects) (actions[name] as (given: unknown) => void)(given);
  };
  const see = () => dispatch({ kind: document.visibilityState });

  const check = setInterval(() => dispatch({ kind: 'check' }), timings.check);
  channel.onmessage = ({ data }: MessageEvent<Message>) => dispatch({ kind: 'heard', message: data });
  document.addEventListener('visibilitychange', see, { signal });
  window.addEventListener('online', () => dispatch({ kind: 'online' }), { signal });
  const begun = begin(!('locks' in navigator));
  let [tab] = begun;
  proceed(begun);
  see();
  return () => dispatch({ kind: 'stop' });
}

/** Waits for the lock or takes it, and holds it until `own` is aborted. */
async function holdLock(name: string, steal: boolean, own: AbortSignal, dispatch: Dispatch): Promise<void> {
  const hold = () =>
    new Promise<void>((release) => {
      if (own.aborted) return release();
      own.addEventListener('abort', () => release());
      dispatch({ kind: 'granted', at: Date.now() });
    });
  // Rejected when the wait is aborted, and when another tab takes over.
  await navigator.locks.request(name, steal ? { steal } : { signal: own }, hold).catch(() => {});
  if (!own.aborted) dispatch({ kind: 'lost' });
}

/**
 * Reads the stream until it fails, or `own` is aborted.
 * @param isCurrent whether everything was read after the first event
 */
async function read(
  events: ReelayClient['events'],
  own: AbortSignal,
  dispatch: Dispatch,
  isCurrent: () => boolean,
): Promise<void> {
  const report: Dispatch = (event) => own.aborted || dispatch(event);
  let isFirst = true;
  const onReconnect = () => {
    isFirst = false;
    report({ kind: 'interrupted' });
  };
  try {
    for await (const event of events({ signal: own, onReconnect })) {
      report({ kind: 'arrived', event, isKnown: isFirst && isCurrent() });
      isFirst = false;
    }
  } catch (error) {
    report({ kind: isSignedOut(error) ? 'signedOut' : 'failed' });
  }
}

type Dispatch = (event: TabEvent) => unknown;

function subscribe<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
