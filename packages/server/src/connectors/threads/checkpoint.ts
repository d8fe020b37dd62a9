/** The Threads connector's checkpoint. */
import type { JsonObject } from '../contract.ts';
import { numberAt, textAt } from '../kit/json.ts';

/** Progress of a publish. */
export interface Post {
  /** "" while there is no container. */
  containerId: string;
  /** When the container was created, ms since the epoch. A container lasts a day. */
  createdAt: number;
  /** When the first container of this post was created, ms since the epoch. */
  firstCreatedAt: number;
  /** Containers abandoned because our URL could not be fetched (`unfetched`) or for other reasons (`failed`). */
  unfetched: number;
  failed: number;
  /** How often the publish request was prepared for sending. */
  sends: number;
  /** When the last publish request was prepared, ms since the epoch. */
  offeredAt: number;
  /** Status polls made so far. */
  polls: number;
  /** "" until Threads has returned the post's id. */
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
 * The earliest time at which the post may exist, ms by our clock: the only send, or the container's creation if there
 * were several sends.
 * @param committedAt time of the last send
 */
export function sinceOf({ sends, createdAt, offeredAt }: Post, committedAt = offeredAt): number {
  return sends > 1 && createdAt > 0 ? createdAt : Math.min(offeredAt || committedAt, committedAt);
}

/** Parses a stored checkpoint. Missing fields get their empty value. */
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
