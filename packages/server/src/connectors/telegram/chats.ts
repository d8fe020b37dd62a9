/** Chats: their names, the bot's rights in them, and the storage chat. */
import { beforeQuery, withoutFinalSlashes } from '../../lib/text.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Json } from '../contract.ts';
import { isFailure, setup } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { ask, botIdOf, type Caller, movedTo, resultOf } from './api.ts';
import { failureOf } from './classify.ts';
import { say } from './messages.ts';

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
  const response = moved ? await ask(caller, 'getChat', { chat_id: moved }) : first;
  const chat = chatOf(resultOf(response) as Json | undefined);
  if (!chat.id) throw new PlatformError(failureOf(response));
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
  const response = await ask(caller, 'getChatMember', { chat_id: chat.id, user_id: botIdOf(caller.token) });
  const member = resultOf(response);
  const status = textAt(member, 'status');
  if (!status) throw new PlatformError(failureOf(response));
  if (status === 'creator') return true;
  if (chat.type === 'channel') return status === 'administrator' && at(member, 'can_post_messages') === true;
  return ['administrator', 'member'].includes(status);
}

// The storage chat is where videos are uploaded before they are posted: the account's own, or the operator's shared one.

/**
 * Checks that a chat is usable as storage chat: not public, and not the channel. @throws PlatformError, NetworkError
 */
export async function storageChat(caller: Caller, name: string, channel: Chat): Promise<Chat> {
  const chat = await readChat(caller, name);
  if (chat.id === channel.id) throw new PlatformError(setup(say('storage_is_channel')));
  if (chat.type === 'private') return chat;
  if (chat.username) throw new PlatformError(setup(say('storage_public')));
  if (!(await mayPost(caller, chat))) throw new PlatformError(setup(say('storage_not_writable')));
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
    // No retry fixes these.
    if (!isFailure(error, 'setup', 'reconnect', 'rejected')) throw error;
    return '';
  }
}

/**
 * Returns a chat id for the Bot API: `@name`, or a number as a string (`-100…` for channels). Also accepts names
 * without "@" and t.me URLs. @throws PlatformError `setup`
 */
export function chatFrom(text: string): string {
  const bare = text.trim().replace(/^(?:https?:\/\/)?(?:t|telegram)\.me\//i, '');
  const inside = /^c\/(\d{5,})(?:\/|$)/.exec(bare)?.[1];
  if (inside) return `-100${inside}`;
  if (/^-?\d{5,20}$/.test(bare)) return bare;
  const name = /^@?([a-z]\w{3,31})(?:\/|$)/i.exec(bare)?.[1];
  if (name) return `@${name}`;
  throw new PlatformError(setup(say('channel_invalid')));
}

/** Parses the channel and the optional storage chat. @throws PlatformError `setup` */
export function chatsFrom(text: string): { channel: string; storage: string | null } {
  const [channel = '', storage, ...more] = text.split(/[\s,]+/).filter(Boolean);
  if (more.length > 0) throw new PlatformError(setup(say('too_many_chats')));
  return { channel: chatFrom(channel), storage: storage === undefined ? null : chatFrom(storage) };
}

/**
 * Returns the public URL of a message, or for a private channel the URL that members can open; null if neither exists.
 * @param web without a trailing slash
 */
export function postUrl(
  web: string | undefined,
  chat: { id: string; username: string },
  messageId: string,
): string | null {
  const inside = /^-100(\d+)$/.exec(chat.id)?.[1];
  const place = chat.username || (inside && `c/${inside}`);
  return place ? `${web || 'https://t.me'}/${place}/${messageId}` : null;
}

/** Extracts the message number from a bare id or the end of a URL. */
export function canonicalId(id: string): string {
  const bare = withoutFinalSlashes(beforeQuery(id.trim()));
  return /(?:^|\/)(\d+)$/.exec(bare)?.[1] ?? bare;
}
