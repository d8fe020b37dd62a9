/** Posts again: the stored draft of the compose page, filled from a post. */
import type { Post } from '@reelay/sdk';

/** Where the compose page keeps its draft. */
export const DRAFT_PLACE = 'reelay-draft';

export interface DraftUpload {
  id: string;
  name: string;
  bytes: number;
}

/**
 * A draft as the compose page stores it. Pure.
 * @param upload the video; null if it is to be chosen again
 * @param key identifies the new post
 */
export function draftFromPost(post: Pick<Post, 'description' | 'result'>, upload: DraftUpload | null, key: string) {
  return {
    description: post.description,
    accounts: post.result.map(({ id }) => id),
    at: '',
    previewTime: 0,
    upload,
    key,
  };
}

/** What a new draft would replace. Pure. @param text the stored draft */
export function draftIn(text: string | null): { isEmpty: boolean; uploadId: string | null } {
  try {
    const { description, upload } = Object(JSON.parse(text ?? '{}')) as Record<string, unknown>;
    const { id } = Object(upload) as { id?: unknown };
    const uploadId = typeof id === 'string' ? id : null;
    return { isEmpty: uploadId === null && (typeof description !== 'string' || description.trim() === ''), uploadId };
  } catch {
    return { isEmpty: true, uploadId: null };
  }
}
