/** What Threads says of a container (`GET /{container}?fields=status`). */
import type { Session } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { call } from './api.ts';

export interface ContainerState {
  state: 'working' | 'finished' | 'published' | 'failed' | 'expired';
  /** `error_message`, "" where there is none. */
  message: string;
}

/** @throws PlatformError */
export async function askContainer(session: Session, containerId: string): Promise<ContainerState> {
  return readContainer(await call(session, 'GET', `/${containerId}`, { fields: 'id,status,error_message' }));
}

const STATES: Readonly<Record<string, ContainerState['state']>> = {
  FINISHED: 'finished',
  PUBLISHED: 'published',
  ERROR: 'failed',
  EXPIRED: 'expired',
};

/** Reads the answer; a word that is not known counts as work in progress. Pure. */
export function readContainer(body: unknown): ContainerState {
  const word = textAt(body, 'status');
  const state = Object.hasOwn(STATES, word) ? STATES[word] : undefined;
  return { state: state ?? 'working', message: textAt(body, 'error_message') };
}
