/**
 * Establishes what became of a `threads_publish`, answered (`confirm`) or not (`verify`).
 *
 * The container's status is authoritative, but may lag: "not published" counts only after a quarter of an hour. The
 * container does not name the post, so the post is searched by its text.
 */
import { NetworkError } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConfirmResult, Fingerprint, JsonObject, Session, VerifyResult, Work } from '../contract.ts';
import { transient } from '../kit/failures.ts';
import { failed, notPosted, stillUnknown } from '../kit/results.ts';
import { call, isGone } from './api.ts';
import { containerEnd } from './classify.ts';
import { type ContainerState, type Post, pollContainer, postOf, sinceOf } from './container.ts';
import { confirmLater, findPublished, posted } from './posts.ts';

/** How late a publish request may take effect or become visible, ms. */
export const LATE_MS = 15 * 60_000;
const POLL_MS = 60_000;
/** Maximum polls for the URL of a published post. After that it counts as posted without a URL. */
const MAX_POLLS = 8;

/**
 * Fetches the URL of a published post. Errors neither fail the post nor delay it for long.
 * @throws PlatformError `tokenExpired`, so that the token is refreshed
 */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const { session } = work;
  const post = postOf(checkpoint);
  try {
    if (post.mediaId) return await shown(session, post.mediaId);
    const found = await findPublished(session, work.post.text, sinceOf(post));
    return found ?? confirmLater(post, 'Threads does not list the post yet.');
  } catch (error) {
    if (!(error instanceof PlatformError || error instanceof NetworkError) || isDeadToken(error)) throw error;
  }
  if (!post.mediaId || post.polls < MAX_POLLS)
    return confirmLater(post, 'Published; Threads does not show the post yet.');
  const published = { remoteId: post.mediaId, url: null, publishedAt: null };
  return { then: 'posted', published, note: 'Published; Threads does not show its address.' };
}

/** @throws PlatformError */
async function shown(session: Session, mediaId: string): Promise<ConfirmResult> {
  const fields = 'id,permalink,shortcode,timestamp';
  const told = posted(session, await call(session, 'GET', `/${mediaId}`, { fields }));
  return { ...told, published: { ...told.published, remoteId: mediaId } };
}

function isDeadToken(error: unknown): boolean {
  return error instanceof PlatformError && error.failure.kind === 'tokenExpired';
}

/** @throws PlatformError if a request fails */
export async function verify(
  { session }: Work,
  checkpoint: JsonObject | null,
  { text, committedAt }: Fingerprint,
): Promise<VerifyResult> {
  const post = checkpoint ? postOf(checkpoint) : null;
  if (!post?.containerId) {
    const found = await findPublished(session, text, committedAt);
    return found ?? stillUnknown('The profile shows no such post, or several.');
  }
  let container: ContainerState;
  try {
    container = await pollContainer(session, post.containerId);
  } catch (error) {
    if (!isGone(error)) throw error;
    const found = await findPublished(session, text, sinceOf(post, committedAt));
    return found ?? stillUnknown('Threads does not know the container any more.');
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
        found ?? confirmLater({ ...post, polls: 0 }, 'The container is published; Threads does not list the post yet.')
      );
    }
    case 'failed': {
      const end = containerEnd(message);
      return failed(end.is === 'final' ? end.failure : transient('The container failed before it was published.'));
    }
    case 'expired':
      return failed(transient('The container ran out before it was published.'));
    case 'working':
      return stillUnknown('Threads is working on the container.', POLL_MS);
    case 'finished': {
      const early = committedAt + LATE_MS - session.now();
      if (early > 0 && !session.sandbox) {
        const note = 'The container is not published so far, which may still change.';
        return stillUnknown(note, Math.max(POLL_MS, Math.min(early, 5 * POLL_MS)));
      }
      return notPosted(post, 'The container is finished and not published.');
    }
  }
}
