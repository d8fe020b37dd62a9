import type { Context } from '../../context.ts';
import { mediaAddress } from '../../http/addresses.ts';
import { onePost } from '../../posts/history.ts';

/**
 * Returns a post as the single-post operations show it.
 * @throws ReelayError `unknown_post`
 */
export function showPost(
  { db, config, connectors, languages, renderMessage: render }: Context,
  userId: string,
  postId: string,
) {
  const wording = { render, english: languages.english.render };
  return onePost(db, userId, postId, (filename) => mediaAddress(config, filename), { connectors, ...wording });
}
