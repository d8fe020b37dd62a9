import type { Queryable } from '../db/database.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { isUuid } from '../lib/ids.ts';
import { findVideo, type PostVideo } from './post-store.ts';

/** The video of a post of the user. @throws ReelayError `unknown_post` */
export async function readVideo(db: Queryable, userId: string, postId: string): Promise<PostVideo> {
  const video = isUuid(postId) ? await findVideo(db, userId, postId) : null;
  if (!video) throw new ReelayError('unknown_post');
  return video;
}
