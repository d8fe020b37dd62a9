import { ReelayApiError } from '@reelay/sdk';

/** Whether the service refused a request because no user is signed in. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ReelayApiError && error.code === 'unauthorized';
