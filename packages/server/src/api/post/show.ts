import type { Context } from '../../context.ts';
import { mediaAddress } from '../../http/addresses.ts';
import { onePost } from '../../posts/history.ts';

/**
 * Returns a post as the single-post operations show it.
 * @throws ReelayError `unknown_post`
 */
export function showPost({ db, config, connectors, renderMessage: render }: Context, userId: string, postId: string) {
  return onePost(db, userId, postId, (filename) => mediaAddress(config, filename), { connectors, render });
}
