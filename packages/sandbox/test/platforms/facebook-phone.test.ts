import { beforeEach, describe, expect, test } from 'vitest';
import { SWITCHES, type Switches, type Video } from '../../src/platforms/facebook/records.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { FILM, phoneOf } from '../harness/graph-phone.ts';
import { sendRaw } from '../harness/raw-http.ts';
import { startFacebook } from './facebook-raw.ts';

const start = closedAfterTest(startFacebook);
const FIELDS = 'id,description,created_time,length,permalink_url,source,published,privacy';

let facebook: Awaited<ReturnType<typeof startFacebook>>;
let page: Awaited<ReturnType<typeof facebook.page>>;
let phone: ReturnType<typeof phoneOf>;
beforeEach(async () => {
  facebook = await start();
  page = await facebook.page();
  phone = phoneOf(facebook, 'nora.cuts');
});

const set = (switches: Switches) => facebook.store.put(...SWITCHES, switches);
const list = async (query: Record<string, string> = {}) =>
  (await facebook.graph('GET', `/${page.id}/video_reels`, { fields: FIELDS, access_token: page.token, ...query })).json;
const node = async (id: string) =>
  (await facebook.graph('GET', `/${id}`, { fields: FIELDS, access_token: page.token })).json;
const sourceOf = (entry: unknown) => (entry as { source?: string }).source ?? '';

describe('a reel from the phone', () => {
  test('is in the list, on its page, in the feed', async () => {
    const { id, url } = await phone.post('Sunset run\n#sea');
    expect((await list()).data).toEqual([
      {
        id,
        description: 'Sunset run\n#sea',
        created_time: '2026-11-21T10:00:00+0000',
        length: 12,
        permalink_url: `/reel/${id}/`,
        source: expect.stringMatching(/\/cdn\/9\d+\.mp4\?oe=[\da-f]+&oh=[\da-f]+$/),
        published: true,
        privacy: expect.objectContaining({ value: 'EVERYONE' }),
      },
    ]);
    expect((await sendRaw(url)).text).toContain('Sunset run');
    expect(await facebook.published()).toMatchObject([{ id, username: 'nora.cuts', url, bytes: FILM.length }]);
  });

  test('has a file, whose URL expires', async () => {
    await set({ fileLifeMs: 60_000 });
    const { id } = await phone.post('x');
    const url = sourceOf(await node(id));
    expect((await sendRaw(url)).bytes).toEqual(FILM);
    facebook.clock.now += 60_001;
    expect((await sendRaw(url)).status).toBe(403);
    expect((await sendRaw(sourceOf(await node(id)))).bytes).toEqual(FILM);
  });

  test('may have its file on the single video only', async () => {
    await set({ noSourceInLists: true });
    const { id } = await phone.post('x');
    expect([sourceOf((await list()).data[0]), sourceOf(await node(id))]).toEqual([
      '',
      expect.stringContaining('/cdn/'),
    ]);
  });

  test('has no file if its sound is protected', async () => {
    const { id } = await phone.post('x');
    await facebook.store.change<Video>('video', id, (known) => known && { ...known, flagged: true });
    expect(sourceOf(await node(id))).toBe('');
  });

  test('shows its limited audience', async () => {
    await phone.post('x', { audience: 'limited' });
    expect((await list()).data).toMatchObject([{ privacy: { value: 'CUSTOM' } }]);
  });

  test('is listed late, and keeps a claimed time', async () => {
    await phone.post('x', { hiddenMs: 60_000, publishedAt: Date.UTC(2026, 10, 20, 8) });
    expect((await list()).data).toEqual([]);
    facebook.clock.now += 60_000;
    expect((await list()).data).toMatchObject([{ created_time: '2026-11-20T08:00:00+0000' }]);
  });

  test('is edited without a new id', async () => {
    const { id } = await phone.post('first');
    await phone.edit(id, 'second');
    expect((await list()).data).toMatchObject([{ id, description: 'second' }]);
    await expect(phone.edit('1', 'x')).rejects.toThrow('no reel');
  });

  test('disappears everywhere after its deletion', async () => {
    const { id, url } = await phone.post('x');
    const file = sourceOf(await node(id));
    await phone.remove(id);
    await phone.remove(id);
    expect((await list()).data).toEqual([]);
    expect((await node(id)).error).toMatchObject({ code: 100, error_subcode: 33 });
    expect([(await sendRaw(file)).status, (await sendRaw(url)).status]).toEqual([404, 404]);
    expect(await facebook.published()).toEqual([]);
  });
});

test('a reel from an upload has its file too', async () => {
  const bytes = Buffer.from('uploaded through the API');
  const id = await facebook.uploaded(page, bytes);
  await facebook.finish(page, id);
  expect((await sendRaw(sourceOf(await node(id)))).bytes).toEqual(bytes);
});

test('lists have pages, newest first', async () => {
  for (const text of ['1', '2', '3']) {
    await phone.post(text);
    facebook.clock.now += 1_000;
  }
  const first = await list({ limit: '2' });
  const rest = await list({ limit: '2', after: first.paging.cursors.after });
  expect([...first.data, ...rest.data].map(({ description }) => description)).toEqual(['3', '2', '1']);
  expect([first.paging.next !== undefined, rest.paging.next]).toEqual([true, undefined]);
});
