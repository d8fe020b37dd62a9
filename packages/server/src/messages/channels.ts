/** Why a channel did not deliver a message. They are stored and shown in the settings; they contain no address. */
import { messagesOf } from './message.ts';

export const CHANNEL_TEXTS = {
  refused:
    '{host} does not accept messages for this address (HTTP {status}). Replace it, or send a test if it works again.',
  not_public: '{host} has no public address with https, so nothing is sent there.',
  unreadable: 'The address cannot be decrypted with the current SECRET_KEY. Remove it and add it again.',
  limited: '{host} accepts no more messages for now.',
  redirected: '{host} redirects to another address, which Reelay does not follow. Check the address.',
  failing: '{host} reported an error (HTTP {status}).',
  unreachable: '{host} could not be reached ({reason}).',
  closed: '{host} closed the connection before it responded.',
  retried: '{reason} Reelay tries again.',
  test_failed: '{reason} A test is not repeated.',
} as const;

export const sayChannel = messagesOf(CHANNEL_TEXTS, {}, 'channel.');
