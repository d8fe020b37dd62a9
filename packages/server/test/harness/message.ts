/** Messages without a table. */
import { connectors } from '../../src/connectors/registry.ts';
import { englishTable } from '../../src/messages/languages.ts';
import { createMessageRenderer, type Message } from '../../src/messages/message.ts';
import type { Presentation } from '../../src/posts/entry-json.ts';

/** A message with this text, for connectors and calls of tests. */
export const messageOf = (text: string): Message => ({ code: 'text', params: { text }, text });

/** Renders the messages of every platform and of {@link messageOf}. */
export const renderMessage = createMessageRenderer({ ...englishTable(connectors), text: '{text}' });

/** Entries with the names of their pictures. */
export const presentation: Presentation = { address: (filename) => filename ?? '', render: renderMessage };
