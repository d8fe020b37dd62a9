/** Who can see a video. */
import type { SentPost } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { uploadOf } from './upload.ts';

/** `privacy_level` of "Direct Post". It was checked against the account's own levels when the upload was opened. */
export function isPublic({ post, session, checkpoint }: SentPost): boolean {
  const privacy = uploadOf(checkpoint).privacy || textAt(post.options, 'privacy') || session.choices.privacy;
  return privacy === 'PUBLIC_TO_EVERYONE';
}
