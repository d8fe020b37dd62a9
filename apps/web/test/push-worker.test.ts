/** The worker for notifications learns that its address changed. Its script runs in a context of its own. */
import { createECDH, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';

const SCRIPT = readFileSync(new URL('../public/push-worker.js', import.meta.url), 'utf8');

const subscriptionAt = (endpoint: string, applicationServerKey: string | null = 'the key') => {
  const p256dh = createECDH('prime256v1').generateKeys().toString('base64url');
  const keys = { p256dh, auth: randomBytes(16).toString('base64url') };
  return { endpoint, options: { applicationServerKey }, toJSON: () => ({ endpoint, keys }), keys };
};
type Subscription = ReturnType<typeof subscriptionAt>;

interface Change {
  oldSubscription: Subscription | null;
  newSubscription: Subscription | null;
  /** What the worker gets if it subscribes. */
  offered?: Subscription;
}

/** @returns what the worker sent, and with what it subscribed */
async function change({ offered, ...subscriptions }: Change) {
  const listeners = new Map<string, (event: object) => void>();
  const sent: { path: string; init: { method: string; headers: object; body: string } }[] = [];
  const subscribedWith: unknown[] = [];
  const subscribe = async (options: unknown) => {
    subscribedWith.push(options);
    return offered;
  };
  const scope = {
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    registration: { pushManager: { subscribe } },
  };
  const fetch = async (path: string, init: (typeof sent)[number]['init']) => void sent.push({ path, init });
  runInContext(SCRIPT, createContext({ self: scope, fetch, URL }));
  let work: Promise<unknown> = Promise.resolve();
  listeners.get('pushsubscriptionchange')?.({
    ...subscriptions,
    waitUntil: (promise: Promise<unknown>) => {
      work = promise;
    },
  });
  await work;
  return { sent: sent.map(({ path, init }) => ({ path, ...init, body: JSON.parse(init.body) })), subscribedWith };
}

const FORMER = subscriptionAt('https://push.example/former');
const RENEWED = subscriptionAt('https://push.example/renewed');
const ADDED = { kind: 'push', name: 'push.example', url: RENEWED.endpoint, keys: RENEWED.keys };

test('a renewed subscription replaces the previous one', async () => {
  expect(await change({ oldSubscription: FORMER, newSubscription: RENEWED })).toEqual({
    sent: [
      {
        path: '/api/v1/user/notification-channels',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-reelay-csrf': '1' },
        body: { ...ADDED, replaces: FORMER.endpoint },
      },
    ],
    subscribedWith: [],
  });
});

test('an expired subscription is renewed with the same key', async () => {
  const { sent, subscribedWith } = await change({ oldSubscription: FORMER, newSubscription: null, offered: RENEWED });
  expect(subscribedWith).toEqual([{ userVisibleOnly: true, applicationServerKey: 'the key' }]);
  expect(sent).toMatchObject([{ body: { ...ADDED, replaces: FORMER.endpoint } }]);
});

test('a subscription of an unknown device replaces none', async () => {
  const { sent } = await change({ oldSubscription: null, newSubscription: RENEWED });
  expect(sent.map(({ body }) => body)).toEqual([ADDED]);
});

test.each([
  ['without any subscription', null],
  ['without the key of the previous subscription', subscriptionAt('https://push.example/former', null)],
])('nothing is sent %s', async (_, oldSubscription) => {
  expect(await change({ oldSubscription, newSubscription: null, offered: RENEWED })).toEqual({
    sent: [],
    subscribedWith: [],
  });
});
