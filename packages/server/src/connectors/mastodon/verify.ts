/**
 * Verifies whether a send of unknown outcome created a status. The account's own list names the media of each status,
 * which is an exact match. If the server still holds our video unattached, nothing was posted. If neither is the case,
 * the outcome stays unknown. `Idempotency-Key` is only a second safeguard. Servers have been seen to return 500 for a
 * known key, to forget keys, and, when slow, to post twice under one.
 */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Fingerprint, Json, JsonObject, VerifyResult, Work } from '../contract.ts';
import { platformNow } from '../kit/clock.ts';
import { textAt } from '../kit/json.ts';
import { notPosted, stillUnknown } from '../kit/results.ts';
import { ask } from './api.ts';
import { type Progress, progressOf } from './checkpoint.ts';
import { failureOf } from './classify.ts';
import { visibilityOf } from './limits.ts';
import { hasMedium, hasVideoLike, isSameText, madeAt, publishedFrom } from './status.ts';

const PAGE = 40;
const MAX_PAGES = 10;
/** Tolerance for comparing clocks, in ms: the `Date` header has whole seconds, and requests take time. */
const CLOCK_SLACK_MS = 10_000;

export async function verify(
  work: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const progress = progressOf(checkpoint);
  return progress.mediaId ? byMedium(work, checkpoint, progress) : byFingerprint(work, fingerprint);
}

async function byMedium(work: Work, checkpoint: JsonObject | null, progress: Progress): Promise<VerifyResult> {
  const listed = await statusesSince(work, progress.uploadedAt);
  const ours = listed.statuses.find((status) => hasMedium(status, progress.mediaId, progress.mediaUrl));
  if (ours) return posted(work, ours);
  if (!listed.complete) return TOO_MANY;
  // Media attached to a status returns 404 (Mastodon source), and so does media that was cleaned up.
  const response = await ask(work.session, `/api/v1/media/${encodeURIComponent(progress.mediaId)}`);
  // 422: processing failed, so no status can have it.
  if ([200, 206, 422].includes(response.status))
    return notPosted(checkpoint, 'The account does not show the post, and the video is unused.');
  // Every send with this upload got a response that proves it had no effect. So the media is gone and is uploaded
  // again.
  const { offeredFor, doubtful } = progress;
  if (response.status === 404 && offeredFor < work.post.sendKey && !doubtful) {
    const fresh = { ...progress, mediaId: '', mediaUrl: '' };
    return notPosted(fresh, 'The account does not show the post, and the video is gone.');
  }
  if (response.status === 404)
    return stillUnknown('The account does not show the post, but the video is used or gone.');
  throw new PlatformError(failureOf(response, work.session.now(), 'other'));
}

/** Verifies without an upload: finds a status posted since the send, with our text and a video of our duration. */
async function byFingerprint(work: Work, fingerprint: Fingerprint): Promise<VerifyResult> {
  const listed = await statusesSince(work, fingerprint.committedAt);
  if (!listed.complete) return TOO_MANY;
  const alike = listed.statuses.filter((status) => hasVideoLike(status, fingerprint.durationMs));
  const [first, ...more] = alike.filter((status) => isSameText(status, fingerprint));
  if (first && more.length === 0) return posted(work, first);
  if (first) return stillUnknown('The account shows several posts that could be this one.');
  if (alike.length > 0 && !/[\p{L}\p{N}]/u.test(fingerprint.text))
    return stillUnknown('The account shows a video, and there is no text to know it by.');
  return notPosted(null, 'The account does not show the post.');
}

const TOO_MANY: VerifyResult = stillUnknown('The account has posted too much to look through.');

function posted({ session, post }: Work, status: Json): VerifyResult {
  const published = publishedFrom(status, visibilityOf(post, session));
  return { then: 'posted', published, note: 'The account shows the post.' };
}

/**
 * Lists the account's own statuses with media, newest first, created since a moment of our clock. `complete` is false
 * if there are more than `MAX_PAGES` pages. @throws PlatformError if the list cannot be read
 */
async function statusesSince(work: Work, since: number): Promise<{ statuses: Json[]; complete: boolean }> {
  const { session } = work;
  const statuses: Json[] = [];
  const query = new URLSearchParams({ limit: String(PAGE), exclude_reblogs: 'true', only_media: 'true' });
  for (let page = 0; page < MAX_PAGES; page++) {
    const response = await ask(session, `/api/v1/accounts/${encodeURIComponent(session.remoteId)}/statuses?${query}`);
    const found = response.status === 200 ? response.tryJson() : null;
    if (!Array.isArray(found)) throw new PlatformError(failureOf(response, session.now(), 'other'));
    const now = session.now();
    const theirSince = since + platformNow(response, now) - now - CLOCK_SLACK_MS;
    const fresh = found.filter((status) => (madeAt(status) ?? theirSince) >= theirSince);
    statuses.push(...fresh);
    const last = textAt(found.at(-1), 'id');
    if (found.length === 0 || fresh.length < found.length || last === '' || last === query.get('max_id'))
      return { statuses, complete: true };
    query.set('max_id', last);
  }
  return { statuses, complete: false };
}
