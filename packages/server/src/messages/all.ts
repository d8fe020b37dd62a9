/** All messages that timelines and the activity of rules can contain. */
import { MEDIA_MESSAGES } from './media.ts';
import type { MessageTable } from './message.ts';
import { RULE_MESSAGES } from './rules.ts';
import { TIMELINE_MESSAGES } from './timeline.ts';
import { WATCHING_MESSAGES } from './watching.ts';

/** @param connectors those whose own messages are included */
export function allMessages(connectors: Readonly<Record<string, { messages?: MessageTable }>>): MessageTable {
  const own = Object.values(connectors).map(({ messages }) => messages ?? {});
  return Object.assign({}, TIMELINE_MESSAGES, MEDIA_MESSAGES, RULE_MESSAGES, WATCHING_MESSAGES, ...own);
}
