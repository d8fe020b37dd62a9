import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** Where a publish stands. */
export interface Upload {
  /** "" while no upload is open. */
  mediaId: string;
  mediaKey: string;
  /** Bytes. */
  segmentSize: number;
  /** Segments that X has acknowledged, from the first on. */
  sent: number;
  /** ms since the epoch by our clock; 0: not yet */
  finalizedAt: number;
  /** ms since the epoch by our clock, after which X forgets the upload */
  expiresAt: number;
  /** ms since the epoch by X's clock, of the first of all uploads of this post: no post of ours can be older. 0: none yet */
  since: number;
  /** How many uploads were given up. */
  restarts: number;
  /** How often X failed at this video. */
  broken: number;
  /** Number of the send that this upload was last offered with; 0: it was never offered. */
  offeredAs: number;
  /** How often this upload was offered. */
  offers: number;
  /** Keys or ids of all media that were ever offered: any of them in the timeline is this post. */
  offered: string[];
  /** How often a send without proof turned out to have done nothing. */
  voids: number;
  /** A pause is due before the next send. */
  rest: boolean;
}

/** What an upload has before it is opened. */
export const UNOPENED = {
  mediaId: '',
  mediaKey: '',
  sent: 0,
  finalizedAt: 0,
  expiresAt: 0,
  offeredAs: 0,
  offers: 0,
} as const;

/** Reads a checkpoint that we wrote; what it does not have counts as none. */
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
