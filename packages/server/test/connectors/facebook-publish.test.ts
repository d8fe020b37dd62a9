import { createHash } from 'node:crypto';
import type { SimulatorResponse } from '@reelay/sandbox/contract.ts';
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { COVER } from '../../../sandbox/test/harness/cover.ts';
import { connector } from '../../src/connectors/facebook/index.ts';
import { BudgetEmpty } from '../../src/outbound/platform-error.ts';
import { isWholeUpload, type SimulatorOverrides } from '../harness/simulator.ts';
import {
  type Facebook,
  isPage,
  isReels,
  isStatus,
  isThumbnail,
  isToken,
  isTransfer,
  startFacebook,
} from './facebook-driver.ts';
import { filmOf } from './films.ts';
import { begun, extended, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startFacebook({ processingMs: 12_000, ...overrides }),
);
const count = (facebook: Facebook, when: (call: { method: string; path: string }) => boolean) =>
  facebook.requests.filter(when).length;
/** Responds to requests for reels in place of the simulator. @param times default: always */
const respondToReels = (facebook: Facebook, response: SimulatorResponse, times?: number) =>
  facebook.faults.add({ when: isReels, times, fault: { kind: 'status', answer: response } });
const DAY_MS = 86_400_000;

describe('publish', () => {
  test('uploads, finishes, polls, and reports id and URL', async () => {
    const facebook = await start();
    const work = await facebook.work('Sunset run #sea 🌅', { options: { title: 'Sunset' } });
    const before = facebook.requests.length;
    const walk = await walkThrough(facebook, work);
    const [entry, ...more] = await facebook.published();
    if (!entry) throw new Error('Nothing was published.');
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ username: 'nora.cuts', text: 'Sunset run #sea 🌅' });
    expect(await isWholeUpload(facebook, entry, work.media)).toBe(true);
    expect(walk).toMatchObject({
      state: 'posted',
      published: { remoteId: entry.id, url: `${facebook.url}/reel/${entry.id}/`, publishedAt: entry.publishedAt },
    });
    expect((await facebook.videos())[0]).toMatchObject({ title: 'Sunset', state: 'PUBLISHED' });
    const order = [isPage, isReels, isStatus, isTransfer, isThumbnail];
    const kinds = facebook.requests.slice(before).map((call) => order.findIndex((is) => is(call)));
    expect(kinds.slice(0, 6)).toEqual([0, 1, 2, 3, 2, 1]);
    expect(kinds.slice(6, -2).every((kind) => kind === 2)).toBe(true);
    expect(kinds.slice(-2)).toEqual([4, 2]);
    expect(facebook.spent).toEqual(['reels']);
    for (const name of facebook.spent) expect(connector.budgets.map((budget) => budget.name)).toContain(name);
  });

  test('streams a large file in one request', async () => {
    const facebook = await start();
    const media = filmOf(25_000_000);
    const work = await facebook.work('large', { media });
    expect((await walkThrough(facebook, work)).state).toBe('posted');
    expect(count(facebook, isTransfer)).toBe(1);
    expect(media.handed()).toBe(25_000_000);
    const [entry] = await facebook.published();
    expect(entry && (await isWholeUpload(facebook, entry, media))).toBe(true);
  });

  test("resumes an interrupted upload at Facebook's offset", async () => {
    const facebook = await start();
    const media = filmOf(5_000_000);
    const work = await facebook.work('broken', { media });
    const opened = await walkTo(facebook, work, ({ notes }) => notes.length === 2);
    const [video] = await facebook.videos();
    await fetch(`${facebook.url}/video-upload/${video?.id}`, {
      method: 'POST',
      headers: { authorization: `OAuth ${opened.checkpoint?.pageToken}`, offset: '0', file_size: '5000000' },
      body: Buffer.concat(await (await media.stream({ first: 0, last: 2_999_999 })).toArray()),
    });
    const walk = await walkThrough(facebook, work, { from: opened });
    expect([walk.state, (await facebook.published()).length]).toEqual(['posted', 1]);
    expect(facebook.asked.flatMap(({ headers }) => headers?.offset ?? [])).toEqual(['3000000']);
    expect(walk.notes).toContain('Sent 2.0 MB of 5.0 MB.');
    const [entry] = await facebook.published();
    expect(entry && (await isWholeUpload(facebook, entry, media))).toBe(true);
  });

  test('sends no empty title or description', async () => {
    const facebook = await start();
    await walkThrough(facebook, await facebook.work(''));
    const finish = facebook.asked.filter(({ url }) => url.endsWith('/video_reels')).at(-1);
    const form = new URLSearchParams(finish?.body?.kind === 'bytes' ? String(finish.body.bytes) : '');
    expect([...form.keys()].sort()).toEqual([
      'access_token',
      'appsecret_proof',
      'upload_phase',
      'video_id',
      'video_state',
    ]);
    expect((await facebook.published()).map(({ text }) => text)).toEqual(['']);
  });

  test('works for a sandbox account without Page tokens', async () => {
    const facebook = await start();
    const work = await facebook.workWith(await facebook.enrolled(), 'sandbox');
    expect((await walkThrough(facebook, work)).state).toBe('posted');
  });

  test('works with a Page token after the login expires', async () => {
    const facebook = await start();
    const work = await facebook.work('after sixty days');
    facebook.clock.now += 61 * DAY_MS;
    expect((await walkThrough(facebook, work)).state).toBe('posted');
    expect(count(facebook, isToken)).toBe(2);
  });

  test.each([
    ['before it begins', 0],
    ['before it is opened', 1],
    ['before the upload', 2],
    ['before the finish', 4],
    ['while it is confirmed', 5],
  ])('replaces an invalid Page token: %s', async (_name, moves) => {
    const facebook = await start();
    const work = await facebook.work('renewed');
    const walk = await walkTo(facebook, work, ({ notes }) => notes.length >= moves);
    await facebook.replacePageTokens();
    const end = await walkThrough(facebook, work, { from: walk });
    expect([end.state, (await facebook.published()).length]).toEqual(['posted', 1]);
  });

  test.each([
    ['looked for', 'unknown'],
    ['confirmed', 'confirming'],
  ] as const)('uses the tokens of a new consent while %s', async (_name, state) => {
    const facebook = await start();
    const work = await facebook.work('again');
    facebook.faults.add({
      when: (call) => isReels(call) && call.nth === 2,
      times: 1,
      fault: { kind: 'reset-after' },
    });
    const unknown = await walkTo(facebook, work, 'unknown');
    const there = await walkTo(facebook, work, state, unknown);
    await facebook.killGrant(460);
    const reopened = { ...work, session: await facebook.open(await facebook.connect()) };
    expect((await walkThrough(facebook, reopened, { from: there })).state).toBe('posted');
  });

  test('is finished only when the upload is complete', async () => {
    const facebook = await start();
    await facebook.set({ settleMs: 30_000 });
    const walk = await walkThrough(facebook, await facebook.work('settling'));
    expect([walk.state, (await facebook.published()).length]).toEqual(['posted', 1]);
    expect([count(facebook, isReels), count(facebook, isTransfer)]).toEqual([2, 1]);
  });

  test("reads a video hidden from Page tokens with the person's", async () => {
    const facebook = await start();
    await facebook.set({ hiddenFromPages: true });
    const walk = await walkThrough(facebook, await facebook.work('hidden'));
    expect([walk.state, (await facebook.published()).length]).toEqual(['posted', 1]);
    expect([count(facebook, isReels), count(facebook, isTransfer)]).toEqual([2, 1]);
  });

  test('retries soon when the upload is missing at the finish', async () => {
    const facebook = await start();
    const work = await facebook.work('missing');
    const sent = await walkTo(facebook, work, 'committing');
    const error = { code: 6000, error_subcode: 1_363_130, message: 'There was a problem uploading your video file.' };
    respondToReels(facebook, { status: 400, body: { error } }, 1);
    const before = facebook.clock.now;
    const walk = await walkThrough(facebook, work, { from: sent });
    expect([walk.state, (await facebook.published()).length]).toEqual(['posted', 1]);
    expect(facebook.clock.now - before).toBeLessThan(5 * 60_000);
    expect([count(facebook, isReels), count(facebook, isTransfer)]).toEqual([3, 1]);
    expect(walk.notes.join(' ')).toContain('There was a problem uploading your video file.');
  });

  test('continues when a sibling account of the person reconnects', async () => {
    const facebook = await start();
    const tokens = await facebook.connect({ pages: 'one' });
    const work = await facebook.workWith(tokens, 'sibling');
    const open = await walkTo(facebook, work, ({ notes }) => notes.length === 2);
    await facebook.connect({ pages: 'two' });
    expect((await walkThrough(facebook, work, { from: open })).state).toBe('posted');
  });

  test('requires a new consent for a lost Page', async () => {
    const facebook = await start();
    const work = await facebook.work('lost');
    const [user] = await facebook.store.list<{ roles: object[] }>('user', { limit: 1 });
    await facebook.store.change<{ roles: object[] }>(
      'user',
      user?.key ?? '',
      (known) => known && { ...known, roles: [] },
    );
    const { failure } = await walkThrough(facebook, work);
    expect(failure).toMatchObject({ kind: 'reconnect', platformCode: '190/492' });
    expect(await facebook.videos()).toEqual([]);
  });

  test("sends the Page token only to Facebook's hosts", async () => {
    const facebook = await start();
    const work = await facebook.work('elsewhere');
    const response = { status: 200, body: { video_id: '9000', upload_url: 'https://evil.example/upload/9000' } };
    respondToReels(facebook, response, 1);
    const walk = await walkTo(facebook, work, ({ checkpoint }) => checkpoint?.videoId === '9000');
    expect(walk.checkpoint?.uploadUrl).toBe(`${facebook.url}/video-upload/v25.0/9000`);
    const own = 'https://rupload-ams.facebook.com/video-upload/9000';
    const theirs = { status: 200, body: { video_id: '9000', upload_url: own } };
    respondToReels(facebook, theirs, 1);
    const other = await walkTo(facebook, work, ({ checkpoint }) => checkpoint?.videoId === '9000');
    expect(other.checkpoint?.uploadUrl).toBe(own);
  });
});

describe('rejections', () => {
  test('a lost role fails before an upload is opened', async () => {
    const facebook = await start();
    const work = await facebook.work('no');
    await facebook.killGrant(460);
    expect((await walkThrough(facebook, work)).failure).toMatchObject({ kind: 'reconnect', platformCode: '190/460' });
    expect(count(facebook, isReels)).toBe(0);
  });

  test.each([
    [1_363_129, { kind: 'rejected', what: 'video' }],
    [1_363_128, { kind: 'rejected', what: 'video' }],
    [1_404_102, { kind: 'rejected', what: 'policy' }],
    [1_404_082, { kind: 'rejected', what: 'duplicate' }],
    [77, { kind: 'rejected', what: 'video' }],
  ])('processing error %i ends the post with the reason', async (code, expected) => {
    const facebook = await start();
    const work = await facebook.work('no');
    const sent = await walkTo(facebook, work, 'committing');
    await facebook.changeVideo({ failure: { code, message: 'This will not do.' } });
    const walk = await walkThrough(facebook, work, { from: sent });
    expect(walk.failure).toMatchObject({ ...expected, platformCode: String(code) });
    expect(await facebook.published()).toEqual([]);
  });

  test('a temporary failure starts a new upload', async () => {
    const facebook = await start();
    const work = await facebook.work('again');
    const sent = await walkTo(facebook, work, 'committing');
    await facebook.changeVideo({ failure: { code: 1_363_030, message: 'Try again.' } });
    const walk = await walkThrough(facebook, work, { from: sent });
    expect([walk.state, (await facebook.published()).length]).toEqual(['posted', 1]);
    expect(await facebook.videos()).toHaveLength(2);
  });

  test.each([
    ['10', { code: 10 }, { kind: 'reconnect' }],
    ['200', { code: 200 }, { kind: 'reconnect' }],
    ['100', { code: 100 }, { kind: 'rejected', what: 'other' }],
    [
      '100',
      { code: 100, message: '(#100) No permission to publish the video' },
      { kind: 'rejected', what: 'permission' },
    ],
    ['506', { code: 506 }, { kind: 'rejected', what: 'duplicate' }],
    ['1363040', { code: 1_363_040 }, { kind: 'rejected', what: 'video' }],
    ['100/1363127', { code: 100, error_subcode: 1_363_127 }, { kind: 'rejected', what: 'video' }],
    ['368/1404082', { code: 368, error_subcode: 1_404_082 }, { kind: 'rejected', what: 'duplicate' }],
  ])('a finish rejected with %s ends the post', async (platformCode, error, expected) => {
    const facebook = await start();
    const work = await facebook.work('no');
    const sent = await walkTo(facebook, work, 'committing');
    respondToReels(facebook, { status: 400, body: { error } });
    expect((await walkThrough(facebook, work, { from: sent })).failure).toMatchObject({ ...expected, platformCode });
  });

  test('an inconclusive rejection is retried ever more slowly', async () => {
    const facebook = await start();
    const work = await facebook.work('no');
    const sent = await walkTo(facebook, work, 'committing');
    const error = { code: 368, error_subcode: 4_854_002 };
    respondToReels(facebook, { status: 400, body: { error } });
    const before = facebook.clock.now;
    await walkTo(facebook, work, () => facebook.clock.now - before > DAY_MS, sent);
    const finishes = count(facebook, isReels) - 1;
    expect(finishes).toBeGreaterThan(4);
    expect(finishes).toBeLessThan(20);
    expect(await facebook.videos()).toHaveLength(1);
  });

  test('"posting too fast" waits for hours and verifies first', async () => {
    const facebook = await start();
    const work = await facebook.work('fast');
    const sent = await walkTo(facebook, work, 'committing');
    const error = { code: 368, error_subcode: 1_390_008 };
    respondToReels(facebook, { status: 400, body: { error } }, 1);
    const before = facebook.clock.now;
    const walk = await walkThrough(facebook, work, { from: sent });
    expect([walk.state, (await facebook.published()).length]).toEqual(['posted', 1]);
    expect(facebook.clock.now - before).toBeGreaterThanOrEqual(12 * 3_600_000);
    expect(count(facebook, isReels)).toBe(3);
  });

  test('waits when the daily reels are used up', async () => {
    const facebook = await start({ limits: true });
    const work = await facebook.work('one too many');
    const posts = Array.from({ length: 30 }, (_, index) => facebook.clock.now - index * 60_000);
    await facebook.store.change<object>('page', work.session.remoteId, (page) => page && { ...page, posts });
    const before = facebook.clock.now;
    const walk = await walkThrough(facebook, work);
    expect(walk.state).toBe('posted');
    expect(facebook.clock.now - before).toBeGreaterThan(DAY_MS - 31 * 60_000);
  });

  test('opens nothing when the budget is exhausted', async () => {
    const facebook = await start();
    const spend = async (name: string) => {
      throw new BudgetEmpty(name, 30_000, 'daily');
    };
    await expect(connector.begin(await facebook.work('x', { spend }))).rejects.toBeInstanceOf(BudgetEmpty);
    expect(count(facebook, isReels)).toBe(0);
  });
});

describe('upload', () => {
  const refused = (type: string, message = 'no', retriable = true) => ({
    kind: 'status' as const,
    answer: { status: 400, body: { debug_info: { retriable, type, message } } },
  });

  test.each(['OffsetInvalidError', 'PartialRequestError'])("resumes at Facebook's offset after %s", async (type) => {
    const facebook = await start();
    const work = await facebook.work('stray');
    facebook.faults.add({ when: isTransfer, times: 4, fault: refused(type) });
    const before = facebook.clock.now;
    const walk = await walkThrough(facebook, work);
    expect([walk.state, (await facebook.videos()).length]).toEqual(['posted', 1]);
    expect(facebook.clock.now - before).toBeGreaterThan(90_000);
  });

  test('starts over after failed processing', async () => {
    const facebook = await start();
    const work = await facebook.work('anew');
    facebook.faults.add({ when: isTransfer, times: 1, fault: refused('ProcessingFailedError', 'broken', false) });
    const walk = await walkThrough(facebook, work);
    expect([walk.state, (await facebook.videos()).length]).toEqual(['posted', 2]);
  });

  test.each([
    ['ProcessingFailedError', '{"success":false,"error":{"message":"unauthorized user request"}}'],
    ['NotAuthorizedError', 'User not authorized to perform this request'],
  ])('fetches a new token if the host rejects it: %s', async (type, message) => {
    const facebook = await start();
    const work = await facebook.work('token');
    facebook.faults.add({ when: isTransfer, times: 1, fault: refused(type, message, false) });
    const walk = await walkThrough(facebook, work);
    expect([walk.state, (await facebook.videos()).length]).toEqual(['posted', 1]);
    expect(count(facebook, isPage)).toBe(2);
  });

  test('starts over after expiry without spending a second reel', async () => {
    const facebook = await start();
    const work = await facebook.work('late');
    const opened = await walkTo(facebook, work, ({ notes }) => notes.length === 2);
    facebook.clock.now += DAY_MS - 60_000;
    await facebook.changeVideo({ createdAt: 0 });
    const walk = await walkThrough(facebook, work, { from: opened });
    expect([walk.state, (await facebook.videos()).length]).toEqual(['posted', 2]);
    expect(facebook.spent).toEqual(['reels']);
  });

  test('starts over if Facebook does not know the upload', async () => {
    const facebook = await start();
    const work = await facebook.work('gone');
    const opened = await walkTo(facebook, work, ({ notes }) => notes.length === 2);
    const [video] = await facebook.videos();
    await facebook.store.remove('video', video?.id ?? '');
    const walk = await walkThrough(facebook, work, { from: opened });
    expect([walk.state, (await facebook.published()).length]).toEqual(['posted', 1]);
  });

  test('stops starting over after a day', async () => {
    const facebook = await start();
    const work = await facebook.work('never');
    facebook.faults.add({ when: isTransfer, fault: refused('ProcessingFailedError', 'broken', false) });
    const before = facebook.clock.now;
    const walk = await walkTo(
      facebook,
      work,
      ({ notes }) => notes.at(-1)?.includes('No upload of this video succeeded') === true,
      extended(begun(facebook)),
    );
    expect(walk.state).toBe('waiting');
    expect(facebook.clock.now - before).toBeGreaterThan(DAY_MS);
    expect((await facebook.videos()).length).toBeLessThan(60);
  });

  test('polls an upload with all bytes until it is complete', async () => {
    const facebook = await start();
    const work = await facebook.work('odd');
    const body = { status: { uploading_phase: { status: 'in_progress', bytes_transfered: work.media.bytes } } };
    facebook.faults.add({ when: isStatus, times: 3, fault: { kind: 'status', answer: { status: 200, body } } });
    expect((await walkThrough(facebook, work)).state).toBe('posted');
  });
});

describe('confirmation', () => {
  test('polls at a low rate for hours', async () => {
    const facebook = await start({ processingMs: 4 * 3_600_000 });
    const walk = await walkThrough(facebook, await facebook.work('slow'), { maxMoves: 400 });
    expect(walk.state).toBe('posted');
    expect(count(facebook, isStatus)).toBeLessThan(260);
  });

  test("reads the Page's list if the video is not shown", async () => {
    const facebook = await start();
    const work = await facebook.work('hidden');
    const sent = await walkTo(facebook, work, 'confirming');
    const body = { error: { code: 100, error_subcode: 33, message: 'gone' } };
    facebook.faults.add({ when: isStatus, fault: { kind: 'status', answer: { status: 400, body } } });
    expect((await walkTo(facebook, work, 'confirming', sent)).state).toBe('confirming');
    facebook.clock.now += 20_000;
    const walk = await walkThrough(facebook, work, { from: sent });
    expect(walk.published?.remoteId).toBe((await facebook.published())[0]?.id);
  });

  test.each([
    ['that ran out', { status: { video_status: 'expired', uploading_phase: { status: 'complete' } } }],
    [
      'that failed for a while',
      { status: { video_status: 'error', processing_phase: { status: 'error', error: { code: 1_363_047 } } } },
    ],
  ])('a video %s starts over', async (_name, body) => {
    const facebook = await start();
    const work = await facebook.work('anew');
    const sent = await walkTo(facebook, work, 'committing');
    respondToReels(facebook, { status: 200, body: { success: true } }, 1);
    facebook.faults.add({ when: isStatus, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    const walk = await walkThrough(facebook, work, { from: sent });
    expect([walk.state, (await facebook.published()).length, (await facebook.videos()).length]).toEqual([
      'posted',
      1,
      2,
    ]);
  });
});

describe('thumbnail', () => {
  const hash = createHash('sha256').update(COVER).digest('hex');

  test('is set once on the published reel', async () => {
    const facebook = await start();
    const walk = await walkThrough(facebook, await facebook.work('pretty'));
    expect((await facebook.videos())[0]?.thumbnails).toEqual([{ sha256: hash, bytes: COVER.length, preferred: true }]);
    expect(walk.notes).toContain('Facebook has the cover.');
  });

  test.each<[string, Fault]>([
    ['is not allowed', { kind: 'status', answer: { status: 403, body: { error: { code: 200, message: 'no' } } } }],
    ['is refused for the token', { kind: 'refusal', refusal: 'token-revoked' }],
    ['meets a limit', { kind: 'refusal', refusal: 'rate-limited-with-wait' }],
    ['meets trouble', { kind: 'refusal', refusal: 'server-error' }],
    ['gets no response', { kind: 'reset-before' }],
  ])('that %s leaves the reel posted without a retry', async (_name, fault) => {
    const facebook = await start();
    const work = await facebook.work('plain');
    facebook.faults.add({ when: isThumbnail, fault });
    const walk = await walkThrough(facebook, work);
    expect([walk.state, walk.published?.url]).toEqual(['posted', expect.stringContaining('/reel/')]);
    expect(count(facebook, isThumbnail)).toBe(1);
    expect(walk.notes.some((note) => note.startsWith('Facebook did not accept the cover.'))).toBe(true);
  });

  test('that is unreadable leaves the reel posted', async () => {
    const facebook = await start();
    const cover = () => Promise.reject(new Error('/var/lib/reelay/secret-path'));
    const walk = await walkThrough(facebook, await facebook.work('none', { media: filmOf(200_000, { cover }) }));
    expect([walk.state, count(facebook, isThumbnail)]).toEqual(['posted', 0]);
    expect(walk.notes.join(' ')).not.toContain('secret-path');
  });
});

describe('failures requested by tag', () => {
  test.each([
    ['reconnect', 'failed', 0, 'reconnect'],
    ['reject', 'failed', 0, 'rejected'],
    ['rate-limit', 'posted', 1, undefined],
    ['slow', 'posted', 1, undefined],
    ['lost-answer', 'posted', 1, undefined],
    ['down', 'posted', 1, undefined],
  ])('%s', async (tag, state, published, kind) => {
    const facebook = await start();
    const work = await facebook.work(`hello #sandbox-${tag}`, { sandbox: true });
    const walk = await walkThrough(facebook, work);
    expect([walk.state, (await facebook.published()).length, walk.failure?.kind]).toEqual([state, published, kind]);
  });
});
