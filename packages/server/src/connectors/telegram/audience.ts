/** Who can see a post. */
import type { SentPost } from '../contract.ts';
import { textAt } from '../kit/json.ts';

/** A channel without a public name is private ("Chat", username), as `identify` stored it. */
export function isPublic({ session }: SentPost): boolean {
  return textAt(session.extra, 'publicName') !== '';
}
