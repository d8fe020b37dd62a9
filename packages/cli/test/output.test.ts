import { ReelayError } from '@reelay/server/errors/reelay-error.ts';
import { expect, test } from 'vitest';
import { describeFailure, safe, table } from '../src/output.ts';
import { showWaiting } from '../src/remote/progress.ts';

test('external text cannot control the terminal', () => {
  expect(safe('a\u001b[2J\u0007b\r\nc\u009bd\u2028e')).toBe('a [2J b c d e');
  const row = table(['X'], [['\u001b]0;title\u0007name']])[1];
  expect(row).toBe(']0;title name');
});

test('tables align columns next to wide characters', () => {
  expect(
    table(
      ['A', 'B'],
      [
        ['😀', '1'],
        ['xyz', ''],
      ],
    ),
  ).toEqual(['A    B', '😀    1', 'xyz']);
});

test('a failure is one line with limit and request id', () => {
  const limit = { name: 'rules', value: 1, used: 1, resetsAt: null };
  const reached = new ReelayError(
    'plan_limit_reached',
    { code: 'error.x', params: {}, text: 'No more rules.' },
    { extras: { limit } },
  );
  expect(describeFailure(reached)).toBe('No more rules. (rules: 1 of 1)');
  const failed = Object.assign(new Error('Something went wrong.'), { status: 500, requestId: 'r-1' });
  expect(describeFailure(failed)).toBe('Something went wrong. (request r-1)');
  const refused = Object.assign(new Error('Two\nlines.'), { status: 404, requestId: 'r-2' });
  expect(describeFailure(refused)).toBe('Two lines.');
  expect(describeFailure('text')).toBe('text');
});

test('the error for an unreachable database has its reason', () => {
  const cause = new Error('connect ECONNREFUSED 127.0.0.1:5432');
  const away = new ReelayError('database_unavailable', undefined, { cause });
  expect(describeFailure(away)).toBe('The database is not available. (connect ECONNREFUSED 127.0.0.1:5432)');
});

test('status lines are overwritten, removed and never wrap', () => {
  const written: string[] = [];
  const waiting = showWaiting({ write: (text: string) => written.push(text) > 0, columns: 10 });
  waiting.update(['PENDING a very long line', 'PENDING b']);
  waiting.update(['SUCCESS a', 'PENDING b']);
  waiting.stop();
  expect(written.join('')).toBe('PENDING a\nPENDING b\n\u001b[2A\u001b[JSUCCESS a\nPENDING b\n\u001b[2A\u001b[J');
});
