import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/x/index.ts';
import { exactlyOnce } from '../suites/exactly-once.ts';
import { filmOf } from './films.ts';
import { extended, walkThrough, walkTo } from './walk.ts';
import { isInitialize, isLook, isPost, isStatus, once, startX } from './x-driver.ts';

const start = closedAfterTest(startX);

exactlyOnce({
  ...once,
  platform: connector.id,
  async begin({ bytes = 200_000 }: { bytes?: number } = {}) {
    const drive = await start();
    return { drive, work: await drive.work('once', { media: filmOf(bytes) }) };
  },
  inspectKilled: (x, crashAt) => expect(x.requests.filter(isInitialize).length).toBe(crashAt === 1 ? 2 : 1),
});

describe('X send', () => {
  test.each(['listLagMs', 'finalizeOnce'] as const)('posts once after a kill at any step with %s', async (name) => {
    for (const crashAt of [1, 2, 3, 4, 5]) {
      const x = await start();
      await x.set(name === 'listLagMs' ? { listLagMs: 60_000 } : { finalizeOnce: true, olderGateway: true });
      const walk = await walkThrough(x, await x.work('once'), { crashAt });
      expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
    }
  });

  test('a duplicate error on the first send is verified', async () => {
    const x = await start();
    const work = await x.work('once');
    const response = { status: 403, body: { detail: 'You are not allowed to create a Tweet with duplicate content.' } };
    x.faults.add({ when: isPost, times: 1, fault: { kind: 'status', answer: response, acted: true } });
    const walk = await walkThrough(x, work);
    expect(walk.notes).toContain(
      'The platform responded with duplicate, which does not say whether the post was published. The platform says: You are not allowed to create a Tweet with duplicate content.',
    );
    expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
    expect(x.requests.filter(isPost)).toHaveLength(1);
  });

  test('a text considered a duplicate is never posted twice', async () => {
    const x = await start();
    await x.set({ strictDuplicates: true });
    const work = await x.work('good morning');
    expect((await walkThrough(x, work)).state).toBe('posted');
    x.clock.now += 60_000;
    const walk = await walkThrough(x, work);
    expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'duplicate' });
    expect(await x.published()).toHaveLength(1);
    expect(x.requests.filter(isPost)).toHaveLength(3);
  });

  test('retries for hours without an explanation, then fails', async () => {
    const x = await start();
    const work = await x.work('once');
    const began = x.clock.now;
    x.faults.add({ when: isPost, fault: { kind: 'refusal', refusal: 'server-error' } });
    x.faults.add({ when: isStatus, fault: { kind: 'status', answer: { status: 200, body: { data: { id: '1' } } } } });
    const walk = await walkThrough(x, work);
    expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'other' });
    expect(x.requests.filter(isPost).length).toBeGreaterThan(4);
    expect(x.clock.now - began).toBeGreaterThan(10 * 3_600_000);
  });

  test('an expired upload is replaced and still recognized', async () => {
    const x = await start();
    const work = await x.work('once');
    const late = x.faults.add({ when: isPost, times: 1, fault: { kind: 'late-execution' } });
    const ready = await walkTo(x, work, 'waiting', await walkTo(x, work, 'unknown'));
    x.clock.now += 24 * 3_600_000;
    const second = await walkTo(x, work, 'committing', extended(ready));
    expect(second.checkpoint?.offered).toHaveLength(2);
    x.faults.add({ when: isPost, times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkThrough(x, work, { from: second });
    expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
    await late.release();
    expect(await x.published()).toHaveLength(1);
  });

  test('a failed verification sends nothing until one succeeds', async () => {
    const x = await start();
    const work = await x.work('once');
    x.faults.add({ when: isPost, times: 1, fault: { kind: 'reset-after' } });
    x.faults.add({ when: isLook, times: 1, fault: { kind: 'garbage', acted: false } });
    x.faults.add({ when: isLook, times: 1, fault: { kind: 'status', answer: { status: 402, body: {} } } });
    x.faults.add({ when: isLook, times: 1, fault: { kind: 'status', answer: { status: 200, body: {} } } });
    const problem = { errors: [{ title: 'Not Found Error', type: 'https://api.x.com/2/problems/resource-not-found' }] };
    x.faults.add({ when: isLook, times: 1, fault: { kind: 'status', answer: { status: 200, body: problem } } });
    const walk = await walkThrough(x, work);
    expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
    expect(x.requests.filter(isPost)).toHaveLength(1);
    expect(x.requests.filter(isLook).length).toBeGreaterThan(4);
  });

  test('finds a post that X lists as a reply', async () => {
    const x = await start();
    await x.set({ mentionsAreReplies: true });
    const work = await x.work('@acme look at this');
    x.faults.add({ when: isPost, times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkThrough(x, work);
    expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
    expect(x.requests.filter(isPost)).toHaveLength(1);
  });
});
