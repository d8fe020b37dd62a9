import { expect, test } from 'vitest';
import { comparePlatformClocks } from '../../src/operator/doctor/platform-clock.ts';
import type { HttpClient } from '../../src/outbound/http-client.ts';

const NOW = Date.UTC(2026, 10, 26, 12);

/** Findings after responses whose clocks differ by this, in seconds; null: without a Date header. */
async function findingsFor(...differences: (number | null)[]) {
  const left = [...differences];
  const http: HttpClient = async () => {
    const seconds = left.shift() ?? null;
    const headers: Record<string, string> =
      seconds === null ? {} : { date: new Date(NOW + seconds * 1_000).toUTCString() };
    return { status: 200, headers, text: '', json: () => null, tryJson: () => null };
  };
  const clock = comparePlatformClocks(http, () => NOW);
  for (const _ of differences) await clock.http({ method: 'GET', url: 'https://platform.example' });
  return clock.findings().map(({ verdict, message }) => `${verdict}: ${message.text}`);
}

test.each([[3_600], [-3_600, -3_600, null]])('a clock that all platforms contradict fails: %j', async (...seconds) => {
  expect(await findingsFor(...seconds)).toEqual([
    expect.stringMatching(
      /^fail: The clock of this machine differs from the clocks of the platforms by 3,?(600|599) s\. Synchronize/,
    ),
  ]);
});

test.each([[], [null], [0], [-1], [30], [0, -86_400]])(
  'a clock that one platform confirms passes: %j',
  async (...seconds) => {
    expect(await findingsFor(...seconds)).toEqual([]);
  },
);
