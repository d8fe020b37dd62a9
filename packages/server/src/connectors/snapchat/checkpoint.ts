/** The Snapchat connector's checkpoint. */
import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** Progress of a publish. It contains the video's encryption key, so checkpoints are stored encrypted. */
export interface Progress {
  /** Hash of the file being sent. A different hash starts a new upload. */
  sha256: string;
  /** AES key, base64. */
  key: string;
  /** CBC chaining value for the next part: the IV, then the last block of each part. Base64. */
  chain: string;
  /** "" until the media is created. */
  mediaId: string;
  addPath: string;
  finalizePath: string;
  /** ms since the epoch. Media is usable for one day. */
  createdAt: number;
  /** Number of uploaded parts. */
  parts: number;
  /** ms since the epoch; 0 if not finalized. */
  finalizedAt: number;
  /** Number of abandoned uploads. */
  restarts: number;
  /** The list was read for this send. */
  looked: boolean;
  /** Ids of the spotlights with our text that existed before the first send; null if the list could not be read. */
  seen: string[] | null;
  /** A spotlight was sent, or was ready to be sent, from this checkpoint. */
  armed: boolean;
  /** When the first send was prepared, in ms since the epoch; 0 if it was not. */
  sentAt: number;
  /** "" until Snapchat has accepted the spotlight. */
  spotlightId: string;
  acceptedAt: number;
  /** Number of polls for the review. */
  polls: number;
}

/** State of a video whose media has not been created. */
export const UNMADE = {
  key: '',
  chain: '',
  mediaId: '',
  addPath: '',
  finalizePath: '',
  createdAt: 0,
  parts: 0,
  finalizedAt: 0,
  looked: false,
  armed: false,
};

/** Parses a checkpoint that we wrote. Missing fields get empty values. */
export function progressOf(checkpoint: JsonObject | null): Progress {
  const text = (name: string) => textAt(checkpoint, name);
  const count = (name: string) => numberAt(checkpoint, name) ?? 0;
  const isSo = (name: string) => at(checkpoint, name) === true;
  const seen = at(checkpoint, 'seen');
  return {
    sha256: text('sha256'),
    key: text('key'),
    chain: text('chain'),
    mediaId: text('mediaId'),
    addPath: text('addPath'),
    finalizePath: text('finalizePath'),
    createdAt: count('createdAt'),
    parts: count('parts'),
    finalizedAt: count('finalizedAt'),
    restarts: count('restarts'),
    looked: isSo('looked'),
    seen: Array.isArray(seen) ? seen.map(String) : null,
    armed: isSo('armed'),
    sentAt: count('sentAt'),
    spotlightId: text('spotlightId'),
    acceptedAt: count('acceptedAt'),
    polls: count('polls'),
  };
}
