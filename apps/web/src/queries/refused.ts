import { ReelayApiError } from '@reelay/sdk';

/** Whether the service refused a request with this code. */
export const isRefused = (error: unknown, code: string): boolean =>
  error instanceof ReelayApiError && error.code === code;
