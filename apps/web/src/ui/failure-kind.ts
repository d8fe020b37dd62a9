import { ReelayApiError } from '@reelay/sdk';
import { isSignedOut } from '../queries/signed-out.ts';
import { LoadError } from './load-part.ts';

/**
 * offline: the service did not respond. unloaded: a part of the page could not be loaded; the page must be reloaded.
 * signedOut: the session has ended. failed: the error contains the reason.
 */
export type FailureKind = 'offline' | 'unloaded' | 'signedOut' | 'failed';

export function failureKind(error: unknown): FailureKind {
  if (error instanceof LoadError) return error.needsReload ? 'unloaded' : 'offline';
  if (isSignedOut(error)) return 'signedOut';
  return error instanceof ReelayApiError && error.status === 0 ? 'offline' : 'failed';
}
