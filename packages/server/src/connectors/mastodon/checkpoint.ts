import { createHash } from 'node:crypto';
import type { JsonObject, PostContent } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** How far a publish has come. */
export interface Progress {
  /** Of the file that was uploaded: other bytes are another upload. */
  sha256: string;
  /** "" while nothing is uploaded. */
  mediaId: string;
  /** Address of the uploaded file, "" until it is known. */
  mediaUrl: string;
  /** ms since the epoch, of the last upload */
  uploadedAt: number;
  /** How many uploads were begun. */
  uploads: number;
  /** How often the server failed at this video. */
  broken: number;
  /** How often was asked whether the video is ready. */
  polls: number;
  /** The picture was given, or could not be. */
  covered: boolean;
  /** Number of the last send with this upload that was prepared; 0: none was. */
  offeredFor: number;
  /** A send with this upload ended without proof: what was believed of it since may be wrong. */
  doubtful: boolean;
}

/** A status that the server says it has made. */
export interface Accepted {
  statusId: string;
  url: string;
  visibility: string;
  /** ms since the epoch, by the server's word; null where it said none */
  publishedAt: number | null;
  /** ms since the epoch, by our clock */
  acceptedAt: number;
}

/** Reads a checkpoint that we wrote; what it does not have counts as none. */
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

/** Reads a checkpoint that was written when the server said it has the status. */
export function acceptedOf(checkpoint: JsonObject): Accepted {
  return {
    statusId: textAt(checkpoint, 'statusId'),
    url: textAt(checkpoint, 'url'),
    visibility: textAt(checkpoint, 'visibility'),
    publishedAt: numberAt(checkpoint, 'publishedAt'),
    acceptedAt: numberAt(checkpoint, 'acceptedAt') ?? 0,
  };
}

/** The `Idempotency-Key` of a send: the same for as long as it is not proven that the send did nothing. */
export function keyOf({ targetId, commitNumber }: PostContent): string {
  return createHash('sha256').update(`mastodon ${targetId} ${commitNumber}`).digest('hex').slice(0, 32);
}
