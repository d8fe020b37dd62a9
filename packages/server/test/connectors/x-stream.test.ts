import type { Subscription } from '@reelay/sandbox/platforms/x/activity.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { postFromPhone } from '../../../sandbox/test/harness/phone.ts';
import type { SubscribeContext } from '../../src/connectors/push.ts';
import { stream } from '../../src/connectors/x/stream.ts';
import { HOUR, SECOND } from '../../src/lib/time.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import type { HttpResponse } from '../../src/outbound/http-client.ts';
import { readStream } from '../../src/outbound/stream-client.ts';
import { failureOf } from './walk.ts';
import { startX, type X } from './x-driver.ts';

const start = closedAfterTest(startX);
let x: X;
let context: SubscribeContext;
let nora: string;
let otto: string;
beforeEach(async () => {
  x = await start();
  const { http, endpoints, now } = x.context;
  context = { http, endpoints, now, settings: {}, sandbox: true };
  [nora, otto] = [await idOf('nora'), await idOf('otto')];
});
const idOf = async (username: string) => (await x.simulator.enrol(username)).remoteId;

const subscribe = (...remoteIds: string[]) => stream.subscribe(context, remoteIds);
const subscriptions = async () =>
  (await x.store.list<Subscription>('subscription', { limit: 2_000 })).map(({ value }) => value);
const watched = async () => (await subscriptions()).map(({ userId }) => userId).sort();
/** Adds a subscription of somebody else's. */
const added = (id: string, more: Partial<Subscription> = {}) =>
  x.store.put<Subscription>(
    'subscription',
    id,
    { id, eventType: 'post.create', userId: nora, tag: 'not ours', createdAt: 0, ...more },
    'application',
  );
const requests = () => x.requests.filter(({ path }) => path.startsWith('/2/activity')).map(({ method }) => method);

/** Reads the stream in the background. */
async function reading() {
  const address = stream.open(context);
  if (!address) throw new Error('There is no stream.');
  const over = new AbortController();
  const data: string[] = [];
  const refusals: HttpResponse[] = [];
  const opened = Promise.withResolvers<void>();
  const end = readStream({
    ...address,
    format: 'lines',
    guard: createAddressGuard([], [new URL(x.url).origin]),
    userAgent: 'Reelay',
    signal: over.signal,
    onOpen: () => opened.resolve(),
    onMessage: (message) => data.push(message.data),
    onRefused: (response) => refusals.push(response),
  });
  await Promise.race([opened.promise, end]);
  const announced = () => data.map((each) => stream.announces({ event: '', data: each }));
  const charged = () => data.map((each) => stream.chargedReads({ event: '', data: each }));
  return { announced, charged, refusals, end, stop: () => over.abort() };
}

describe('subscriptions', () => {
  test('are created once for each account, with our tag', async () => {
    expect(await subscribe(nora, otto)).toBeNull();
    expect(await subscriptions()).toMatchObject([
      { userId: otto, eventType: 'post.create', tag: 'reelay' },
      { userId: nora, eventType: 'post.create', tag: 'reelay' },
    ]);
    await subscribe(nora, otto);
    expect(requests()).toEqual(['GET', 'POST', 'POST', 'GET']);
  });

  test('of accounts that are no longer watched are deleted', async () => {
    await subscribe(nora);
    await subscribe(otto);
    expect(await watched()).toEqual([otto]);
    await subscribe();
    expect(await watched()).toEqual([]);
  });

  test('of others stay, and are used', async () => {
    await added('1');
    await added('2', { userId: otto, eventType: 'post.delete' });
    await subscribe(nora, otto);
    expect(await watched()).toEqual([nora, otto, otto].sort());
    await subscribe();
    expect((await subscriptions()).map(({ id }) => id).sort()).toEqual(['1', '2']);
  });

  test('of ours beside others are deleted', async () => {
    await added('1', { tag: 'reelay' });
    await added('2', { tag: 'reelay' });
    await subscribe(nora);
    expect(await watched()).toEqual([nora]);
    await added('3');
    await subscribe(nora);
    expect(await subscriptions()).toMatchObject([{ tag: 'not ours' }]);
  });

  test('on several pages are found', async () => {
    for (let id = 1; id <= 1_001; id++) await added(String(id), { userId: String(id) });
    await added('2000', { tag: 'reelay', userId: otto });
    expect(await subscribe(nora)).toBeNull();
    expect(requests()).toEqual(['GET', 'GET', 'DELETE', 'POST']);
  });

  test('that appear at the same time are no failure', async () => {
    const { http } = context;
    context = {
      ...context,
      async http(request) {
        if (request.method === 'POST') await added('1', { tag: 'reelay' });
        if (request.method === 'DELETE') await x.store.remove('subscription', '1');
        return http(request);
      },
    };
    expect(await subscribe(nora)).toBeNull();
    expect(await subscribe()).toBeNull();
    expect(requests()).toEqual(['GET', 'POST', 'GET', 'DELETE']);
  });

  test('above the limit leave the others', async () => {
    await x.set({ maxSubscriptions: 1 });
    const problem = await subscribe(nora, otto);
    expect(problem?.text).toContain('The maximum number of subscriptions is reached.');
    expect(await watched()).toEqual([nora]);
    expect(await subscribe(otto)).toBeNull();
    expect(await watched()).toEqual([otto]);
  });

  test('are not requested again and again when all are refused', async () => {
    await x.set({ maxSubscriptions: 0 });
    const ids = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(idOf));
    expect(await failureOf(subscribe(...ids))).toMatchObject({ kind: 'setup', status: 403 });
    expect(requests().filter((method) => method === 'POST')).toHaveLength(5);
  });

  test.each([
    ['no access', { activity: 'no-access' }, { kind: 'setup', status: 403 }, 'appropriate level of access'],
    ['too many requests', { activity: 'rate-limited' }, { kind: 'rateLimited', status: 429 }, 'Too Many Requests'],
  ] as const)('%s ends them with X’s words', async (_case, switches, failure, words) => {
    await x.set(switches);
    const found = await failureOf(subscribe(nora));
    expect(found).toMatchObject(failure);
    expect(found?.detail.text).toContain(words);
    expect(requests()).toEqual(['GET']);
  });

  test('need the token of the application', async () => {
    context = { ...context, sandbox: false, settings: { bearerToken: 'nobody' } };
    expect(await failureOf(subscribe(nora))).toMatchObject({ kind: 'tokenExpired', status: 401 });
    const { accessToken } = (await x.connect()).secret;
    context = { ...context, settings: { bearerToken: String(accessToken) } };
    expect((await failureOf(subscribe(nora)))?.detail.text).toContain('User Context is forbidden');
  });

  test.each([
    ['a page', { status: 200, text: '<html>' }],
    ['no list', { status: 200, text: '{}' }],
    ['an error', { status: 200, text: '{"errors":[{"title":"Oh"}]}' }],
  ])('%s instead of the list changes nothing', async (_case, { status, text }) => {
    const parsed = () => (text.startsWith('{') ? JSON.parse(text) : null);
    context = { ...context, http: async () => ({ status, text, headers: {}, json: parsed, tryJson: parsed }) };
    expect(await failureOf(subscribe(nora))).toBeDefined();
  });
});

describe('the stream', () => {
  test('announces new and edited posts, each for one read', async () => {
    await subscribe(nora);
    const { announced, charged, end, stop } = await reading();
    const { id } = await postFromPhone(x, 'nora', { text: 'New' });
    await postFromPhone(x, 'otto');
    await x.simulator.phone?.edit?.('nora', id, 'Edited');
    await expect.poll(announced).toEqual([nora, nora]);
    expect(charged()).toEqual([1, 1]);
    stop();
    expect(await end).toEqual({ reason: 'cut', status: null });
  });

  test('counts each event, also repeated and foreign ones', async () => {
    await x.set({ eventCopies: 2 });
    await added('1', { userId: otto });
    const { announced, charged } = await reading();
    await postFromPhone(x, 'otto');
    await expect.poll(announced).toEqual([otto, otto]);
    expect(charged()).toEqual([1, 1]);
  });

  test('ends when X disconnects', async () => {
    await x.set({ disconnects: true });
    await subscribe(nora);
    const { announced, charged, end } = await reading();
    await postFromPhone(x, 'nora');
    expect(await end).toEqual({ reason: 'ended', status: null });
    expect([announced(), charged()]).toEqual([
      [nora, null],
      [1, 0],
    ]);
  });

  test('is refused in X’s words', async () => {
    await x.set({ maxStreams: 0 });
    const { refusals, end } = await reading();
    expect(await end).toEqual({ reason: 'status', status: 429 });
    const [response] = refusals;
    if (!response) throw new Error('There is no response.');
    const failure = stream.refusal(response, x.clock.now);
    expect(failure).toMatchObject({ kind: 'rateLimited', status: 429, platformCode: 'streaming-connection' });
    expect(failure.detail.text).toContain('maximum allowed connection limit');
  });

  test('is off until the operator sets a token', () => {
    const real = { endpoints: { api: 'https://api.x.com' }, sandbox: false };
    expect(stream.open({ ...real, settings: {} })).toBeNull();
    expect(stream.open({ ...real, settings: { bearerToken: 'AAAA%3D' } })).toEqual({
      url: 'https://api.x.com/2/activity/stream',
      headers: { authorization: 'Bearer AAAA%3D' },
      format: 'lines',
    });
  });
});

const event = { event_uuid: '1', filter: { user_id: '7' }, event_type: 'post.create', tag: 'reelay', payload: {} };

test.each([
  ['a post', { data: event }, '7', 1],
  ['a deletion', { data: { ...event, event_type: 'post.delete' } }, null, 1],
  ['an odd user', { data: { ...event, filter: { user_id: 'x' } } }, null, 1],
  ['no filter', { data: { ...event, filter: null } }, null, 1],
  ['no event', { data: {} }, null, 0],
  ['a list', { data: [event] }, null, 0],
  ['an error', { errors: [{ title: 'operational-disconnect' }] }, null, 0],
  ['null', null, null, 0],
])('a message with %s announces the right account', (_case, message, remoteId, reads) => {
  const data = JSON.stringify(message);
  expect(stream.announces({ event: '', data })).toBe(remoteId);
  expect(stream.chargedReads({ event: '', data })).toBe(reads);
});

test.each(['', '{', 'undefined', '\u0000'])('garbage announces nothing: %j', (data) => {
  expect([stream.announces({ event: '', data }), stream.chargedReads({ event: '', data })]).toEqual([null, 0]);
});

test('lists may lag behind the stream', () => {
  expect(stream.lagMs).toBeGreaterThan(5 * SECOND);
  expect(stream.lagMs).toBeLessThan(HOUR);
});
