/** Changes of posts that are not saved yet. They live as long as the workspace: until the tab is closed. */
import type { Draft } from './draft.ts';
import type { PostEdit, Workspace } from './workspace.ts';

/**
 * Continues the change of a post, or begins one.
 * @param read reads the post as a draft
 * @returns the same promise until the change is closed
 */
export function openEdit(
  { edits, begin }: Pick<Workspace, 'edits' | 'begin'>,
  postId: string,
  read: () => Promise<Draft>,
): Promise<PostEdit> {
  const known = edits.get(postId);
  if (known) return known;
  const opening = read().then((opened) => ({ opened, ...begin(opened) }));
  edits.set(postId, opening);
  opening.catch(() => edits.delete(postId));
  return opening;
}

/**
 * Forgets the change of a post.
 * @param isSaved whether its upload is the video of the post now; otherwise it is removed
 */
export async function closeEdit({ edits }: Pick<Workspace, 'edits'>, postId: string, isSaved: boolean): Promise<void> {
  const closing = edits.get(postId);
  edits.delete(postId);
  const edit = await closing;
  if (!isSaved) edit?.manager.remove();
  edit?.manager.end();
}
