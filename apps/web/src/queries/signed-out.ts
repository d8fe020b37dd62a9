import { ReelayApiError } from '@reelay/sdk';

/** Whether the service refused something because nobody is signed in. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ReelayApiError && error.code === 'unauthorized';
