import { expect, test } from 'vitest';
import { passkeyAvailability, promptProblem } from '../src/queries/passkeys.ts';

test.each([
  ['localhost', 'localhost', true, 'ready'],
  ['localhost', 'localhost', false, 'unsupported'],
  ['localhost', '127.0.0.1', true, 'other-host'],
  ['reelay.example.org', 'www.reelay.example.org', true, 'other-host'],
  [null, '192.0.2.1', false, 'no-host'],
])('passkeys of %s at %s, support %s: %s', (passkeyHost, hostname, isSupported, expected) => {
  expect(passkeyAvailability({ passkeyHost, hostname, isSupported })).toBe(expected);
});

test.each([
  ['NotAllowedError', 'canceled'],
  ['AbortError', 'canceled'],
  ['InvalidStateError', 'known'],
  ['SecurityError', 'failed'],
  ['', 'failed'],
])('%s of the prompt means %s', (name, problem) => {
  expect(promptProblem(name)).toBe(problem);
});
