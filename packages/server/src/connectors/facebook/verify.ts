/**
 * Confirms a published reel and sets its thumbnail (`POST /{video}/thumbnails`), and verifies an unanswered finish
 * request.
 *
 * The video's status is authoritative: if publishing has not started and nothing is being processed, nothing was
 * posted. A second finish request for the same video probably creates no second reel, but this is not documented. So a
 * resend waits a quarter of an hour.
 */
import { Readable } from 'node:stream';
import { DAY, SECOND } from '../../lib/time.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { ConfirmResult, Cover, Fingerprint, JsonObject, Session, VerifyResult, Work } from '../contract.ts';
import { collapsedText } from '../kit/comparable-text.ts';
import { tryCover } from '../kit/cover.ts';
import { transient } from '../kit/failures.ts';
import { CLOCK_SLACK_MS, type GraphPage, graphTime, hasSucceeded } from '../kit/graph-api.ts';
import { numberAt, textAt } from '../kit/json.ts';
import { multipartBody } from '../kit/multipart.ts';
import { failed, notPosted, stillUnknown } from '../kit/results.ts';
import { apiOf, asPage, storedPageToken } from './api.ts';
import { failureOf } from './classify.ts';
import { say } from './messages.ts';
import { confirmLater, pollStatus, posted, type Upload, uploadOf, type VideoStatus } from './status.ts';

const BUSY_MS = 30 * SECOND;

/** The upload expired or is lost: nothing of it will appear, and the post can start over. */
const EXPIRED: Failure = transient(say('upload_expired'));

/** Polls until the reel is published or Facebook reports why it is not. @throws PlatformError */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const { session } = work;
  const previous = uploadOf(checkpoint);
  const { status, pageToken } = await pollStatus(session, previous);
  const upload: Upload = { ...previous, pageToken };
  if (status.state === 'published')
    return upload.covered ? posted(session, upload.videoId, status) : withCover(work, upload);
  if (status.state === 'failed') return failed(status.failure ?? EXPIRED);
  if (status.state === 'expired') return failed(EXPIRED);
  if (status.state !== 'gone') return confirmLater(upload, say('processing'));
  const listed = await findById(session, upload, upload.offeredAt);
  return listed.then === 'posted' ? listed : confirmLater(upload, say('post_not_shown'));
}

/**
 * Sets the thumbnail of a published reel. A failure is only noted, because the reel exists either way. The next poll
 * completes the post.
 */
async function withCover(work: Work, upload: Upload): Promise<ConfirmResult> {
  const reason = await tryCover(work.media, (cover) => sendCover(work, upload, cover));
  const note = reason ? say('cover_rejected', { reason }) : say('cover_set');
  return { then: 'confirming', checkpoint: { ...upload, covered: true }, afterMs: 0, note };
}

/** @throws PlatformError, NetworkError */
async function sendCover({ session }: Work, upload: Upload, { bytes, mime }: Cover): Promise<void> {
  const api = apiOf(session, upload.pageToken);
  const fields = Object.entries(api.signed({ is_preferred: 'true' }));
  const open = async () => Readable.from([bytes], { objectMode: false });
  const response = await session.http({
    method: 'POST',
    url: api.url(`${upload.videoId}/thumbnails`),
    body: multipartBody([
      ...fields.map(([name, value]) => ({ name, value })),
      { name: 'source', filename: 'cover.jpg', type: mime, length: bytes.length, open },
    ]),
  });
  if (!hasSucceeded(response)) throw new PlatformError(failureOf(response));
}

/** @throws PlatformError if a request fails */
export async function verify(
  { session }: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const upload = uploadOf(checkpoint);
  const since = fingerprint.committedAt;
  if (!upload.videoId) {
    if (collapsed(fingerprint.text) === '') return stillUnknown(say('text_missing'));
    const pageToken = storedPageToken(session.secret, session.remoteId);
    return findListed(session, pageToken, since, (reel) => isLike(reel, fingerprint));
  }
  const { status, pageToken } = await pollStatus(session, upload);
  return resultOf(session, { ...upload, pageToken }, status, since);
}

function resultOf(
  session: Session,
  upload: Upload,
  { state, failure, busy }: VideoStatus,
  since: number,
): VerifyResult | Promise<VerifyResult> {
  switch (state) {
    case 'gone':
      return findById(session, upload, since);
    case 'published':
      return { ...confirmLater({ ...upload, polls: 0 }, say('post_found')), afterMs: 0 };
    case 'publishing':
      return confirmLater({ ...upload, polls: 0 }, say('published_processing'));
    case 'failed':
      return failed(failure ?? EXPIRED);
    case 'expired':
      return failed(EXPIRED);
    case 'untold':
      return stillUnknown(say('post_unconfirmed'));
    case 'uploading':
      return notPosted({ ...upload, uploaded: false }, say('upload_incomplete'));
    case 'uploaded':
      // Publishing may wait for processing.
      return busy ? stillUnknown(say('processing'), BUSY_MS) : notPosted(upload, say('unpublished'));
  }
}

type Found = Extract<VerifyResult, { then: 'posted' | 'stillUnknown' }>;

function findById(session: Session, { pageToken, videoId }: Upload, since: number): Promise<Found> {
  return findListed(session, pageToken, since, ({ id }) => id === videoId);
}

/** A reel in a Page's list. */
export interface Reel {
  id: string;
  description: string;
  /** Seconds; null if the list omits it. */
  length: number | null;
  publishedAt: number | null;
  /** As Facebook returns it, usually without a host; "" if absent. */
  permalink: string;
}

/** Fields of the list that {@link reelIn} reads. */
export const REEL_FIELDS = 'id,description,created_time,length,permalink_url';

export function reelIn(entry: unknown): Reel {
  return {
    id: textAt(entry, 'id'),
    description: textAt(entry, 'description'),
    length: numberAt(entry, 'length'),
    publishedAt: graphTime(textAt(entry, 'created_time')),
    permalink: textAt(entry, 'permalink_url'),
  };
}

/** Reads a page of the Page's reels. @throws PlatformError */
export async function listReels(
  session: Session,
  pageToken: string,
  query: Readonly<Record<string, string>>,
  cursor = '',
): Promise<GraphPage> {
  return (await asPage(session, pageToken, (api) => api.list(`${session.remoteId}/video_reels`, query, cursor))).value;
}

/** Finds the only matching reel created since a time of our clock. @throws PlatformError */
async function findListed(
  session: Session,
  pageToken: string,
  since: number,
  fits: (reel: Reel) => boolean,
): Promise<Found> {
  // Queries one more day: the clock difference is known only from the response.
  const query = {
    fields: REEL_FIELDS,
    since: String(Math.floor((since - DAY) / SECOND)),
    limit: '100',
  };
  const { items, aheadMs } = await listReels(session, pageToken, query);
  const theirSince = since + aheadMs - CLOCK_SLACK_MS;
  const matches = items
    .map(reelIn)
    .filter((reel) => reel.id !== '' && (reel.publishedAt ?? theirSince) >= theirSince && fits(reel));
  const [found] = matches;
  if (found && matches.length === 1) return { ...posted(session, found.id, found), note: say('post_found') };
  return stillUnknown(say(found ? 'several_matches' : 'post_not_shown'));
}

/** Whether a listed reel has our text and, if known, our duration. */
export function isLike(
  reel: Pick<Reel, 'id' | 'description' | 'length'>,
  { text, durationMs }: Pick<Fingerprint, 'text' | 'durationMs'>,
): boolean {
  if (collapsed(reel.description) !== collapsed(text)) return false;
  return reel.length === null || Math.abs(reel.length * SECOND - durationMs) <= SECOND;
}

const collapsed = (text: string) => collapsedText(text, 'NFKC');
