/** Messages: send a video, edit and delete messages, and show a message's public page. */

import type { Route, SimulatorResponse } from '../../contract.ts';
import { Refused } from '../../http/refused.ts';
import type { JsonObject } from '../../json.ts';
import { countInWindow, update } from '../../store/records.ts';
import { ok, refuse, tooMany } from './answers.ts';
import type { Call } from './caller.ts';
import { chatJson, chatNamed, mayPost } from './chats.ts';
import { foundEntities, plainCaption } from './entities.ts';
import { fileJson, videoOf } from './files.ts';
import { coverOf } from './photos.ts';
import { type Chat, MAX_CAPTION, type Message, type Photo, type StoredFile, type World } from './records.ts';
import { simulateFault } from './trouble.ts';

const MINUTE_MS = 60_000;
/** Maximum messages per chat and minute. */
const MAX_A_MINUTE = 20;
const DAY_MS = 86_400_000;

/** `sendVideo`: a 200 response means published. Repeating the call creates another message. */
export async function sendVideo(world: World, call: Call): Promise<SimulatorResponse> {
  const { bot, given } = call;
  const { blobs } = world.options;
  try {
    const chat = await chatNamed(world, given.text('chat_id'), bot);
    await mayPost(world, chat, bot);
    const caption = captionOf(call);
    await applyRateLimit(world, chat);
    const trouble = await simulateFault(world, call, chat, caption);
    const cover = await coverOf(world, call);
    const file = await videoOf(world, call);
    const sent = await publish(world, call, chat, { file, cover, caption });
    return { ...ok(sent), trouble };
  } catch (error) {
    if (error instanceof Refused) for (const { blob } of given.files) await blobs.remove(blob);
    throw error;
  }
}

function captionOf({ given }: Call): string {
  const entities = given.text('caption_entities');
  const caption = plainCaption({ text: given.text('caption'), parseMode: given.text('parse_mode'), entities }).trim();
  if (caption.length > MAX_CAPTION) refuse(400, 'Bad Request: message caption is too long');
  return caption;
}

async function applyRateLimit(world: World, chat: Chat): Promise<void> {
  const { limits, now } = world.options;
  if (!limits) return;
  const { used, resetAt } = await countInWindow(world.options, ['rate', chat.id], MINUTE_MS);
  if (used > MAX_A_MINUTE) throw new Refused(tooMany(Math.ceil((resetAt - now()) / 1000)));
}

/** Publishes the entry before it stores the message, so a crash in between leaves it published. */
async function publish(
  world: World,
  call: Call,
  chat: Chat,
  { file, cover, caption }: { file: StoredFile; cover: Photo | null; caption: string },
): Promise<JsonObject> {
  const { books, now } = world.options;
  const changed = await books.change<Chat>(
    'chat',
    chat.id,
    (known) => known && { ...known, lastMessage: known.lastMessage + 1 },
  );
  const messageId = changed?.lastMessage ?? 1;
  const message: Message = {
    chatId: chat.id,
    messageId,
    botId: call.bot.id,
    fileId: file.fileId,
    cover,
    caption,
    sentAt: now(),
  };
  const key = `${chat.id}/${messageId}`;
  if (!chat.hidden)
    await books.publish(
      {
        id: key,
        username: chat.username ?? chat.title,
        text: caption,
        url: pageUrl(world, chat, messageId),
        publishedAt: message.sentAt,
        bytes: file.bytes,
        sha256: file.sha256,
        blobs: [file.blob],
        mime: file.mime,
      },
      key,
    );
  await books.put<Message>('message', key, message);
  const { convertsLater } = await world.switches();
  return messageJson(chat, convertsLater && !chat.hidden ? { ...message, messageId: 0 } : message, file);
}

function messageJson(chat: Chat, message: Message, file: StoredFile): JsonObject {
  const { caption } = message;
  const entities = foundEntities(caption);
  return {
    message_id: message.messageId,
    ...(chat.type === 'channel' ? { sender_chat: chatJson(chat) } : {}),
    chat: chatJson(chat),
    date: Math.floor(message.sentAt / 1000),
    ...fileJson(file, message.cover),
    ...(caption ? { caption } : {}),
    ...(entities.length > 0 ? { caption_entities: entities } : {}),
  };
}

export async function editMessageCaption(world: World, call: Call): Promise<SimulatorResponse> {
  const { chat, key } = await messageOf(world, call);
  const caption = captionOf(call);
  const message = await update<Message>(world.options.books, ['message', key], { caption });
  const file = message && (await world.options.books.get<StoredFile>('file', message.fileId));
  if (!message || !file) return refuse(400, 'Bad Request: message to edit not found');
  return ok(messageJson(chat, message, file));
}

export async function deleteMessage(world: World, call: Call): Promise<SimulatorResponse> {
  const { key, message } = await messageOf(world, call);
  if (world.options.now() - message.sentAt > 2 * DAY_MS) refuse(400, "Bad Request: message can't be deleted");
  await world.options.books.remove('message', key);
  await world.options.books.unpublish(key);
  return ok(true);
}

async function messageOf(world: World, { bot, given }: Call): Promise<{ chat: Chat; key: string; message: Message }> {
  const chat = await chatNamed(world, given.text('chat_id'), bot);
  await mayPost(world, chat, bot);
  const key = `${chat.id}/${given.number('message_id')}`;
  const message = await world.options.books.get<Message>('message', key);
  if (!message) return refuse(400, 'Bad Request: message to be changed not found');
  return { chat, key, message };
}

/** Returns `/NAME/NUMBER` for a public channel, `/c/ID/NUMBER` for a private one. */
function pageUrl(world: World, chat: Chat, messageId: number): string {
  const place = chat.username ?? `c/${chat.id.replace(/^-100/, '')}`;
  return `${world.options.baseUrl}/web/${place}/${messageId}`;
}

export function pageRoutes(world: World): Route[] {
  const show = async (chatId: string | undefined, number: string | undefined): Promise<SimulatorResponse> => {
    const message = await world.options.books.get<Message>('message', `${chatId}/${number}`);
    const harmless = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);
    return {
      status: message ? 200 : 404,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: `<!doctype html><title>Telegram (simulated)</title><p>${message ? harmless(message.caption) : 'Post not found'}</p>`,
    };
  };
  return [
    {
      method: 'GET',
      path: '/web/c/:chat/:message',
      handle: ({ params }) => show(`-100${params.chat}`, params.message),
    },
    {
      method: 'GET',
      path: '/web/:name/:message',
      handle: async ({ params }) =>
        show(await world.options.books.get<string>('name', (params.name ?? '').toLowerCase()), params.message),
    },
  ];
}
