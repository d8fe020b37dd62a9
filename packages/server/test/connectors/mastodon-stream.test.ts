import { expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { postFromPhone } from '../../../sandbox/test/harness/phone.ts';
import type { Session } from '../../src/connectors/contract.ts';
import { stream } from '../../src/connectors/mastodon/stream.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { readStream } from '../../src/outbound/stream-client.ts';
import { startInstance } from './mastodon-driver.ts';
import { failureOf } from './walk.ts';

const start = closedAfterTest(startInstance);

/** Reads the user's stream in the background. */
async function reading(session: Session, url: string) {
  const address = await stream.open(session);
  if (!address) throw new Error('The server has no stream.');
  const over = new AbortController();
  const messages: { event: string; data: string }[] = [];
  const opened = Promise.withResolvers<void>();
  const end = readStream({
    ...address,
    guard: createAddressGuard([], [new URL(url).origin]),
    userAgent: 'Reelay',
    signal: over.signal,
    onOpen: () => opened.resolve(),
    onMessage: (message) => messages.push(message),
  });
  await Promise.race([opened.promise, end]);
  return { address, messages, end, stop: () => over.abort() };
}

test.each([
  ['a current server', {}],
  ['an older server', { oldServer: true }],
])('the stream of %s announces new and edited statuses', async (_case, switches) => {
  const drive = await start();
  await drive.set(switches);
  const { session } = await drive.work('');
  const { messages, end, stop } = await reading(session, drive.url);
  const { id } = await postFromPhone(drive, 'nora', { text: 'From my phone' });
  await drive.simulator.phone?.edit?.('nora', id, 'Edited');
  await drive.simulator.phone?.remove('nora', id);
  await expect.poll(() => messages.length).toBe(3);
  expect(messages.map(({ event }) => event)).toEqual(['update', 'status.update', 'delete']);
  expect(messages.map((message) => stream.announces(message, session))).toEqual([true, true, false]);
  stop();
  expect(await end).toEqual({ reason: 'cut', status: null });
});

test('the stream announces neither statuses of others nor texts', async () => {
  const video = { type: 'video' };
  const status = { account: { id: '1' }, content: 'about 115', mentions: [{ id: '115' }], media_attachments: [video] };
  const data = JSON.stringify(status);
  expect(stream.announces({ event: 'update', data }, { remoteId: '115' })).toBe(false);
  expect(stream.announces({ event: 'update', data }, { remoteId: '1' })).toBe(true);
  const text = JSON.stringify({ ...status, media_attachments: [] });
  expect(stream.announces({ event: 'update', data: text }, { remoteId: '1' })).toBe(false);
  expect(stream.announces({ event: 'notification', data }, { remoteId: '1' })).toBe(false);
});

test.each(['', 'null', '1', '"1"', '{', '[1]', '{"account":1}', '{"account":{"id":{}}}', '{"account":null,"x":1}'])(
  'garbage in an event announces nothing: %s',
  (data) => {
    expect(stream.announces({ event: 'update', data }, { remoteId: '1' })).toBe(false);
  },
);

test('a revoked token ends the stream with its status', async () => {
  const drive = await start();
  const { session } = await drive.work('');
  const { end } = await reading({ ...session, secret: { accessToken: 'revoked' } }, drive.url);
  expect(await end).toEqual({ reason: 'status', status: 401 });
});

test.each([
  ['none', ''],
  ['no URL', 'streaming'],
  ['another scheme', 'file:///etc'],
  ['no text', { a: 1 }],
])('a server that states %s has no stream', async (_case, streaming) => {
  const drive = await start();
  const { session } = await drive.work('');
  const http: Session['http'] = async () => {
    const body = { configuration: { urls: { streaming } } };
    const text = JSON.stringify(body);
    return { status: 200, headers: {}, text, json: () => body, tryJson: () => body };
  };
  expect(await stream.open({ ...session, http })).toBeNull();
});

test('a server that cannot be reached is a platform failure', async () => {
  const drive = await start();
  const { session } = await drive.work('');
  await drive.close();
  expect(await failureOf(stream.open(session))).toMatchObject({ kind: 'transient' });
});
