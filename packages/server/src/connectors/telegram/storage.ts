/** The chat where videos are laid down before they are posted: the account's own, or else the operator's for all. */
import { PlatformError } from '../kit/failure.ts';
import type { Caller } from './api.ts';
import { type Chat, mayPost, readChat } from './chats.ts';

/** A chat to lay videos down in before they are posted: nobody may see them there. @throws PlatformError, NetworkError */
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
 * The operator's chat, for an account that names none: its number, or "" where this bot cannot use it, which keeps nobody from
 * posting without one.
 * @param name `@name` or number; "" or undefined where there is none @throws PlatformError for what passes, NetworkError
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
