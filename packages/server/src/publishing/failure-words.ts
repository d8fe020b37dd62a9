/** How failures are shown to the user. */
import type { Message, MessageParam } from '../messages/message.ts';
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

/** Returns the platform's own words in a message or in its reason; "" if it has none. */
export function platformWords({ code, params }: Pick<Message, 'code' | 'params'>): string {
  if (code === 'platform_says') return String(params.words ?? '');
  return isMessage(params.reason) ? platformWords(params.reason) : '';
}

/** Appends the platform's own words. @param words "" if the platform said nothing */
export function withPlatformWords(reason: Message, words: string): Message {
  return words ? say('platform_says', { reason, words }) : reason;
}

const isMessage = (param: MessageParam | undefined): param is Pick<Message, 'code' | 'params'> =>
  typeof param === 'object' && 'code' in param;
