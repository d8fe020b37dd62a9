import { expect, test } from 'vitest';
import { storedFacts } from '../../src/accounts/profile/profile-service.ts';
import { storedScopes } from '../../src/accounts/tokens/scopes.ts';
import type { AccountFacts } from '../../src/connectors/contract.ts';
import { capabilities } from '../../src/connectors/snapchat/limits.ts';

const facts: AccountFacts = {
  remoteId: '1',
  username: 'nora',
  displayName: 'Nora',
  avatarUrl: '',
  capabilities,
};

test('account names are truncated to 200 characters', () => {
  const long = `Nora\u0000\n\u001b[2J ${'🎬'.repeat(450_000)}`;
  const { displayName, username } = storedFacts({ ...facts, displayName: long, username: long });
  expect(displayName).toMatch(/^Nora \[2J 🎬+$/u);
  expect(displayName.length).toBeLessThanOrEqual(200);
  expect(username).toBe(displayName);
});

test('account facts lose U+0000 and lone surrogates', () => {
  const extra = { 'a\0': ['b\0', { c: '\ud800' }] };
  expect(storedFacts({ ...facts, extra }).extra).toEqual({ a: ['b', { c: '\ufffd' }] });
});

test.each([
  { remoteId: '1'.repeat(501) },
  { remoteId: '1\u0000' },
  { service: `https://${'a'.repeat(600)}.example` },
  { extra: { text: 'a'.repeat(1_100_000) } },
  { extra: { text: 'ä'.repeat(2_100) }, service: 'https://m.example' },
])('an account that cannot be stored is rejected', (odd) => {
  expect(() => storedFacts({ ...facts, ...odd })).toThrow(/cannot be kept|more account data than can be stored/);
});

test('limits scopes in number and length', () => {
  const scopes = storedScopes(Array.from({ length: 5_000 }, () => 'x\0'.repeat(5_000)));
  expect(scopes.length).toBe(100);
  expect(scopes[0]).toBe('x'.repeat(200));
});
