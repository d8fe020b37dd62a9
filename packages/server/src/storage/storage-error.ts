import { ReelayError } from '../errors/reelay-error.ts';

/** Error for a failed file operation: `storage_full` when no space is left, otherwise `storage_unavailable`. */
export function storageError(cause: unknown): ReelayError {
  if (cause instanceof ReelayError) return cause;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return new ReelayError(code === 'ENOSPC' || code === 'EDQUOT' ? 'storage_full' : 'storage_unavailable', undefined, {
    cause,
  });
}
