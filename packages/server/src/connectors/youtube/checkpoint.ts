import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** Where a publish stands. The session address is a key to the upload, so checkpoints are stored sealed. */
export interface Upload {
  /** As it was asked for. */
  privacy: string;
  /** Address of the upload session; "" while none is open. */
  uri: string;
  /** ms since the epoch, of this session */
  openedAt: number;
  /** Bytes that YouTube has kept, as far as we know. */
  sent: number;
  /** Whether YouTube must be asked what it has kept before more is sent. */
  doubt: boolean;
  /** How often sending came to nothing since some bytes were kept. */
  strays: number;
  /** ms since the epoch when the last part was prepared for sending; 0: never, so this session cannot have posted. */
  offeredAt: number;
  /** How many sessions were given up. */
  restarts: number;
  /** "" until all is there. */
  videoId: string;
  /** A picture for the video was sent, whatever came of it. */
  covered: boolean;
  /** How often was asked what became of the video. */
  polls: number;
  /** ms since the epoch since when YouTube has not shown the video; 0: it does. */
  missingSince: number;
}

/** What an upload has before its session is opened. */
export const UNOPENED = {
  uri: '',
  openedAt: 0,
  sent: 0,
  doubt: false,
  strays: 0,
  offeredAt: 0,
  videoId: '',
  covered: false,
  polls: 0,
  missingSince: 0,
} as const;

/** Reads a checkpoint that we wrote; what it does not have counts as none. */
export function uploadOf(checkpoint: JsonObject): Upload {
  const count = (name: string) => numberAt(checkpoint, name) ?? 0;
  return {
    privacy: textAt(checkpoint, 'privacy'),
    uri: textAt(checkpoint, 'uri'),
    openedAt: count('openedAt'),
    sent: count('sent'),
    doubt: at(checkpoint, 'doubt') === true,
    strays: count('strays'),
    offeredAt: count('offeredAt'),
    restarts: count('restarts'),
    videoId: textAt(checkpoint, 'videoId'),
    covered: at(checkpoint, 'covered') === true,
    polls: count('polls'),
    missingSince: count('missingSince'),
  };
}
