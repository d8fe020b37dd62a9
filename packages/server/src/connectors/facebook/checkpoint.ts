/** The Facebook connector's checkpoint. */
import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** Progress of a publish. Checkpoints are stored encrypted, because they contain the Page token. */
export interface Upload {
  pageToken: string;
  /** "" while no upload is open. */
  videoId: string;
  uploadUrl: string;
  /** Facebook has all bytes. */
  uploaded: boolean;
  /** Number of offset mismatches and rejected tokens. */
  strays: number;
  /** How often the finish request was prepared for sending. If 0, this video cannot have been posted. */
  finishes: number;
  /** When the last finish request was prepared, ms since the epoch. */
  offeredAt: number;
  /** Setting a thumbnail was attempted, successfully or not. */
  covered: boolean;
  /** When the first upload of this post was opened, ms since the epoch. */
  firstOpenedAt: number;
  /** Number of abandoned uploads. */
  restarts: number;
  /** Status polls made so far. */
  polls: number;
}

/** Initial values of an upload that is not open yet. */
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

/** Parses a stored checkpoint. Missing fields get their empty value. */
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
