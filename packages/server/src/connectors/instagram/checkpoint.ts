/** The Instagram connector's checkpoint. */
import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** Progress of a publish. */
export interface Progress {
  /** Container id; "" before one is created. */
  container: string;
  /** Where to send the bytes; "" if the platform fetches them. */
  uploadUrl: string;
  /** When the container was created, ms since the epoch. */
  createdAt: number;
  uploaded: boolean;
  /** Container polls made so far. */
  polls: number;
  /** Number of earlier containers that failed. */
  restarts: number;
  /** When the first publish request was prepared, ms since the epoch; 0 if never. */
  offeredAt: number;
  /** Number of publish requests, and when the last one was prepared (ms since the epoch). */
  sends: number;
  sentAt: number;
  /** Id of the reel; "" until it is known. */
  mediaId: string;
  /** Number of polls for the reel. */
  looks: number;
}

/** Parses a stored checkpoint. Missing fields get their empty value. */
export function progressOf(checkpoint: JsonObject | null): Progress {
  const count = (name: string) => numberAt(checkpoint, name) ?? 0;
  const is = (name: string) => at(checkpoint, name) === true;
  return {
    container: textAt(checkpoint, 'container'),
    uploadUrl: textAt(checkpoint, 'uploadUrl'),
    createdAt: count('createdAt'),
    uploaded: is('uploaded'),
    polls: count('polls'),
    restarts: count('restarts'),
    offeredAt: count('offeredAt'),
    sends: count('sends'),
    sentAt: count('sentAt'),
    mediaId: textAt(checkpoint, 'mediaId'),
    looks: count('looks'),
  };
}
