/** An upload ("Resumable uploads"): its checkpoint, its parts, and the requests of its session. */
import type { HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import { SECOND } from '../../time.ts';
import type { IrreversibleRequest, Session, Work } from '../contract.ts';
import { defineCheckpoint } from '../kit/checkpoint.ts';
import { transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { bearer, transferMs } from '../kit/requests.ts';
import { failureOf } from './classify.ts';
import { notifies, resourceOf } from './limits.ts';
import { say } from './messages.ts';

/** Progress of a publish. Checkpoints are stored encrypted, because the session URI grants access to the upload. */
export const { empty: UNOPENED, parse: uploadOf } = defineCheckpoint({
  /** The requested privacy. */
  privacy: '',
  /** URI of the upload session; "" while none is open. */
  uri: '',
  /** When this session was opened, ms since the epoch. */
  openedAt: 0,
  /** Bytes that YouTube has stored, as far as we know. */
  sent: 0,
  /** The session must be queried for its offset before more is sent. */
  doubt: false,
  /** Consecutive requests without progress. */
  strays: 0,
  /** When the last part was prepared for sending, ms since the epoch. If 0, this session cannot have posted. */
  offeredAt: 0,
  /** Number of abandoned sessions. */
  restarts: 0,
  /** "" until YouTube has the whole video. */
  videoId: '',
  /** Setting a thumbnail was attempted, successfully or not. */
  covered: false,
  /** Status polls made so far. */
  polls: 0,
  /** Since when YouTube has not listed the video, ms since the epoch; 0 if it is listed. */
  missingSince: 0,
});
export type Upload = typeof UNOPENED;

/**
 * Every part but the last is a multiple of this size in bytes. The last part is the irreversible request, so it is kept
 * small: at most this size.
 */
export const GRANULE = 262_144;
/** Part size in bytes. */
const PART = 32 * GRANULE;

export interface Piece {
  /** Offsets of the first and last byte, both inclusive, as in Content-Range. */
  first: number;
  last: number;
  /** Sending this part publishes the video. */
  isLast: boolean;
}

/** Returns the part that follows the stored bytes. @param stored fewer than `total`, which is at least 1 */
export function nextPiece(total: number, stored: number): Piece {
  const rest = total - stored;
  if (rest <= GRANULE) return { first: stored, last: total - 1, isLast: true };
  const length = Math.min(PART, Math.floor((rest - 1) / GRANULE) * GRANULE);
  return { first: stored, last: stored + length - 1, isLast: false };
}

/** State of an upload session. `gone`: it no longer exists or cannot complete. */
export type Progress = { state: 'whole'; videoId: string } | Incomplete | { state: 'gone' };

interface Incomplete {
  state: 'partial';
  /** Bytes that YouTube has; null if not stated. */
  stored: number | null;
  /** Where to continue; "" for the same URI. */
  uri: string;
}

type Caller = Pick<Session, 'endpoints' | 'now'>;

/** The file name sent to YouTube, by which we recognize our upload. */
export function fileNameOf({ post, media }: Pick<Work, 'post' | 'media'>): string {
  return `${post.targetId.replace(/[^\w-]/g, '_')}.${media.container === 'matroska' ? 'mkv' : media.container}`;
}

/** Opens a session; nothing is on the channel yet. @returns the session URI @throws PlatformError */
export async function openSession(work: Work, privacy: string): Promise<string> {
  const { session, post, media } = work;
  const query = new URLSearchParams({
    uploadType: 'resumable',
    part: 'snippet,status',
    notifySubscribers: String(notifies(post)),
  });
  const response = await session.http({
    method: 'POST',
    url: `${session.endpoints.api}/upload/youtube/v3/videos?${query}`,
    headers: {
      ...bearer(session.secret),
      'x-upload-content-length': String(media.bytes),
      'x-upload-content-type': media.mime,
      slug: fileNameOf(work),
    },
    json: resourceOf(post, privacy),
  });
  if (response.status !== 200) throw new PlatformError(failureOf(response, session.now()));
  const uri = locationIn(response, `${session.endpoints.api}/`, session);
  if (!uri) throw new PlatformError(transient(say('upload_without_url')));
  return uri;
}

/** Builds the request for a part. */
export function pieceRequest(
  { session, media }: Pick<Work, 'session' | 'media'>,
  uri: string,
  { first, last }: Pick<Piece, 'first' | 'last'>,
): IrreversibleRequest {
  const length = last - first + 1;
  return {
    method: 'PUT',
    url: uri,
    headers: { ...bearer(session.secret), 'content-range': `bytes ${first}-${last}/${media.bytes}` },
    body: { kind: 'stream', length, type: media.mime, open: () => media.stream({ first, last }) },
    deadlineMs: transferMs(length, { answerMs: 30 * SECOND, bytesPerMs: 125 }),
  };
}

/** Queries how many bytes the session has stored; changes nothing. @throws PlatformError, NetworkError */
export async function readSession({ session, media }: Pick<Work, 'session' | 'media'>, uri: string): Promise<Progress> {
  const response = await session.http({
    method: 'PUT',
    url: uri,
    headers: { ...bearer(session.secret), 'content-range': `bytes */${media.bytes}` },
  });
  return readProgress(response, { uri, bytes: media.bytes, session });
}

/** Parses a session's response. @throws PlatformError if the response says nothing about the upload */
export function readProgress(
  response: HttpResponse,
  { uri, bytes, session }: { uri: string; bytes: number; session: Caller },
): Progress {
  const { status } = response;
  if (status === 308) return readPartial(response, uri, bytes, session);
  if (status === 200 || status === 201) return { state: 'whole', videoId: videoIdIn(response) };
  if (status === 404 || status === 410 || status === 400) return { state: 'gone' };
  const failure = failureOf(response, session.now());
  if (failure.kind === 'rejected') return { state: 'gone' };
  throw new PlatformError(failure);
}

/** Parses a 308. A `Location` replaces the session URI. */
export function readPartial(response: HttpResponse, uri: string, bytes: number, session: Caller): Incomplete {
  const moved = locationIn(response, uri, session);
  return { state: 'partial', stored: storedBytes(response, bytes), uri: moved === uri ? '' : moved };
}

/** Returns the video id in a response. @throws PlatformError `transient` if it has no valid id */
export function videoIdIn(response: HttpResponse): string {
  const id = textAt(response.json(), 'id');
  if (/^[\w-]{6,64}$/.test(id)) return id;
  throw new PlatformError(transient(say('response_incomplete')));
}

/** `Range: bytes=0-N` states what is stored. Without it nothing is stored, unless the response has a `Location`. */
function storedBytes(response: HttpResponse, bytes: number): number | null {
  const { range, location } = response.headers;
  if (range === undefined) return location === undefined ? 0 : null;
  const last = Number(/^(?:bytes[= ])?0-(\d+)$/.exec(range.trim())?.[1] ?? Number.NaN);
  return Number.isSafeInteger(last) && last < bytes ? last + 1 : null;
}

/** Returns the `Location` if our token may be sent there, else "". */
function locationIn(response: HttpResponse, base: string, { endpoints }: Pick<Session, 'endpoints'>): string {
  const location = response.headers.location;
  const url = location ? URL.parse(location, base) : null;
  const api = URL.parse(endpoints.api ?? '');
  if (!url || !api) return '';
  const isGoogle = ({ protocol, hostname }: URL) => protocol === 'https:' && hostname.endsWith('.googleapis.com');
  return url.origin === api.origin || (isGoogle(url) && isGoogle(api)) ? url.href : '';
}
