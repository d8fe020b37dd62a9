import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../harness/after-test.ts';
import { FILM, phoneOf } from '../harness/phone.ts';
import { isWholeUpload } from '../harness/simulator.ts';
import { startTikTok } from './tiktok-calls.ts';

const FIELDS = 'id,create_time,title,video_description,duration,height,width,share_url';

const start = closedAfterTest(async () => {
  const tiktok = await startTikTok();
  const token = await tiktok.token();
  const list = async (json: object = {}) =>
    (await tiktok.call('POST', `/v2/video/list/?fields=${FIELDS}`, { token, json })).json.data;
  const titles = async (json?: object) => (await list(json)).videos.map(({ title }) => title);
  return { ...tiktok, list, titles, phone: phoneOf(tiktok, 'nora.cuts') };
});

describe('post from the TikTok app', () => {
  test('is published and listed, with a truncated caption', async () => {
    const tiktok = await start();
    const { id, url } = await tiktok.phone.post('a'.repeat(151));
    const { videos } = await tiktok.list();
    expect(videos).toEqual([
      {
        id,
        create_time: Math.floor(tiktok.clock.now / 1000),
        title: 'a'.repeat(150),
        video_description: 'a'.repeat(150),
        duration: 12,
        width: 1080,
        height: 1920,
        share_url: `${url}?utm_campaign=tt4d_open_api&utm_source=sandbox-client`,
      },
    ]);
    const [entry] = await tiktok.published();
    expect(entry).toMatchObject({ id, url, username: 'nora.cuts', text: 'a'.repeat(151) });
    expect(entry && (await isWholeUpload(tiktok, entry, { bytes: FILM.length, sha256: entry.sha256 }))).toBe(true);
    expect((await fetch(url)).status).toBe(200);
  });

  test('is listed by its own time, and may appear late', async () => {
    const { phone, clock, titles } = await start();
    await phone.post('late', { hiddenMs: 60_000 });
    await phone.post('older', { publishedAt: clock.now - 86_400_000 });
    expect(await titles()).toEqual(['older']);
    clock.now += 60_000;
    expect(await titles()).toEqual(['late', 'older']);
  });

  test('for followers is not listed', async () => {
    const { phone, titles } = await start();
    const { url } = await phone.post('for few', { audience: 'limited' });
    expect(await titles()).toEqual([]);
    expect((await fetch(url)).status).toBe(404);
  });

  test('disappears between two pages without moving the others', async () => {
    const { phone, clock, list, titles } = await start();
    const posted = [];
    for (const text of ['one', 'two', 'three']) {
      posted.push(await phone.post(text));
      clock.now += 1_000;
    }
    const { cursor, has_more } = await list({ max_count: 2 });
    expect(has_more).toBe(true);
    await phone.remove(posted[2]?.id ?? '');
    await phone.remove(posted[2]?.id ?? '');
    expect(await titles({ cursor })).toEqual(['one']);
    expect(await titles()).toEqual(['two', 'one']);
  });
});
