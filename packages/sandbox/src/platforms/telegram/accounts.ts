/** Creates bots and chats as their owners do in the app: a bot from @BotFather, a channel, and the bot's membership. */
import type { SimulatorOptions } from '../../contract.ts';
import { type Bot, type Chat, type Member, newToken, numberOf, switchesOf } from './records.ts';

export interface Owned {
  channelId: string;
  channelName: string;
  token: string;
  /** "" if absent. */
  storageId: string;
}

/** Creates (or finds) a channel of that name with a bot that may post and, by default, a private storage chat. */
export async function ownChannel(options: SimulatorOptions, name: string): Promise<Owned> {
  const channelName = nameOf(name);
  const channelId = `-100${numberOf(`channel ${channelName}`)}`;
  const bot = await ownBot(options, channelName);
  await addChat(options, {
    id: channelId,
    type: 'channel',
    title: titleOf(channelName),
    username: channelName,
    lastMessage: 41,
  });
  await addMember(options, channelId, bot.id, { status: 'administrator', canPost: true });
  const storageId = (await switchesOf(options)).noStorageChat ? '' : `-100${numberOf(`storage ${channelName}`)}`;
  if (storageId) {
    await addChat(options, {
      id: storageId,
      type: 'channel',
      title: `Storage of ${channelName}`,
      lastMessage: 0,
      hidden: true,
    });
    await addMember(options, storageId, bot.id, { status: 'administrator', canPost: true });
  }
  return { channelId, channelName, token: bot.token, storageId };
}

/** Creates (or finds) a bot of that name. A bot whose token was revoked gets a new one. */
async function ownBot(options: SimulatorOptions, name: string): Promise<{ id: string; token: string }> {
  const { store } = options;
  const id = numberOf(`bot ${name}`);
  const known = await store.get<string>('token', id);
  if (known !== undefined && (await store.get<Bot>('bot', known))?.live) return { id, token: known };
  const token = newToken(id);
  await store.put<Bot>('bot', token, { id, username: `${name}_bot`, firstName: titleOf(name), live: true });
  await store.put('token', id, token);
  return { id, token };
}

/** Adds a chat. An existing chat stays unchanged. */
export async function addChat({ store }: SimulatorOptions, chat: Chat): Promise<void> {
  await store.insert<Chat>('chat', chat.id, chat);
  if (chat.username) await store.put('name', chat.username.toLowerCase(), chat.id);
}

export async function addMember(
  { store }: SimulatorOptions,
  chatId: string,
  botId: string,
  member: Member,
): Promise<void> {
  await store.put<Member>('member', `${chatId} ${botId}`, member, chatId);
}

/** Keeps letters, digits, and underscores, starting with a letter. */
export function nameOf(text: string): string {
  const name = text.toLowerCase().replace(/\W/g, '_');
  return /^[a-z]/.test(name) ? name : `c_${name}`;
}

function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
}
