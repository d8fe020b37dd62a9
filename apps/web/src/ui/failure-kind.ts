import { ReelayApiError } from '@reelay/sdk';
import { LoadError } from './load-part.ts';

/** offline: the service did not respond. unloaded: a part of the page is missing, and only reloading helps. failed: the error says why. */
export type FailureKind = 'offline' | 'unloaded' | 'failed';

export function failureKind(error: unknown): FailureKind {
  if (error instanceof LoadError) return error.needsReload ? 'unloaded' : 'offline';
  return error instanceof ReelayApiError && error.status === 0 ? 'offline' : 'failed';
}
