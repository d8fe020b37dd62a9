/** Whose drafts and other work this browser keeps. What must be deleted is in browser-data.ts, which is loaded on demand. */

const OWNER = 'reelay-owner';
/** Keys of what belongs to a user: see browser-data.ts. */
const WORK = /^reelay(-draft|-account|.connect)/;

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

export function forgetOwner(): void {
  localStorage.removeItem(OWNER);
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
    return Object.keys(localStorage).some((key) => WORK.test(key) && !key.endsWith(userId));
  } catch {
    return false;
  }
}
