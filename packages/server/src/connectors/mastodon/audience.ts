/** Who can see a status. */
import type { SentPost } from '../contract.ts';
import { visibilityOf } from './limits.ts';

/** Visibilities that everybody may see ("Status", visibility). Servers have further ones, such as "local". */
export const PUBLIC = ['public', 'unlisted'];

/** Without a known default, the server chooses the visibility. */
export function isPublic({ post, session }: SentPost): boolean {
  return PUBLIC.includes(visibilityOf(post, session));
}
