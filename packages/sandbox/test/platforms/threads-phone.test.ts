import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Media, SWITCHES, type Switches } from '../../src/platforms/threads/records.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { FILM, phoneOf } from '../harness/graph-phone.ts';
import { sendRaw } from '../harness/raw-http.ts';
import { startThreads } from './threads-raw.ts';

const start = closedAfterTest(startThreads);
const FIELDS = 'id,media_type,media_url,permalink,shortcode,text,timestamp,username,is_quote_post,children{media_type}';

let threads: Awaited<ReturnType<typeof startThreads>>;
let access_token: string;
let phone: ReturnType<typeof phoneOf>;
beforeEach(async () => {
  threads = await start();
  access_token = await threads.token();
  phone = phoneOf(threads, 'nora.cuts');
});

const set = (switches: Switches) => threads.store.put(...SWITCHES, switches);
const list = async (query: Record<string, string> = {}) =>
  (await threads.call('GET', '/v1.0/me/threads', { fields: FIELDS, access_token, ...query })).json;
const node = async (id: string) => (await threads.call('GET', `/v1.0/${id}`, { fields: FIELDS, access_token })).json;
const fileOf = (entry: unknown) => (entry as { media_url?: string }).media_url ?? '';
const change = (id: string, values: Partial<Media>) =>
  threads.store.change<Media>('media', id, (known) => known && { ...known, ...values });

describe('a post from the phone', () => {
  test('is in the list, on its page, in the feed', async () => {
    const { id, url } = await phone.post('Sunset run\n#sea');
    expect((await list()).data).toEqual([
      {
        id,
        media_type: 'VIDEO',
        media_url: expect.stringMatching(/\/cdn\/18\d+\.mp4\?oe=[\da-f]+&oh=[\da-f]+$/),
        permalink: url,
        shortcode: expect.stringMatching(/^\w+$/),
        text: 'Sunset run\n#sea',
        timestamp: '2026-11-21T10:00:00+0000',
        username: 'nora.cuts',
        is_quote_post: false,
      },
    ]);
    expect((await sendRaw(url)).text).toContain('Sunset run');
    expect(await threads.published()).toMatchObject([{ id, username: 'nora.cuts', url, bytes: FILM.length }]);
  });

  test('has a file, whose URL expires', async () => {
    await set({ fileLifeMs: 60_000 });
    const { id } = await phone.post('x');
    const url = fileOf(await node(id));
    expect((await sendRaw(url)).bytes).toEqual(FILM);
    threads.clock.now += 60_001;
    expect((await sendRaw(url)).status).toBe(403);
    expect((await sendRaw(fileOf(await node(id)))).bytes).toEqual(FILM);
  });

  test.each([{ hiddenMs: 60_000 }, { listLagMs: 60_000 }])(
    'is listed late with %j',
    async ({ hiddenMs, ...switches }) => {
      await set(switches);
      await phone.post('x', { publishedAt: Date.UTC(2026, 10, 20, 8), ...(hiddenMs ? { hiddenMs } : {}) });
      expect((await list()).data).toEqual([]);
      threads.clock.now += 60_000;
      expect((await list()).data).toMatchObject([{ timestamp: '2026-11-20T08:00:00+0000' }]);
    },
  );

  test('for followers only is not listed', async () => {
    await phone.post('x', { audience: 'limited' });
    expect((await list()).data).toEqual([]);
  });

  test('is edited without a new id', async () => {
    const { id } = await phone.post('first');
    await phone.edit(id, 'second');
    expect((await list()).data).toMatchObject([{ id, text: 'second' }]);
    await expect(phone.edit('1', 'x')).rejects.toThrow('no post');
  });

  test('disappears everywhere after its deletion', async () => {
    const { id, url } = await phone.post('x');
    const file = fileOf(await node(id));
    await phone.remove(id);
    await phone.remove(id);
    expect((await list()).data).toEqual([]);
    expect((await node(id)).error).toMatchObject({ code: 100, error_subcode: 33 });
    expect([(await sendRaw(file)).status, (await sendRaw(url)).status]).toEqual([404, 404]);
    expect(await threads.published()).toEqual([]);
  });
});

test('a post from a container has its file too', async () => {
  const { json } = await threads.create(access_token);
  const { id } = (await threads.publish(access_token, json.id)).json;
  const { bytes } = await sendRaw(fileOf(await node(id)));
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(threads.film.sha256);
});

test.each([
  [{ flagged: true }, { media_type: 'VIDEO', shortcode: expect.any(String) }],
  [{ type: 'REPOST_FACADE' }, { media_type: 'REPOST_FACADE', permalink: expect.any(String) }],
  [{ type: 'TEXT_POST' }, { media_type: 'TEXT_POST', permalink: expect.any(String) }],
  [{ isQuote: true }, { media_type: 'VIDEO', is_quote_post: true, media_url: expect.any(String) }],
] as const)('%j is listed in its form', async (values, expected) => {
  const { id } = await phone.post('x');
  await change(id, values);
  const [listed] = (await list()).data;
  expect(listed).toMatchObject(expected);
  expect('media_url' in (listed ?? {})).toBe('media_url' in expected);
});

test('a carousel lists its children', async () => {
  const { id } = await phone.post('x');
  await change(id, { type: 'CAROUSEL_ALBUM', children: ['VIDEO', 'IMAGE'] });
  expect((await list()).data).toMatchObject([
    { media_type: 'CAROUSEL_ALBUM', children: { data: [{ media_type: 'VIDEO' }, { media_type: 'IMAGE' }] } },
  ]);
});
