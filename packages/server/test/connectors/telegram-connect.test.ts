import type { Chat } from '@reelay/sandbox/platforms/telegram/records.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/telegram/index.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp, type HttpClient } from '../../src/outbound/http-client.ts';
import { isSend, startTelegram, type Telegram } from './telegram-driver.ts';
import { failureOf, walkThrough } from './walk.ts';

const start = closedAfterTest(startTelegram);
const identified = async (telegram: Telegram, input: Record<string, string> = {}) =>
  connector.identify(telegram.context, await telegram.connect(input));
const methods = ({ requests }: Telegram) => requests.map(({ path }) => path.split('/').at(-1));

describe('Telegram connection', () => {
  test('takes a bot token and a channel and checks rights', async () => {
    const telegram = await start({ storage: false });
    const tokens = await telegram.connect({ identifier: telegram.channel });
    expect(tokens).toEqual({
      secret: { token: telegram.token, channel: telegram.channelId, storage: '' },
      scopes: [],
      expiresIn: null,
      refreshExpiresIn: null,
      service: '',
    });
    expect(await connector.identify(telegram.context, tokens)).toEqual({
      remoteId: telegram.channelId,
      globalId: true,
      extra: { reader: telegram.botId, publicName: 'nora_clips' },
      username: '@nora_clips',
      displayName: 'Nora clips',
      avatarUrl: '',
      capabilities: connector.capabilities,
      service: '',
    });
    expect(methods(telegram)).toEqual(['getMe', 'getChat', 'getChat', 'getChatMember']);
  });

  test('keeps the channel id exact', async () => {
    const telegram = await start();
    const body = '{"ok":true,"result":{"id":-1004503599627370495,"type":"channel","title":"Far"}}';
    const when = ({ path }: { path: string }) => path.endsWith('/getChat');
    telegram.faults.add({ when, fault: { kind: 'status', answer: { status: 200, body } } });
    expect((await telegram.connect({ identifier: '@far_off' })).secret.channel).toBe('-1004503599627370495');
  });

  test('identifies a private channel by id and shows its title', async () => {
    const telegram = await start();
    await telegram.store.change<Chat>('chat', telegram.channelId, (chat) => {
      const { username: _gone, ...rest } = chat ?? ({} as Chat);
      return rest;
    });
    for (const identifier of [telegram.channelId, `https://t.me/c/${telegram.channelId.slice(4)}/17`])
      expect(await identified(telegram, { identifier })).toMatchObject({
        remoteId: telegram.channelId,
        username: 'Nora clips',
        extra: { publicName: '' },
      });
  });

  test('keeps the account when the channel is renamed', async () => {
    const telegram = await start();
    const tokens = await telegram.connect();
    await telegram.store.change<Chat>('chat', telegram.channelId, (chat) => chat && { ...chat, username: 'nora_new' });
    await telegram.store.remove('name', 'nora_clips');
    expect(await connector.identify(telegram.context, tokens)).toMatchObject({
      remoteId: telegram.channelId,
      username: '@nora_new',
    });
  });

  test.each(['', 'hunter2', '7000000001:short', '7000000001:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe'])(
    'rejects the token "%s" without a call',
    async (secret) => {
      const telegram = await start();
      const failure = await failureOf(telegram.connect({ secret }));
      expect(failure).toMatchObject({ kind: 'setup', detail: { code: 'telegram.token_malformed' } });
      expect(telegram.requests).toEqual([]);
    },
  );

  test('reports an unknown token without showing it', async () => {
    const telegram = await start();
    const secret = '7000000001:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
    const failure = await failureOf(telegram.connect({ secret }));
    expect(failure).toMatchObject({ kind: 'rejected', what: 'permission', status: 401 });
    expect(JSON.stringify(failure)).not.toContain('AAHdq');
  });

  test.each([
    [
      '@nobody_here',
      { kind: 'reconnect', detail: { code: 'platform_says', params: { words: 'Bad Request: chat not found' } } },
    ],
    ['@a', { kind: 'setup' }],
    ['', { kind: 'setup' }],
    ['@one_chat @two_chat @three_chat', { kind: 'setup', detail: { code: 'telegram.too_many_chats' } }],
  ])('rejects the channel "%s"', async (identifier, expected) => {
    const telegram = await start();
    expect(await failureOf(telegram.connect({ identifier }))).toMatchObject(expected);
  });

  test.each([
    [{ canPost: false }, { code: 'telegram.not_admin' }],
    [{ status: 'member' }, { code: 'telegram.not_admin' }],
    [{ status: 'kicked' }, { text: expect.stringContaining('bot was kicked') }],
  ] as const)('reports a bot that is %j in the channel', async (change, detail) => {
    const telegram = await start();
    await telegram.member(telegram.channelId, change);
    expect(await failureOf(identified(telegram))).toMatchObject({ kind: 'reconnect', detail });
  });

  test('rejects any chat that is not a channel', async () => {
    const telegram = await start();
    await telegram.store.change<Chat>('chat', telegram.channelId, (chat) => chat && { ...chat, type: 'supergroup' });
    expect(await failureOf(identified(telegram))).toMatchObject({
      kind: 'setup',
      detail: { code: 'telegram.not_channel', text: expect.stringContaining('is not a channel') },
    });
  });

  test('reports a revoked token when reading the account', async () => {
    const telegram = await start();
    const tokens = await telegram.connect();
    await telegram.revokeBot();
    expect(await failureOf(connector.identify(telegram.context, tokens))).toMatchObject({
      kind: 'reconnect',
      status: 401,
    });
  });

  test.each(['server-error', 'html', 'rubbish', 'reset'] as const)(
    'treats a failing server as transient (%s)',
    async (how) => {
      const telegram = await start();
      const when = () => true;
      if (how === 'server-error') telegram.faults.add({ when, fault: { kind: 'refusal', refusal: how } });
      else if (how === 'html')
        telegram.faults.add({
          when,
          fault: { kind: 'status', answer: { status: 403, body: '<html>Just a moment</html>' } },
        });
      else if (how === 'rubbish') telegram.faults.add({ when, fault: { kind: 'garbage', acted: false } });
      else telegram.faults.add({ when, fault: { kind: 'reset-before' } });
      expect(await failureOf(telegram.connect())).toMatchObject({ kind: 'transient' });
    },
  );
});

describe('Telegram storage chat', () => {
  test('is given after the channel and stored by id', async () => {
    const telegram = await start();
    for (const between of [' ', ', ', '\n'])
      expect(
        (await telegram.connect({ identifier: `${telegram.channel}${between}${telegram.storageChat}` })).secret,
      ).toEqual({
        token: telegram.token,
        channel: telegram.channelId,
        storage: telegram.storageChat,
      });
  });

  test('is followed when its group was upgraded', async () => {
    const telegram = await start();
    const group: Chat = {
      id: '-4001112223',
      type: 'group',
      title: 'Videos',
      lastMessage: 0,
      migratedTo: telegram.storageChat,
    };
    await telegram.store.put('chat', group.id, group);
    await telegram.store.put('member', `${group.id} ${telegram.botId}`, { status: 'member', canPost: true });
    const tokens = await telegram.connect({ identifier: `${telegram.channel} ${group.id}` });
    expect(tokens.secret.storage).toBe(telegram.storageChat);
  });

  test('must be another private chat that the bot can use', async () => {
    const telegram = await start();
    const named = (storage: string) => failureOf(telegram.connect({ identifier: `${telegram.channel} ${storage}` }));
    expect(await named(telegram.channelId)).toMatchObject({
      kind: 'setup',
      detail: { code: 'telegram.storage_is_channel' },
    });
    await telegram.simulator.enrol('wanda');
    expect(await named('@wanda')).toMatchObject({ kind: 'setup', detail: { code: 'telegram.storage_public' } });
    await telegram.member(telegram.storageChat, { canPost: false });
    expect(await named(telegram.storageChat)).toMatchObject({
      kind: 'setup',
      detail: { code: 'telegram.storage_not_writable' },
    });
  });

  test('may be a group or a chat with the owner', async () => {
    const telegram = await start();
    const chats: Chat[] = [
      { id: '5551112223', type: 'private', title: 'Nora', username: 'nora_r', lastMessage: 0 },
      { id: '-4001112223', type: 'group', title: 'Videos', lastMessage: 0 },
    ];
    for (const chat of chats) {
      await telegram.store.put('chat', chat.id, chat);
      await telegram.store.put('member', `${chat.id} ${telegram.botId}`, { status: 'member', canPost: true });
      const tokens = await telegram.connect({ identifier: `${telegram.channel} ${chat.id}` });
      expect(tokens.secret.storage).toBe(chat.id);
    }
  });
});

describe('Telegram shared storage chat', () => {
  const common = (telegram: Telegram, storageChat: string) => ({ ...telegram.context, settings: { storageChat } });
  const alone = (telegram: Telegram) => telegram.connect({ identifier: telegram.channel });

  test('serves accounts without their own', async () => {
    const telegram = await start();
    const facts = await connector.identify(common(telegram, telegram.storageChat), await alone(telegram));
    expect(facts.extra).toEqual({ reader: telegram.botId, publicName: 'nora_clips', storage: telegram.storageChat });
    const work = await telegram.workWith(await alone(telegram), 'laid down', { extra: facts.extra ?? {} });
    const walk = await walkThrough(telegram, work);
    expect(walk.notes).toContain('The video and its cover are in the storage chat.');
    expect(await telegram.published()).toHaveLength(1);
    const own = await connector.identify(common(telegram, '@elsewhere'), await telegram.connect());
    expect(own.extra).toEqual({ reader: telegram.botId, publicName: 'nora_clips' });
  });

  test.each(['is unknown to the bot', 'is the channel', 'is public', 'may not be written in'])(
    'that %s is ignored and the account still connects',
    async (how) => {
      const telegram = await start();
      await telegram.simulator.enrol('wanda');
      if (how === 'may not be written in') await telegram.member(telegram.storageChat, { canPost: false });
      const named = { 'is unknown to the bot': '@nobody', 'is the channel': telegram.channel, 'is public': '@wanda' };
      const context = common(telegram, named[how as keyof typeof named] ?? telegram.storageChat);
      expect((await connector.identify(context, await alone(telegram))).extra).toEqual({
        reader: telegram.botId,
        publicName: 'nora_clips',
      });
    },
  );

  test('is checked again after a temporary error', async () => {
    const telegram = await start();
    const tokens = await alone(telegram);
    let looks = 0;
    const when = ({ path }: { path: string }) => path.endsWith('/getChat') && ++looks === 2;
    telegram.faults.add({ when, fault: { kind: 'refusal', refusal: 'server-error' } });
    const failure = await failureOf(connector.identify(common(telegram, telegram.storageChat), tokens));
    expect(failure).toMatchObject({ kind: 'transient' });
  });

  test('is not used when it is the channel itself', async () => {
    const telegram = await start();
    const extra = { storage: telegram.channelId };
    const walk = await walkThrough(telegram, await telegram.workWith(await alone(telegram), 'once', { extra }));
    expect([walk.state, walk.sendKey, (await telegram.published()).length]).toEqual(['posted', 1, 1]);
    expect(telegram.requests.filter(isSend)).toHaveLength(1);
  });
});

describe('Self-hosted Bot API server', () => {
  test('of the operator is the default, with its own limits', async () => {
    const telegram = await start();
    const most = async (given: { service?: string; apiUrl?: string }) => {
      const endpoints = {
        ...telegram.context.endpoints,
        api: given.apiUrl ? telegram.url : 'https://api.telegram.org',
      };
      const settings: Record<string, string> = given.apiUrl ? { apiUrl: given.apiUrl } : {};
      const secret = { token: telegram.token, channel: telegram.channelId, storage: '' };
      const http: HttpClient = (request) =>
        telegram.context.http({ ...request, url: request.url.replace('https://api.telegram.org', telegram.url) });
      const service = given.service ?? '';
      const tokens = { secret, scopes: [], expiresIn: null, refreshExpiresIn: null, service };
      return (await connector.identify({ ...telegram.context, endpoints, settings, http }, tokens)).capabilities.video
        .maxBytes;
    };
    expect(await most({})).toBe(49_000_000);
    expect(await most({ apiUrl: telegram.url })).toBe(1_990_000_000);
    expect(await most({ apiUrl: 'https://api.telegram.org' })).toBe(49_000_000);
    expect(await most({ apiUrl: telegram.url, service: 'https://api.telegram.org' })).toBe(49_000_000);
  });

  test("replaces Telegram's and accepts larger videos", async () => {
    const telegram = await start();
    const context = { ...telegram.context, endpoints: { api: 'https://api.telegram.org', web: 'https://t.me' } };
    const { identifier, secret } = { identifier: telegram.channel, secret: telegram.token };
    const tokens = await connector.credentials.open(context, { identifier, secret, service: `${telegram.url}/` });
    expect(tokens.service).toBe(telegram.url);
    const facts = await connector.identify(context, tokens);
    expect(facts).toMatchObject({
      service: telegram.url,
      globalId: false,
      capabilities: { video: { maxBytes: 1_990_000_000 } },
    });
  });

  test("with Telegram's own URL counts as none", async () => {
    const telegram = await start();
    expect((await telegram.connect({ service: `${telegram.url}/` })).service).toBe('');
  });

  test.each(['ftp://host.example', 'http://a:b@host.example', 'https://'])('rejects the URL "%s"', async (service) => {
    const telegram = await start();
    expect(await failureOf(telegram.connect({ service }))).toMatchObject({ kind: 'setup' });
    expect(telegram.requests).toEqual([]);
  });

  test.each([
    ['http://10.0.0.7:8081', 'server_not_https'],
    ['https://10.0.0.7:8081', 'server_private'],
  ])("in a private network requires the operator's permission: %s", async (service, code) => {
    const telegram = await start();
    const http = createHttp({ guard: createAddressGuard([], []) });
    const context = { ...telegram.context, http: http.request };
    const opening = connector.credentials.open(context, { identifier: '@nora_clips', secret: telegram.token, service });
    expect(await failureOf(opening)).toMatchObject({
      kind: 'setup',
      detail: { code, params: { host: '10.0.0.7:8081' }, text: expect.stringContaining('ALLOWED_PRIVATE_HOSTS') },
    });
    http.close();
  });

  test('that is not a Bot API server is reported', async () => {
    const telegram = await start({ wire: false });
    const service = telegram.url.replace(/\/sandbox.*/, '/elsewhere');
    expect(await failureOf(telegram.connect({ service }))).toMatchObject({ kind: 'setup', status: 404 });
  });
});

test('tokens are neither refreshed nor revoked', () => {
  expect(connector.credentials).not.toHaveProperty('refresh');
  expect(connector.credentials).not.toHaveProperty('revoke');
});
