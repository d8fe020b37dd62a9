/** Two tabs of one browser, with a fake of the service's stream and of Web Locks. */
import { type LiveEvent, ReelayApiError } from '@reelay/sdk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLive, type FirstStream, type LiveTimings } from '../../src/live/live.ts';

const NEVER = 1_000_000;
const SLOW: LiveTimings = { slow: NEVER, unanswered: NEVER, retry: NEVER, check: NEVER };
const RESYNC: LiveEvent = { type: 'resync' };
const CHANGE: LiveEvent = { type: 'post', id: '1' };

interface Lock {
  grant(): void;
  steal(): void;
}

/** Web Locks for one name. */
function createLocks() {
  const queue: Lock[] = [];
  let holder: Lock | null = null;
  const pass = () => {
    holder ??= queue.shift() ?? null;
    queueMicrotask(() => holder?.grant());
  };
  return {
    request: (_name: string, { steal, signal }: LockOptions, run: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        const lock: Lock = {
          grant: () => {
            lock.grant = () => {};
            void run().then(() => {
              if (holder === lock) holder = null;
              resolve();
              pass();
            });
          },
          steal: () => reject(new DOMException('stolen', 'AbortError')),
        };
        signal?.addEventListener('abort', () => {
          if (!queue.includes(lock)) return;
          queue.splice(queue.indexOf(lock), 1);
          reject(signal.reason);
        });
        if (steal) {
          holder?.steal();
          holder = null;
          queue.unshift(lock);
        } else queue.push(lock);
        pass();
      }),
  };
}

/** The service's streams that are being read. */
function createStreams() {
  const readers = new Set<ReadableStreamDefaultController<LiveEvent>>();
  async function* events({ signal }: { signal?: AbortSignal } = {}) {
    const opened = Promise.withResolvers<ReadableStreamDefaultController<LiveEvent>>();
    const stream = new ReadableStream<LiveEvent>({ start: opened.resolve });
    const reader = await opened.promise;
    readers.add(reader);
    signal?.addEventListener('abort', () => readers.delete(reader) && reader.close());
    yield* stream;
  }
  return {
    events,
    count: () => readers.size,
    send(event: LiveEvent) {
      for (const reader of readers) reader.enqueue(event);
    },
    fail(code: string) {
      for (const reader of readers) {
        readers.delete(reader);
        reader.error(new ReelayApiError(code, { status: 400, code }));
      }
    },
  };
}

let streams: ReturnType<typeof createStreams>;
beforeEach(() => {
  streams = createStreams();
  Object.defineProperty(navigator, 'locks', { value: createLocks(), configurable: true });
});
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function openTab(timings: Partial<LiveTimings> = {}, first?: FirstStream) {
  const live = createLive({
    events: streams.events,
    userId: '1',
    timings: { ...SLOW, ...timings },
    ...(first && { first }),
  });
  const told: LiveEvent[] = [];
  const onEnded = vi.fn();
  live.onEvent((event) => told.push(event));
  const stop = live.start(onEnded);
  ends.push(stop);
  return { live, told, onEnded, stop };
}

const readerCount = () => expect.poll(() => streams.count());

test('two tabs share one stream', async () => {
  const one = openTab();
  await readerCount().toBe(1);
  streams.send(RESYNC);
  await expect.poll(() => one.live.state()).toBe('open');
  const two = openTab();
  await expect.poll(() => two.told).toEqual([RESYNC]);
  streams.send(CHANGE);
  await expect.poll(() => two.told).toEqual([RESYNC, CHANGE]);
  expect([one.told, two.live.state(), streams.count()]).toEqual([[RESYNC, CHANGE], 'open', 1]);
});

test('a tab with an earlier stream reads nothing again', async () => {
  const first = { isCurrent: () => true, end: vi.fn() };
  const tab = openTab({ retry: 10 }, first);
  await readerCount().toBe(1);
  streams.send(RESYNC);
  streams.send(CHANGE);
  await expect.poll(() => tab.told).toEqual([CHANGE]);
  expect([tab.live.state(), first.end.mock.calls]).toEqual(['open', []]);
  // The next stream may have begun later.
  streams.fail('invalid_request');
  await readerCount().toBe(0);
  await readerCount().toBe(1);
  streams.send(RESYNC);
  await expect.poll(() => tab.told).toEqual([CHANGE, RESYNC]);
  tab.stop();
  expect(first.end).toHaveBeenCalledOnce();
});

test('a tab that does not lead closes its first stream', async () => {
  const one = openTab();
  await readerCount().toBe(1);
  streams.send(RESYNC);
  await expect.poll(() => one.live.state()).toBe('open');
  const first = { isCurrent: () => true, end: vi.fn() };
  const two = openTab({}, first);
  await expect.poll(() => two.told).toEqual([RESYNC]);
  expect(first.end).toHaveBeenCalledOnce();
});

test('the tab that remains reads the stream', async () => {
  const one = openTab();
  await readerCount().toBe(1);
  const two = openTab();
  one.stop();
  await readerCount().toBe(1);
  streams.send(RESYNC);
  await expect.poll(() => two.live.state()).toBe('open');
  expect(one.told).toEqual([]);
});

test('a tab takes over from one that does not respond', async () => {
  const stolen = vi.fn();
  const frozen = navigator.locks.request('reelay-live-1', {}, () => new Promise(() => {})).catch(stolen);
  const tab = openTab({ unanswered: 10 });
  await frozen;
  await readerCount().toBe(1);
  streams.send(RESYNC);
  await expect.poll(() => tab.live.state()).toBe('open');
  expect(stolen).toHaveBeenCalledOnce();
});

test('a failed stream is read again after a pause', async () => {
  const tab = openTab({ retry: 10 });
  await readerCount().toBe(1);
  streams.fail('invalid_request');
  await expect.poll(() => tab.live.state()).toBe('down');
  await readerCount().toBe(1);
  streams.send(RESYNC);
  await expect.poll(() => tab.live.state()).toBe('open');
});

test('the end of the session reaches both tabs', async () => {
  const one = openTab();
  await readerCount().toBe(1);
  const two = openTab();
  streams.fail('unauthorized');
  await expect.poll(() => [one.onEnded.mock.calls.length, two.onEnded.mock.calls.length]).toEqual([1, 1]);
});

test('a stopped tab has no timer', () => {
  vi.useFakeTimers();
  const { stop } = openTab();
  expect(vi.getTimerCount()).toBe(3);
  stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
