import { beforeEach, expect, test } from 'vitest';
import type { Post } from '../../src/platforms/linkedin/records.ts';
import { MINUTE } from '../../src/time.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { type PhoneCall, postFromPhone } from '../harness/phone.ts';
import { type LinkedIn, startLinkedIn } from './linkedin-calls.ts';

const start = closedAfterTest(startLinkedIn);
let linkedin: LinkedIn;
let page: Awaited<ReturnType<LinkedIn['account']>>;
beforeEach(async () => {
  linkedin = await start({ processingMs: MINUTE });
  page = await linkedin.account('nora');
});

const phone = () => {
  if (!linkedin.simulator.phone) throw new Error('There is no phone.');
  return linkedin.simulator.phone;
};
const filmed = async (text: string, more: PhoneCall = {}, username = 'nora') => {
  const { id } = await postFromPhone(linkedin, username, { text, ...more });
  linkedin.clock.now += MINUTE;
  return id;
};
const list = async (query = '') => {
  const { json } = await linkedin.rest('GET', `/rest/posts?q=author&author=${page.urn}${query}`, {
    token: page.token,
    headers: { 'x-restli-method': 'FINDER' },
  });
  return json.elements as (Post & { id: string; content: { media: { id: string } } })[];
};
const ids = async (query = '') => (await list(query)).map(({ id }) => id);

test("a phone's post is listed with little text and video", async () => {
  const id = await filmed('At the sea (2) #sun_rise @nora');
  const [post] = await list();
  expect(post).toMatchObject({
    id,
    author: page.urn,
    commentary: 'At the sea \\(2\\) {hashtag|\\#|sun}\\_rise \\@nora',
    visibility: 'PUBLIC',
    lifecycleState: 'PUBLISHED',
    publishedAt: Date.UTC(2026, 10, 21, 10),
  });
  const urn = encodeURIComponent(post?.content.media.id ?? '');
  const { json } = await linkedin.rest('GET', `/rest/videos/${urn}`, { token: page.token });
  expect(json).toMatchObject({ status: 'AVAILABLE', downloadUrlExpiresAt: linkedin.clock.now + 15 * MINUTE });
  const url = String(json.downloadUrl);
  expect(await (await fetch(url)).text()).toBe('filmed by hand');
  linkedin.clock.now += 15 * MINUTE;
  expect([(await fetch(url)).status, (await fetch(url.replace(/\w+\?/, 'x?'))).status]).toEqual([403, 404]);
  expect(await linkedin.published()).toMatchObject([{ id, text: 'At the sea (2) #sun_rise @nora' }]);
});

test('an edit moves a post up in one order only', async () => {
  const [first, second] = [await filmed('one'), await filmed('two')];
  await phone().edit?.('nora', first, 'uno');
  expect(await ids('&sortBy=CREATED')).toEqual([second, first]);
  expect(await ids('&sortBy=LAST_MODIFIED')).toEqual([first, second]);
  expect((await list())[0]).toMatchObject({ commentary: 'uno', lastModifiedAt: linkedin.clock.now });
  expect((await linkedin.published()).map(({ text }) => text)).toEqual(['two', 'uno']);
});

test('posts are hidden for as long as requested', async () => {
  const id = await filmed('late', { hiddenMs: 5 * MINUTE });
  expect(await ids()).toEqual([]);
  linkedin.clock.now += 4 * MINUTE;
  expect(await ids()).toEqual([id]);
});

test('pages and members have limited audiences', async () => {
  await filmed('for members', { audience: 'limited' });
  expect(await list()).toMatchObject([{ visibility: 'LOGGED_IN' }]);
  const id = await filmed('for friends', { audience: 'limited' }, 'in/nora');
  expect(await linkedin.store.get<Post>('post', id)).toMatchObject({ visibility: 'CONNECTIONS' });
});

test('the app deletes and edits only own posts', async () => {
  const id = await filmed('mine');
  await phone().remove('otto', id);
  expect(await ids()).toEqual([id]);
  await expect(phone().edit?.('otto', id, 'x')).rejects.toThrow('no post');
  await phone().remove('nora', id);
  await phone().remove('nora', id);
  expect([await ids(), await linkedin.published()]).toEqual([[], []]);
});
