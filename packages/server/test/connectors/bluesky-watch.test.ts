import type { Account } from '@reelay/sandbox/platforms/bluesky/accounts.ts';
import type { StoredRecord } from '@reelay/sandbox/platforms/bluesky/repo.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { postFromPhone } from '../../../sandbox/test/harness/phone.ts';
import { connector } from '../../src/connectors/bluesky/index.ts';
import type { JsonObject, Session } from '../../src/connectors/contract.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/time.ts';
import { describeWatch } from '../suites/watch.ts';
import { type Bluesky, HANDLE, isMethod, publish, startBluesky } from './bluesky-driver.ts';
import { failureOf } from './walk.ts';

const start = closedAfterTest(startBluesky);
const { watch } = connector;
let bluesky: Bluesky;
let session: Session;
beforeEach(async () => {
  bluesky = await start();
  session = await bluesky.open(await bluesky.login());
});

/** Posts with the phone, and lets a minute pass. */
async function filmed(text: string, more: { publishedAt?: number; hiddenMs?: number } = {}) {
  // A blob is known by its content, so each video has its own.
  const posted = await postFromPhone(bluesky, HANDLE, { text, bytes: Buffer.from(`video of ${text}`), ...more });
  bluesky.clock.now += MINUTE;
  return posted;
}
const list = (cursor = '', since = bluesky.clock.now - 2 * DAY) => watch.list(session, { cursor, since, mark: null });
const texts = async () => (await list()).posts.map(({ text }) => text);
/** Changes a stored record, as another client would write it. */
const rewrite = (id: string, change: (value: JsonObject) => JsonObject) =>
  bluesky.store.change<StoredRecord>('record', id, (known) => known && { ...known, value: change(known.value) });

describeWatch({
  platform: 'bluesky',
  username: HANDLE,
  pageSize: 100,
  limits: false,
  isList: isMethod('listRecords'),
  async start() {
    const drive = await start();
    return { drive, work: await drive.work('made with Reelay') };
  },
});

describe('the list', () => {
  test('has the phone’s posts and our own, newest first', async () => {
    const postedAt = bluesky.clock.now;
    const { id, url } = await filmed('From the phone');
    const own = await publish(bluesky, await bluesky.work('From Reelay'));
    const { posts } = await list();
    expect(posts.map(({ remoteId }) => remoteId)).toEqual([own.published.remoteId, id]);
    expect(posts[1]).toEqual({
      remoteId: id,
      publishedAt: postedAt,
      text: 'From the phone',
      url,
      durationMs: null,
      width: null,
      height: null,
      isPublic: true,
      file: { cid: expect.stringMatching(/^b[a-z2-7]{58}$/) },
    });
    for (const { remoteId } of posts) expect(connector.canonicalId(remoteId)).toBe(remoteId);
  });

  test('ends once a page reaches back far enough', async () => {
    for (let count = 0; count < 101; count++) await filmed(`${count}`);
    const first = await list();
    expect([first.posts.length, first.posts[0]?.text]).toEqual([100, '100']);
    const second = await list(first.next);
    expect(second.posts.map(({ text }) => text)).toEqual(['0']);
    expect((await list(second.next)).next).toBe('');
    expect((await list('', bluesky.clock.now - HOUR)).next).toBe('');
  });

  test('a deletion between pages hides no other post', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 102; count++) ids.push((await filmed(`${count}`)).id);
    const { next } = await list();
    await bluesky.simulator.phone?.remove(HANDLE, ids[101] ?? '');
    expect((await list(next)).posts.map(({ remoteId }) => remoteId)).toEqual([ids[1], ids[0]]);
  });

  test('omits posts without an own video', async () => {
    const ref = { uri: 'at://did:plc:other/app.bsky.feed.post/3k', cid: 'bafy' };
    const changes: ((value: JsonObject) => JsonObject)[] = [
      (value) => ({ ...value, reply: { root: ref, parent: ref } }),
      ({ embed: _embed, ...value }) => value,
      (value) => ({ ...value, embed: { $type: 'app.bsky.embed.images', images: [] } }),
      (value) => ({ ...value, embed: { $type: 'app.bsky.embed.record', record: ref } }),
      (value) => ({ ...value, embed: { $type: 'app.bsky.embed.video', video: { ref: 7 } } }),
      () => ({ $type: 'com.example.other' }),
      () => ({}),
    ];
    for (const change of changes) await rewrite((await filmed('odd')).id, change);
    await filmed('good');
    expect(await texts()).toEqual(['good']);
  });

  test('includes a video beside a quoted post', async () => {
    const { id } = await filmed('quoting');
    await rewrite(id, ({ embed, ...value }) => ({
      ...value,
      embed: { $type: 'app.bsky.embed.recordWithMedia', record: {}, media: embed ?? null },
    }));
    expect((await list()).posts).toMatchObject([{ text: 'quoting', file: { cid: expect.any(String) } }]);
  });

  test('shows a late post as soon as the server does', async () => {
    const { id } = await filmed('late', { hiddenMs: HOUR });
    await filmed('early');
    expect(await texts()).toEqual(['early']);
    bluesky.clock.now += HOUR;
    expect((await list()).posts[1]?.remoteId).toBe(id);
  });

  test('an edited caption keeps its id', async () => {
    const { id } = await filmed('Befor');
    await bluesky.simulator.phone?.edit?.(HANDLE, id, 'After');
    expect((await list()).posts).toMatchObject([{ remoteId: id, text: 'After' }]);
  });

  test('an unreadable repository is a failure with the server’s words', async () => {
    await bluesky.store.change<Account>(
      'account',
      bluesky.did,
      (known) => known && { ...known, status: 'deactivated' },
    );
    const failure = await failureOf(list());
    expect(failure).toMatchObject({ kind: 'rejected', status: 400 });
    expect(failure?.detail.text).toContain('Could not find repo');
  });

  test.each([
    ['no list', { status: 200, body: '{}' }, 'transient'],
    ['an error of the server', { status: 503, body: '<html>' }, 'transient'],
    ['a rate limit', { status: 429, body: '{"error":"RateLimitExceeded"}' }, 'rateLimited'],
  ])('%s is a failure', async (_name, response, kind) => {
    bluesky.faults.add({ when: isMethod('listRecords'), fault: { kind: 'status', answer: response } });
    expect(await failureOf(list())).toMatchObject({ kind });
  });
});

describe('the time of a post', () => {
  test('an import of old posts counts as old', async () => {
    const publishedAt = Date.UTC(2019, 0, 1);
    await filmed('imported', { publishedAt });
    expect((await list()).posts).toMatchObject([{ publishedAt }]);
  });

  test('a claim of the future is ignored', async () => {
    const postedAt = bluesky.clock.now;
    await filmed('tomorrow', { publishedAt: postedAt + DAY });
    expect((await list()).posts).toMatchObject([{ publishedAt: postedAt }]);
  });

  test('is unknown without any credible time', async () => {
    const { id } = await filmed('whenever');
    await rewrite(id, (value) => ({ ...value, createdAt: 'yesterday' }));
    expect((await list()).posts[0]?.publishedAt).toBe(bluesky.clock.now - MINUTE);
    const early = { ...session, now: () => bluesky.clock.now - DAY };
    const { posts } = await watch.list(early, { cursor: '', since: 0, mark: null });
    expect(posts[0]?.publishedAt).toBeNull();
  });
});

describe('the text', () => {
  const link = (byteStart: unknown, byteEnd: unknown, uri: string) => ({
    index: { byteStart, byteEnd },
    features: [{ $type: 'app.bsky.richtext.facet#link', uri }],
  });
  const shown = async (text: string, ...facets: object[]) => {
    const { id } = await filmed(text);
    await rewrite(id, (value) => ({ ...value, facets: facets as JsonObject[] }));
    return (await list()).posts[0]?.text;
  };

  test('has shortened links in full', async () => {
    const text = '🌅 a.example/one-lon... and b.example/two-lon… end';
    const [first, second] = ['https://a.example/one-long-path', 'https://b.example/two-long-path'];
    expect(await shown(text, link(5, 25, first), link(30, 50, second))).toBe(`🌅 ${first} and ${second} end`);
  });

  test.each<[string, string, object[]]>([
    ['a label', 'read this...', [link(0, 12, 'https://a.example/')]],
    ['a link in full', 'a.example/b', [link(0, 11, 'https://a.example/b')]],
    ['a range outside of the text', 'a.example...', [link(0, 99_999, 'https://b.example/'), link(-5, 3, 'https://a')]],
    ['a range without numbers', 'a.example...', [link('0', null, 'https://a.example/b'), {}]],
  ])('keeps %s', async (_name, text, facets) => {
    expect(await shown(text, ...facets)).toBe(text);
  });

  test('replaces overlapping links once', async () => {
    const uri = 'https://a.example/one-long-path';
    expect(await shown('a.example/one...', link(0, 16, uri), link(0, 16, uri))).toBe(uri);
  });
});

describe('the file', () => {
  test('has the bytes that the phone posted', async () => {
    await filmed('film');
    const [post] = (await list()).posts;
    const found = post && (await watch.file?.(session, post));
    if (found?.found !== 'file') throw new Error('There is no file.');
    const response = await fetch(found.url);
    expect(response.headers.get('content-type')).toBe('video/mp4');
    expect(await response.text()).toBe('video of film');
  });

  test('of a deleted post is gone', async () => {
    const { id } = await filmed('film');
    const [post] = (await list()).posts;
    await bluesky.simulator.phone?.remove(HANDLE, id);
    expect(post && (await watch.file?.(session, post))).toEqual({ found: 'gone' });
  });

  test('of a deactivated account is gone', async () => {
    await filmed('film');
    const [post] = (await list()).posts;
    await bluesky.store.change<Account>(
      'account',
      bluesky.did,
      (known) => known && { ...known, status: 'deactivated' },
    );
    expect(post && (await watch.file?.(session, post))).toEqual({ found: 'gone' });
  });

  test('is not gone at a server that lost the account', async () => {
    const post = { remoteId: `at://${bluesky.did}/app.bsky.feed.post/3kabcdefghi2k`, file: {} };
    const response = { status: 400, body: '{"error":"RepoNotFound","message":"Could not find repo"}' };
    bluesky.faults.add({ when: isMethod('getRepoStatus'), fault: { kind: 'status', answer: response } });
    expect(await failureOf(Promise.resolve(watch.file?.(session, post)))).toMatchObject({ status: 400 });
  });
});
