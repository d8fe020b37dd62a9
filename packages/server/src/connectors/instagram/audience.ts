/** Who can see a reel. */
import type { SentPost } from '../contract.ts';
import { at } from '../kit/json.ts';

/**
 * The API publishes for professional accounts only, and these are public. A trial reel is first shown to people who do
 * not follow the account, and to everybody only later ("Trial reels").
 */
export function isPublic({ post }: SentPost): boolean {
  return at(post.options, 'trial') === undefined;
}
