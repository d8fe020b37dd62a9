import { expect, test } from 'vitest';
import { comparison } from '../../../../bench/kit/comparison.ts';
import { likeService, startCommand } from '../../../../bench/kit/service.ts';
import { figuresIn } from '../../../../bench/measures/own.ts';

test('benchmarks start the service like npm start', () => {
  const { args, env } = startCommand();
  expect(args).toEqual(['--expose-gc', '--max-semi-space-size=4', 'packages/server/dist/main.js']);
  expect(env).toEqual({ NODE_COMPILE_CACHE: 'node_modules/.cache/v8' });
  expect(likeService('other.ts').args).toEqual(['--expose-gc', '--max-semi-space-size=4', 'other.ts']);
});

test('a comparison shows ratios round by round', () => {
  const one = new Map([['start, s', [1, 2, 4]]]);
  const other = new Map([['start, s', [2, 2, 2]]]);
  const versions = new Map([
    ['one', one],
    ['other', other],
  ]);
  expect(comparison(versions).split('\n')).toEqual([
    '| measured | one | other | ratio |',
    '| --- | --- | --- | --- |',
    '| start, s | 2 (1 to 4) | 2 (2 to 2) | 1 (0.5 to 2) |',
  ]);
});

test('figures are read from the table of a benchmark', () => {
  const output = [
    '11:00:00 a line | of progress',
    '| measured           | figure                    | goal  | met |',
    '|--------------------|---------------------------|-------|-----|',
    '| CPU                | worker 44.15 s, Node24 3 s |      |     |',
    '| whole publishes    | 161                       | ≥ 200 | NO  |',
  ].join('\n');
  expect(figuresIn(output)).toEqual([
    ['CPU, number 1', 44.15],
    ['CPU, number 2', 3],
    ['whole publishes', 161],
  ]);
});
