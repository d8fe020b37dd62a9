/** The YouTube connector's checkpoint. */
import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** Progress of a publish. Checkpoints are stored encrypted, because the session URI grants access to the upload. */
export interface Upload {
  /** The requested privacy. */
  privacy: string;
  /** URI of the upload session; "" while none is open. */
  uri: string;
  /** When this session was opened, ms since the epoch. */
  openedAt: number;
  /** Bytes that YouTube has stored, as far as we know. */
  sent: number;
  /** The session must be queried for its offset before more is sent. */
  doubt: boolean;
  /** Consecutive requests without progress. */
  strays: number;
  /** When the last part was prepared for sending, ms since the epoch. If 0, this session cannot have posted. */
  offeredAt: number;
  /** Number of abandoned sessions. */
  restarts: number;
  /** "" until YouTube has the whole video. */
  videoId: string;
  /** Setting a thumbnail was attempted, successfully or not. */
  covered: boolean;
  /** Status polls made so far. */
  polls: number;
  /** Since when YouTube has not listed the video, ms since the epoch; 0 if it is listed. */
  missingSince: number;
}

/** Initial values of an upload whose session is not open yet. */
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

/** Parses a stored checkpoint. Missing fields get their empty value. */
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
