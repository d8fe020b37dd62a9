import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import type { Creator } from './api.ts';

/** Where a publish stands. The upload address carries a token, so checkpoints are stored sealed. */
export interface Upload {
  /** Chosen by the account's owner, as it was when TikTok was asked whether it may be. */
  privacy: string;
  username: string;
  disabled: Creator['disabled'];
  /** "" while no upload is open. */
  publishId: string;
  uploadUrl: string;
  /** Bytes; the size that the upload was opened with. */
  chunkSize: number;
  /** ms since the epoch, of this upload; its address is good for an hour */
  openedAt: number;
  /** Bytes that TikTok has acknowledged: where a chunk begins. */
  sent: number;
  /** How often TikTok wanted other bytes than ours since it took a chunk. */
  strays: number;
  /** ms since the epoch when the last chunk was prepared for sending; 0: never, so this upload cannot have posted. */
  offeredAt: number;
  /** ms since the epoch, of the first of all uploads of this post */
  firstOpenedAt: number;
  /** How many uploads were given up, because their address had run out. */
  restarts: number;
  /** How often was asked whether the video is public. */
  polls: number;
  /** TikTok has said "complete". */
  complete: boolean;
}

/** The upload address lives for an hour; a minute is left for the request that uses it. */
const LINK_LIFE_MS = 59 * 60_000;

/** Whether an upload's address may have run out. @param now ms since the epoch */
export function hasRunOut(upload: Upload, now: number): boolean {
  return now - upload.openedAt > LINK_LIFE_MS;
}

/** What an upload has before it is opened. */
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

/** Reads a checkpoint that we wrote; what it does not have counts as none. */
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
