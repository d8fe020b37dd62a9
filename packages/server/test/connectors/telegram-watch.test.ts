import type { UpdateQueue } from '@reelay/sandbox/platforms/telegram/records.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { FILM, phoneOf } from '../../../sandbox/test/harness/phone.ts';
import type { JsonObject, Session, WatchPosition } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/telegram/index.ts';
import { describeWatch } from '../suites/watch.ts';
import { startTelegram } from './telegram-driver.ts';
import { failureOf, walkThrough } from './walk.ts';

const { watch } = connector;
const start = closedAfterTest(startTelegram);
const FIRST: WatchPosition = { cursor: '', since: 0, mark: null };

async function watched(overrides: Parameters<typeof startTelegram>[0] = {}) {
  const telegram = await start(overrides);
  const session = await telegram.open(await telegram.connect());
  const list = (mark: JsonObject | null = null) => watch.list(session, { ...FIRST, mark });
  const offer = (...updates: object[]) =>
    telegram.store.change<UpdateQueue>('updates', telegram.botId, (known) => {
      const queue = known ?? { nextId: 1, allowed: [], updates: [] };
      const times = { id: null, visibleAt: telegram.clock.now, expiresAt: telegram.clock.now + 60_000 };
      return {
        ...queue,
        updates: [
          ...queue.updates,
          ...updates.map((content) => ({ ...times, kind: 'channel_post' as const, content: content as JsonObject })),
        ],
      };
    });
  return { ...telegram, session, list, offer, phone: phoneOf(telegram, 'nora_clips') };
}

const message = (id: number, more: object = {}) => ({
  message_id: id,
  chat: { id: -1001234567890, type: 'channel', title: 'Nora', username: 'nora' },
  date: 1_795_000_000,
  video: { file_id: `BAAC${id}`, duration: 12, width: 1080, height: 1920 },
  ...more,
});

const startPlain = closedAfterTest(startTelegram);

describeWatch({
  platform: 'telegram',
  username: 'nora_clips',
  pageSize: 20,
  backdates: false,
  rereads: false,
  listsOurs: false,
  keepsFiles: true,
  isList: ({ path }) => path.endsWith('/getUpdates'),
  async start() {
    const drive = await startPlain();
    return { drive, work: await drive.work('made with Reelay') };
  },
});

describe('watching a Telegram channel', () => {
  test('finds posts of the app, newest first', async () => {
    const { list, phone, channelId, clock, url } = await watched();
    await phone.post('Sunset\n#sea https://example.org');
    const { id } = await phone.post('', { durationMs: 61_000 });
    const { posts, next } = await list();
    expect(posts[1]).toEqual({
      remoteId: '42',
      account: channelId,
      publishedAt: clock.now,
      text: 'Sunset\n#sea https://example.org',
      url: `${url}/web/nora_clips/42`,
      durationMs: 12_000,
      width: 1080,
      height: 1920,
      isPublic: true,
      file: { fileId: expect.stringMatching(/^BAAC/), smaller: '' },
    });
    expect(posts[0]).toMatchObject({ remoteId: connector.canonicalId(id), text: '', durationMs: 61_000 });
    expect(next).toBe('');
  });

  test('confirms updates only with the stored mark', async () => {
    const { list, phone } = await watched();
    await phone.post('one');
    await phone.post('two');
    const first = await list();
    expect((await list()).posts).toEqual(first.posts);
    await phone.post('three');
    const later = await list(first.mark);
    expect(later.posts.map(({ text }) => text)).toEqual(['three']);
    const last = await list(later.mark);
    expect([last.posts, last.mark]).toEqual([[], undefined]);
  });

  test('asks for another check after a full page', async () => {
    const { list, phone } = await watched();
    for (let i = 0; i < 21; i++) await phone.post(`${i}`);
    const first = await list();
    expect([first.posts.length, first.more]).toEqual([20, true]);
    const rest = await list(first.mark);
    expect([rest.posts.length, rest.more]).toEqual([1, false]);
  });

  test('stops if the server ignores the offset', async () => {
    const { list, faults } = await watched();
    const result = Array.from({ length: 20 }, (_, i) => ({ update_id: 7 + i, channel_post: message(1 + i) }));
    const response = { status: 200, body: { ok: true, result } };
    faults.add({
      when: ({ path }) => path.endsWith('/getUpdates'),
      times: 2,
      fault: { kind: 'status', answer: response },
    });
    const first = await list();
    const again = await list(first.mark);
    expect([first.more, again.more, again.mark?.offset]).toEqual([true, false, 27]);
    const odd = result.map(({ channel_post }) => ({ channel_post }));
    faults.add({
      when: () => true,
      times: 1,
      fault: { kind: 'status', answer: { ...response, body: { ok: true, result: odd } } },
    });
    const without = await list();
    expect([without.posts.length, without.mark, without.more]).toEqual([20, undefined, false]);
  });

  test('ignores a mark of yesterday, because ids may restart', async () => {
    const { list, phone, clock, store, botId } = await watched();
    await phone.post('one');
    const { mark } = await list();
    clock.now += 86_400_000;
    await list(mark);
    await store.change<UpdateQueue>('updates', botId, (known) => known && { ...known, nextId: 17 });
    await phone.post('two');
    expect((await list(mark)).posts.map(({ text }) => text)).toEqual(['two']);
  });

  test("does not see the bot's own posts", async () => {
    const telegram = await watched();
    const walk = await walkThrough(telegram, await telegram.work('from Reelay'));
    expect(walk.state).toBe('posted');
    expect((await telegram.list()).posts).toEqual([]);
  });

  test('sees the latest version of an edited post once', async () => {
    const { list, phone, clock } = await watched();
    const { id } = await phone.post('before');
    const { mark } = await list();
    const publishedAt = clock.now;
    clock.now += 60_000;
    await phone.edit(id, 'after');
    await phone.edit(id, 'finally');
    const edited = { remoteId: '42', text: 'finally', publishedAt };
    expect((await list()).posts).toMatchObject([edited]);
    expect((await list(mark)).posts).toMatchObject([edited]);
  });

  test('marks posts of a private channel as not public', async () => {
    const { list, phone, channelId } = await watched();
    await phone.post('for few', { audience: 'limited' });
    const [post] = (await list()).posts;
    expect(post?.isPublic).toBe(false);
    expect(post?.account).not.toBe(channelId);
  });

  test('reports an album once, and that it cannot be reposted', async () => {
    const { list, offer } = await watched();
    const album = { media_group_id: '13579' };
    await offer(message(7, album), message(8, { ...album, caption: 'Two at once' }), message(9));
    const { posts } = await list();
    expect(posts.map(({ remoteId, text, problem }) => [remoteId, text, problem?.code])).toEqual([
      ['9', '', undefined],
      ['7', 'Two at once', 'post_is_album'],
    ]);
  });

  test('skips shares, other messages and malformed ones', async () => {
    const { list, offer } = await watched();
    const group = { id: -4001, type: 'supergroup', title: 'Group' };
    await offer(
      message(1, { forward_origin: { type: 'channel' } }),
      message(2, { forward_date: 1_795_000_000 }),
      message(3, { video: undefined, text: 'words only' }),
      message(4, { video: undefined, document: { file_id: 'BQAC' } }),
      message(5, { chat: group }),
      message(6, { message_id: undefined }),
      message(7, { video: {} }),
      {},
      message(8, { date: undefined, video: { file_id: 'BAAC8' } }),
    );
    const { posts, mark } = await list();
    expect(posts).toMatchObject([
      { remoteId: '8', publishedAt: null, durationMs: null, width: null, height: null, isPublic: true },
    ]);
    expect(mark).toMatchObject({ offset: 10 });
  });

  test.each([
    ["can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"],
    ['terminated by other getUpdates request; make sure that only one bot instance is running'],
  ])('fails when another program reads: "%s"', async (words) => {
    const { list, faults } = await watched();
    const body = { ok: false, error_code: 409, description: `Conflict: ${words}` };
    const when = ({ path }: { path: string }) => path.endsWith('/getUpdates');
    faults.add({ when, fault: { kind: 'status', answer: { status: 409, body } } });
    const failure = await failureOf(list());
    expect(failure).toMatchObject({ kind: 'setup', status: 409 });
    expect(failure?.detail.text).toContain(words);
  });

  test('fails for a revoked token or an invalid response', async () => {
    const { list, faults, revokeBot } = await watched();
    for (const body of ['<html>', { ok: true, result: {} }, { ok: true }] as (string | JsonObject)[]) {
      faults.add({ when: () => true, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
      expect(await failureOf(list())).toMatchObject({ kind: 'transient' });
    }
    await revokeBot();
    expect(await failureOf(list())).toMatchObject({ kind: 'reconnect', revoked: true });
  });

  test('groups accounts by bot, and by self-hosted server', async () => {
    const telegram = await start();
    const tokens = await telegram.connect();
    const readerOf = async (service: string) => {
      const { remoteId, extra = {} } = await connector.identify(telegram.context, { ...tokens, service });
      return watch.reader?.({ remoteId, extra });
    };
    expect(await readerOf('')).toBe(telegram.botId);
    expect(await readerOf(telegram.url)).toBe(`${telegram.url} ${telegram.botId}`);
    expect(watch.reader?.({ remoteId: '-1001', extra: {} })).toBe('');
  });
});

describe('file of a Telegram post', () => {
  const found = async (telegram: Awaited<ReturnType<typeof watched>>, session: Session = telegram.session) => {
    const [post] = (await telegram.list()).posts;
    if (!post) throw new Error('No post was found.');
    return watch.file?.(session, post);
  };

  test('has the bytes that the app posted', async () => {
    const telegram = await watched();
    await telegram.phone.post('one');
    const file = await found(telegram);
    if (file?.found !== 'file') throw new Error('No file was found.');
    expect(Buffer.from(await (await fetch(file.url)).arrayBuffer()).equals(FILM)).toBe(true);
  });

  const LARGE = Buffer.alloc(20 * 1024 * 1024 + 1);

  test('above 20 MB needs an own server', async () => {
    const telegram = await watched();
    await telegram.phone.post('large', { bytes: LARGE });
    expect(await found(telegram)).toMatchObject({
      found: 'none',
      why: { code: 'telegram.file_too_large', text: expect.stringContaining('TELEGRAM_API_URL') },
    });
  });

  test('above 20 MB is replaced by the largest small variant', async () => {
    const telegram = await watched();
    const variant = { codec: 'h264', width: 480, height: 854, bytes: 700 };
    const qualities = [
      variant,
      { ...variant, bytes: 900 },
      { ...variant, bytes: 1_000, codec: 'av01' },
      { ...variant, bytes: LARGE.length },
    ];
    await telegram.set({ qualities });
    await telegram.phone.post('large', { bytes: LARGE });
    const file = await found(telegram);
    if (file?.found !== 'file') throw new Error('No file was found.');
    expect((await (await fetch(file.url)).arrayBuffer()).byteLength).toBe(900);
  });

  test('is fetched below /file from a local server', async () => {
    const telegram = await watched();
    await telegram.set({ localServer: true });
    await telegram.phone.post('large', { bytes: LARGE });
    const file = await found(telegram);
    expect(file).toMatchObject({ found: 'file', url: expect.stringContaining(`/file/bot${telegram.token}/videos/`) });
    await telegram.set({ localServer: true, filesNotServed: true });
    expect(await found(telegram)).toMatchObject({ found: 'none', why: { code: 'telegram.file_not_served' } });
    const other = { ok: true, result: { file_path: '/srv/elsewhere/video.mp4' } };
    const when = ({ path }: { path: string }) => path.endsWith('/getFile');
    telegram.faults.add({ when, fault: { kind: 'status', answer: { status: 200, body: other } } });
    expect(await found(telegram)).toMatchObject({ found: 'none', why: { code: 'telegram.file_not_served' } });
  });

  test('that is unavailable is retried', async () => {
    const telegram = await watched();
    await telegram.phone.post('one');
    await telegram.set({ fileLifeMs: 0 });
    const failure = await failureOf(found(telegram));
    expect(failure).toMatchObject({ kind: 'transient' });
    expect(failure?.detail.text).toContain('temporarily unavailable');
  });
});
