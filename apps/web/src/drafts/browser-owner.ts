/** Whose drafts and other work this browser keeps. What must be deleted is in browser-data.ts, which is loaded on demand. */

import { OWNER, PREFIXES } from './browser-keys.ts';

/** Deletes what others left, before the pages of a signed-in user are shown. */
export async function claimBrowser(userId: string): Promise<void> {
  const owner = readOwner();
  if (owner === userId) return;
  if (owner !== null || hasWorkOfOthers(userId))
    await (await import('./browser-data.ts')).deleteWorkOfOthers(userId, owner);
  try {
    localStorage.setItem(OWNER, userId);
  } catch {
    // What is kept without an owner is deleted at the next sign-in.
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
