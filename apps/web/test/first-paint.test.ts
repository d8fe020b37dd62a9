import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { requestsOf, sendEarly, withEarly } from '../src/first-paint/early-requests.ts';
import { pageAt } from '../src/first-paint/pages.ts';

test.each([
  ['/app', 'compose', false],
  ['/app/', 'compose', false],
  ['/app/posts', 'posts', false],
  ['/app/posts/', 'posts', false],
  ['/app/posts/019a', 'posts', true],
  ['/app/operator/users', 'operator', false],
  ['/app/compose', 'other', false],
  ['/app/elsewhere/x', 'other', true],
  ['/app/__proto__', 'other', false],
])('%s is the page %s', (path, page, isBelow) => {
  expect(pageAt(path)).toEqual({ page, isBelow });
});

describe('a page requests early', () => {
  const always = requestsOf('settings', false, '');

  test('what every page reads', () => {
    expect(always).toContain('/api/v1/user');
    expect(requestsOf('other', true, '')).toEqual(always);
  });

  test('the newest posts, unless they are filtered', () => {
    expect(requestsOf('posts', false, '')).toContain('/api/v1/dashboard/posts?limit=30');
    expect(requestsOf('posts', false, '?status=failed')).toEqual(always);
    expect(requestsOf('posts', true, '')).toEqual(always);
  });
});

const SESSION = '/api/auth/get-session';
const EVENTS = '/api/v1/events';
const USER = '/api/v1/user';
const ORIGIN = 'https://reelay.example';

/** A service whose event stream says what the test says. */
function createService() {
  const sent: string[] = [];
  const stream = Promise.withResolvers<Response>();
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  let signal: AbortSignal | null | undefined;
  const send = (async (path, init) => {
    sent.push(String(path));
    if (path !== EVENTS) return new Response(`early ${path}`);
    signal = init?.signal;
    return stream.promise;
  }) as typeof fetch;
  return {
    sent,
    send,
    accept() {
      const started = new ReadableStream<Uint8Array>({
        start(controller) {
          body = controller;
        },
      });
      stream.resolve(new Response(started));
    },
    refuse: (status: number) => stream.resolve(new Response('{}', { status })),
    fail: () => stream.reject(new TypeError('no network')),
    say: (text: string) => body?.enqueue(new TextEncoder().encode(text)),
    signal: () => signal,
  };
}

const RESYNC = 'data: {"type":"resync"}\n\n';
const later = (async (input, init) => new Response(`${init?.method} ${input}`)) as typeof fetch;
const textOf = async (sent: Promise<Response>) => (await sent).text();
const settled = () => new Promise((resolve) => setImmediate(resolve));

function openPage(isVisible = true) {
  const service = createService();
  const early = sendEarly([USER], 'en', isVisible, service.send);
  const get = withEarly(early, later);
  return { service, early, read: (path: string) => textOf(get(ORIGIN + path, { method: 'GET' })), get };
}

describe('a page in the foreground', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  test('reads after its changes are announced', async () => {
    const { service, early, read } = openPage();
    service.accept();
    service.say('retry: 2000\n\n');
    const other = read('/api/v1/reposts');
    await settled();
    expect(service.sent).toEqual([SESSION, EVENTS]);
    service.say(RESYNC);
    expect(await early.stream?.isOpen).toBe(true);
    expect([await read(SESSION), await read(USER)]).toEqual([`early ${SESSION}`, `early ${USER}`]);
    expect(await other).toBe(`GET ${ORIGIN}/api/v1/reposts`);
    expect([service.sent, early.stream?.isCurrent()]).toEqual([[SESSION, EVENTS, USER], true]);
  });

  test('finds the announcement in several pieces', async () => {
    const { service, early } = openPage();
    service.accept();
    service.say(RESYNC.slice(0, 18));
    service.say(RESYNC.slice(18));
    expect(await early.stream?.isOpen).toBe(true);
  });

  test.each([
    ['silent', (service: ReturnType<typeof createService>) => service.accept()],
    ['refused', (service: ReturnType<typeof createService>) => service.refuse(503)],
    ['broken', (service: ReturnType<typeof createService>) => service.fail()],
  ])('does not wait long for a %s stream', async (_, happen) => {
    const { service, early, read } = openPage();
    happen(service);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await read(USER)).toBe(`early ${USER}`);
    // It may have read before.
    service.say(RESYNC);
    await settled();
    expect(early.stream?.isCurrent()).toBe(false);
  });

  test('reads nothing for an ended session', async () => {
    const { service, read } = openPage();
    service.refuse(401);
    await settled();
    expect(service.sent).toEqual([SESSION, EVENTS]);
    expect(await read(USER)).toBe(`GET ${ORIGIN}${USER}`);
  });

  test('uses its stream from the beginning', async () => {
    const { service, early, get } = openPage();
    service.accept();
    service.say(RESYNC);
    await early.stream?.isOpen;
    service.say('data: {"type":"post","id":"1"}\n\n');
    const own = new AbortController();
    const { body } = await get(ORIGIN + EVENTS, { method: 'GET', signal: own.signal });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    const first = await reader.read();
    expect(new TextDecoder().decode(first.value)).toBe(RESYNC);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([service.signal()?.aborted, early.stream?.isCurrent()]).toEqual([false, true]);
    own.abort();
    expect([service.signal()?.aborted, early.stream?.isCurrent()]).toEqual([true, false]);
    // The next stream is another one.
    expect(await textOf(get(ORIGIN + EVENTS, { method: 'GET' }))).toBe(`GET ${ORIGIN}${EVENTS}`);
  });

  test('closes a stream that nothing uses', async () => {
    const { service, early, read } = openPage();
    service.accept();
    service.say(RESYNC);
    await early.stream?.isOpen;
    await vi.advanceTimersByTimeAsync(11_000);
    expect([service.signal()?.aborted, early.stream?.isCurrent()]).toEqual([true, false]);
    expect(await read(EVENTS)).toBe(`GET ${ORIGIN}${EVENTS}`);
  });
});

describe('an early response', () => {
  test('in the background has no stream', async () => {
    const { service, early, read } = openPage(false);
    expect(await read(USER)).toBe(`early ${USER}`);
    expect([service.sent, early.stream]).toEqual([[SESSION, USER], null]);
    expect(await read(EVENTS)).toBe(`GET ${ORIGIN}${EVENTS}`);
  });

  test('is used once', async () => {
    const { read } = openPage(false);
    expect(await read(USER)).toBe(`early ${USER}`);
    expect(await read(USER)).toBe(`GET ${ORIGIN}${USER}`);
  });

  test('is not the response to another request', async () => {
    const { read, get } = openPage(false);
    expect(await read(`${USER}?a=1`)).toBe(`GET ${ORIGIN}${USER}?a=1`);
    expect(await textOf(get(ORIGIN + USER, { method: 'PATCH' }))).toBe(`PATCH ${ORIGIN}${USER}`);
    // It was sent before the change.
    expect(await read(USER)).toBe(`GET ${ORIGIN}${USER}`);
  });

  test('that failed is requested again', async () => {
    const failing = (async () => Promise.reject(new TypeError('no network'))) as typeof fetch;
    const get = withEarly(sendEarly([USER], 'en', false, failing), later);
    expect(await textOf(get(ORIGIN + USER, { method: 'GET' }))).toBe(`GET ${ORIGIN}${USER}`);
  });

  test('is optional', async () => {
    expect(await textOf(withEarly(undefined, later)(ORIGIN + USER, { method: 'GET' }))).toBe(`GET ${ORIGIN}${USER}`);
  });
});
