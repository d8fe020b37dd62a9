/**
 * The service worker for notifications. It shows the messages that Reelay sends to this device, and opens their pages. It has
 * a scope of its own, in which there are no pages, so it controls none and answers no request.
 */
const HOME = '/app/';
const CHANNELS = '/api/v1/user/notification-channels';

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('push', (event) => {
  event.waitUntil(show(messageOf(event.data)));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url));
});

/** The push service has replaced the address of this device: the service must know the new one. */
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renew(event.oldSubscription, event.newSubscription));
});

function messageOf(data) {
  try {
    return data.json();
  } catch {
    // Browsers require a notification for every message.
    return {};
  }
}

function show({ title = 'Reelay', body = '', url = HOME, tag }) {
  const options = { body, icon: '/app/icon-192.png', badge: '/app/icon-192.png', data: { url }, ...(tag && { tag }) };
  return self.registration.showNotification(title, options);
}

/** Shows a window that has the page, else opens one. Other sites are never opened. */
async function open(url) {
  const wanted = new URL(url ?? HOME, self.location.origin);
  // A service can have several names. The page is the same.
  const address = new URL(wanted.pathname + wanted.search + wanted.hash, self.location.origin).href;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const same = windows.find((each) => each.url === address);
  return same ? same.focus() : self.clients.openWindow(address);
}

async function renew(former, renewed) {
  const key = former?.options.applicationServerKey;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = renewed ?? (key && (await self.registration.pushManager.subscribe(options)));
  if (!subscription) return;
  const { endpoint: url, keys } = subscription.toJSON();
  const { p256dh, auth } = keys;
  const name = new URL(url).hostname;
  const channel = { kind: 'push', name, url, keys: { p256dh, auth }, ...(former && { replaces: former.endpoint }) };
  await fetch(CHANNELS, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-reelay-csrf': '1' },
    body: JSON.stringify(channel),
  });
}
