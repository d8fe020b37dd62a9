import { createHmac } from 'node:crypto';
import type { HubSubscription } from '@reelay/sandbox/platforms/youtube/hub.ts';
import { simulator } from '@reelay/sandbox/platforms/youtube/index.ts';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { postFromPhone } from '../../../sandbox/test/harness/phone.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/time.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp, type ManagedHttp } from '../../src/outbound/http-client.ts';
import type { DueLoop } from '../../src/queue/loop.ts';
import { hookSecret } from '../../src/watching/push/hook-secret.ts';
import { createSubscriptionLoop } from '../../src/watching/push/subscriptions.ts';
import { addAccount } from '../harness/rows.ts';
import { startService, type TestService, type TestUser } from '../harness/service.ts';
import { type RunningSimulator, startSimulator } from '../harness/simulator.ts';

let service: TestService;
let youtube: RunningSimulator;
let http: ManagedHttp;
let user: TestUser;
let channelId: string;
/** What the hub's calls of our URL returned. */
let calls: { method: string; status: number }[];
const failures: string[] = [];
const errors: unknown[] = [];

beforeAll(async () => {
  // No worker runs in it: the tests say when something happens.
  service = await startService({ config: { role: 'api' } });
  youtube = await startSimulator(simulator, {
    async callback(url, { method, headers, body }) {
      const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
      calls.push({ method, status: response.status });
      return { status: response.status, text: await response.text() };
    },
  });
  http = createHttp({ guard: createAddressGuard([new URL(youtube.url).host], []), userAgent: 'Reelay' });
  user = await service.newUser();
  channelId = (await youtube.simulator.enrol('nora.cuts')).remoteId;
  const [from, to] = [
    await addAccount(service.db, user.userId, { platform: 'youtube', sandbox: false }),
    await addAccount(service.db, user.userId),
  ];
  await service.db.execute('update identity set remote_id = $2 where id = $1', [from.identityId, channelId]);
  await service.db.execute(`update account set capabilities = '{"watch": "announce"}' where id = $1`, [from.id]);
  const { status } = await user.post('/repost/add', { from: from.id, to: [to.id] });
  expect(status).toBe(200);
});
beforeEach(async () => {
  calls = [];
  failures.length = 0;
  await service.db.execute('delete from push_subscription');
  await service.db.execute("update watch set due_at = app_now() + interval '1 day', problem = null");
});
afterAll(async () => {
  http?.close();
  await youtube?.close();
  await service?.close();
  expect(errors).toEqual([]);
});

function subscriptions(options: { isReachable?: boolean; hubUrl?: string } = {}): DueLoop {
  const { isReachable = true, hubUrl = `${youtube.url}/hub` } = options;
  return createSubscriptionLoop({
    db: service.db,
    connectors,
    http: http.request,
    settings: () => ({ hubUrl }),
    publicUrl: service.url,
    hookKey: service.context.secrets.hooks,
    isReachable,
    onFailed: (_, reason) => failures.push(reason),
    onError: (error) => errors.push(error),
    monotonic: () => performance.now(),
    syncMs: 0,
  });
}

async function row() {
  const [found] = await service.db.query<{
    id: string;
    requested: string | null;
    verified: boolean;
    inMs: number;
    attempts: number;
  }>(
    `select id, requested, expires_at is not null as verified, attempts,
       (extract(epoch from due_at - app_now()) * 1000)::float8 as "inMs" from push_subscription`,
  );
  return found;
}

/** Subscribes, and waits until the hub has verified our URL. @returns the hook's URL */
async function subscribed(): Promise<string> {
  expect(await subscriptions().runOnce()).toBe(1);
  await expect.poll(row).toMatchObject({ requested: null, verified: true, attempts: 0 });
  return `${service.url}/hooks/youtube/${(await row())?.id}`;
}

const isDue = async () => {
  const [found] = await service.db.query<{ due: boolean }>('select due_at <= app_now() as due from watch');
  return found?.due;
};

const notification = () => `<feed><entry><yt:channelId>${channelId}</yt:channelId></entry></feed>`;

async function notify(url: string, body: string, signature?: string): Promise<number> {
  const secret = hookSecret(service.context.secrets.hooks, url.split('/').at(-1) ?? '');
  const own = `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`;
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/atom+xml', 'x-hub-signature': signature ?? own },
  });
  expect(response.status === 403 ? await response.text() : '').toBe('');
  return response.status;
}

test('a new video is checked at once', async () => {
  await subscribed();
  expect(await isDue()).toBe(false);
  await postFromPhone(youtube, 'nora.cuts', { text: 'New' });
  await expect.poll(isDue).toBe(true);
  expect(calls).toEqual([
    { method: 'GET', status: 200 },
    { method: 'POST', status: 204 },
  ]);
  expect(await service.db.query('select from watched_post')).toEqual([]);
});

test('a subscription is renewed before it ends', async () => {
  await subscribed();
  const days = ((await row())?.inMs ?? 0) / DAY;
  expect(days).toBeGreaterThan(8.9);
  expect(days).toBeLessThanOrEqual(9);
  await service.db.clock.advance(9 * DAY + MINUTE);
  await subscribed();
});

test('an unverified hub request is repeated with growing delays', async () => {
  const silent = await startSimulator(simulator);
  onTestFinished(() => silent.close());
  const loop = subscriptions({ hubUrl: `${silent.url}/hub` });
  for (const minutes of [10, 20, 40]) {
    expect(await loop.runOnce()).toBe(1);
    expect(await row()).toMatchObject({ requested: 'subscribe', verified: false });
    expect(await loop.runOnce()).toBe(0);
    await service.db.clock.advance(minutes * MINUTE);
  }
});

test('a hub that fails is asked again', async () => {
  await subscriptions({ hubUrl: `${youtube.url}/nowhere` }).runOnce();
  expect(failures).toHaveLength(1);
  expect(await row()).toMatchObject({ attempts: 1, verified: false });
});

test.each([
  ['platforms cannot reach us', { isReachable: false }],
  ['the operator wants none', { hubUrl: 'off' }],
])('nothing is requested when %s', async (_case, options) => {
  const before = youtube.requests.length;
  await subscriptions(options).runOnce();
  expect(youtube.requests.length).toBe(before);
  expect(calls).toEqual([]);
});

test('a subscription ends with the watch', async () => {
  const url = await subscribed();
  await service.db.execute('update watch set due_at = null');
  expect(await subscriptions().runOnce()).toBe(1);
  await expect.poll(row).toBeUndefined();
  await expect.poll(() => youtube.store.get<HubSubscription>('subscription', url)).toBeUndefined();
  expect(await notify(url, notification())).toBe(404);
});

test.each([
  ['of another secret', () => `sha1=${createHmac('sha1', 'x').update(notification()).digest('hex')}`],
  ['of another algorithm', () => `sha256=${createHmac('sha256', 'x').update(notification()).digest('hex')}`],
  ['that is empty', () => ''],
  ['that is too short', () => 'sha1='],
  ['of other digits', () => `sha1=${'z'.repeat(40)}`],
])('a signature %s is refused without a reason', async (_case, signature) => {
  const url = await subscribed();
  expect(await notify(url, notification(), signature())).toBe(403);
  expect(await isDue()).toBe(false);
});

test('a missing signature is refused', async () => {
  const url = await subscribed();
  expect((await fetch(url, { method: 'POST', body: notification() })).status).toBe(403);
  expect(await isDue()).toBe(false);
});

test('a signature of another subscription is refused', async () => {
  const url = await subscribed();
  const other = hookSecret(service.context.secrets.hooks, '01a20636-bf7b-7302-947d-dca3c1983756');
  const signature = `sha1=${createHmac('sha1', other).update(notification()).digest('hex')}`;
  expect(await notify(url, notification(), signature)).toBe(403);
});

test('a replayed notification only repeats an early check', async () => {
  const url = await subscribed();
  for (let i = 0; i < 20; i++) expect(await notify(url, notification())).toBe(204);
  await expect.poll(isDue).toBe(true);
  expect(await service.db.query('select from watched_post')).toEqual([]);
  expect(await service.db.query('select from post')).toEqual([]);
});

test.each(['', 'nonsense', '<feed/>', '<feed><yt:channelId>UCother</yt:channelId></feed>', '\u0000'.repeat(1_000)])(
  'a signed notification without the channel changes nothing: %j',
  async (body) => {
    const url = await subscribed();
    expect(await notify(url, body)).toBe(204);
    expect(await isDue()).toBe(false);
  },
);

test('a notification that is too large is refused', async () => {
  const url = await subscribed();
  const status = await notify(url, 'x'.repeat(1_000_000)).catch(() => 413);
  expect(status).toBe(413);
  expect(await isDue()).toBe(false);
});

test.each([
  [
    'another topic',
    (query: URLSearchParams) =>
      query.set('hub.topic', 'https://www.youtube.com/xml/feeds/videos.xml?channel_id=UCother'),
  ],
  ['another mode', (query: URLSearchParams) => query.set('hub.mode', 'unsubscribe')],
  ['no challenge', (query: URLSearchParams) => query.delete('hub.challenge')],
  ['no mode', (query: URLSearchParams) => query.delete('hub.mode')],
])('a verification with %s is refused', async (_case, change) => {
  await subscribed();
  // As if a renewal were in progress.
  await service.db.execute("update push_subscription set requested = 'subscribe', requested_at = app_now()");
  const topic = `https://www.youtube.com/xml/feeds/videos.xml?channel_id=${channelId}`;
  const query = new URLSearchParams({
    'hub.topic': topic,
    'hub.mode': 'subscribe',
    'hub.challenge': '<b>',
    'hub.lease_seconds': '60',
  });
  const url = `${service.url}/hooks/youtube/${(await row())?.id}`;
  const right = await fetch(`${url}?${query}`);
  expect([right.status, right.headers.get('content-type'), await right.text()]).toEqual([
    200,
    'text/plain; charset=utf-8',
    '<b>',
  ]);
  // It is answered once for each request of ours.
  expect((await fetch(`${url}?${query}`)).status).toBe(404);
  await service.db.execute("update push_subscription set requested = 'subscribe', requested_at = app_now()");
  change(query);
  expect((await fetch(`${url}?${query}`)).status).toBe(404);
  expect(await row()).toMatchObject({ requested: 'subscribe' });
  // An old request is over.
  await service.db.clock.advance(25 * HOUR);
  query.set('hub.mode', 'subscribe');
  query.set('hub.topic', topic);
  query.set('hub.challenge', 'late');
  expect((await fetch(`${url}?${query}`)).status).toBe(404);
});

test.each([
  '/hooks',
  '/hooks/',
  '/hooks/youtube',
  '/hooks/youtube/x',
  '/hooks/youtube/01a20636-bf7b-7302-947d-dca3c1983756',
  '/hooks/tiktok/01a20636-bf7b-7302-947d-dca3c1983756',
  '/hooks/constructor/01a20636-bf7b-7302-947d-dca3c1983756',
  '/hooks/youtube/%00',
])('there is nothing at %s', async (path) => {
  for (const method of ['GET', 'POST']) expect((await fetch(service.url + path, { method })).status).toBe(404);
});

test('other methods are not allowed', async () => {
  const url = await subscribed();
  const response = await fetch(url, { method: 'PUT', body: 'x' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
});

test('secrets are not logged', async () => {
  const url = await subscribed();
  await notify(url, notification());
  const log = JSON.stringify(service.logged);
  expect(log).not.toContain(hookSecret(service.context.secrets.hooks, url.split('/').at(-1) ?? ''));
});
