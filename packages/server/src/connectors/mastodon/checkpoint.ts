/** The Mastodon connector's checkpoint. */
import { createHash } from 'node:crypto';
import type { PostContent } from '../contract.ts';
import { defineCheckpoint, numberOrNull } from '../kit/checkpoint.ts';

/** Progress of a publish. */
const progress = defineCheckpoint({
  /** Hash of the uploaded file. A different hash starts a new upload. */
  sha256: '',
  /** "" until the file is uploaded. */
  mediaId: '',
  /** URL of the uploaded file; "" until known. */
  mediaUrl: '',
  /** Time of the last upload, in ms since the epoch. */
  uploadedAt: 0,
  /** Number of uploads started. */
  uploads: 0,
  /** Number of times the server failed to process this video. */
  broken: 0,
  /** Number of polls for the video's status. */
  polls: 0,
  /** The cover was set, or could not be set. */
  covered: false,
  /** Number of the last send prepared with this upload; 0 if none. */
  offeredFor: 0,
  /** When that send was prepared, in ms since the epoch. */
  offeredAt: 0,
  /** Number of times that it was prepared again, after a verification found nothing. */
  resends: 0,
  /** The outcome of a send with this upload was unknown, so a later conclusion about it may be wrong. */
  doubtful: false,
});
export type Progress = typeof progress.empty;
export const progressOf = progress.parse;

/** A status that the server reported as created. */
const accepted = defineCheckpoint({
  statusId: '',
  url: '',
  visibility: '',
  /** ms since the epoch, from the server; null if absent. */
  publishedAt: numberOrNull,
  /** ms since the epoch, by our clock. */
  acceptedAt: 0,
});
export type Accepted = typeof accepted.empty;
export const acceptedOf = accepted.parse;

/** Returns the `Idempotency-Key` of a send. It stays the same until the send is proven to have had no effect. */
export function keyOf({ targetId, sendKey }: PostContent): string {
  return createHash('sha256').update(`mastodon ${targetId} ${sendKey}`).digest('hex').slice(0, 32);
}
