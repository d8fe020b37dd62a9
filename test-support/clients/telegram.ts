/** Telegram: grammY and Telegraf. Bots have no sign-in: the owner copies the token from @BotFather. */
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Api, GrammyError, HttpError, InputFile } from 'grammy';
import { Input, Telegram, TelegramError } from 'telegraf';
import type { ClientSuite, ClientWorld } from './contract.ts';

/** An owner's bot, the channel, and a private chat that the bot may write to. */
async function owner({ simulator: { simulator } }: ClientWorld) {
  const { credentials, remoteId } = await simulator.enrol('nora_clips');
  assert.ok(credentials);
  const [channel = '', storage = ''] = credentials.identifier.split(' ');
  return { token: credentials.secret, botId: Number(credentials.secret.split(':')[0]), channel, storage, remoteId };
}

const picture = () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0xff, 0xd9]);

/** Sends more messages than the 20 that a chat takes in a minute, even if a new minute begins. */
async function untilRefused(send: () => Promise<unknown>): Promise<void> {
  for (let sent = 0; sent <= 40; sent++) await send();
}

async function driveGrammy(world: ClientWorld): Promise<void> {
  const { call, simulator, video } = world;
  const { token, botId, channel, storage, remoteId } = await owner(world);
  const api = new Api(token);
  const me = await call('getMe', () => api.getMe());
  assert.deepEqual([me.id, me.is_bot, me.username], [botId, true, 'nora_clips_bot']);
  const chat = await call('getChat', () => api.getChat(channel));
  assert.deepEqual([chat.type, chat.id, chat.title], ['channel', Number(remoteId), 'Nora clips']);
  const member = await call('getChatMember', () => api.getChatMember(channel, botId));
  assert.ok(member.status === 'administrator' && member.can_post_messages && member.can_manage_chat);

  const sent = await call('sendVideo (path)', () =>
    api.sendVideo(channel, new InputFile(video), {
      caption: '<b>Sunset</b> &amp; #sea',
      parse_mode: 'HTML',
      width: 720,
      height: 1280,
      duration: 6,
      supports_streaming: true,
      disable_notification: true,
    }),
  );
  assert.deepEqual([sent.caption, sent.video.width, sent.video.mime_type], ['Sunset & #sea', 720, 'video/mp4']);
  assert.deepEqual(sent.caption_entities, [
    { type: 'bold', offset: 0, length: 6 },
    { type: 'hashtag', offset: 9, length: 4 },
  ]);
  const bytes = await readFile(video);
  const stored = await call('sendVideo (buffer, cover)', () =>
    api.sendVideo(storage, new InputFile(bytes, 'clip.mp4'), { cover: new InputFile(picture(), 'cover.jpg') }),
  );
  assert.equal(stored.video.file_size, bytes.length);
  assert.equal(stored.video.cover?.length, 1);
  const streamed = await call('sendVideo (stream)', () =>
    api.sendVideo(channel, new InputFile(createReadStream(video), 'clip.mp4')),
  );
  assert.equal(streamed.message_id, sent.message_id + 1);
  const again = await call('sendVideo (file id, entities)', () =>
    api.sendVideo(channel, stored.video.file_id, {
      caption: 'See the docs',
      caption_entities: [{ type: 'text_link', offset: 8, length: 4, url: 'https://example.org/' }],
      cover: stored.video.cover?.[0]?.file_id,
      protect_content: true,
    }),
  );
  assert.equal(again.video.file_unique_id, stored.video.file_unique_id);
  assert.equal(again.caption_entities?.[0]?.type, 'text_link');
  const marked = await call('sendVideo (MarkdownV2)', () =>
    api.sendVideo(channel, stored.video.file_id, {
      caption: '*Bold* _italic_ ||hidden|| [site](https://example.org/)',
      parse_mode: 'MarkdownV2',
    }),
  );
  assert.equal(marked.caption, 'Bold italic hidden site');
  assert.deepEqual(
    marked.caption_entities?.map(({ type, offset }) => [type, offset]),
    [
      ['bold', 0],
      ['italic', 5],
      ['spoiler', 12],
      ['text_link', 19],
    ],
  );
  const other = await call('sendVideo (another type)', () => api.sendVideo(channel, new InputFile(bytes, 'clip.webm')));
  assert.ok('document' in other && !('video' in other));

  const file = await call('getFile', () => api.getFile(stored.video.file_id));
  assert.equal(file.file_size, bytes.length);
  const edited = await call('editMessageCaption', () =>
    api.editMessageCaption(channel, sent.message_id, { caption: 'Sunrise' }),
  );
  assert.ok(edited !== true && edited.caption === 'Sunrise');
  assert.equal(await call('deleteMessage', () => api.deleteMessage(channel, sent.message_id)), true);
  assert.equal((await simulator.published()).length, 4);

  await fails(
    call,
    'GrammyError 400',
    () => api.sendVideo('@nobody_here', stored.video.file_id),
    400,
    /chat not found/,
  );
  await fails(call, 'GrammyError 400 (file id)', () => api.sendVideo(channel, 'BAAC'), 400, /wrong file identifier/);
  await fails(call, 'GrammyError 401', () => new Api(`${botId}:${'A'.repeat(35)}`).getMe(), 401, /Unauthorized/);
  simulator.faults.add({ when: () => true, times: 1, fault: { kind: 'reset-before' } });
  await call('HttpError', () => assert.rejects(api.getMe(), HttpError));
  await call('GrammyError 429 with retry_after', () =>
    assert.rejects(
      untilRefused(() => api.sendVideo(channel, stored.video.file_id)),
      ({ error_code, parameters }: GrammyError) => error_code === 429 && (parameters.retry_after ?? 0) > 0,
    ),
  );
  const { store } = simulator;
  await store.change<object>('member', `${remoteId} ${botId}`, (known) => known && { ...known, status: 'kicked' });
  await fails(call, 'GrammyError 403', () => api.sendVideo(channel, stored.video.file_id), 403, /kicked/);
}

/** Counts a call of grammY that Telegram refuses. */
async function fails(
  call: ClientWorld['call'],
  name: string,
  run: () => Promise<unknown>,
  code: number,
  description: RegExp,
): Promise<void> {
  await call(name, () =>
    assert.rejects(run(), (error) => {
      assert.ok(error instanceof GrammyError);
      assert.equal(error.error_code, code);
      assert.match(error.description, description);
      return true;
    }),
  );
}

async function driveTelegraf(world: ClientWorld): Promise<void> {
  const { call, simulator, video } = world;
  const { token, botId, channel, storage, remoteId } = await owner(world);
  const telegram = new Telegram(token);
  assert.equal((await call('getMe', () => telegram.getMe())).id, botId);
  assert.equal((await call('getChat', () => telegram.getChat(channel))).id, Number(remoteId));
  const member = await call('getChatMember', () => telegram.getChatMember(channel, botId));
  assert.ok(member.status === 'administrator' && member.can_post_messages);
  const bytes = await readFile(video);
  const stored = await call('sendVideo (fromLocalFile)', () =>
    telegram.sendVideo(storage, Input.fromLocalFile(video), { width: 720, height: 1280, duration: 6 }),
  );
  assert.deepEqual([stored.video.file_size, stored.video.height], [bytes.length, 1280]);
  const buffered = await call('sendVideo (fromBuffer)', () =>
    telegram.sendVideo(channel, Input.fromBuffer(bytes, 'clip.mp4'), { caption: 'One' }),
  );
  assert.equal(buffered.caption, 'One');
  const streamed = await call('sendVideo (fromReadableStream)', () =>
    telegram.sendVideo(channel, Input.fromReadableStream(createReadStream(video), 'clip.mp4')),
  );
  assert.equal(streamed.video.file_size, bytes.length);
  const link = await call('getFileLink', () => telegram.getFileLink(stored.video.file_id));
  const downloaded = await call('download of getFileLink', async () => (await fetch(link)).arrayBuffer());
  assert.deepEqual(Buffer.from(downloaded), bytes);
  const post = await call('sendVideo (file id)', () =>
    telegram.sendVideo(channel, stored.video.file_id, { caption: '<i>Two</i>', parse_mode: 'HTML', has_spoiler: true }),
  );
  assert.deepEqual(post.caption_entities, [{ type: 'italic', offset: 0, length: 3 }]);
  const edited = await call('editMessageCaption', () =>
    telegram.editMessageCaption(channel, post.message_id, undefined, 'Three'),
  );
  assert.ok(edited !== true && edited.caption === 'Three');
  assert.equal(await call('deleteMessage', () => telegram.deleteMessage(channel, post.message_id)), true);
  assert.equal((await simulator.published()).length, 2);
  await refused(call, 'TelegramError 400', () => telegram.sendVideo('@nobody_here', stored.video.file_id), 400);
  await refused(call, 'TelegramError 401', () => new Telegram(`${botId}:${'A'.repeat(35)}`).getMe(), 401);
  await call('TelegramError 429 with retry_after', () =>
    assert.rejects(
      untilRefused(() => telegram.sendVideo(channel, stored.video.file_id)),
      ({ code, parameters }: TelegramError) => code === 429 && (parameters?.retry_after ?? 0) > 0,
    ),
  );
  const { store } = simulator;
  await store.change<object>('member', `${remoteId} ${botId}`, (known) => known && { ...known, status: 'kicked' });
  await refused(call, 'TelegramError 403', () => telegram.sendVideo(channel, stored.video.file_id), 403);
}

/** Counts a call of Telegraf that Telegram refuses. */
async function refused(call: ClientWorld['call'], name: string, run: () => Promise<unknown>, code: number) {
  const matches = (error: unknown) => error instanceof TelegramError && error.code === code;
  await call(name, () => assert.rejects(run(), matches));
}

export const suite: ClientSuite = {
  hosts: ['api.telegram.org'],
  clients: [
    { name: 'grammy', options: { limits: true }, drive: driveGrammy },
    { name: 'telegraf', options: { limits: true }, drive: driveTelegraf },
  ],
};
