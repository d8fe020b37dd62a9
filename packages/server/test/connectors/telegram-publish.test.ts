import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import type { Chat, Message, StoredFile } from '@reelay/sandbox/platforms/telegram/records.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/telegram/index.ts';
import { describeError } from '../../src/lib/log.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp } from '../../src/outbound/http-client.ts';
import { isWholeUpload } from '../harness/simulator.ts';
import { filmOf, videoOf } from './films.ts';
import { isSend, nthSend, startTelegram, type Telegram } from './telegram-driver.ts';
import { begun, failureOf, move, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest(startTelegram);
const sends = ({ requests }: Telegram) => requests.filter(isSend).length;
const messages = (telegram: Telegram) => telegram.store.list<{ chatId: string }>('message', { limit: 50 });
const inStorage = async (telegram: Telegram) =>
  (await messages(telegram)).filter(({ value }) => value.chatId === telegram.storageChat).length;

describe('Telegram publish', () => {
  test('uploads to the storage chat, then posts by file id', async () => {
    const telegram = await start();
    const work = await telegram.work('Sunset run #sea <b>&\nhttps://example.org/');
    const prepared = await walkTo(telegram, work, 'committing');
    expect([await telegram.published(), await inStorage(telegram)]).toEqual([[], 1]);
    const handed = telegram.requests.length;
    const walk = await walkThrough(telegram, work, { from: prepared });
    expect(telegram.requests.length - handed).toBe(1);
    const [entry, ...more] = await telegram.published();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ username: 'nora_clips', text: 'Sunset run #sea <b>&\nhttps://example.org/' });
    expect(entry && (await isWholeUpload(telegram, entry, work.media))).toBe(true);
    expect(walk).toMatchObject({
      state: 'posted',
      published: { remoteId: '42', url: `${telegram.url}/web/nora_clips/42`, publishedAt: entry?.publishedAt },
    });
    expect(walk.published?.detail).toBeUndefined();
    expect(telegram.asked.at(-1)).toMatchObject({ body: { kind: 'bytes' } });
    const file = (await telegram.store.list<StoredFile>('file', { limit: 1 }))[0]?.value;
    expect(file).toMatchObject({ width: 1080, height: 1920, duration: 31, mime: 'video/mp4' });
  });

  test('streams the upload as the post without a storage chat', async () => {
    const telegram = await start({ storage: false });
    const media = filmOf(3_000_000);
    const work = await telegram.work('Straight', { media });
    const walk = await walkThrough(telegram, work);
    const [entry, ...more] = await telegram.published();
    expect([walk.state, walk.published?.remoteId, more, sends(telegram)]).toEqual(['posted', '42', [], 1]);
    expect(entry && (await isWholeUpload(telegram, entry, media))).toBe(true);
    expect(telegram.asked.at(-1)).toMatchObject({ body: { kind: 'stream' } });
  });

  test('sends exactly the options of the post', async () => {
    const telegram = await start();
    const fieldsWith = async (options: object) => {
      const asked = connector.options.parse(options);
      const work = await telegram.work('', { options: asked });
      const { checkpoint } = await walkTo(telegram, work, 'committing');
      const { body } = await connector.commit.request(work, checkpoint ?? {});
      return JSON.parse(body.kind === 'bytes' ? String(body.bytes) : '{}');
    };
    const usual = { chat_id: telegram.channelId, duration: 31, width: 1080, height: 1920, supports_streaming: true };
    const files = { video: expect.any(String), cover: expect.any(String) };
    expect(await fieldsWith({})).toEqual({ ...usual, ...files });
    const all = { disableNotification: true, protectContent: true, hasSpoiler: true, showCaptionAboveMedia: false };
    expect(await fieldsWith(all)).toEqual({
      ...usual,
      ...files,
      disable_notification: true,
      protect_content: true,
      has_spoiler: true,
    });
    expect(connector.options.safeParse({ title: 'a' }).success).toBe(false);
    expect(connector.options.safeParse({ hasSpoiler: 'yes' }).success).toBe(false);
  });

  test('stores the video without notification or caption', async () => {
    const telegram = await start();
    await walkTo(telegram, await telegram.work('Secret words'), 'committing');
    const upload = telegram.asked.filter(({ url }) => url.endsWith('/sendVideo'))[0]?.body;
    const body =
      upload?.kind === 'stream' ? Buffer.concat(await (await upload.open()).toArray()).toString('latin1') : '';
    expect(body).toContain('name="disable_notification"\r\n\r\ntrue');
    expect(body).not.toContain('Secret words');
  });

  test('reuses the stored file after a restart', async () => {
    const telegram = await start();
    const work = await telegram.work('once');
    const first = await move(telegram, work, begun(telegram));
    const walk = await walkThrough(telegram, work, { from: { ...begun(telegram), checkpoint: first.checkpoint } });
    expect([walk.state, await inStorage(telegram)]).toEqual(['posted', 1]);
  });

  test.each(['bytes', 'bot'] as const)('stores the file again for other %s', async (what) => {
    const telegram = await start();
    const work = await telegram.work('once');
    const { checkpoint } = await move(telegram, work, begun(telegram));
    const other = videoOf(Buffer.from('another film'));
    const changed = what === 'bytes' ? { ...work, media: other } : work;
    const from = { ...begun(telegram), checkpoint: what === 'bot' ? { ...checkpoint, bot: '1' } : checkpoint };
    expect((await walkThrough(telegram, changed, { from })).state).toBe('posted');
    expect(await inStorage(telegram)).toBe(2);
    expect((await telegram.published())[0]?.sha256).toBe(changed.media.sha256);
  });

  test('spends one post per prepared send', async () => {
    const telegram = await start();
    await walkThrough(telegram, await telegram.work('once'));
    expect(telegram.spent).toEqual(['posts']);
  });

  test('returns the member URL for a private channel', async () => {
    const telegram = await start();
    await telegram.store.change<Chat>('chat', telegram.channelId, (chat) => {
      const { username: _gone, ...rest } = chat ?? ({} as Chat);
      return rest;
    });
    const tokens = await telegram.connect({ identifier: `${telegram.channelId} ${telegram.storageChat}` });
    const walk = await walkThrough(telegram, await telegram.workWith(tokens, 'inside'));
    expect(walk.published?.url).toBe(`${telegram.url}/web/c/${telegram.channelId.slice(4)}/42`);
    expect((await telegram.published())[0]?.url).toBe(walk.published?.url);
  });

  test('has no URL in a very large channel, and explains', async () => {
    const telegram = await start();
    await telegram.set({ convertsLater: true });
    const walk = await walkThrough(telegram, await telegram.work('later'));
    expect(walk).toMatchObject({
      state: 'posted',
      published: {
        remoteId: null,
        url: null,
        publishedAt: telegram.clock.now,
        detail: expect.stringContaining('converts'),
      },
    });
    expect(await telegram.published()).toHaveLength(1);
  });

  test('accepts larger files on a self-hosted server', async () => {
    const telegram = await start();
    await telegram.set({ localServer: true });
    const endpoints = { api: 'https://api.telegram.org', web: 'https://t.me' };
    const work = await telegram.work('large', { service: telegram.url, endpoints });
    expect((await walkThrough(telegram, work)).published?.url).toBe('https://t.me/nora_clips/42');
  });
});

describe('Telegram cover', () => {
  /** Returns the SHA-256 of the covers in the channel; null if a message has none. */
  const shown = async (telegram: Telegram) =>
    (await telegram.store.list<Message>('message', { limit: 50 }))
      .filter(({ value }) => value.chatId === telegram.channelId)
      .map(({ value }) => value.cover?.sha256 ?? null);

  test('is stored with the video and posted by id', async () => {
    const telegram = await start();
    const work = await telegram.work('with a picture');
    const walk = await walkThrough(telegram, work);
    const { bytes } = await work.media.cover();
    expect(await shown(telegram)).toEqual([createHash('sha256').update(bytes).digest('hex')]);
    expect(walk.notes).toContain('The video and its cover are in the storage chat.');
    expect((await telegram.published())[0]?.sha256).toBe(work.media.sha256);
  });

  test('is omitted when rejected, unavailable, or without storage chat', async () => {
    const refusing = await start();
    await refusing.set({ noCovers: true });
    const walk = await walkThrough(refusing, await refusing.work('plain'));
    expect([walk.state, await shown(refusing), sends(refusing)]).toEqual(['posted', [null], 3]);
    expect(walk.notes.join(' ')).toContain('Telegram did not accept the cover.');
    const lacking = await start();
    const media = filmOf(1_000, { cover: () => Promise.reject(new Error('No picture.')) });
    expect((await walkThrough(lacking, await lacking.work('plain', { media }))).state).toBe('posted');
    expect([await shown(lacking), sends(lacking)]).toEqual([[null], 2]);
    const straight = await start({ storage: false });
    expect((await walkThrough(straight, await straight.work('plain'))).state).toBe('posted');
    expect(await shown(straight)).toEqual([null]);
  });

  test('is omitted from the third send', async () => {
    const telegram = await start();
    const work = await telegram.work('third');
    const prepared = await walkTo(telegram, work, 'committing');
    for (const { key } of await telegram.store.list('photo', { limit: 5 })) await telegram.store.remove('photo', key);
    const walk = await walkThrough(telegram, work, { from: prepared });
    expect([walk.state, walk.sendKey, await shown(telegram), await inStorage(telegram)]).toEqual([
      'posted',
      3,
      [null],
      1,
    ]);
  });
});

describe('Telegram storage chat that is unusable', () => {
  test.each([
    ['the bot was put out of it', { status: 'kicked' }],
    ['the bot may not post there', { canPost: false }],
  ] as const)('is skipped with a note because %s', async (_name, change) => {
    const telegram = await start();
    const work = await telegram.work('straight');
    await telegram.member(telegram.storageChat, change);
    const walk = await walkThrough(telegram, work);
    expect([walk.state, (await telegram.published()).length]).toEqual(['posted', 1]);
    expect(walk.notes.join('\n')).toContain('The storage chat cannot be used.');
  });

  test('is skipped when it stores the video as another type', async () => {
    const telegram = await start();
    const work = await telegram.work('straight');
    await telegram.set({ silentVideos: true });
    const walk = await walkThrough(telegram, work);
    expect([walk.state, (await telegram.published())[0]?.text]).toEqual(['posted', 'straight']);
    expect(walk.published?.detail).toContain('without sound');
  });

  test('is followed when its group is upgraded', async () => {
    const telegram = await start();
    const group: Chat = { id: '-4001112223', type: 'group', title: 'Videos', lastMessage: 0 };
    await telegram.store.put('chat', group.id, group);
    await telegram.store.put('member', `${group.id} ${telegram.botId}`, { status: 'member', canPost: true });
    const tokens = await telegram.connect({ identifier: `${telegram.channel} ${group.id}` });
    const work = await telegram.workWith(tokens, 'moved');
    await telegram.store.put('chat', group.id, { ...group, migratedTo: telegram.storageChat });
    const walk = await walkThrough(telegram, work);
    expect([walk.state, await inStorage(telegram)]).toEqual(['posted', 1]);
    expect(walk.notes).toContain('The storage chat has a new id.');
  });
});

describe('Telegram rejection', () => {
  test.each([
    [400, 'VIDEO_CONTENT_TYPE_INVALID', 'video'],
    [400, 'CHAT_RESTRICTED', 'permission'],
    [400, 'have no rights to send a message', 'permission'],
    [403, 'CHAT_SEND_VIDEOS_FORBIDDEN', 'permission'],
    [400, 'SOMETHING_NEW', 'other'],
  ] as const)('of the channel with %i %s fails with its words', async (status, message, what) => {
    const telegram = await start();
    const work = await telegram.work('no');
    await telegram.store.change<Chat>('chat', telegram.channelId, (chat) =>
      chat ? { ...chat, sendRefusal: { status, message } } : undefined,
    );
    const walk = await walkThrough(telegram, work);
    expect(walk).toMatchObject({ state: 'failed', detail: expect.stringContaining(message) });
    expect(walk.code).toBe(
      { video: 'video_rejected', permission: 'permission_missing', other: 'platform_error' }[what],
    );
    expect([await telegram.published(), sends(telegram)]).toEqual([[], 2]);
  });

  const at: Record<string, Fault> = {
    '401': { kind: 'refusal', refusal: 'token-revoked' },
    '413': { kind: 'status', answer: { status: 413, body: '<html>413 Request Entity Too Large</html>' } },
  };

  test.each([
    [1, '401', { kind: 'reconnect', status: 401 }],
    [2, '401', { kind: 'reconnect', status: 401 }],
    [1, '413', { kind: 'rejected', what: 'video' }],
    [2, '413', { kind: 'rejected', what: 'video' }],
  ] as const)('of send %i with %s fails the post', async (nth, what, failure) => {
    const telegram = await start();
    const work = await telegram.work('no');
    telegram.faults.add({ when: nthSend(nth), fault: at[what] as Fault });
    expect(await walkThrough(telegram, work)).toMatchObject({ state: 'failed', failure });
    expect(await telegram.published()).toEqual([]);
  });

  test.each([
    [{ status: 'kicked' }, { kind: 'reconnect', status: 403 }],
    [{ status: 'left' }, { kind: 'reconnect', status: 403 }],
    [{ status: 'member' }, { kind: 'rejected', what: 'permission' }],
    [{ canPost: false }, { kind: 'rejected', what: 'permission' }],
  ] as const)('of a bot that became %j in the channel', async (change, failure) => {
    const telegram = await start();
    const work = await telegram.work('no');
    await telegram.member(telegram.channelId, change);
    expect(await walkThrough(telegram, work)).toMatchObject({ state: 'failed', failure });
    expect(await telegram.published()).toEqual([]);
  });

  test('of a long caption is reported as such', async () => {
    const telegram = await start();
    const walk = await walkThrough(telegram, await telegram.work('x'.repeat(1025)));
    expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'caption', status: 400, platformCode: '400' });
  });

  test('by a limit waits exactly, then posts once', async () => {
    const telegram = await start({ limits: true });
    const work = await telegram.work('soon');
    telegram.clock.now += 43_000;
    const minute = Math.floor(telegram.clock.now / 60_000);
    await telegram.store.put('rate', `${telegram.channelId} ${minute}`, 20);
    const walk = await walkThrough(telegram, work);
    expect([walk.state, (await telegram.published()).length, await inStorage(telegram)]).toEqual(['posted', 1, 1]);
    expect(telegram.clock.now % 60_000).toBe(0);
  });

  test('of a forgotten file stores it again after three sends', async () => {
    const telegram = await start();
    const work = await telegram.work('old');
    const prepared = await walkTo(telegram, work, 'committing');
    await telegram.set({ fileLifeMs: 1_000 });
    telegram.clock.now += 1_000;
    const failed = await walkTo(telegram, work, ({ sendKey }) => sendKey === 4, prepared);
    expect([failed.state, await inStorage(telegram)]).toEqual(['waiting', 1]);
    await telegram.set({});
    const walk = await walkThrough(telegram, work, { from: failed });
    expect([walk.state, await inStorage(telegram), (await telegram.published()).length]).toEqual(['posted', 2, 1]);
  });

  test('of a changed channel id follows the new id', async () => {
    const telegram = await start();
    const work = await telegram.work('moved');
    const prepared = await walkTo(telegram, work, 'committing');
    const moved: Chat = {
      id: '-1001111111111',
      type: 'channel',
      title: 'Moved',
      username: 'nora_moved',
      lastMessage: 6,
    };
    await telegram.store.put('chat', moved.id, moved);
    await telegram.store.put('member', `${moved.id} ${telegram.botId}`, { status: 'administrator', canPost: true });
    await telegram.store.change<Chat>('chat', telegram.channelId, (chat) => chat && { ...chat, migratedTo: moved.id });
    const walk = await walkThrough(telegram, work, { from: prepared });
    expect(walk.published).toMatchObject({ remoteId: '7', url: `${telegram.url}/web/nora_moved/7` });
    expect(await telegram.published()).toHaveLength(1);
  });

  test('of a removed bot is detected before the resend', async () => {
    const telegram = await start();
    const work = await telegram.work('gone');
    telegram.faults.add({ when: nthSend(2), times: 1, fault: { kind: 'refusal', refusal: 'rate-limited-with-wait' } });
    const waiting = await walkTo(telegram, work, ({ sendKey }) => sendKey === 2);
    await telegram.revokeBot();
    const walk = await walkThrough(telegram, work, { from: waiting });
    expect([walk.failure?.kind, sends(telegram)]).toEqual(['reconnect', 2]);
  });

  test('does not apply when the video cannot be read', async () => {
    const telegram = await start({ storage: false });
    const media = { ...videoOf(Buffer.alloc(1_000)), stream: () => Promise.resolve(Readable.from(['short'])) };
    const walk = await walkTo(telegram, await telegram.work('no', { media }), ({ sendKey }) => sendKey === 2);
    expect([walk.state, walk.notes.at(-1)]).toEqual([
      'waiting',
      'The request did not reach the platform (source_short).',
    ]);
    expect(await telegram.published()).toEqual([]);
  });
});

describe('Telegram token', () => {
  test('is in every URL but never in logs or messages', async () => {
    const telegram = await start();
    const told: unknown[] = [];
    const http = createHttp({
      guard: createAddressGuard([], [new URL(telegram.url).origin]),
      observe: (call) => told.push(call),
    });
    const context = { ...telegram.context, http: http.request };
    const tokens = await connector.credentials.open(context, {
      identifier: `${telegram.channel} ${telegram.storageChat}`,
      secret: telegram.token,
    });
    told.push(await connector.identify(context, tokens));
    const { token } = telegram;
    const leaky = {
      status: 400,
      body: { ok: false, error_code: 400, description: `Bad Request: https://x/bot${token}/y ${token}` },
    };
    const faults: Fault[] = [
      { kind: 'reset-before' },
      { kind: 'reset-after' },
      { kind: 'garbage', acted: false },
      { kind: 'redirect', status: 307 },
      { kind: 'refusal', refusal: 'rate-limited-with-wait' },
      { kind: 'refusal', refusal: 'token-revoked' },
      { kind: 'refusal', refusal: 'server-error' },
      { kind: 'status', answer: leaky },
    ];
    for (const nth of [1, 2])
      for (const fault of faults) {
        const work = await telegram.workWith(tokens, 'secret', { http: http.request });
        telegram.faults.add({ when: nthSend(nth), times: 1, fault });
        const walk = await walkThrough({ ...telegram, http }, work, { maxMoves: 8 });
        const { checkpoint: _sealed, ...shown } = walk;
        told.push(shown);
        telegram.faults.clear();
      }
    for (const fault of faults) {
      telegram.faults.add({ when: () => true, times: 1, fault });
      const opening = connector.credentials.open(context, { identifier: telegram.channel, secret: token });
      told.push(await failureOf(opening), describeError(await opening.catch((error: unknown) => error)));
      telegram.faults.clear();
    }
    http.close();
    expect(telegram.requests.every(({ path }) => path.includes(token))).toBe(true);
    const all = JSON.stringify(told);
    expect(all.length).toBeGreaterThan(5_000);
    expect(all).toContain('/…/sendVideo');
    for (const part of [token, token.split(':')[1] ?? '', encodeURIComponent(token)]) expect(all).not.toContain(part);
  });
});
