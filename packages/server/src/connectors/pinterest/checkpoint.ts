/** The Pinterest connector's checkpoint. */
import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** Progress of a publish. The form's parameters grant access to the upload, so checkpoints are stored encrypted. */
export interface Progress {
  /** Hash of the registered file. A different hash starts a new upload. */
  sha256: string;
  boardId: string;
  /** "" until the media is registered. */
  mediaId: string;
  uploadUrl: string;
  /** Form fields of the upload, unchanged from the response. */
  parameters: Record<string, string>;
  /** When the file was uploaded, in ms since the epoch; 0 if it was not. */
  uploadedAt: number;
  /** Pinterest has processed the video. */
  ready: boolean;
  polls: number;
  /** Number of abandoned uploads. */
  restarts: number;
  /** Ids of the pins with our text that existed before the first send; null if the board was not read yet. */
  seen: string[] | null;
  /** A pin was sent, or was ready to be sent, from this checkpoint. */
  armed: boolean;
  /** Number of sends. */
  sends: number;
  /** Time just before the first send, in ms since the epoch; 0 if unknown. */
  sentAt: number;
  /** The media was gone after a send, and that send was verified. */
  doubted: boolean;
}

/** State of media that has not been registered. */
export const UNREGISTERED = {
  mediaId: '',
  uploadUrl: '',
  parameters: {},
  uploadedAt: 0,
  ready: false,
  polls: 0,
  armed: false,
  doubted: false,
};

/** Parses a checkpoint that we wrote. Missing fields get empty values. */
export function progressOf(checkpoint: JsonObject | null): Progress {
  const count = (name: string) => numberAt(checkpoint, name) ?? 0;
  const isSo = (name: string) => at(checkpoint, name) === true;
  const seen = at(checkpoint, 'seen');
  return {
    sha256: textAt(checkpoint, 'sha256'),
    boardId: textAt(checkpoint, 'boardId'),
    mediaId: textAt(checkpoint, 'mediaId'),
    uploadUrl: textAt(checkpoint, 'uploadUrl'),
    parameters: textsOf(at(checkpoint, 'parameters')) ?? {},
    uploadedAt: count('uploadedAt'),
    ready: isSo('ready'),
    polls: count('polls'),
    restarts: count('restarts'),
    seen: Array.isArray(seen) ? seen.map(String) : null,
    armed: isSo('armed'),
    // Older checkpoints have `sent` instead of a count.
    sends: count('sends') || (isSo('sent') ? 1 : 0),
    sentAt: count('sentAt'),
    doubted: isSo('doubted'),
  };
}

/** Returns an object of strings whose names are valid form fields, or null. */
export function textsOf(value: unknown): Record<string, string> | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const pairs = Object.entries(value).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && /^[\w.-]+$/.test(pair[0]),
  );
  return pairs.length === Object.keys(value).length ? Object.fromEntries(pairs) : null;
}
