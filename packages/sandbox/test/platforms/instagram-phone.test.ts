import { beforeEach, describe, expect, test } from 'vitest';
import type { Medium, Settings } from '../../src/platforms/instagram/records.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { FILM, phoneOf } from '../harness/graph-phone.ts';
import { sendRaw } from '../harness/raw-http.ts';
import { DAY_MS, type Instagram, startInstagram } from './instagram-calls.ts';

const start = closedAfterTest(startInstagram);
const FIELDS = 'id,caption,media_type,media_product_type,media_url,permalink,timestamp,username';

let instagram: Instagram;
let token: string;
let phone: ReturnType<typeof phoneOf>;
beforeEach(async () => {
  instagram = await start();
  token = await instagram.token();
  phone = phoneOf(instagram, 'nora.cuts');
});

const list = async (query: Record<string, string> = {}) => {
  const asked = new URLSearchParams({ fields: FIELDS, access_token: token, ...query });
  return (await instagram.call('GET', `/graph-instagram/v25.0/${await instagram.igId()}/media?${asked}`)).json;
};
const node = (id: string, fields = FIELDS) =>
  instagram.call('GET', `/graph-instagram/v25.0/${id}?fields=${fields}&access_token=${token}`);
const change = (id: string, values: Partial<Medium>) =>
  instagram.store.change<Medium>('media', id, (known) => known && { ...known, ...values });
const fileOf = async (id: string) => sendRaw((await node(id)).json.media_url ?? '');
const captions = async (query?: Record<string, string>) => (await list(query)).data.map(({ caption }) => caption);

describe('a reel from the phone', () => {
  test('is in the list, on its page, in the feed', async () => {
    const { id, url } = await phone.post('Sunset run\n#sea');
    const [listed] = (await list()).data;
    expect(listed).toEqual({
      id,
      caption: 'Sunset run\n#sea',
      media_type: 'VIDEO',
      media_product_type: 'REELS',
      media_url: expect.stringMatching(/\/cdn\/18\d+\.mp4\?oe=[\da-f]+&oh=[\da-f]+$/),
      permalink: url,
      timestamp: expect.stringMatching(/\+0000$/),
      username: 'nora.cuts',
    });
    expect((await sendRaw(url)).text).toContain('Sunset run');
    expect(await instagram.published()).toMatchObject([{ id, username: 'nora.cuts', url, bytes: FILM.length }]);
  });

  test('keeps a claimed time, in whole seconds', async () => {
    await phone.post('old', { publishedAt: Date.UTC(2026, 10, 20, 8, 0, 0, 900) });
    expect((await list()).data[0]?.timestamp).toBe('2026-11-20T08:00:00+0000');
  });

  test('has a file, whole and in parts', async () => {
    const { id } = await phone.post('x');
    expect((await fileOf(id)).bytes).toEqual(FILM);
    const part = await sendRaw((await node(id)).json.media_url ?? '', { headers: { range: 'bytes=2-5' } });
    expect([part.status, part.bytes]).toEqual([206, FILM.subarray(2, 6)]);
    expect(part.headers.get('content-range')).toBe(`bytes 2-5/${FILM.length}`);
  });

  test('has another URL when the first one expired', async () => {
    await instagram.set({ fileLifeMs: 60_000 } satisfies Partial<Settings>);
    const { id } = await phone.post('x');
    const url = (await node(id)).json.media_url ?? '';
    instagram.clock.now += 60_001;
    expect(await sendRaw(url)).toMatchObject({ status: 403, text: 'URL signature expired' });
    expect((await fileOf(id)).bytes).toEqual(FILM);
    expect(await sendRaw(`${url}0`)).toMatchObject({ status: 403, text: 'URL signature mismatch' });
  });

  test('is edited without a new id', async () => {
    const { id } = await phone.post('first');
    await phone.edit(id, 'second');
    expect((await list()).data).toMatchObject([{ id, caption: 'second' }]);
    await expect(phone.edit('1', 'x')).rejects.toThrow('no reel');
  });

  test('disappears everywhere after its deletion', async () => {
    const { id, url } = await phone.post('x');
    const file = (await node(id)).json.media_url ?? '';
    await phone.remove(id);
    await phone.remove(id);
    expect((await list()).data).toEqual([]);
    expect((await node(id)).name).toBe('100/33');
    expect([(await sendRaw(file)).status, (await sendRaw(url)).status]).toEqual([404, 404]);
    expect(await instagram.published()).toEqual([]);
  });

  test.each([{ hiddenMs: 60_000 }, { hiddenMs: undefined, listLagMs: 60_000 }])(
    'is listed late with %j',
    async (lag) => {
      const { hiddenMs, ...settings } = lag;
      await instagram.set(settings);
      await phone.post('x', hiddenMs === undefined ? {} : { hiddenMs });
      expect(await captions()).toEqual([]);
      instagram.clock.now += 60_000;
      expect(await captions()).toEqual(['x']);
    },
  );

  test('for close friends is not listed', async () => {
    await phone.post('secret', { audience: 'limited' });
    expect(await captions()).toEqual([]);
  });

  test('does not count against the posts of the API', async () => {
    const limited = await start({ limits: true });
    const own = await limited.token();
    await phoneOf(limited, 'nora.cuts').post('x');
    const path = `/graph-instagram/v25.0/${await limited.igId()}/content_publishing_limit`;
    const { json } = await limited.call('GET', `${path}?fields=quota_usage&access_token=${own}`);
    expect(json.data[0]?.quota_usage).toBe(0);
  });
});

test('a reel from a container has a file, is deletable', async () => {
  const { json } = await instagram.container(token);
  const { id } = (await instagram.publish(token, json.id)).json;
  expect((await fileOf(id)).status).toBe(200);
  await phone.remove(id);
  await instagram.status(token, json.id);
  expect([(await list()).data, await instagram.published()]).toEqual([[], []]);
});

test('a reel deleted between pages hides and repeats no other', async () => {
  const ids: string[] = [];
  for (const text of ['1', '2', '3', '4']) {
    ids.push((await phone.post(text)).id);
    instagram.clock.now += 1_000;
  }
  const first = await list({ limit: '2' });
  expect(first.data.map(({ caption }) => caption)).toEqual(['4', '3']);
  await phone.remove(ids[2] ?? '');
  expect(await captions({ limit: '2', after: first.paging.cursors.after })).toEqual(['2', '1']);
});

test('reels of one second have any order, without duplicates', async () => {
  const { id: one } = await phone.post('a');
  const { id: two } = await phone.post('b');
  const { data, paging } = await list({ limit: '1' });
  const rest = await list({ limit: '1', after: paging.cursors.after });
  expect([...data, ...rest.data].map(({ id }) => id).sort()).toEqual([one, two].sort());
});

test.each([
  [{ flagged: true }, { media_type: 'VIDEO', media_product_type: 'REELS' }],
  [{ kind: 'photo' }, { media_type: 'IMAGE', media_product_type: 'FEED', media_url: expect.any(String) }],
  [
    { kind: 'carousel', children: ['VIDEO', 'IMAGE'] },
    { media_type: 'CAROUSEL_ALBUM', media_url: expect.any(String) },
  ],
] as const)('%j is listed in its form', async (values, expected) => {
  const { id } = await phone.post('x');
  await change(id, values as Partial<Medium>);
  const [listed] = (await list({ fields: `${FIELDS},children{media_type}` })).data;
  expect(listed).toMatchObject(expected);
  expect('media_url' in (listed ?? {})).toBe('media_url' in expected);
  expect((listed as { children?: { data: unknown[] } } | undefined)?.children?.data.length).toBe(
    'children' in values ? 2 : undefined,
  );
});

test('stories are not listed', async () => {
  const { id } = await phone.post('x');
  await change(id, { kind: 'story' });
  expect(await captions()).toEqual([]);
});

test('Facebook Login lists a post of yesterday too', async () => {
  const own = await instagram.token('facebook');
  await phone.post('x', { publishedAt: instagram.clock.now - DAY_MS });
  const path = `/graph-facebook/v25.0/${await instagram.igId()}/media?fields=caption&access_token=${own}`;
  expect((await instagram.call('GET', path)).json.data).toMatchObject([{ caption: 'x' }]);
});
