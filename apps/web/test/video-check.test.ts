import { expect, test } from 'vitest';
import { frameTimes } from '../src/pages/compose/video/draw-frames.ts';
import { lastPosition } from '../src/pages/compose/video/positions.ts';
import { factsProblems, fileProblem, isFinal } from '../src/pages/compose/video/video-check.ts';

const file = (name: string, type: string, size = 1_000) => ({ name, type, size });
const facts = (width: number, height: number, seconds: number | null = 10) =>
  factsProblems({ width, height, seconds }, 'file');

test.each([
  ['a video', file('a.mp4', 'video/mp4')],
  ['a video of a type that the browser does not know', file('A.MKV', '')],
  ['a video without an extension', file('video', 'video/quicktime')],
  ['a video of exactly 500 MiB', file('a.mp4', 'video/mp4', 524_288_000)],
])('%s is accepted', (_name, each) => {
  expect(fileProblem(each)).toBeNull();
});

test.each([
  ['a picture', file('a.png', 'image/png'), 'wrongKind'],
  ['a file without a known type', file('notes', ''), 'wrongKind'],
  ['an empty video', file('a.mp4', 'video/mp4', 0), 'empty'],
  ['a video of more than 500 MiB', file('a.mp4', 'video/mp4', 524_288_001), 'tooLarge'],
])('%s is refused', (_name, each, problem) => {
  expect(fileProblem(each)).toBe(problem);
});

test.each([
  [1080, 1920, 3, []],
  [1080, 1920, 90.05, []],
  // One percent of tolerance, as in the service.
  [1090, 1920, 10, []],
  [1100, 1920, 10, ['notVertical']],
  [1920, 1080, 10, ['notVertical']],
  [1080, 1920, 2.94, ['tooShort']],
  [1080, 1920, 90.06, ['tooLong']],
  [1080, 1080, 91, ['tooLong', 'notVertical']],
  [1080, 1920, null, []],
])('%i × %i with %d seconds', (width, height, seconds, problems) => {
  expect(facts(width, height, seconds)).toEqual(problems);
});

test('the service checks files that the browser cannot read', () => {
  expect(factsProblems(null, 'file')).toEqual(['unreadable']);
  expect(factsProblems(null, 'stored')).toEqual(['notShown']);
  expect((['unreadable', 'notShown', 'notVertical'] as const).map(isFinal)).toEqual([false, false, false]);
});

test('frames are taken from the middles of equal parts', () => {
  expect(frameTimes(8, 4)).toEqual([1, 3, 5, 7]);
});

test('the last cover is before the end', () => {
  for (const seconds of [3, 6, 9.96, 89.99, 90.05]) {
    const last = lastPosition(seconds);
    expect(last).toBeLessThan(seconds);
    expect(last).toBeGreaterThan(seconds - 0.3);
  }
  expect(lastPosition(0.05)).toBe(0);
});
