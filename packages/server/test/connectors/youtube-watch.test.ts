import type { Video } from '@reelay/sandbox/platforms/youtube/records.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { phoneOf } from '../../../sandbox/test/harness/phone.ts';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/youtube/index.ts';
import { describeWatch } from '../suites/watch.ts';
import { failureOf, walkThrough } from './walk.ts';

import { isPoll, isUploads, startYouTube } from './youtube-driver.ts';

const { watch } = connector;
const DAY = 86_400_000;

const METADATA = {
  title: '',
  description: '',
  tags: [],
  categoryId: '22',
  privacyStatus: 'public',
  selfDeclaredMadeForKids: null,
  containsSyntheticMedia: null,
  embeddable: true,
  license: 'youtube',
  publishAt: null,
};

const start = closedAfterTest(async (overrides: Parameters<typeof startYouTube>[0] = {}) => {
  const youtube = await startYouTube(overrides);
  const session = await youtube.open(await youtube.connect());
  const list = (cursor = '') => watch.list(session, { cursor, since: youtube.clock.now - 2 * DAY, mark: null });
  const answer = (body: string | JsonObject, status = 200, when = isUploads) =>
    youtube.faults.add({ when, times: 1, fault: { kind: 'status', answer: { status, body } } });
  const change = (id: string, changes: Partial<Video>) =>
    youtube.store.change<Video>('video', id, (video) => video && { ...video, ...changes });
  return { ...youtube, list, answer, change, phone: phoneOf(youtube, 'nora.cuts') };
});

const startPlain = closedAfterTest(startYouTube);

describeWatch({
  platform: 'youtube',
  username: 'nora.cuts',
  pageSize: 50,
  isList: isUploads,
  async start() {
    const drive = await startPlain();
    return { drive, work: await drive.work('made with Reelay') };
  },
});

describe('watching a YouTube channel', () => {
  test('finds uploads of the app, without a file', async () => {
    const { list, phone, clock, spent } = await start();
    const { id, url } = await phone.post('Sunset #sea', { durationMs: 3_723_000 });
    expect(connector.capabilities.watch).toBe('announce');
    expect(watch).not.toHaveProperty('file');
    expect(await list()).toEqual({
      posts: [
        {
          remoteId: id,
          publishedAt: clock.now,
          text: 'Sunset #sea',
          url,
          durationMs: 3_723_000,
          width: null,
          height: null,
          isPublic: true,
          file: null,
        },
      ],
      next: '',
    });
    expect(spent).toEqual(['watching', 'watching']);
  });

  test('spends one unit on a page without new uploads', async () => {
    const { list, phone, clock, spent, counted } = await start();
    const publishedAt = clock.now - 2 * DAY - 1_000;
    const { id } = await phone.post('old', { publishedAt });
    expect((await list()).posts).toMatchObject([{ remoteId: id, text: 'old', publishedAt, durationMs: null }]);
    expect([spent, counted(isPoll)]).toEqual([['watching'], 0]);
  });

  test('marks all but public uploads as not public', async () => {
    const { list, phone, change } = await start();
    for (const privacyStatus of ['private', 'unlisted', 'public']) {
      const { id } = await phone.post('x', { audience: 'limited' });
      await change(id, { metadata: { ...METADATA, title: privacyStatus, privacyStatus } });
    }
    const seen = (await list()).posts.map(({ text, isPublic }) => [text, isPublic]);
    expect(seen).toEqual([
      ['public', true],
      ['unlisted', false],
      ['private', false],
    ]);
  });

  test('includes posts of Reelay with the same id and text', async () => {
    const youtube = await start();
    const text = 'A first line\nand a <second> one';
    const walk = await walkThrough(youtube, await youtube.work(text));
    const { posts } = await youtube.list();
    expect(posts).toMatchObject([
      { remoteId: walk.published?.remoteId, text: 'A first line\nand a ‹second› one', isPublic: true },
    ]);
  });

  test('joins a title and another description', async () => {
    const { list, phone, change } = await start();
    const { id } = await phone.post('x');
    const textAs = async (title: string, description: string) => {
      await change(id, { metadata: { ...METADATA, title, description } });
      return (await list()).posts[0]?.text;
    };
    expect(await textAs('A title', 'About it.')).toBe('A title\n\nAbout it.');
    expect(await textAs('A title', 'A title\nAbout it.')).toBe('A title\nAbout it.');
    expect(await textAs('Video', '')).toBe('');
  });

  test('has no duration while YouTube processes the video', async () => {
    const { list, phone } = await start({ processingMs: 60_000 });
    await phone.post('one');
    expect((await list()).posts).toMatchObject([{ text: 'one', durationMs: null }]);
  });

  test('omits deleted, rejected and live videos, and malformed items', async () => {
    const { list, phone, change, answer } = await start();
    const { id: deleted } = await phone.post('deleted');
    const { id: rejected } = await phone.post('rejected');
    await phone.remove(deleted);
    await change(rejected, { rejectionReason: 'claim' });
    expect((await list()).posts).toEqual([]);
    const items: JsonObject[] = [{}, { contentDetails: {} }, { contentDetails: { videoId: 'live' } }];
    answer({ kind: 'youtube#playlistItemListResponse', items: [...items, { contentDetails: { videoId: 'seen' } }] });
    const live = { id: 'live', snippet: { title: 'Live', liveBroadcastContent: 'live' } };
    answer({ items: [live, { id: 'seen' }] }, 200, isPoll);
    expect((await list()).posts).toMatchObject([
      { remoteId: 'seen', publishedAt: null, text: '', durationMs: null, isPublic: false },
    ]);
  });

  test('of a channel without uploads is empty', async () => {
    const { list, answer } = await start();
    const errors = [{ reason: 'playlistNotFound' }];
    answer({ error: { code: 404, message: 'The playlist cannot be found.', errors } }, 404);
    expect(await list()).toEqual({ posts: [], next: '' });
  });

  test('reports errors in YouTube’s words', async () => {
    const { list, answer } = await start();
    const cases: [status: number, reason: string, failure: object][] = [
      [401, 'authError', { kind: 'tokenExpired' }],
      [403, 'quotaExceeded', { kind: 'rateLimited', scope: 'app', window: 'daily' }],
      [403, 'insufficientPermissions', { kind: 'reconnect' }],
      [500, 'backendError', { kind: 'transient' }],
    ];
    for (const [status, reason, expected] of cases) {
      answer({ error: { code: status, message: 'Something was wrong.', errors: [{ reason }] } }, status);
      const failure = await failureOf(list());
      expect(failure).toMatchObject(expected);
      expect(failure?.detail.text).toContain('Something was wrong.');
    }
    answer('<html>');
    expect(await failureOf(list())).toMatchObject({ kind: 'transient' });
  });
});
