/** The checkpoint, and the status of its media container. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Session } from '../contract.ts';
import { defineCheckpoint } from '../kit/checkpoint.ts';
import { numberAt, textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';
import { callerOf, get } from './api.ts';

export interface ContainerStatus {
  state: 'working' | 'finished' | 'published' | 'failed' | 'expired' | 'gone';
  /** The status text, which contains the error code. */
  status: string;
  /** Bytes uploaded so far. */
  transferred: number;
  /** All bytes are uploaded. */
  uploaded: boolean;
}

const STATES: Record<string, ContainerStatus['state']> = {
  FINISHED: 'finished',
  PUBLISHED: 'published',
  ERROR: 'failed',
  EXPIRED: 'expired',
};

/** `GET /{container-id}`; `gone` if the platform does not show it to us. @throws PlatformError */
export async function pollContainer(session: Session, container: string, withUpload = false): Promise<ContainerStatus> {
  await session.spend('calls');
  const fields = `status_code,status${withUpload ? ',video_status' : ''}`;
  try {
    const { body } = await get(callerOf(session), encodeURIComponent(container), { fields });
    return readContainer(body);
  } catch (error) {
    const gone = error instanceof PlatformError && /^(100\/33|24)(\/|$)/.test(error.failure.platformCode ?? '');
    if (gone) return { state: 'gone', status: '', transferred: 0, uploaded: false };
    throw error;
  }
}

/** An unknown status counts as "in progress". */
export function readContainer(body: unknown): ContainerStatus {
  const word = textAt(body, 'status_code');
  const upload = ['video_status', 'uploading_phase'] as const;
  return {
    state: (Object.hasOwn(STATES, word) ? STATES[word] : undefined) ?? 'working',
    status: tameWords(textAt(body, 'status')),
    // Facebook's videos spell it with one r; either spelling is accepted.
    transferred: numberAt(body, ...upload, 'bytes_transferred') ?? numberAt(body, ...upload, 'bytes_transfered') ?? 0,
    uploaded: textAt(body, ...upload, 'status') === 'complete',
  };
}

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
