import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPresence } from '../../src/channels/channel-service.ts';
import { markRead } from '../../src/notifications/notification-store.ts';
import { writeSetting } from '../../src/notifications/setting-store.ts';
import { deleteUser, suspendUser } from '../../src/users/service.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { addAccount, addMedia, addPost } from '../harness/rows.ts';
import { endAccess, failPost, failTarget, retryPost, troubleTarget } from '../notifications/world.ts';
import { type Receiver, startReceiver, verifyVapid } from './receiver.ts';
import {
  addUser,
  type ChannelUser,
  type ChannelWorld,
  createWorld,
  HOUR,
  MINUTE,
  PATHS,
  SECOND,
  targetsAt,
} from './world.ts';

let db: TestDatabase;
let receiver: Receiver;
let world: ChannelWorld;
let user: ChannelUser;
let count = 0;
beforeAll(async () => {
  db = await createTestDatabase();
  receiver = await startReceiver();
  world = createWorld(db, receiver);
});
beforeEach(async () => {
  user = await addUser(db, `user-${count++}`);
});
afterEach(async () => {
  await deleteUser(db, user.email).catch(() => {});
  for (const path of Object.values(PATHS)) receiver.answer(path, null);
  receiver.requests.length = 0;
  world.events.length = 0;
  expect(world.errors.splice(0)).toEqual([]);
});
afterAll(async () => {
  world.close();
  await receiver[Symbol.asyncDispose]();
  await db.drop();
});

type Kind = keyof typeof PATHS;

const add = async (kind: Kind) =>
  world.channels.add(user.id, { name: kind, target: targetsAt(receiver, user)[kind], replaces: null });
const jsonAt = (kind: Kind) => receiver.take(PATHS[kind]).map(({ body }) => JSON.parse(body.toString()));
const pushes = () =>
  receiver
    .take(PATHS.push)
    .map(({ body }) => JSON.parse(user.browser.decrypt(body).toString()) as Record<string, string>);
const stateOf = async (id: string) => (await world.channels.list(user.id)).find((each) => each.id === id);

describe('a failed post reaches', () => {
  const fail = () =>
    failPost(db, user.id, [user.account], {
      description: 'Sommer 🌊',
      code: 'video_rejected',
      detail: 'TikTok: too *dark*.',
    });
  const url = (id: string) => `https://reelay.example/app/posts/${id}`;
  const line = '- TikTok (Name of nora): The video was rejected. TikTok: too *dark*.';

  test('a browser, encrypted and signed', async () => {
    await add('push');
    const id = await fail();
    await world.deliver();
    const [request] = receiver.requests;
    expect(request?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: '86400',
      urgency: 'high',
    });
    expect(request?.headers.topic).toMatch(/^[\w-]{1,32}$/);
    const { claims, key } = verifyVapid(request?.headers.authorization ?? '');
    expect(key).toBe(await world.channels.publicKey());
    expect(claims).toMatchObject({ aud: receiver.url, sub: 'https://reelay.example' });
    const hours = (Number(claims.exp) * SECOND - Date.now()) / HOUR;
    expect(hours).toBeGreaterThan(1);
    expect(hours).toBeLessThan(24);
    expect(pushes()).toEqual([
      {
        title: 'A post was not published everywhere',
        body: `Your post “Sommer 🌊” failed:\n${line}`,
        url: url(id),
        tag: request?.headers.topic,
      },
    ]);
  });

  test('a topic of ntfy, with its token', async () => {
    await add('ntfy');
    const id = await fail();
    await world.deliver();
    expect(receiver.requests[0]?.headers.authorization).toBe('Bearer tk_ntfy_secret');
    expect(jsonAt('ntfy')).toEqual([
      {
        topic: 'topic-secret',
        title: 'A post was not published everywhere',
        message: `Your post “Sommer 🌊” failed:\n${line}`,
        click: url(id),
      },
    ]);
  });

  test('Discord, without mentions and formatting', async () => {
    await add('discord');
    const id = await fail();
    await world.deliver();
    expect(jsonAt('discord')).toEqual([
      {
        content: `**A post was not published everywhere**\nYour post “Sommer 🌊” failed:\n\\- TikTok \\(Name of nora\\): The video was rejected. TikTok: too \\*dark\\*.\n${url(id)}`,
        allowed_mentions: { parse: [] },
      },
    ]);
  });

  test('Slack, escaped', async () => {
    await add('slack');
    const id = await failPost(db, user.id, [user.account], { description: '<!channel> & more' });
    await world.deliver();
    const [{ text, mrkdwn }] = jsonAt('slack');
    expect(text).toContain('Your post “&lt;!channel&gt; &amp; more” failed:');
    expect(text).toContain(url(id));
    expect(mrkdwn).toBe(false);
  });

  test('a chat of Telegram, as plain text', async () => {
    await add('telegram');
    const id = await fail();
    await world.deliver();
    expect(jsonAt('telegram')).toEqual([
      {
        chat_id: '42',
        text: `A post was not published everywhere\n\nYour post “Sommer 🌊” failed:\n${line}\n${url(id)}`,
        link_preview_options: { is_disabled: true },
      },
    ]);
  });
});

test('the accounts of one post are one message', async () => {
  await add('push');
  const other = await addAccount(db, user.id, { platform: 'youtube', username: 'nora' });
  const media = await addMedia(db, user.id);
  const { targets } = await addPost(db, {
    userId: user.id,
    mediaId: media.id,
    accounts: [user.account, other],
    state: 'working',
  });
  await failTarget(db, targets[0] ?? '');
  await world.run();
  await db.clock.advance(8 * SECOND);
  await failTarget(db, targets[1] ?? '');
  await world.deliver(2 * SECOND);
  const [message, ...rest] = pushes();
  expect(rest).toEqual([]);
  expect(message?.body).toContain('failed on 2 of 2 accounts:\n- TikTok (Name of nora)');
  expect(message?.body).toContain('\n- YouTube (Name of nora)');
});

test('several facts are summarized, at most once a minute', async () => {
  await add('push');
  await failPost(db, user.id, [user.account], { description: 'one' });
  await endAccess(db, user.account);
  await failPost(db, user.id, [user.account], { description: 'two' });
  await world.deliver();
  expect(pushes()).toEqual([
    {
      title: '3 things need your attention',
      body: '• Your post “one” failed.\n• TikTok (Name of nora) needs to be reconnected. Until then, posts to it fail.\n• Your post “two” failed.',
      url: 'https://reelay.example/app/',
      tag: expect.any(String),
    },
  ]);
  await failPost(db, user.id, [user.account], { description: 'three' });
  await world.deliver(50 * SECOND);
  expect(pushes()).toEqual([]);
  await failPost(db, user.id, [user.account], { description: 'four' });
  await world.deliver(10 * SECOND);
  expect(pushes().map(({ title }) => title)).toEqual(['2 things need your attention']);
});

test('a message is in the language of the user', async () => {
  await db.execute(`update auth."user" set language = 'de' where id = $1`, [user.id]);
  const { id } = await add('push');
  await failPost(db, user.id, [user.account]);
  await world.deliver();
  expect(pushes()[0]).toMatchObject({
    title: 'Ein Beitrag wurde nicht überall veröffentlicht',
    body: 'Dein Beitrag „ohne Text“ ist fehlgeschlagen:\n- TikTok (Name of nora): Die Plattform meldete einen Fehler.',
  });
  await world.channels.test(user.id, id);
  expect(pushes()[0]).toMatchObject({
    title: 'Reelay erreicht dich hier',
    body: 'Das ist ein Test. Benachrichtigungen von reelay.example kommen hier an.',
  });
});

test('a later message about the same post has its topic', async () => {
  await add('push');
  const media = await addMedia(db, user.id);
  const { targets } = await addPost(db, {
    userId: user.id,
    mediaId: media.id,
    accounts: [user.account],
    state: 'working',
  });
  await troubleTarget(db, targets[0] ?? '');
  await world.deliver();
  await failTarget(db, targets[0] ?? '');
  await world.deliver(MINUTE);
  const topics = receiver.take(PATHS.push).map(({ headers }) => headers.topic);
  expect(topics).toHaveLength(2);
  expect(new Set(topics).size).toBe(1);
});

describe('nothing is sent', () => {
  test('about what was there before the channel', async () => {
    await failPost(db, user.id, [user.account]);
    await add('push');
    await world.deliver(HOUR);
    expect(pushes()).toEqual([]);
  });

  test('about a kind that is turned off', async () => {
    await add('push');
    await writeSetting(db, user.id, 'post_failed', { push: false });
    await failPost(db, user.id, [user.account]);
    await world.deliver(HOUR);
    expect(pushes()).toEqual([]);
  });

  test('about what was read or resolved meanwhile', async () => {
    await add('push');
    await failPost(db, user.id, [user.account]);
    const [row] = await db.query<{ id: string }>('select id from notification where user_id = $1', [user.id]);
    const post = await failPost(db, user.id, [user.account]);
    await world.run();
    await markRead(db, user.id, row?.id ?? '');
    await retryPost(db, post);
    await world.deliver(HOUR);
    expect(pushes()).toEqual([]);
    expect(await db.query('select from notification_delivery')).toEqual([]);
  });

  test('to a suspended user', async () => {
    await add('push');
    await suspendUser(db, user.email);
    await failPost(db, user.id, [user.account]);
    await world.deliver(HOUR);
    expect(pushes()).toEqual([]);
  });

  test('to a user who was deleted', async () => {
    await add('push');
    await failPost(db, user.id, [user.account]);
    await world.run();
    await deleteUser(db, user.email);
    await world.deliver(HOUR);
    expect(receiver.requests).toEqual([]);
    expect(await db.query('select from notification_channel')).toEqual([]);
  });
});

test('a kind without mail can be pushed', async () => {
  await add('push');
  await writeSetting(db, user.id, 'post_failed', { mail: false });
  await failPost(db, user.id, [user.account]);
  await world.deliver();
  expect(pushes()).toHaveLength(1);
});

describe('a channel that fails', () => {
  test('repeats no other channel and is retried', async () => {
    await add('push');
    const { id } = await add('ntfy');
    receiver.answer(PATHS.ntfy, { status: 500 });
    await failPost(db, user.id, [user.account]);
    await world.deliver();
    for (let minutes = 0; minutes < 10; minutes++) await world.deliver(MINUTE);
    expect(pushes()).toHaveLength(1);
    const tries = jsonAt('ntfy').length;
    expect(tries).toBeGreaterThan(4);
    expect(tries).toBeLessThan(10);
    expect(await stateOf(id)).toMatchObject({
      isStopped: false,
      failure: { code: 'channel.retried', params: { reason: { code: 'channel.failing' } } },
    });
    receiver.answer(PATHS.ntfy, null);
    await world.deliver(HOUR);
    expect(jsonAt('ntfy')).toHaveLength(1);
    expect(await stateOf(id)).toMatchObject({ failure: null, failedAt: null });
  });

  test.each([404, 410])('with %i as a device is removed', async (status) => {
    await add('push');
    const { id } = await add('slack');
    receiver.answer(PATHS.push, { status });
    await failPost(db, user.id, [user.account]);
    await world.deliver();
    expect((await world.channels.list(user.id)).map((each) => each.id)).toEqual([id]);
    expect(world.events).toContainEqual({ name: 'removed' });
  });

  test.each([
    ['ntfy', 401],
    ['ntfy', 403],
    ['discord', 404],
    ['slack', 410],
    ['telegram', 400],
    ['push', 403],
  ] as const)('of %s with %i is stopped until a test works', async (kind, status) => {
    const { id } = await add(kind);
    receiver.answer(PATHS[kind], { status });
    await failPost(db, user.id, [user.account]);
    await world.deliver();
    expect(receiver.take(PATHS[kind])).toHaveLength(1);
    expect(await stateOf(id)).toMatchObject({
      isStopped: true,
      failure: { code: 'channel.refused', params: { host: '127.0.0.1', status: String(status) } },
    });
    await failPost(db, user.id, [user.account]);
    await world.deliver(HOUR);
    expect(receiver.take(PATHS[kind])).toEqual([]);
    expect(await world.channels.test(user.id, id)).toMatchObject({ isStopped: true });
    receiver.answer(PATHS[kind], null);
    expect(await world.channels.test(user.id, id)).toMatchObject({ isStopped: false, failure: null });
    receiver.take(PATHS[kind]);
    await failPost(db, user.id, [user.account]);
    await world.deliver(MINUTE);
    expect(receiver.take(PATHS[kind])).toHaveLength(1);
  });

  test.each([
    ['push', { status: 429, headers: { 'retry-after': '1800' } }],
    ['ntfy', { status: 503, headers: { 'retry-after': new Date(Date.now() + 30 * MINUTE).toUTCString() } }],
    ['telegram', { status: 429, body: '{"ok":false,"parameters":{"retry_after":1800}}' }],
    ['discord', { status: 429, body: '{"retry_after":1800.5,"global":false}' }],
  ] as const)('of %s waits as long as it is asked to', async (kind, reply) => {
    await add(kind);
    receiver.answer(PATHS[kind], reply);
    await failPost(db, user.id, [user.account]);
    await world.deliver();
    expect(receiver.take(PATHS[kind])).toHaveLength(1);
    await world.deliver(28 * MINUTE);
    expect(receiver.take(PATHS[kind])).toEqual([]);
    receiver.answer(PATHS[kind], null);
    await world.deliver(3 * MINUTE);
    expect(receiver.take(PATHS[kind])).toHaveLength(1);
  });

  test('gives up after a day', async () => {
    await add('slack');
    receiver.answer(PATHS.slack, { status: 500 });
    await failPost(db, user.id, [user.account]);
    await world.deliver();
    for (let hours = 0; hours < 26; hours++) await world.deliver(HOUR);
    receiver.answer(PATHS.slack, null);
    receiver.take(PATHS.slack);
    await world.deliver(2 * HOUR);
    expect(receiver.take(PATHS.slack)).toEqual([]);
    expect(world.events).toContainEqual({ name: 'given up', facts: 1 });
  });

  test('with a redirect is not followed', async () => {
    const { id } = await add('slack');
    receiver.answer(PATHS.slack, { status: 307, headers: { location: `${receiver.url}/elsewhere` } });
    await failPost(db, user.id, [user.account]);
    await world.deliver();
    expect(receiver.requests.map(({ path }) => path)).toEqual([PATHS.slack]);
    expect(await stateOf(id)).toMatchObject({
      failure: { code: 'channel.retried', params: { reason: { code: 'channel.redirected' } } },
    });
  });

  test('with a response that is too large is cut off', async () => {
    const { id } = await add('slack');
    receiver.answer(PATHS.slack, { status: 200, body: 'x'.repeat(1_000_000) });
    await failPost(db, user.id, [user.account]);
    await world.deliver();
    expect(await stateOf(id)).toMatchObject({
      failure: { code: 'channel.retried', params: { reason: { code: 'channel.unreachable' } } },
    });
  });
});

test('a failed test is not repeated', async () => {
  const { id } = await add('slack');
  receiver.answer(PATHS.slack, { status: 503 });
  const failure = { code: 'channel.test_failed', params: { reason: { code: 'channel.failing' } } };
  expect(await world.channels.test(user.id, id)).toMatchObject({ isStopped: false, failure });
  for (let hours = 0; hours < 3; hours++) await world.deliver(HOUR);
  expect(receiver.take(PATHS.slack)).toHaveLength(1);
});

test('a name that leads to a private address is refused', async () => {
  const { id } = await world.channels.add(user.id, {
    name: 'inside',
    target: { kind: 'slack', url: 'https://localhost/hook' },
    replaces: null,
  });
  expect(await world.channels.test(user.id, id)).toMatchObject({
    isStopped: true,
    failure: { code: 'channel.not_public', params: { host: 'localhost' } },
  });
});

test('a service without channels makes one query a minute', async () => {
  let [now, queries] = [0, 0];
  const counting = {
    query: async () => {
      queries++;
      return [{ any: false }];
    },
  } as unknown as TestDatabase;
  const presence = createPresence(counting, () => now);
  for (; now < 2 * MINUTE; now += 5 * SECOND) expect(await presence.any()).toBe(false);
  expect(queries).toBe(2);
  presence.added();
  now -= SECOND;
  expect(await presence.any()).toBe(true);
});
