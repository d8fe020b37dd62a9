import { describe, expect, test } from 'vitest';
import { simulator } from '../../src/platforms/mastodon/index.ts';
import { type MastodonSwitches, SWITCHES } from '../../src/platforms/mastodon/state.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { type PhoneCall, postFromPhone } from '../harness/phone.ts';
import { sendRaw } from '../harness/raw-http.ts';
import { startSimulator } from '../harness/simulator.ts';

const startPlatform = closedAfterTest(startSimulator);

async function start() {
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const instance = await startPlatform(simulator, { now: () => clock.now });
  const { tokenAnswer, remoteId } = await instance.simulator.enrol('nora');
  const authorization = `Bearer ${tokenAnswer?.access_token}`;
  const ask = async (path: string, headers: Record<string, string> = { authorization }) =>
    sendRaw(`${instance.url}${path}`, { headers });
  const list = async (query = '', headers?: Record<string, string>): Promise<Record<string, unknown>[]> =>
    JSON.parse((await ask(`/api/v1/accounts/${remoteId}/statuses?only_media=true${query}`, headers)).text);
  const post = (call?: PhoneCall) => postFromPhone(instance, 'nora', call);
  const set = (switches: MastodonSwitches) => instance.store.put(...SWITCHES, switches);
  return { ...instance, clock, authorization, remoteId, ask, list, post, set };
}

describe('Mastodon phone', () => {
  test('a post is like others in list, page, feed', async () => {
    const { list, post, ask, published, url } = await start();
    const made = await post({ text: 'Run\nat dusk' });
    const [status] = await list();
    expect(status).toMatchObject({
      ...{ id: made.id, url: made.url, visibility: 'public', content: '<p>Run<br />at dusk</p>', edited_at: null },
      created_at: '2026-11-21T10:00:00.000Z',
      media_attachments: [
        { type: 'video', meta: { original: { duration: 31, width: 1080, height: 1920 } }, remote_url: null },
      ],
    });
    const [medium] = (status?.media_attachments ?? []) as { url: string }[];
    const file = await sendRaw(medium?.url ?? '');
    expect([file.status, file.text]).toEqual([200, 'filmed by hand']);
    expect((await ask(`/api/v1/statuses/${made.id}`)).status).toBe(200);
    expect((await ask(made.url.slice(url.length))).text).toContain('<video');
    expect(await published()).toMatchObject([{ id: made.id, username: 'nora', text: 'Run\nat dusk' }]);
  });

  test('an account is also known by its address', async () => {
    const { list, ...instance } = await start();
    const made = await postFromPhone(instance, `@nora@${new URL(instance.url).host}`);
    expect(await list()).toMatchObject([{ id: made.id }]);
  });

  test('limited posts are private to others', async () => {
    const { list, post, ask } = await start();
    const { id } = await post({ audience: 'limited' });
    expect(await list()).toMatchObject([{ id, visibility: 'private' }]);
    expect(await list('', {})).toEqual([]);
    expect((await ask(`/api/v1/statuses/${id}`, {})).status).toBe(404);
  });

  test('backdated posts are sorted by their time', async () => {
    const { list, post, clock } = await start();
    const now = await post();
    const old = await post({ publishedAt: clock.now - 60_000 });
    const same = await Promise.all(Array.from({ length: 20 }, () => post({ publishedAt: clock.now - 90_000 })));
    const ids = (await list('&limit=40')).map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual([now.id, old.id]);
    expect(new Set(ids.slice(2))).toEqual(new Set(same.map(({ id }) => id)));
  });

  test('lists omit hidden posts until their time', async () => {
    const { list, post, clock, ask, set } = await start();
    const { id } = await post({ hiddenMs: 60_000 });
    expect(await list()).toEqual([]);
    expect((await ask(`/api/v1/statuses/${id}`)).status).toBe(200);
    clock.now += 60_000;
    expect(await list()).toMatchObject([{ id }]);
    await set({ listLagMs: 5_000 });
    const second = await post();
    expect(await list()).toHaveLength(1);
    clock.now += 5_000;
    expect(await list()).toMatchObject([{ id: second.id }, { id }]);
  });

  test('edits and deletions are visible everywhere', async () => {
    const {
      list,
      post,
      clock,
      simulator: { phone },
      published,
      ask,
    } = await start();
    const { id } = await post({ text: 'first' });
    clock.now += 1_000;
    await phone?.edit?.('nora', id, 'second');
    expect(await list()).toMatchObject([{ id, content: '<p>second</p>', edited_at: '2026-11-21T10:00:01.000Z' }]);
    expect((await published()).map(({ text }) => text)).toEqual(['second']);
    await expect(phone?.edit?.('ida', id, 'x')).rejects.toThrow(id);
    await phone?.remove('ida', id);
    expect(await list()).toHaveLength(1);
    await phone?.remove('nora', id);
    await phone?.remove('nora', id);
    expect([await list(), await published(), (await ask(`/api/v1/statuses/${id}`)).status]).toEqual([[], [], 404]);
  });

  test('lists omit replies to others, not those to oneself', async () => {
    const { ask, post, authorization, remoteId, url, simulator: other } = await start();
    const mine = await post();
    const theirs = String((await other.enrol('ida')).tokenAnswer?.access_token);
    const say = async (token: string, fields: Record<string, string>) =>
      JSON.parse(
        (
          await sendRaw(`${url}/api/v1/statuses`, {
            method: 'POST',
            headers: { authorization: token, 'content-type': 'application/x-www-form-urlencoded' },
            body: new URLSearchParams({ status: 'hi', ...fields }).toString(),
          })
        ).text,
      ).id;
    const foreign = await say(`Bearer ${theirs}`, {});
    const own = await say(authorization, { in_reply_to_id: mine.id });
    await say(authorization, { in_reply_to_id: foreign });
    const found = await ask(`/api/v1/accounts/${remoteId}/statuses?exclude_replies=true`);
    expect(JSON.parse(found.text).map(({ id }: { id: string }) => id)).toEqual([own, mine.id]);
  });
});
