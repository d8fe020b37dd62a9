/**
 * Live updates for all tabs of a browser. The tab that holds a Web Lock reads the service's event stream and shares it
 * by BroadcastChannel. Without Web Locks (they need https or localhost), every visible tab has its own stream.
 */
import type { LiveEvent, ReelayClient } from '@reelay/sdk';
import { isSignedOut } from '../queries/signed-out.ts';

/** `connecting`: not known yet, `open`: changes arrive, `down`: changes may be missed. */
export type LiveState = 'connecting' | 'open' | 'down';

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

/** What the tabs tell each other. */
type Message =
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'state'; state: LiveState }
  | { kind: 'ended' }
  | { kind: 'hello' };

export interface LiveOptions {
  events: ReelayClient['events'];
  /** Separates the users of a browser. */
  userId: string;
  timings?: LiveTimings;
}

/** In ms. */
export interface LiveTimings {
  /** How long the first connection may take before it counts as down. */
  connectMs: number;
  /** How long the leading tab may take to respond before another tab takes over: it may be frozen. */
  helloMs: number;
  /** Interval at which a visible tab asks whether the leading tab is alive. */
  checkMs: number;
  /** Pause after an error that the SDK does not retry. */
  retryMs: number;
}

const TIMINGS: LiveTimings = { connectMs: 5_000, helloMs: 5_000, checkMs: 20_000, retryMs: 30_000 };

export function createLive({ events, userId, timings = TIMINGS }: LiveOptions): Live {
  const name = `reelay-live-${userId}`;
  const stateListeners = new Set<() => void>();
  const eventListeners = new Set<(event: LiveEvent) => void>();
  let state: LiveState = 'connecting';

  const setState = (next: LiveState) => {
    if (next === state) return;
    state = next;
    for (const listener of [...stateListeners]) listener();
  };
  const tell = (event: LiveEvent) => {
    for (const listener of [...eventListeners]) listener(event);
  };

  const start = (onEnded: () => void) => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const channel = new BroadcastChannel(name);
    let isLeading = false;
    /** Whether everything was read again since this tab listens. */
    let isSynced = false;
    let unanswered: ReturnType<typeof setTimeout> | undefined;
    state = 'connecting';
    const slow = setTimeout(() => state === 'connecting' && setState('down'), timings.connectMs);

    const apply = (message: Message) => {
      if (message.kind === 'event') {
        isSynced ||= message.event.type === 'resync';
        tell(message.event);
      }
      if (message.kind === 'state') setState(message.state);
      if (message.kind === 'ended') onEnded();
    };
    /** Handles a message of the leading tab, which does not repeat what it shared before this tab listened. */
    const follow = (message: Message) => {
      apply(message);
      if (!isSynced && message.kind === 'state' && message.state === 'open')
        apply({ kind: 'event', event: { type: 'resync' } });
    };
    const share = (message: Message) => {
      if (signal.aborted) return;
      channel.postMessage(message);
      apply(message);
    };

    /** Reads the stream until `own` is aborted or the session ends. */
    const lead = async (own: AbortSignal): Promise<void> => {
      isLeading = true;
      clearTimeout(unanswered);
      try {
        while (!own.aborted) await readUntilFailure(own);
      } finally {
        isLeading = false;
      }
    };
    const readUntilFailure = async (own: AbortSignal): Promise<void> => {
      const restart = new AbortController();
      // The SDK may be in the middle of a long pause.
      const onOnline = () => state === 'down' && restart.abort();
      window.addEventListener('online', onOnline);
      const reading = AbortSignal.any([own, restart.signal]);
      try {
        const onReconnect = () => share({ kind: 'state', state: 'down' });
        for await (const event of events({ signal: reading, onReconnect })) {
          if (own.aborted) return;
          if (event.type === 'resync') share({ kind: 'state', state: 'open' });
          share({ kind: 'event', event });
        }
      } catch (error) {
        if (reading.aborted) return;
        if (isSignedOut(error)) {
          share({ kind: 'ended' });
          stopped.abort();
          return;
        }
        share({ kind: 'state', state: 'down' });
        await pause(timings.retryMs, reading);
      } finally {
        window.removeEventListener('online', onOnline);
      }
    };

    let waiting = new AbortController();
    let takesOver = false;
    /** Waits for its turn to lead, or takes it from a tab that does not respond. */
    const contend = async (): Promise<void> => {
      while (!signal.aborted) {
        const own = new AbortController();
        waiting = new AbortController();
        const stop = () => {
          waiting.abort();
          own.abort();
        };
        signal.addEventListener('abort', stop, { once: true });
        const options: LockOptions = takesOver ? { steal: true } : { signal: waiting.signal };
        takesOver = false;
        // Rejected when the wait is aborted, and when another tab takes over.
        await navigator.locks.request(name, options, () => lead(own.signal)).catch(() => {});
        own.abort();
        signal.removeEventListener('abort', stop);
      }
    };

    const askLeader = () => {
      if (isLeading || document.visibilityState !== 'visible') return;
      clearTimeout(unanswered);
      unanswered = setTimeout(() => {
        if (isLeading || document.visibilityState !== 'visible') return;
        takesOver = true;
        waiting.abort();
      }, timings.helloMs);
      channel.postMessage({ kind: 'hello' } satisfies Message);
    };

    /** Without locks: a hidden tab has no stream, because a browser opens few connections to one host. */
    const leadWhileVisible = async (): Promise<void> => {
      while (!signal.aborted) {
        const hidden = new AbortController();
        const onChange = () => document.visibilityState === 'hidden' && hidden.abort();
        document.addEventListener('visibilitychange', onChange);
        if (document.visibilityState === 'visible') await lead(AbortSignal.any([signal, hidden.signal]));
        document.removeEventListener('visibilitychange', onChange);
        if (!signal.aborted) await untilVisible(signal);
      }
    };

    if ('locks' in navigator) {
      channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
        clearTimeout(unanswered);
        if (data.kind !== 'hello') follow(data);
        else if (isLeading) channel.postMessage({ kind: 'state', state } satisfies Message);
      });
      document.addEventListener('visibilitychange', askLeader, { signal });
      const check = setInterval(askLeader, timings.checkMs);
      signal.addEventListener('abort', () => clearInterval(check), { once: true });
      void contend();
      askLeader();
    } else void leadWhileVisible();

    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(slow);
        clearTimeout(unanswered);
        channel.close();
      },
      { once: true },
    );
    return () => stopped.abort();
  };

  return {
    start,
    state: () => state,
    onState: (listener) => subscribe(stateListeners, listener),
    onEvent: (listener) => subscribe(eventListeners, listener),
  };
}

function subscribe<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
  });
}

function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
