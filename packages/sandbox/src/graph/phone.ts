/** Posts that are made with the platform's own app. */
import type { Blobs, PhonePost } from '../contract.ts';

/** What a post's record keeps of its making. Absent: it was made through the API. */
export interface PhoneMark {
  /** When lists begin to show it, ms since the epoch. */
  visibleAt: number;
  /** Not everybody may see it. */
  limited: boolean;
}

/** @param lagMs the platform's usual delay of lists */
export function phoneMark({ hiddenMs, audience }: PhonePost, now: number, lagMs = 0): PhoneMark {
  return { visibleAt: now + (hiddenMs ?? lagMs), limited: audience === 'limited' };
}

/** Whether lists show a post. @param at when it was published through the API, ms since the epoch */
export function isListed(
  { phone, at }: { phone?: PhoneMark | undefined; at: number },
  now: number,
  lagMs = 0,
): boolean {
  return (phone?.visibleAt ?? at + lagMs) <= now;
}

/** Removes the bytes of a post that is deleted. Those of a container may belong to two posts. */
export async function removeBytes(
  blobs: Blobs,
  { phone, keys }: { phone?: PhoneMark | undefined; keys: readonly string[] },
): Promise<void> {
  if (phone) for (const key of keys) await blobs.remove(key);
}
