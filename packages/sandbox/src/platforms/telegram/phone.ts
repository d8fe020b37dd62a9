/** The Telegram app of a channel's owner. The channel's bots get updates about what it posts and edits. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Phone, PhonePost, SimulatorOptions } from '../../contract.ts';
import { addChat, addMember, nameOf, ownChannel } from './accounts.ts';
import { newUniqueId, storeFor } from './files.ts';
import { addMessage, editMessage, keyOf, pageUrl } from './messages.ts';
import { type Chat, type Message, numberOf, type StoredFile, switchesOf } from './records.ts';

export function phone(options: SimulatorOptions): Phone {
  const { store } = options;
  return {
    async post(username, post) {
      const channel = await channelOf(options, username);
      const chat = post.audience === 'limited' ? await privateChannel(options, channel) : channel;
      const file = await fileOf(options, post);
      const message = await addMessage(options, chat, {
        sender: '',
        file,
        cover: null,
        caption: { text: post.text, entities: [] },
        sentAt: post.publishedAt ?? options.now(),
        hiddenMs: post.hiddenMs ?? 0,
      });
      return { id: keyOf(message), url: pageUrl(options, chat, message.messageId) };
    },
    async edit(_username, id, text) {
      const message = await store.get<Message>('message', id);
      const chat = message && (await store.get<Chat>('chat', message.chatId));
      if (!chat) throw new Error(`There is no message ${id}.`);
      await editMessage(options, chat, message, { sender: '', caption: { text, entities: [] } });
    },
    // Bots get no update about a deletion, and keep the file.
    async remove(_username, id) {
      await store.remove('message', id);
      await store.unpublish(id);
    },
  };
}

async function channelOf(options: SimulatorOptions, username: string): Promise<Chat> {
  const { store } = options;
  const name = nameOf(username.replace(/^@/, ''));
  const known = await store.get<string>('name', name);
  const id = known ?? (await ownChannel(options, name)).channelId;
  const chat = await store.get<Chat>('chat', id);
  if (!chat) throw new Error(`There is no channel ${username}.`);
  return chat;
}

/** A channel has no posts for some of its subscribers. So a limited audience is a private channel with the same bots. */
async function privateChannel(options: SimulatorOptions, { id, title }: Chat): Promise<Chat> {
  const chat: Chat = {
    id: `-100${numberOf(`private ${id}`)}`,
    type: 'channel',
    title: `${title} (private)`,
    lastMessage: 0,
  };
  await addChat(options, chat);
  for (const { key } of await options.store.list('member', { owner: id, limit: 100 }))
    await addMember(options, chat.id, key.split(' ')[1] ?? '', { status: 'administrator', canPost: true });
  return chat;
}

async function fileOf(options: SimulatorOptions, { video }: PhonePost): Promise<StoredFile> {
  const { blobs, now } = options;
  const common = { mime: video.mime, name: 'IMG_0001.MP4', kind: 'video', storedAt: now() } as const;
  const duration = Math.ceil(video.durationMs / 1000);
  const { qualities: wanted = [] } = await switchesOf(options);
  const qualities = await Promise.all(
    wanted.map(async ({ codec, width, height, bytes }) => {
      const blob = `file/${randomUUID()}`;
      const received = await blobs.put(blob, Readable.from([Buffer.alloc(bytes, codec)], { objectMode: false }));
      const variant = { ...common, ...received, blob, codec, width, height, duration };
      return { ...variant, uniqueId: newUniqueId(), fileId: '', botId: '' };
    }),
  );
  const { blob, bytes, sha256, width, height } = video;
  const file = { ...common, blob, bytes, sha256, width, height, duration, uniqueId: newUniqueId() };
  return storeFor(options, '', { ...file, ...(qualities.length > 0 ? { qualities } : {}) });
}
