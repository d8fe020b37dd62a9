/** The TikTok connector's checkpoint. */
import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import type { Creator } from './api.ts';

/** Progress of a publish. Checkpoints are stored encrypted, because the upload URL contains a token. */
export interface Upload {
  /** The requested privacy, checked against `creator_info` at the start. */
  privacy: string;
  username: string;
  disabled: Creator['disabled'];
  /** "" while no upload is open. */
  publishId: string;
  uploadUrl: string;
  /** Bytes per chunk, as announced when the upload was opened. */
  chunkSize: number;
  /** When this upload was opened, ms since the epoch. The upload URL is valid for an hour. */
  openedAt: number;
  /** Bytes that TikTok has acknowledged; always the start of a chunk. */
  sent: number;
  /** Range mismatches since TikTok last accepted a chunk. */
  strays: number;
  /** When the last chunk was prepared for sending, ms since the epoch. If 0, this upload cannot have posted. */
  offeredAt: number;
  /** When the first upload of this post was opened, ms since the epoch. */
  firstOpenedAt: number;
  /** Uploads abandoned because their URL expired. */
  restarts: number;
  /** Status polls made so far. */
  polls: number;
  /** TikTok has reported PUBLISH_COMPLETE. */
  complete: boolean;
}

/** The upload URL is valid for an hour; one minute is reserved for the request that uses it. */
const LINK_LIFE_MS = 59 * 60_000;

/** Whether the upload URL may have expired. @param now ms since the epoch */
export function hasRunOut(upload: Upload, now: number): boolean {
  return now - upload.openedAt > LINK_LIFE_MS;
}

/** Initial values of an upload that is not open yet. */
export const UNOPENED = {
  publishId: '',
  uploadUrl: '',
  chunkSize: 0,
  openedAt: 0,
  sent: 0,
  strays: 0,
  offeredAt: 0,
  polls: 0,
  complete: false,
} as const;

/** Parses a stored checkpoint. Missing fields get their empty value. */
export function uploadOf(checkpoint: JsonObject): Upload {
  const count = (name: string) => numberAt(checkpoint, name) ?? 0;
  const isOff = (name: string) => at(checkpoint, 'disabled', name) === true;
  return {
    privacy: textAt(checkpoint, 'privacy'),
    username: textAt(checkpoint, 'username'),
    disabled: { comment: isOff('comment'), duet: isOff('duet'), stitch: isOff('stitch') },
    publishId: textAt(checkpoint, 'publishId'),
    uploadUrl: textAt(checkpoint, 'uploadUrl'),
    chunkSize: count('chunkSize'),
    openedAt: count('openedAt'),
    sent: count('sent'),
    strays: count('strays'),
    offeredAt: count('offeredAt'),
    firstOpenedAt: count('firstOpenedAt'),
    restarts: count('restarts'),
    polls: count('polls'),
    complete: at(checkpoint, 'complete') === true,
  };
}
