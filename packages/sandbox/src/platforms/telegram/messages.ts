/** Messages: send a video, edit and delete messages, and show a message's public page. */
import type { Route, SimulatorOptions, SimulatorResponse } from '../../contract.ts';
import { injectRequestedFault, isAttempt, responseFault } from '../../faults/requested.ts';
import { page, textPage } from '../../http/pages.ts';
import type { JsonObject } from '../../json.ts';
import { Refused } from '../../refused.ts';
import { countInWindow, update } from '../../store/records.ts';
import { DAY, MINUTE } from '../../time.ts';
import type { Call } from './caller.ts';
import { chatJson, chatNamed, mayPost } from './chats.ts';
import { type Caption, entitiesOf, parseCaption } from './entities.ts';
import { coverOf, fileJson, videoOf } from './files.ts';
import { type Bot, type Chat, MAX_CAPTION, type Message, type Photo, type StoredFile, switchesOf } from './records.ts';
import { ok, refuse, TOO_LARGE, tooMany, UNAUTHORIZED } from './responses.ts';
import { announce } from './updates.ts';

/** Maximum messages per chat and minute. */
const MAX_A_MINUTE = 20;

/** `sendVideo`: a 200 response means published. Repeating the call creates another message. */
export async function sendVideo(options: SimulatorOptions, call: Call): Promise<SimulatorResponse> {
  const { bot, given } = call;
  const { blobs } = options;
  try {
    const chat = await chatNamed(options, given.text('chat_id'), bot);
    await mayPost(options, chat, bot);
    const caption = captionOf(call);
    await applyRateLimit(options, chat);
    const trouble = await injectFault(options, call, chat, caption.text);
    const cover = await coverOf(options, call);
    const file = await videoOf(options, call);
    if (chat.sendRefusal) refuse(chat.sendRefusal.status, sentenceOf(chat.sendRefusal));
    const sent = await publish(options, call, chat, { file, cover, caption });
    return { ...ok(sent), trouble };
  } catch (error) {
    if (error instanceof Refused) for (const { blob } of given.files) await blobs.remove(blob);
    throw error;
  }
}

/** Returns an error of Telegram as the Bot API server passes it on, after its own checks. */
function sentenceOf({ status, message }: NonNullable<Chat['sendRefusal']>): string {
  return `${status === 403 ? 'Forbidden' : 'Bad Request'}: ${message}`;
}

/** @throws Refused @returns the fault to inject into the first response */
async function injectFault({ store }: SimulatorOptions, { token }: Call, chat: Chat, caption: string) {
  const publish = `${chat.id} ${caption}`;
  const fault = await injectRequestedFault(
    store,
    { caption, publish },
    {
      async reconnect() {
        await update<Bot>(store, ['bot', token], { live: false });
        return UNAUTHORIZED;
      },
      reject: () => TOO_LARGE,
      rateLimited: tooMany(2),
      down: {
        status: 502,
        headers: { 'content-type': 'text/html' },
        body: '<html><head><title>502 Bad Gateway</title></head></html>',
      },
    },
  );
  const lasting = responseFault(fault);
  return lasting && (await isAttempt(store, publish, 1)) ? lasting : undefined;
}

function captionOf({ given }: Call): Caption {
  const entities = given.text('caption_entities');
  const caption = parseCaption({ text: given.text('caption'), parseMode: given.text('parse_mode'), entities });
  if (caption.text.length > MAX_CAPTION) refuse(400, 'Bad Request: message caption is too long');
  return caption;
}

async function applyRateLimit(options: SimulatorOptions, chat: Chat): Promise<void> {
  const { limits, now } = options;
  if (!limits) return;
  const { used, resetAt } = await countInWindow(options, ['rate', chat.id], MINUTE);
  if (used > MAX_A_MINUTE) throw new Refused(tooMany(Math.ceil((resetAt - now()) / 1000)));
}

/** A message to store. */
interface NewMessage {
  /** Id of the bot that sends it; "" for a person. */
  sender: string;
  file: StoredFile;
  cover: Photo | null;
  caption: Caption;
  /** In ms since the epoch. */
  sentAt: number;
  /** Delay of the updates about it, in ms. */
  hiddenMs?: number;
}

async function publish(
  options: SimulatorOptions,
  { bot }: Call,
  chat: Chat,
  given: Pick<NewMessage, 'file' | 'cover' | 'caption'>,
): Promise<JsonObject> {
  const message = await addMessage(options, chat, { ...given, sender: bot.id, sentAt: options.now() });
  const { convertsLater } = await switchesOf(options);
  return messageJson(chat, convertsLater && !chat.hidden ? { ...message, messageId: 0 } : message, given.file);
}

/** Publishes the entry before it stores the message, so a crash in between leaves it published. */
export async function addMessage(
  options: SimulatorOptions,
  chat: Chat,
  { sender, file, cover, caption, sentAt, hiddenMs }: NewMessage,
): Promise<Message> {
  const { store } = options;
  const changed = await store.change<Chat>(
    'chat',
    chat.id,
    (known) => known && { ...known, lastMessage: known.lastMessage + 1 },
  );
  const messageId = changed?.lastMessage ?? 1;
  const message: Message = {
    chatId: chat.id,
    messageId,
    botId: sender,
    fileId: file.fileId,
    cover,
    caption: caption.text,
    entities: caption.entities,
    sentAt,
  };
  const key = keyOf(message);
  if (!chat.hidden)
    await store.publish(
      {
        id: key,
        username: chat.username ?? chat.title,
        text: caption.text,
        url: pageUrl(options, chat, messageId),
        publishedAt: message.sentAt,
        bytes: file.bytes,
        sha256: file.sha256,
        blobs: [file.blob],
        mime: file.mime,
      },
      key,
    );
  await store.put<Message>('message', key, message);
  await announce(options, chat, {
    kind: 'channel_post',
    file,
    sender,
    at: sentAt,
    content: (own) => messageJson(chat, message, own),
    ...(hiddenMs === undefined ? {} : { hiddenMs }),
  });
  return message;
}

/** Key of a message, which is also its id in the feed. */
export function keyOf({ chatId, messageId }: Pick<Message, 'chatId' | 'messageId'>): string {
  return `${chatId}/${messageId}`;
}

function messageJson(chat: Chat, message: Message, file: StoredFile): JsonObject {
  const { caption } = message;
  const entities = entitiesOf({ text: caption, entities: message.entities ?? [] });
  return {
    message_id: message.messageId,
    ...(chat.type === 'channel' ? { sender_chat: chatJson(chat) } : {}),
    chat: chatJson(chat),
    date: Math.floor(message.sentAt / 1000),
    ...(message.editedAt === undefined ? {} : { edit_date: Math.floor(message.editedAt / 1000) }),
    ...fileJson(file, message.cover),
    ...(caption ? { caption } : {}),
    ...(entities.length > 0 ? { caption_entities: entities } : {}),
  };
}

export async function editMessageCaption(options: SimulatorOptions, call: Call): Promise<SimulatorResponse> {
  const { chat, message } = await messageOf(options, call);
  const edited = await editMessage(options, chat, message, { sender: call.bot.id, caption: captionOf(call) });
  return edited ? ok(edited) : refuse(400, 'Bad Request: message to edit not found');
}

/** Returns the changed message; null if it was deleted meanwhile. */
export async function editMessage(
  options: SimulatorOptions,
  chat: Chat,
  message: Message,
  { sender, caption: { text: caption, entities } }: Pick<NewMessage, 'sender' | 'caption'>,
): Promise<JsonObject | null> {
  const at = options.now();
  const change: Partial<Message> = { caption, entities, editedAt: at };
  const edited = await update<Message>(options.store, ['message', keyOf(message)], change);
  const file = edited && (await options.store.get<StoredFile>('file', edited.fileId));
  if (!edited || !file) return null;
  const content = (own: StoredFile) => messageJson(chat, edited, own);
  await announce(options, chat, { kind: 'edited_channel_post', file, sender, at, content });
  return content(file);
}

export async function deleteMessage(options: SimulatorOptions, call: Call): Promise<SimulatorResponse> {
  const { key, message } = await messageOf(options, call);
  if (options.now() - message.sentAt > 2 * DAY) refuse(400, "Bad Request: message can't be deleted");
  await options.store.remove('message', key);
  await options.store.unpublish(key);
  return ok(true);
}

async function messageOf(
  options: SimulatorOptions,
  { bot, given }: Call,
): Promise<{ chat: Chat; key: string; message: Message }> {
  const chat = await chatNamed(options, given.text('chat_id'), bot);
  await mayPost(options, chat, bot);
  const key = `${chat.id}/${given.number('message_id')}`;
  const message = await options.store.get<Message>('message', key);
  if (!message) return refuse(400, 'Bad Request: message to be changed not found');
  return { chat, key, message };
}

/** Returns `/NAME/NUMBER` for a public channel, `/c/ID/NUMBER` for a private one. */
export function pageUrl(options: SimulatorOptions, chat: Chat, messageId: number): string {
  const place = chat.username ?? `c/${chat.id.replace(/^-100/, '')}`;
  return `${options.baseUrl}/web/${place}/${messageId}`;
}

export function pageRoutes({ store }: SimulatorOptions): Route[] {
  const show = async (chatId: string | undefined, number: string | undefined): Promise<SimulatorResponse> => {
    const message = await store.get<Message>('message', `${chatId}/${number}`);
    return message ? textPage('Telegram (simulated)', message.caption) : page('Post not found', '', 404);
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
        show(await store.get<string>('name', (params.name ?? '').toLowerCase()), params.message),
    },
  ];
}
