/** Who can see a video. */
import type { SentPost } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { uploadOf } from './publish.ts';

/** `status.privacyStatus` of "Videos". An unlisted video is for those who have the link. */
export function isPublic({ post, session, checkpoint }: SentPost): boolean {
  const asked = textAt(post.options, 'privacy') || (session.choices.privacy ?? 'public');
  return (uploadOf(checkpoint).privacy || asked) === 'public';
}
