import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addAccount } from '../harness/rows.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';
import { failPost } from '../notifications/world.ts';
import { type Browser, createBrowser, type Receiver, startReceiver } from './receiver.ts';
import { PATHS, SECOND, TELEGRAM_TOKEN } from './world.ts';

const PATH = '/user/notification-channels';

let receiver: Receiver;
let service: TestService;
let user: SessionUser;
let browser: Browser;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({
    config: { sandbox: false, allowedPrivateHosts: [receiver.host] },
    overrides: { botApi: receiver.url },
  });
});
beforeEach(async () => {
  user = await service.newSession();
  browser = createBrowser();
});
afterEach(() => {
  for (const path of Object.values(PATHS)) receiver.answer(path, null);
  receiver.requests.length = 0;
});
afterAll(async () => {
  await service.close();
  await receiver[Symbol.asyncDispose]();
});

const bodies = () => ({
  push: { kind: 'push', name: 'My phone', url: `${receiver.url}/push/device-secret`, keys: browser.keys },
  ntfy: { kind: 'ntfy', name: 'Topic', url: `${receiver.url}/topic-secret`, token: 'tk_ntfy_secret' },
  discord: { kind: 'discord', name: 'Discord', url: `${receiver.url}/api/webhooks/1/discord-secret` },
  slack: { kind: 'slack', name: 'Slack', url: `${receiver.url}/services/T0/B0/slack-secret` },
  telegram: { kind: 'telegram', name: 'Chat', token: TELEGRAM_TOKEN, chatId: '42' },
});
const add = async (kind: keyof ReturnType<typeof bodies>) => (await user.post(PATH, bodies()[kind])).body.data;
const list = async () => (await user.get(PATH)).body;

test('a failed post reaches every kind without showing secrets', async () => {
  const kinds = ['push', 'ntfy', 'discord', 'slack', 'telegram'] as const;
  const responses: unknown[] = [];
  for (const kind of kinds) responses.push(await add(kind));
  const account = await addAccount(service.db, user.userId);
  await failPost(service.db, user.userId, [account]);
  const gathered = () => service.db.query('select from notification_delivery');
  await expect.poll(async () => (await gathered()).length).toBe(5);
  await service.db.clock.advance(10 * SECOND);
  const reached = () => Object.values(PATHS).filter((path) => receiver.requests.some((each) => each.path === path));
  await expect.poll(() => reached().length).toBe(5);
  await expect.poll(async () => (await gathered()).length).toBe(0);
  for (const kind of kinds) receiver.answer(PATHS[kind], { status: 401, body: 'secret of the server' });
  const shown = await list();
  for (const { id } of shown.data) responses.push((await user.post(`${PATH}/${id}/test`)).body);
  responses.push(shown, await list());
  expect(shown.data).toMatchObject(
    kinds.map((kind) => ({ kind, host: '127.0.0.1', lastSentAt: expect.any(String), failure: null, stopped: false })),
  );
  const all = JSON.stringify([responses, service.logged]);
  expect(all).toContain('notifications_sent');
  for (const secret of [...Object.values(browser.keys), TELEGRAM_TOKEN, 'secret of', '-secret', 'tk_ntfy'])
    expect(all.includes(secret), secret).toBe(false);
});

test('a device added again keeps its place and name', async () => {
  const first = await add('push');
  const second = await add('push');
  const [only, ...rest] = (await list()).data;
  expect([only.id, rest]).toEqual([second.id, []]);
  expect([first.device, first.id]).toEqual([second.device, expect.not.stringContaining(second.id)]);
  const moved = await user.post(PATH, {
    ...bodies().push,
    name: 'push.example',
    url: `${receiver.url}/push/other`,
    replaces: bodies().push.url,
  });
  const { id, name } = moved.body.data;
  expect((await list()).data.map((each: { id: string }) => each.id)).toEqual([id]);
  expect(name).toBe(second.name);
});

test('a user has at most ten channels', async () => {
  const responses = await Promise.all(Array.from({ length: 13 }, () => user.post(PATH, bodies().slack)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(responses.find(({ status }) => status !== 200)?.body.code).toBe('too_many_channels');
  const { data } = await list();
  expect((await user.call('DELETE', `${PATH}/${data[0].id}`)).status).toBe(200);
  expect((await user.post(PATH, bodies().ntfy)).status).toBe(200);
});

test('tests are limited', async () => {
  const { id } = await add('slack');
  for (let sent = 0; sent < 20; sent++) expect((await user.post(`${PATH}/${id}/test`)).status).toBe(200);
  const refused = await user.post(`${PATH}/${id}/test`);
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(receiver.take(PATHS.slack)).toHaveLength(20);
});

test('a failure is shown in the language of the user', async () => {
  const { id } = await add('slack');
  receiver.answer(PATHS.slack, { status: 404 });
  expect((await user.post(`${PATH}/${id}/test`)).body.data).toMatchObject({
    stopped: true,
    failure: { detail: expect.stringContaining('127.0.0.1 does not accept messages for this address (HTTP 404).') },
  });
  const german = await user.call('GET', PATH, { headers: { 'accept-language': 'de' } });
  expect(german.body.data[0].failure.detail).toContain('127.0.0.1 nimmt keine Nachrichten für diese Adresse an');
});

test('a failed test says that it is not repeated', async () => {
  const { id } = await add('slack');
  receiver.answer(PATHS.slack, { status: 503 });
  expect((await user.post(`${PATH}/${id}/test`)).body.data).toMatchObject({
    stopped: false,
    failure: { detail: '127.0.0.1 reported an error (HTTP 503). A test is not repeated.' },
  });
  const german = await user.call('GET', PATH, { headers: { 'accept-language': 'de' } });
  expect(german.body.data[0].failure.detail).toMatch(/\(HTTP 503\)\. Ein Test wird nicht wiederholt\.$/);
});

test('a test removes a device that is gone', async () => {
  const { id } = await add('push');
  receiver.answer(PATHS.push, { status: 410 });
  const tested = await user.post(`${PATH}/${id}/test`);
  expect([tested.status, tested.body.code]).toEqual([404, 'unknown_channel']);
  expect((await list()).data).toEqual([]);
});

test('another user has no access to a channel', async () => {
  const { id } = await add('slack');
  const other = await service.newSession();
  expect((await other.get(PATH)).body.data).toEqual([]);
  expect((await other.call('DELETE', `${PATH}/${id}`)).body.code).toBe('unknown_channel');
  expect((await other.post(`${PATH}/${id}/test`)).body.code).toBe('unknown_channel');
  expect((await other.post(`${PATH}/nothing/test`)).body.code).toBe('unknown_channel');
  expect((await list()).data).toHaveLength(1);
});

describe('an address is refused', () => {
  test.each([
    ['http://example.org/hook', 'must be a public address with https'],
    ['https://127.0.0.1/hook', 'must be a public address with https'],
    ['https://[::1]/hook', 'must be a public address with https'],
    ['https://169.254.169.254/latest/meta-data', 'must be a public address with https'],
    ['https://example.org:22/hook', 'must be a public address with https'],
    ['https://user:password@example.org/hook', 'must be a URL'],
    ['ftp://example.org/hook', 'must be a URL'],
    ['hook', 'must be a URL'],
  ])('such as %s', async (url, problem) => {
    const { status, body } = await user.post(PATH, { kind: 'discord', name: 'X', url });
    expect([status, body.code, body.field?.path]).toEqual([400, 'invalid_request', 'url']);
    expect(body.message).toContain(problem);
    expect((await list()).data).toEqual([]);
  });

  test.each([
    ['an ntfy address without a topic', { kind: 'ntfy', name: 'X', url: 'https://ntfy.sh/' }],
    ['an ntfy address with a query', { kind: 'ntfy', name: 'X', url: 'https://ntfy.sh/topic?auth=secret' }],
    ['a device without keys', { kind: 'push', name: 'X', url: 'https://push.example/1' }],
    ['a wrong token of a bot', { kind: 'telegram', name: 'X', token: '../x', chatId: '1' }],
    ['a wrong chat', { kind: 'telegram', name: 'X', token: TELEGRAM_TOKEN, chatId: '1/x' }],
    [
      'an address of Telegram',
      { kind: 'telegram', name: 'X', token: TELEGRAM_TOKEN, chatId: '1', url: 'https://x.org' },
    ],
    ['a token for Slack', { kind: 'slack', name: 'X', url: 'https://hooks.slack.com/x', token: 'x' }],
  ])('for %s', async (_, json) => {
    expect((await user.post(PATH, json)).body.code).toBe('invalid_request');
  });
});

test('quiet hours and places are settings', async () => {
  const change = async (json: object) => (await user.call('PATCH', '/user/notifications', { json })).body;
  expect((await change({ quietHours: { from: '22:00', to: '07:00' } })).data.quietHours).toEqual({
    from: '22:00',
    to: '07:00',
  });
  expect((await change({ kind: 'post_failed', push: false })).data).toMatchObject({
    quietHours: { from: '22:00', to: '07:00' },
    kinds: { post_failed: { page: true, mail: true, push: false } },
  });
  expect((await change({ quietHours: null })).data.quietHours).toBeNull();
  for (const wrong of [{ push: true }, { quietHours: { from: '22:00', to: '22:00' } }, { quietHours: { from: '1' } }])
    expect((await change(wrong)).code).toBe('invalid_request');
});

test('the key for browsers is created once', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, async () => (await list()).publicKey));
  expect(new Set(keys).size).toBe(1);
  expect(Buffer.from(keys[0], 'base64url')).toHaveLength(65);
});
