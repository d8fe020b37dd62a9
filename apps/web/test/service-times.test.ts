import { expect, test } from 'vitest';
import { withLocalTimes } from '../src/ui/service-times.ts';

const local = (text: string) => withLocalTimes(text, (ms) => `<${ms / 1_000}>`);

test('each time in a text of the service is written as the page does', () => {
  expect(local('Waiting until 1970-01-01T00:01:00.000Z, as the rule says. Then 1970-01-01T00:00:02Z.')).toBe(
    'Waiting until <60>, as the rule says. Then <2>.',
  );
});

test.each(['No time.', 'On 2026-11-23.', '2026-11-23T10:00:00+02:00', '2026-99-99T10:00:00Z', 'x2026-11-23T10:00:00Z'])(
  '%j stays',
  (text) => {
    expect(local(text)).toBe(text);
  },
);
