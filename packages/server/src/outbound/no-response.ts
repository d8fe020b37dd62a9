/** What users read about a request without a usable response. */
import type { Message } from '../messages/message.ts';
import { say } from '../messages/timeline.ts';
import type { NetworkError } from './http-client.ts';

/** Whether the platform closed the connection. */
export const isClosed = ({ reason }: Pick<NetworkError, 'reason'>): boolean => reason === 'reset';

export function unanswered(error: Pick<NetworkError, 'reason'>): Message {
  return isClosed(error) ? say('connection_closed') : say('platform_unreachable', { reason: error.reason });
}
