/** The checkpoint, and the status of its container (`GET /{container}?fields=status`). */
import type { Session } from '../contract.ts';
import { defineCheckpoint } from '../kit/checkpoint.ts';
import { type ContainerState, containerState } from '../kit/graph-container.ts';
import { textAt } from '../kit/json.ts';
import { apiOf } from './api.ts';

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
  /** How often the publish request was prepared for sending. */
  sends: 0,
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
 * were several sends.
 * @param committedAt time of the last send
 */
export function sinceOf({ sends, createdAt, offeredAt }: Post, committedAt = offeredAt): number {
  return sends > 1 && createdAt > 0 ? createdAt : Math.min(offeredAt || committedAt, committedAt);
}

export interface ContainerStatus {
  state: ContainerState;
  /** `error_message`, or "". */
  message: string;
}

/** @throws PlatformError */
export async function pollContainer(session: Session, containerId: string): Promise<ContainerStatus> {
  return readContainer(await apiOf(session).get(containerId, { fields: 'id,status,error_message' }));
}

export function readContainer(body: unknown): ContainerStatus {
  return { state: containerState(textAt(body, 'status')), message: textAt(body, 'error_message') };
}
