import { describe, expect, test } from 'vitest';
import { ANY_CODE, classify, type ErrorTable, retryAfterMs, rowsOf } from '../../src/connectors/kit/classify.ts';
import { rejected, setup, transient } from '../../src/connectors/kit/failures.ts';
import { messagesOf } from '../../src/messages/message.ts';
import { responseOf } from './odd-responses.ts';

const say = messagesOf({
  rejected: 'Rejected.',
  no_app: 'No application.',
  locked: 'Locked.',
  responded: 'Responded {code}.',
});

const TABLE: ErrorTable = [
  { code: ['spam', 'abuse'], failure: rejected('policy', say('rejected')) },
  ...rowsOf(setup, { no_app: say('no_app') }),
  { status: 403, message: /locked/i, failure: rejected('permission', say('locked')) },
  {
    status: [400, 499],
    code: ANY_CODE,
    when: ({ code }) => code !== 'busy',
    failure: rejected('other', say('rejected')),
  },
  { failure: ({ status, code }) => transient(say('responded', { code: code || status })) },
];
const of = (status: number, code: string, message = '') =>
  classify(TABLE, { response: responseOf(status, ''), code, message });

describe('error table', () => {
  test.each([
    [500, 'spam', '', { what: 'policy', detail: say('rejected'), platformCode: 'spam' }],
    [200, 'no_app', '', { kind: 'setup', detail: say('no_app') }],
    [403, '', 'Account is LOCKED', { what: 'permission' }],
    [404, '', 'LOCKED', { kind: 'transient', detail: { text: 'Responded 404. The platform says: LOCKED' } }],
    [404, '', '', { kind: 'transient', detail: say('responded', { code: 404 }) }],
    [400, 'x', '', { what: 'other' }],
    [499, 'x', '', { what: 'other' }],
    [500, 'x', '', { kind: 'transient', detail: say('responded', { code: 'x' }) }],
    [400, 'busy', '', { kind: 'transient' }],
    [400, '', '', { kind: 'transient' }],
  ] as const)('%i "%s" "%s"', (status, code, message, expected) => {
    expect(of(status, code, message)).toMatchObject({ ...expected, status });
  });

  test('the first matching row applies', () => {
    expect(of(403, 'spam', 'locked')).toMatchObject({ what: 'policy' });
  });

  test('shows messages without URLs and tokens', () => {
    expect(of(400, 'spam', 'See https://x.example/?t=1').detail).toEqual({
      code: 'platform_says',
      params: { reason: say('rejected'), words: 'See …' },
      text: 'Rejected. The platform says: See …',
    });
  });

  test('adds only what is known', () => {
    expect(classify(TABLE, { code: '', message: '' })).toEqual({
      ...{ kind: 'transient', cause: 'server' },
      detail: say('responded', { code: 0 }),
    });
    expect(classify(TABLE, { code: 'spam', message: '', requestId: 'r1' })).toMatchObject({ requestId: 'r1' });
  });
});

test.each([
  ['7', 7_000],
  ['9999999', 86_400_000],
  ['0', 60_000],
  ['soon', 60_000],
])('Retry-After "%s"', (header, expected) => {
  expect(retryAfterMs(responseOf(429, '', { 'retry-after': header }), 60_000)).toBe(expected);
});
