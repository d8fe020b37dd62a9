import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/threads/index.ts';
import { earliestPost } from '../../src/publishing/target.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import { exactlyOnce } from '../suites/exactly-once.ts';
import { lies } from './graph-responses.ts';
import { isCreate, isPublish, isStatus, once, startThreads } from './threads-driver.ts';
import { fingerprintOf, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startThreads({ processingMs: 40_000, ...overrides }),
);
const QUARTER_MS = 15 * 60_000;

exactlyOnce({
  ...once,
  platform: connector.id,
  lies: lies(connector.commit.responses),
  async begin(switches = {}) {
    const drive = await start();
    await drive.set(switches);
    return { drive, work: await drive.work('once') };
  },
});

describe('unanswered publish request', () => {
  test('is "not posted" only after two verifications past 15 minutes', async () => {
    const threads = await start();
    const work = await threads.work('once');
    const ready = await walkTo(threads, work, 'committing');
    threads.faults.add({ when: isPublish, times: 1, fault: { kind: 'reset-before' } });
    const unknown = await walkTo(threads, work, 'unknown', ready);
    const since = threads.clock.now;
    const firstNo = await walkTo(threads, work, ({ notPostedSince }) => notPostedSince !== null, unknown);
    expect((firstNo.notPostedSince ?? 0) - since).toBeGreaterThanOrEqual(QUARTER_MS - 60_000);
    const again = await walkTo(threads, work, 'committing', firstNo);
    expect(threads.clock.now - since).toBeGreaterThanOrEqual(QUARTER_MS + 60_000);
    expect(again.checkpoint).toMatchObject({ containerId: ready.checkpoint?.containerId, sends: 2 });
    expect((await walkThrough(threads, work, { from: again })).state).toBe('posted');
    expect(threads.requests.filter(isCreate)).toHaveLength(1);
  });

  test('with unconfirmed signs of success is resent', async () => {
    const threads = await start();
    const work = await threads.work('once');
    threads.faults.add({ when: isPublish, times: 1, fault: { kind: 'reset-before' } });
    const believed = await walkTo(threads, work, 'waiting', await walkTo(threads, work, 'unknown'));
    const body = { id: '1', status: 'PUBLISHED' };
    threads.faults.add({ when: isStatus, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    const doubting = await walkTo(threads, work, 'unknown', believed);
    expect([doubting.state, threads.requests.filter(isPublish).length]).toEqual(['unknown', 1]);
    const walk = await walkThrough(threads, work, { from: doubting });
    expect([walk.state, (await threads.published()).length]).toEqual(['posted', 1]);
    expect([threads.requests.filter(isPublish).length, threads.requests.filter(isCreate).length]).toEqual([2, 1]);
  });

  test('that worked long before the second one is still found', async () => {
    const threads = await start();
    await threads.set({ statusLagMs: 30 * 60_000 });
    const work = await threads.work('once');
    threads.faults.add({ when: isPublish, times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkThrough(threads, work);
    expect([walk.state, (await threads.published()).length]).toEqual(['posted', 1]);
    expect(threads.requests.filter(isPublish)).toHaveLength(2);
    expect(walk.published?.remoteId).toBe((await threads.published())[0]?.id);
  });

  test.each([-600_000, 600_000])('is found although our clock is off by %i ms', async (offMs) => {
    const threads = await start();
    const work = await threads.work('once');
    const late = () => threads.clock.now + offMs;
    const off = { ...work, session: Object.assign(work.session, { now: late }) };
    threads.faults.add({ when: isPublish, times: 1, fault: { kind: 'reset-after' } });
    const sent = await walkTo(threads, off, 'unknown');
    const look = fingerprintOf(work, earliestPost(sent) + offMs);
    expect(await connector.verify(off, sent.checkpoint, look)).toMatchObject({
      then: 'posted',
      published: { remoteId: (await threads.published())[0]?.id },
    });
  });

  test('is found in a lagging list, or ends without URL', async () => {
    const threads = await start();
    await threads.set({ listLagMs: 120_000 });
    const work = await threads.work('once');
    threads.faults.add({ when: isPublish, times: 2, fault: { kind: 'reset-after' } });
    const walk = await walkThrough(threads, work);
    expect(walk.published?.remoteId).toBe((await threads.published())[0]?.id);
    await threads.set({});
    const nameless = await threads.work('');
    const sent = await walkTo(threads, nameless, 'confirming');
    expect(sent.completeSince).not.toBeNull();
    expect(await connector.confirm(nameless, sent.checkpoint ?? {})).toMatchObject({
      then: 'confirming',
      complete: true,
    });
    expect(connector.completeWithoutIdMs).toBe(3_600_000);
  });

  test('of one of two equal posts says that several match', async () => {
    const threads = await start();
    const works = [await threads.work('once'), await threads.work('once')] as const;
    threads.faults.add({ when: isPublish, times: 2, fault: { kind: 'reset-after' } });
    const first = await walkTo(threads, works[0], 'unknown');
    await walkTo(threads, works[1], 'unknown');
    const text =
      'Threads published the post. It shows several posts that may be this one, so the link is not known yet.';
    expect(await connector.confirm(works[0], first.checkpoint ?? {})).toMatchObject({ note: { text } });
  });

  test.each([
    ['ran out', { status: 'EXPIRED' }],
    ['failed in passing', { status: 'ERROR', error_message: 'UNKNOWN' }],
  ])('of a container that %s starts a new container', async (_name, body) => {
    const threads = await start();
    const work = await threads.work('once');
    const ready = await walkTo(threads, work, 'committing');
    threads.faults.add({ when: isPublish, times: 1, fault: { kind: 'reset-before' } });
    const unknown = await walkTo(threads, work, 'unknown', ready);
    threads.faults.add({ when: isStatus, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    const walk = await walkThrough(threads, work, { from: unknown });
    expect([walk.state, (await threads.published()).length, (await threads.containers()).length]).toEqual([
      'posted',
      1,
      2,
    ]);
  });

  test('of a rejected container ends the post', async () => {
    const threads = await start();
    const work = await threads.work('once');
    const ready = await walkTo(threads, work, 'committing');
    threads.faults.add({ when: isPublish, times: 1, fault: { kind: 'reset-before' } });
    const body = { status: 'ERROR', error_message: 'INVALID_DURATION' };
    threads.faults.add({ when: isStatus, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    expect((await walkThrough(threads, work, { from: ready })).failure).toMatchObject({
      kind: 'rejected',
      what: 'video',
    });
  });

  test('of an unknown container stays unknown without a new one', async () => {
    const threads = await start();
    const work = await threads.work('once');
    const ready = await walkTo(threads, work, 'committing');
    threads.faults.add({ when: isPublish, times: 1, fault: { kind: 'reset-before' } });
    const unknown = await walkTo(threads, work, 'unknown', ready);
    const [container] = await threads.containers();
    await threads.store.remove('container', container?.id ?? '');
    const walk = await walkThrough(threads, work, { from: unknown, maxMoves: 20 });
    expect([walk.state, threads.requests.filter(isCreate).length]).toEqual(['unknown', 1]);
    // A worker that is certain requests verification again and sends nothing.
    const again = await walkTo(threads, work, 'unknown', { ...walk, state: 'waiting' });
    expect(again.notes.at(-1)).toContain('does not know the container');
    expect([again.checkpoint?.containerId, threads.requests.filter(isPublish).length]).toEqual([container?.id, 1]);
  });
});
