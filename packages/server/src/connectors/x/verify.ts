/**
 * Verifies a send without proof.
 *
 * The timeline lists the media keys of each post. Ours is known from the upload, so the match is exact. Lists lag by
 * seconds and a send may take effect late; the settling time and the second poll cover both. A duplicate error proves
 * nothing, because it names no post.
 */
import type { Fingerprint, JsonObject, VerifyResult, Work } from '../contract.ts';
import { uploadOf } from './checkpoint.ts';
import { posted } from './posted.ts';
import { findByMedia, postsSince, saysTheSame } from './timeline.ts';

/** Extra range of the query, ms: the clock difference is known only from the response. */
const DAY_MS = 86_400_000;
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
  const next = { ...upload, voids: upload.voids + 1, rest: true };
  return { then: 'notPosted', checkpoint: next, note: 'The account does not show the post.' };
}

const TOO_MANY: VerifyResult = { then: 'stillUnknown', note: 'X did not show all that the account has posted since.' };

/**
 * Without an upload, compares recent posts with media by text. A different text proves nothing, because X rewrites
 * links.
 */
async function byWords({ session }: Work, fingerprint: Fingerprint): Promise<VerifyResult> {
  const { committedAt } = fingerprint;
  const { posts, aheadMs, complete } = await postsSince(session, committedAt - DAY_MS, fingerprint.text);
  const since = aheadMs === null ? Number.NEGATIVE_INFINITY : committedAt + aheadMs - CLOCK_SLACK_MS;
  const withMedia = posts.filter(({ mediaKeys, createdAt }) => mediaKeys.length > 0 && (createdAt ?? since) >= since);
  const [first, ...more] = withMedia.filter((post) => saysTheSame(post, fingerprint.text));
  if (first && more.length === 0 && aheadMs !== null)
    return posted(session, first.id, first.createdAt, 'The account shows the post.');
  if (!complete) return TOO_MANY;
  if (withMedia.length > 0)
    return {
      then: 'stillUnknown',
      note: 'The account shows posts that could be this one, and there is no upload to tell.',
    };
  return { then: 'notPosted', checkpoint: null, note: 'The account shows no post since.' };
}
