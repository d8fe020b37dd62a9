/**
 * Verifies a send without proof.
 *
 * The timeline lists the media keys of each post. Ours is known from the upload, so the match is exact. Lists lag by
 * seconds and a send may take effect late; the settling time and the second poll cover both. A duplicate error proves
 * nothing, because it names no post.
 */

import { DAY, MINUTE } from '../../time.ts';
import type { ConfirmResult, Fingerprint, JsonObject, VerifyResult, Work } from '../contract.ts';
import { notPosted, stillUnknown } from '../kit/results.ts';
import { findByMedia, isSameText, posted, postsSince } from './timeline.ts';
import { uploadOf } from './upload.ts';

/** Tolerance for whole-second timestamps and network delay, ms. */
const CLOCK_SLACK_MS = 120_000;

/** @throws PlatformError if a request fails */
export async function verify(
  work: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const { session } = work;
  const upload = uploadOf(checkpoint);
  if (upload.since === 0) return byWords(work, fingerprint);
  const { found, complete } = await findByMedia(session, upload, fingerprint.text);
  if (found) return posted(session, found.id, found.createdAt, 'The account shows the post.');
  if (!complete) return TOO_MANY;
  return notPosted({ ...upload, voids: upload.voids + 1, rest: true }, 'The account does not show the post.');
}

const TOO_MANY = stillUnknown('X did not show all that the account has posted since.');

/**
 * Without an upload, compares recent posts with media by text. A different text proves nothing, because X rewrites
 * links.
 */
async function byWords({ session }: Work, fingerprint: Fingerprint): Promise<VerifyResult> {
  const { committedAt } = fingerprint;
  // A day more, because the clock difference is known only from the response.
  const { posts, aheadMs, complete } = await postsSince(session, committedAt - DAY, fingerprint.text);
  const since = aheadMs === null ? Number.NEGATIVE_INFINITY : committedAt + aheadMs - CLOCK_SLACK_MS;
  const withMedia = posts.filter(({ mediaKeys, createdAt }) => mediaKeys.length > 0 && (createdAt ?? since) >= since);
  const [first, ...more] = withMedia.filter((post) => isSameText(post, fingerprint.text));
  if (first && more.length === 0 && aheadMs !== null)
    return posted(session, first.id, first.createdAt, 'The account shows the post.');
  if (!complete) return TOO_MANY;
  if (withMedia.length > 0)
    return stillUnknown('The account shows posts that could be this one, and there is no upload to tell.');
  return notPosted(null, 'The account shows no post since.');
}

/** A response to the send is conclusive. If confirmation is needed anyway, the timeline decides. */
export async function confirm({ session, post }: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const { found } = await findByMedia(session, uploadOf(checkpoint), post.text);
  if (found) return posted(session, found.id, found.createdAt, 'The account shows the post.');
  return { then: 'confirming', checkpoint, afterMs: MINUTE, note: 'The account does not show the post yet.' };
}
