import type { Video } from '@reelay/sandbox/platforms/facebook/records.ts';
import { expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { FILM, phoneOf } from '../../../sandbox/test/harness/graph-phone.ts';
import { connector } from '../../src/connectors/facebook/index.ts';
import { describeWatch } from '../suites/watch.ts';
import { type Facebook, isList, isStatus, startFacebook } from './facebook-driver.ts';
import { answering, watches, watching } from './graph-watching.ts';

const start = closedAfterTest(startFacebook);

watches<Facebook>({
  connector,
  start,
  session: async (drive) => drive.open(await drive.connect()),
  flag: ({ store }, id) => store.change<Video>('video', id, (known) => known && { ...known, flagged: true }),
  setFileLife: (drive, fileLifeMs) => drive.set({ fileLifeMs }),
  isList,
  isNode: isStatus,
  facts: { durationMs: 12_000 },
});

describeWatch({
  platform: 'facebook',
  username: 'nora.cuts',
  pageSize: 50,
  longText: '字'.repeat(10_000),
  isList,
  // With another Page token.
  recovers: ['token expired', 'token expired, but acted'],
  async start() {
    const drive = await start();
    return { drive, work: await drive.work('made with Reelay') };
  },
});

async function begin() {
  const drive = await start();
  const tokens = await drive.connect();
  const session = await drive.open(tokens);
  return { drive, session, tokens, phone: phoneOf(drive, 'nora.cuts'), ...watching(connector, drive, session) };
}

test('a reel for a limited audience is not public', async () => {
  const { phone, posts } = await begin();
  const { id } = await phone.post('x', { audience: 'limited' });
  expect(await posts()).toMatchObject([{ remoteId: id, isPublic: false }]);
});

test('a reel that is not published yet is not listed', async () => {
  const { drive, list } = await begin();
  const data = [{ id: '900000000000001', description: 'soon', published: false }];
  drive.faults.add({ when: isList, times: 1, fault: answering(200, { data }) });
  expect((await list()).posts).toEqual([]);
});

test('a scheduled reel counts from its publication', async () => {
  const { drive, list } = await begin();
  const at = Date.UTC(2026, 10, 21, 9);
  const status = { publishing_phase: { status: 'complete', publish_status: 'published', publish_time: at / 1000 } };
  const data = [{ id: '900000000000001', created_time: '2026-11-18T09:00:00+0000', published: true, status }];
  drive.faults.add({ when: isList, times: 1, fault: answering(200, { data }) });
  expect((await list()).posts).toMatchObject([{ remoteId: '900000000000001', publishedAt: at }]);
});

test('the single video has the file the list lacks', async () => {
  const { drive, phone, bytes } = await begin();
  await drive.set({ noSourceInLists: true });
  expect(await bytes((await phone.post('x')).id)).toEqual(FILM);
});

test('a new Page token replaces an expired one', async () => {
  const { drive, phone, posts, bytes } = await begin();
  const { id } = await phone.post('x');
  await drive.replacePageTokens();
  expect([await posts(), await bytes(id)]).toMatchObject([[{ remoteId: id }], FILM]);
});

test('videos hidden from the Page token are found otherwise', async () => {
  const { drive, phone, session, tokens, bytes } = await begin();
  const { id } = await phone.post('x');
  await drive.set({ hiddenFromPages: true });
  expect(await bytes(id)).toEqual(FILM);
  expect(drive.requests.filter(isList)).toEqual([]);
  const ended = { ...session, secret: { ...tokens.secret, accessToken: 'EAAended' } };
  expect(await watching(connector, drive, ended).bytes(id)).toEqual(FILM);
});

test('a reel is gone after its audience was limited', async () => {
  const { drive, phone, file } = await begin();
  const { id } = await phone.post('x');
  const body = { id, source: 'https://x.example/v.mp4', published: true, privacy: { value: 'SELF' } };
  drive.faults.add({ when: isStatus, times: 1, fault: answering(200, body) });
  expect(await file(id)).toEqual({ found: 'gone' });
});
