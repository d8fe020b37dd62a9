import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** Where a publish stands. It holds the Page's token, and checkpoints are stored sealed. */
export interface Upload {
  pageToken: string;
  /** "" while no upload is open. */
  videoId: string;
  uploadUrl: string;
  /** Facebook has all bytes. */
  uploaded: boolean;
  /** How often Facebook wanted other bytes than ours, or a newer token. */
  strays: number;
  /** How often the finish was prepared for sending; 0: never, so this video cannot have been posted. */
  finishes: number;
  /** ms since the epoch, of the last of them */
  offeredAt: number;
  /** The picture of the reel was sent, whatever came of it. */
  covered: boolean;
  /** ms since the epoch, of the first of all uploads of this post */
  firstOpenedAt: number;
  /** How many uploads were given up. */
  restarts: number;
  /** How often was asked whether it is published. */
  polls: number;
}

/** What an upload has before it is opened. */
export const UNOPENED = {
  videoId: '',
  uploadUrl: '',
  uploaded: false,
  strays: 0,
  finishes: 0,
  offeredAt: 0,
  covered: false,
  polls: 0,
} as const;

/** Reads a checkpoint that we wrote; what it does not have counts as none. */
export function uploadOf(checkpoint: JsonObject): Upload {
  const count = (name: string) => numberAt(checkpoint, name) ?? 0;
  return {
    pageToken: textAt(checkpoint, 'pageToken'),
    videoId: textAt(checkpoint, 'videoId'),
    uploadUrl: textAt(checkpoint, 'uploadUrl'),
    uploaded: at(checkpoint, 'uploaded') === true,
    strays: count('strays'),
    finishes: count('finishes'),
    offeredAt: count('offeredAt'),
    covered: at(checkpoint, 'covered') === true,
    firstOpenedAt: count('firstOpenedAt'),
    restarts: count('restarts'),
    polls: count('polls'),
  };
}
