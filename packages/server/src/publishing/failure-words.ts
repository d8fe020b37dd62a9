/** How failures are shown to the user. */
import type { Message } from '../messages/message.ts';
import { say } from '../messages/timeline.ts';
import type { Failure } from '../outbound/platform-error.ts';
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
export function withRequestId({ detail, requestId }: Failure): Message {
  return requestId ? say('request_id', { reason: detail, requestId }) : detail;
}
