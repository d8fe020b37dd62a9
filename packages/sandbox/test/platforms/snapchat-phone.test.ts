import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../harness/after-test.ts';
import { FILM, phoneOf } from '../harness/phone.ts';
import { startSnapchat } from './snapchat-calls.ts';

interface Listed {
  spotlight: { id: string; caption: string; status: string; created_at: string };
}

const start = closedAfterTest(async (overrides: { processingMs?: number } = {}) => {
  const snapchat = await startSnapchat(overrides);
  const { remoteId } = await snapchat.simulator.enrol('nora');
  const spotlights = async (path = '') => {
    const { json } = await snapchat.call('GET', `/v1/public_profiles/${remoteId}/spotlights${path}`);
    return ((json.spotlights ?? []) as Listed[]).map(({ spotlight }) => spotlight);
  };
  const captions = async () => (await spotlights()).map(({ caption }) => caption);
  return { ...snapchat, spotlights, captions, phone: phoneOf(snapchat, 'nora') };
});

describe('post from the Snapchat app', () => {
  test('is published, and live after the review', async () => {
    const { phone, spotlights, clock, published } = await start({ processingMs: 60_000 });
    const { id, url } = await phone.post('Sunset #sea');
    const spotlight = { id, caption: 'Sunset #sea', created_at: '2026-11-21T10:00:00.000Z' };
    expect(await spotlights()).toMatchObject([{ ...spotlight, status: 'SUBMITTED' }]);
    clock.now += 60_000;
    expect(await spotlights()).toMatchObject([{ ...spotlight, status: 'LIVE' }]);
    expect(await spotlights(`/${id}`)).toEqual(await spotlights());
    expect(await published()).toMatchObject([{ id, url, text: 'Sunset #sea', bytes: FILM.length }]);
    expect((await fetch(url)).status).toBe(200);
  });

  test('is listed by its own time, and may appear late', async () => {
    const { phone, clock, captions } = await start();
    await phone.post('late', { hiddenMs: 60_000 });
    await phone.post('older', { publishedAt: clock.now - 86_400_000 });
    expect(await captions()).toEqual(['older']);
    clock.now += 60_000;
    expect(await captions()).toEqual(['late', 'older']);
  });

  test('for friends is no spotlight', async () => {
    const { phone, captions, spotlights } = await start();
    const { id, url } = await phone.post('for few', { audience: 'limited' });
    expect([await captions(), await spotlights(`/${id}`)]).toEqual([[], []]);
    expect((await fetch(url)).status).toBe(404);
  });

  test('can be deleted', async () => {
    const { phone, captions, published } = await start();
    const { id } = await phone.post('one');
    await phone.remove(id);
    await phone.remove(id);
    expect([await captions(), await published()]).toEqual([[], []]);
  });
});
