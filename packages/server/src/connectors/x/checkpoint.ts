/** The X connector's checkpoint. */
import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** Progress of a publish. */
export interface Upload {
  /** "" while no upload is open. */
  mediaId: string;
  mediaKey: string;
  /** Bytes per segment. */
  segmentSize: number;
  /** Number of segments that X has acknowledged, counted from the first. */
  sent: number;
  /** Our clock, ms since the epoch; 0 if not finalized. */
  finalizedAt: number;
  /** When X discards the upload: our clock, ms since the epoch. */
  expiresAt: number;
  /**
   * When the first upload of this post was opened: X's clock, ms since the epoch; 0 if none. No post of ours can be
   * older.
   */
  since: number;
  /** Number of abandoned uploads. */
  restarts: number;
  /** How often X failed to process this video. */
  broken: number;
  /** `sendKey` of the last send with this upload; 0 if it was never sent. */
  offeredAs: number;
  /** How often this upload was sent. */
  offers: number;
  /** Media keys or ids of every upload ever sent. A timeline post with any of them is this post. */
  offered: string[];
  /** Sends without proof that turned out to have had no effect. */
  voids: number;
  /** A pause is due before the next send. */
  rest: boolean;
}

/** Initial values of an upload that is not open yet. */
export const UNOPENED = {
  mediaId: '',
  mediaKey: '',
  sent: 0,
  finalizedAt: 0,
  expiresAt: 0,
  offeredAs: 0,
  offers: 0,
} as const;

/** Parses a stored checkpoint. Missing fields get their empty value. */
export function uploadOf(checkpoint: JsonObject | null): Upload {
  const count = (name: string) => numberAt(checkpoint, name) ?? 0;
  const offered = at(checkpoint, 'offered');
  return {
    mediaId: textAt(checkpoint, 'mediaId'),
    mediaKey: textAt(checkpoint, 'mediaKey'),
    segmentSize: count('segmentSize'),
    sent: count('sent'),
    finalizedAt: count('finalizedAt'),
    expiresAt: count('expiresAt'),
    since: count('since'),
    restarts: count('restarts'),
    broken: count('broken'),
    offeredAs: count('offeredAs'),
    offers: count('offers'),
    offered: Array.isArray(offered) ? offered.map(String) : [],
    voids: count('voids'),
    rest: at(checkpoint, 'rest') === true,
  };
}
