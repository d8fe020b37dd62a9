import type { JsonObject } from '../contract.ts';
import { numberAt, textAt } from '../kit/json.ts';

/** Where a publish stands. */
export interface Post {
  /** "" while there is no container. */
  containerId: string;
  /** ms since the epoch; a container lives for a day */
  createdAt: number;
  /** ms since the epoch, of the first of all containers of this post */
  firstCreatedAt: number;
  /** Containers that were given up: because our address could not be fetched, and for other reasons. */
  unfetched: number;
  failed: number;
  /** How often the publishing was prepared for sending. */
  sends: number;
  /** ms since the epoch, of the last of them */
  offeredAt: number;
  /** How often was asked how far it is. */
  polls: number;
  /** "" until Threads has named it. */
  mediaId: string;
}

export const NEW: Post = {
  containerId: '',
  createdAt: 0,
  firstCreatedAt: 0,
  unfetched: 0,
  failed: 0,
  sends: 0,
  offeredAt: 0,
  polls: 0,
  mediaId: '',
};

/**
 * Since when the post may be there, ms by our clock: since its one sending, or, of several, since there is a container.
 * @param committedAt of the latest sending
 */
export function sinceOf({ sends, createdAt, offeredAt }: Post, committedAt = offeredAt): number {
  return sends > 1 && createdAt > 0 ? createdAt : Math.min(offeredAt || committedAt, committedAt);
}

/** Reads a checkpoint that we wrote; what it does not have counts as none. */
export function postOf(checkpoint: JsonObject): Post {
  const count = (name: string) => numberAt(checkpoint, name) ?? 0;
  return {
    containerId: textAt(checkpoint, 'containerId'),
    createdAt: count('createdAt'),
    firstCreatedAt: count('firstCreatedAt'),
    unfetched: count('unfetched'),
    failed: count('failed'),
    sends: count('sends'),
    offeredAt: count('offeredAt'),
    polls: count('polls'),
    mediaId: textAt(checkpoint, 'mediaId'),
  };
}
