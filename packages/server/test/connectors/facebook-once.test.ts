import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import type { Fingerprint, Work } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/facebook/index.ts';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import {
  type Facebook,
  isList,
  isPage,
  isReels,
  isStatus,
  isThumbnail,
  isTransfer,
  startFacebook,
} from './facebook-driver.ts';
import { lies } from './graph-answers.ts';
import { BROKEN, DELAYED } from './odd-answers.ts';
import { walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startFacebook({ processingMs: 12_000, ...overrides }),
);

describe(seeded('exactly once'), () => {
  const REQUESTS = { page: isPage, reels: isReels, transfer: isTransfer, status: isStatus, picture: isThumbnail };
  const FAULTS: Record<string, Fault> = {
    ...BROKEN,
    ...DELAYED,
    'is refused for the rate with a time': { kind: 'refusal', refusal: 'rate-limited-with-wait' },
    'is refused for its token': { kind: 'refusal', refusal: 'token-expired' },
    'is carried out and refused for its token': { kind: 'refusal', refusal: 'token-expired', acted: true },
  };
  const cases = Object.entries(REQUESTS).flatMap(([name, when]) =>
    Object.entries(FAULTS).map(([what, fault]) => ({ name, when, what, fault })),
  );

  test.each(drawn(cases, ONE_IN.tables, connector.id))('posts once when the $name $what', async ({ when, fault }) => {
    const facebook = await start();
    const work = await facebook.work('once');
    const strike = facebook.faults.add({ when, times: 1, fault });
    const walk = await walkThrough(facebook, work);
    expect(strike.hits()).toBe(1);
    expect([walk.state, (await facebook.published()).length]).toEqual(['posted', 1]);
    expect(walk.published?.remoteId).toBe((await facebook.published())[0]?.id);
  });

  test.each(Object.entries(FAULTS))('posts once when the finish request %s', async (_what, fault) => {
    const facebook = await start();
    await facebook.set({ finishTwice: true });
    const work = await facebook.work('once');
    const ready = await walkTo(facebook, work, 'committing');
    const strike = facebook.faults.add({ when: isReels, times: 1, fault });
    const walk = await walkThrough(facebook, work, { from: ready });
    expect(strike.hits()).toBe(1);
    expect([walk.state, (await facebook.published()).length]).toEqual(['posted', 1]);
    expect(await facebook.videos()).toHaveLength(1);
  });

  test.each(lies(connector.commit.answers))('posts once when finish fails with $code but worked', async ({ fault }) => {
    const facebook = await start();
    await facebook.set({ finishTwice: true });
    const work = await facebook.work('once');
    const ready = await walkTo(facebook, work, 'committing');
    facebook.faults.add({ when: isReels, times: 1, fault });
    await walkThrough(facebook, work, { from: ready });
    expect(await facebook.published()).toHaveLength(1);
  });

  test.each(drawn([1, 2, 3, 4, 5, 6], ONE_IN.moves, 'moves'))(
    'posts once when the worker is killed after step %i',
    async (crashAt) => {
      const facebook = await start();
      await facebook.set({ finishTwice: true });
      const walk = await walkThrough(facebook, await facebook.work('once'), { crashAt });
      expect([walk.state, (await facebook.published()).length]).toEqual(['posted', 1]);
    },
  );
});

describe('unanswered finish request', () => {
  test('is verified for 15 minutes before it is resent', async () => {
    const facebook = await start();
    const work = await facebook.work('once');
    const ready = await walkTo(facebook, work, 'committing');
    facebook.faults.add({ when: isReels, times: 1, fault: { kind: 'reset-before' } });
    const unknown = await walkTo(facebook, work, 'unknown', ready);
    const since = facebook.clock.now;
    const again = await walkTo(facebook, work, 'committing', unknown);
    expect(facebook.clock.now - since).toBeGreaterThanOrEqual(15 * 60_000);
    expect(again.checkpoint).toMatchObject({ videoId: ready.checkpoint?.videoId, finishes: 2 });
    expect((await walkThrough(facebook, work, { from: again })).state).toBe('posted');
    expect(await facebook.videos()).toHaveLength(1);
  });

  test('that takes effect minutes later is found, not resent', async () => {
    const facebook = await start();
    const work = await facebook.work('once');
    const ready = await walkTo(facebook, work, 'committing');
    const late = facebook.faults.add({ when: isReels, times: 1, fault: { kind: 'late-execution' } });
    const unknown = await walkTo(facebook, work, ({ notPostedSince }) => notPostedSince !== null, ready);
    await late.release();
    const walk = await walkThrough(facebook, work, { from: unknown });
    expect([walk.state, (await facebook.published()).length]).toEqual(['posted', 1]);
    expect(facebook.requests.filter(isReels)).toHaveLength(2);
  });

  test('that takes effect after verification is not repeated', async () => {
    const facebook = await start();
    await facebook.set({ finishTwice: true });
    const work = await facebook.work('once');
    const ready = await walkTo(facebook, work, 'committing');
    const late = facebook.faults.add({ when: isReels, times: 1, fault: { kind: 'late-execution' } });
    const believed = await walkTo(facebook, work, 'waiting', await walkTo(facebook, work, 'unknown', ready));
    expect(believed.state).toBe('waiting');
    await late.release();
    const walk = await walkThrough(facebook, work, { from: believed });
    expect([walk.state, (await facebook.published()).length]).toEqual(['posted', 1]);
    expect(walk.notes).toContain('Facebook has been asked to publish this already; making sure.');
    expect(facebook.requests.filter(isReels)).toHaveLength(2);
  });

  test('with unconfirmed signs of success is resent', async () => {
    const facebook = await start();
    const work = await facebook.work('once');
    const ready = await walkTo(facebook, work, 'committing');
    facebook.faults.add({ when: isReels, times: 1, fault: { kind: 'reset-before' } });
    const believed = await walkTo(facebook, work, 'waiting', await walkTo(facebook, work, 'unknown', ready));
    const body = { status: { uploading_phase: { status: 'complete' }, publishing_phase: { status: 'in_progress' } } };
    facebook.faults.add({ when: isStatus, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    const doubting = await walkTo(facebook, work, 'unknown', believed);
    expect([doubting.state, facebook.requests.filter(isReels).length]).toEqual(['unknown', 2]);
    const walk = await walkThrough(facebook, work, { from: doubting });
    expect([walk.state, (await facebook.published()).length]).toEqual(['posted', 1]);
    expect([facebook.requests.filter(isReels).length, (await facebook.videos()).length]).toEqual([3, 1]);
  });

  test('that worked despite a rejected token is not repeated', async () => {
    const facebook = await start();
    await facebook.set({ finishTwice: true });
    const work = await facebook.work('once');
    const ready = await walkTo(facebook, work, 'committing');
    const fault: Fault = { kind: 'refusal', refusal: 'token-expired', acted: true };
    facebook.faults.add({ when: isReels, times: 1, fault });
    const walk = await walkThrough(facebook, work, { from: ready });
    expect([walk.state, (await facebook.published()).length]).toEqual(['posted', 1]);
  });

  test('proves nothing while publishing waits for processing', async () => {
    const facebook = await start();
    await facebook.set({ processAfterFinish: true, finishTwice: true, processingMs: 3_600_000 });
    const work = await facebook.work('once');
    const ready = await walkTo(facebook, work, 'committing');
    await facebook.changeVideo({ processingMs: 3_600_000 });
    facebook.faults.add({ when: isReels, times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkThrough(facebook, work, { from: ready, maxMoves: 300 });
    expect(walk.notes).toContain('Facebook is processing the video.');
    expect([walk.state, (await facebook.published()).length]).toEqual(['posted', 1]);
  });

  test('is not resent if the status is missing', async () => {
    const facebook = await start();
    await facebook.set({ finishTwice: true });
    const work = await facebook.work('once');
    const ready = await walkTo(facebook, work, 'committing');
    facebook.faults.add({ when: isReels, times: 1, fault: { kind: 'reset-after' } });
    const unknown = await walkTo(facebook, work, 'unknown', ready);
    const untold = facebook.faults.add({
      when: isStatus,
      times: 4,
      fault: { kind: 'status', answer: { status: 200, body: { id: '9' } } },
    });
    const walk = await walkThrough(facebook, work, { from: unknown });
    expect([walk.state, (await facebook.published()).length, untold.hits()]).toEqual(['posted', 1, 4]);
    expect(facebook.requests.filter(isReels)).toHaveLength(2);
    const body = { id: '9' };
    facebook.faults.add({ when: isStatus, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    expect((await walkTo(facebook, work, 'unknown', { ...unknown, state: 'waiting' })).notes.at(-1)).toContain(
      'does not say',
    );
  });

  test('of a missing video stays unknown without a new upload', async () => {
    const facebook = await start();
    const work = await facebook.work('once');
    const ready = await walkTo(facebook, work, 'committing');
    facebook.faults.add({ when: isReels, times: 1, fault: { kind: 'reset-before' } });
    const unknown = await walkTo(facebook, work, 'unknown', ready);
    const [video] = await facebook.videos();
    await facebook.books.remove('video', video?.id ?? '');
    const walk = await walkThrough(facebook, work, { from: unknown, maxMoves: 20 });
    expect([walk.state, facebook.requests.filter(isReels).length]).toEqual(['unknown', 2]);
    // Discovered too late: a worker that is certain requests verification again and sends nothing.
    const sure = { ...walk, state: 'waiting' as const };
    const again = await walkTo(facebook, work, 'unknown', sure);
    expect(again.notes.at(-1)).toContain('does not show the video any more');
    expect([again.checkpoint?.videoId, facebook.requests.filter(isReels).length]).toEqual([video?.id, 2]);
  });

  test.each([
    ['ran out', { video_status: 'expired', uploading_phase: { status: 'complete' } }],
    [
      'failed in passing',
      { video_status: 'error', publishing_phase: { status: 'error', errors: [{ code: 1_609_010 }] } },
    ],
  ])('of a video that %s starts a new upload', async (_name, status) => {
    const facebook = await start();
    const work = await facebook.work('once');
    const ready = await walkTo(facebook, work, 'committing');
    facebook.faults.add({ when: isReels, times: 1, fault: { kind: 'reset-before' } });
    facebook.faults.add({
      when: isStatus,
      times: 1,
      fault: { kind: 'status', answer: { status: 200, body: { status } } },
    });
    const walk = await walkThrough(facebook, work, { from: ready });
    expect([walk.state, (await facebook.published()).length, (await facebook.videos()).length]).toEqual([
      'posted',
      1,
      2,
    ]);
  });
});

describe('verifying without an upload', () => {
  const known = (work: Work, committedAt: number, changes: Partial<Fingerprint> = {}): Fingerprint => ({
    text: work.post.text,
    durationMs: work.media.durationMs,
    committedAt,
    ...changes,
  });
  const ready = async (facebook: Facebook) => {
    const work = await facebook.work('Sunset run #sea');
    const since = facebook.clock.now;
    const walk = await walkThrough(facebook, work);
    await facebook.changeVideo({ lengthSeconds: 31.02 });
    return { work, since, walk };
  };

  test('finds the reel by text, duration and time', async () => {
    const facebook = await start();
    const { work, since, walk } = await ready(facebook);
    const look = (changes: Partial<Fingerprint> = {}) => connector.verify(work, null, known(work, since, changes));
    expect(await look()).toMatchObject({
      then: 'posted',
      published: { remoteId: walk.published?.remoteId, url: walk.published?.url },
    });
    expect((await look({ durationMs: 33_000 })).then).toBe('stillUnknown');
    expect((await look({ text: 'Sunset run' })).then).toBe('stillUnknown');
    expect((await look({ committedAt: facebook.clock.now + 60_000 })).then).toBe('stillUnknown');
    expect((await look({ text: ' ' })).then).toBe('stillUnknown');
    await facebook.changeVideo({ lengthSeconds: null });
    expect((await look()).then).toBe('posted');
  });

  test.each([-600_000, 600_000])("uses Facebook's clock when ours is off by %i ms", async (offMs) => {
    const facebook = await start();
    const { work, since, walk } = await ready(facebook);
    const off = { ...work, session: Object.assign(work.session, { now: () => facebook.clock.now + offMs }) };
    expect(await connector.verify(off, null, known(work, since + offMs))).toMatchObject({
      then: 'posted',
      published: { remoteId: walk.published?.remoteId },
    });
    const later = since + offMs + 120_000;
    expect((await connector.verify(off, null, known(work, later))).then).toBe('stillUnknown');
  });

  test('stays unknown when several reels match', async () => {
    const facebook = await start();
    const { work, since } = await ready(facebook);
    await walkThrough(facebook, work);
    await facebook.changeVideo({ lengthSeconds: 31 });
    expect((await connector.verify(work, {}, known(work, since))).then).toBe('stillUnknown');
  });

  test('a failed verification changes nothing', async () => {
    const facebook = await start();
    const { work, since } = await ready(facebook);
    facebook.faults.add({ when: isList, fault: { kind: 'refusal', refusal: 'server-error' } });
    await expect(connector.verify(work, null, known(work, since))).rejects.toMatchObject({
      failure: { kind: 'transient' },
    });
  });
});
