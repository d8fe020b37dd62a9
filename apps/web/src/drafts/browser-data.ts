/**
 * What this browser keeps for the user who signed in last: the draft, groups of accounts, a started connection, a shared
 * video, and the subscription to notifications. A session that expires leaves it to the same user. A sign-out,
 * and another user, delete it.
 */
import { storeAttempt } from '../queries/attempt.ts';
import { unsubscribe } from '../queries/this-device.ts';
import { OWNER, PREFIXES } from './browser-keys.ts';
import { forgetSharedVideos } from './shared-video.ts';

/** @param owner who signed in before; null: nobody, or it is not known */
export async function deleteWorkOfOthers(userId: string, owner: string | null): Promise<void> {
  removeKeys(userId);
  // Without an owner, the video was shared before any user signed in. It is kept for this user.
  if (owner !== null) await Promise.all([forgetSharedVideos(), endNotifications()]);
}

/** Deletes everything, at a sign-out. */
export async function clearBrowserData(): Promise<void> {
  removeKeys(null);
  await Promise.all([forgetSharedVideos(), endNotifications()]);
}

/** The next user must not read them. The service removes the device when its next message finds no subscription. */
async function endNotifications(): Promise<void> {
  // Browsers without the Push API have none.
  await unsubscribe().catch(() => {});
}

function removeKeys(exceptOf: string | null): void {
  try {
    const keys = Object.keys(localStorage).filter((key) => PREFIXES.some((prefix) => key.startsWith(prefix)));
    for (const key of keys) if (exceptOf === null || !key.endsWith(exceptOf)) localStorage.removeItem(key);
    localStorage.removeItem(OWNER);
  } catch {
    // The browser's storage is unavailable.
  }
  storeAttempt(null);
}
