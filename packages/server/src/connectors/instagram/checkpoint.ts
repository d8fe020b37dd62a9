import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** How far a publish has come. */
export interface Progress {
  /** Id of the container; "" while there is none. */
  container: string;
  /** Where its bytes go; "" where the platform fetches them. */
  uploadUrl: string;
  /** When the container was made, ms. */
  createdAt: number;
  uploaded: boolean;
  /** How often was asked about the container. */
  polls: number;
  /** Containers that failed before this one. */
  restarts: number;
  /** When publishing was first about to be asked for, ms; 0: never. */
  offeredAt: number;
  /** How often it was, and when last, ms. */
  sends: number;
  sentAt: number;
  /** Id of the reel; "" until it is known. */
  mediaId: string;
  /** How often the reel was looked for or read. */
  looks: number;
}

/** Reads a checkpoint that we wrote; what it does not have counts as none. */
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
