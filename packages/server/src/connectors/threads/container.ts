/** The checkpoint, and the status of its container (`GET /{container}?fields=status`). */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Session } from '../contract.ts';
import { defineCheckpoint } from '../kit/checkpoint.ts';
import { type ContainerState, containerState } from '../kit/graph-container.ts';
import { textAt } from '../kit/json.ts';
import { apiOf } from './api.ts';
import { missingNode } from './classify.ts';

/** Progress of a publish. */
export const { empty: NEW, parse: postOf } = defineCheckpoint({
  /** "" while there is no container. */
  containerId: '',
  /** When the container was created, ms since the epoch. A container lasts a day. */
  createdAt: 0,
  /** When the first container of this post was created, ms since the epoch. */
  firstCreatedAt: 0,
  /** Containers abandoned because our URL could not be fetched (`unfetched`) or for other reasons (`failed`). */
  unfetched: 0,
  failed: 0,
  /** How often the publish request was prepared for sending, for this container and for earlier ones. */
  sends: 0,
  sendsBefore: 0,
  /** When the last publish request was prepared, ms since the epoch. */
  offeredAt: 0,
  /** Status polls made so far. */
  polls: 0,
  /** "" until Threads has returned the post's id. */
  mediaId: '',
});
export type Post = typeof NEW;

/**
 * The earliest time at which the post may exist, ms by our clock: the only send, or the container's creation if there
 * were several sends, or the first container's if that was sent.
 * @param committedAt time of the last send
 */
export function sinceOf(post: Post, committedAt = post.offeredAt): number {
  const { sends, sendsBefore, createdAt, firstCreatedAt, offeredAt } = post;
  if (sendsBefore > 0) return firstCreatedAt;
  return sends > 1 && createdAt > 0 ? createdAt : Math.min(offeredAt || committedAt, committedAt);
}

export interface ContainerStatus {
  /** `lost`: it does not exist any more. `gone`: it is not shown to us. */
  state: ContainerState | 'lost' | 'gone';
  /** `error_message`, or "". */
  message: string;
}

/** @throws PlatformError */
export async function pollContainer(session: Session, containerId: string): Promise<ContainerStatus> {
  try {
    return readContainer(await apiOf(session).get(containerId, { fields: 'id,status,error_message' }));
  } catch (error) {
    const state = error instanceof PlatformError ? missingNode(error.failure) : null;
    if (!state) throw error;
    return { state, message: '' };
  }
}

export function readContainer(body: unknown): ContainerStatus {
  return { state: containerState(textAt(body, 'status')), message: textAt(body, 'error_message') };
}
