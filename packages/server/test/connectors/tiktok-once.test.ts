import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/tiktok/index.ts';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import { exactlyOnce } from '../suites/exactly-once.ts';
import { filmOf } from './films.ts';
import {
  giveLength,
  isInit,
  isList,
  isPart,
  isStatus,
  once,
  rangesOf,
  startTikTok,
  type TikTok,
} from './tiktok-driver.ts';
import { fingerprintOf, type Walk, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startTikTok({ processingMs: 2_500, ...overrides }),
);

/** Creates work with the smallest file that needs two parts. */
const twoParts = (tiktok: TikTok, text = 'once') => tiktok.work(text, { media: filmOf(10_485_760) });
const count = (tiktok: TikTok, when: (call: { method: string; path: string }) => boolean) =>
  tiktok.requests.filter(when).length;
const outcome = async (tiktok: TikTok, walk: Walk) => [walk.state, (await tiktok.published()).length];

/** The second part; its last byte publishes the video. */
const isLast = (call: { method: string; path: string; nth: number }) => isPart(call) && call.nth === 2;

exactlyOnce({
  ...once,
  platform: connector.id,
  async begin({ bytes = 200_000 }: { bytes?: number } = {}) {
    const drive = await start();
    return { drive, work: await drive.work('once', { media: filmOf(bytes) }) };
  },
  completeList: giveLength,
  inspectKilled: (tiktok, crashAt) => expect(count(tiktok, isInit)).toBe(crashAt === 2 ? 2 : 1),
});

describe(seeded('TikTok send'), () => {
  const refusals = [
    [400, 'a refusal that proves nothing was taken'],
    [403, 'an address that has run out'],
    [404, 'an upload it does not know'],
    [416, 'bytes that it has already'],
    [429, 'a limit'],
  ] as const;
  test.each(drawn(refusals, ONE_IN.moves))('posts once when TikTok publishes but responds %i, %s', async (status) => {
    const tiktok = await start();
    const work = await twoParts(tiktok);
    const fault: Fault = { kind: 'status', answer: { status }, acted: true };
    tiktok.faults.add({ when: isLast, times: 1, fault });
    const walk = await walkThrough(tiktok, work);
    expect(await outcome(tiktok, walk)).toEqual(['posted', 1]);
    expect(count(tiktok, isInit)).toBe(1);
  });
});

describe('last part that takes effect late', () => {
  async function unanswered(tiktok: TikTok) {
    const work = await twoParts(tiktok);
    const late = tiktok.faults.add({ when: isLast, times: 1, fault: { kind: 'late-execution' } });
    return { work, late, walk: await walkTo(tiktok, work, 'unknown') };
  }

  test('is verified before a new upload after the URL expired', async () => {
    const tiktok = await start();
    const { work, late, walk } = await unanswered(tiktok);
    const resumed = await walkTo(tiktok, work, 'waiting', walk);
    expect(resumed.state).toBe('waiting');
    await late.release();
    tiktok.clock.now += 3_600_000;
    const end = await walkThrough(tiktok, work, { from: resumed });
    expect(await outcome(tiktok, end)).toEqual(['posted', 1]);
    expect(count(tiktok, isInit)).toBe(1);
  });

  test('a new upload waits an hour', async () => {
    const tiktok = await start();
    const work = await twoParts(tiktok);
    const half = await walkTo(tiktok, work, ({ notes }) => notes.at(-1)?.startsWith('Sent') === true);
    tiktok.clock.now += 58 * 60_000;
    const late = tiktok.faults.add({ when: isLast, times: 1, fault: { kind: 'late-execution' } });
    const unknown = await walkTo(tiktok, work, 'unknown', half);
    const sentAt = tiktok.clock.now;
    const waiting = await walkTo(
      tiktok,
      work,
      ({ notes }) => notes.at(-1)?.includes('can no longer take effect') === true,
      unknown,
    );
    expect([waiting.state, count(tiktok, isInit)]).toEqual(['waiting', 1]);
    // Received before the hour ended, executed after it.
    await tiktok.changeTask({ expiresAt: tiktok.clock.now + 60_000 });
    await late.release();
    await tiktok.changeTask({ expiresAt: 0 });
    const end = await walkThrough(tiktok, work, { from: waiting });
    expect(await outcome(tiktok, end)).toEqual(['posted', 1]);
    expect(count(tiktok, isInit)).toBe(1);
    expect(tiktok.clock.now - sentAt).toBeLessThan(60 * 60_000);
  });

  test('a lost last part is followed by a new upload', async () => {
    const tiktok = await start();
    const work = await twoParts(tiktok);
    const half = await walkTo(tiktok, work, ({ notes }) => notes.at(-1)?.startsWith('Sent') === true);
    tiktok.clock.now += 58 * 60_000;
    tiktok.faults.add({ when: isLast, times: 1, fault: { kind: 'reset-before' } });
    const unknown = await walkTo(tiktok, work, 'unknown', half);
    const sentAt = tiktok.clock.now;
    const again = await walkTo(tiktok, work, () => count(tiktok, isInit) === 2, unknown);
    expect(tiktok.clock.now - sentAt).toBeGreaterThanOrEqual(60 * 60_000);
    expect(await outcome(tiktok, await walkThrough(tiktok, work, { from: again }))).toEqual(['posted', 1]);
  });
});

describe('different upload offsets', () => {
  const status = (data: JsonObject): Fault => ({
    kind: 'status',
    answer: { status: 200, body: { data, error: { code: 'ok', message: '', log_id: '' } } },
  });
  const out = (headers?: Record<string, string>): Fault => ({ kind: 'status', answer: { status: 416, headers } });

  test('does not resend a part that TikTok already has', async () => {
    for (const fault of ['reset-after', 'pause'] as const) {
      const tiktok = await start();
      const work = await twoParts(tiktok);
      if (fault === 'reset-after') tiktok.faults.add({ when: isPart, times: 1, fault: { kind: 'reset-after' } });
      else
        tiktok.faults.add({ when: isPart, times: 1, fault: { kind: 'status', answer: { status: 416 }, acted: true } });
      const walk = await walkThrough(tiktok, work);
      expect(await outcome(tiktok, walk)).toEqual(['posted', 1]);
      const ranges = rangesOf(tiktok);
      expect(ranges.at(-1)).toBe('bytes 5242880-10485759/10485760');
      expect(ranges.slice(0, -1).every((range) => range.startsWith('bytes 0-5242879/'))).toBe(true);
      expect(count(tiktok, isInit)).toBe(1);
    }
  });

  test('resumes a partial chunk at its start, never at zero', async () => {
    const tiktok = await start();
    const work = await tiktok.work('three parts', { media: filmOf(25_000_000) });
    const half = await walkTo(
      tiktok,
      work,
      ({ notes }) => notes.filter((note) => note.startsWith('Sent')).length === 1,
    );
    tiktok.faults.add({ when: isPart, times: 1, fault: out() });
    tiktok.faults.add({
      when: isStatus,
      times: 1,
      fault: status({ status: 'PROCESSING_UPLOAD', uploaded_bytes: 17_000_000 }),
    });
    const walk = await walkTo(
      tiktok,
      work,
      ({ notes }) => notes.at(-1)?.includes('Continuing from there') === true,
      half,
    );
    expect(walk.checkpoint).toMatchObject({ sent: 16_666_666 });
    expect(await outcome(tiktok, await walkThrough(tiktok, work, { from: walk }))).toEqual(['posted', 1]);
    expect(count(tiktok, isInit)).toBe(1);
  });

  test('verifies a complete upload instead of starting a new one', async () => {
    const tiktok = await start();
    const work = await twoParts(tiktok);
    const half = await walkTo(tiktok, work, ({ notes }) => notes.length === 2);
    await walkThrough(tiktok, work, { from: half });
    // A worker that missed all of this continues with its first part.
    const end = await walkThrough(tiktok, work, { from: half });
    expect(await outcome(tiktok, end)).toEqual(['posted', 1]);
    expect(end.notes).toContain('TikTok already has the whole video. Verifying whether it was published.');
    // Neither the last part nor anything else is sent: verification is sufficient.
    expect([count(tiktok, isInit), count(tiktok, isPart)]).toEqual([1, 3]);
  });

  test('does not replace an upload that contradicts its status', async () => {
    const tiktok = await start();
    const work = await twoParts(tiktok);
    const half = await walkTo(tiktok, work, ({ notes }) => notes.length === 2);
    const [first] = await tiktok.tasks();
    const isFirst = (call: { method: string; path: string; url?: string }) =>
      isPart(call) && count(tiktok, isInit) === 1;
    tiktok.faults.add({ when: isFirst, fault: out({ 'content-range': 'bytes 0-10485760/10485760' }) });
    const before = tiktok.clock.now;
    const walk = await walkThrough(tiktok, work, { from: half, maxMoves: 300 });
    expect(await outcome(tiktok, walk)).toEqual(['failed', 0]);
    expect(walk.notes.at(-1)).toContain('does not show the post yet');
    expect(tiktok.clock.now - before).toBeGreaterThan(59 * 60_000);
    expect([first?.completedAt, count(tiktok, isInit)]).toEqual([null, 1]);
  });

  test.each([
    ['at zero', 200_000, 0],
    ['at zero of two parts', 10_485_760, 0],
    ['at the first of two parts', 10_485_760, 5_242_880],
  ])('a byte count that stays %s opens no second upload', async (_name, bytes, uploaded_bytes) => {
    const tiktok = await start();
    const work = await tiktok.work('lagging', { media: filmOf(bytes) });
    const parts = bytes > 10_000_000 ? 2 : 1;
    const isFinal = (call: { method: string; path: string; nth: number }) => isPart(call) && call.nth === parts;
    tiktok.faults.add({ when: isFinal, times: 1, fault: { kind: 'reset-after' } });
    tiktok.faults.add({ when: (call) => isPart(call) && call.nth > parts, fault: out() });
    tiktok.faults.add({ when: isStatus, fault: status({ status: 'PROCESSING_UPLOAD', uploaded_bytes }) });
    const unknown = await walkTo(tiktok, work, 'unknown');
    await giveLength(tiktok);
    tiktok.clock.now += 57 * 60_000;
    const walk = await walkThrough(tiktok, work, { from: unknown, maxMoves: 300 });
    expect([await outcome(tiktok, walk), count(tiktok, isInit)]).toEqual([['posted', 1], 1]);
  });

  test('retries a rejected part with increasing delays', async () => {
    const tiktok = await start();
    const work = await twoParts(tiktok);
    tiktok.faults.add({ when: isPart, times: 3, fault: out({ 'content-range': 'bytes 0-0/10485760' }) });
    const walk = await walkThrough(tiktok, work);
    expect(walk.notes.filter((note) => note.includes('rejected a part'))).toHaveLength(3);
    expect(await outcome(tiktok, walk)).toEqual(['posted', 1]);
  });

  test('follows changing offsets with increasing delays', async () => {
    const tiktok = await start();
    const work = await tiktok.work('three parts', { media: filmOf(25_000_000) });
    let turn = 0;
    const fault: Fault = {
      kind: 'status',
      get answer() {
        turn++;
        return { status: 416, headers: { 'content-range': `bytes 0-${turn % 2 ? 8_333_333 : 0}/25000000` } };
      },
    };
    tiktok.faults.add({ when: isPart, times: 8, fault });
    const before = tiktok.clock.now;
    const walk = await walkThrough(tiktok, work);
    expect(walk.notes.filter((note) => note.includes('Continuing from there'))).toHaveLength(8);
    expect(tiktok.clock.now - before).toBeGreaterThan(450_000);
    expect(await outcome(tiktok, walk)).toEqual(['posted', 1]);
  });

  test('resumes the same upload if the status omits the bytes', async () => {
    const tiktok = await start();
    const work = await twoParts(tiktok);
    tiktok.faults.add({ when: isLast, times: 1, fault: { kind: 'reset-after' } });
    tiktok.faults.add({ when: isStatus, times: 2, fault: status({ status: 'PROCESSING_UPLOAD' }) });
    const walk = await walkThrough(tiktok, work);
    expect(await outcome(tiktok, walk)).toEqual(['posted', 1]);
    expect(count(tiktok, isInit)).toBe(1);
  });

  test('stays unknown if the URL expired and bytes are missing', async () => {
    const tiktok = await start();
    const work = await twoParts(tiktok);
    tiktok.faults.add({ when: isLast, times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkTo(tiktok, work, 'unknown');
    tiktok.clock.now += 3_600_000;
    tiktok.faults.add({ when: isStatus, fault: status({ status: 'PROCESSING_UPLOAD' }) });
    const looked = await walkThrough(tiktok, work, { from: walk, maxMoves: 10 });
    expect(looked.state).toBe('unknown');
    expect(count(tiktok, isInit)).toBe(1);
    tiktok.faults.clear();
    expect(await outcome(tiktok, await walkThrough(tiktok, work, { from: looked }))).toEqual(['posted', 1]);
  });

  test.each([
    ['for the video', 'file_format_check_failed', ['failed', 0], 1],
    ['by a mistake of TikTok', 'internal', ['posted', 1], 2],
  ])('an upload that failed %s during transfer ends accordingly', async (_name, fail_reason, expected, inits) => {
    const tiktok = await start();
    const work = await twoParts(tiktok);
    tiktok.faults.add({ when: isPart, times: 1, fault: out() });
    tiktok.faults.add({ when: isStatus, times: 2, fault: status({ status: 'FAILED', fail_reason }) });
    const walk = await walkThrough(tiktok, work);
    expect(await outcome(tiktok, walk)).toEqual(expected);
    expect(count(tiktok, isInit)).toBe(inits);
  });
});

describe('verifying without an upload', () => {
  const forgotten: Fault = {
    kind: 'status',
    answer: { status: 400, body: { data: {}, error: { code: 'invalid_publish_id', message: '', log_id: '' } } },
  };

  test('reads several pages, and stays unknown beyond the limit', async () => {
    const tiktok = await start({ processingMs: 0 });
    const work = await tiktok.work('first');
    const since = tiktok.clock.now;
    await walkThrough(tiktok, work);
    await giveLength(tiktok);
    const [first] = await tiktok.store.list<{ postId: string; createdAt: number }>('video', { limit: 1 });
    const fill = async (videos: number) => {
      for (let index = 1; index <= videos; index++) {
        const postId = String(BigInt(first?.value.postId ?? 0) + BigInt(index));
        const createdAt = (first?.value.createdAt ?? 0) + index;
        await tiktok.store.put(
          'video',
          postId,
          { ...first?.value, postId, createdAt, title: 'x' },
          work.session.remoteId,
        );
      }
      tiktok.clock.now += videos;
    };
    await fill(45);
    expect((await connector.verify(work, null, fingerprintOf(work, since))).then).toBe('posted');
    expect(count(tiktok, isList)).toBe(3);
    await fill(120);
    expect(await connector.verify(work, null, fingerprintOf(work, since))).toMatchObject({
      then: 'stillUnknown',
      note: expect.objectContaining({ code: 'list_too_long' }),
    });
  });

  test('stays unknown for a post that is not listed', async () => {
    const tiktok = await start();
    const work = await tiktok.work('mine', { choices: { privacy: 'SELF_ONLY' } });
    expect((await connector.verify(work, null, fingerprintOf(work, tiktok.clock.now))).then).toBe('stillUnknown');
    expect(count(tiktok, isList)).toBe(0);
  });

  test('a forgotten publish id is searched in the list', async () => {
    const tiktok = await start();
    const work = await twoParts(tiktok);
    tiktok.faults.add({ when: isLast, times: 1, fault: { kind: 'reset-after' } });
    tiktok.faults.add({ when: isStatus, fault: forgotten });
    const unknown = await walkTo(tiktok, work, ({ notes }) => notes.at(-1)?.includes('does not show') === true);
    expect(unknown.state).toBe('unknown');
    await giveLength(tiktok);
    const walk = await walkThrough(tiktok, work, { from: unknown });
    expect(walk.published?.remoteId).toBe((await tiktok.published())[0]?.id);
    expect(count(tiktok, isInit)).toBe(1);
  });

  test('keeps confirming a forgotten publish id and stays complete', async () => {
    const tiktok = await start({ processingMs: 3_600_000 });
    const work = await twoParts(tiktok);
    const complete = await walkTo(tiktok, work, ({ completeSince }) => completeSince !== null);
    tiktok.faults.add({ when: isStatus, fault: forgotten });
    expect(await connector.confirm(work, complete.checkpoint ?? {})).toMatchObject({
      then: 'confirming',
      complete: true,
    });
    await giveLength(tiktok);
    const walk = await walkThrough(tiktok, work, { from: complete });
    expect(walk.published?.remoteId).toBe((await tiktok.published())[0]?.id);
  });

  test('starts no new upload while the first one is unknown', async () => {
    const tiktok = await start();
    const work = await twoParts(tiktok);
    tiktok.faults.add({ when: isLast, times: 1, fault: { kind: 'late-execution' } });
    const resumed = await walkTo(tiktok, work, 'waiting', await walkTo(tiktok, work, 'unknown'));
    tiktok.clock.now += 3_600_000;
    tiktok.faults.add({ when: isStatus, fault: forgotten });
    const walk = await walkThrough(tiktok, work, { from: resumed, maxMoves: 20 });
    expect(walk.state).toBe('unknown');
    expect(count(tiktok, isInit)).toBe(1);
  });
});
