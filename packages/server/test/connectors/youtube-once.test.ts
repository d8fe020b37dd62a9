import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';
import { isWholeUpload, type SimulatorOverrides } from '../harness/simulator.ts';
import { filmOf } from './films.ts';
import { BROKEN, DELAYED } from './odd-answers.ts';
import { move, type Walk, walkThrough, walkTo } from './walk.ts';
import { isPoll, isPut, isStart, isThumbnail, rangesOf, startYouTube, type YouTube } from './youtube-driver.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startYouTube({ processingMs: 5_000, ...overrides }),
);

/** Size of a file that is sent in one part and a last part, bytes. */
const TWO_PARTS = 600_000;
/** Smallest size that is sent in two parts and a last part, bytes. */
const LARGE = 33 * 262_144 + 1;
const outcome = async (youtube: YouTube, walk: Walk) => [walk.state, (await youtube.published()).length];
type Call = { method: string; path: string; nth: number };
const nthPut = (nth: number) => (call: Call) => isPut(call) && call.nth === nth;

describe(seeded('exactly once'), () => {
  const REQUESTS = [
    { name: 'opening', when: isStart, bytes: 200_000 },
    { name: 'only part', when: nthPut(1), bytes: 200_000 },
    { name: 'first part', when: nthPut(1), bytes: TWO_PARTS },
    { name: 'last part', when: nthPut(2), bytes: TWO_PARTS },
    { name: 'picture', when: isThumbnail, bytes: 200_000 },
    { name: 'poll', when: isPoll, bytes: 200_000 },
  ];
  const FAULTS: Record<string, Fault> = {
    ...BROKEN,
    ...DELAYED,
    'is redirected with 308': { kind: 'redirect', status: 308 },
    'is refused for the token': { kind: 'refusal', refusal: 'token-expired' },
    'is carried out and refused for the token': { kind: 'refusal', refusal: 'token-expired', acted: true },
  };
  const cases = REQUESTS.flatMap((request) =>
    Object.entries(FAULTS).map(([what, fault]) => ({ ...request, what, fault })),
  );

  test.each(drawn(cases, ONE_IN.tables, 'youtube'))(
    'posts once when the $name $what',
    async ({ when, bytes, fault }) => {
      const youtube = await start();
      const media = filmOf(bytes);
      const work = await youtube.work('once', { media });
      const strike = youtube.faults.add({ when, times: 1, fault });
      const walk = await walkThrough(youtube, work);
      expect(strike.hits()).toBe(1);
      expect(await outcome(youtube, walk)).toEqual(['posted', 1]);
      const [entry] = await youtube.published();
      expect(walk.published?.remoteId).toBe(entry?.id);
      expect(entry && (await isWholeUpload(youtube, entry, media))).toBe(true);
      expect(await youtube.videos()).toHaveLength(1);
    },
  );

  test.each(drawn([1, 2, 3, 4, 5, 6], ONE_IN.moves, 'moves'))(
    'posts once when the worker is killed after step %i',
    async (crashAt) => {
      const youtube = await start();
      const work = await youtube.work('once', { media: filmOf(TWO_PARTS) });
      const walk = await walkThrough(youtube, work, { crashAt });
      expect(await outcome(youtube, walk)).toEqual(['posted', 1]);
      expect(youtube.counted(isStart)).toBe(crashAt === 2 ? 2 : 1);
    },
  );

  test.each(['before', 'after'] as const)('posts once when the last part gets no response %s acting', async (at) => {
    const youtube = await start();
    const work = await youtube.work('once');
    youtube.faults.add({ when: nthPut(1), times: 1, fault: youtube.noResponse(at) });
    const walk = await walkThrough(youtube, work);
    expect(await outcome(youtube, walk)).toEqual(['posted', 1]);
    expect(youtube.counted(isStart)).toBe(1);
  });

  test.each([400, 401, 403, 404, 408, 410, 416, 429, 500])(
    'posts once when YouTube publishes but responds %i',
    async (status) => {
      const youtube = await start();
      const work = await youtube.work('once');
      youtube.faults.add({ when: nthPut(1), times: 1, fault: { kind: 'status', answer: { status }, acted: true } });
      const walk = await walkThrough(youtube, work);
      expect(await outcome(youtube, walk)).toEqual(['posted', 1]);
      expect([youtube.counted(isStart), youtube.counted(isPut)]).toEqual([1, 2]);
    },
  );

  test('queries the session after a lost response instead of resending', async () => {
    const youtube = await start();
    const work = await youtube.work('once', { media: filmOf(LARGE) });
    youtube.faults.add({ when: nthPut(1), times: 1, fault: { kind: 'reset-after' } });
    await walkThrough(youtube, work);
    expect(rangesOf(youtube)).toEqual([
      `bytes 0-8388607/${LARGE}`,
      `bytes */${LARGE}`,
      `bytes 8388608-8650751/${LARGE}`,
      `bytes 8650752-8650752/${LARGE}`,
    ]);
  });
});

describe('last part that takes effect late', () => {
  async function unanswered(youtube: YouTube) {
    const work = await youtube.work('once', { media: filmOf(TWO_PARTS) });
    const late = youtube.faults.add({ when: nthPut(2), times: 1, fault: { kind: 'late-execution' } });
    return { work, late, walk: await walkTo(youtube, work, 'unknown') };
  }

  test('is found by the second verification', async () => {
    const youtube = await start();
    const { work, late, walk } = await unanswered(youtube);
    const looked = await move(youtube, work, walk);
    expect(looked).toMatchObject({ state: 'unknown', notPostedSince: expect.any(Number) });
    await late.release();
    const end = await walkThrough(youtube, work, { from: looked });
    expect(await outcome(youtube, end)).toEqual(['posted', 1]);
    expect(youtube.counted(isStart)).toBe(1);
  });

  test.each([
    ['before we ask again', 'waiting'],
    ['before it is sent again', 'committing'],
  ] as const)('creates one video when it arrives %s', async (_name, state) => {
    const youtube = await start();
    const { work, late, walk } = await unanswered(youtube);
    const resumed = await walkTo(youtube, work, state, walk);
    expect(resumed.state).toBe(state);
    await late.release();
    const end = await walkThrough(youtube, work, { from: resumed });
    expect(await outcome(youtube, end)).toEqual(['posted', 1]);
    expect(youtube.counted(isStart)).toBe(1);
  });

  test('is resent to the same session if it never arrives', async () => {
    const youtube = await start();
    const { work, walk } = await unanswered(youtube);
    const end = await walkThrough(youtube, work, { from: walk });
    expect(await outcome(youtube, end)).toEqual(['posted', 1]);
    expect(youtube.counted(isStart)).toBe(1);
  });
});
