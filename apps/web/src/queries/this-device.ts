/** This browser as a device that gets notifications (Push API). `push-worker.js` shows them. */
import type { AddNotificationChannel } from '@reelay/sdk';

const WORKER = '/app/push-worker.js';
/** No page is in it, so the worker controls none. */
const SCOPE = '/app/push/';

/**
 * `ready`, or why this browser cannot be notified: an iPhone shows notifications only of installed apps (`install`), the user
 * has blocked them (`blocked`), or the browser or an address without https does not allow them (`unsupported`).
 */
export type PushAvailability = 'ready' | 'install' | 'blocked' | 'unsupported';

/** Pure. */
export function pushAvailability(facts: {
  isSupported: boolean;
  permission: NotificationPermission | null;
  userAgent: string;
  touchPoints: number;
}): PushAvailability {
  const { isSupported, permission, userAgent, touchPoints } = facts;
  if (isSupported) return permission === 'denied' ? 'blocked' : 'ready';
  // An iPad calls itself a Macintosh, but has a touch screen.
  const isApple = /iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1);
  return isApple ? 'install' : 'unsupported';
}

/** The availability in this browser, on this page. */
export function pushHere(): PushAvailability {
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  return pushAvailability({
    isSupported,
    permission: 'Notification' in window ? Notification.permission : null,
    userAgent: navigator.userAgent,
    touchPoints: navigator.maxTouchPoints,
  });
}

/** The user did not allow notifications. */
export class PushRefused extends Error {
  constructor() {
    super('Notifications are not allowed.');
  }
}

/**
 * Asks for permission and subscribes.
 * @param publicKey of the service, base64url @throws PushRefused; the browser's error if its push service fails
 */
export async function subscribe(publicKey: string): Promise<Pick<AddNotificationChannel, 'url' | 'keys'>> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushRefused();
  const { pushManager } = await activeRegistration();
  const known = await pushManager.getSubscription();
  // A subscription belongs to one key. That of another service at this address is of no use.
  if (known && encode(known.options.applicationServerKey) !== publicKey) await known.unsubscribe();
  const { endpoint: url, keys } = (
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  ).toJSON();
  return { url: url ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
}

/** The hash of this browser's address, as channels have it; null: it is not subscribed. */
export async function deviceHere(): Promise<string | null> {
  if (pushHere() !== 'ready') return null;
  const subscription = await (await navigator.serviceWorker.getRegistration(SCOPE))?.pushManager.getSubscription();
  if (!subscription) return null;
  return encode(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint)));
}

/** Ends the subscription of this browser, if there is one. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** `serviceWorker.ready` waits for a worker of the page, and this one has no pages. */
async function activeRegistration(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
  const worker = registration.installing ?? registration.waiting;
  if (registration.active || !worker) return registration;
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve();
      if (worker.state === 'redundant') reject(new Error('The worker could not be installed.'));
    });
  });
  return registration;
}

function encode(bytes: ArrayBuffer | null): string {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
