import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/facebook/index.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import { exactlyOnce } from '../suites/exactly-once.ts';
import { type Facebook, isReels, isStatus, once, startFacebook } from './facebook-driver.ts';
import { lies } from './graph-responses.ts';
import { fingerprintOf, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startFacebook({ processingMs: 12_000, ...overrides }),
);

exactlyOnce({
  ...once,
  platform: connector.id,
  lies: lies(connector.commit.responses),
  async begin(switches = {}) {
    const drive = await start();
    await drive.set(switches);
    return { drive, work: await drive.work('once') };
  },
  completeList: (facebook) => facebook.changeVideo({ lengthSeconds: 31.02 }),
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

  test('finishes a video that seems published before any finish', async () => {
    const facebook = await start();
    const work = await facebook.work('early');
    const body = { id: '9', published: true, status: { uploading_phase: { status: 'complete' } } };
    facebook.faults.add({ when: isStatus, times: 2, fault: { kind: 'status', answer: { status: 200, body } } });
    const walk = await walkThrough(facebook, work);
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
      'did not say',
    );
  });

  test('of a missing video stays unknown without a new upload', async () => {
    const facebook = await start();
    const work = await facebook.work('once');
    const ready = await walkTo(facebook, work, 'committing');
    facebook.faults.add({ when: isReels, times: 1, fault: { kind: 'reset-before' } });
    const unknown = await walkTo(facebook, work, 'unknown', ready);
    const [video] = await facebook.videos();
    await facebook.store.remove('video', video?.id ?? '');
    const walk = await walkThrough(facebook, work, { from: unknown, maxMoves: 20 });
    expect([walk.state, facebook.requests.filter(isReels).length]).toEqual(['unknown', 2]);
    // Discovered too late: a worker that is certain requests verification again and sends nothing.
    const sure = { ...walk, state: 'waiting' as const };
    const again = await walkTo(facebook, work, 'unknown', sure);
    expect(again.notes.at(-1)).toContain('no longer knows the upload');
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
  const ready = async (facebook: Facebook) => {
    const work = await facebook.work('Sunset run #sea');
    const since = facebook.clock.now;
    const walk = await walkThrough(facebook, work);
    await facebook.changeVideo({ lengthSeconds: 31.02 });
    return { work, since, walk };
  };

  test('ignores the duration if Facebook does not report it', async () => {
    const facebook = await start();
    const { work, since } = await ready(facebook);
    await facebook.changeVideo({ lengthSeconds: null });
    expect((await connector.verify(work, null, fingerprintOf(work, since))).then).toBe('posted');
  });

  test.each([-600_000, 600_000])("uses Facebook's clock when ours is off by %i ms", async (offMs) => {
    const facebook = await start();
    const { work, since, walk } = await ready(facebook);
    const off = { ...work, session: Object.assign(work.session, { now: () => facebook.clock.now + offMs }) };
    expect(await connector.verify(off, null, fingerprintOf(work, since + offMs))).toMatchObject({
      then: 'posted',
      published: { remoteId: walk.published?.remoteId },
    });
    const later = since + offMs + 120_000;
    expect((await connector.verify(off, null, fingerprintOf(work, later))).then).toBe('stillUnknown');
  });
});
