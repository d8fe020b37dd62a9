import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/instagram/index.ts';
import { earliestPost } from '../../src/publishing/target.ts';
import { exactlyOnce } from '../suites/exactly-once.ts';
import { filmOf } from './films.ts';
import { lies } from './graph-responses.ts';
import { type Instagram, isCreate, isList, isPublish, isStatus, once, startInstagram } from './instagram-driver.ts';
import { begun, fingerprintOf, type Walk, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((given: Parameters<typeof startInstagram>[0] = {}) =>
  startInstagram({ processingMs: 2_500, ...given }),
);
const count = ({ requests }: Instagram, when: (call: { method: string; path: string }) => boolean) =>
  requests.filter(when).length;
const outcome = async (instagram: Instagram, walk: Walk) => [walk.state, (await instagram.published()).length];
const error = (code: number, subcode: number): Fault => ({
  kind: 'status',
  answer: { status: 400, body: { error: { message: 'No.', code, error_subcode: subcode } } },
});

exactlyOnce({
  ...once,
  platform: connector.id,
  lies: lies(connector.commit.responses),
  async begin(setting = {}) {
    const drive = await start(setting);
    return { drive, work: await drive.work('once') };
  },
  inspectKilled: (instagram) => expect(count(instagram, isPublish)).toBe(1),
});

describe('publish request that takes effect late', () => {
  async function unanswered(instagram: Instagram) {
    const work = await instagram.work('once');
    const late = instagram.faults.add({ when: isPublish, times: 1, fault: { kind: 'late-execution' } });
    return { work, late, walk: await walkTo(instagram, work, 'unknown') };
  }

  test('is "not posted" only after two verifications past 15 minutes', async () => {
    const instagram = await start();
    const { work, walk } = await unanswered(instagram);
    const firstNo = await walkTo(instagram, work, ({ notPostedSince }) => notPostedSince !== null, walk);
    expect((firstNo.notPostedSince ?? 0) - earliestPost(walk)).toBeGreaterThanOrEqual(15 * 60_000);
    const resumed = await walkTo(instagram, work, 'waiting', firstNo);
    expect(instagram.clock.now - (firstNo.notPostedSince ?? 0)).toBeGreaterThanOrEqual(120_000);
    expect(await outcome(instagram, await walkThrough(instagram, work, { from: resumed }))).toEqual(['posted', 1]);
    expect([count(instagram, isPublish), count(instagram, isCreate)]).toEqual([2, 1]);
  });

  test('is not considered failed while the container is processed', async () => {
    const instagram = await start();
    const { work, walk } = await unanswered(instagram);
    instagram.clock.now += 20 * 60_000;
    const body = { id: '1', status_code: 'IN_PROGRESS', status: 'In Progress' };
    instagram.faults.add({ when: isStatus, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    const look = fingerprintOf(work, earliestPost(walk));
    expect((await connector.verify(work, walk.checkpoint, look)).then).toBe('stillUnknown');
    const { offeredAt: _, ...unoffered } = walk.checkpoint ?? {};
    instagram.faults.add({ when: isStatus, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    expect((await connector.verify(work, unoffered, look)).then).toBe('notPosted');
  });

  test('is found although the container reports it ten minutes late', async () => {
    const instagram = await start();
    await instagram.set({ statusLagMs: 600_000 });
    const work = await instagram.work('once');
    instagram.faults.add({ when: isPublish, times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkThrough(instagram, work);
    expect(await outcome(instagram, walk)).toEqual(['posted', 1]);
    expect(count(instagram, isPublish)).toBe(1);
  });

  test('with unconfirmed signs of success is repeated', async () => {
    const instagram = await start();
    const { work, walk } = await unanswered(instagram);
    const resumed = await walkTo(instagram, work, 'waiting', walk);
    const body = { id: '1', status_code: 'PUBLISHED' };
    instagram.faults.add({ when: isStatus, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    const doubting = await walkTo(instagram, work, 'unknown', resumed);
    expect([doubting.state, count(instagram, isPublish)]).toEqual(['unknown', 1]);
    expect(await outcome(instagram, await walkThrough(instagram, work, { from: doubting }))).toEqual(['posted', 1]);
    expect([count(instagram, isPublish), count(instagram, isCreate)]).toEqual([2, 1]);
  });
});

describe('missing container', () => {
  const unknownOf = async (instagram: Instagram, fault: Fault) => {
    const work = await instagram.work('once');
    instagram.faults.add({ when: isPublish, times: 1, fault });
    return { work, walk: await walkTo(instagram, work, 'unknown') };
  };

  test('proves nothing, but the reel in the list does', async () => {
    const instagram = await start();
    const { work, walk } = await unknownOf(instagram, { kind: 'reset-after' });
    instagram.faults.add({ when: isStatus, fault: error(100, 33) });
    const end = await walkThrough(instagram, work, { from: walk });
    expect(await outcome(instagram, end)).toEqual(['posted', 1]);
    expect(end.published?.remoteId).toBe((await instagram.published())[0]?.id);
  });

  test('without a listed reel stays unknown, nothing is resent', async () => {
    const instagram = await start();
    const { work, walk } = await unknownOf(instagram, { kind: 'reset-before' });
    instagram.faults.add({ when: isStatus, fault: error(100, 33) });
    const end = await walkThrough(instagram, work, { from: walk, maxMoves: 10 });
    expect(await outcome(instagram, end)).toEqual(['unknown', 0]);
    expect([count(instagram, isPublish), count(instagram, isCreate)]).toEqual([1, 1]);
  });

  test('after a publish request is verified, not replaced', async () => {
    const instagram = await start();
    const { work, walk } = await unknownOf(instagram, { kind: 'late-execution' });
    const resumed = await walkTo(instagram, work, 'waiting', walk);
    instagram.faults.add({ when: isStatus, fault: error(24, 2207006) });
    const end = await walkThrough(instagram, work, { from: resumed, maxMoves: 10 });
    expect(end.state).toBe('unknown');
    expect([count(instagram, isPublish), count(instagram, isCreate)]).toEqual([1, 1]);
  });

  test.each(['failed', 'expired'])('that has %s without being published is replaced', async (how) => {
    const instagram = await start();
    const { work, walk } = await unknownOf(instagram, { kind: 'reset-before' });
    await instagram.changeContainer(how === 'failed' ? { failCode: '2207053' } : { createdAt: 0 });
    const end = await walkThrough(instagram, work, { from: walk });
    expect(await outcome(instagram, end)).toEqual(['posted', 1]);
    expect(count(instagram, isCreate)).toBe(2);
  });
});

describe('reel without a known id', () => {
  test('is found in a lagging list', async () => {
    const instagram = await start();
    await instagram.set({ listLagMs: 300_000 });
    const work = await instagram.work('once');
    instagram.faults.add({ when: isPublish, times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkThrough(instagram, work);
    expect(walk.published?.remoteId).toBe((await instagram.published())[0]?.id);
    expect(walk.notes.join(' ')).not.toContain('has not published');
  });

  test('counts as complete, so it ends as posted without URL', async () => {
    const instagram = await start();
    await instagram.set({ listLagMs: 86_400_000 });
    const work = await instagram.work('once');
    instagram.faults.add({ when: isPublish, times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkTo(instagram, work, ({ completeSince }) => completeSince !== null);
    instagram.faults.add({ when: isList, fault: { kind: 'refusal', refusal: 'token-revoked' } });
    expect(await connector.confirm(work, walk.checkpoint ?? {})).toMatchObject({ then: 'confirming', complete: true });
  });

  test('is reported as one of several with its text', async () => {
    const instagram = await start();
    const works = [await instagram.work('once'), await instagram.work('once')] as const;
    instagram.faults.add({ when: isPublish, times: 2, fault: { kind: 'reset-after' } });
    const sent = [await walkTo(instagram, works[0], 'unknown'), await walkTo(instagram, works[1], 'unknown')];
    const text =
      'Instagram published the post. It shows several posts that may be this one, so the link is not known yet.';
    for (const [index, work] of works.entries())
      expect(await connector.confirm(work, sent[index]?.checkpoint ?? {})).toMatchObject({ note: { text } });
  });

  test('is searched on several pages without following their URLs', async () => {
    const instagram = await start();
    const work = await instagram.work('the first');
    const since = instagram.clock.now;
    await walkThrough(instagram, work);
    const [first] = await instagram.store.list<{ createdAt: number }>('media', { limit: 1 });
    for (let index = 1; index <= 40; index++)
      await instagram.store.put(
        'media',
        `18900000000000${100 + index}`,
        { ...first?.value, id: `x${index}`, caption: 'x', createdAt: (first?.value.createdAt ?? 0) + index },
        work.session.remoteId,
      );
    instagram.clock.now += 60_000;
    expect((await connector.verify(work, null, fingerprintOf(work, since))).then).toBe('confirming');
    expect(count(instagram, isList)).toBe(2);
    const asked = instagram.asked.filter(({ url }) => url.includes('/media?'));
    expect(asked.map(({ url }) => new URL(url).searchParams.get('limit'))).toEqual(['25', '25']);
  });
});

test('a large file is streamed once', async () => {
  const instagram = await start({ login: 'facebook' });
  const media = filmOf(20_000_000);
  const work = await instagram.work('large', { media });
  const walk = await walkThrough(instagram, work, { from: begun(instagram) });
  expect(await outcome(instagram, walk)).toEqual(['posted', 1]);
  expect(media.handed()).toBe(20_000_000);
});
