import { describe, expect, test } from 'vitest';
import type { Pin } from '../../src/platforms/pinterest/records.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { FILM, phoneOf } from '../harness/phone.ts';
import { startPinterest } from './pinterest-calls.ts';

const start = closedAfterTest(async () => {
  const pinterest = await startPinterest();
  const pins = async (query = '') =>
    (await pinterest.call('GET', `/v5/pins${query}`)).json.items as { id: string; description: string | null }[];
  const texts = async (query = '') => (await pins(query)).map(({ description }) => description);
  return { ...pinterest, pins, texts, phone: phoneOf(pinterest, 'nora') };
});

describe('post from the Pinterest app', () => {
  test('is published and listed with its measures', async () => {
    const pinterest = await start();
    const { id, url } = await pinterest.phone.post('Sunset #sea');
    const [pin] = await pinterest.pins('?creative_types=VIDEO');
    expect(pin).toMatchObject({
      id,
      board_id: await pinterest.board(),
      created_at: '2026-11-21T10:00:00',
      description: 'Sunset #sea',
      is_owner: true,
      parent_pin_id: null,
      media: { media_type: 'video', duration: 12_000, width: 1080, height: 1920, video_url: null },
    });
    expect((await pinterest.call('GET', `/v5/pins/${id}`)).json).toEqual(pin);
    expect(await pinterest.published()).toMatchObject([{ id, url, text: 'Sunset #sea', bytes: FILM.length }]);
    expect((await fetch(url)).status).toBe(200);
  });

  test('is listed by its own time, and may appear late', async () => {
    const { phone, clock, texts } = await start();
    await phone.post('late', { hiddenMs: 60_000 });
    await phone.post('older', { publishedAt: clock.now - 86_400_000 });
    expect(await texts()).toEqual(['older']);
    clock.now += 60_000;
    expect(await texts()).toEqual(['late', 'older']);
  });

  test('for few is on a secret board', async () => {
    const { phone, call, pins } = await start();
    const { url } = await phone.post('for few', { audience: 'limited' });
    const { items } = (await call('GET', '/v5/boards?privacy=SECRET')).json as { items: { id: string }[] };
    expect(await pins()).toMatchObject([{ board_id: items[0]?.id }]);
    expect((await fetch(url)).status).toBe(404);
  });

  test('can be edited and deleted', async () => {
    const { phone, texts, published } = await start();
    const { id } = await phone.post('before');
    await phone.edit(id, 'after');
    expect(await texts()).toEqual(['after']);
    await phone.remove(id);
    await phone.remove(id);
    expect([await texts(), await published()]).toEqual([[], []]);
    await expect(phone.edit(id, 'x')).rejects.toThrow('There is no pin');
  });

  test('may be a save, which lists can exclude', async () => {
    const { phone, store, texts } = await start();
    const { id } = await phone.post('saved');
    await store.change<Pin>('pin', id, (pin) => pin && { ...pin, savedFrom: '12' });
    expect(await texts()).toEqual(['saved']);
    expect(await texts('?pin_filter=exclude_repins')).toEqual([]);
  });

  test('on a protected board is listed only on request', async () => {
    const { phone, call, store, texts } = await start();
    const { json } = await call('POST', '/v5/boards', { json: { name: 'Protected', privacy: 'PROTECTED' } });
    const { id } = await phone.post('protected');
    await store.change<Pin>('pin', id, (pin) => pin && { ...pin, boardId: String(json.id) });
    expect(await texts()).toEqual([]);
    expect(await texts('?include_protected_pins=true')).toEqual(['protected']);
  });
});
