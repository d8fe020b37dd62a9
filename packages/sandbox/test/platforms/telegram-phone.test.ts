import { describe, expect, test } from 'vitest';
import { simulator } from '../../src/platforms/telegram/index.ts';
import {
  type Member,
  type StoredFile,
  SWITCHES,
  type TelegramSwitches,
  type UpdateQueue,
} from '../../src/platforms/telegram/records.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { FILM, phoneOf } from '../harness/phone.ts';
import { startSimulator } from '../harness/simulator.ts';

const startPlatform = closedAfterTest(startSimulator);
const DAY = 86_400_000;

interface Sent {
  message_id: number;
  date: number;
  edit_date?: number;
  chat: { id: number; username?: string };
  caption?: string;
  video: { file_id: string; file_size: number; qualities: { file_id: string; codec: string }[] };
}

interface Update {
  update_id: number;
  channel_post?: Sent;
  edited_channel_post?: Sent;
}

async function start() {
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const running = await startPlatform(simulator, { now: () => clock.now });
  const { credentials, remoteId } = await running.simulator.enrol('nora');
  const token = credentials?.secret ?? '';
  const call = async (method: string, body: object = {}, bot = token) => {
    const response = await fetch(`${running.url}/bot${bot}/${method}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    return (await response.json()) as { ok: boolean; result: unknown; description?: string };
  };
  const updates = async (body: object = {}, bot?: string) => (await call('getUpdates', body, bot)).result as Update[];
  const set = (switches: TelegramSwitches) => running.store.put(...SWITCHES, switches);
  return { ...running, clock, token, channelId: remoteId, call, updates, set, phone: phoneOf(running, 'nora') };
}

const captions = (updates: Update[]) => updates.map((each) => (each.channel_post ?? each.edited_channel_post)?.caption);

describe('post from the Telegram app', () => {
  test('reaches the bot with its file, and is published', async () => {
    const telegram = await start();
    const posted = await telegram.phone.post('Sunset #sea', { durationMs: 12_400 });
    const [update, ...more] = await telegram.updates();
    expect(more).toEqual([]);
    expect(update?.channel_post).toMatchObject({
      message_id: 42,
      date: Math.floor(telegram.clock.now / 1000),
      chat: { id: Number(telegram.channelId), username: 'nora', type: 'channel' },
      caption: 'Sunset #sea',
      caption_entities: [{ type: 'hashtag', offset: 7, length: 4 }],
      video: { duration: 13, width: 1080, height: 1920, mime_type: 'video/mp4', file_size: FILM.length },
    });
    const { result } = await telegram.call('getFile', { file_id: update?.channel_post?.video.file_id });
    const { file_path } = result as { file_path: string };
    const file = await fetch(`${telegram.url}/file/bot${telegram.token}/${file_path}`);
    expect(Buffer.from(await file.arrayBuffer()).equals(FILM)).toBe(true);
    expect(await telegram.published()).toMatchObject([{ id: posted.id, url: posted.url, text: 'Sunset #sea' }]);
    expect(await (await fetch(posted.url)).text()).toContain('Sunset #sea');
  });

  test('is returned again until a higher offset confirms it', async () => {
    const { phone, updates } = await start();
    for (const text of ['one', 'two', 'three']) await phone.post(text);
    const [first = { update_id: 0 }] = await updates();
    expect(captions(await updates({ limit: 2 }))).toEqual(['one', 'two']);
    expect(captions(await updates({ offset: -1 }))).toEqual(['three']);
    expect(captions(await updates())).toEqual(['three']);
    expect(await updates({ offset: first.update_id + 3 })).toEqual([]);
    expect(await updates()).toEqual([]);
  });

  test('is dropped 24 hours after its date', async () => {
    const { phone, updates, clock } = await start();
    await phone.post('old', { publishedAt: clock.now - DAY });
    await phone.post('young', { publishedAt: clock.now - DAY + 1_000 });
    expect(captions(await updates())).toEqual(['young']);
    clock.now += 1_000;
    expect(await updates()).toEqual([]);
  });

  test('may arrive late, with a later id', async () => {
    const { phone, updates, clock } = await start();
    await phone.post('late', { hiddenMs: 5_000 });
    await phone.post('at once');
    expect(captions(await updates())).toEqual(['at once']);
    clock.now += 5_000;
    expect(captions(await updates())).toEqual(['at once', 'late']);
  });

  test('is announced again when edited, not when deleted', async () => {
    const { phone, updates, clock, published } = await start();
    const { id } = await phone.post('before');
    clock.now += 60_000;
    await phone.edit(id, 'after');
    await phone.remove(id);
    await phone.remove(id);
    const [posted, edited, ...more] = await updates();
    expect(more).toEqual([]);
    expect(edited?.edited_channel_post).toMatchObject({ message_id: 42, date: posted?.channel_post?.date });
    expect(edited?.edited_channel_post).toMatchObject({ caption: 'after', edit_date: Math.floor(clock.now / 1000) });
    expect(await published()).toEqual([]);
    await expect(phone.edit(id, 'again')).rejects.toThrow('There is no message');
  });

  test('with a limited audience is in a private channel', async () => {
    const { phone, updates, channelId } = await start();
    await phone.post('for few', { audience: 'limited' });
    const chat = (await updates())[0]?.channel_post?.chat;
    expect(chat).not.toHaveProperty('username');
    expect(String(chat?.id)).not.toBe(channelId);
  });

  test('creates the channel', async () => {
    const telegram = await start();
    await phoneOf(telegram, '@wanda').post('hello');
    const { credentials } = await telegram.simulator.enrol('wanda');
    expect(captions(await telegram.updates({}, credentials?.secret))).toEqual(['hello']);
    expect(await telegram.updates()).toEqual([]);
  });

  test('may have smaller variants', async () => {
    const telegram = await start();
    await telegram.set({ qualities: [{ codec: 'h264', width: 480, height: 854, bytes: 7 }] });
    await telegram.phone.post('large');
    const variants = (await telegram.updates())[0]?.channel_post?.video.qualities;
    expect(variants).toMatchObject([{ codec: 'h264', width: 480, height: 854, file_size: 7 }]);
    const { result } = await telegram.call('getFile', { file_id: variants?.[0]?.file_id });
    expect(result).toMatchObject({ file_size: 7 });
  });
});

describe('updates of a bot', () => {
  test('exclude its own posts, and include those of other bots', async () => {
    const telegram = await start();
    const other = (await telegram.simulator.enrol('wanda')).credentials?.secret ?? '';
    const member: Member = { status: 'administrator', canPost: true };
    const key = `${telegram.channelId} ${other.split(':')[0]}`;
    await telegram.store.put('member', key, member, telegram.channelId);
    await telegram.phone.post('from the phone');
    const file = (await telegram.updates())[0]?.channel_post?.video.file_id;
    await telegram.call('sendVideo', { chat_id: '@nora', video: file, caption: 'from the bot' });
    expect(captions(await telegram.updates())).toEqual(['from the phone']);
    expect(captions(await telegram.updates({}, other))).toEqual(['from the phone', 'from the bot']);
    await telegram.call('editMessageCaption', { chat_id: '@nora', message_id: 43, caption: 'changed' });
    expect(captions(await telegram.updates({}, other))).toContain('changed');
    expect(captions(await telegram.updates())).toEqual(['from the phone']);
  });

  test('end when the bot is removed from the channel', async () => {
    const { phone, updates, store, channelId, token } = await start();
    await store.change<Member>(
      'member',
      `${channelId} ${token.split(':')[0]}`,
      (known) => known && { ...known, status: 'left' },
    );
    await phone.post('unseen');
    expect(await updates()).toEqual([]);
  });

  test('are only of the kinds that it asks for', async () => {
    const { phone, updates } = await start();
    await updates({ allowed_updates: ['edited_channel_post'] });
    const { id } = await phone.post('before');
    await phone.edit(id, 'after');
    expect(captions(await updates())).toEqual(['after']);
  });

  test('have new ids after a long silence', async () => {
    const { phone, updates, store, token } = await start();
    await phone.post('one');
    const [botId = ''] = token.split(':');
    await updates();
    await store.change<UpdateQueue>('updates', botId, (known) => known && { ...known, nextId: 17, updates: [] });
    await phone.post('two');
    expect((await updates())[0]?.update_id).toBe(17);
  });

  test('conflict with a webhook', async () => {
    const { call } = await start();
    await call('setWebhook', { url: 'https://example.org/hook' });
    expect(await call('getUpdates')).toMatchObject({
      ok: false,
      error_code: 409,
      description: expect.stringMatching(/^Conflict: can't use getUpdates method while webhook is active/),
    });
    await call('setWebhook', { url: '' });
    expect(await call('getUpdates')).toMatchObject({ ok: true, result: [] });
    expect((await call('getUpdates', { allowed_updates: 'x' })).description).toContain("can't parse");
  });
});

test('a local server returns the path on its own disk', async () => {
  const telegram = await start();
  await telegram.phone.post('large');
  const file_id = (await telegram.updates())[0]?.channel_post?.video.file_id ?? '';
  await telegram.store.change<StoredFile>('file', file_id, (file) => file && { ...file, bytes: 20_971_521 });
  expect((await telegram.call('getFile', { file_id })).description).toBe('Bad Request: file is too big');
  await telegram.set({ localServer: true });
  const { result } = await telegram.call('getFile', { file_id });
  expect(result).toMatchObject({ file_path: `/var/lib/telegram-bot-api/${telegram.token}/videos/${file_id}.mp4` });
  const served = () => fetch(`${telegram.url}/file/bot${telegram.token}/videos/${file_id}.mp4`, { method: 'HEAD' });
  expect((await served()).status).toBe(200);
  await telegram.set({ localServer: true, filesNotServed: true });
  expect((await served()).status).toBe(404);
});
