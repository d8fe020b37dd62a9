import { beforeEach, expect, test } from 'vitest';
import type { Medium } from '../../src/platforms/x/records.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { type PhoneCall, postFromPhone } from '../harness/phone.ts';
import { startX, type X } from './x-calls.ts';

const start = closedAfterTest(startX);
const ALL =
  'tweet.fields=created_at,attachments,entities,note_tweet&expansions=attachments.media_keys,author_id&media.fields=duration_ms,width,height,variants&user.fields=protected';
let x: X;
let token: string;
beforeEach(async () => {
  x = await start();
  token = await x.token();
});

const phone = () => {
  if (!x.simulator.phone) throw new Error('There is no phone.');
  return x.simulator.phone;
};
const filmed = async (text: string, more: PhoneCall = {}) => {
  const posted = await postFromPhone(x, 'nora', { text, ...more });
  x.clock.now += 5_000;
  return posted.id;
};
interface Link {
  start: number;
  end: number;
  url: string;
  expanded_url: string;
}
interface Shown {
  id: string;
  text: string;
  entities: { urls: [Link, ...Link[]] };
  note_tweet: { text: string; entities: { urls: [Link] } };
}
interface Media {
  media_key: string;
  variants: [{ url: string }, ...{ url: string }[]];
}
/** A list with at least one post, unless the test says otherwise. */
interface Listed {
  data: [Shown, ...Shown[]];
  includes: { media: [Media, ...Media[]]; users: object[] };
  meta: { next_token: string };
}
const list = async (query = ALL) => (await x.list(token, query)).json as unknown as Listed;

test("a phone's post is in the timeline with video", async () => {
  const id = await filmed('At the sea');
  const { data, includes, meta } = await list();
  expect(meta).toEqual({ result_count: 1, newest_id: id, oldest_id: id });
  const [media] = includes.media;
  expect(data).toMatchObject([
    {
      id,
      text: expect.stringMatching(/^At the sea https:\/\/t\.co\/\w{10}$/),
      created_at: '2026-11-21T10:00:00.000Z',
      attachments: { media_keys: [media.media_key] },
      edit_history_tweet_ids: [id],
    },
  ]);
  expect(data[0].entities.urls).toEqual([
    expect.objectContaining({
      start: 11,
      end: 34,
      media_key: media.media_key,
      expanded_url: expect.stringMatching(id),
    }),
  ]);
  expect(media).toMatchObject({ type: 'video', duration_ms: 31_000, width: 1_080, height: 1_920 });
  const [large, , small] = await Promise.all(media.variants.map(({ url }) => fetch(url)));
  expect([await large?.text(), (await small?.text())?.length]).toEqual(['filmed by hand', 7]);
  expect(await x.published()).toMatchObject([{ id, text: 'At the sea' }]);
});

test('links are shortened and characters escaped', async () => {
  await filmed('🌅 a < b & see https://a.example/b?c=1, bye');
  const [{ text, entities }] = (await list()).data;
  const [link] = entities.urls;
  expect(text).toMatch(/^🌅 a &lt; b &amp; see https:\/\/t\.co\/\w{10}, bye https:\/\/t\.co\/\w{10}$/);
  expect(link.expanded_url).toBe('https://a.example/b?c=1');
  expect([...text].slice(link.start, link.end).join('')).toBe(link.url);
});

test('a long text is whole in another field only', async () => {
  const long = `${'word '.repeat(100)}https://a.example/`;
  await filmed(long);
  const [{ text, note_tweet: note }] = (await list()).data;
  expect(text).toMatch(/^(?:word ){28}… https:\/\/t\.co\/\w{10}$/);
  expect(note.text).toBe(long.replace('https://a.example/', note.entities.urls[0].url));
  expect((await list('tweet.fields=created_at')).data[0]).not.toHaveProperty('note_tweet');
});

test('an edit is a new version with all ids', async () => {
  const id = await filmed('Befor');
  await phone().edit?.('nora', id, 'After');
  x.clock.now += 5_000;
  const { data } = await list(`${ALL}&since_id=${id}`);
  expect(data).toMatchObject([{ edit_history_tweet_ids: [id, data[0].id], text: expect.stringContaining('After') }]);
  const old = await x.call('GET', `/2/tweets/${id}`, { token });
  expect(old.json.data).toMatchObject({ id, text: expect.stringContaining('Befor') });
  expect(await x.published()).toMatchObject([{ id, text: 'After' }]);
  await phone().remove('nora', data[0].id);
  await phone().remove('nora', id);
  expect([(await list()).data, await x.published()]).toEqual([undefined, []]);
});

test('posts are hidden for as long as requested', async () => {
  const id = await filmed('late', { hiddenMs: 60_000 });
  expect((await list()).data).toBeUndefined();
  x.clock.now += 60_000;
  expect((await list()).data).toMatchObject([{ id }]);
});

test('a limited audience protects the account', async () => {
  await filmed('for followers', { audience: 'limited' });
  expect((await list()).includes.users).toMatchObject([{ protected: true }]);
  await filmed('for everybody', { audience: 'public' });
  expect((await list()).includes.users).toMatchObject([{ protected: false }]);
});

test('a deletion between pages hides no other post', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 12; count++) ids.unshift(await filmed(`${count}`));
  const first = await list('max_results=5');
  await phone().remove('nora', ids[0] ?? '');
  const second = await list(`max_results=5&pagination_token=${first.meta.next_token}`);
  expect(second.data.map((post) => post.id)).toEqual(ids.slice(5, 10));
});

test('URLs of videos expire if requested', async () => {
  await x.set({ videoUrlSeconds: 60 });
  await filmed('film');
  const urlOf = async () => (await list()).includes.media[0].variants[0].url;
  const url = await urlOf();
  expect((await fetch(url)).status).toBe(200);
  x.clock.now += 61_000;
  expect([(await fetch(url)).status, (await fetch(await urlOf())).status]).toEqual([403, 200]);
  expect(await x.store.list<Medium>('media', { limit: 5 })).toHaveLength(1);
});

test('the app edits only own posts', async () => {
  await expect(phone().edit?.('otto', await filmed('mine'), 'x')).rejects.toThrow('no post');
});
