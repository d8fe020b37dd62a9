import { describe, expect, test } from 'vitest';
import { ANY_CODE, classify, type ErrorTable, retryAfterMs, rowsOf } from '../../src/connectors/kit/classify.ts';
import { rejected, setup, transient } from '../../src/connectors/kit/failures.ts';
import { answerOf } from './odd-answers.ts';

const TABLE: ErrorTable = [
  { code: ['spam', 'abuse'], failure: ({ said }) => rejected('policy', `Refused.${said}`) },
  ...rowsOf(setup, { no_app: 'No application.' }),
  { status: 403, message: /locked/i, failure: rejected('permission', 'Locked.') },
  { status: [400, 499], code: ANY_CODE, when: ({ code }) => code !== 'busy', failure: rejected('other', 'Refused.') },
  { failure: ({ status, code }) => transient(`Answered ${code || status}.`) },
];
const of = (status: number, code: string, message = '') =>
  classify(TABLE, { answer: answerOf(status, ''), code, message });

describe('error table', () => {
  test.each([
    [500, 'spam', '', { what: 'policy', detail: 'Refused.', platformCode: 'spam' }],
    [200, 'no_app', '', { kind: 'setup', detail: 'No application.' }],
    [403, '', 'Account is LOCKED', { what: 'permission' }],
    [404, '', 'Account is LOCKED', { kind: 'transient', detail: 'Answered 404.' }],
    [400, 'x', '', { what: 'other' }],
    [499, 'x', '', { what: 'other' }],
    [500, 'x', '', { kind: 'transient', detail: 'Answered x.' }],
    [400, 'busy', '', { kind: 'transient' }],
    [400, '', '', { kind: 'transient' }],
  ] as const)('%i "%s" "%s"', (status, code, message, expected) => {
    expect(of(status, code, message)).toMatchObject({ ...expected, status });
  });

  test('the first matching row applies', () => {
    expect(of(403, 'spam', 'locked')).toMatchObject({ what: 'policy' });
  });

  test('shows messages without URLs and tokens', () => {
    expect(of(400, 'spam', 'See https://x.example/?t=1').detail).toBe('Refused. It said: See …');
  });

  test('adds only what is known', () => {
    expect(classify(TABLE, { code: '', message: '' })).toEqual({ kind: 'transient', detail: 'Answered 0.' });
    expect(classify(TABLE, { code: 'spam', message: '', requestId: 'r1' })).toMatchObject({ requestId: 'r1' });
  });
});

test.each([
  ['7', 7_000],
  ['9999999', 86_400_000],
  ['0', 60_000],
  ['soon', 60_000],
])('Retry-After "%s"', (header, expected) => {
  expect(retryAfterMs(answerOf(429, '', { 'retry-after': header }), 60_000)).toBe(expected);
});
