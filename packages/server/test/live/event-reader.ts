/** Reads an event stream of the service over HTTP. */
import { expect } from 'vitest';

export interface EventReader {
  status: number;
  /** All events so far. */
  events: { type: string; id?: string }[];
  /** Waits until an event with these properties arrives, after those that were seen before. */
  until(event: { type: string; id?: string }): Promise<void>;
  /** Resolves when the stream ends; rejects if it breaks. */
  ended: Promise<void>;
  close(): void;
}

export async function openEvents(url: string, cookie: string): Promise<EventReader> {
  const closing = new AbortController();
  const response = await fetch(`${url}/api/v1/events`, { headers: { cookie }, signal: closing.signal });
  const events: EventReader['events'] = [];
  let seen = 0;
  const read = async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) if (block.startsWith('data: ')) events.push(JSON.parse(block.slice(6)));
    }
  };
  const ended = read();
  ended.catch(() => {});
  return {
    status: response.status,
    events,
    ended,
    async until(event) {
      await expect.poll(() => events.slice(seen), { timeout: 60_000, interval: 10 }).toContainEqual(event);
      seen = events.length;
    },
    close: () => closing.abort(),
  };
}
