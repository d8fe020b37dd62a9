/** Bots and chats, made as their owners make them in the application: a bot at @BotFather, a channel, the bot in it. */
import { type Bot, type Chat, type Member, newToken, numberOf, type World } from './records.ts';

export interface Owned {
  channelId: string;
  channelName: string;
  token: string;
  /** "" where there is none. */
  storageId: string;
}

/** Makes (or finds) a channel of that name with a bot in it that may post, and mostly a private chat for files. */
export async function ownChannel(world: World, name: string): Promise<Owned> {
  const channelName = nameOf(name);
  const channelId = `-100${numberOf(`channel ${channelName}`)}`;
  const bot = await ownBot(world, channelName);
  await addChat(world, {
    id: channelId,
    type: 'channel',
    title: titleOf(channelName),
    username: channelName,
    lastMessage: 41,
  });
  await addMember(world, channelId, bot.id, { status: 'administrator', canPost: true });
  const storageId = (await world.switches()).noStorageChat ? '' : `-100${numberOf(`storage ${channelName}`)}`;
  if (storageId) {
    await addChat(world, {
      id: storageId,
      type: 'channel',
      title: `Storage of ${channelName}`,
      lastMessage: 0,
      hidden: true,
    });
    await addMember(world, storageId, bot.id, { status: 'administrator', canPost: true });
  }
  return { channelId, channelName, token: bot.token, storageId };
}

/** A bot of that name; one whose token was taken away gets another. */
async function ownBot(world: World, name: string): Promise<{ id: string; token: string }> {
  const { books } = world.options;
  const id = numberOf(`bot ${name}`);
  const known = await books.get<string>('token', id);
  if (known !== undefined && (await books.get<Bot>('bot', known))?.live) return { id, token: known };
  const token = newToken(id);
  await books.put<Bot>('bot', token, { id, username: `${name}_bot`, firstName: titleOf(name), live: true });
  await books.put('token', id, token);
  return { id, token };
}

/** Leaves a chat that is there as it is. */
export async function addChat({ options: { books } }: World, chat: Chat): Promise<void> {
  await books.insert<Chat>('chat', chat.id, chat);
  if (chat.username) await books.put('name', chat.username.toLowerCase(), chat.id);
}

export async function addMember(
  { options: { books } }: World,
  chatId: string,
  botId: string,
  member: Member,
): Promise<void> {
  await books.put<Member>('member', `${chatId} ${botId}`, member);
}

/** Letters, digits and underscores, beginning with a letter. */
function nameOf(text: string): string {
  const name = text.toLowerCase().replace(/\W/g, '_');
  return /^[a-z]/.test(name) ? name : `c_${name}`;
}

function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
}
