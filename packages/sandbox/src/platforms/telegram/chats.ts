/** Chats, and a bot's rights in them. */
import type { SimulatorOptions, SimulatorResponse } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import type { Call } from './caller.ts';
import type { Bot, Chat, Member } from './records.ts';
import { ok, refuse } from './responses.ts';

export async function getMe(_options: SimulatorOptions, { bot }: Call): Promise<SimulatorResponse> {
  return ok({ ...userJson(bot), can_join_groups: true, can_read_all_group_messages: false });
}

export async function getChat(options: SimulatorOptions, { bot, given }: Call): Promise<SimulatorResponse> {
  const chat = await chatNamed(options, given.text('chat_id'), bot);
  return ok({ ...chatJson(chat), accent_color_id: 0, max_reaction_count: 11 });
}

export async function getChatMember(options: SimulatorOptions, { bot, given }: Call): Promise<SimulatorResponse> {
  const chat = await chatNamed(options, given.text('chat_id'), bot);
  if (given.text('user_id') === '') refuse(400, 'Bad Request: invalid user_id specified');
  const mine = await membership(options, chat, bot);
  if (given.text('user_id') !== bot.id) return ok({ status: 'left', user: { id: given.number('user_id') } });
  if (mine.status !== 'administrator') return ok({ status: mine.status, user: userJson(bot) });
  return ok({ ...rightsOf(mine, chat), status: 'administrator', user: userJson(bot) });
}

/** The fields of ChatMemberAdministrator. Those of channels are absent in groups, and vice versa. */
function rightsOf({ canPost }: Member, { type }: Chat): JsonObject {
  const rights = {
    can_be_edited: false,
    is_anonymous: false,
    can_manage_chat: true,
    can_delete_messages: false,
    can_manage_video_chats: false,
    can_restrict_members: false,
    can_promote_members: false,
    can_change_info: false,
    can_invite_users: false,
    can_post_stories: false,
    can_edit_stories: false,
    can_delete_stories: false,
  };
  return type === 'channel'
    ? { ...rights, can_post_messages: canPost, can_edit_messages: canPost, can_manage_direct_messages: false }
    : { ...rights, can_pin_messages: false, can_manage_topics: false, can_manage_tags: false };
}

/** Returns the chat by `-100…` or `@name`. @throws Refused */
export async function chatNamed(options: SimulatorOptions, name: string, bot: Bot): Promise<Chat> {
  const { store } = options;
  if (name === '') refuse(400, 'Bad Request: chat_id is empty');
  const id = name.startsWith('@') ? await store.get<string>('name', name.slice(1).toLowerCase()) : name;
  const chat = id === undefined ? undefined : await store.get<Chat>('chat', id);
  const member = chat && (await store.get<Member>('member', `${chat.id} ${bot.id}`));
  // A private chat is unknown to bots that were never members.
  if (!chat || (!chat.username && !member)) return refuse(400, 'Bad Request: chat not found');
  if (chat.migratedTo)
    refuse(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
      migrate_to_chat_id: Number(chat.migratedTo),
    });
  return chat;
}

/** Returns the bot's membership in a chat. @throws Refused if it is not a member */
async function membership(options: SimulatorOptions, chat: Chat, bot: Bot): Promise<Member> {
  const member = await options.store.get<Member>('member', `${chat.id} ${bot.id}`);
  if (member?.status === 'kicked') refuse(403, `Forbidden: bot was kicked from the ${chat.type} chat`);
  if (!member || member.status === 'left')
    return refuse(403, `Forbidden: bot is not a member of the ${chat.type} chat`);
  return member;
}

/** @throws Refused if the bot may not send videos to the chat */
export async function mayPost(options: SimulatorOptions, chat: Chat, bot: Bot): Promise<void> {
  const member = await membership(options, chat, bot);
  if (chat.type === 'channel' && member.status !== 'administrator')
    refuse(400, 'Bad Request: need administrator rights in the channel chat');
  if (!member.canPost) refuse(400, 'Bad Request: not enough rights to send videos to the chat');
}

export function userJson(bot: Bot): JsonObject {
  return { id: Number(bot.id), is_bot: true, first_name: bot.firstName, username: bot.username };
}

export function chatJson(chat: Chat): JsonObject {
  const { id, title, username, type } = chat;
  return { id: Number(id), title, ...(username ? { username } : {}), type };
}
