import { describe, expect, test } from 'vitest';
import { at } from '../../src/json.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { FILM, phoneOf } from '../harness/phone.ts';
import { startYouTube } from './youtube-calls.ts';

const start = closedAfterTest(async (overrides: { processingMs?: number } = {}) => {
  const youtube = await startYouTube(overrides);
  const token = await youtube.token();
  const { remoteId } = await youtube.simulator.enrol('nora.cuts');
  const uploads = async (query: Record<string, string> = {}) => {
    const asked = { part: 'snippet,contentDetails,status', playlistId: remoteId.replace('UC', 'UU'), ...query };
    return (await youtube.list('playlistItems', token, asked)).json;
  };
  const titles = async () => {
    const items = (await uploads()).items as unknown[];
    return items.map((item) => at(item, 'snippet', 'title'));
  };
  const video = async (id: string, part = 'snippet,status,contentDetails') =>
    at((await youtube.list('videos', token, { part, id })).json, 'items', 0);
  return { ...youtube, uploads, titles, video, phone: phoneOf(youtube, 'nora.cuts') };
});

describe('post from the YouTube app', () => {
  test('is published, listed and described', async () => {
    const youtube = await start();
    const { id, url } = await youtube.phone.post('Sunset #sea', { durationMs: 3_661_000 });
    const { items } = await youtube.uploads();
    expect(items).toMatchObject([
      {
        snippet: { title: 'Sunset #sea', description: '', publishedAt: '2026-11-21T10:00:00Z' },
        contentDetails: { videoId: id, videoPublishedAt: '2026-11-21T10:00:00Z' },
        status: { privacyStatus: 'public' },
      },
    ]);
    expect(await youtube.video(id)).toMatchObject({
      contentDetails: { duration: 'PT1H1M1S' },
      status: { uploadStatus: 'processed' },
    });
    expect(await youtube.published()).toMatchObject([{ id, url, text: 'Sunset #sea', bytes: FILM.length }]);
    expect((await fetch(url)).status).toBe(200);
  });

  test('has its whole text in the description if multi-line', async () => {
    const { phone, video } = await start();
    const { id } = await phone.post('Sunset\nat the sea');
    expect(await video(id)).toMatchObject({ snippet: { title: 'Sunset', description: 'Sunset\nat the sea' } });
    await phone.edit(id, 'Sunrise');
    expect(await video(id)).toMatchObject({ snippet: { title: 'Sunrise', description: '' } });
    await expect(phone.edit('nothing', 'x')).rejects.toThrow('There is no video');
  });

  test('has no duration while it is processed', async () => {
    const { phone, video, clock } = await start({ processingMs: 60_000 });
    const { id } = await phone.post('one', { durationMs: 61_000 });
    expect(await video(id)).toMatchObject({ contentDetails: { duration: 'P0D' } });
    clock.now += 60_000;
    expect(await video(id)).toMatchObject({ contentDetails: { duration: 'PT1M1S' } });
  });

  test('is listed by its own time, and may appear late', async () => {
    const { phone, clock, titles } = await start();
    await phone.post('late', { hiddenMs: 60_000 });
    await phone.post('older', { publishedAt: clock.now - 86_400_000 });
    await phone.post('now');
    expect(await titles()).toEqual(['now', 'older']);
    clock.now += 60_000;
    expect(await titles()).toEqual(['now', 'late', 'older']);
  });

  test('may be private, and can be deleted', async () => {
    const { phone, uploads, titles, published } = await start();
    const { id, url } = await phone.post('for few', { audience: 'limited' });
    expect((await uploads()).items).toMatchObject([{ status: { privacyStatus: 'private' } }]);
    expect((await fetch(url)).status).toBe(404);
    await phone.remove(id);
    await phone.remove(id);
    expect([await titles(), await published()]).toEqual([[], []]);
  });
});
