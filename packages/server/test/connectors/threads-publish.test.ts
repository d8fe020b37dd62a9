import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/threads/index.ts';
import { BudgetEmpty } from '../../src/outbound/platform-error.ts';
import { isWholeUpload, type SimulatorOverrides } from '../harness/simulator.ts';
import { filmOf } from './films.ts';
import {
  isCreate,
  isLimit,
  isList,
  isMedia,
  isPublish,
  isStatus,
  startThreads,
  type Threads,
} from './threads-driver.ts';
import { begun, move, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startThreads({ processingMs: 70_000, ...overrides }),
);
const count = (threads: Threads, when: (call: { method: string; path: string }) => boolean) =>
  threads.requests.filter(when).length;
const DAY_MS = 86_400_000;

describe('publish', () => {
  test('lets Threads fetch the video, polls, publishes, reports the URL', async () => {
    const threads = await start();
    const work = await threads.work('Sunset run #sea');
    const before = threads.requests.length;
    const walk = await walkThrough(threads, work);
    const [entry, ...more] = await threads.published();
    if (!entry) throw new Error('Nothing was published.');
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ username: 'nora.cuts', text: 'Sunset run #sea', mime: 'video/mp4' });
    expect(await isWholeUpload(threads, entry, work.media)).toBe(true);
    expect(walk).toMatchObject({
      state: 'posted',
      published: { remoteId: entry.id, url: entry.url, publishedAt: Math.floor(entry.publishedAt / 1000) * 1000 },
    });
    const order = [isLimit, isCreate, isStatus, isPublish, isMedia];
    const kinds = threads.requests.slice(before).map((call) => order.findIndex((is) => is(call)));
    expect(kinds).toEqual([0, 1, 2, 2, 3, 4]);
    expect(threads.spent).toEqual(['posts']);
    expect(connector.budgets.map(({ name }) => name)).toEqual(['posts']);
  });

  test('polls after 30 seconds, then every minute', async () => {
    const threads = await start({ processingMs: 200_000 });
    await walkThrough(threads, await threads.work('patience'));
    const created = threads.requests.find(isCreate)?.at ?? 0;
    const looks = threads.requests.filter(isStatus).map(({ at }) => at - created);
    expect(looks).toEqual([30_000, 90_000, 150_000, 210_000]);
  });

  test('polls sooner in the sandbox', async () => {
    const threads = await start({ processingMs: 1_000 });
    const before = threads.clock.now;
    const work = await threads.work('quick', { sandbox: true });
    expect((await walkThrough(threads, work)).state).toBe('posted');
    expect(threads.clock.now - before).toBeLessThan(6_000);
  });

  test('sends Threads-specific options', async () => {
    const threads = await start();
    const options = { replyControl: 'mentioned_only', topicTag: 'sea', altText: 'The sea', spoiler: true };
    await walkThrough(threads, await threads.work('x', { options }));
    expect((await threads.containers())[0]).toMatchObject({ replyControl: 'mentioned_only', topicTag: 'sea' });
    const form = threads.asked.find(({ url }) => url.endsWith('/threads'))?.form;
    expect(form).toMatchObject({ alt_text: 'The sea', is_spoiler_media: 'true', media_type: 'VIDEO' });
  });

  test('reveals neither tokens nor links in its notes', async () => {
    const threads = await start();
    const work = await threads.work('notes');
    const walk = await walkThrough(threads, work);
    for (const secret of [String(work.session.secret.accessToken), threads.links.url])
      expect(JSON.stringify(walk)).not.toContain(secret);
  });

  test.each([{}, { noPermalink: true }])('reports a URL, built from the shortcode if needed: %j', async (switches) => {
    const threads = await start();
    await threads.set(switches);
    const walk = await walkThrough(threads, await threads.work('where'));
    expect(walk.published?.url).toBe((await threads.published())[0]?.url);
  });

  test.each<[string, Fault]>([
    ['is gone', { kind: 'status', answer: { status: 400, body: { error: { code: 100, error_subcode: 33 } } } }],
    ['fails', { kind: 'refusal', refusal: 'server-error' }],
    ['finds the token taken back', { kind: 'refusal', refusal: 'token-revoked' }],
    ['is cut', { kind: 'reset-before' }],
  ])('is posted even if reading it always %s', async (_name, fault) => {
    const threads = await start();
    threads.faults.add({ when: isMedia, fault });
    const walk = await walkThrough(threads, await threads.work('hidden'));
    expect(walk.published).toEqual({ remoteId: (await threads.published())[0]?.id, url: null, publishedAt: null });
  });
});

describe('container', () => {
  test.each([
    'INVALID_ASPEC_RATIO',
    'INVALID_BIT_RATE',
    'INVALID_DURATION',
    'INVALID_FRAME_RATE',
    'INVALID_AUDIO_CHANNELS',
  ])('failing with %s ends the post', async (errorMessage) => {
    const threads = await start();
    const work = await threads.work('no');
    const made = await walkTo(threads, work, ({ checkpoint }) => Boolean(checkpoint?.containerId));
    await threads.changeContainer({ errorMessage });
    const walk = await walkThrough(threads, work, { from: made });
    expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'video', platformCode: errorMessage });
    expect([count(threads, isCreate), count(threads, isPublish)]).toEqual([1, 0]);
  });

  test.each(['FAILED_PROCESSING_VIDEO', 'FAILED_PROCESSING_AUDIO', 'UNKNOWN', ''])(
    'failing with "%s" is retried once',
    async (errorMessage) => {
      const threads = await start();
      const work = await threads.work('again');
      const made = await walkTo(threads, work, ({ checkpoint }) => Boolean(checkpoint?.containerId));
      await threads.changeContainer({ errorMessage: errorMessage || null });
      const response = { status: 200, body: { id: '1', status: 'ERROR', error_message: errorMessage } };
      threads.faults.add({ when: isStatus, times: 1, fault: { kind: 'status', answer: response } });
      expect((await walkThrough(threads, work, { from: made })).state).toBe('posted');
      expect(count(threads, isCreate)).toBe(2);
      threads.faults.add({ when: isStatus, times: 2, fault: { kind: 'status', answer: response } });
      expect((await walkThrough(threads, work)).failure).toMatchObject({ kind: 'rejected', what: 'video' });
    },
  );

  test('unable to fetch the video retries, then fails as setup', async () => {
    const threads = await start();
    const film = filmOf(1_000);
    const nowhere = { ...film, link: () => 'http://127.0.0.1:1/nowhere.mp4' };
    const before = threads.clock.now;
    const walk = await walkThrough(threads, await threads.work('nowhere', { media: nowhere }));
    expect(walk.failure).toMatchObject({ kind: 'setup', detail: { text: expect.stringContaining('PUBLIC_URL') } });
    expect(count(threads, isCreate)).toBe(6);
    expect(threads.clock.now - before).toBeGreaterThan(50 * 60_000);
    let address = 0;
    const linked = threads.linked(film);
    const later = { ...film, link: () => (++address < 3 ? nowhere.link() : linked.link()) };
    expect((await walkThrough(threads, await threads.work('later', { media: later }))).state).toBe('posted');
  });

  test('processed for an hour is abandoned and replaced', async () => {
    const threads = await start({ processingMs: 86_000_000 });
    const work = await threads.work('stuck');
    const before = threads.clock.now;
    const walk = await walkTo(
      threads,
      work,
      ({ notes }) => notes.at(-1)?.endsWith('Creating a new container.') === true,
    );
    expect(walk.notes.at(-1)).toContain('did not finish');
    expect(threads.clock.now - before).toBeGreaterThan(3_600_000);
    await threads.changeContainer({ processingMs: 0 });
    expect(count(threads, isPublish)).toBe(0);
  });

  test('that expired or disappeared is replaced', async () => {
    for (const change of ['createdAt', 'gone'] as const) {
      const threads = await start();
      const work = await threads.work('anew');
      const made = await walkTo(threads, work, ({ checkpoint }) => Boolean(checkpoint?.containerId));
      const [container] = await threads.containers();
      if (change === 'gone') await threads.store.remove('container', container?.id ?? '');
      else await threads.changeContainer({ createdAt: 0 });
      const walk = await walkThrough(threads, work, { from: made });
      expect([walk.state, (await threads.published()).length, count(threads, isCreate)]).toEqual(['posted', 1, 2]);
    }
  });

  test('without an id is a temporary failure', async () => {
    const threads = await start();
    threads.faults.add({ when: isCreate, times: 1, fault: { kind: 'status', answer: { status: 200, body: {} } } });
    const walk = await walkThrough(threads, await threads.work('x'));
    expect([walk.state, walk.notes.some((note) => note.includes('incomplete response'))]).toEqual(['posted', true]);
  });

  test('rejected for its text ends the post', async () => {
    const threads = await start();
    const work = await threads.work(`${'x'.repeat(499)}🌅`);
    expect((await walkThrough(threads, work)).failure).toMatchObject({
      kind: 'rejected',
      what: 'caption',
      platformCode: '100',
    });
  });
});

describe('limits', () => {
  const full = (threads: Threads) => ({
    posts: Array.from({ length: 250 }, (_, index) => threads.clock.now - index),
  });

  test('queries the daily count first and waits if exhausted', async () => {
    const threads = await start({ limits: true });
    const work = await threads.work('one too many');
    await threads.changeProfile(full(threads));
    const before = threads.clock.now;
    const first = await move(threads, work, begun(threads));
    expect([first.state, count(threads, isCreate), threads.spent]).toEqual(['waiting', 0, []]);
    const walk = await walkThrough(threads, work, { from: first });
    expect(walk.state).toBe('posted');
    expect(threads.clock.now - before).toBeGreaterThan(DAY_MS - 3_600_000);
  });

  test('waits when others used up the daily posts meanwhile', async () => {
    const threads = await start({ limits: true });
    const work = await threads.work('late');
    const ready = await walkTo(threads, work, 'committing');
    await threads.changeProfile(full(threads));
    const walk = await walkThrough(threads, work, { from: ready });
    expect([walk.state, (await threads.published()).length]).toEqual(['posted', 1]);
  });

  test('creates nothing when the budget is exhausted', async () => {
    const threads = await start();
    const spend = async (name: string) => {
      throw new BudgetEmpty(name, 30_000, 'daily');
    };
    await expect(connector.begin(await threads.work('x', { spend }))).rejects.toBeInstanceOf(BudgetEmpty);
    expect(count(threads, isCreate)).toBe(0);
  });

  test('publish requests without effect slow down', async () => {
    const threads = await start();
    const work = await threads.work('no');
    const ready = await walkTo(threads, work, 'committing');
    const error = { code: 4, error_subcode: 2_207_051 };
    threads.faults.add({ when: isPublish, fault: { kind: 'status', answer: { status: 400, body: { error } } } });
    const before = threads.clock.now;
    await walkTo(threads, work, () => threads.clock.now - before > DAY_MS - 3_600_000, ready);
    expect(count(threads, isPublish)).toBeGreaterThan(4);
    expect(count(threads, isPublish)).toBeLessThan(20);
  });

  test.each([['200', { code: 200 }, { kind: 'reconnect' }]])(
    'publishing rejected with %s ends the post',
    async (platformCode, error, expected) => {
      const threads = await start();
      const work = await threads.work('no');
      const ready = await walkTo(threads, work, 'committing');
      threads.faults.add({ when: isPublish, fault: { kind: 'status', answer: { status: 403, body: { error } } } });
      expect((await walkThrough(threads, work, { from: ready })).failure).toMatchObject({ ...expected, platformCode });
    },
  );
});

describe('a finished container that is lost', () => {
  test.each([
    ['publish', 3],
    ['status', 2],
  ] as const)('is replaced after verification: %s', async (lostContainer, requests) => {
    const threads = await start();
    await threads.set({ lostContainer });
    const before = threads.clock.now;
    const walk = await walkThrough(threads, await threads.work('lost'), { maxMoves: 200 });
    expect([walk.state, (await threads.published()).length]).toEqual(['posted', 1]);
    expect([count(threads, isCreate), count(threads, isPublish)]).toEqual([2, requests]);
    expect(threads.clock.now - before).toBeLessThan(3_600_000);
  });

  test('is found if its request took effect late', async () => {
    const threads = await start();
    await threads.set({ lostContainer: 'publish' });
    const work = await threads.work('late');
    const second = await walkTo(
      threads,
      work,
      ({ checkpoint }) => checkpoint?.sendsBefore === 2 && checkpoint.containerId !== '',
    );
    const { token, id } = await threads.lateSend(work);
    expect(token).not.toBe('');
    const walk = await walkThrough(threads, work, { from: second, maxMoves: 200 });
    expect([walk.state, (await threads.published()).length]).toEqual(['posted', 1]);
    expect(walk.published?.remoteId).toBe(id);
  });
});

test('a missing permission at the publish request is verified first', async () => {
  const threads = await start();
  const work = await threads.work('permission');
  const ready = await walkTo(threads, work, 'committing');
  const fault: Fault = { kind: 'status', answer: { status: 403, body: { error: { code: 10, message: 'no' } } } };
  threads.faults.add({ when: isPublish, times: 1, fault });
  const limit = threads.faults.add({ when: isLimit, times: 1, fault });
  const walk = await walkThrough(threads, work, { from: ready });
  expect(walk.failure).toMatchObject({ kind: 'reconnect', platformCode: '10' });
  expect([limit.hits(), count(threads, isPublish)]).toEqual([1, 1]);
});

test('a URL refused at the creation counts as not fetched', async () => {
  const threads = await start();
  const error = { code: 1, error_subcode: 2_207_052, message: 'The media could not be fetched from this URI.' };
  threads.faults.add({ when: isCreate, fault: { kind: 'status', answer: { status: 400, body: { error } } } });
  const walk = await walkThrough(threads, await threads.work('uri'));
  expect(walk.failure).toMatchObject({ kind: 'setup', detail: { text: expect.stringContaining('PUBLIC_URL') } });
  expect(count(threads, isCreate)).toBe(6);
});

test.each(['UNKNOWN', ''])('the container error "%s" names PUBLIC_URL', async (errorMessage) => {
  const threads = await start();
  const body = { id: '1', status: 'ERROR', error_message: errorMessage };
  threads.faults.add({ when: isStatus, fault: { kind: 'status', answer: { status: 200, body } } });
  const { failure } = await walkThrough(threads, await threads.work('host'));
  expect(failure).toMatchObject({ kind: 'rejected', detail: { text: expect.stringContaining('PUBLIC_URL') } });
});

test('more than five different links are rejected before posting', async () => {
  const links = (count: number) => Array.from({ length: count }, (_, index) => `https://a.example/${index}`).join(' ');
  expect(connector.textProblem(`${links(5)} ${links(5)}`)).toBeNull();
  expect(connector.textProblem(links(6))).toMatchObject({ code: 'threads.too_many_links' });
  const threads = await start();
  const walk = await walkThrough(threads, await threads.work(links(6)));
  expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'caption' });
  expect(count(threads, isCreate)).toBe(0);
});

describe('failures requested by tag', () => {
  test.each([
    ['reconnect', 'failed', 0, 'reconnect'],
    ['reject', 'failed', 0, 'rejected'],
    ['rate-limit', 'posted', 1, undefined],
    ['slow', 'posted', 1, undefined],
    ['lost-answer', 'posted', 1, undefined],
    ['down', 'posted', 1, undefined],
  ])('%s', async (tag, state, published, kind) => {
    const threads = await start();
    const work = await threads.work(`hello #sandbox-${tag}`, { sandbox: true });
    const walk = await walkThrough(threads, work, { maxMoves: 300 });
    expect([walk.state, (await threads.published()).length, walk.failure?.kind]).toEqual([state, published, kind]);
    expect(walk.published?.remoteId ?? undefined).toBe((await threads.published())[0]?.id);
    expect(count(threads, isList)).toBe(tag === 'lost-answer' ? 1 : 0);
  });
});
