import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { isWholeUpload, type SimulatorOverrides } from '../harness/simulator.ts';
import { exactlyOnce } from '../suites/exactly-once.ts';
import { filmOf } from './films.ts';
import { type Walk, walkThrough, walkTo } from './walk.ts';
import { isPut, isStart, once, rangesOf, startYouTube, type YouTube } from './youtube-driver.ts';

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

exactlyOnce({
  ...once,
  platform: 'youtube',
  async begin({ bytes = 200_000 }: { bytes?: number } = {}) {
    const drive = await start();
    return { drive, work: await drive.work('once', { media: filmOf(bytes) }) };
  },
  sends: (youtube) => rangesOf(youtube).filter((range) => !range.startsWith('bytes */')).length,
  async inspect(youtube, { media }) {
    const [entry] = await youtube.published();
    expect(entry && (await isWholeUpload(youtube, entry, media))).toBe(true);
    expect(await youtube.videos()).toHaveLength(1);
  },
  inspectKilled: (youtube, crashAt) => expect(youtube.counted(isStart)).toBe(crashAt === 2 ? 2 : 1),
});

describe('YouTube send', () => {
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

  test('shows why YouTube refused the last part, and posts once', async () => {
    const youtube = await start();
    const work = await youtube.work('once');
    const error = { code: 403, message: 'The owner closed it.', errors: [{ reason: 'forbidden' }] };
    const fault = { kind: 'status', answer: { status: 403, body: { error } } } as const;
    youtube.faults.add({ when: nthPut(1), times: 1, fault });
    const walk = await walkThrough(youtube, work);
    expect(walk.notes.join('\n')).toContain('The owner closed it.');
    expect(await outcome(youtube, walk)).toEqual(['posted', 1]);
  });

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

  test('is resent to the same session if it never arrives', async () => {
    const youtube = await start();
    const { work, walk } = await unanswered(youtube);
    const end = await walkThrough(youtube, work, { from: walk });
    expect(await outcome(youtube, end)).toEqual(['posted', 1]);
    expect(youtube.counted(isStart)).toBe(1);
  });
});
