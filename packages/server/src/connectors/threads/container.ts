/** The checkpoint, and the status of its container (`GET /{container}?fields=status`). */
import type { Session } from '../contract.ts';
import { defineCheckpoint } from '../kit/checkpoint.ts';
import { textAt } from '../kit/json.ts';
import { call } from './api.ts';

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

export interface ContainerState {
  state: 'working' | 'finished' | 'published' | 'failed' | 'expired';
  /** `error_message`, or "". */
  message: string;
}

/** @throws PlatformError */
export async function pollContainer(session: Session, containerId: string): Promise<ContainerState> {
  return readContainer(await call(session, 'GET', `/${containerId}`, { fields: 'id,status,error_message' }));
}

const STATES: Readonly<Record<string, ContainerState['state']>> = {
  FINISHED: 'finished',
  PUBLISHED: 'published',
  ERROR: 'failed',
  EXPIRED: 'expired',
};

/** Parses the response. An unknown status counts as "in progress". */
export function readContainer(body: unknown): ContainerState {
  const word = textAt(body, 'status');
  const state = Object.hasOwn(STATES, word) ? STATES[word] : undefined;
  return { state: state ?? 'working', message: textAt(body, 'error_message') };
}
