import { expect, test } from 'vitest';
import { createPlatforms } from '../../src/accounts/apps/platforms.ts';
import { makeConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { endpointsWith, settingsFrom, variableOf } from '../../src/config/settings.ts';
import type { Connector } from '../../src/connectors/contract.ts';

test('settings are stored by platform and name', async () => {
  const env = await readEnvironment({
    BLUESKY_PLC_URL: 'https://plc.example/',
    LINKEDIN_API_VERSION: '202611',
    TELEGRAM_API_URL: 'http://127.0.0.1:8081/bots//',
    TELEGRAM_STORAGE_CHAT: '-1001234567890',
    X_BEARER_TOKEN: 'AAAAAAAAAAAAAAAAAAAAA%3Dxyz',
    X_READS_PER_DAY: '200',
  });
  expect(makeConfig(env).settings).toEqual({
    bluesky: { plcUrl: 'https://plc.example' },
    linkedin: { apiVersion: '202611' },
    telegram: { apiUrl: 'http://127.0.0.1:8081/bots', storageChat: '-1001234567890' },
    x: { bearerToken: 'AAAAAAAAAAAAAAAAAAAAA%3Dxyz', readsPerDay: '200' },
  });
  expect((await readEnvironment({ TELEGRAM_API_URL: '' })).settings).toEqual({});
});

test.each([
  ['BLUESKY_PLC_URL', 'plc.example'],
  ['LINKEDIN_API_VERSION', '202613'],
  ['TELEGRAM_API_URL', 'ftp://127.0.0.1:8081'],
  ['TELEGRAM_API_URL', 'https://ops:hunter2@bots.example'],
  ['TELEGRAM_API_URL', 'https://bots.example/?a=b'],
  ['TELEGRAM_STORAGE_CHAT', 'https://t.me/+AbCdEf'],
  ['X_BEARER_TOKEN', 'Bearer hunter2hunter2hunter2'],
  ['X_BEARER_TOKEN', 'hunter2'],
  ['X_BEARER_TOKEN', 'hunter2hunter2hunter2\r\nx: y'],
  ['X_READS_PER_DAY', '-1'],
  ['X_READS_PER_DAY', '1e3'],
])('an invalid %s prevents the start: "%s"', async (name, value) => {
  const refused = await readEnvironment({ [name]: value }).catch((error: Error) => error.message);
  expect(refused).toContain(name);
  expect(refused).not.toContain('hunter2');
});

test('variables and settings convert both ways', () => {
  const variables = { ONE_API_URL: 'a', ONE_STORAGE_CHAT: 'b', TWO_X: 'c' };
  const settings = settingsFrom({ ...variables, TWO_Y: undefined });
  const back = Object.entries(settings).flatMap(([platform, named]) =>
    Object.entries(named).map(([name, value]) => [variableOf(platform, name), value]),
  );
  expect(Object.fromEntries(back)).toEqual(variables);
});

test('a URL setting replaces only the endpoint of that name', () => {
  const own = { api: 'https://api.example', web: 'https://web.example' };
  const settings = { apiUrl: 'https://mine.example', plcUrl: 'https://plc.example', web: 'https://not.example' };
  expect(endpointsWith(own, settings)).toEqual({ ...own, api: 'https://mine.example' });
  expect(endpointsWith(own)).toEqual(own);
});

test("real accounts alone get their platform's settings", async () => {
  const endpoints = { api: 'https://api.example' };
  const connector = { id: 'toy', name: 'Toy', endpoints, oauth: null } as unknown as Connector;
  const outbound = { http: { request: () => Promise.reject(new Error('Not needed.')) } };
  const platforms = createPlatforms({
    connectors: { toy: connector, other: { ...connector, id: 'other' } },
    real: outbound,
    simulated: outbound,
    sandbox: { origin: () => 'http://127.0.0.1:1', endpoints: async (_: string, api: string) => ({ api }) },
    publicUrl: 'http://localhost:3000',
    settings: { toy: { apiUrl: 'https://mine.example', chat: 'here' } },
    now: Date.now,
  } as unknown as Parameters<typeof createPlatforms>[0]);
  const own = { apiUrl: 'https://mine.example', chat: 'here' };
  expect(await platforms.context('toy', false)).toMatchObject({
    endpoints: { api: 'https://mine.example' },
    settings: own,
  });
  expect(await platforms.endpoints('toy', false)).toEqual({ api: 'https://mine.example' });
  expect((await platforms.context('toy', true)).settings).toEqual({});
  expect(await platforms.endpoints('toy', true)).toEqual({ api: 'http://127.0.0.1:1/sandbox/toy' });
  expect(await platforms.context('other', false)).toMatchObject({ endpoints, settings: {} });
});
