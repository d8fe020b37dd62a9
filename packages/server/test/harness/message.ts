/** Messages without a table. */
import type { Message } from '../../src/messages/message.ts';

/** A message with this text, for connectors and calls of tests. */
export const messageOf = (text: string): Message => ({ code: 'text', params: { text }, text });

/** The texts of {@link messageOf} by code, for renderers. */
export const TEST_MESSAGES = { text: '{text}' };
