/** Notifications on this device: the browser's permission, its subscription, its worker, and the page that a click opens. */
import {
  createBrowser,
  type Browser as PushBrowser,
  type Receiver,
  startReceiver,
} from '../../../../packages/server/test/channels/receiver.ts';
import { addAccount } from '../../../../packages/server/test/harness/rows.ts';
import { failPost } from '../../../../packages/server/test/notifications/world.ts';
import { expect, type Page, startWithPages, test } from './fixtures.ts';

/** The browser cannot reach a real push service, so the page subscribes at the receiver. */
async function subscribeAt(page: Page, { url }: Receiver, { keys }: PushBrowser): Promise<void> {
  await page.addInitScript(
    ([endpoint, given]) => {
      const subscription = {
        endpoint,
        options: {},
        toJSON: () => ({ endpoint, keys: given }),
        unsubscribe: async () => true,
      };
      // Chromium without a window says that notifications are blocked, also where they are allowed.
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
      let subscribed: unknown = null;
      PushManager.prototype.getSubscription = async () => subscribed as PushSubscription | null;
      PushManager.prototype.subscribe = async () => {
        subscribed = subscription;
        return subscription as unknown as PushSubscription;
      };
    },
    [`${url}/push/this-browser`, keys] as const,
  );
}

/**
 * Records what the worker shows, and the address that a click on it opens. The browser of the tests has no notifications and
 * opens no window without a gesture.
 */
function recordCalls(): void {
  const shown: Record<string, unknown>[] = [];
  Object.assign(globalThis, { shown });
  const { registration, clients } = globalThis as unknown as {
    registration: ServiceWorkerRegistration;
    clients: { openWindow(url: string): Promise<null> };
  };
  registration.showNotification = async (title, { body, tag, data } = {}) => {
    clients.openWindow = async (opened) => {
      shown.push({ title, body, tag, opened });
      return null;
    };
    const click = new Event('notificationclick');
    Object.assign(click, { notification: { close() {}, data }, waitUntil() {} });
    globalThis.dispatchEvent(click);
  };
}

test('this device is notified, and shows the failed post', async ({ open, problems }) => {
  await using receiver = await startReceiver();
  const service = await startWithPages({ allowedPrivateHosts: [receiver.host] });
  try {
    const user = await service.newSession();
    const browser = createBrowser();
    const page = await open({ user, url: service.url, permissions: ['notifications'] });
    await subscribeAt(page, receiver, browser);
    await page.goto('/app/settings');
    const section = page.getByRole('region', { name: 'Notifications' });
    await section.getByRole('button', { name: 'Notify this device' }).click();
    const device = section.getByRole('article').filter({ hasText: 'This device' });
    await expect(device).toHaveCount(1);
    await expect(section.getByRole('button', { name: 'Notify this device' })).toBeHidden();
    await device.getByRole('button', { name: 'Send a test' }).click();
    await expect(section.getByText('The test was sent.')).toBeVisible();
    expect(receiver.take('/push/this-browser')).toHaveLength(1);

    const id = await failPost(service.db, user.userId, [await addAccount(service.db, user.userId)], {
      description: 'A walk through Rome',
    });
    const waiting = async () => (await service.db.query('select from notification_delivery')).length;
    await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
    await service.db.clock.advance(60_000);
    await expect.poll(() => receiver.requests.length, { timeout: 60_000 }).toBe(1);
    const [message] = receiver.take('/push/this-browser');
    const data = browser.decrypt(message?.body ?? Buffer.alloc(0)).toString();

    const worker = page
      .context()
      .serviceWorkers()
      .find((each) => each.url().endsWith('/app/push-worker.js'));
    await worker?.evaluate(recordCalls);
    const session = await page.context().newCDPSession(page);
    const registered = Promise.withResolvers<string>();
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.endsWith('/app/push/'));
      if (own) registered.resolve(own.registrationId);
    });
    await session.send('ServiceWorker.enable');
    const { origin } = new URL(service.url);
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered.promise, data });
    const shown = () => worker?.evaluate(() => Reflect.get(globalThis, 'shown'));
    await expect.poll(shown, { timeout: 60_000 }).toEqual([
      {
        title: 'A post was not published everywhere',
        body: expect.stringContaining('Your post “A walk through Rome” failed:'),
        tag: expect.stringMatching(/^[\w-]{32}$/),
        opened: `${origin}/app/posts/${id}`,
      },
    ]);

    await device.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(section.getByRole('article')).toHaveCount(0);
    await expect(section.getByRole('button', { name: 'Notify this device' })).toBeVisible();
    expect(problems).toEqual([]);
  } finally {
    await service.close();
  }
});

interface Renewal {
  former: string;
  renewed: string;
  keys: PushBrowser['keys'];
  /** Whether the browser subscribed again by itself; otherwise the worker does, with the key of the previous subscription. */
  isSubscribed: boolean;
}

/** Runs in the worker. Chromium has no command for this event, so it is dispatched there. */
async function renewIn({ former, renewed, keys, isSubscribed }: Renewal): Promise<unknown> {
  const worker = globalThis as unknown as { registration: ServiceWorkerRegistration };
  const subscription = { endpoint: renewed, toJSON: () => ({ endpoint: renewed, keys }) };
  let subscribedWith: unknown = null;
  worker.registration.pushManager.subscribe = async (options) => {
    subscribedWith = options;
    return subscription as unknown as PushSubscription;
  };
  const work: Promise<unknown>[] = [];
  const change = new Event('pushsubscriptionchange');
  Object.assign(change, {
    oldSubscription: { endpoint: former, options: { applicationServerKey: 'the key' } },
    newSubscription: isSubscribed ? subscription : null,
    waitUntil: (promise: Promise<unknown>) => work.push(promise),
  });
  globalThis.dispatchEvent(change);
  await Promise.all(work);
  return subscribedWith;
}

test('a device with a new address keeps its entry', async ({ open }) => {
  await using receiver = await startReceiver();
  const service = await startWithPages({ allowedPrivateHosts: [receiver.host] });
  try {
    const user = await service.newSession();
    const page = await open({ user, url: service.url, permissions: ['notifications'] });
    await subscribeAt(page, receiver, createBrowser());
    await page.goto('/app/settings');
    const section = page.getByRole('region', { name: 'Notifications' });
    await section.getByRole('button', { name: 'Notify this device' }).click();
    await expect(section.getByRole('article')).toHaveCount(1);
    const name = (await user.get('/user/notification-channels')).body.data[0].name;

    const worker = page
      .context()
      .serviceWorkers()
      .find((each) => each.url().endsWith('/app/push-worker.js'));
    let former = 'this-browser';
    for (const [renewed, isSubscribed] of [
      ['by-browser', true],
      ['by-worker', false],
    ] as const) {
      const browser = createBrowser();
      const addresses = { former: `${receiver.url}/push/${former}`, renewed: `${receiver.url}/push/${renewed}` };
      const subscribedWith = await worker?.evaluate(renewIn, { ...addresses, keys: browser.keys, isSubscribed });
      expect(subscribedWith).toEqual(isSubscribed ? null : { userVisibleOnly: true, applicationServerKey: 'the key' });
      const { data: channels } = (await user.get('/user/notification-channels')).body;
      expect(channels).toMatchObject([{ kind: 'push', name }]);
      await user.post(`/user/notification-channels/${channels[0].id}/test`);
      const [message] = receiver.take(`/push/${renewed}`);
      expect(JSON.parse(browser.decrypt(message?.body ?? Buffer.alloc(0)).toString())).toMatchObject({ tag: 'test' });
      former = renewed;
    }
  } finally {
    await service.close();
  }
});
