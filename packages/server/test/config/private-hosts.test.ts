import { expect, test } from 'vitest';
import { makeConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';

const hosts = async (text: string) =>
  makeConfig(await readEnvironment({ ALLOWED_PRIVATE_HOSTS: text })).allowedPrivateHosts;

test.each([
  ['bot-api', ['bot-api']],
  [' Bot-API , 10.0.0.5:8081,, [fd00::1]:3000', ['bot-api', '10.0.0.5:8081', '[fd00::1]:3000']],
])('ALLOWED_PRIVATE_HOSTS accepts "%s"', async (text, wanted) => {
  expect(await hosts(text)).toEqual(wanted);
});

test.each(['http://bot-api:8081', 'bot-api/path', 'bot-api, https://mastodon.lan', 'user@bot-api', '*.lan', 'fd00::1'])(
  'ALLOWED_PRIVATE_HOSTS "%s" prevents the start',
  async (text) => {
    await expect(hosts(text)).rejects.toThrow(/^ALLOWED_PRIVATE_HOSTS takes host names/);
  },
);
