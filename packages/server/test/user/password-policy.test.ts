import { expect, test } from 'vitest';
import { assertPasswordAllowed, isPattern } from '../../src/users/password-policy.ts';

const EMAIL = 'somebody.else@example.org';
const judge = (password: string) => assertPasswordAllowed(password, EMAIL).then(() => 'allowed', String);

test.each([
  'correct horse battery',
  'twelve chars',
  'пароль из слов',
  '🦊🐝🐙🐬🦀🐌🦉🐢🐞🐧🦎🐳',
  ' leading and trailing ',
  'long enough 1',
  'Zb4VuQ0yXq2nH8sRk1Lp',
  Array.from({ length: 128 }, (_, at) => String.fromCodePoint(0x4e00 + 7 * at)).join(''),
])('the policy accepts %s', async (password) => {
  expect(await judge(password)).toBe('allowed');
});

test.each([
  ['', /12 to 128/],
  ['eleven char', /12 to 128/],
  ['🦊🐝🐙🐬🦀🐌', /12 to 128/],
  ['ab'.repeat(65), /12 to 128/],
  ['password1234', /too common/],
  ['Password1234', /too common/],
  ['1234567890qwerty', /too common/],
  ['sunshine2024!', /too common/],
  ['!!football!!!', /too common/],
  ['aaaaaaaaaaaa', /repetition/],
  ['letmeinletmein', /repetition/],
  ['123456789012', /sequence/],
  ['abcdefghijklm', /sequence/],
  ['098765432109', /sequence/],
  [EMAIL, /address/],
  ['somebody.else12', /address/],
  ['\ud800 lone surrogate', /well-formed/],
  ['with a \0 in it', /well-formed/],
])('the policy rejects "%s"', async (password, sentence) => {
  expect(await judge(password)).toMatch(sentence);
});

test('a password of 1 MiB is rejected quickly', async () => {
  const started = process.cpuUsage();
  for (const unit of ['a', ' ', '1', 'é', 'ab']) expect(await judge(unit.repeat(1024 * 1024))).toMatch(/12 to 128/);
  expect(process.cpuUsage(started).user).toBeLessThan(500_000);
});

test('repetitions and sequences count as patterns', () => {
  expect(['abcabcabcabc', 'zyxwvutsrqpo', '345678901234'].map(isPattern)).toEqual([true, true, true]);
  expect(['abcdeabcdeabd', 'acegikmoqsuw', '345678901235'].map(isPattern)).toEqual([false, false, false]);
});
