/**
 * Verifies an unanswered `threads_publish`.
 *
 * The container's status is authoritative, but may lag: "not published" counts only after a quarter of an hour. The
 * container does not name the post, so the post is searched by its text.
 */
import type { Fingerprint, JsonObject, Session, VerifyResult, Work } from '../contract.ts';
import { isGone } from './api.ts';
import { type Post, postOf, sinceOf } from './checkpoint.ts';
import { containerEnd } from './classify.ts';
import { askContainer, type ContainerState } from './container.ts';
import { askAgain, findPublished } from './posts.ts';

/** How late a publish request may take effect or become visible, ms. */
export const LATE_MS = 15 * 60_000;
const LOOK_MS = 60_000;

/** @throws PlatformError if a request fails */
export async function verify(
  { session }: Work,
  checkpoint: JsonObject | null,
  { text, committedAt }: Fingerprint,
): Promise<VerifyResult> {
  const post = checkpoint ? postOf(checkpoint) : null;
  if (!post?.containerId) {
    const found = await findPublished(session, text, committedAt);
    return found ?? { then: 'stillUnknown', note: 'The profile shows no such post, or several.' };
  }
  let container: ContainerState;
  try {
    container = await askContainer(session, post.containerId);
  } catch (error) {
    if (!isGone(error)) throw error;
    const found = await findPublished(session, text, sinceOf(post, committedAt));
    return found ?? { then: 'stillUnknown', note: 'Threads does not know the container any more.' };
  }
  return judged(session, { ...post, offeredAt: post.offeredAt || committedAt }, container, text, committedAt);
}

async function judged(
  session: Session,
  post: Post,
  { state, message }: ContainerState,
  text: string,
  committedAt: number,
): Promise<VerifyResult> {
  switch (state) {
    case 'published': {
      const found = await findPublished(session, text, sinceOf(post, committedAt));
      return (
        found ?? askAgain({ ...post, polls: 0 }, 'The container is published; Threads does not list the post yet.')
      );
    }
    case 'failed': {
      const end = containerEnd(message);
      if (end.is === 'final') return { then: 'failed', failure: end.failure };
      return {
        then: 'failed',
        failure: { kind: 'transient', detail: 'The container failed before it was published.' },
      };
    }
    case 'expired':
      return {
        then: 'failed',
        failure: { kind: 'transient', detail: 'The container ran out before it was published.' },
      };
    case 'working':
      return { then: 'stillUnknown', note: 'Threads is working on the container.', afterMs: LOOK_MS };
    case 'finished': {
      const early = committedAt + LATE_MS - session.now();
      if (early > 0 && !session.sandbox) {
        const note = 'The container is not published so far, which may still change.';
        return { then: 'stillUnknown', note, afterMs: Math.max(LOOK_MS, Math.min(early, 5 * LOOK_MS)) };
      }
      return { then: 'notPosted', checkpoint: { ...post }, note: 'The container is finished and not published.' };
    }
  }
}
