import { createHash } from 'node:crypto';
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { COVER } from '../../../sandbox/test/harness/cover.ts';
import type { JsonObject, Work } from '../../src/connectors/contract.ts';
import { at } from '../../src/connectors/kit/json.ts';
import { connector } from '../../src/connectors/youtube/index.ts';
import { BudgetEmpty } from '../../src/outbound/platform-error.ts';
import { isWholeUpload, type SimulatorOverrides } from '../harness/simulator.ts';
import { filmOf } from './films.ts';
import { begun, failureOf, move, walkThrough, walkTo } from './walk.ts';
import {
  isChannel,
  isPoll,
  isPut,
  isStart,
  isThumbnail,
  isToken,
  rangesOf,
  startYouTube,
  type YouTube,
} from './youtube-driver.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startYouTube({ processingMs: 5_000, ...overrides }),
);

/** Starts a post and opens its upload. */
const opening = async (work: Work) => {
  const begun = await connector.begin(work);
  return 'checkpoint' in begun ? connector.step(work, begun.checkpoint) : begun;
};
const startOf = ({ asked }: YouTube) => asked.find(({ method, url }) => method === 'POST' && url.includes('/upload/'));

describe('publish', () => {
  test('uploads, polls, and reports id and URL', async () => {
    const youtube = await start();
    const work = await youtube.work('Sunset run #sea');
    const before = youtube.requests.length;
    const walk = await walkThrough(youtube, work);
    const [entry, ...more] = await youtube.published();
    if (!entry) throw new Error('Nothing was published.');
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ username: 'nora.cuts', text: 'Sunset run #sea', mime: 'video/mp4' });
    expect(await isWholeUpload(youtube, entry, work.media)).toBe(true);
    expect(walk).toMatchObject({
      state: 'posted',
      published: { remoteId: entry.id, url: `${youtube.url}/shorts/${entry.id}`, publishedAt: expect.any(Number) },
    });
    expect(walk.published?.detail).toBeUndefined();
    const order = [isStart, isPut, isPoll, isThumbnail];
    expect(youtube.requests.slice(before).map((call) => order.findIndex((is) => is(call)))).toEqual([0, 1, 3, 2, 2]);
    expect(youtube.spent).toEqual(['channel', 'uploads', 'pictures']);
    expect((await fetch(walk.published?.url ?? '')).status).toBe(200);
  });

  test('sends metadata, size, type and file name', async () => {
    const youtube = await start();
    await walkThrough(youtube, await youtube.work('First line\nand more #tag'));
    const request = startOf(youtube);
    expect(request?.json).toEqual({
      snippet: { title: 'First line', description: 'First line\nand more #tag', categoryId: '22' },
      status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
    });
    expect(Object.fromEntries(new URL(request?.url ?? '').searchParams)).toEqual({
      uploadType: 'resumable',
      part: 'snippet,status',
      notifySubscribers: 'true',
    });
    expect(request?.headers).toMatchObject({
      'x-upload-content-length': '200000',
      'x-upload-content-type': 'video/mp4',
      slug: '0193-target.mp4',
    });
  });

  test.each([
    ['mov', 'video/quicktime'],
    ['webm', 'video/webm'],
    ['avi', 'video/x-msvideo'],
  ] as const)('sends %s as %s in both places', async (container, mime) => {
    const youtube = await start();
    await walkThrough(youtube, await youtube.work('format', { media: filmOf(1_000, { container }) }));
    expect((await youtube.published())[0]?.mime).toBe(mime);
    expect((await youtube.sessions())[0]?.slug).toBe(`0193-target.${container}`);
  });

  test('sends parts of 8 MiB and a small last part', async () => {
    const youtube = await start();
    const media = filmOf(9_000_000);
    const walk = await walkThrough(youtube, await youtube.work('parts', { media }));
    const [entry] = await youtube.published();
    expect(walk.state).toBe('posted');
    expect(rangesOf(youtube)).toEqual([
      'bytes 0-8388607/9000000',
      'bytes 8388608-8912895/9000000',
      'bytes 8912896-8999999/9000000',
    ]);
    expect(entry && (await isWholeUpload(youtube, entry, media))).toBe(true);
    expect(media.handed()).toBe(media.bytes);
  });

  test('resumes from the stored offset if less was stored', async () => {
    const youtube = await start();
    await youtube.set({ keepsHalf: true });
    const media = filmOf(2_000_000);
    const walk = await walkThrough(youtube, await youtube.work('halves', { media }));
    const [entry] = await youtube.published();
    expect(walk.state).toBe('posted');
    expect(entry && (await isWholeUpload(youtube, entry, media))).toBe(true);
    expect(rangesOf(youtube).filter((range) => range.includes('*'))).toEqual([]);
  });

  test('shows why YouTube refused a part and the session', async () => {
    const youtube = await start();
    const work = await youtube.work('refused', { media: filmOf(600_000) });
    const error = { code: 403, message: 'The owner closed it.', errors: [{ reason: 'forbidden' }] };
    youtube.faults.add({ when: isPut, fault: { kind: 'status', answer: { status: 403, body: { error } } } });
    const opened = await move(youtube, work, await move(youtube, work, begun(youtube)));
    const refused = await move(youtube, work, opened);
    expect(refused.notes.at(-1)).toContain('The owner closed it.');
    expect((await move(youtube, work, refused)).notes.at(-1)).toContain('The owner closed it.');
    expect((await walkThrough(youtube, work, { from: refused })).failure).toMatchObject({
      detail: { text: expect.stringContaining('The owner closed it.') },
    });
  });

  test('follows a moved session, but only within Google', async () => {
    const youtube = await start();
    const work = await youtube.work('moved', { media: filmOf(600_000) });
    const headers = { location: `${youtube.url}/upload/youtube/v3/videos?uploadType=resumable&upload_id=other` };
    youtube.faults.add({ when: isPut, times: 1, fault: { kind: 'status', answer: { status: 308, headers } } });
    const opened = await move(youtube, work, await move(youtube, work, begun(youtube)));
    const walk = await move(youtube, work, opened);
    expect(walk.checkpoint).toMatchObject({ uri: headers.location, doubt: true });
    const away = { location: 'https://elsewhere.example/upload' };
    youtube.faults.clear();
    youtube.faults.add({ when: isPut, times: 1, fault: { kind: 'status', answer: { status: 308, headers: away } } });
    const stayed = await move(youtube, work, opened);
    expect(stayed.notes.at(-1)).toContain('did not say');
    expect(stayed.checkpoint?.uri).toMatch(new RegExp(`^${youtube.url}/`));
  });

  test('does not open a session outside Google', async () => {
    const youtube = await start();
    const work = await youtube.work('away');
    const headers = { location: 'https://elsewhere.example/upload' };
    youtube.faults.add({ when: isStart, times: 1, fault: { kind: 'status', answer: { status: 200, headers } } });
    expect(await failureOf(opening(work))).toMatchObject({ kind: 'transient' });
    expect((await walkThrough(youtube, work)).state).toBe('posted');
  });

  test('reveals neither tokens nor the session URI', async () => {
    const youtube = await start();
    const work = await youtube.work('secret', { media: filmOf(600_000) });
    const walk = await walkThrough(youtube, work);
    const [session] = await youtube.sessions();
    const told = JSON.stringify([walk.notes, walk.published]);
    for (const secret of [work.session.secret.accessToken, work.session.secret.refreshToken, session?.uploadId])
      expect(told).not.toContain(String(secret));
  });

  test.each([
    ['a Short', { durationMs: 180_000 }, '/shorts/'],
    ['longer than three minutes', { durationMs: 180_001 }, '/watch?v='],
    ['wider than high', { width: 1_920, height: 1_080 }, '/watch?v='],
    ['square', { width: 1_080, height: 1_080 }, '/shorts/'],
  ])('a video that is %s gets the matching URL', async (_name, facts, part) => {
    const youtube = await start();
    const { published } = await walkThrough(youtube, await youtube.work('where', { media: filmOf(1_000, facts) }));
    expect(published?.url).toContain(`${part}${published?.remoteId}`);
  });
});

describe('post options', () => {
  const asking = async (text: string, options: JsonObject, choices: Record<string, string> = {}) => {
    const youtube = await start();
    const walk = await walkThrough(youtube, await youtube.work(text, { options, choices }));
    return { youtube, walk, request: startOf(youtube), video: (await youtube.videos())[0] };
  };

  test('sends title, tags, category, declarations and notification setting', async () => {
    const { walk, request, video } = await asking('The text', {
      title: 'Another title',
      tags: ['sea', 'sunset run'],
      category: '10',
      madeForKids: true,
      syntheticMedia: true,
      notifySubscribers: false,
    });
    expect(walk.state).toBe('posted');
    expect(request?.json).toEqual({
      snippet: { title: 'Another title', description: 'The text', tags: ['sea', 'sunset run'], categoryId: '10' },
      status: { privacyStatus: 'public', selfDeclaredMadeForKids: true, containsSyntheticMedia: true },
    });
    expect(request?.url).toContain('notifySubscribers=false');
    expect(video?.metadata.title).toBe('Another title');
  });

  test.each([
    [{}, {}, 'public'],
    [{}, { privacy: 'unlisted' }, 'unlisted'],
    [{ privacy: 'private' }, { privacy: 'unlisted' }, 'private'],
    [{}, { privacy: 'friends' }, 'public'],
  ])('%j with account setting %j is %s', async (options, choices, privacy) => {
    const { walk, video } = await asking('privacy', options as JsonObject, choices as Record<string, string>);
    expect(video?.metadata.privacyStatus).toBe(privacy);
    expect(walk.published).not.toHaveProperty('detail');
  });

  test('reports that an unaudited project is locked to private', async () => {
    const youtube = await start();
    await youtube.set({ audited: false });
    const { state, published } = await walkThrough(youtube, await youtube.work('public'));
    expect(state).toBe('posted');
    expect(published?.detail).toMatch(/“private” instead of “public”.*not audited/);
  });

  test.each([
    ['a text with angle brackets', 'I <3 you > all', { title: 'I ‹3 you › all', description: 'I ‹3 you › all' }],
    ['no text', '', { title: 'Video', description: '' }],
    ['a long first line', `${'word '.repeat(40)}\nmore`, { title: expect.stringMatching(/^(word ){18,}word…$/) }],
  ])('posts with %s', async (_name, text, snippet) => {
    const { walk, request } = await asking(text, {});
    expect(walk.state).toBe('posted');
    expect(at(request?.json, 'snippet')).toMatchObject(snippet);
  });
});

describe('thumbnail', () => {
  test('is set from the chosen moment after the upload', async () => {
    const youtube = await start();
    const walk = await walkThrough(youtube, await youtube.work('pretty'));
    const sha256 = createHash('sha256').update(COVER).digest('hex');
    expect((await youtube.videos()).map(({ thumbnail }) => thumbnail)).toEqual([sha256]);
    expect(walk.notes).toContain('YouTube has the cover.');
    expect(youtube.counted(isThumbnail)).toBe(1);
  });

  test.each<[string, Fault]>([
    ['is refused for the rate', { kind: 'refusal', refusal: 'rate-limited' }],
    ['is refused for the token', { kind: 'refusal', refusal: 'token-expired' }],
    ['meets trouble', { kind: 'refusal', refusal: 'server-error' }],
    ['gets no response', { kind: 'reset-before' }],
  ])('that %s leaves the video posted without a retry', async (_name, fault) => {
    const youtube = await start();
    const work = await youtube.work('plain');
    youtube.faults.add({ when: isThumbnail, fault });
    const walk = await walkThrough(youtube, work);
    expect([walk.state, youtube.counted(isThumbnail)]).toEqual(['posted', 1]);
    expect(walk.notes.some((note) => note.startsWith('YouTube did not accept the cover'))).toBe(true);
  });

  test('is skipped for a channel that may not set one', async () => {
    const youtube = await start();
    await youtube.changeAccount({ verified: false });
    const walk = await walkThrough(youtube, await youtube.work('plain'));
    expect([walk.state, (await youtube.videos())[0]?.thumbnail]).toEqual(['posted', null]);
  });

  test('is not sent if unreadable or over budget', async () => {
    for (const given of [
      { media: filmOf(1_000, { cover: () => Promise.reject(new Error('/srv/secret-path')) }) },
      { spend: async (budget: string) => void (budget === 'pictures' && full(budget)) },
    ]) {
      const youtube = await start();
      const walk = await walkThrough(youtube, await youtube.work('plain', given));
      expect([walk.state, youtube.counted(isThumbnail)]).toEqual(['posted', 0]);
      expect(walk.notes.join(' ')).not.toContain('secret-path');
    }
  });
  const full = (budget: string) => {
    throw new BudgetEmpty(budget, 1_000, 'daily');
  };
});

describe('limits', () => {
  const MINUTE = 60_000;

  test("the app's daily uploads wait for midnight Pacific", async () => {
    const youtube = await start({ limits: true });
    const work = await youtube.work('quota');
    youtube.clock.now = Date.UTC(2026, 10, 21, 20);
    await youtube.store.put('quota', 'uploads 2026-11-21', 100);
    await youtube.renew();
    expect(await failureOf(opening(work))).toMatchObject({
      kind: 'rateLimited',
      scope: 'app',
      window: 'daily',
      waitMs: 12 * 60 * MINUTE + MINUTE,
      status: 429,
      platformCode: 'rateLimitExceeded',
      detail: { text: expect.stringContaining('Video Uploads per day') },
    });
    const walk = await walkThrough(youtube, work);
    expect(walk.state).toBe('posted');
  });

  test("a channel's own limit waits a day", async () => {
    const youtube = await start();
    const work = await youtube.work('enough');
    await youtube.changeAccount({ uploadsLeft: 0 });
    expect(await failureOf(opening(work))).toMatchObject({
      kind: 'rateLimited',
      scope: 'account',
      window: 'daily',
      waitMs: 86_400_000,
      status: 400,
    });
  });

  test("an exhausted channel budget leaves the app's untouched", async () => {
    const youtube = await start();
    const spent: string[] = [];
    const spend = async (budget: string) => {
      spent.push(budget);
      throw new BudgetEmpty(budget, 1_000, 'daily');
    };
    const work = await youtube.work('empty', { spend });
    await expect(connector.begin(work)).rejects.toBeInstanceOf(BudgetEmpty);
    expect(spent).toEqual(['channel']);
    expect(youtube.counted(isStart)).toBe(0);
    expect(connector.budgets.map(({ name, scope, limit }) => [name, scope, limit])).toContainEqual([
      'uploads',
      'app',
      100,
    ]);
  });

  test('retries of opening spend one daily upload', async () => {
    const youtube = await start();
    const work = await youtube.work('tried');
    youtube.faults.add({ when: isStart, times: 5, fault: { kind: 'refusal', refusal: 'server-error' } });
    expect((await walkThrough(youtube, work)).state).toBe('posted');
    expect(youtube.counted(isStart)).toBe(6);
    expect(youtube.spent).toEqual(['channel', 'uploads', 'pictures']);
  });

  test.each([
    ['too fast', { kind: 'refusal', refusal: 'rate-limited' }],
    ['too fast, in the other form', { kind: 'refusal', refusal: 'rate-limited-with-wait' }],
    ['down', { kind: 'refusal', refusal: 'server-error' }],
    ['a page of something on the way', { kind: 'status', answer: { status: 403, body: '<html>' } }],
  ] as const)('waits for temporary failures: %s', async (_name, fault) => {
    const youtube = await start();
    const work = await youtube.work('later', { media: filmOf(600_000) });
    for (const when of [isStart, isPoll]) youtube.faults.add({ when, times: 1, fault });
    youtube.faults.add({ when: (call) => isPut(call) && call.nth === 1, times: 1, fault });
    expect((await walkThrough(youtube, work)).state).toBe('posted');
    expect(await youtube.published()).toHaveLength(1);
  });
});

describe('rejections', () => {
  test.each([
    [
      'a suspended channel',
      { suspended: true },
      { kind: 'rejected', what: 'policy', platformCode: 'channelSuspended' },
    ],
    [
      'no channel any more',
      { hasChannel: false },
      { kind: 'rejected', what: 'permission', platformCode: 'youtubeSignupRequired' },
    ],
  ])('%s ends the post', async (_name, account, failure) => {
    const youtube = await start();
    const work = await youtube.work('no');
    await youtube.changeAccount(account);
    expect(await walkThrough(youtube, work)).toMatchObject({ state: 'failed', failure });
    expect(await youtube.published()).toEqual([]);
  });

  test.each([
    ['conversion', 'rejected', 'video'],
    ['invalidFile', 'rejected', 'video'],
    ['emptyFile', 'rejected', 'video'],
    ['tooSmall', 'rejected', 'video'],
    ['codec', 'rejected', 'video'],
  ])('processing failure %s ends the post', async (failureReason, kind, what) => {
    const youtube = await start();
    const sent = await walkTo(youtube, await youtube.work('no'), 'confirming');
    await youtube.changeVideo({ failureReason });
    const walk = await walkThrough(youtube, await youtube.work('no'), { from: sent });
    expect(walk.failure).toMatchObject({ kind, what, platformCode: failureReason });
  });

  test('an upload aborted by YouTube is repeated', async () => {
    const youtube = await start();
    const work = await youtube.work('again');
    const sent = await walkTo(youtube, work, 'confirming');
    await youtube.changeVideo({ failureReason: 'uploadAborted' });
    const walk = await walkThrough(youtube, work, { from: sent });
    expect(walk.state).toBe('posted');
    expect(await youtube.sessions()).toHaveLength(2);
  });

  test.each([
    ['duplicate', 'duplicate'],
    ['length', 'video'],
    ['copyright', 'policy'],
    ['inappropriate', 'policy'],
    ['termsOfUse', 'policy'],
    ['claim', 'policy'],
    ['trademark', 'policy'],
    ['legal', 'policy'],
    ['uploaderAccountSuspended', 'policy'],
    ['uploaderAccountClosed', 'policy'],
  ])('rejection for %s ends the post as %s', async (rejectionReason, what) => {
    const youtube = await start();
    const work = await youtube.work('no');
    const sent = await walkTo(youtube, work, 'confirming');
    await youtube.changeVideo({ rejectionReason });
    const walk = await walkThrough(youtube, work, { from: sent });
    expect(walk.failure).toMatchObject({ kind: 'rejected', what, platformCode: rejectionReason });
  });

  test('a video missing for 15 minutes counts as deleted', async () => {
    const youtube = await start();
    const work = await youtube.work('gone');
    const sent = await walkTo(youtube, work, 'confirming');
    await youtube.changeVideo({ deleted: true });
    const away = await walkTo(youtube, work, ({ notes }) => notes.at(-1)?.includes('does not show') === true, sent);
    expect(away.state).toBe('confirming');
    const since = youtube.clock.now;
    const gone = await walkThrough(youtube, work, { from: away });
    expect(gone.failure).toMatchObject({ kind: 'rejected', platformCode: 'deleted' });
    expect(youtube.clock.now - since).toBeGreaterThan(14 * 60_000);
    await youtube.changeVideo({ deleted: false });
    expect((await walkThrough(youtube, work, { from: away })).state).toBe('posted');
  });

  test('polls slow processing for hours', async () => {
    const youtube = await start({ processingMs: 5 * 3_600_000 });
    const tokens = await youtube.connect();
    const work = await youtube.workWith(tokens, 'slow');
    const walk = await walkThrough(youtube, work);
    expect(walk.state).toBe('posted');
    expect(youtube.counted(isPoll)).toBeLessThan(40);
  });
});

describe('tokens that expire during a publish', () => {
  test.each([
    ['opening', isStart],
    ['a part', isPut],
    ['a poll', isPoll],
  ])('are refreshed at %s', async (_name, when) => {
    const youtube = await start();
    const work = await youtube.work('renewed', { media: filmOf(600_000) });
    const before = youtube.counted(isToken);
    youtube.faults.add({ when, times: 1, fault: { kind: 'refusal', refusal: 'token-expired' } });
    expect((await walkThrough(youtube, work)).state).toBe('posted');
    expect(youtube.counted(isToken)).toBe(before + 1);
  });

  test('require a new consent if they cannot be refreshed', async () => {
    const youtube = await start();
    const work = await youtube.work('#sandbox-reconnect');
    expect((await walkThrough(youtube, work)).failure).toMatchObject({ kind: 'reconnect' });
    expect(youtube.counted(isChannel)).toBe(1);
  });
});

describe('failures requested by text', () => {
  test.each([
    ['reject', 'failed'],
    ['rate-limit', 'posted'],
    ['slow', 'posted'],
    ['lost-answer', 'posted'],
    ['down', 'posted'],
  ])('#sandbox-%s ends as %s', async (tag, state) => {
    const youtube = await start();
    const walk = await walkThrough(youtube, await youtube.work(`x #sandbox-${tag}`));
    expect(walk.state).toBe(state);
    expect(await youtube.published()).toHaveLength(state === 'posted' ? 1 : 0);
    if (state === 'failed') expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'video' });
  });
});
