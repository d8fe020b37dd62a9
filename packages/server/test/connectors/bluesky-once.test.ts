import { simulator } from '@reelay/sandbox/platforms/bluesky/index.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/bluesky/index.ts';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { at, textAt } from '../../src/connectors/kit/json.ts';
import { createWorld } from '../harness/world.ts';
import { exactlyOnce } from '../suites/exactly-once.ts';
import { commit, isMethod, isPut, look, once, publish, ready, startBluesky } from './bluesky-driver.ts';
import { failureOf } from './walk.ts';

const start = closedAfterTest(startBluesky);
const startWorld = closedAfterTest(createWorld);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Creates a post whose record is frozen and not sent. */
async function frozen(text = 'Sunset run', overrides: Parameters<typeof startBluesky>[0] = {}) {
  const bluesky = await start(overrides);
  const work = await bluesky.work(text);
  const checkpoint = await ready(bluesky, work);
  const rkey = textAt(checkpoint, 'frozen', 'rkey');
  return { ...bluesky, work, newWork: bluesky.work, checkpoint, rkey };
}

exactlyOnce({
  ...once,
  platform: connector.id,
  async begin() {
    const drive = await start({ processingMs: 2_500 });
    return { drive, work: await drive.work('once') };
  },
});

describe('Bluesky send without a response', () => {
  test('is found by its key when it succeeded', async () => {
    const post = await frozen();
    post.faults.add({ when: isPut, times: 1, fault: { kind: 'reset-after' } });
    expect(await commit(post, post.work, post.checkpoint)).toMatchObject({ kind: 'unknown' });
    const [entry] = await post.published();
    expect(await look(post, post.work, post.checkpoint)).toMatchObject({
      then: 'posted',
      published: { remoteId: entry?.id, url: entry?.url },
    });
  });

  test('is resent with the same record if not executed', async () => {
    const post = await frozen();
    post.faults.add({ when: isPut, times: 1, fault: post.noResponse('before') });
    expect(await commit(post, post.work, post.checkpoint)).toMatchObject({ kind: 'unknown' });
    const seen = await look(post, post.work, post.checkpoint);
    expect(seen).toMatchObject({ then: 'notPosted' });
    post.clock.now += 3 * MINUTE;
    const again = await ready(post, post.work, seen.then === 'notPosted' ? seen.checkpoint : null);
    expect(at(again, 'frozen', 'rkey')).toBe(post.rkey);
    expect(at(again, 'frozen', 'record')).toEqual(at(post.checkpoint, 'frozen', 'record'));
    expect(await commit(post, post.work, again)).toMatchObject({ kind: 'done' });
    expect(await post.published()).toHaveLength(1);
  });

  test('is safe to repeat with the same result', async () => {
    const post = await frozen();
    const first = await commit(post, post.work, post.checkpoint);
    const again = await commit(post, post.work, post.checkpoint);
    const idOf = (outcome: typeof first) => at(outcome, 'result', 'published', 'remoteId');
    expect(idOf(again)).toBe(idOf(first));
    expect(await post.published()).toHaveLength(1);
  });
});

describe('Bluesky verification', () => {
  test('proves a missing record within an hour, or if unchanged', async () => {
    const post = await frozen();
    post.clock.now += 59 * MINUTE;
    expect(await look(post, post.work, post.checkpoint)).toMatchObject({ then: 'notPosted' });
    post.clock.now += 2 * MINUTE;
    expect(await look(post, post.work, post.checkpoint)).toMatchObject({ then: 'notPosted' });
    await publish(post, await post.newWork('another post'));
    expect(await look(post, post.work, post.checkpoint)).toMatchObject({ then: 'stillUnknown' });
  });

  test('does not recreate a post that its owner deleted', async () => {
    const post = await frozen();
    post.faults.add({ when: isPut, times: 1, fault: { kind: 'reset-after' } });
    await commit(post, post.work, post.checkpoint);
    await post.remove(post.rkey, post.work.session.secret.accessToken);
    post.clock.now += HOUR;
    expect(await look(post, post.work, post.checkpoint)).toMatchObject({ then: 'stillUnknown' });
    const failure = await failureOf(connector.commit.request(post.work, post.checkpoint));
    expect(failure).toMatchObject({ kind: 'transient' });
  });

  test('proves nothing when the server does not host the account', async () => {
    const post = await frozen();
    await post.store.change<object>('account', post.did, (account) => account && { ...account, status: 'deactivated' });
    expect(await look(post, post.work, post.checkpoint)).toMatchObject({ then: 'stillUnknown' });
    const response = { status: 400, body: { error: 'RecordNotFound', message: 'from an index' } };
    post.faults.add({ when: isMethod('getRecord'), fault: { kind: 'status', answer: response } });
    expect(await look(post, post.work, post.checkpoint)).toMatchObject({ then: 'stillUnknown' });
  });

  test('proves nothing after the account moved to another server', async () => {
    const post = await frozen();
    const moved = { ...(at(post.checkpoint, 'frozen') as JsonObject), server: 'https://old.example' };
    const result = await look(post, post.work, { ...post.checkpoint, frozen: moved });
    expect(result).toMatchObject({ then: 'stillUnknown', note: { code: 'bluesky.account_moved' } });
  });

  test.each([
    ['500', { kind: 'refusal', refusal: 'server-error' }],
    ['429', { kind: 'refusal', refusal: 'rate-limited' }],
    ['garbage', { kind: 'garbage', acted: false }],
    ['404', { kind: 'status', answer: { status: 404, body: { error: 'RecordNotFound' } } }],
  ] as const)('proves nothing from a response of %s', async (_name, fault) => {
    const post = await frozen();
    post.faults.add({ when: isMethod('getRecord'), fault });
    expect(await look(post, post.work, post.checkpoint)).toMatchObject({ then: 'stillUnknown' });
  });

  test('waits as requested when rate limited', async () => {
    const post = await frozen();
    post.faults.add({ when: isMethod('getRecord'), fault: { kind: 'refusal', refusal: 'rate-limited-with-wait' } });
    expect(await look(post, post.work, post.checkpoint)).toMatchObject({ then: 'stillUnknown', afterMs: 7_000 });
  });

  test('reads the record when confirmed', async () => {
    const post = await frozen();
    expect(await connector.confirm(post.work, post.checkpoint)).toMatchObject({ then: 'confirming' });
    await commit(post, post.work, post.checkpoint);
    expect(await connector.confirm(post.work, post.checkpoint)).toMatchObject({ then: 'posted' });
  });
});

describe('Bluesky verification without a key', () => {
  test('finds the single recent post with this text', async () => {
    const bluesky = await start();
    const work = await bluesky.work('Sunset  run\n#sea');
    const { published } = await publish(bluesky, work);
    await publish(bluesky, await bluesky.work('another'));
    const spaced = { ...work, post: { ...work.post, text: ' Sunset run #sea ' } };
    expect(await look(bluesky, spaced, null)).toMatchObject({
      then: 'posted',
      published: { remoteId: published.remoteId },
    });
    bluesky.clock.now += 30 * MINUTE;
    expect(await look(bluesky, work, null, MINUTE)).toMatchObject({ then: 'notPosted', checkpoint: null });
    expect(await look(bluesky, work, { sha256: 'x', phase: 'upload' }, 29 * MINUTE)).toMatchObject({ then: 'posted' });
  });

  test('stays unknown if ambiguous, without text, or after an hour', async () => {
    const bluesky = await start();
    const work = await bluesky.work('Sunset run');
    await publish(bluesky, work);
    await publish(bluesky, work);
    expect(await look(bluesky, work, null)).toMatchObject({
      then: 'stillUnknown',
      note: { code: 'several_matches' },
    });
    const empty = { ...work, post: { ...work.post, text: '' } };
    expect(await look(bluesky, empty, null)).toMatchObject({ then: 'stillUnknown' });
    bluesky.clock.now += 2 * HOUR;
    expect(await look(bluesky, empty, null, MINUTE)).toMatchObject({ then: 'notPosted' });
    const other = { ...work, post: { ...work.post, text: 'never sent' } };
    expect(await look(bluesky, other, null, HOUR)).toMatchObject({ then: 'stillUnknown' });
  });

  test('pages through an account with many posts', async () => {
    const bluesky = await start({ video: false });
    const { published } = await publish(bluesky, await bluesky.work('the one'));
    const work = await bluesky.work('noise');
    for (let i = 0; i < 100; i++) await publish(bluesky, work);
    const wanted = { ...work, post: { ...work.post, text: 'the one' } };
    expect(await look(bluesky, wanted, null)).toMatchObject({
      then: 'posted',
      published: { remoteId: published.remoteId },
    });
  });
});

describe('Bluesky rejection', () => {
  test('of a missing blob uploads again under the same key', async () => {
    const post = await frozen();
    const cid = textAt(post.checkpoint, 'blob', 'ref', 'ref', '$link');
    await post.store.remove('blob', `${post.did} ${cid}`);
    const outcome = await commit(post, post.work, post.checkpoint);
    expect(outcome).toMatchObject({ kind: 'void', failure: { kind: 'transient', platformCode: 'BlobNotFound' } });
    const next = { ...post.work, post: { ...post.work.post, sendKey: 2 } };
    post.clock.now += 3 * MINUTE;
    const again = await ready(post, next, post.checkpoint);
    expect(at(again, 'frozen', 'rkey')).toBe(post.rkey);
    expect(await commit(post, next, again)).toMatchObject({ kind: 'done' });
  });

  test("of a stale blob uploads directly to the account's server", async () => {
    const post = await frozen();
    const cid = textAt(post.checkpoint, 'blob', 'ref', 'ref', '$link');
    let { checkpoint } = post;
    // The video service keeps returning the blob; the server has deleted it.
    const lose = () => post.store.remove('blob', `${post.did} ${cid}`);
    const jobStatus = { jobId: 'x', state: 'JOB_STATE_COMPLETED', blob: at(checkpoint, 'blob', 'ref') as JsonObject };
    const response = { status: 200, body: { completedJobId: 'x', jobStatus } };
    post.faults.add({ when: isMethod('finishUpload'), fault: { kind: 'status', answer: response } });
    for (const sendKey of [1, 2]) {
      const work = { ...post.work, post: { ...post.work.post, sendKey } };
      checkpoint = await ready(post, work, checkpoint);
      await lose();
      expect(await commit(post, work, checkpoint)).toMatchObject({ kind: 'void' });
      post.clock.now += 3 * MINUTE;
    }
    const work = { ...post.work, post: { ...post.work.post, sendKey: 3 } };
    expect(await commit(post, work, await ready(post, work, checkpoint))).toMatchObject({ kind: 'done' });
    expect(post.requests.filter(isMethod('uploadBlob'))).toHaveLength(1);
  });

  test('after a long time creates a new key and time', async () => {
    const post = await frozen();
    post.clock.now += 61 * MINUTE;
    const again = await ready(post, { ...post.work, session: (await post.newWork()).session }, post.checkpoint);
    expect(at(again, 'frozen', 'rkey')).not.toBe(post.rkey);
    expect(at(again, 'frozen', 'record', 'createdAt')).toBe(new Date(post.clock.now).toISOString());
  });

  test('because of another record under the key proves nothing', async () => {
    const post = await frozen();
    const record = { ...(at(post.checkpoint, 'frozen', 'record') as JsonObject), text: 'edited since' };
    const changed = { ...(at(post.checkpoint, 'frozen') as JsonObject), record };
    await commit(post, post.work, { ...post.checkpoint, frozen: changed });
    expect(await commit(post, post.work, post.checkpoint)).toMatchObject({
      kind: 'unknown',
      platformCode: 'InvalidSwap',
    });
    expect(await look(post, post.work, post.checkpoint)).toMatchObject({ then: 'posted' });
    expect(await post.published()).toHaveLength(1);
  });

  test('proves nothing when the response names another record', async () => {
    const post = await frozen();
    const response = { status: 200, body: { uri: 'at://did:plc:x/app.bsky.feed.post/3l6oveex3ii2l', cid: 'bafyrei' } };
    post.faults.add({ when: isPut, times: 1, fault: { kind: 'status', answer: response } });
    expect(await commit(post, post.work, post.checkpoint)).toMatchObject({ kind: 'unknown' });
  });
});

describe('Bluesky fault by tag, through the publisher', () => {
  test.each([
    ['lost-answer', 'posted', null, 1],
    ['slow', 'posted', null, 1],
    ['rate-limit', 'posted', null, 1],
    ['down', 'posted', null, 1],
    ['reject', 'failed', 'video_rejected', 0],
    ['reconnect', 'failed', 'reconnect_required', 0],
  ])('#sandbox-%s ends as %s', async (tag, state, code, count) => {
    const world = await startWorld({ connector, module: simulator, simulator: { slowMs: 20 } });
    const id = await world.post({ text: `Sunset run #sandbox-${tag}` });
    await world.settle(await world.worker(), id);
    expect(await world.target(id)).toMatchObject({ state, code });
    expect(await world.simulator.published()).toHaveLength(count);
    expect(world.bugs).toEqual([]);
  });
});
