/** Who can see a post. */
import type { SentPost } from '../contract.ts';
import { at } from '../kit/json.ts';

/** `visibility` of the Posts API. `LOGGED_IN` needs a membership. Posts without the option are sent as `PUBLIC`. */
export function isPublic({ post }: SentPost): boolean {
  return (at(post.options, 'visibility') ?? 'PUBLIC') === 'PUBLIC';
}
