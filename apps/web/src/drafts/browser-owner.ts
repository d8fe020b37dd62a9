/** The user whose drafts and other data this browser keeps. browser-data.ts, loaded on demand, deletes the data. */

import { OWNER, PREFIXES } from './browser-keys.ts';

/** Deletes data of other users before the pages of a signed-in user are shown. */
export async function claimBrowser(userId: string): Promise<void> {
  const owner = readOwner();
  if (owner === userId) return;
  if (owner !== null || hasWorkOfOthers(userId))
    await (await import('./browser-data.ts')).deleteWorkOfOthers(userId, owner);
  try {
    localStorage.setItem(OWNER, userId);
  } catch {
    // Data without an owner is deleted at the next sign-in.
  }
}

function readOwner(): string | null {
  try {
    return localStorage.getItem(OWNER);
  } catch {
    return null;
  }
}

function hasWorkOfOthers(userId: string): boolean {
  try {
    return Object.keys(localStorage).some(
      (key) => PREFIXES.some((prefix) => key.startsWith(prefix)) && !key.endsWith(userId),
    );
  } catch {
    return false;
  }
}
