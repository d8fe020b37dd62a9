/** Tests verification when the upload session is gone or inconclusive. */
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/youtube/index.ts';
import { earliestPost } from '../../src/publishing/target.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import { filmOf } from './films.ts';
import { begun, fingerprintOf, move, type Walk, walkThrough, walkTo } from './walk.ts';
import { isPut, isStart, isUploads, startYouTube, type YouTube } from './youtube-driver.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startYouTube({ processingMs: 5_000, ...overrides }),
);

const QUARTER_MS = 15 * 60_000;
/** Size of a file that is sent in one part and a last part, bytes. */
const TWO_PARTS = 600_000;
const outcome = async (youtube: YouTube, walk: Walk) => [walk.state, (await youtube.published()).length];
type Call = { method: string; path: string; nth: number };
const nthPut = (nth: number) => (call: Call) => isPut(call) && call.nth === nth;

describe('missing session', () => {
  test.each([404, 410] as const)('is replaced if its last part was not sent (%i)', async (goneStatus) => {
    const youtube = await start();
    await youtube.set({ goneStatus });
    const work = await youtube.work('once', { media: filmOf(TWO_PARTS) });
    const opened = await move(youtube, work, await move(youtube, work, begun(youtube)));
    await youtube.endSession();
    const walk = await walkThrough(youtube, work, { from: opened });
    expect(await outcome(youtube, walk)).toEqual(['posted', 1]);
    expect(youtube.counted(isStart)).toBe(2);
    expect(youtube.counted(isUploads)).toBe(0);
    expect(youtube.spent).toEqual(['channel', 'uploads', 'channel', 'uploads', 'pictures']);
  });

  test('repeatedly ends the post before the daily uploads run out', async () => {
    const youtube = await start();
    const work = await youtube.work('never', { media: filmOf(TWO_PARTS) });
    youtube.faults.add({ when: isPut, fault: { kind: 'status', answer: { status: 404 } } });
    const walk = await walkThrough(youtube, work);
    expect(walk).toMatchObject({ state: 'failed', failure: { kind: 'rejected', what: 'other' } });
    expect(await youtube.sessions()).toHaveLength(6);
  });

  test('a session without progress is eventually abandoned', async () => {
    const youtube = await start();
    const work = await youtube.work('stuck', { media: filmOf(TWO_PARTS) });
    const strike = youtube.faults.add({
      when: (call) => isPut(call) && call.nth % 2 === 1 && call.nth < 20,
      fault: { kind: 'status', answer: { status: 503 } },
    });
    const walk = await walkThrough(youtube, work);
    expect(await outcome(youtube, walk)).toEqual(['posted', 1]);
    expect(youtube.counted(isStart)).toBe(2);
    expect(strike.hits()).toBeGreaterThan(8);
  });

  async function unanswered(youtube: YouTube, fault: Fault) {
    const work = await youtube.work('once');
    youtube.faults.add({ when: nthPut(1), times: 1, fault });
    const walk = await walkTo(youtube, work, 'unknown');
    await youtube.endSession();
    return { work, walk };
  }

  test('finds the published video by file name', async () => {
    const youtube = await start();
    const { work, walk } = await unanswered(youtube, { kind: 'reset-after' });
    const end = await walkThrough(youtube, work, { from: walk });
    expect(await outcome(youtube, end)).toEqual(['posted', 1]);
    expect(end.published?.remoteId).toBe((await youtube.published())[0]?.id);
    expect(youtube.counted(isStart)).toBe(1);
  });

  test('resends nothing for a quarter of an hour', async () => {
    const youtube = await start();
    await youtube.set({ listLagMs: 10 * 60_000 });
    const { work, walk } = await unanswered(youtube, { kind: 'reset-after' });
    const end = await walkThrough(youtube, work, { from: walk });
    expect(await outcome(youtube, end)).toEqual(['posted', 1]);
    expect(youtube.counted(isStart)).toBe(1);
  });

  test('starts over after 15 minutes if nothing was posted', async () => {
    const youtube = await start();
    const { work, walk } = await unanswered(youtube, { kind: 'reset-before' });
    const since = youtube.clock.now;
    const again = await walkTo(youtube, work, 'waiting', walk);
    expect(again.checkpoint).toBeNull();
    expect(youtube.clock.now - since).toBeGreaterThanOrEqual(QUARTER_MS);
    expect(youtube.counted(isUploads)).toBeGreaterThanOrEqual(3);
    expect(await outcome(youtube, await walkThrough(youtube, work, { from: again }))).toEqual(['posted', 1]);
  });

  test('searches for the video before opening a new session', async () => {
    const youtube = await start();
    const work = await youtube.work('once', { media: filmOf(TWO_PARTS) });
    const late = youtube.faults.add({ when: nthPut(2), times: 1, fault: { kind: 'late-execution' } });
    const resumed = await walkTo(youtube, work, 'waiting', await walkTo(youtube, work, 'unknown'));
    await late.release();
    await youtube.endSession();
    const end = await walkThrough(youtube, work, { from: resumed });
    expect(await outcome(youtube, end)).toEqual(['posted', 1]);
    expect(youtube.counted(isStart)).toBe(1);
  });

  test.each([-600_000, 600_000])('finds the video with our clock off by %i ms', async (offMs) => {
    const youtube = await start();
    const work = await youtube.work('once');
    const off = { ...work, session: Object.assign(work.session, { now: () => youtube.clock.now + offMs }) };
    youtube.faults.add({ when: nthPut(1), times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkTo(youtube, off, 'unknown');
    await youtube.endSession();
    youtube.clock.now += 6_000;
    const known = fingerprintOf(work, earliestPost(walk) + offMs);
    expect((await connector.verify(off, walk.checkpoint, known)).then).toBe('confirming');
  });

  test('compares title and size if the file name is unavailable', async () => {
    for (const [fileSize, expected] of [
      [200_000, 'confirming'],
      [200_001, 'stillUnknown'],
    ] as const) {
      const youtube = await start();
      await youtube.set({ namesFiles: false });
      const { work, walk } = await unanswered(youtube, { kind: 'reset-after' });
      youtube.clock.now += 6_000;
      await youtube.changeVideo({ fileSize });
      const looked = await connector.verify(work, walk.checkpoint, fingerprintOf(work, earliestPost(walk)));
      expect(looked.then).toBe(expected);
    }
  });

  test('stays unknown while the file details are unavailable', async () => {
    const youtube = await start({ processingMs: 60_000 });
    const { work, walk } = await unanswered(youtube, { kind: 'reset-after' });
    const look = () => connector.verify(work, walk.checkpoint, fingerprintOf(work, earliestPost(walk)));
    expect(await look()).toMatchObject({
      then: 'stillUnknown',
      note: expect.objectContaining({ code: 'match_unclear' }),
    });
    youtube.clock.now += 60_000;
    expect((await look()).then).toBe('confirming');
  });

  test('stays unknown if several videos match', async () => {
    const youtube = await start();
    await youtube.set({ namesFiles: false });
    const other = await youtube.work('once');
    await walkThrough(youtube, { ...other, post: { ...other.post, targetId: 'another' } });
    const work = await youtube.work('once');
    youtube.faults.add({ when: (call) => isPut(call), times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkTo(youtube, work, 'unknown');
    await youtube.endSession();
    youtube.clock.now += 6_000;
    const looked = await connector.verify(work, walk.checkpoint, fingerprintOf(work, earliestPost(walk)));
    expect(looked).toMatchObject({ then: 'stillUnknown', note: expect.objectContaining({ code: 'several_matches' }) });
  });

  test('ignores a failed earlier upload of the same post', async () => {
    const youtube = await start();
    await walkTo(youtube, await youtube.work('once'), 'confirming');
    await youtube.changeVideo({ failureReason: 'uploadAborted' });
    const work = await youtube.work('once');
    youtube.faults.add({ when: isPut, times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkTo(youtube, work, 'unknown');
    await youtube.endSession();
    youtube.clock.now += 6_000;
    const looked = await connector.verify(work, walk.checkpoint, fingerprintOf(work, earliestPost(walk)));
    expect(looked).toMatchObject({ then: 'confirming', checkpoint: { videoId: (await youtube.videos())[0]?.id } });
  });

  test('a duplicate rejection leads to the video posted earlier', async () => {
    const youtube = await start();
    await youtube.set({ listLagMs: 20 * 60_000 });
    const { work, walk } = await unanswered(youtube, { kind: 'reset-after' });
    const second = await walkTo(youtube, work, 'confirming', await walkTo(youtube, work, 'waiting', walk));
    expect(youtube.counted(isStart)).toBe(2);
    const [first] = await youtube.published();
    await youtube.changeVideo({ rejectionReason: 'duplicate' });
    youtube.clock.now += 20 * 60_000;
    const end = await walkThrough(youtube, work, { from: second });
    expect([end.state, end.published?.remoteId]).toEqual(['posted', first?.id]);
  });
});

test('a complete session without video id is verified, not resent', async () => {
  const youtube = await start();
  const work = await youtube.work('once');
  const offered = await walkTo(youtube, work, 'committing');
  const full = { kind: 'status' as const, answer: { status: 308, headers: { range: 'bytes=0-199999' } } };
  const strike = youtube.faults.add({ when: isPut, times: 3, fault: full });
  const looked = await move(youtube, work, { ...offered, state: 'waiting' });
  expect([looked.state, youtube.counted(isPut)]).toEqual(['unknown', 1]);
  const walk = await walkThrough(youtube, work, { from: looked });
  expect([...(await outcome(youtube, walk)), strike.hits()]).toEqual(['posted', 1, 3]);
});

describe('verification', () => {
  test('finds the video by file name without a checkpoint', async () => {
    const youtube = await start({ processingMs: 0 });
    const work = await youtube.work('once');
    const walk = await walkThrough(youtube, work);
    const [video] = await youtube.videos();
    for (let count = 0; count < 60; count++) {
      const later = { ...video, id: `later${count}`, fileName: `later${count}.mp4` };
      await youtube.store.put('video', later.id, later, video?.channelId);
    }
    const looked = await connector.verify(work, null, { text: 'once', durationMs: 31_000, committedAt: 0 });
    expect(looked).toMatchObject({ then: 'confirming', checkpoint: { videoId: walk.published?.remoteId } });
    expect(youtube.counted(isUploads)).toBe(2);
  });

  test('a channel without uploads proves "not posted" only later', async () => {
    const youtube = await start();
    const work = await youtube.work('once');
    const body = { error: { code: 404, message: 'm', errors: [{ reason: 'playlistNotFound' }] } };
    youtube.faults.add({ when: isUploads, fault: { kind: 'status', answer: { status: 404, body } } });
    const committedAt = youtube.clock.now;
    const look = () => connector.verify(work, null, { text: 'once', durationMs: 31_000, committedAt });
    expect(await look()).toMatchObject({ then: 'stillUnknown', afterMs: QUARTER_MS });
    youtube.clock.now += QUARTER_MS;
    expect(await look()).toMatchObject({ then: 'notPosted', checkpoint: null });
  });

  test.each<[string, Fault, string]>([
    ['says neither', { kind: 'redirect', status: 308 }, 'stillUnknown'],
    [
      'has it all and is not done',
      { kind: 'status', answer: { status: 308, headers: { range: 'bytes=0-199999' } } },
      'stillUnknown',
    ],
    [
      'has more than there is',
      { kind: 'status', answer: { status: 308, headers: { range: 'bytes=0-200000' } } },
      'stillUnknown',
    ],
    [
      'has a range nobody can read',
      { kind: 'status', answer: { status: 308, headers: { range: 'items 1-2' } } },
      'stillUnknown',
    ],
    ['has nothing', { kind: 'status', answer: { status: 308 } }, 'notPosted'],
    ['has some', { kind: 'status', answer: { status: 308, headers: { range: 'bytes=0-99' } } }, 'notPosted'],
  ])('reads a session that %s', async (_name, fault, expected) => {
    const youtube = await start();
    const work = await youtube.work('once');
    const offered = await walkTo(youtube, work, 'committing');
    youtube.faults.add({ when: isPut, times: 1, fault });
    const looked = await connector.verify(work, offered.checkpoint, fingerprintOf(work, earliestPost(offered)));
    expect(looked.then).toBe(expected);
    const checkpoint = looked.then === 'notPosted' ? looked.checkpoint : offered.checkpoint;
    const from: Walk = { ...offered, state: 'waiting', checkpoint: checkpoint as JsonObject };
    expect(await outcome(youtube, await walkThrough(youtube, work, { from }))).toEqual(['posted', 1]);
  });
});
