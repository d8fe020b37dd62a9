import type { Medium, Post } from '@reelay/sandbox/platforms/x/records.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { postFromPhone } from '../../../sandbox/test/harness/phone.ts';
import type { Json, JsonObject, Session, WatchedPost } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/x/index.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import { describeWatch } from '../suites/watch.ts';
import type { Call } from './drive.ts';
import { failureOf, walkThrough } from './walk.ts';
import { isLook, startX, type X } from './x-driver.ts';

const start = closedAfterTest(startX);
const { watch } = connector;
const isSingle = ({ path }: Call) => path.startsWith('/2/tweets/');
let x: X;
let session: Session;
beforeEach(async () => {
  x = await start();
  session = await x.open(await x.connect());
});

/** Posts with the phone, and lets a minute pass. */
async function filmed(text: string, more: { hiddenMs?: number; audience?: 'public' | 'limited' } = {}) {
  const posted = await postFromPhone(x, 'nora', { text, ...more });
  x.clock.now += MINUTE;
  return posted;
}
/** A page, and the number of charged reads. */
const list = async (mark: JsonObject | null = null, cursor = '') => {
  x.counted.length = 0;
  const page = await watch.list(session, { cursor, since: x.clock.now - 2 * DAY, mark });
  return { ...page, reads: x.counted.reduce((sum, reads) => sum + reads, 0) };
};
const texts = async () => (await list()).posts.map(({ text }) => text);
const changePost = async (id: string, changes: (post: Post) => Partial<Post>) => {
  const key = (await x.store.get<string>('post-key', id)) ?? '';
  await x.store.change<Post>('post', key, (known) => known && { ...known, ...changes(known) });
};
/** A watcher that keeps its mark. It returns the texts and the number of charged reads. */
function watcher() {
  let mark: JsonObject | null = null;
  return async () => {
    const page = await list(mark);
    mark = page.mark ?? mark;
    return [page.posts.map(({ text }) => text), page.reads];
  };
}
const fileOf = (post: WatchedPost | undefined) => {
  if (!post || !watch.file) throw new Error('There is no post.');
  return watch.file(session, post);
};

describeWatch({
  platform: 'x',
  username: 'nora',
  pageSize: 100,
  longText: 'é'.repeat(12_000),
  lagMs: 2 * SECOND,
  // The account is protected, not the post.
  limits: false,
  // By the other names of the fields.
  recovers: ['an unknown refusal with 100 kB of text'],
  isList: isLook,
  async start() {
    const drive = await start();
    return { drive, work: await drive.work('made with Reelay') };
  },
});

describe('the list', () => {
  test('has the phone’s posts and our own, newest first', async () => {
    const postedAt = x.clock.now;
    const { id, url } = await filmed('From the phone');
    const own = await walkThrough(x, await x.work('From Reelay'));
    x.clock.now += MINUTE;
    const { posts } = await list();
    expect(posts.map(({ remoteId }) => remoteId)).toEqual([own.published?.remoteId, id]);
    expect(posts[1]).toEqual({
      remoteId: id,
      publishedAt: postedAt,
      text: 'From the phone',
      url,
      durationMs: 31_000,
      width: 1_080,
      height: 1_920,
      isPublic: true,
      file: { id, key: expect.stringMatching(/^7_\d+$/) },
    });
    for (const { remoteId } of posts) expect(connector.canonicalId(remoteId)).toBe(remoteId);
  });

  test('misses no post if a deletion shifts its pages', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 102; count++) ids.push((await filmed(`${count}`)).id);
    const { posts, next, reads } = await list();
    expect([posts.length, reads]).toEqual([100, 100]);
    await x.simulator.phone?.remove('nora', ids[101] ?? '');
    const second = await list(null, next);
    expect(second.posts.map(({ remoteId }) => remoteId)).toEqual([ids[1], ids[0]]);
    expect([second.next, second.mark]).toEqual(['', undefined]);
  });

  test('omits odd posts and posts without video, counted', async () => {
    const changes: ((post: Post) => Partial<Post>)[] = [() => ({ mediaIds: [] }), () => ({ mediaIds: ['1'] })];
    for (const change of changes) await changePost((await filmed('odd')).id, change);
    await filmed('good');
    const { posts, reads } = await list();
    expect([posts.map(({ text }) => text), reads]).toEqual([['good'], 3]);
    const data: Json[] = [
      7,
      null,
      { text: 'no id' },
      { id: 'x' },
      { id: '5', attachments: { media_keys: [null, {}] } },
    ];
    x.faults.add({ when: isLook, fault: { kind: 'status', answer: { status: 200, body: { data } } } });
    expect(await list()).toMatchObject({ posts: [], reads: 1 });
  });

  test('an animated GIF is no video', async () => {
    const { id } = await filmed('loop');
    const key = (await x.media())[0]?.key ?? '';
    const data = [{ id, text: 'loop', attachments: { media_keys: [key] } }];
    const media = [{ media_key: key, type: 'animated_gif' }];
    x.faults.add({
      when: isLook,
      fault: { kind: 'status', answer: { status: 200, body: { data, includes: { media } } } },
    });
    expect((await list()).posts).toEqual([]);
  });

  test('has a video that X temporarily cannot show', async () => {
    const data = [{ id: '1903', text: 'film', attachments: { media_keys: ['13_1901'] } }];
    x.faults.add({ when: isLook, fault: { kind: 'status', answer: { status: 200, body: { data, errors: [{}] } } } });
    expect((await list()).posts).toMatchObject([
      { remoteId: '1903', durationMs: null, publishedAt: null, file: { id: '1903', key: '13_1901' } },
    ]);
  });

  test('an edited post keeps its first id and time', async () => {
    const postedAt = x.clock.now;
    const { id } = await filmed('Befor');
    await x.simulator.phone?.edit?.('nora', id, 'After');
    x.clock.now += MINUTE;
    const { posts } = await list();
    expect(posts).toMatchObject([{ remoteId: id, publishedAt: postedAt, text: 'After' }]);
    expect(posts[0]?.file?.id).not.toBe(id);
  });

  test('several videos, and another post’s video, are a problem', async () => {
    await filmed('one');
    const { id } = await filmed('two');
    const media = await x.media();
    await changePost(id, () => ({ mediaIds: media.map((each) => each.id) }));
    const [two, one] = (await list()).posts;
    expect([two?.file, two?.problem?.code, one?.problem]).toEqual([null, 'post_has_several_videos', undefined]);
    const foreign = { url: 'https://t.co/1', expanded_url: 'https://x.com/otto/status/77/video/1', media_key: '7_5' };
    const data = [{ id: '1903', text: 'look', attachments: { media_keys: ['7_5'] }, entities: { urls: [foreign] } }];
    x.faults.add({ when: isLook, fault: { kind: 'status', answer: { status: 200, body: { data } } } });
    expect((await list()).posts).toMatchObject([{ file: null, problem: { code: 'x.video_of_another_post' } }]);
  });

  test('posts of a protected account are not public', async () => {
    await filmed('for followers', { audience: 'limited' });
    expect((await list()).posts).toMatchObject([{ isPublic: false }]);
    await filmed('for everybody', { audience: 'public' });
    expect((await list()).posts).toMatchObject([{ isPublic: true }, { isPublic: true }]);
  });

  test('posts of an account with unknown protection are not public', async () => {
    const entities = { urls: [{ url: 'https://t.co/1', expanded_url: 'https://x.com/nora/status/1903/video/1' }] };
    const data = [{ id: '1903', text: 'look', attachments: { media_keys: ['7_5'] }, entities }];
    x.faults.add({ when: isLook, fault: { kind: 'status', answer: { status: 200, body: { data } } } });
    expect((await list()).posts).toMatchObject([{ isPublic: true }]);
    session = { ...session, extra: {} };
    expect((await list()).posts).toMatchObject([{ isPublic: false }]);
  });

  test.each(['post.fields', 'tweet.fields'] as const)('is read if X knows %s only', async (fieldNames) => {
    await x.set({ fieldNames });
    const long = `${'word '.repeat(100)}https://a.example/ & more`;
    await filmed(long);
    expect(await texts()).toEqual([long]);
  });

  test.each([
    ['an empty object', { status: 200, body: {} }, 'transient'],
    ['no credits', { status: 402, body: { detail: 'credits depleted' } }, 'rateLimited'],
    ['a rejected token', { status: 401, body: { detail: 'Unauthorized' } }, 'tokenExpired'],
    ['an error of the server', { status: 503, body: '<html>' }, 'transient'],
  ])('%s is a failure', async (_name, response, kind) => {
    x.faults.add({ when: isLook, fault: { kind: 'status', answer: response } });
    expect(await failureOf(list())).toMatchObject({ kind });
  });

  test('a failure has X’s words', async () => {
    await x.set({ application: 'usage-capped' });
    expect((await failureOf(list())).detail.text).toContain('Usage cap exceeded: Monthly product cap');
  });
});

describe('the mark', () => {
  test('a timeline without news costs nothing', async () => {
    const check = watcher();
    await filmed('one');
    await filmed('two');
    expect(await check()).toEqual([['two', 'one'], 2]);
    x.clock.now += HOUR;
    expect(await check()).toEqual([['two', 'one'], 0]);
    expect(await check()).toEqual([[], 0]);
    await filmed('three');
    expect(await check()).toEqual([['three'], 1]);
  });

  test('a post that appears late behind newer ones is found', async () => {
    const check = watcher();
    await filmed('late', { hiddenMs: 25 * MINUTE });
    await filmed('newer');
    expect(await check()).toEqual([['newer'], 1]);
    x.clock.now += 10 * MINUTE;
    expect(await check()).toEqual([['newer'], 0]);
    x.clock.now += 14 * MINUTE;
    expect(await check()).toEqual([['newer', 'late'], 1]);
  });

  test('X charges a post again on the next day', async () => {
    x.clock.now = Date.UTC(2026, 10, 21, 23, 55);
    session = await x.open(await x.connect());
    const check = watcher();
    await filmed('one');
    expect(await check()).toEqual([['one'], 1]);
    x.clock.now += 5 * MINUTE;
    expect(await check()).toEqual([['one'], 1]);
    expect(await check()).toEqual([['one'], 0]);
  });

  test('an outdated mark does not reach back further than asked', async () => {
    const check = watcher();
    await filmed('old');
    x.clock.now += HOUR;
    await check();
    x.clock.now += 3 * DAY;
    session = await x.open(await x.connect());
    await filmed('new');
    expect(await check()).toEqual([['new'], 1]);
    expect(x.asked.at(-1)?.url).toMatch(/start_time=2026-11-22T10%3A02%3A00Z/);
  });

  test('needs no future time for a new rule', async () => {
    const ahead = { ...session, now: () => x.clock.now + 30 * MINUTE };
    await filmed('one');
    const { posts } = await watch.list(ahead, { cursor: '', since: ahead.now(), mark: null });
    expect(posts).toHaveLength(1);
  });

  test('the back catalog is read without a limit of time', async () => {
    await filmed('old');
    expect((await watch.list(session, { cursor: '', since: 0, mark: null })).posts).toHaveLength(1);
    expect(x.asked.at(-1)?.url).not.toMatch(/start_time|since_id/);
  });

  test.each<[string, JsonObject]>([
    ['of another kind', { newest: '5' }],
    ['with odd values', { sinceId: 'x', day: 7, charged: 'all' }],
  ])('a mark %s counts as none', async (_name, mark) => {
    await filmed('one');
    expect(await list(mark)).toMatchObject({ posts: [{ text: 'one' }], reads: 1 });
  });
});

describe('the text', () => {
  test.each([
    'a < b & c &amp; d',
    'see https://a.example/b?c=1&d=2, and http://b.example/.',
    'https://a.example/',
    '🌅',
    '',
  ])('%j is shown as typed', async (text) => {
    await filmed(text);
    expect(await texts()).toEqual([text]);
  });
});

describe('the file', () => {
  test('X charges for each post that a lookup returns', async () => {
    const { id } = await filmed('one');
    const [post] = (await list()).posts;
    x.counted.length = 0;
    await fileOf(post);
    expect(x.counted).toEqual([1]);
    await x.simulator.phone?.remove('nora', id);
    expect(await fileOf(post)).toEqual({ found: 'gone' });
    expect(x.counted).toEqual([1, 0]);
  });

  test('has the bytes that the phone posted', async () => {
    await filmed('film');
    const found = await fileOf((await list()).posts[0]);
    if (found.found !== 'file') throw new Error('There is no file.');
    expect(found.headers).toBeUndefined();
    expect(await (await fetch(found.url)).text()).toBe('filmed by hand');
  });

  test('has a fresh URL each time', async () => {
    await x.set({ videoUrlSeconds: 60 });
    await filmed('film');
    const [post] = (await list()).posts;
    const urlOf = async () => {
      const found = await fileOf(post);
      return found.found === 'file' ? found.url : '';
    };
    const url = await urlOf();
    x.clock.now += 61 * SECOND;
    expect([(await fetch(url)).status, (await fetch(await urlOf())).status]).toEqual([403, 200]);
  });

  test('is that of the edited version', async () => {
    const { id } = await filmed('Befor');
    await x.simulator.phone?.edit?.('nora', id, 'After');
    x.clock.now += MINUTE;
    const [post] = (await list()).posts;
    expect(await fileOf(post)).toMatchObject({ found: 'file' });
    expect(x.requests.at(-1)?.path).toContain(`/2/tweets/${post?.file?.id}?`);
  });

  test('is the variant with the highest bit rate', async () => {
    const { id } = await filmed('film');
    const [post] = (await list()).posts;
    const mp4 = { content_type: 'video/mp4' };
    const variants = [
      { ...mp4, url: 'https://video.example/unknown' },
      { ...mp4, url: 'https://video.example/low', bit_rate: 600_000 },
      { ...mp4, url: 'https://video.example/high', bit_rate: 9_000_000 },
      { content_type: 'application/x-mpegURL', url: 'https://video.example/list', bit_rate: 99_000_000 },
      { ...mp4, url: 'ftp://video.example/odd', bit_rate: 99_000_000 },
    ];
    const media = [{ media_key: post?.file?.key ?? '', type: 'video', variants }];
    const body = { data: { id }, includes: { media } };
    x.faults.add({ when: isSingle, fault: { kind: 'status', answer: { status: 200, body } } });
    expect(await fileOf(post)).toEqual({ found: 'file', url: 'https://video.example/high' });
  });

  test('is missing if X names no file', async () => {
    await filmed('film');
    const [post] = (await list()).posts;
    await x.store.change<Medium>('media', (await x.media())[0]?.id ?? '', (known) => known && { ...known, key: '7_1' });
    expect(await fileOf(post)).toMatchObject({ found: 'none', why: { code: 'file_not_given' } });
  });

  test('a partial response is tried again later', async () => {
    const { id } = await filmed('film');
    const [post] = (await list()).posts;
    const body = { data: { id }, errors: [{ title: 'Not Found Error' }] };
    x.faults.add({ when: isSingle, fault: { kind: 'status', answer: { status: 200, body } } });
    expect(await failureOf(fileOf(post))).toMatchObject({ kind: 'transient' });
  });

  test('is gone if post or account became invisible', async () => {
    const { id } = await filmed('film');
    const [post] = (await list()).posts;
    await x.changeAccount({ protected: true });
    expect(await fileOf(post)).toEqual({ found: 'gone' });
    await x.changeAccount({ protected: false });
    await x.simulator.phone?.remove('nora', id);
    expect(await fileOf(post)).toEqual({ found: 'gone' });
  });

  test('an error is a failure', async () => {
    await filmed('film');
    const [post] = (await list()).posts;
    x.faults.add({ when: isSingle, fault: { kind: 'refusal', refusal: 'server-error' } });
    expect(await failureOf(fileOf(post))).toMatchObject({ kind: 'transient', status: 503 });
  });
});

test('the operator sets price and limit of reads', () => {
  expect(watch.charge).toEqual({ setting: 'readsPerDay', defaultLimit: 1_000, usd: 0.005 });
});
