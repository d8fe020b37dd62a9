import { beforeEach, describe, expect, test } from 'vitest';
import { APP_TOKEN, type Subscription } from '../../src/platforms/x/activity.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { postFromPhone } from '../harness/phone.ts';
import { startX, type X } from './x-calls.ts';

const start = closedAfterTest(startX);
const PATH = '/2/activity/subscriptions';
let x: X;
let userId: string;
beforeEach(async () => {
  x = await start();
  userId = await x.accountId();
});

interface Shown {
  subscription_id: string;
  event_type: string;
  filter: { user_id: string };
  tag?: string;
}
interface Event {
  data: {
    event_uuid: string;
    filter: { user_id: string };
    event_type: string;
    tag: string;
    payload: { id: string; text: string; attachments: { media_keys: [string] }; edit_history_tweet_ids: string[] };
    includes: { users: { id: string }[]; media: { type: string }[] };
  };
}

const subscribe = (json: object = {}, token = APP_TOKEN) =>
  x.call('POST', PATH, {
    token,
    json: { event_type: 'post.create', filter: { user_id: userId }, tag: 'a tag', ...json },
  });
const subscribed = async (json: object = {}) => {
  const { status, json: body } = await subscribe(json);
  expect(status).toBe(200);
  return (body.data as unknown as { subscription: Shown }).subscription;
};
const list = async (query = '') => (await x.call('GET', PATH + query, { token: APP_TOKEN })).json;

/** Opens the stream. `next` reads up to the next line that is not empty; null at the end. */
async function open(token = APP_TOKEN, query = '') {
  const response = await fetch(`${x.url}/2/activity/stream${query}`, { headers: { authorization: `Bearer ${token}` } });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<Event | null> => {
    for (;;) {
      const [line = '', ...rest] = text.split('\r\n');
      if (rest.length > 0) {
        text = rest.join('\r\n');
        if (line !== '') return JSON.parse(line);
        continue;
      }
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return null;
      text += value;
    }
  };
  return { response, next, close: () => reader?.cancel() };
}

describe('subscriptions', () => {
  test('are created, listed in pages and deleted', async () => {
    const first = await subscribed();
    expect(first).toMatchObject({ event_type: 'post.create', filter: { user_id: userId }, tag: 'a tag' });
    x.clock.now += 1_000;
    const second = await subscribed({ filter: { user_id: await x.accountId('otto') }, tag: undefined });
    expect(second).not.toHaveProperty('tag');
    const page = await list('?max_results=1');
    expect(page).toMatchObject({ data: [{ subscription_id: second.subscription_id }], meta: { result_count: 1 } });
    expect(await list(`?pagination_token=${page.meta?.next_token}`)).toMatchObject({
      data: [first],
      meta: { result_count: 1 },
    });
    const remove = () => x.call('DELETE', `${PATH}/${first.subscription_id}`, { token: APP_TOKEN });
    expect((await remove()).json).toEqual({ data: { deleted: true }, meta: { total_subscriptions: 1 } });
    expect((await remove()).status).toBe(404);
    expect(await list()).toMatchObject({ data: [second], meta: { result_count: 1 } });
  });

  test('need the token of the application', async () => {
    expect((await subscribe({}, 'nonsense')).status).toBe(401);
    const user = await subscribe({}, await x.token());
    expect([user.status, user.json.type]).toEqual([403, 'https://api.x.com/2/problems/unsupported-authentication']);
    const { response, close } = await open(await x.token());
    await close();
    expect(response.status).toBe(403);
  });

  test.each([
    ['an unknown event', { event_type: 'post.like' }],
    ['no filter', { filter: {} }],
    ['an unknown field', { more: true }],
    ['an empty tag', { tag: '' }],
    ['an unknown user', { filter: { user_id: '7' } }],
  ])('with %s are rejected', async (_case, json) => {
    expect((await subscribe(json)).status).toBe(400);
    expect((await list()).meta).toEqual({ result_count: 0 });
  });

  test('exist once for each event and user', async () => {
    await subscribed();
    const { status, json } = await subscribe({ tag: 'another' });
    expect([status, json.errors?.[0]?.message]).toEqual([400, expect.stringContaining('DuplicateSubscription')]);
    await subscribed({ event_type: 'post.delete' });
  });

  test('are limited', async () => {
    await x.set({ maxSubscriptions: 1 });
    await subscribed();
    expect((await subscribe({ event_type: 'post.delete' })).status).toBe(403);
    expect(await x.store.list<Subscription>('subscription', { limit: 5 })).toHaveLength(1);
  });

  test.each([
    ['without access', { activity: 'no-access' }, 403, 'Client Forbidden'],
    ['too often', { activity: 'rate-limited' }, 429, 'Too Many Requests'],
  ] as const)('%s are refused like the stream', async (_case, switches, status, title) => {
    await x.set(switches);
    const { json, status: received } = await subscribe();
    expect([received, json.title]).toEqual([status, title]);
    const { response, close } = await open();
    await close();
    expect(response.status).toBe(status);
  });
});

describe('the stream', () => {
  test('begins with a keep-alive and has one event per line', async () => {
    await subscribed();
    const { response, next, close } = await open();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const { id } = await postFromPhone(x, 'nora', { text: 'Run' });
    expect(await next()).toMatchObject({
      data: {
        event_uuid: expect.stringMatching(/^\d+$/),
        filter: { user_id: userId },
        event_type: 'post.create',
        tag: 'a tag',
        payload: {
          id,
          text: expect.stringMatching(/^Run /),
          author_id: userId,
          attachments: { media_keys: [expect.stringMatching(/^7_/)] },
        },
        includes: { users: [{ id: userId }], media: [{ type: 'video' }] },
      },
    });
    await close();
  });

  test('announces edits and posts of the API, not other accounts', async () => {
    await subscribed();
    const { next, close } = await open();
    await postFromPhone(x, 'otto');
    const { id } = await postFromPhone(x, 'nora', { text: 'Befor' });
    await x.simulator.phone?.edit?.('nora', id, 'After');
    const posted = await x.post(await x.token(), { text: 'By an app' });
    const events = [await next(), await next(), await next()].map((event) => event?.data.payload);
    expect(events).toMatchObject([
      { id },
      { edit_history_tweet_ids: [id, events[1]?.id] },
      { id: posted.json.data?.id, text: 'By an app' },
    ]);
    await close();
  });

  test('leaves out protected accounts', async () => {
    await subscribed();
    const { next, close } = await open();
    await postFromPhone(x, 'nora', { text: 'for followers', audience: 'limited' });
    await postFromPhone(x, 'nora', { text: 'for everybody', audience: 'public' });
    expect((await next())?.data.payload.text).toMatch(/^for everybody/);
    await close();
  });

  test('may repeat an event with its id', async () => {
    await x.set({ eventCopies: 2 });
    await subscribed();
    const { next, close } = await open();
    await postFromPhone(x, 'nora');
    expect(await next()).toEqual(await next());
    await close();
  });

  test('says why X ends it', async () => {
    await x.set({ disconnects: true });
    await subscribed();
    const { next } = await open();
    const { id } = await postFromPhone(x, 'nora');
    expect(await next()).toMatchObject({ data: { payload: { id } } });
    expect(await next()).toMatchObject({ errors: [{ title: 'operational-disconnect' }] });
    expect(await next()).toBeNull();
  });

  test('is open twice at most', async () => {
    const [first, second] = [await open(), await open()];
    const third = await open();
    await third.close();
    expect(third.response.status).toBe(429);
    await first.close();
    await expect
      .poll(async () => {
        const { response, close } = await open();
        await close();
        return response.status;
      })
      .toBe(200);
    await second.close();
  });

  test('repeats nothing that was missed', async () => {
    const { response, close } = await open(APP_TOKEN, '?backfill_minutes=5');
    await close();
    expect(response.status).toBe(400);
  });
});
