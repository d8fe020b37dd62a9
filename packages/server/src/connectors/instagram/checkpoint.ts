/** The Instagram connector's checkpoint. */
import { defineCheckpoint } from '../kit/checkpoint.ts';

/** Progress of a publish. */
export const { empty: NEW, parse: progressOf } = defineCheckpoint({
  /** Container id; "" before one is created. */
  container: '',
  /** Where to send the bytes; "" if the platform fetches them. */
  uploadUrl: '',
  /** When the container was created, ms since the epoch. */
  createdAt: 0,
  uploaded: false,
  /** Container polls made so far. */
  polls: 0,
  /** Number of earlier containers that failed. */
  restarts: 0,
  /** When the first publish request was prepared, ms since the epoch; 0 if never. */
  offeredAt: 0,
  /** Number of publish requests, and when the last one was prepared (ms since the epoch). */
  sends: 0,
  sentAt: 0,
  /** Id of the reel; "" until it is known. */
  mediaId: '',
  /** Number of polls for the reel. */
  looks: 0,
});
export type Progress = typeof NEW;
