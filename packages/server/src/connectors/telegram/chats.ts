/** Reads chats and the bot's rights in them. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Json } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { ask, botIdOf, type Caller, movedTo, resultOf } from './api.ts';
import { failureOf } from './classify.ts';

export interface Chat {
  /** A signed integer of up to 52 bits, as a string. */
  id: string;
  type: string;
  title: string;
  /** "" if the chat is private. */
  username: string;
}

/**
 * Reads a chat. Follows the migration of an upgraded group. @param name `@name` or id @throws PlatformError,
 * NetworkError
 */
export async function readChat(caller: Caller, name: string): Promise<Chat> {
  const first = await ask(caller, 'getChat', { chat_id: name });
  const moved = movedTo(first);
  const answer = moved ? await ask(caller, 'getChat', { chat_id: moved }) : first;
  const chat = chatOf(resultOf(answer) as Json | undefined);
  if (!chat.id) throw new PlatformError(failureOf(answer));
  return chat;
}

/** Parses a chat; all fields are "" if there is no chat. */
export function chatOf(chat: unknown): Chat {
  return {
    id: textAt(chat, 'id'),
    type: textAt(chat, 'type'),
    title: textAt(chat, 'title'),
    username: textAt(chat, 'username'),
  };
}

/** Whether the bot may post to a channel, or write to another kind of chat. @throws PlatformError, NetworkError */
export async function mayPost(caller: Caller, chat: Chat): Promise<boolean> {
  const answer = await ask(caller, 'getChatMember', { chat_id: chat.id, user_id: botIdOf(caller.token) });
  const member = resultOf(answer);
  const status = textAt(member, 'status');
  if (!status) throw new PlatformError(failureOf(answer));
  if (status === 'creator') return true;
  if (chat.type === 'channel') return status === 'administrator' && at(member, 'can_post_messages') === true;
  return ['administrator', 'member'].includes(status);
}
