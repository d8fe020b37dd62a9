import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/snapchat/index.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import { exactlyOnce } from '../suites/exactly-once.ts';
import { isCreate, isList, isPost, isUpload, once, type Snapchat, startSnapchat } from './snapchat-driver.ts';
import { fingerprintOf, type Walk, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startSnapchat({ processingMs: 1_500, ...overrides }),
);

const outcome = async (snapchat: Snapchat, walk: Walk) => [walk.state, (await snapchat.published()).length];
const lostResponse = (snapchat: Snapchat) =>
  snapchat.faults.add({ when: isPost, times: 1, fault: { kind: 'reset-after' } });
const error = (status: number, error_code: string, acted = false): Fault => ({
  kind: 'status',
  answer: { status, body: { request_status: 'ERROR', request_id: 'r-1', error_code } },
  acted,
});

exactlyOnce({
  ...once,
  platform: connector.id,
  async begin() {
    const drive = await start();
    return { drive, work: await drive.work('once') };
  },
});

describe('Snapchat send', () => {
  test.each<[string, Fault]>([
    ['for the rate', { kind: 'refusal', refusal: 'rate-limited', acted: true }],
    ['for the token', { kind: 'refusal', refusal: 'token-expired', acted: true }],
    ['because it works on the video', error(400, 'MEDIA_PROCESSING', true)],
    ['because the media has expired', error(200, 'MEDIA_EXPIRED', true)],
  ])('does not resend an existing spotlight that was rejected %s', async (_name, fault) => {
    const snapchat = await start();
    const work = await snapchat.work('once');
    const ready = await walkTo(snapchat, work, 'committing');
    snapchat.faults.add({ when: isPost, times: 1, fault });
    const walk = await walkThrough(snapchat, work, { from: ready });
    expect(await outcome(snapchat, walk)).toEqual(['posted', 1]);
    expect(walk.published?.remoteId).toBe((await snapchat.published())[0]?.id);
    expect(snapchat.requests.filter(isPost)).toHaveLength(1);
  });

  test('posts once when an earlier send is still in progress', async () => {
    const snapchat = await start();
    await snapchat.set({ listLagMs: 1_800_000, postingMs: 3_600_000 });
    const work = await snapchat.work('once');
    lostResponse(snapchat);
    const again = await walkTo(snapchat, work, ({ notes }) => notes.at(-1)?.includes('ALREADY_IN_PROGRESS') === true);
    expect(again.state).toBe('unknown');
    await snapchat.set({ listLagMs: 0, postingMs: 3_600_000 });
    expect(await outcome(snapchat, await walkThrough(snapchat, work, { from: again }))).toEqual(['posted', 1]);
  });

  test('posts once with errors in 200 responses and lagging lists', async () => {
    const snapchat = await start();
    await snapchat.set({ listLagMs: 60_000, errorStatus: 200, profileShape: 'list' });
    await snapchat.spotlightByHand({ caption: 'once' });
    snapchat.clock.now += 60_000;
    const work = await snapchat.work('once');
    lostResponse(snapchat);
    expect(await outcome(snapchat, await walkThrough(snapchat, work))).toEqual(['posted', 1]);
  });
});

describe('Snapchat resend', () => {
  /** Sends a spotlight that Snapchat rejects with a retryable error. */
  async function postponed(snapchat: Snapchat, text = 'Sunset run') {
    const work = await snapchat.work(text);
    snapchat.faults.add({ when: isPost, times: 1, fault: error(400, 'MEDIA_PROCESSING') });
    return { work, walk: await walkTo(snapchat, work, ({ sendKey }) => sendKey === 2) };
  }

  test('ignores a spotlight that is too old to be ours', async () => {
    const snapchat = await start();
    const { work, walk } = await postponed(snapchat);
    await snapchat.spotlightByHand({ caption: 'Sunset run', createdAt: snapchat.clock.now - 900_000 });
    expect(await outcome(snapchat, await walkThrough(snapchat, work, { from: walk }))).toEqual(['posted', 1]);
    expect(snapchat.requests.filter(isPost)).toHaveLength(2);
  });

  test('waits while two spotlights match and continues without them', async () => {
    const snapchat = await start();
    const { work, walk } = await postponed(snapchat);
    const twin = () => snapchat.spotlightByHand({ caption: 'Sunset run' });
    const twins = [await twin(), await twin()];
    const stuck = await walkThrough(snapchat, work, { from: walk, maxMoves: 6 });
    expect([stuck.state, snapchat.requests.filter(isPost).length]).toEqual(['unknown', 1]);
    for (const { id } of twins) await snapchat.store.remove('spotlight', id);
    expect(await outcome(snapchat, await walkThrough(snapchat, work, { from: stuck }))).toEqual(['posted', 1]);
  });

  test('is verified first when a new video has no text', async () => {
    const snapchat = await start();
    const { work, walk } = await postponed(snapchat, '');
    await snapchat.spotlightByHand({ caption: '' });
    const stuck = await walkThrough(snapchat, work, { from: walk, maxMoves: 6 });
    expect([stuck.state, snapchat.requests.filter(isPost).length]).toEqual(['unknown', 1]);
  });
});

test.each([
  ['a part', 1],
  ['the finalizing', 2],
])('%s rejected after a lost response is uploaded again once', async (_name, nth) => {
  const snapchat = await start();
  const work = await snapchat.work('once');
  const isNth = (wanted: number) => (call: { method: string; path: string; nth: number }) =>
    isUpload(call) && call.nth === wanted;
  snapchat.faults.add({ when: isNth(nth), times: 1, fault: { kind: 'reset-after' } });
  snapchat.faults.add({ when: isNth(nth + 1), times: 1, fault: error(400, 'ALREADY_DONE') });
  expect(await outcome(snapchat, await walkThrough(snapchat, work))).toEqual(['posted', 1]);
  expect(snapchat.requests.filter(isCreate)).toHaveLength(2);
});

describe('Snapchat send of unknown outcome', () => {
  /** Sends a spotlight whose outcome is unknown. */
  async function unproven(snapchat: Snapchat, text = 'Sunset run') {
    const work = await snapchat.work(text);
    const ready = await walkTo(snapchat, work, 'committing');
    const since = snapchat.clock.now;
    const look = () => connector.verify(work, ready.checkpoint, fingerprintOf(work, since));
    return { work, look, since };
  }

  test('is matched by text and its review awaited', async () => {
    const snapchat = await start();
    const { look } = await unproven(snapchat, 'Sunset  run\n#Sea!');
    expect(await look()).toMatchObject({ then: 'notPosted', checkpoint: { armed: false, looked: false } });
    const ours = await snapchat.spotlightByHand({ caption: 'sunset run #sea' });
    expect(await look()).toMatchObject({ then: 'confirming', checkpoint: { spotlightId: ours.id } });
    snapchat.clock.now += 1_500;
    expect(await look()).toMatchObject({ then: 'posted', published: { remoteId: ours.id } });
  });

  test('has failed when the review rejected it', async () => {
    const snapchat = await start({ processingMs: 0 });
    const { look } = await unproven(snapchat);
    await snapchat.spotlightByHand({ caption: 'Sunset run', rejected: true });
    expect(await look()).toMatchObject({ then: 'failed', failure: { kind: 'rejected', what: 'policy' } });
  });

  test('is not matched by existing, old, or different spotlights', async () => {
    const snapchat = await start();
    await snapchat.spotlightByHand({ caption: 'Sunset run' });
    const { look, since } = await unproven(snapchat);
    await snapchat.spotlightByHand({ caption: 'Sunset run', createdAt: since - 300_001 });
    await snapchat.spotlightByHand({ caption: 'Sunset run and more' });
    expect((await look()).then).toBe('notPosted');
  });

  test('is not matched among several', async () => {
    const snapchat = await start();
    const { look } = await unproven(snapchat);
    for (const _ of [1, 2]) await snapchat.spotlightByHand({ caption: 'Sunset run' });
    expect(await look()).toMatchObject({ then: 'stillUnknown', note: { code: 'several_matches' } });
  });

  test.each(['', '🏃🌅'])('is never matched by the text "%s"', async (text) => {
    const snapchat = await start();
    const { look } = await unproven(snapchat, text);
    expect((await look()).then).toBe('notPosted');
    await snapchat.spotlightByHand({ caption: text });
    expect((await look()).then).toBe('stillUnknown');
  });

  test('stays unknown when the list is incomplete or unordered', async () => {
    const snapchat = await start();
    const { look, since } = await unproven(snapchat);
    for (let index = 0; index < 20; index++)
      await snapchat.spotlightByHand({ caption: 'x', createdAt: since - 20 + index });
    expect(await look()).toMatchObject({ then: 'stillUnknown', note: { code: 'list_incomplete' } });
    const older = await start();
    for (let index = 0; index < 25; index++)
      await older.spotlightByHand({ caption: 'x', createdAt: older.clock.now - 4_000_000 + index });
    const again = await unproven(older);
    expect((await again.look()).then).toBe('notPosted');
    await older.set({ oldestFirst: true });
    expect((await again.look()).then).toBe('stillUnknown');
  });

  test.each<[string, JsonObject, string]>([
    ['no words', { id: 'W7_x', created_at: '2026-11-21T12:00:00Z' }, 'snapchat.match_of_unknown_text'],
    ['no id', { caption: 'Sunset run' }, 'match_without_id'],
  ])('stays unknown with an entry with %s', async (_name, spotlight, code) => {
    const snapchat = await start();
    const { look } = await unproven(snapchat);
    const body = { request_status: 'PARTIAL', spotlights: [{ sub_request_status: 'SUCCESS', spotlight }] };
    snapchat.faults.add({ when: isList, fault: { kind: 'status', answer: { status: 200, body } } });
    expect(await look()).toMatchObject({ then: 'stillUnknown', note: { code } });
  });

  test('is matched by time without a checkpoint', async () => {
    const snapchat = await start();
    const { work, since } = await unproven(snapchat);
    const look = () => connector.verify(work, null, fingerprintOf(work, since));
    expect(await look()).toMatchObject({ then: 'notPosted', checkpoint: null });
    const ours = await snapchat.spotlightByHand({ caption: 'Sunset run' });
    expect(await look()).toMatchObject({ then: 'confirming', checkpoint: { spotlightId: ours.id } });
  });

  test.each<[string, Fault, string]>([
    ['refuses', { kind: 'refusal', refusal: 'server-error' }, 'transient'],
    ['answers with a page', { kind: 'garbage', acted: false }, 'transient'],
    ['is closed to us', error(403, 'AUTHORIZATION_PERMISSION_DENIED'), 'setup'],
  ])('is not decided when the list %s', async (_name, fault, kind) => {
    const snapchat = await start();
    const { look } = await unproven(snapchat);
    snapchat.faults.add({ when: isList, fault });
    await expect(look()).rejects.toMatchObject({ failure: { kind } });
  });
});

test('a post succeeds although the list is not accessible', async () => {
  const snapchat = await start();
  const work = await snapchat.work('closed');
  snapchat.faults.add({ when: isList, fault: error(403, 'AUTHORIZATION_PERMISSION_DENIED') });
  expect(await outcome(snapchat, await walkThrough(snapchat, work))).toEqual(['posted', 1]);
});
