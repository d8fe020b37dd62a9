import { expect, test } from 'vitest';
import type { Connector, WatchFlow } from '../../src/connectors/contract.ts';
import { type WatchedAccount, watchMode, watchStatus } from '../../src/reposts/watch-status.ts';

const list: WatchFlow['list'] = async () => ({ posts: [], next: '' });
const file: WatchFlow['file'] = async () => ({ found: 'gone' });
const charge = { setting: 'readsPerDay', defaultLimit: 100, usd: 0.0051 };

const account: WatchedAccount = {
  id: 'a',
  platform: 'z',
  status: 'CONNECTED',
  sandbox: false,
  watch: 'poll',
  checkedAt: null,
  nextCheckAt: null,
  problem: null,
};
const known = (watch: WatchFlow | undefined, settings = {}) => ({
  connector: { name: 'Z', federated: false, ...(watch ? { watch } : {}) } as Pick<
    Connector,
    'name' | 'watch' | 'federated'
  >,
  settings,
  downloads: false,
  reads: 7,
});

test.each([
  ['poll', { list, file }, 'files'],
  ['push', { list, file }, 'files'],
  ['poll', { list }, 'announce'],
  ['announce', { list, file }, 'announce'],
  ['own', { list, file }, 'own'],
  [null, { list, file }, 'own'],
  ['poll', undefined, 'own'],
] as const)('watch %j with %j is %s', (watch, flow, mode) => {
  expect(watchMode(watch, flow && { watch: flow, federated: false }, false)).toBe(mode);
});

test('a downloader fetches what the platform does not give', () => {
  expect(watchMode('announce', { watch: { list }, federated: false }, true)).toBe('files');
  expect(watchMode('announce', { watch: { list }, federated: true }, true)).toBe('announce');
  expect(watchMode('own', { watch: { list }, federated: false }, true)).toBe('own');
});

test('charged reads are shown with their limit and cost', () => {
  expect(watchStatus(account, known({ list, file, charge })).reads).toEqual({ today: 7, limit: 100, usdToday: 0.0357 });
  const settings = { readsPerDay: '0' };
  expect(watchStatus(account, known({ list, file, charge }, settings)).reads).toMatchObject({ limit: 0 });
});

test('free reads and sandbox reads are not shown', () => {
  expect(watchStatus(account, known({ list, file }))).not.toHaveProperty('reads');
  expect(watchStatus({ ...account, sandbox: true }, known({ list, file, charge }))).not.toHaveProperty('reads');
});

test('a disconnected, unwatched account has no problem', () => {
  expect(watchStatus({ ...account, status: 'EXPIRED', watch: 'own' }, known({ list }))).toMatchObject({
    problem: null,
    note: { code: 'watch_own_only' },
  });
});
