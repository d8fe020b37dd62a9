import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/mastodon/index.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import { exactlyOnce } from '../suites/exactly-once.ts';
import { isPoll, isStatus, isUpload, once, startInstance } from './mastodon-driver.ts';
import { begun, extended, move, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startInstance({ processingMs: 2_500, ...overrides }),
);

exactlyOnce({
  ...once,
  platform: connector.id,
  async begin(switches = {}) {
    const drive = await start();
    await drive.set(switches);
    return { drive, work: await drive.work('once') };
  },
});

describe('Mastodon send', () => {
  test('posts once when the list lags: used media proves nothing', async () => {
    const instance = await start();
    await instance.set({ listLagMs: 1_200_000 });
    const work = await instance.work('once');
    instance.faults.add({ when: isStatus, times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkThrough(instance, work);
    expect([walk.state, (await instance.published()).length]).toEqual(['posted', 1]);
    expect(instance.requests.filter(isStatus)).toHaveLength(1);
  });

  test('posts once when the server deleted the unused media', async () => {
    const instance = await start();
    const work = await instance.work('once');
    const walk = await move(instance, work, begun(instance));
    instance.clock.now += 25 * 3_600_000;
    expect((await walkThrough(instance, work, { from: extended(walk) })).state).toBe('posted');
    expect(instance.requests.filter(isUpload)).toHaveLength(2);
    expect(await instance.published()).toHaveLength(1);
  });

  test.each([
    ['for the rate', 429, 'Too many requests'],
    ['for the processing', 422, 'Cannot attach files that have not finished processing. Try again in a moment!'],
  ])('posts once when the server posts but responds "retry" %s', async (_name, status, error) => {
    const instance = await start();
    const work = await instance.work('once');
    const fault: Fault = { kind: 'status', answer: { status, body: { error } }, acted: true };
    instance.faults.add({ when: isStatus, times: 1, fault });
    const walk = await walkThrough(instance, work);
    expect([walk.state, (await instance.published()).length]).toEqual(['posted', 1]);
    expect(instance.requests.filter(isUpload)).toHaveLength(1);
  });

  const gone: Fault = { kind: 'status', answer: { status: 404, body: { error: 'Record not found' } } };

  test('uploads again after a retryable error without media status', async () => {
    const instance = await start();
    await instance.set({ synchronousMedia: true });
    const work = await instance.work('once');
    instance.faults.add({ when: isPoll, fault: gone });
    instance.faults.add({ when: isStatus, times: 1, fault: { kind: 'refusal', refusal: 'rate-limited' } });
    const walk = await walkThrough(instance, work);
    expect([walk.state, (await instance.published()).length]).toEqual(['posted', 1]);
    expect([instance.requests.filter(isStatus).length, instance.requests.filter(isUpload).length]).toEqual([2, 2]);
  });

  test('does not resend when media of an unverified send disappears', async () => {
    const instance = await start();
    const work = await instance.work('once');
    const ready = await walkTo(instance, work, 'committing');
    instance.faults.add({ when: isStatus, times: 1, fault: { kind: 'reset-before' } });
    const resumed = await walkTo(instance, work, 'waiting', await walkTo(instance, work, 'unknown', ready));
    instance.faults.add({ when: isPoll, fault: gone });
    const walk = await walkThrough(instance, work, { from: resumed, maxMoves: 10 });
    expect([walk.state, instance.requests.filter(isStatus).length]).toEqual(['unknown', 1]);
    // A later rejection of the same media proves nothing about the earlier send.
    instance.faults.clear();
    instance.faults.add({ when: isStatus, times: 1, fault: { kind: 'refusal', refusal: 'rate-limited' } });
    const refused = await walkTo(instance, work, ({ sendKey }) => sendKey === 2, resumed);
    instance.faults.add({ when: isPoll, fault: gone });
    expect((await walkThrough(instance, work, { from: refused, maxMoves: 10 })).state).toBe('unknown');
    expect(instance.requests.filter(isUpload)).toHaveLength(1);
  });

  test('keeps the key until a send is proven void', async () => {
    const instance = await start();
    const work = await instance.work('once');
    const key = async (targetId: string, sendKey: number) =>
      (await connector.commit.request({ ...work, post: { ...work.post, targetId, sendKey } }, {})).headers[
        'Idempotency-Key'
      ];
    const keys = await Promise.all([key('a', 1), key('a', 2), key('b', 1)]);
    expect(new Set(keys).size).toBe(3);
    expect(await key('a', 1)).toBe(keys[0]);
  });
});
