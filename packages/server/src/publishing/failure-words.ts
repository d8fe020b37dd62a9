/** How failures and waits are shown to the user. */
import type { Failure } from '../outbound/platform-error.ts';
import { HOUR, MINUTE } from '../time.ts';
import type { TargetCode } from './target.ts';

/** The error code for a permanent failure, or null if a retry may succeed. */
export function permanentCode(failure: Failure): TargetCode | null {
  switch (failure.kind) {
    case 'reconnect':
      return 'reconnect_required';
    case 'setup':
      return 'setup_needed';
    case 'rejected':
      return (
        {
          video: 'video_rejected',
          caption: 'caption_rejected',
          policy: 'policy_rejected',
          duplicate: 'duplicate_rejected',
          permission: 'permission_missing',
          other: 'platform_error',
        } as const
      )[failure.what];
    default:
      return null;
  }
}

/** The platform's message with its request id, which platform support asks for. */
export function withRequestId(failure: Failure): string {
  return failure.requestId ? `${failure.detail} (Request ${failure.requestId})` : failure.detail;
}

/** Formats a duration for people: "5 s", "12 min", "3 h". */
export function inWords(ms: number): string {
  if (ms < 90_000) return `${Math.max(1, Math.round(ms / 1000))} s`;
  if (ms < 90 * MINUTE) return `${Math.round(ms / MINUTE)} min`;
  return `${Math.round(ms / HOUR)} h`;
}
