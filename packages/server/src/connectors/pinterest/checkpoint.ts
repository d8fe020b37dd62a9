import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** How far a publish has come. The form's parameters are as good as a password, so checkpoints are stored sealed. */
export interface Progress {
  /** Of the file that was registered: other bytes are another upload. */
  sha256: string;
  boardId: string;
  /** "" while nothing is registered. */
  mediaId: string;
  uploadUrl: string;
  /** Fields of the upload's form, as they were given. */
  parameters: Record<string, string>;
  /** ms since the epoch; 0: not uploaded */
  uploadedAt: number;
  /** Pinterest has worked on the video. */
  ready: boolean;
  polls: number;
  /** How many uploads were given up. */
  restarts: number;
  /** Ids of pins with our words that were there before the first send; null: not read yet. */
  seen: string[] | null;
  /** A pin was ready to be sent, or was sent, from this checkpoint. */
  armed: boolean;
  /** How many sends were made. */
  sends: number;
  /** ms since the epoch, just before the first of them; 0: not known */
  sentAt: number;
  /** The video was gone behind a send, and it was looked whether that send had worked. */
  doubted: boolean;
}

/** What a video has before it is registered. */
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

/** Reads a checkpoint that we wrote; what it does not have counts as none. */
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
    // As it was noted before sends were counted.
    sends: count('sends') || (isSo('sent') ? 1 : 0),
    sentAt: count('sentAt'),
    doubted: isSo('doubted'),
  };
}

/** An object of texts with names that a form can carry, or null. */
export function textsOf(value: unknown): Record<string, string> | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const pairs = Object.entries(value).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && /^[\w.-]+$/.test(pair[0]),
  );
  return pairs.length === Object.keys(value).length ? Object.fromEntries(pairs) : null;
}
