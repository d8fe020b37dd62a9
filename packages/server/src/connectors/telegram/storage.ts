/**
 * The storage chat, where videos are uploaded before they are posted: the account's own, or the operator's shared one.
 */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Caller } from './api.ts';
import { type Chat, mayPost, readChat } from './chats.ts';

/**
 * Checks that a chat is usable as storage chat: not public, and not the channel. @throws PlatformError, NetworkError
 */
export async function storageChat(caller: Caller, name: string, channel: Chat): Promise<Chat> {
  const chat = await readChat(caller, name);
  const problem =
    chat.id === channel.id
      ? 'The storage chat has to be another chat than the channel.'
      : chat.username && chat.type !== 'private'
        ? 'The storage chat is public: what lies there would be seen before it is posted.'
        : chat.type !== 'private' && !(await mayPost(caller, chat))
          ? 'The bot may not send videos to the storage chat.'
          : null;
  if (problem) throw new PlatformError({ kind: 'setup', detail: problem });
  return chat;
}

/**
 * Returns the id of the operator's storage chat, for an account without its own; "" if this bot cannot use it. Posting
 * works without one.
 * @param name `@name` or number; "" or undefined if not set @throws PlatformError for temporary errors, NetworkError
 */
export async function commonStorage(caller: Caller, name: string | undefined, channel: Chat): Promise<string> {
  if (!name) return '';
  try {
    return (await storageChat(caller, name, channel)).id;
  } catch (error) {
    const lasting = error instanceof PlatformError && ['setup', 'reconnect', 'rejected'].includes(error.failure.kind);
    if (lasting) return '';
    throw error;
  }
}
