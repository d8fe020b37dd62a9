import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';
import { filmOf } from './films.ts';
import { BROKEN, DELAYED } from './odd-answers.ts';
import { begun, extended, move, walkThrough, walkTo } from './walk.ts';
import { isAppend, isFinalize, isInitialize, isLook, isPost, isStatus, startX } from './x-driver.ts';

const start = closedAfterTest(startX);

describe(seeded('exactly once'), () => {
  const REQUESTS = {
    initialize: isInitialize,
    append: isAppend,
    finalize: isFinalize,
    status: isStatus,
    post: isPost,
  };
  const FAULTS: Record<string, Fault> = {
    ...BROKEN,
    ...DELAYED,
    'is answered with a page and 403': { kind: 'garbage', acted: false, status: 403 },
    'is carried out and answered with 404': { kind: 'status', answer: { status: 404, body: '' }, acted: true },
    'is refused for the rate with a time': { kind: 'refusal', refusal: 'rate-limited-with-wait' },
    'is refused for its token': { kind: 'refusal', refusal: 'token-expired' },
  };
  const cases = Object.entries(REQUESTS).flatMap(([name, when]) =>
    Object.entries(FAULTS).map(([what, fault]) => ({ name, when, what, fault })),
  );

  test.each(drawn(cases, ONE_IN.tables, 'x'))('posts once when the $name $what', async ({ when, fault }) => {
    const x = await start();
    const work = await x.work('once');
    const strike = x.faults.add({ when, times: 1, fault });
    const walk = await walkThrough(x, work);
    expect(strike.hits()).toBe(1);
    expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
    expect(walk.published?.remoteId).toBe((await x.published())[0]?.id);
    expect(JSON.stringify(walk.notes)).not.toContain(String(work.session.secret.accessToken));
  });

  test.each(drawn([1, 2, 3, 4, 5], ONE_IN.moves, 'moves'))(
    'posts once when the worker is killed after step %i',
    async (crashAt) => {
      const x = await start();
      const walk = await walkThrough(x, await x.work('once', { media: filmOf(1_500_000) }), { crashAt });
      expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
      expect(x.requests.filter(isInitialize).length).toBe(crashAt === 1 ? 2 : 1);
    },
  );

  test.each(['listLagMs', 'finalizeOnce'] as const)('posts once after a kill at any step with %s', async (name) => {
    for (const crashAt of [1, 2, 3, 4, 5]) {
      const x = await start();
      await x.set(name === 'listLagMs' ? { listLagMs: 60_000 } : { finalizeOnce: true, olderGateway: true });
      const walk = await walkThrough(x, await x.work('once'), { crashAt });
      expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
    }
  });

  test('posts once when the response times out', async () => {
    const x = await start();
    const work = await x.work('once');
    x.faults.add({ when: isPost, times: 1, fault: x.noResponse('after') });
    const walk = await walkThrough(x, work);
    expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
    expect(x.requests.filter(isPost)).toHaveLength(1);
  });

  test('finds a post that takes effect between two verifications', async () => {
    const x = await start();
    const work = await x.work('once');
    const late = x.faults.add({ when: isPost, times: 1, fault: { kind: 'late-execution' } });
    const walk = await move(x, work, await walkTo(x, work, 'unknown'));
    expect(walk).toMatchObject({ state: 'unknown', notPostedSince: expect.any(Number) });
    await late.release();
    x.clock.now += 2_000;
    expect((await walkThrough(x, work, { from: walk })).state).toBe('posted');
    expect(x.requests.filter(isPost)).toHaveLength(1);
  });

  test('a late send makes the resend a duplicate', async () => {
    const x = await start();
    const work = await x.work('once');
    const late = x.faults.add({ when: isPost, times: 1, fault: { kind: 'late-execution' } });
    const again = await walkTo(
      x,
      work,
      'committing',
      await walkTo(x, work, 'waiting', await walkTo(x, work, 'unknown')),
    );
    expect(again.unproven).toBe(true);
    await late.release();
    const walk = await walkThrough(x, work, { from: again });
    expect(x.requests.filter(isPost).map(({ status }) => status)).toEqual([null, 403]);
    expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
    expect(walk.published?.remoteId).toBe((await x.published())[0]?.id);
  });

  test('a duplicate error on the first send is verified', async () => {
    const x = await start();
    const work = await x.work('once');
    const answer = { status: 403, body: { detail: 'You are not allowed to create a Tweet with duplicate content.' } };
    x.faults.add({ when: isPost, times: 1, fault: { kind: 'status', answer, acted: true } });
    const walk = await walkThrough(x, work);
    expect(walk.notes).toContain('The platform answered duplicate, which does not say whether it was posted.');
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

  test('does not match a manual post with the same text', async () => {
    const x = await start();
    const work = await x.work('once');
    const other = await walkThrough(x, work);
    x.faults.add({ when: isPost, times: 1, fault: { kind: 'reset-before' } });
    const walk = await walkThrough(x, work, { from: begun(x) });
    expect(walk.state).toBe('posted');
    expect(walk.published?.remoteId).not.toBe(other.published?.remoteId);
    expect(await x.published()).toHaveLength(2);
  });

  test('two posts with the same text are separate posts', async () => {
    const x = await start();
    const work = await x.work('twice');
    const walks = [await walkThrough(x, work), await walkThrough(x, { ...work, media: filmOf(300_000) })];
    expect(new Set(walks.map(({ published }) => published?.remoteId)).size).toBe(2);
  });
});
