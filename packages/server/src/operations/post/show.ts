import type { Context } from '../../context.ts';
import { mediaAddress } from '../../http/addresses.ts';
import type { Presentation } from '../../posts/entry-json.ts';
import { onePost } from '../../posts/history.ts';

/** How this request's entries are written. */
export function presentationOf({ config, renderMessage: render }: Context): Presentation {
  return { address: (filename) => mediaAddress(config, filename), render };
}

/**
 * Returns a post as the single-post operations show it.
 * @throws ReelayError `unknown_post`
 */
export function showPost(context: Context, userId: string, postId: string) {
  const { db, connectors, languages } = context;
  return onePost(db, userId, postId, { ...presentationOf(context), connectors, english: languages.english.render });
}
