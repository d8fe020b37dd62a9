import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** How far a publish has come. The key of the video is in it, so checkpoints are stored sealed. */
export interface Progress {
  /** Of the file that is sent: other bytes are another upload. */
  sha256: string;
  /** Base64. */
  key: string;
  /** What the next part begins from: the vector, then the last block of each part; base64. */
  chain: string;
  /** "" while no media is made. */
  mediaId: string;
  addPath: string;
  finalizePath: string;
  /** ms since the epoch; media can be used for a day */
  createdAt: number;
  /** How many parts Snapchat has. */
  parts: number;
  /** ms since the epoch; 0: not finalized */
  finalizedAt: number;
  /** How many uploads were given up. */
  restarts: number;
  /** The list was read for this send. */
  looked: boolean;
  /** Ids of spotlights with our words that were there before the first send; null: it could not be read. */
  seen: string[] | null;
  /** A spotlight was ready to be sent, or was sent, from this checkpoint. */
  armed: boolean;
  /** When the first send was prepared, ms since the epoch; 0: none was. */
  sentAt: number;
  /** "" until Snapchat has said that it has the spotlight. */
  spotlightId: string;
  acceptedAt: number;
  /** How often was asked how the review went. */
  polls: number;
}

/** What a video has before its media is made. */
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

/** Reads a checkpoint that we wrote; what it does not have counts as none. */
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
