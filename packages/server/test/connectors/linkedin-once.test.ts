import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/linkedin/index.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import { exactlyOnce, neverResent } from '../suites/exactly-once.ts';
import { filmOf } from './films.ts';
import { count, isList, isPost, type LinkedIn, once, startLinkedIn } from './linkedin-driver.ts';
import { move, type Walk, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startLinkedIn({ processingMs: 2_500, ...overrides }),
);
const outcome = async (linkedin: LinkedIn, walk: Walk) => [walk.state, (await linkedin.published()).length];
const DAY_MS = 86_400_000;

exactlyOnce({
  ...once,
  platform: connector.id,
  async begin({ bytes = 200_000 }: { bytes?: number } = {}) {
    const drive = await start();
    return { drive, work: await drive.workAs('organization', 'once', { media: filmOf(bytes) }) };
  },
});

describe('LinkedIn page post', () => {
  test('posts once with a lagging list or a late execution', async () => {
    const linkedin = await start();
    await linkedin.set({ listLagMs: 60_000 });
    const work = await linkedin.workAs('organization', 'late');
    const late = linkedin.faults.add({ when: isPost, times: 1, fault: { kind: 'late-execution' } });
    const unknown = await walkTo(linkedin, work, 'unknown');
    const looked = await move(linkedin, work, { ...unknown, notPostedSince: null });
    linkedin.clock.now = (unknown.unknownSince ?? 0) + 300_000;
    await late.release();
    linkedin.clock.now = (unknown.unknownSince ?? 0) + 900_000;
    const walk = await walkThrough(linkedin, work, { from: looked });
    expect(await outcome(linkedin, walk)).toEqual(['posted', 1]);
    expect(count(linkedin, isPost)).toBe(1);
  });

  test.each([401, 429])('posts once when LinkedIn posts but responds %i', async (status) => {
    const linkedin = await start();
    const work = await linkedin.workAs('organization', 'a lie');
    const body = { status, code: status === 401 ? 'EXPIRED_ACCESS_TOKEN' : 'TOO_MANY_REQUESTS', message: '' };
    linkedin.faults.add({ when: isPost, times: 1, fault: { kind: 'status', answer: { status, body }, acted: true } });
    const walk = await walkThrough(linkedin, work);
    expect(await outcome(linkedin, walk)).toEqual(['posted', 1]);
    expect(walk.published?.remoteId).toBe((await linkedin.published())[0]?.id);
    expect(count(linkedin, isPost)).toBe(1);
  });

  test('verifies and continues when the page shows the post briefly', async () => {
    const linkedin = await start();
    const work = await linkedin.workAs('organization', 'flickers');
    const ready = await walkTo(linkedin, work, 'committing');
    linkedin.faults.add({ when: isPost, times: 1, fault: { kind: 'refusal', refusal: 'rate-limited' } });
    const element = {
      id: 'urn:li:ugcPost:7300000',
      content: { media: { id: String(ready.checkpoint?.video) } },
      createdAt: linkedin.clock.now,
    };
    const body = { elements: [element], paging: { links: [] } };
    linkedin.faults.add({ when: isList, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    const walk = await walkThrough(linkedin, work, { from: ready });
    expect(walk.notes).toContain('LinkedIn shows a post that may be this one.');
    expect(await outcome(linkedin, walk)).toEqual(['posted', 1]);
    expect(count(linkedin, isPost)).toBe(2);
  });

  test.each([
    [422, { status: 422, message: 'Content is a duplicate of urn:li:share:7300000000000000000' }],
    [409, { status: 409, code: 'CONFLICT', message: 'Conflict' }],
    [400, { message: 'Not in the format of the API' }],
  ])('posts once when LinkedIn posts and responds %i %j', async (status, body) => {
    const linkedin = await start();
    const work = await linkedin.workAs('organization', 'said otherwise');
    const fault: Fault = { kind: 'status', answer: { status, body }, acted: true };
    linkedin.faults.add({ when: isPost, times: 1, fault });
    expect(await outcome(linkedin, await walkThrough(linkedin, work))).toEqual(['posted', 1]);
  });

  test('fails after 8 sends rejected as duplicates of missing posts', async () => {
    const linkedin = await start();
    const work = await linkedin.workAs('organization', 'duplicate');
    const body = { status: 422, message: 'Content is a duplicate of urn:li:share:7300000000000000000' };
    linkedin.faults.add({ when: isPost, fault: { kind: 'status', answer: { status: 422, body } } });
    const began = linkedin.clock.now;
    const walk = await walkTo(linkedin, work, () => false);
    expect(await outcome(linkedin, walk)).toEqual(['failed', 0]);
    expect(linkedin.clock.now - began).toBeGreaterThan(12 * 3_600_000);
    expect(linkedin.clock.now - began).toBeLessThan(20 * 3_600_000);
    expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'other' });
    expect(count(linkedin, isPost)).toBe(8);
  });

  test('proves nothing from a list that cannot be read', async () => {
    const linkedin = await start();
    const work = await linkedin.workAs('organization', 'unread');
    linkedin.faults.add({ when: isPost, times: 1, fault: { kind: 'reset-after' } });
    const list = linkedin.faults.add({ when: isList, fault: { kind: 'status', answer: { status: 200, body: {} } } });
    const walk = await walkThrough(linkedin, work, { maxMoves: 20 });
    expect(walk.state).toBe('unknown');
    list.remove();
    expect(await outcome(linkedin, await walkThrough(linkedin, work, { from: walk }))).toEqual(['posted', 1]);
  });

  test('finds the post among many others in either order', async () => {
    for (const upwards of [false, true]) {
      const linkedin = await start();
      const work = await linkedin.workAs('organization', 'among others');
      const ready = await walkTo(linkedin, work, 'committing');
      const { video } = ready.checkpoint ?? {};
      const posts = Array.from({ length: 120 }, (_, index) => ({
        id: `urn:li:ugcPost:${7_300_000 + index}`,
        content: { media: { id: index === 70 ? video : `urn:li:video:other${index}` } },
        createdAt: linkedin.clock.now + (upwards ? index - 69 : 69 - index) * 1_000,
      }));
      linkedin.faults.add({ when: isPost, times: 1, fault: { kind: 'reset-before' } });
      let asked = 0;
      const fault: Fault = {
        kind: 'status',
        get answer() {
          const start = asked++ * 50;
          return { status: 200, body: { elements: posts.slice(start, start + 50), paging: { links: [] } } as never };
        },
      };
      linkedin.faults.add({ when: isList, fault });
      const walk = await walkTo(linkedin, work, 'posted', { ...ready, state: 'unknown', unproven: true });
      expect(walk.published?.remoteId).toBe('7300070');
    }
  });

  test('matches by text and video without a checkpoint', async () => {
    const linkedin = await start();
    const work = await linkedin.workAs('organization', 'Sunset (run) #sea');
    const committedAt = linkedin.clock.now;
    const look = (text: string) => connector.verify(work, null, { text, durationMs: 31_000, committedAt });
    expect(await look(work.post.text)).toMatchObject({ then: 'notPosted', checkpoint: null });
    const walk = await walkThrough(linkedin, work);
    expect(await look(work.post.text)).toMatchObject({
      then: 'posted',
      published: { remoteId: walk.published?.remoteId, publishedAt: expect.any(Number) },
    });
    expect(await look('other words')).toMatchObject({ then: 'notPosted' });
    await walkThrough(linkedin, work);
    expect(await look(work.post.text)).toMatchObject({ then: 'stillUnknown' });
  });

  test.each([
    ['x-linkedin-id', 'posted'],
    ['none', 'posted'],
  ] as const)('finds the post when its id comes in %s', async (idHeader, state) => {
    const linkedin = await start();
    await linkedin.set({ idHeader, listLagMs: 60_000 });
    const walk = await walkThrough(linkedin, await linkedin.workAs('organization', 'where'));
    expect(await outcome(linkedin, walk)).toEqual([state, 1]);
    expect(walk.published?.remoteId).toBe((await linkedin.published())[0]?.id);
    expect(count(linkedin, isPost)).toBe(1);
  });
});

describe('LinkedIn member post', () => {
  neverResent({
    ...once,
    note: 'LinkedIn offers no way to verify whether the post was published.',
    async begin() {
      const drive = await start();
      return { drive, work: await drive.workAs('member', 'once') };
    },
  });

  test('is not verified again', async () => {
    const linkedin = await start();
    const work = await linkedin.workAs('member', 'once');
    const result = await connector.verify(work, null, { text: 'once', durationMs: 31_000, committedAt: 0 });
    expect(result.then === 'stillUnknown' && (result.afterMs ?? 0) > DAY_MS).toBe(true);
  });

  test('is not resent after a duplicate error', async () => {
    const linkedin = await start();
    await linkedin.set({ duplicates: true });
    const work = await linkedin.workAs('member', 'twice');
    await walkThrough(linkedin, work);
    const walk = await walkThrough(linkedin, work, { maxMoves: 20 });
    expect([walk.state, walk.code, count(linkedin, isPost)]).toEqual(['failed', 'outcome_unknown', 2]);
    expect((await linkedin.published()).length).toBe(1);
  });

  test('is posted without an id, which the result mentions', async () => {
    const linkedin = await start();
    await linkedin.set({ idHeader: 'none' });
    const walk = await walkThrough(linkedin, await linkedin.workAs('member', 'where'));
    expect(walk).toMatchObject({
      state: 'posted',
      published: { remoteId: null, url: null, detail: expect.any(String) },
    });
  });
});
