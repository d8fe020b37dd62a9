/** Reads the status of a container (`GET /{container}?fields=status`). */
import type { Session } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { call } from './api.ts';

export interface ContainerState {
  state: 'working' | 'finished' | 'published' | 'failed' | 'expired';
  /** `error_message`, or "". */
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

/** Parses the response. An unknown status counts as "in progress". */
export function readContainer(body: unknown): ContainerState {
  const word = textAt(body, 'status');
  const state = Object.hasOwn(STATES, word) ? STATES[word] : undefined;
  return { state: state ?? 'working', message: textAt(body, 'error_message') };
}
