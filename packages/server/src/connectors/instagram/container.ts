/** Reads the status of a media container. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Session } from '../contract.ts';
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
export async function askContainer(session: Session, container: string, withUpload = false): Promise<ContainerStatus> {
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
  const upload = ['video_status', 'uploading_phase'] as const;
  return {
    state: STATES[textAt(body, 'status_code')] ?? 'working',
    status: tameWords(textAt(body, 'status')),
    // Facebook's videos spell it with one r; either spelling is accepted.
    transferred: numberAt(body, ...upload, 'bytes_transferred') ?? numberAt(body, ...upload, 'bytes_transfered') ?? 0,
    uploaded: textAt(body, ...upload, 'status') === 'complete',
  };
}
