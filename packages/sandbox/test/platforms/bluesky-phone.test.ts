import { beforeEach, expect, test } from 'vitest';
import { at } from '../../src/json.ts';
import { MINUTE } from '../../src/time.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { type PhoneCall, postFromPhone } from '../harness/phone.ts';
import { POST, startBluesky } from './bluesky-raw.ts';

const start = closedAfterTest(startBluesky);
let bluesky: Awaited<ReturnType<typeof startBluesky>>;
beforeEach(async () => {
  bluesky = await start();
});

const LIST = 'com.atproto.repo.listRecords';
const phone = () => {
  if (!bluesky.simulator.phone) throw new Error('There is no phone.');
  return bluesky.simulator.phone;
};
const filmed = (text: string, call: PhoneCall = {}) =>
  postFromPhone(bluesky, 'nora.test', { text, bytes: Buffer.from(`video of ${text}`), ...call });
const listed = async (query: Record<string, string> = {}) => {
  const { json } = await bluesky.get(LIST, { repo: bluesky.did, collection: POST, ...query });
  return { cursor: json.cursor, uris: (json.records as { uri: string }[]).map(({ uri }) => uri) };
};

test('a post of the phone looks like any other', async () => {
  const { id } = await filmed('From the phone', { bytes: Buffer.from('video one') });
  const blob = await bluesky.upload();
  await bluesky.put(bluesky.recordOf(blob, { text: 'From an app' }));
  expect((await listed()).uris).toHaveLength(2);
  const { json } = await bluesky.read(id.split('/').at(-1) ?? '');
  expect(json.value).toMatchObject({
    text: 'From the phone',
    createdAt: '2026-11-21T10:00:00.000Z',
    embed: { video: { mimeType: 'video/mp4', size: 9 }, aspectRatio: { width: 1_080, height: 1_920 } },
  });
  const cid = String(at(json, 'value', 'embed', 'video', 'ref', '$link'));
  const file = await bluesky.get('com.atproto.sync.getBlob', { did: bluesky.did, cid });
  expect(file.text).toBe('video one');
  expect(await bluesky.published()).toMatchObject([{ id, text: 'From the phone', bytes: 9 }, {}]);
});

test('pages by key survive the deletion of a post', async () => {
  const ids: string[] = [];
  for (const key of ['1', '2', '3', '4', '5']) {
    ids.unshift((await filmed(key)).id);
    bluesky.clock.now += MINUTE;
  }
  const first = await listed({ limit: '2' });
  expect(first.uris).toEqual(ids.slice(0, 2));
  await phone().remove('nora.test', ids[0] ?? '');
  const second = await listed({ limit: '2', cursor: String(first.cursor) });
  expect(second.uris).toEqual(ids.slice(2, 4));
});

test('posts claim any time, and are hidden as requested', async () => {
  const publishedAt = Date.UTC(2019, 0, 1);
  const { id } = await filmed('', { publishedAt, hiddenMs: MINUTE });
  const rkey = id.split('/').at(-1) ?? '';
  expect([(await listed()).uris, (await bluesky.read(rkey)).json.error]).toEqual([[], 'RecordNotFound']);
  bluesky.clock.now += MINUTE;
  expect((await listed()).uris).toEqual([id]);
  expect((await bluesky.read(rkey)).json.value).toMatchObject({ createdAt: '2019-01-01T00:00:00.000Z' });
});

test('the app edits texts and deletes posts with videos', async () => {
  const { id } = await filmed('Befor');
  const rkey = id.split('/').at(-1) ?? '';
  const cidOf = async () => String(at((await bluesky.read(rkey)).json, 'value', 'embed', 'video', 'ref', '$link'));
  const cid = await cidOf();
  await phone().edit?.('nora.test', id, 'After');
  expect((await bluesky.read(rkey)).json.value).toMatchObject({ text: 'After' });
  expect(await cidOf()).toBe(cid);
  expect(await bluesky.published()).toMatchObject([{ id, text: 'After' }]);
  await phone().remove('nora.test', id);
  await phone().remove('nora.test', id);
  expect(await bluesky.published()).toEqual([]);
  expect((await bluesky.get('com.atproto.sync.getBlob', { did: bluesky.did, cid })).status).toBe(400);
});

test('there is no limited audience; only own posts are edited', async () => {
  await expect(filmed('', { audience: 'limited' })).rejects.toThrow('public');
  const { id } = await filmed('');
  await expect(phone().edit?.('other.test', id, 'x')).rejects.toThrow('no post');
});
