import { expect, test } from 'vitest';
import { assertUsable } from '../../src/accounts/connect/account-writer.ts';
import { assertTokenSize } from '../../src/accounts/tokens/token-size.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';

const long = 'x'.repeat(16 * 1024 + 1);

test.each([
  ['access token', { secret: { accessToken: long }, service: '' }],
  ['refresh token', { secret: { accessToken: 'a', refreshToken: long }, service: '' }],
  ['token of a page', { secret: { accessToken: 'a', pages: { 1: long } }, service: '' }],
  ['name', { secret: { accessToken: 'a', pages: { [long]: 'a' } }, service: '' }],
  ['server', { secret: { accessToken: 'a' }, service: `https://${long}.example` }],
  ['list of tokens', { secret: { pages: Array.from({ length: 1_000 }, () => 'x'.repeat(1_000)) }, service: '' }],
])('a long %s is refused', (_what, tokens) => {
  expect(() => assertTokenSize('Mastodon', tokens)).toThrow(PlatformError);
});

test('tokens of a thousand pages are accepted', () => {
  const pages = Object.fromEntries(Array.from({ length: 1_000 }, (_, page) => [String(page), 'x'.repeat(250)]));
  assertTokenSize('Facebook', { secret: { accessToken: 'x'.repeat(4_000), pages, person: null }, service: '' });
});

test('a new connection with a long token is refused', () => {
  const tokens = { secret: { accessToken: long }, scopes: [], expiresIn: null, refreshExpiresIn: null, service: '' };
  const { mastodon } = connectors;
  if (!mastodon) throw new Error('The connector is missing.');
  for (const kind of ['oauth', 'credentials'] as const)
    expect(() => assertUsable(mastodon, { kind, tokens })).toThrow(/too long to store/);
});
