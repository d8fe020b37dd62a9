import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAccount } from '../../server/test/harness/rows.ts';
import { startService, type TestService } from '../../server/test/harness/service.ts';
import { createClient, type LiveEvent, type ReelayApiError } from '../src/index.ts';
import { type Next, noted, withServer } from './harness.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ config: { role: 'api', sandbox: false } });
});
afterAll(() => service.close());

/** A connection that sends these pieces; null: it stays open. */
function sends(...pieces: (string | null)[]): Next {
  return (_, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) if (piece !== null) response.write(piece);
    if (!pieces.includes(null)) response.end();
  };
}

const RESYNC = 'data: {"type":"resync"}\n\n';

/** Reads this number of events. */
async function take(events: AsyncGenerator<LiveEvent, void, void>, count: number): Promise<LiveEvent[]> {
  const taken: LiveEvent[] = [];
  for await (const event of events) if (taken.push(event) === count) break;
  return taken;
}

test("a session can read the service's events", async () => {
  const user = await service.newSession();
  const withCookie: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie: user.cookie } });
  const client = createClient({ baseUrl: service.url, fetch: withCookie });
  const events = client.events();
  expect((await events.next()).value).toEqual({ type: 'resync' });
  const { id } = await addAccount(service.db, user.userId);
  expect((await events.next()).value).toEqual({ type: 'account', id });
  await user.call('POST', '//api/auth/sign-out', { json: {}, headers: { origin: service.url } });
  await expect(events.next()).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
  await expect.poll(() => service.context.live.count()).toBe(0);
});

test('leaving the iteration closes the connection', async () => {
  const user = await service.newSession();
  const withCookie: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie: user.cookie } });
  await take(createClient({ baseUrl: service.url, fetch: withCookie }).events(), 1);
  await expect.poll(() => service.context.live.count()).toBe(0);
});

test('an event stream with a key gets session_required', async () => {
  const { key } = await service.newUser();
  const client = createClient({ baseUrl: service.url, apiKey: key });
  await expect(client.events().next()).rejects.toMatchObject({ status: 403, code: 'session_required' });
});

test('the event stream reconnects after interruptions', async () => {
  const busy = { status: 503, json: { success: false, code: 'busy', message: 'Busy.', retryAfter: 30 } };
  const script: Next[] = [sends(RESYNC), 'reset', busy, sends(RESYNC, 'data: {"type":"post","id":"p"}\n\n', null)];
  await withServer(script, async ({ url }) => {
    const { pauses, pause } = noted();
    const reasons: (ReelayApiError | null)[] = [];
    const events = createClient({ baseUrl: url, pause }).events({ onReconnect: ({ error }) => reasons.push(error) });
    expect(await take(events, 3)).toEqual([{ type: 'resync' }, { type: 'resync' }, { type: 'post', id: 'p' }]);
    expect(reasons.map((error) => error?.code)).toEqual([undefined, 'unreachable', 'busy']);
    const [first = 0, second = 0, third] = pauses;
    expect([first >= 500 && first <= 1_000, second >= 1_000 && second <= 2_000, third]).toEqual([true, true, 30_000]);
  });
});

test.each(['post', 'account', 'rule', 'notification'] as const)(
  'the event stream yields changes of type %s',
  async (type) => {
    await withServer([sends(`data: ${JSON.stringify({ type, id: '1' })}\n\n`, null)], async ({ url }) => {
      expect(await take(createClient({ baseUrl: url }).events(), 1)).toEqual([{ type, id: '1' }]);
    });
  },
);

test('events are read across chunks; unknown ones are skipped', async () => {
  const pieces = [
    'retry: 1\n\n:\n\nda',
    'ta: {"type":"rule",\r\ndata: "id":"ä"}\r\n\r\n',
    'data: {"type":"new"}\n\ndata: x\n\n',
  ];
  await withServer([sends(...pieces, RESYNC, null)], async ({ url }) => {
    const events = createClient({ baseUrl: url }).events();
    expect(await take(events, 2)).toEqual([{ type: 'rule', id: 'ä' }, { type: 'resync' }]);
  });
});

test('a silent connection is replaced', async () => {
  await withServer([sends(RESYNC, null)], async ({ url }) => {
    const events = createClient({ baseUrl: url, pause: noted().pause }).events({ silenceMs: 20 });
    expect(await take(events, 2)).toEqual([{ type: 'resync' }, { type: 'resync' }]);
  });
});

test.each(['while it reads', 'while it waits'])('the event stream ends quietly when aborted %s', async (moment) => {
  const reads = moment === 'while it reads';
  await withServer([reads ? sends(RESYNC, null) : sends(RESYNC)], async ({ url }) => {
    const controller = new AbortController();
    const events = createClient({ baseUrl: url }).events({
      signal: controller.signal,
      onReconnect: () => controller.abort(),
    });
    expect((await events.next()).value).toEqual({ type: 'resync' });
    const next = events.next();
    if (reads) controller.abort();
    expect((await next).done).toBe(true);
  });
});
