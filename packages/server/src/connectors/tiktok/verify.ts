/**
 * Establishes what became of a send of the last chunk, answered (`confirm`) or not (`verify`).
 *
 * The publish id is authoritative: if bytes are missing, nothing was posted. If TikTok or we do not know the id, a
 * public post may still be in the account's video list. Its absence proves nothing, because moderation may take hours.
 */
import type { ConfirmResult, Fingerprint, JsonObject, Session, VerifyResult, Work } from '../contract.ts';
import { collapsedText } from '../kit/comparable-text.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { notPosted, stillUnknown } from '../kit/results.ts';
import { call } from './api.ts';
import { privacyOf } from './limits.ts';
import {
  confirmLater,
  followed,
  isForgotten,
  type Posted,
  type PublishStatus,
  pollStatus,
  published,
} from './status.ts';
import { chunkWith, hasRunOut, planOf, type Upload, uploadOf } from './upload.ts';

const PAGE = 20;
const MAX_PAGES = 5;
/** Tolerance for whole-second timestamps and network delay, ms. */
const CLOCK_SLACK_MS = 10_000;
/** The Display API shows 150 characters of a text. A shown text with at least this many counts as truncated. */
const SHOWN_LETTERS = 140;

/** Polls until TikTok has published the video or reports why it did not. @throws PlatformError */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const { session, post, media } = work;
  const upload = uploadOf(checkpoint);
  try {
    return followed(session, upload, await pollStatus(session, upload.publishId, media.bytes));
  } catch (error) {
    if (!isForgotten(error)) throw error;
  }
  const known = { text: post.text, durationMs: media.durationMs, committedAt: upload.offeredAt };
  const found = await findPublic(work, upload, known);
  return found.then === 'posted' ? found : confirmLater(upload, 'TikTok does not know this upload any more.');
}

/** @throws PlatformError if a request fails */
export async function verify(
  work: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const { session, post, media } = work;
  const upload = checkpoint ? uploadOf(checkpoint) : null;
  if (!upload?.publishId) return findPublic(work, { privacy: privacyOf(post, session), username: '' }, fingerprint);
  let status: PublishStatus;
  try {
    status = await pollStatus(session, upload.publishId, media.bytes);
  } catch (error) {
    if (isForgotten(error)) return findPublic(work, upload, fingerprint);
    throw error;
  }
  return status.state === 'uploading' ? missing(work, upload, status) : followed(session, upload, status);
}

/**
 * Bytes are missing, so the same upload continues. TikTok rejects ranges that it has accepted, so it can post only
 * once.
 */
function missing({ session, media }: Work, upload: Upload, { uploaded }: PublishStatus): VerifyResult {
  if (uploaded === null && hasRunOut(upload, session.now()))
    return stillUnknown('TikTok does not say how much of the video it has.');
  const { first } = chunkWith(planOf(media.bytes, upload.chunkSize), uploaded ?? upload.sent);
  const note = `TikTok has ${uploaded ?? 'not all'} of ${media.bytes} bytes.`;
  return notPosted({ ...upload, sent: first, strays: 0 }, note);
}

/** Finds a public post with our text and duration that is newer than the send. @throws PlatformError */
async function findPublic(
  { session }: Work,
  upload: Pick<Upload, 'privacy' | 'username'>,
  fingerprint: Fingerprint,
): Promise<Posted | Extract<VerifyResult, { then: 'stillUnknown' }>> {
  if (upload.privacy !== 'PUBLIC_TO_EVERYONE') return stillUnknown('TikTok does not know this upload (any more).');
  if (plain(fingerprint.text) === '') return stillUnknown('There is no text to know the post by.');
  const videos = await videosSince(session, fingerprint.committedAt);
  if (!videos) return stillUnknown('The account has posted too much to look through.');
  const ours = videos.filter((video) => isLike(video, fingerprint));
  if (ours.length > 1) return stillUnknown('The account shows several posts that could be this one.');
  const postId = textAt(ours[0], 'id');
  if (!postId) return stillUnknown('The account does not show the post (yet).');
  return published(session, upload, postId, 'The account shows the post.');
}

/**
 * Lists the account's public videos created after `since` (our clock, ms). Returns null if there are more than
 * `MAX_PAGES` pages.
 */
async function videosSince(session: Session, since: number): Promise<unknown[] | null> {
  const found: unknown[] = [];
  let cursor: number | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const fields = 'id,create_time,title,video_description,duration';
    const { data, saidAt } = await call(session, 'POST', `/v2/video/list/?fields=${fields}`, {
      max_count: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    const listed = at(data, 'videos');
    const videos: unknown[] = Array.isArray(listed) ? listed : [];
    const theirSince = since + (saidAt === null ? 0 : saidAt - session.now()) - CLOCK_SLACK_MS;
    const fresh = videos.filter((video) => (numberAt(video, 'create_time') ?? 0) * 1000 >= theirSince);
    found.push(...fresh);
    cursor = numberAt(data, 'cursor');
    if (fresh.length < videos.length || at(data, 'has_more') !== true || cursor === null) return found;
  }
  return null;
}

/** Whether a listed video has our text, possibly truncated, and our duration in whole seconds. */
export function isLike(video: unknown, { text, durationMs }: Fingerprint): boolean {
  const seconds = numberAt(video, 'duration');
  if (seconds === null || Math.abs(seconds * 1000 - durationMs) > 1_000) return false;
  const ours = plain(text);
  return [textAt(video, 'video_description'), textAt(video, 'title')].some((words) => {
    const shown = plain(words);
    const begins = plain(words.replace(/(…|\.\.\.)$/, ''));
    return (shown !== '' && shown === ours) || (begins.length >= SHOWN_LETTERS && ours.startsWith(begins));
  });
}

function plain(text: string): string {
  return collapsedText(text, 'NFKC').toLowerCase();
}
