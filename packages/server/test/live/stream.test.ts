import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { createLiveStream } from '../../src/live/stream.ts';

const change = (id: string) => ({ type: 'post' as const, id });

test('changes are sent at once, then coalesced', () => {
  vi.useFakeTimers();
  try {
    const stream = createLiveStream(300);
    const { readable } = stream;
    const sent = () => String(readable.read() ?? '');
    expect(sent()).toBe('retry: 2000\n\n');
    for (const id of ['a', 'b', 'b', 'c']) stream.add(change(id));
    expect(sent()).toBe('data: {"type":"post","id":"a"}\n\n');
    expect(sent()).toBe('');
    vi.advanceTimersByTime(299);
    expect(sent()).toBe('');
    vi.advanceTimersByTime(1);
    expect(sent()).toBe('data: {"type":"post","id":"b"}\n\ndata: {"type":"post","id":"c"}\n\n');
    readable.destroy();
  } finally {
    vi.useRealTimers();
  }
});

test('a reader that takes nothing holds little memory', async () => {
  const stream = createLiveStream(0);
  stream.readable.read();
  for (let id = 0; id < 50_000; id++) stream.add(change(`${id}`));
  expect(stream.readable.readableLength).toBeLessThan(10_000);
  let text = '';
  stream.readable.on('data', (chunk) => {
    text += chunk;
  });
  await expect.poll(() => text).toContain('"resync"');
  expect(text.length).toBeLessThan(10_000);
  stream.readable.destroy();
});

test('a reader that takes nothing is disconnected', async () => {
  const stream = createLiveStream(0);
  const closed = once(stream.readable, 'close');
  for (let beats = 0; beats < 5; beats++) {
    stream.add(change('x'.repeat(5_000)));
    stream.beat();
  }
  await expect(closed).resolves.toEqual([]);
});

test('a heartbeat is a comment, and none beside events', () => {
  vi.useFakeTimers();
  try {
    const stream = createLiveStream(300);
    const sent = () => String(stream.readable.read() ?? '');
    sent();
    stream.beat();
    expect(sent()).toBe(':\n\n');
    stream.resync();
    stream.beat();
    vi.advanceTimersByTime(300);
    expect(sent()).toBe('data: {"type":"resync"}\n\n');
    stream.readable.destroy();
  } finally {
    vi.useRealTimers();
  }
});
