/** All messages that timelines can contain. */
import { MEDIA_MESSAGES } from './media.ts';
import type { MessageTable } from './message.ts';
import { TIMELINE_MESSAGES } from './timeline.ts';

/** @param connectors those whose own messages are included */
export function allMessages(connectors: Readonly<Record<string, { messages?: MessageTable }>>): MessageTable {
  const own = Object.values(connectors).map(({ messages }) => messages ?? {});
  return Object.assign({}, TIMELINE_MESSAGES, MEDIA_MESSAGES, ...own);
}
