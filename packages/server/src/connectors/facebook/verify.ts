/**
 * Verifies an unanswered finish request.
 *
 * The video's status is authoritative: if publishing has not started and nothing is being processed, nothing was
 * posted. A second finish request for the same video probably creates no second reel, but this is not documented. So a
 * resend waits a quarter of an hour.
 */

import { DAY } from '../../time.ts';
import type { Fingerprint, JsonObject, Session, VerifyResult, Work } from '../contract.ts';
import { collapsedText } from '../kit/comparable-text.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { failed, notPosted, stillUnknown } from '../kit/results.ts';
import { asPage, isGone, say, storedPageToken } from './api.ts';
import { type Upload, uploadOf } from './checkpoint.ts';
import { confirmLater, pollStatus, posted, RAN_OUT, type VideoStatus } from './status.ts';

/** Tolerance for whole-second timestamps and network delay, ms. */
const CLOCK_SLACK_MS = 10_000;
const BUSY_MS = 30_000;

/** @throws PlatformError if a request fails */
export async function verify(
  { session }: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const upload = checkpoint ? uploadOf(checkpoint) : null;
  const since = fingerprint.committedAt;
  if (!upload?.videoId) {
    const pageToken = storedPageToken(session.secret, session.remoteId);
    if (collapsed(fingerprint.text) === '') return stillUnknown('There is no text to know the reel by.');
    const listed = await findListed(session, { pageToken }, since, (reel) => isLike(reel, fingerprint));
    return listed ?? stillUnknown('The Page shows no such reel, or several.');
  }
  try {
    const { status, pageToken } = await pollStatus(session, upload);
    return judged({ ...upload, pageToken }, status);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
  const listed = await findListed(session, upload, since, ({ id }) => id === upload.videoId);
  return listed ?? stillUnknown('Facebook does not show the video.');
}

function judged(upload: Upload, status: VideoStatus): VerifyResult {
  switch (status.state) {
    case 'published':
      return { ...confirmLater({ ...upload, polls: 0 }, 'The reel is published.'), afterMs: 0 };
    case 'publishing':
      return confirmLater({ ...upload, polls: 0 }, 'Facebook is publishing the reel.');
    case 'failed':
      return failed(status.failure ?? RAN_OUT);
    case 'expired':
      return failed(RAN_OUT);
    case 'untold':
      return stillUnknown('Facebook does not say how far the video is.');
    case 'uploading':
      return notPosted({ ...upload, uploaded: false }, 'Facebook has not all bytes.');
    case 'uploaded':
      // Publishing may wait for processing.
      if (status.busy) return stillUnknown('Facebook is processing the video.', BUSY_MS);
      return notPosted(upload, 'Facebook has the video and has not published it.');
  }
}

/** A reel in a Page's list. */
interface Reel {
  id: string;
  description: string;
  /** Seconds; null if the list omits it. */
  length: number | null;
}

/**
 * Returns the only matching reel created since a time of our clock. Returns null if none or several match. @throws
 * PlatformError
 */
export async function findListed(
  session: Session,
  upload: Pick<Upload, 'pageToken'>,
  since: number,
  fits: (reel: Reel) => boolean,
): Promise<Extract<VerifyResult, { then: 'posted' }> | null> {
  const { value: said } = await asPage(session, upload.pageToken, (token) =>
    say(session, 'GET', `/${session.remoteId}/video_reels`, token, {
      fields: 'id,description,created_time,length,permalink_url',
      // Queries one more day: the clock difference is known only from the response.
      since: String(Math.floor((since - DAY) / 1000)),
      limit: '100',
    }),
  );
  const theirSince = since - CLOCK_SLACK_MS + (said.saidAt === null ? 0 : said.saidAt - session.now());
  const listed = at(said.body, 'data');
  const reels = (Array.isArray(listed) ? listed : []).map((entry) => ({
    id: textAt(entry, 'id'),
    description: textAt(entry, 'description'),
    length: numberAt(entry, 'length'),
    createdAt: Date.parse(textAt(entry, 'created_time')),
    permalink: textAt(entry, 'permalink_url'),
  }));
  const ours = reels.filter((reel) => reel.id !== '' && !(reel.createdAt < theirSince) && fits(reel));
  const [found] = ours;
  if (!found || ours.length > 1) return null;
  const publishedAt = Number.isNaN(found.createdAt) ? null : found.createdAt;
  return posted(
    session,
    { videoId: found.id },
    { permalink: found.permalink, publishedAt },
    'The Page shows the reel.',
  );
}

/** Whether a listed reel has our text and, if known, our duration. */
export function isLike(reel: Reel, { text, durationMs }: Pick<Fingerprint, 'text' | 'durationMs'>): boolean {
  if (collapsed(reel.description) !== collapsed(text)) return false;
  return reel.length === null || Math.abs(reel.length * 1000 - durationMs) <= 1_000;
}

const collapsed = (text: string) => collapsedText(text, 'NFKC');
