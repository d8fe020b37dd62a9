import { createHash } from 'node:crypto';
import http from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { simulator } from '../../src/platforms/telegram/index.ts';
import {
  type Chat,
  type Member,
  mostBytes,
  type StoredFile,
  SWITCHES,
  type TelegramSwitches,
} from '../../src/platforms/telegram/records.ts';
import { memoryBlobs, memoryStore } from '../../src/store/memory.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';

const VIDEO = Buffer.from('not really a film');
const startPlatform = closedAfterTest(startSimulator);

interface JsonResponse {
  status: number;
  headers: Headers;
  text: string;
  body: {
    ok?: boolean;
    result?: Record<string, unknown>;
    error_code?: number;
    description?: string;
    parameters?: unknown;
  };
}

async function start(overrides: SimulatorOverrides = {}) {
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const running = await startPlatform(simulator, { now: () => clock.now, ...overrides });
  const { credentials, remoteId } = await running.simulator.enrol('Nora.Clips');
  const [channel = '', storage = ''] = (credentials?.identifier ?? '').split(' ');
  const token = credentials?.secret ?? '';
  const botId = token.split(':')[0] ?? '';
  const call = async (path: string, init: RequestInit = {}): Promise<JsonResponse> => {
    const response = await fetch(`${running.url}${path}`, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  };
  const json = (method: string, body: unknown) =>
    call(`/bot${token}/${method}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const send = (fields: Record<string, string | Blob> = {}) => {
    const body = new FormData();
    const video = new Blob([new Uint8Array(VIDEO)], { type: 'video/mp4' });
    for (const [name, value] of Object.entries({ chat_id: channel, video, ...fields }))
      if (value instanceof Blob) body.set(name, value, value instanceof File ? value.name : 'a.mp4');
      else if (value !== '') body.set(name, value);
    return call(`/bot${token}/sendVideo`, { method: 'POST', body });
  };
  const set = (switches: TelegramSwitches) => running.store.put(...SWITCHES, switches);
  const change = (chat: string, member: Partial<Member>) =>
    running.store.change<Member>('member', `${chat} ${botId}`, (known) => known && { ...known, ...member });
  return { ...running, clock, channel, channelId: remoteId, storage, token, botId, call, json, send, set, change };
}

const refused = ({ status, body }: JsonResponse) => {
  expect(body).toMatchObject({ ok: false, error_code: status });
  return `${status} ${body.description}`;
};
const fileIdOf = ({ body }: JsonResponse) => String((body.result?.video as { file_id?: string } | undefined)?.file_id);

describe('simulated Telegram URL', () => {
  test('accepts any case of the method, by GET or POST', async () => {
    const telegram = await start();
    const me = { id: Number(telegram.botId), is_bot: true, username: 'nora_clips_bot' };
    for (const path of ['getMe', 'getme', 'GETME'])
      expect((await telegram.call(`/bot${telegram.token}/${path}`)).body).toMatchObject({ ok: true, result: me });
    expect((await telegram.json('getMe', {})).body.result).toMatchObject(me);
  });

  test('without bot or method is 404; malformed tokens are rejected', async () => {
    const telegram = await start();
    for (const path of ['', '/', '/getMe', `/bot${telegram.token}`, '/bot/getMe', '/nothing/at/all'])
      expect(refused(await telegram.call(path)), path).toBe('404 Not Found');
    expect(refused(await telegram.call(`/bot${telegram.token}/postVideo`))).toBe('404 Not Found: method not found');
    expect(refused(await telegram.call('/botnonsense/getMe'))).toBe('401 Unauthorized: invalid token specified');
    expect(refused(await telegram.call('/bot7000000001:AAnobody/getMe'))).toBe('401 Unauthorized');
    expect(refused(await telegram.call('/file/bot7000000001:AAnobody/videos/a.mp4'))).toBe('401 Unauthorized');
  });

  test('stops working when the owner changes the token', async () => {
    const telegram = await start();
    await telegram.store.change<object>('bot', telegram.token, (bot) => bot && { ...bot, live: false });
    expect(refused(await telegram.json('getMe', {}))).toBe('401 Unauthorized');
    const again = (await telegram.simulator.enrol('nora.clips')).credentials?.secret ?? '';
    expect(again).not.toBe(telegram.token);
    expect(again).toMatch(/^\d+:[\w-]{35}$/);
    expect((await telegram.call(`/bot${again}/getMe`)).status).toBe(200);
  });
});

describe('simulated Telegram chat', () => {
  test('is found by name or id; private ones by membership', async () => {
    const telegram = await start();
    const channel = { id: Number(telegram.channelId), type: 'channel', title: 'Nora clips', username: 'nora_clips' };
    for (const chat_id of [telegram.channel, '@NORA_clips', telegram.channelId, Number(telegram.channelId)])
      expect((await telegram.json('getChat', { chat_id })).body.result).toMatchObject(channel);
    const { result } = (await telegram.json('getChat', { chat_id: telegram.storage })).body;
    expect(result).not.toHaveProperty('username');
    const other = await telegram.simulator.enrol('wanda');
    const otherStorage = other.credentials?.identifier.split(' ')[1] ?? '';
    for (const chat_id of ['@nobody_here', '-1009999999999', '12', otherStorage])
      expect(refused(await telegram.json('getChat', { chat_id }))).toBe('400 Bad Request: chat not found');
    expect(refused(await telegram.json('getChat', {}))).toBe('400 Bad Request: chat_id is empty');
  });

  test("reports the bot's rights", async () => {
    const telegram = await start();
    const ask = (chat_id = telegram.channel) => telegram.json('getChatMember', { chat_id, user_id: telegram.botId });
    expect((await ask()).body.result).toMatchObject({
      status: 'administrator',
      can_post_messages: true,
      user: { is_bot: true },
    });
    await telegram.change(telegram.channelId, { canPost: false });
    expect((await ask()).body.result).toMatchObject({ status: 'administrator', can_post_messages: false });
    await telegram.change(telegram.channelId, { status: 'member' });
    expect((await ask()).body.result).toMatchObject({ status: 'member' });
    await telegram.change(telegram.channelId, { status: 'kicked' });
    expect(refused(await ask())).toBe('403 Forbidden: bot was kicked from the channel chat');
    await telegram.simulator.enrol('wanda');
    expect(refused(await ask('@wanda'))).toBe('403 Forbidden: bot is not a member of the channel chat');
  });
});

describe('simulated Telegram sendVideo', () => {
  test('uploads and publishes in one call with a complete response', async () => {
    const telegram = await start();
    const response = await telegram.send({
      caption: 'Sunset run #sea https://example.org @wanda',
      duration: '31',
      width: '1080',
      height: '1920',
      supports_streaming: 'true',
    });
    expect(response.body.result).toMatchObject({
      message_id: 42,
      sender_chat: { username: 'nora_clips' },
      chat: { id: Number(telegram.channelId), type: 'channel' },
      date: telegram.clock.now / 1000,
      video: { width: 1080, height: 1920, duration: 31, mime_type: 'video/mp4', file_size: VIDEO.length, cover: [] },
      caption: 'Sunset run #sea https://example.org @wanda',
      caption_entities: [
        { type: 'hashtag', offset: 11, length: 4 },
        { type: 'mention', offset: 36, length: 6 },
        { type: 'url', offset: 16, length: 19 },
      ],
    });
    const [entry, ...more] = await telegram.published();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      id: `${telegram.channelId}/42`,
      username: 'nora_clips',
      text: 'Sunset run #sea https://example.org @wanda',
      url: `${telegram.url}/web/nora_clips/42`,
      bytes: VIDEO.length,
      sha256: createHash('sha256').update(VIDEO).digest('hex'),
      mime: 'video/mp4',
    });
    expect((await telegram.call('/web/nora_clips/42')).text).toContain('Sunset run');
    expect((await telegram.call('/web/nora_clips/43')).status).toBe(404);
  });

  test('creates another message when repeated', async () => {
    const telegram = await start();
    const ids = [await telegram.send(), await telegram.send()].map(({ body }) => body.result?.message_id);
    expect(ids).toEqual([42, 43]);
    expect(await telegram.published()).toHaveLength(2);
  });

  test('sends a file by id without publishing the stored one', async () => {
    const telegram = await start();
    const stored = await telegram.send({ chat_id: telegram.storage });
    expect(await telegram.published()).toEqual([]);
    const video = fileIdOf(stored);
    const sent = await telegram.json('sendVideo', { chat_id: telegram.channel, video, caption: 'By id' });
    expect(fileIdOf(sent)).toBe(video);
    const form = new URLSearchParams({ chat_id: telegram.channel, video, caption: 'By form' });
    expect((await telegram.call(`/bot${telegram.token}/sendVideo`, { method: 'POST', body: form })).status).toBe(200);
    const query = new URLSearchParams({ chat_id: telegram.channel, video });
    expect((await telegram.call(`/bot${telegram.token}/sendVideo?${query}`)).status).toBe(200);
    const entries = await telegram.published();
    expect(entries.map(({ text, bytes }) => [text, bytes])).toEqual([
      ['By id', VIDEO.length],
      ['By form', VIDEO.length],
      ['', VIDEO.length],
    ]);
  });

  test('accepts a file id only from its own bot', async () => {
    const telegram = await start();
    const video = fileIdOf(await telegram.send());
    const other = (await telegram.simulator.enrol('wanda')).credentials?.secret;
    const query = new URLSearchParams({ chat_id: '@wanda', video });
    expect(refused(await telegram.call(`/bot${other}/sendVideo?${query}`))).toBe(
      '400 Bad Request: wrong file identifier/HTTP URL specified',
    );
  });

  test.each([
    [{ chat_id: '' }, '400 Bad Request: chat_id is empty'],
    [{ chat_id: '@nobody_here' }, '400 Bad Request: chat not found'],
    [{ video: '' }, '400 Bad Request: there is no video in the request'],
    [{ video: 'BAACnothing' }, '400 Bad Request: wrong file identifier/HTTP URL specified'],
    [{ video: 'attach://nothing' }, '400 Bad Request: wrong file identifier/HTTP URL specified'],
    [{ video: 'https://nowhere.example/a.mp4' }, '400 Bad Request: failed to get HTTP URL content'],
    [{ caption: 'x'.repeat(1025) }, '400 Bad Request: message caption is too long'],
    [{ caption: '🌅'.repeat(513) }, '400 Bad Request: message caption is too long'],
    [
      { caption: '<b>open', parse_mode: 'HTML' },
      '400 Bad Request: can\'t parse entities: Can\'t find end tag corresponding to start tag "b"',
    ],
    [
      { caption: 'a < b', parse_mode: 'HTML' },
      '400 Bad Request: can\'t parse entities: Unsupported start tag "" at byte offset 2',
    ],
    [
      { caption: 'The end.', parse_mode: 'MarkdownV2' },
      "400 Bad Request: can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'",
    ],
    [
      { caption: '*bold', parse_mode: 'MarkdownV2' },
      "400 Bad Request: can't parse entities: Can't find end of an entity",
    ],
    [{ caption: 'a', caption_entities: '[' }, "400 Bad Request: can't parse entities: can't parse JSON"],
    [
      { caption: 'a', caption_entities: '[{"type":"bold","offset":0,"length":2}]' },
      "400 Bad Request: can't parse entities: an entity does not fit the text",
    ],
    [{ caption: 'a', parse_mode: 'BBCode' }, '400 Bad Request: unsupported parse_mode'],
  ] as [Record<string, string>, string][])('rejects %j with %s', async (fields, words) => {
    const telegram = await start();
    expect(refused(await telegram.send(fields))).toBe(words);
    expect(await telegram.published()).toEqual([]);
  });

  test.each([
    ['Fish & <i>chips</i> &lt;3', 'HTML', 'Fish & chips <3'],
    ['*bold* and 1\\.5', 'MarkdownV2', 'bold and 1.5'],
    ['x'.repeat(1024), '', 'x'.repeat(1024)],
    [`<b>${'x'.repeat(1024)}</b>`, 'HTML', 'x'.repeat(1024)],
    ['a < b & *c*.', '', 'a < b & *c*.'],
  ])('parses the caption markup: %s as %s', async (caption, parse_mode, text) => {
    const telegram = await start();
    await telegram.send({ caption, parse_mode });
    expect((await telegram.published())[0]?.text).toBe(text);
  });

  test.each([
    ['<b>One</b> <a href="https://example.org/">two</a>', 'HTML', 'One two', ['bold 0 3', 'text_link 4 3']],
    [' _one_ __two__ ~three~', 'MarkdownV2', 'one two three', ['italic 0 3', 'underline 4 3', 'strikethrough 8 5']],
    [
      '`one` [two](https://example.org/a\\)) ||three||',
      'MarkdownV2',
      'one two three',
      ['code 0 3', 'text_link 4 3', 'spoiler 8 5'],
    ],
  ])('returns the entities of the markup: %s', async (caption, parse_mode, text, marked) => {
    const telegram = await start();
    const { result } = (await telegram.send({ caption, parse_mode })).body;
    const entities = (result?.caption_entities ?? []) as { type: string; offset: number; length: number }[];
    expect(result?.caption).toBe(text);
    expect(entities.map(({ type, offset, length }) => `${type} ${offset} ${length}`)).toEqual(marked);
  });

  test('returns the entities of caption_entities', async () => {
    const telegram = await start();
    const caption_entities = '[{"type":"bold","offset":1,"length":3}]';
    const { result } = (await telegram.send({ caption: ' one', caption_entities })).body;
    expect(result).toMatchObject({ caption: 'one', caption_entities: [{ type: 'bold', offset: 0, length: 3 }] });
  });

  test.each([
    [{ status: 'kicked' }, '403 Forbidden: bot was kicked from the channel chat'],
    [{ status: 'left' }, '403 Forbidden: bot is not a member of the channel chat'],
    [{ status: 'member' }, '400 Bad Request: need administrator rights in the channel chat'],
    [{ canPost: false }, '400 Bad Request: not enough rights to send videos to the chat'],
  ] as [Partial<Member>, string][])('rejects a bot that is %j', async (member, words) => {
    const telegram = await start();
    await telegram.change(telegram.channelId, member);
    expect(refused(await telegram.send())).toBe(words);
    expect(await telegram.published()).toEqual([]);
  });

  test('reports the new id of an upgraded group', async () => {
    const telegram = await start();
    const moved = (chat?: Chat) => chat && { ...chat, migratedTo: '-1001111111111' };
    await telegram.store.change<Chat>('chat', telegram.storage, moved);
    const response = await telegram.send({ chat_id: telegram.storage });
    expect(refused(response)).toBe('400 Bad Request: group chat was upgraded to a supergroup chat');
    expect(response.body.parameters).toEqual({ migrate_to_chat_id: -1001111111111 });
  });

  test('accepts a file of exactly the maximum size', async () => {
    const telegram = await start();
    await telegram.set({ mostBytes: 100_000 });
    const film = (bytes: number) => new Blob([new Uint8Array(bytes)], { type: 'video/mp4' });
    expect((await telegram.send({ video: film(100_000) })).status).toBe(200);
    expect(refused(await telegram.send({ video: film(100_001) }))).toBe('413 Request Entity Too Large');
    expect((await telegram.published()).map(({ bytes }) => bytes)).toEqual([100_000]);
    expect([mostBytes({}), mostBytes({ localServer: true })]).toEqual([50_000_000, 2_000_000_000]);
  });

  test('rejects a large Content-Length before the body', async () => {
    const telegram = await start();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = http.request(`${telegram.url}/bot${telegram.token}/sendVideo`, {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '60000000' },
      });
      request.on('response', (response) => {
        resolve(response.statusCode);
        request.destroy();
      });
      request.on('error', reject);
      request.flushHeaders();
    });
    expect(status).toBe(413);
  });

  test('publishes and stores nothing from a truncated body', async () => {
    const kept = new Set<string>();
    const blobs = memoryBlobs();
    const telegram = await start({
      blobs: {
        ...blobs,
        put: async (key, source) => {
          const facts = await blobs.put(key, source);
          kept.add(key);
          return facts;
        },
      },
    });
    const gone = new Promise<void>((resolve) => {
      const request = http.request(`${telegram.url}/bot${telegram.token}/sendVideo`, {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '1000' },
      });
      request.on('error', () => resolve());
      request.write(
        '--x\r\nContent-Disposition: form-data; name="video"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\nbytes',
        () => request.destroy(),
      );
      request.on('close', () => resolve());
    });
    await gone;
    expect((await telegram.json('getMe', {})).status).toBe(200);
    expect([[...kept], await telegram.published()]).toEqual([[], []]);
  });

  test.each([
    ['a.MP4', 'application/octet-stream', 'video', 'video/mp4'],
    ['a.mp4', 'video/webm', 'video', 'video/mp4'],
    ['a.webm', 'video/mp4', 'document', 'video/webm'],
    ['a', 'video/mp4', 'document', 'application/octet-stream'],
  ])('derives the type of %s sent as %s', async (name, type, kind, mime) => {
    const telegram = await start();
    const { result } = (await telegram.send({ video: new File(['film'], name, { type }) })).body;
    expect(Object.keys(result ?? {}).filter((key) => key === 'video' || key === 'document')).toEqual([kind]);
    expect(result?.[kind]).toMatchObject({ mime_type: mime, file_name: name });
  });

  test('turns a video without sound into an animation', async () => {
    const telegram = await start();
    await telegram.set({ silentVideos: true });
    const { result } = (await telegram.send()).body;
    expect(result).toMatchObject({ animation: { mime_type: 'video/mp4' }, document: { mime_type: 'video/mp4' } });
    expect(result).not.toHaveProperty('video');
  });

  test('passes on the refusal of a chat and publishes nothing', async () => {
    const telegram = await start();
    await telegram.store.change<Chat>('chat', telegram.channelId, (chat) =>
      chat ? { ...chat, sendRefusal: { status: 400, message: 'CHAT_RESTRICTED' } } : undefined,
    );
    expect(refused(await telegram.send())).toBe('400 Bad Request: CHAT_RESTRICTED');
    expect(await telegram.published()).toEqual([]);
  });

  test('fetches small files from a URL', async () => {
    const served = (type: string, bytes: number) => async () => ({
      status: 200,
      headers: { 'content-type': type },
      body: Readable.from([Buffer.alloc(bytes)], { objectMode: false }),
    });
    const video = 'https://host.example/a.mp4';
    const good = await start({ fetch: served('video/mp4', 20_000_000) });
    expect((await good.json('sendVideo', { chat_id: good.channel, video })).status).toBe(200);
    const page = await start({ fetch: served('text/html', 10) });
    expect(refused(await page.json('sendVideo', { chat_id: page.channel, video }))).toBe(
      '400 Bad Request: wrong type of the web page content',
    );
    const large = await start({ fetch: served('video/mp4', 20_000_001) });
    expect(refused(await large.json('sendVideo', { chat_id: large.channel, video }))).toBe(
      '400 Bad Request: failed to get HTTP URL content',
    );
  });

  test('returns message id 0 in a very large channel', async () => {
    const telegram = await start();
    await telegram.set({ convertsLater: true });
    expect((await telegram.send()).body.result).toMatchObject({ message_id: 0 });
    expect((await telegram.published())[0]?.id).toBe(`${telegram.channelId}/42`);
  });

  test('rejects JSON that is not an object', async () => {
    const telegram = await start();
    for (const body of [[], 'text', null]) expect(refused(await telegram.json('sendVideo', body))).toMatch(/^400 /);
  });
});

describe('simulated Telegram limits', () => {
  test('allow twenty messages per minute and chat', async () => {
    const telegram = await start({ limits: true });
    telegram.clock.now += 43_000;
    const video = fileIdOf(await telegram.send({ chat_id: telegram.storage }));
    const post = () => telegram.json('sendVideo', { chat_id: telegram.channel, video });
    for (let count = 0; count < 20; count++) expect((await post()).status).toBe(200);
    const response = await post();
    expect(refused(response)).toBe('429 Too Many Requests: retry after 17');
    expect([response.body.parameters, response.headers.get('retry-after')]).toEqual([{ retry_after: 17 }, '17']);
    telegram.clock.now += 17_000;
    expect((await post()).status).toBe(200);
  });
});

describe('simulated Telegram file', () => {
  test('is downloadable by its bot unchanged', async () => {
    const telegram = await start();
    const file_id = fileIdOf(await telegram.send());
    const { result } = (await telegram.json('getFile', { file_id })).body;
    expect(result).toMatchObject({ file_id, file_size: VIDEO.length, file_path: expect.stringMatching(/^videos\//) });
    const bytes = await fetch(`${telegram.url}/file/bot${telegram.token}/${result?.file_path}`);
    expect(Buffer.from(await bytes.arrayBuffer()).equals(VIDEO)).toBe(true);
    expect((await telegram.call(`/file/bot${telegram.token}/videos/other.mp4`)).status).toBe(404);
    expect(refused(await telegram.json('getFile', { file_id: 'BAACother' }))).toBe(
      '400 Bad Request: wrong file_id or the file is temporarily unavailable',
    );
  });

  test('above 20 MiB is downloadable only from a local server', async () => {
    const telegram = await start();
    const file_id = fileIdOf(await telegram.send());
    await telegram.store.change<StoredFile>('file', file_id, (file) => file && { ...file, bytes: 20_971_521 });
    expect(refused(await telegram.json('getFile', { file_id }))).toBe('400 Bad Request: file is too big');
    await telegram.set({ localServer: true });
    expect((await telegram.json('getFile', { file_id })).status).toBe(200);
  });

  test('cannot be sent again when it is too old', async () => {
    const telegram = await start();
    const video = fileIdOf(await telegram.send());
    await telegram.set({ fileLifeMs: 1_000 });
    telegram.clock.now += 1_000;
    expect(refused(await telegram.json('sendVideo', { chat_id: telegram.channel, video }))).toBe(
      '400 Bad Request: wrong file_id or the file is temporarily unavailable',
    );
  });
});

describe('simulated Telegram store', () => {
  test('edits and deletes messages', async () => {
    const telegram = await start();
    await telegram.send({ caption: 'before' });
    const named = { chat_id: telegram.channel, message_id: 42 };
    const edited = await telegram.json('editMessageCaption', { ...named, caption: 'after' });
    expect(edited.body.result).toMatchObject({ message_id: 42, caption: 'after' });
    expect((await telegram.json('deleteMessage', named)).body).toEqual({ ok: true, result: true });
    expect(await telegram.published()).toEqual([]);
    expect(refused(await telegram.json('deleteMessage', named))).toMatch(/^400 Bad Request: message to be/);
    await telegram.send();
    telegram.clock.now += 49 * 3_600_000;
    expect(refused(await telegram.json('deleteMessage', { ...named, message_id: 43 }))).toBe(
      "400 Bad Request: message can't be deleted",
    );
  });

  test('keeps bots, chats, files, and messages across a restart', async () => {
    const [store, blobs] = [memoryStore(), memoryBlobs()];
    const first = await start({ store, blobs });
    const video = fileIdOf(await first.send({ caption: 'first' }));
    const second = await start({ store, blobs });
    expect(second.token).toBe(first.token);
    const sent = await second.json('sendVideo', { chat_id: second.channel, video, caption: 'second' });
    expect(sent.body.result).toMatchObject({ message_id: 43 });
    expect((await second.published()).map(({ text }) => text)).toEqual(['first', 'second']);
  });
});

describe('simulated Telegram fault by tag', () => {
  const statuses = async (tag: string, calls: number) => {
    const telegram = await start();
    const found: number[] = [];
    for (let count = 0; count < calls; count++)
      found.push((await telegram.send({ caption: `a #sandbox-${tag}` })).status);
    return { found, published: (await telegram.published()).length };
  };

  test.each([
    ['reconnect', 2, { found: [401, 401], published: 0 }],
    ['reject', 2, { found: [413, 413], published: 0 }],
    ['rate-limit', 3, { found: [429, 429, 200], published: 1 }],
    ['down', 4, { found: [502, 502, 502, 200], published: 1 }],
    ['nonsense', 1, { found: [200], published: 1 }],
  ] as const)('handles %s', async (tag, calls, expected) => {
    expect(await statuses(tag, calls)).toEqual(expected);
  });

  test('lost-answer posts once; the next response arrives', async () => {
    const telegram = await start();
    await expect(telegram.send({ caption: '#sandbox-lost-answer' })).rejects.toThrow();
    expect(await telegram.published()).toHaveLength(1);
    expect((await telegram.send({ caption: '#sandbox-lost-answer' })).status).toBe(200);
  });

  test('slow delays a correct response', async () => {
    const telegram = await start({ slowMs: 5 });
    expect((await telegram.send({ caption: '#sandbox-slow' })).status).toBe(200);
    expect(await telegram.published()).toHaveLength(1);
  });
});
