import { isRefused } from './refused.ts';

/** Whether the service refused a request because no user is signed in. */
export const isSignedOut = (error: unknown): boolean => isRefused(error, 'unauthorized');
