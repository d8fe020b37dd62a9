import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Post, XSwitches } from '../../src/platforms/x/records.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { isWholeUpload } from '../harness/simulator.ts';
import { multipart, sha256, startX, type X } from './x-calls.ts';

const start = closedAfterTest(startX);
const VIDEO = randomBytes(3_000);
const INVALID = 'One or more parameters to your request was invalid.';
let x: X;
let token: string;
beforeEach(async () => {
  x = await start();
  token = await x.token();
});

describe('initialize', () => {
  test('opens an upload with a 64-bit id', async () => {
    const { status, json } = await x.initialize(token);
    expect(status).toBe(200);
    const id = json.data?.id ?? '';
    expect(json.data).toEqual({ id, media_key: `7_${id}`, expires_after_secs: 86_400 });
    expect(id).toMatch(/^[0-9]{19}$/);
  });

  test.each<[string, object]>([
    ['an unknown field', { name: 'film.mp4' }],
    ['a type it does not know', { media_type: 'video/x-msvideo' }],
    ['a category it does not know', { media_category: 'video' }],
    ['a type that does not go with the category', { media_type: 'image/png' }],
    ['a length in text', { total_bytes: '1000' }],
    ['no length', { total_bytes: undefined }],
    ['a length below nothing', { total_bytes: -1 }],
    ['half a byte', { total_bytes: 0.5 }],
    ['too long a video', { total_bytes: 9 * 1024 ** 3 }],
    ['more than any upload', { total_bytes: 17_179_869_185 }],
  ])('rejects %s', async (_name, json) => {
    const { status, json: body } = await x.initialize(token, json);
    expect([status, body.detail, body.type]).toEqual([400, INVALID, 'https://api.x.com/2/problems/invalid-request']);
  });

  test('rejects a form', async () => {
    const form = { media_type: 'video/mp4', media_category: 'tweet_video', total_bytes: '10' };
    expect((await x.call('POST', '/2/media/upload/initialize', { token, form })).status).toBe(400);
  });
});

describe('append', () => {
  let id: string;
  beforeEach(async () => {
    id = (await x.initialize(token, { total_bytes: VIDEO.length })).json.data?.id ?? '';
  });
  const send = (given: { body: Buffer; headers: Record<string, string> }, query = '') =>
    x.call('POST', `/2/media/upload/${id}/append${query}`, { token, ...given });

  test('accepts segments in any order, even repeatedly', async () => {
    const parts = [VIDEO.subarray(0, 1_000), VIDEO.subarray(1_000, 2_000), VIDEO.subarray(2_000)] as const;
    const first = await x.append(token, id, 2, parts[2]);
    expect([first.status, first.json.data?.expires_at]).toEqual([200, x.clock.now / 1000 + 86_400]);
    await Promise.all([x.append(token, id, 0, randomBytes(1_000)), x.append(token, id, 1, parts[1])]);
    await x.append(token, id, 0, parts[0]);
    const done = await x.finalize(token, id);
    expect(done.json.data).toMatchObject({ id, size: 3_000, processing_info: { state: 'succeeded' } });
    await x.post(token, { text: 'three', media: { media_ids: [id] } });
    const [entry] = await x.published();
    expect(entry && (await isWholeUpload(x, entry, { bytes: 3_000, sha256: sha256(VIDEO) }))).toBe(true);
    expect(entry?.blobs).toHaveLength(3);
  });

  test.each<[string, Record<string, string>, Buffer | null]>([
    ['no index', {}, VIDEO],
    ['an index that is none', { segment_index: 'one' }, VIDEO],
    ['the index 1000', { segment_index: '1000' }, VIDEO],
    ['an unknown field', { segment_index: '0', command: 'APPEND' }, VIDEO],
    ['no bytes', { segment_index: '0' }, Buffer.alloc(0)],
    ['no part called media', { segment_index: '0' }, null],
  ])('rejects %s and stores nothing', async (_name, fields, bytes) => {
    expect((await send(multipart(fields, bytes))).status).toBe(400);
    expect((await x.finalize(token, id)).json.errors?.[0]?.message).toMatch(/do not add up/);
  });

  test('rejects a body that is not complete multipart', async () => {
    expect((await send({ body: VIDEO, headers: { 'content-type': 'video/mp4' } })).status).toBe(400);
    const { body, headers } = multipart({ segment_index: '0' }, VIDEO);
    expect((await send({ body: body.subarray(0, 1_500), headers })).status).toBe(400);
  });

  test('rejects parameters in the URL with 431', async () => {
    const response = await send(multipart({ segment_index: '0' }, VIDEO), '?segment_index=0');
    expect([response.status, response.text]).toEqual([431, '']);
  });

  test('a gateway rejects 5 MB with an empty 413', async () => {
    const response = await send(multipart({ segment_index: '0' }, Buffer.alloc(5_000_000)));
    expect([response.status, response.text]).toEqual([413, '']);
    expect((await send(multipart({ segment_index: '0' }, Buffer.alloc(1_048_576)))).status).toBe(200);
  });

  test('rejects unknown, foreign, expired and finalized uploads', async () => {
    const other = await x.token('otto');
    expect((await x.append(other, id, 0, VIDEO)).status).toBe(400);
    expect((await x.append(token, '1', 0, VIDEO)).status).toBe(400);
    await x.append(token, id, 0, VIDEO);
    await x.finalize(token, id);
    expect((await x.append(token, id, 0, VIDEO)).status).toBe(400);
    const second = (await x.initialize(token)).json.data?.id ?? '';
    x.clock.now += 86_400_000;
    expect((await x.append(await x.token(), second, 0, VIDEO)).status).toBe(400);
  });

  test('an older gateway returns 204 without a body', async () => {
    await x.set({ olderGateway: true });
    const response = await x.append(token, id, 0, VIDEO);
    expect([response.status, response.text]).toEqual([204, '']);
    expect((await x.initialize(token)).status).toBe(202);
  });
});

describe('finalize', () => {
  test.each<[string, [index: number, bytes: number][]]>([
    ['nothing', []],
    ['a byte too few', [[0, 999]]],
    ['a byte too many', [[0, 1_001]]],
    [
      'a hole',
      [
        [0, 500],
        [2, 500],
      ],
    ],
  ])('with %s reports that segments do not add up', async (_name, segments) => {
    const id = (await x.initialize(token)).json.data?.id ?? '';
    for (const [index, bytes] of segments) await x.append(token, id, index, Buffer.alloc(bytes));
    const { status, json } = await x.finalize(token, id);
    expect([status, json.errors?.[0]?.message]).toEqual([400, 'Segments do not add up to provided total file size']);
  });

  test('repeated returns the same, unless allowed only once', async () => {
    const { id } = await x.upload(token, VIDEO);
    expect((await x.finalize(token, id)).json.data?.size).toBe(3_000);
    await x.set({ finalizeOnce: true });
    expect((await x.finalize(token, id)).status).toBe(400);
  });

  test('rejects a body', async () => {
    const { id } = await x.upload(token, VIDEO);
    const json = { command: 'FINALIZE' };
    expect((await x.call('POST', `/2/media/upload/${id}/finalize`, { token, json })).status).toBe(400);
  });

  test('of synchronous media reports no processing', async () => {
    await x.set({ synchronousMedia: true });
    const { id } = await x.upload(token, VIDEO);
    expect((await x.status(token, id)).json.data).not.toHaveProperty('processing_info');
  });
});

describe('processing', () => {
  beforeEach(async () => {
    x = await start({ processingMs: 4_000 });
    token = await x.token();
  });
  const state = async (id: string) => (await x.status(token, id)).json.data?.processing_info;

  test('goes from pending to succeeded and states poll intervals', async () => {
    const { id } = await x.upload(token, VIDEO);
    expect(await state(id)).toEqual({ state: 'pending', check_after_secs: 4 });
    x.clock.now += 1_000;
    expect(await state(id)).toEqual({ state: 'in_progress', progress_percent: 25, check_after_secs: 3 });
    expect((await x.post(token, { media: { media_ids: [id] } })).json.errors?.[0]?.message).toBe(
      'Your media IDs are invalid.',
    );
    x.clock.now += 3_000;
    expect(await state(id)).toEqual({ state: 'succeeded', progress_percent: 100 });
  });

  test('failure states the reason, and the medium is unusable', async () => {
    const error = { code: 1, name: 'InvalidMedia', message: 'Unsupported video format' };
    await x.set({ processingError: { ...error, times: 1 } });
    const { id } = await x.upload(token, VIDEO);
    x.clock.now += 4_000;
    expect(await state(id)).toEqual({ state: 'failed', progress_percent: 100, error });
    expect((await x.post(token, { media: { media_ids: [id] } })).status).toBe(400);
    const second = await x.upload(token, VIDEO);
    x.clock.now += 4_000;
    expect((await state(second.id))?.state).toBe('succeeded');
  });

  test.each(['command=FINALIZE&media_id=1', 'media_id=1', 'command=STATUS&media_id=1', 'command=STATUS&id=1'])(
    'is not returned by ?%s',
    async (query) => {
      expect((await x.call('GET', `/2/media/upload?${query}`, { token })).status).toBe(400);
    },
  );
});

describe('post', () => {
  test('is live at 201 with text, bytes and page', async () => {
    const { id } = await x.upload(token, VIDEO);
    const { status, json } = await x.post(token, {
      text: 'Sunset run #sea',
      media: { media_ids: [id] },
      made_with_ai: false,
      reply_settings: 'following',
    });
    expect(status).toBe(201);
    expect(json.data?.text).toMatch(/^Sunset run #sea https:\/\/t\.co\/\w{10}$/);
    const [entry, ...more] = await x.published();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      id: json.data?.id,
      username: 'nora',
      text: 'Sunset run #sea',
      bytes: 3_000,
      sha256: sha256(VIDEO),
      mime: 'video/mp4',
      publishedAt: x.clock.now,
    });
    for (const url of [entry?.url ?? '', `${x.url}/i/web/status/${entry?.id}`])
      expect(await (await fetch(url)).text()).toContain('Sunset run #sea');
    expect((await fetch(`${x.url}/nora/status/1`)).status).toBe(404);
  });

  test.each<[string, object]>([
    ['nothing in it', {}],
    ['an unknown field', { text: 'a', visibility: 'public' }],
    ['an unknown field of the media', { text: 'a', media: { media_ids: ['1'], alt: 'a' } }],
    ['no media in its media', { text: 'a', media: { media_ids: [] } }],
    ['five media', { text: 'a', media: { media_ids: ['1', '2', '3', '4', '5'] } }],
    ['an id as a number', { text: 'a', media: { media_ids: [1] } }],
    ['a reply setting it does not know', { text: 'a', reply_settings: 'everyone' }],
    ['an unknown medium', { text: 'a', media: { media_ids: ['1'] } }],
  ])('rejects %s', async (_name, json) => {
    const { status, json: body } = await x.post(token, json);
    expect([status, body.detail]).toEqual([400, INVALID]);
    expect(await x.published()).toEqual([]);
  });

  test('rejects a form', async () => {
    expect((await x.call('POST', '/2/tweets', { token, form: { text: 'a' } })).status).toBe(400);
  });

  test('rejects foreign, unfinished and expired media', async () => {
    const { id } = await x.upload(await x.token('otto'), VIDEO);
    const open = (await x.initialize(token)).json.data?.id ?? '';
    for (const each of [id, open]) {
      const { status, json } = await x.post(token, { media: { media_ids: [each] } });
      expect([status, json.errors?.[0]]).toEqual([
        400,
        { parameters: { 'media.media_ids': [each] }, message: 'Your media IDs are invalid.' },
      ]);
    }
    const mine = await x.upload(token, VIDEO);
    x.clock.now += 86_400_000;
    expect((await x.post(await x.token(), { media: { media_ids: [mine.id] } })).status).toBe(400);
  });

  test.each([
    ['281 letters', 'a'.repeat(281)],
    ['141 Chinese letters', '中'.repeat(141)],
    ['141 emoji', '🏃‍♀️'.repeat(141)],
    ['a link that is short as text', `${'a'.repeat(258)} http://t.io`],
  ])('rejects %s', async (_name, text) => {
    const { status, json } = await x.post(token, { text });
    expect([status, json.detail]).toEqual([403, 'You are not permitted to perform this action.']);
  });

  test.each([
    'a'.repeat(280),
    '中'.repeat(140),
    '🏃‍♀️'.repeat(140),
    `${'a'.repeat(256)} https://example.org/${'b'.repeat(99)}`,
  ])('accepts a weighted length of exactly 280', async (text) => {
    expect((await x.post(token, { text })).status).toBe(201);
  });

  test('rejects two cashtags with its own sentence', async () => {
    const { status, json } = await x.post(token, { text: '$ABC and $BRK.B' });
    expect([status, json.detail]).toEqual([403, 'Posts are limited to a maximum of one cashtag']);
    for (const text of ['$ABC at $20', 'US$ABC and $DEF', '$ABCDEFGH or $DEF'])
      expect((await x.post(token, { text })).status).toBe(201);
  });

  test("a subscriber's post may be longer", async () => {
    await x.changeAccount({ subscription: 'Premium' });
    expect((await x.post(token, { text: 'a'.repeat(25_000) })).status).toBe(201);
    expect((await x.post(token, { text: 'b'.repeat(25_001) })).status).toBe(403);
  });

  test('rejects an invalid URL', async () => {
    expect((await x.post(token, { text: 'see http://256.1.2.3/' })).json.detail).toBe(
      'The Tweet contains an invalid URL.',
    );
  });

  test("rejects a video over the account's limit", async () => {
    await x.changeAccount({ maxVideoMinutes: 2 });
    const { id } = await x.upload(token, VIDEO);
    expect((await x.post(token, { media: { media_ids: [id] } })).json.detail).toBe(
      'This user is not allowed to post a video longer than 2 minutes.',
    );
  });

  test('a repeated post is a duplicate, even concurrently', async () => {
    const { id } = await x.upload(token, VIDEO);
    const json = { text: 'once', media: { media_ids: [id] } };
    const responses = await Promise.all([x.post(token, json), x.post(token, json)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 403]);
    expect((await x.post(token, json)).json).toEqual({
      title: 'Forbidden',
      detail: 'You are not allowed to create a Tweet with duplicate content.',
      type: 'about:blank',
      status: 403,
    });
    const second = await x.upload(token, VIDEO);
    const sameWords = { text: 'once', media: { media_ids: [second.id] } };
    await x.set({ strictDuplicates: true });
    expect((await x.post(token, sameWords)).status).toBe(403);
    await x.set({});
    expect((await x.post(token, sameWords)).status).toBe(201);
    expect(await x.published()).toHaveLength(2);
  });

  test.each<[XSwitches['application'], number, string]>([
    ['no-credits', 402, 'CreditsDepleted'],
    ['credits-depleted', 402, 'Payment Required'],
    ['not-enrolled', 403, 'Client Forbidden'],
    ['forbidden', 403, 'Client Forbidden'],
    ['usage-capped', 403, 'UsageCapExceeded'],
  ])('an app with %s is rejected on every call', async (application, status, title) => {
    await x.set({ application });
    for (const response of [await x.post(token, { text: 'a' }), await x.initialize(token), await x.list(token)])
      expect([response.status, response.json.title]).toEqual([status, title]);
  });

  test('rejects a locked account', async () => {
    await x.changeAccount({ locked: true });
    const { status, json } = await x.post(token, { text: 'a' });
    expect([status, json.detail]).toEqual([403, expect.stringContaining('not permitted to access this feature')]);
    expect((await x.list(token)).status).toBe(200);
  });
});

describe('timeline', () => {
  const ALL = 'tweet.fields=created_at,attachments,text&expansions=attachments.media_keys';

  test('shows posts after a lag, with their media keys', async () => {
    const { id, key } = await x.upload(token, VIDEO);
    const posted = await x.post(token, { text: 'film', media: { media_ids: [id] } });
    expect((await x.list(token, ALL)).json).toEqual({ meta: { result_count: 0 } });
    x.clock.now += 2_000;
    const response = await x.list(token, ALL);
    const text = posted.json.data?.text;
    expect(response.list).toEqual([
      {
        id: posted.json.data?.id,
        text,
        created_at: '2026-11-21T10:00:00.000Z',
        attachments: { media_keys: [key] },
        edit_history_tweet_ids: [posted.json.data?.id],
      },
    ]);
    expect(response.json.includes).toEqual({ media: [{ media_key: key, type: 'video' }] });
    expect((await x.list(token)).list[0]).not.toHaveProperty('attachments');
  });

  test('is paged, newest first, and filtered by time and id', async () => {
    for (let index = 0; index < 12; index++) {
      await x.post(token, { text: `post ${index}` });
      x.clock.now += 1_000;
    }
    x.clock.now += 60_000;
    const words = async (query: string) => (await x.list(token, query)).list.map(({ text }) => text);
    const first = await x.list(token, 'max_results=5');
    expect(first.list.map(({ text }) => text)).toEqual(['post 11', 'post 10', 'post 9', 'post 8', 'post 7']);
    const next = await x.list(token, `max_results=5&pagination_token=${first.json.meta?.next_token}`);
    expect(next.list.at(-1)?.text).toBe('post 2');
    expect(await words('start_time=2026-11-21T10:00:10Z')).toEqual(['post 11', 'post 10']);
    expect(await words('start_time=2026-11-21T10:00:10.001Z&max_results=5')).toEqual(['post 11']);
    expect(await words('end_time=2026-11-21T10:00:01Z')).toEqual(['post 0']);
    expect(await words(`since_id=${first.list[1]?.id}`)).toEqual(['post 11']);
    expect(await words(`until_id=${next.list[4]?.id}`)).toEqual(['post 1', 'post 0']);
  });

  test.each([
    'max_results=4',
    'max_results=101',
    'exclude=likes',
    'tweet.fields=media',
    'expansions=media',
    'start_time=yesterday',
    'start_time=2026-11-21T11:00:00Z',
    'since_id=x',
    'limit=5',
    'pagination_token=x',
  ])('rejects ?%s', async (query) => {
    expect((await x.list(token, query)).status).toBe(400);
  });

  test('of an unknown user is an error with 200', async () => {
    const response = await x.call('GET', '/2/users/1/tweets', { token });
    expect([response.status, response.json.errors?.[0]?.type]).toEqual([
      200,
      'https://api.x.com/2/problems/resource-not-found',
    ]);
  });

  test('omits deleted posts, and deleting can be repeated', async () => {
    const id = (await x.post(token, { text: 'gone' })).json.data?.id ?? '';
    expect((await x.call('GET', `/2/tweets/${id}`, { token })).json.data?.text).toBe('gone');
    expect((await x.call('DELETE', `/2/tweets/${id}`, { token: await x.token('otto') })).status).toBe(403);
    for (let times = 0; times < 2; times++)
      expect((await x.call('DELETE', `/2/tweets/${id}`, { token })).json.data).toEqual({ deleted: true });
    expect(await x.published()).toEqual([]);
    expect((await x.call('GET', `/2/tweets/${id}`, { token })).json).not.toHaveProperty('data');
  });
});

describe('limits', () => {
  test('are stated in every response, and end a 429', async () => {
    x = await start({ limits: true });
    token = await x.token();
    const first = await x.post(token, { text: 'post 0' });
    const reset = String(Math.ceil((Math.floor(x.clock.now / 900_000) + 1) * 900));
    expect(Object.fromEntries([...first.headers].filter(([name]) => name.includes('limit')))).toEqual({
      'x-rate-limit-limit': '100',
      'x-rate-limit-remaining': '99',
      'x-rate-limit-reset': reset,
      'x-app-limit-24hour-limit': '10000',
      'x-app-limit-24hour-remaining': '9999',
      'x-app-limit-24hour-reset': String((Math.floor(x.clock.now / 86_400_000) + 1) * 86_400),
    });
    for (let index = 1; index < 100; index++) await x.post(token, { text: `post ${index}` });
    const refused = await x.post(token, { text: 'one more' });
    expect([refused.status, refused.headers.get('x-rate-limit-remaining')]).toEqual([429, '0']);
    expect(refused.json).toEqual({
      title: 'Too Many Requests',
      detail: 'Too Many Requests',
      type: 'about:blank',
      status: 429,
    });
    x.clock.now += 900_000;
    expect((await x.post(token, { text: 'one more' })).status).toBe(201);
  });

  test('count all accounts of the app per day', async () => {
    x = await start({ limits: true });
    const day = Math.floor(x.clock.now / 86_400_000);
    await x.store.put('rate', `createPost app ${day}`, 10_000);
    const refused = await x.post(await x.token(), { text: 'one more' });
    expect([refused.status, refused.headers.get('x-app-limit-24hour-remaining')]).toEqual([429, '0']);
    expect(refused.headers.get('x-rate-limit-remaining')).toBe('99');
  });
});

describe('failures requested by tag', () => {
  const tagged = (tag: string) => x.post(token, { text: `hello #sandbox-${tag}` });

  test('reject and reconnect fail permanently', async () => {
    const { status, json } = await tagged('reject');
    expect([status, json.detail]).toEqual([403, expect.stringContaining('not allowed to post a video')]);
    expect((await tagged('reconnect')).status).toBe(401);
    expect((await x.list(token)).status).toBe(401);
  });

  test('rate-limit rejects twice, down three times', async () => {
    const statuses = async (tag: string, times: number) => {
      const found: number[] = [];
      for (let count = 0; count < times; count++) found.push((await tagged(tag)).status);
      return found;
    };
    const first = await tagged('rate-limit');
    expect([first.status, first.headers.get('x-rate-limit-reset')]).toEqual([429, String(x.clock.now / 1000 + 2)]);
    expect(await statuses('rate-limit', 2)).toEqual([429, 201]);
    const other = await x.upload(token, VIDEO);
    const down: number[] = [];
    for (let count = 0; count < 4; count++)
      down.push((await x.post(token, { text: '#sandbox-down', media: { media_ids: [other.id] } })).status);
    expect(down).toEqual([503, 503, 503, 201]);
  });

  test('lost-answer posts, then closes the connection', async () => {
    await expect(tagged('lost-answer')).rejects.toThrow();
    expect(await x.published()).toHaveLength(1);
  });
});

test('state survives a restart, and half-finished posts are completed', async () => {
  const { id } = await x.upload(token, VIDEO);
  await x.post(token, { text: 'kept', media: { media_ids: [id] } });
  const [known] = await x.store.list<Post>('post', { limit: 1 });
  if (!known) throw new Error('A post was expected.');
  const half = { ...known.value, id: '1900000000000000001', key: 'half', text: 'half done', revealed: false };
  await x.store.insert('post', 'half', half, known.value.accountId);
  const { store, blobs, clock } = x;
  const again = await start({ store, blobs, now: () => clock.now + 60_000 });
  for (let looks = 0; looks < 2; looks++) expect((await again.list(token)).list).toHaveLength(2);
  expect((await again.published()).map(({ text, bytes }) => [text, bytes])).toEqual([
    ['kept', 3_000],
    ['half done', 3_000],
  ]);
});

test('an unknown path is 404', async () => {
  expect((await x.call('GET', '/2/nothing', { token })).status).toBe(404);
});
