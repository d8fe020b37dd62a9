/** One event stream: coalesces changes, and holds a bounded amount for a slow reader. */
import { Readable } from 'node:stream';

export interface Change {
  type: 'post' | 'account' | 'rule' | 'notification';
  id: string;
}

export interface LiveStream {
  readable: Readable;
  add(change: Change): void;
  /** Tells the reader that it may have missed changes. */
  resync(): void;
  /** Sends a heartbeat. A reader that takes nothing for several of them is disconnected. */
  beat(): void;
  /** Ends the stream. A reader that is behind is disconnected. */
  end(): void;
}

/** Minimum time between two writes, in ms. */
const INTERVAL_MS = 300;
/** Above this number of changes, one `resync` replaces them. */
const MAX_PENDING = 100;
const MAX_MISSED_BEATS = 3;
/** In bytes. The socket has its own buffer. */
const BUFFERED = 4_096;
/** How long a browser's EventSource waits before it reconnects, in ms. */
const RETRY_MS = 2_000;

/** @param intervalMs for tests */
export function createLiveStream(intervalMs = INTERVAL_MS): LiveStream {
  const pending = new Map<string, Change>();
  let isBehind = false;
  let isBeatDue = false;
  let missedBeats = 0;
  let isWanted = false;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;

  const take = (): string => {
    const events = isBehind ? [{ type: 'resync' }] : [...pending.values()];
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    const beat = isBeatDue && text === '' ? ':\n\n' : '';
    pending.clear();
    isBehind = false;
    isBeatDue = false;
    return text + beat;
  };
  const flush = () => {
    if (isEnded || !isWanted || timer || (pending.size === 0 && !isBehind && !isBeatDue)) return;
    isWanted = false;
    timer = setTimeout(() => {
      timer = undefined;
      flush();
    }, intervalMs);
    readable.push(take());
  };
  const readable = new Readable({
    highWaterMark: BUFFERED,
    read() {
      isWanted = true;
      missedBeats = 0;
      flush();
    },
    destroy(error, done) {
      isEnded = true;
      clearTimeout(timer);
      pending.clear();
      done(error);
    },
  });
  const resync = () => {
    pending.clear();
    isBehind = true;
    flush();
  };
  // The first bytes make Node send the headers.
  readable.push(`retry: ${RETRY_MS}\n\n`);
  return {
    readable,
    add(change) {
      if (isBehind) return;
      pending.set(`${change.type} ${change.id}`, change);
      if (pending.size > MAX_PENDING) resync();
      else flush();
    },
    resync,
    beat() {
      if (!isWanted && ++missedBeats > MAX_MISSED_BEATS) return void readable.destroy();
      isBeatDue = true;
      flush();
    },
    end() {
      if (isEnded) return;
      if (!isWanted) return void readable.destroy();
      isEnded = true;
      clearTimeout(timer);
      readable.push(null);
    },
  };
}
