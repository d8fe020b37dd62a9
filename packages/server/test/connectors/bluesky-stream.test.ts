import { expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { postFromPhone } from '../../../sandbox/test/harness/phone.ts';
import { stream } from '../../src/connectors/bluesky/stream.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { readStream } from '../../src/outbound/stream-client.ts';
import { type Bluesky, startBluesky } from './bluesky-driver.ts';

const start = closedAfterTest(startBluesky);
const context = { endpoints: {}, settings: {}, sandbox: false };

/** Reads the stream of these accounts in the background. */
async function reading({ url, context: { endpoints } }: Bluesky, dids: readonly string[], from: number | null = null) {
  const address = stream.open({ endpoints, settings: {}, sandbox: true }, from);
  if (!address) throw new Error('There is no stream.');
  const over = new AbortController();
  const announced: (string | null)[] = [];
  const opened = Promise.withResolvers<(text: string) => void>();
  const end = readStream({
    ...address,
    guard: createAddressGuard([], [new URL(url).origin]),
    userAgent: 'Reelay',
    signal: over.signal,
    onOpen(send) {
      send(stream.select(dids));
      opened.resolve(send);
    },
    onMessage: (message) => announced.push(stream.announces(message)),
  });
  return { announced, end, send: await opened.promise, stop: () => over.abort() };
}

test('new and edited posts of selected accounts are announced', async () => {
  const drive = await start();
  const other = await drive.simulator.enrol('kim.test');
  const { announced, send, stop, end } = await reading(drive, ['did:plc:unknown']);
  // Messages are handled in order, so the first announcement comes after this selection.
  send(stream.select([drive.did]));
  await expect
    .poll(async () => {
      if (announced.length === 0) await postFromPhone(drive, 'nora.test', { text: 'New' });
      return announced.length > 0;
    })
    .toBe(true);
  const before = announced.length;
  await postFromPhone(drive, 'kim.test');
  const { id } = await postFromPhone(drive, 'nora.test');
  await drive.simulator.phone?.edit?.('nora.test', id, 'Edited');
  await drive.simulator.phone?.remove('nora.test', id);
  await expect.poll(() => announced.slice(before)).toEqual([drive.did, drive.did, null]);
  expect(announced).not.toContain(other.remoteId);
  stop();
  expect(await end).toEqual({ reason: 'cut', status: null });
});

test('a cursor repeats what was missed', async () => {
  const drive = await start();
  await postFromPhone(drive, 'nora.test');
  drive.clock.now += 60_000;
  await postFromPhone(drive, 'nora.test');
  const { announced } = await reading(drive, [drive.did], drive.clock.now - 5_000);
  await expect.poll(() => announced).toEqual([drive.did]);
});

test('an invalid selection ends the stream', async () => {
  const { send, end } = await reading(await start(), []);
  send('{}');
  expect(await end).toEqual({ reason: 'ended', status: null });
});

test('a stream asks for posts only, after a selection', () => {
  const { searchParams, origin } = new URL(stream.open(context, 1_795_000_000_000)?.url ?? '');
  expect(origin).toBe('wss://jetstream2.us-east.bsky.network');
  expect(Object.fromEntries(searchParams)).toEqual({
    wantedCollections: 'app.bsky.feed.post',
    maxMessageSizeBytes: '500000',
    requireHello: 'true',
    cursor: '1795000000000000',
  });
  expect(stream.open(context, null)?.url).not.toContain('cursor');
});

test.each([
  ['the operator names another', { jetstreamUrl: 'wss://j.example/path' }, false, 'wss://j.example/path/subscribe'],
  ['the operator turns it off', { jetstreamUrl: 'off' }, false, undefined],
  ['the sandbox has none', {}, true, undefined],
])('the server is right when %s', (_case, settings, sandbox, url) => {
  expect(stream.open({ ...context, settings, sandbox }, null)?.url.split('?')[0]).toBe(url);
});

const commit = {
  operation: 'create',
  collection: 'app.bsky.feed.post',
  record: { embed: { $type: 'app.bsky.embed.video' } },
};
const event = { did: 'did:plc:u1', kind: 'commit', commit };

test.each([
  ['a video', event, 'did:plc:u1'],
  [
    'a video beside a quote',
    { ...event, commit: { ...commit, record: { embed: { $type: 'app.bsky.embed.recordWithMedia' } } } },
    'did:plc:u1',
  ],
  ['a text', { ...event, commit: { ...commit, record: {} } }, null],
  ['a like', { ...event, commit: { ...commit, collection: 'app.bsky.feed.like' } }, null],
  ['a deletion', { ...event, commit: { ...commit, operation: 'delete' } }, null],
  ['a change of the account', { ...event, kind: 'account' }, null],
  ['no account', { ...event, did: {} }, null],
  ['no commit', { did: 'did:plc:u1', kind: 'commit', commit: [null] }, null],
  ['a list', [event], null],
  ['null', null, null],
])('a message with %s announces the right account', (_case, message, did) => {
  expect(stream.announces({ event: '', data: JSON.stringify(message) })).toBe(did);
});

test.each(['', '{', 'undefined', '\u0000'])('garbage announces nothing: %j', (data) => {
  expect(stream.announces({ event: '', data })).toBeNull();
});
