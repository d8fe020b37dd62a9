/** Who can see a post. */
import type { SentPost } from '../contract.ts';
import { at } from '../kit/json.ts';

/** The account decides (`protected` of "User object"), as `identify` stored it. */
export function isPublic({ session }: Pick<SentPost, 'session'>): boolean {
  return at(session.extra, 'protected') === false;
}
