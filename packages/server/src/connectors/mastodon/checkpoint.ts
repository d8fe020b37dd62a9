/** The Mastodon connector's checkpoint. */
import { createHash } from 'node:crypto';
import type { JsonObject, PostContent } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** Progress of a publish. */
export interface Progress {
  /** Hash of the uploaded file. A different hash starts a new upload. */
  sha256: string;
  /** "" until the file is uploaded. */
  mediaId: string;
  /** URL of the uploaded file; "" until known. */
  mediaUrl: string;
  /** Time of the last upload, in ms since the epoch. */
  uploadedAt: number;
  /** Number of uploads started. */
  uploads: number;
  /** Number of times the server failed to process this video. */
  broken: number;
  /** Number of polls for the video's status. */
  polls: number;
  /** The cover was set, or could not be set. */
  covered: boolean;
  /** Number of the last send prepared with this upload; 0 if none. */
  offeredFor: number;
  /** The outcome of a send with this upload was unknown, so a later conclusion about it may be wrong. */
  doubtful: boolean;
}

/** A status that the server reported as created. */
export interface Accepted {
  statusId: string;
  url: string;
  visibility: string;
  /** ms since the epoch, from the server; null if absent. */
  publishedAt: number | null;
  /** ms since the epoch, by our clock. */
  acceptedAt: number;
}

/** Parses a checkpoint that we wrote. Missing fields get empty values. */
export function progressOf(checkpoint: JsonObject | null): Progress {
  const count = (name: string) => numberAt(checkpoint, name) ?? 0;
  return {
    sha256: textAt(checkpoint, 'sha256'),
    mediaId: textAt(checkpoint, 'mediaId'),
    mediaUrl: textAt(checkpoint, 'mediaUrl'),
    uploadedAt: count('uploadedAt'),
    uploads: count('uploads'),
    broken: count('broken'),
    polls: count('polls'),
    covered: at(checkpoint, 'covered') === true,
    offeredFor: count('offeredFor'),
    doubtful: at(checkpoint, 'doubtful') === true,
  };
}

/** Parses a checkpoint written after the server accepted the status. */
export function acceptedOf(checkpoint: JsonObject): Accepted {
  return {
    statusId: textAt(checkpoint, 'statusId'),
    url: textAt(checkpoint, 'url'),
    visibility: textAt(checkpoint, 'visibility'),
    publishedAt: numberAt(checkpoint, 'publishedAt'),
    acceptedAt: numberAt(checkpoint, 'acceptedAt') ?? 0,
  };
}

/** Returns the `Idempotency-Key` of a send. It stays the same until the send is proven to have had no effect. */
export function keyOf({ targetId, sendKey }: PostContent): string {
  return createHash('sha256').update(`mastodon ${targetId} ${sendKey}`).digest('hex').slice(0, 32);
}
