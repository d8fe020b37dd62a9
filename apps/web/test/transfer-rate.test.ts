import { expect, test } from 'vitest';
import { type Sample, secondsLeft, speedOf, withSample } from '../src/drafts/transfer-rate.ts';

const samplesOf = (samples: readonly Sample[]) => samples.reduce<Sample[]>(withSample, []);

test('the speed is that of the last ten seconds', () => {
  const samples = samplesOf([
    { at: 0, sent: 0 },
    { at: 1_000, sent: 9_000_000 },
    { at: 20_000, sent: 10_000_000 },
    { at: 25_000, sent: 11_000_000 },
  ]);
  expect(speedOf(samples)).toBe(200_000);
  expect(secondsLeft(samples, 12_000_000)).toBe(5);
});

test('earlier transfers do not count', () => {
  const samples = samplesOf([
    { at: 0, sent: 50_000_000 },
    { at: 2_000, sent: 51_000_000 },
  ]);
  expect(speedOf(samples)).toBe(500_000);
});

test('a transfer with rare progress has a speed', () => {
  const samples = samplesOf([
    { at: 0, sent: 0 },
    { at: 60_000, sent: 1_200_000 },
  ]);
  expect(speedOf(samples)).toBe(20_000);
});

test('the speed is unknown without progress', () => {
  expect(speedOf([])).toBeNull();
  expect(secondsLeft(samplesOf([{ at: 0, sent: 5 }]), 10)).toBeNull();
  expect(
    speedOf(
      samplesOf([
        { at: 0, sent: 5 },
        { at: 1, sent: 5 },
      ]),
    ),
  ).toBeNull();
});

test('progress that goes back begins again', () => {
  expect(
    samplesOf([
      { at: 0, sent: 5 },
      { at: 1, sent: 9 },
      { at: 2, sent: 3 },
    ]),
  ).toEqual([{ at: 2, sent: 3 }]);
});
