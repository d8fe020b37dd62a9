import { beforeEach, describe, expect, test } from 'vitest';
import { closedAfterTest } from '../harness/after-test.ts';
import { sha256, startX, type X } from './x-calls.ts';

const VIDEO = Buffer.alloc(3_000, 'a film of three thousand bytes ');

const start = closedAfterTest(startX);
let x: X;
let token: string;
beforeEach(async () => {
  x = await start();
  token = await x.token();
});

describe('uploads of other clients', () => {
  const append = (id: string, json: unknown) => x.call('POST', `/2/media/upload/${id}/append`, { token, json });
  const open = async (bytes: number) => (await x.initialize(token, { total_bytes: bytes })).json.data?.id ?? '';

  test('segments as base64 in JSON, finalize with an empty object', async () => {
    const id = await open(VIDEO.length);
    for (const [index, part] of [VIDEO.subarray(0, 1_000), VIDEO.subarray(1_000)].entries())
      expect((await append(id, { segment_index: index, media: part.toString('base64') })).status).toBe(200);
    const done = await x.call('POST', `/2/media/upload/${id}/finalize`, { token, json: {} });
    expect([done.status, done.json.data?.size]).toEqual([200, 3_000]);
    await x.post(token, { text: 'JSON', media: { media_ids: [id] } });
    expect((await x.published())[0]?.sha256).toBe(sha256(VIDEO));
  });

  test.each<[string, unknown]>([
    ['no media', { segment_index: 0 }],
    ['no index', { media: 'YQ==' }],
    ['an index that is too high', { media: 'YQ==', segment_index: 1_000 }],
    ['no base64', { media: '<html>', segment_index: 0 }],
    ['a field that is unknown', { media: 'YQ==', segment_index: 0, command: 'APPEND' }],
    ['a list', []],
  ])('rejects a JSON segment with %s', async (_name, json) => {
    expect((await append(await open(1), json)).status).toBe(400);
  });

  test('rejects a JSON segment over the limit with 413', async () => {
    await x.set({ maxSegmentBytes: 1_000 });
    const media = VIDEO.toString('base64');
    expect((await append(await open(3_000), { media, segment_index: 0 })).status).toBe(413);
    const id = await open(100_000);
    expect((await append(id, { media: Buffer.alloc(9_000).toString('base64'), segment_index: 0 })).status).toBe(413);
  });

  test('status without a command', async () => {
    const { id } = await x.upload(token, VIDEO);
    expect((await x.call('GET', `/2/media/upload?media_id=${id}`, { token })).json.data?.id).toBe(id);
  });

  test('a picture in one request, and its description', async () => {
    const upload = (json: object) => x.call('POST', '/2/media/upload', { token, json });
    const { json } = await upload({ media: 'YWJj', media_category: 'tweet_image' });
    expect(json.data).toMatchObject({ media_key: expect.stringMatching(/^3_/), size: 3 });
    const id = json.data?.id ?? '';
    const metadata = { alt_text: { text: 'Three bytes' } };
    const described = await x.call('POST', '/2/media/metadata', { token, json: { id, metadata } });
    expect(described.json.data).toEqual({ id, associated_metadata: metadata });
    const long = { alt_text: { text: 'a'.repeat(1_001) } };
    expect((await x.call('POST', '/2/media/metadata', { token, json: { id, metadata: long } })).status).toBe(400);
    expect((await x.post(token, { text: 'seen', media: { media_ids: [id] } })).status).toBe(201);
    expect((await upload({ media: 'YWJj', media_category: 'tweet_video' })).status).toBe(400);
  });
});

describe('field names', () => {
  const FIELDS = 'created_at,attachments,public_metrics';
  const listed = async (query: string) => {
    const { id } = await x.upload(token, VIDEO);
    await x.post(token, { text: 'film', media: { media_ids: [id] } });
    x.clock.now += 2_000;
    return x.list(token, query);
  };

  test.each([
    ['post.fields', 'edit_history_post_ids', 'repost_count'],
    ['tweet.fields', 'edit_history_tweet_ids', 'retweet_count'],
  ])('%s are answered with %s and %s', async (names, history, reposts) => {
    const { list } = await listed(`${names}=${FIELDS}`);
    expect(list[0]).toMatchObject({ [history]: [list[0]?.id], public_metrics: { [reposts]: 0 } });
    expect(Object.keys(list[0] ?? {}).filter((name) => name.startsWith('edit_history'))).toEqual([history]);
  });

  test.each([
    ['post.fields', 'tweet.fields'],
    ['tweet.fields', 'post.fields'],
  ] as const)('a deployment that knows %s only rejects %s', async (fieldNames, other) => {
    await x.set({ fieldNames });
    expect((await x.list(token, `${fieldNames}=${FIELDS}`)).status).toBe(200);
    const refused = await x.list(token, `${other}=${FIELDS}`);
    expect([refused.status, refused.json.errors?.[0]?.message]).toEqual([400, expect.stringContaining(other)]);
  });

  test.each(['post.fields=edit_history_tweet_ids', 'post.fields=referenced_tweets', 'tweet.fields=note_post'])(
    'rejects ?%s',
    async (query) => {
      expect((await x.list(token, query)).status).toBe(400);
    },
  );

  test('include author and a video that can be fetched', async () => {
    const query = 'expansions=author_id,attachments.media_keys&media.fields=variants&user.fields=created_at';
    const { json } = await listed(query);
    const { media, users } = json.includes as unknown as {
      media: { variants: { content_type: string; url: string }[] }[];
      users: { username: string; created_at: string }[];
    };
    expect(users).toEqual([expect.objectContaining({ username: 'nora', created_at: expect.stringMatching(/Z$/) })]);
    const [variant] = media[0]?.variants ?? [];
    expect(variant?.content_type).toBe('video/mp4');
    const film = await fetch(variant?.url ?? '');
    expect(sha256(Buffer.from(await film.arrayBuffer()))).toBe(sha256(VIDEO));
    expect((await fetch(`${x.url}/videos/1`)).status).toBe(404);
  });
});

test('responses have rate limit headers even without limits', async () => {
  for (let count = 0; count < 3; count++) {
    const { status, headers } = await x.post(token, { text: `post ${count}` });
    const named = (name: string) => Number(headers.get(name));
    expect([status, named('x-rate-limit-limit'), named('x-rate-limit-remaining')]).toEqual([201, 100, 99]);
    expect(named('x-rate-limit-reset')).toBeGreaterThan(x.clock.now / 1000);
  }
});
