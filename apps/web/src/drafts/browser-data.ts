/**
 * What this browser keeps for the user who signed in last: the draft, groups of accounts, a started connection and a
 * shared video. A session that expires leaves it to the same user. A sign-out, and another user, delete it.
 */
import { storeAttempt } from '../queries/attempt.ts';
import { forgetSharedVideos } from './shared-video.ts';

const OWNER = 'reelay-owner';
/** Prefixes of keys that end with the id of their user. */
const PREFIXES = ['reelay-draft-', 'reelay-account-groups-'];

/** Deletes what others left, before the pages of a signed-in user are shown. */
export async function claimBrowserData(userId: string): Promise<void> {
  const owner = read();
  if (owner === userId) return;
  removeKeys(userId);
  // Without an owner, a video was shared before anybody signed in.
  if (owner !== null) await forgetSharedVideos();
  write(userId);
}

/** Deletes everything, at a sign-out. */
export async function clearBrowserData(): Promise<void> {
  removeKeys(null);
  await forgetSharedVideos();
}

function removeKeys(exceptOf: string | null): void {
  try {
    const keys = Object.keys(localStorage).filter((key) => PREFIXES.some((prefix) => key.startsWith(prefix)));
    for (const key of keys) if (exceptOf === null || !key.endsWith(exceptOf)) localStorage.removeItem(key);
    localStorage.removeItem(OWNER);
  } catch {
    // The browser stores nothing.
  }
  storeAttempt(null);
}

function read(): string | null {
  try {
    return localStorage.getItem(OWNER);
  } catch {
    return null;
  }
}

function write(userId: string): void {
  try {
    localStorage.setItem(OWNER, userId);
  } catch {
    // What is kept without an owner is deleted at the next sign-in.
  }
}
