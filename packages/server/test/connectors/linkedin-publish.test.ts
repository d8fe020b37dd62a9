import { createHash } from 'node:crypto';
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { COVER } from '../../../sandbox/test/harness/cover.ts';
import { at } from '../../src/connectors/kit/json.ts';
import { connector } from '../../src/connectors/linkedin/index.ts';
import { escapeText, MAX_ESCAPED } from '../../src/connectors/linkedin/limits.ts';
import { parseJson } from '../../src/outbound/json.ts';
import { BudgetEmpty } from '../../src/outbound/platform-error.ts';
import { isWholeUpload, type SimulatorOverrides } from '../harness/simulator.ts';
import { filmOf } from './films.ts';
import {
  count,
  isAction,
  isCover,
  isPart,
  isPost,
  isStatus,
  type LinkedIn,
  PART,
  startLinkedIn,
} from './linkedin-driver.ts';
import { begun, extended, failureOf, move, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startLinkedIn({ processingMs: 2_500, ...overrides }),
);
const LOGINS = ['member', 'organization'] as const;
const refusedWith = (status: number, code: string, message = ''): Fault => ({
  kind: 'status',
  answer: { status, body: { status, code, message } },
});
/** Returns the JSON bodies of the calls to the Videos API, in order. */
const actionsOf = ({ asked }: LinkedIn) =>
  asked.flatMap(({ method, url, json }) => (method === 'POST' && url.includes('/rest/videos?') ? [json] : []));
const postBodyOf = ({ asked }: LinkedIn) => {
  const body = asked.findLast(({ method, url }) => method === 'POST' && url.endsWith('/rest/posts'))?.body;
  return body?.kind === 'bytes' ? parseJson(String(body.bytes)) : null;
};

describe('LinkedIn publish', () => {
  test.each(LOGINS)('uploads, waits, posts, and returns the URL as %s', async (login) => {
    const linkedin = await start();
    const work = await linkedin.workAs(login, 'Sunset run (part 2) #sea');
    const before = linkedin.requests.length;
    const walk = await walkThrough(linkedin, work);
    const [entry, ...more] = await linkedin.published();
    if (!entry) throw new Error('Nothing was published.');
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ username: 'nora', text: 'Sunset run (part 2) #sea', mime: 'video/mp4' });
    expect(await isWholeUpload(linkedin, entry, work.media)).toBe(true);
    expect(walk).toMatchObject({ state: 'posted', published: { remoteId: entry.id, url: entry.url } });
    const order = [isAction, isCover, isPart, isStatus, isPost];
    const kinds = linkedin.requests.slice(before).map((call) => order.findIndex((is) => is(call)));
    expect(kinds).toEqual([0, 1, 2, 0, 3, 3, 4]);
    expect(linkedin.spent).toEqual(['posts of the application', 'posts']);
  });

  test('sends parts in order without a token, then their ETags', async () => {
    const linkedin = await start();
    await linkedin.set({ quotedEtags: true });
    const media = filmOf(2 * PART + 5);
    const walk = await walkThrough(linkedin, await linkedin.workAs('member', 'three parts', { media }));
    expect(walk.state).toBe('posted');
    const parts = linkedin.asked.filter(({ method, url }) => method === 'PUT' && !url.includes('/thumbnail'));
    expect(parts.map(({ body }) => (body?.kind === 'stream' ? body.length : 0))).toEqual([PART, PART, 5]);
    expect(parts.every(({ headers }) => headers?.authorization === undefined)).toBe(true);
    const [, finalized] = actionsOf(linkedin);
    const [video] = await linkedin.videos();
    expect(finalized).toEqual({
      finalizeUploadRequest: {
        video: video?.urn,
        uploadToken: '',
        uploadedPartIds: video?.parts.map(({ received }) => received[0]?.etag),
      },
    });
    expect(JSON.stringify(finalized)).toContain('\\"/ambry');
    const [entry] = await linkedin.published();
    expect(entry && (await isWholeUpload(linkedin, entry, media))).toBe(true);
  });

  test.each(['', 'a token'])('returns the upload token unchanged: %j', async (uploadToken) => {
    const linkedin = await start();
    await linkedin.set({ uploadToken });
    expect((await walkThrough(linkedin, await linkedin.workAs('member', 'token'))).state).toBe('posted');
    expect(at(actionsOf(linkedin)[1], 'finalizeUploadRequest', 'uploadToken')).toBe(uploadToken);
  });

  test('holds at most one part of the video in memory', async () => {
    const linkedin = await start();
    const media = filmOf(3 * PART);
    await walkThrough(linkedin, await linkedin.workAs('member', 'long', { media }));
    expect(media.handed()).toBe(3 * PART);
  });

  test('sends exactly the options of the post', async () => {
    const linkedin = await start();
    const plain = await linkedin.workAs('member', 'plain');
    await walkThrough(linkedin, plain);
    expect(postBodyOf(linkedin)).toEqual({
      author: plain.session.remoteId,
      commentary: 'plain',
      visibility: 'PUBLIC',
      distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
      content: { media: { id: expect.stringMatching(/^urn:li:video:/) } },
      lifecycleState: 'PUBLISHED',
      isReshareDisabledByAuthor: false,
    });
    const options = connector.options.parse({ title: 'Sunset', visibility: 'CONNECTIONS' });
    await walkThrough(linkedin, await linkedin.workAs('member', 'asked', { options }));
    expect(postBodyOf(linkedin)).toMatchObject({
      visibility: 'CONNECTIONS',
      content: { media: { title: 'Sunset', id: expect.any(String) } },
    });
  });

  test.each([
    [{ title: '' }, false],
    [{ title: 'x'.repeat(201) }, false],
    [{ visibility: 'FRIENDS' }, false],
    [{ board: 'sea' }, false],
    [{}, true],
    [{ visibility: 'LOGGED_IN' }, true],
  ])('accepts options %j: %s', (given, expected) => {
    expect(connector.options.safeParse(given).success).toBe(expected);
  });
});

describe('LinkedIn cover', () => {
  const sha256 = createHash('sha256').update(COVER).digest('hex');
  const refusedCover: Fault = { kind: 'status', answer: { status: 503 } };

  test('is the chosen frame, sent before the upload is finalized', async () => {
    const linkedin = await start();
    expect((await walkThrough(linkedin, await linkedin.workAs('member', 'cover'))).state).toBe('posted');
    expect((await linkedin.videos())[0]?.thumbnail).toBe(sha256);
    const sent = linkedin.asked.find(({ body }) => body?.kind === 'bytes' && body.type === 'image/jpeg');
    expect(sent?.headers?.authorization).toBeUndefined();
  });

  test.each<[string, Fault]>([
    ['is refused', refusedCover],
    ['is lost on the way', { kind: 'reset-after' }],
  ])('is tried once without delay when it %s', async (_name, fault) => {
    const linkedin = await start();
    linkedin.faults.add({ when: isCover, fault });
    const walk = await walkThrough(linkedin, await linkedin.workAs('member', 'cover'));
    expect([walk.state, (await linkedin.videos()).length, count(linkedin, isCover)]).toEqual(['posted', 1, 1]);
    expect(walk.notes.join()).toContain('did not accept the cover');
  });

  test('is optional when it cannot be created', async () => {
    const linkedin = await start();
    const media = filmOf(200_000, { cover: () => Promise.reject(new Error('gone')) });
    const walk = await walkThrough(linkedin, await linkedin.workAs('member', 'cover', { media }));
    expect([walk.state, count(linkedin, isCover)]).toEqual(['posted', 0]);
  });

  test.each([{ finalizeNeedsCover: true }, { waitsForCover: true }])(
    'is not announced again when LinkedIn needs it (%j)',
    async (settings) => {
      const linkedin = await start();
      await linkedin.set(settings);
      linkedin.faults.add({ when: isCover, fault: refusedCover });
      const walk = await walkThrough(linkedin, await linkedin.workAs('member', 'cover'));
      expect([walk.state, (await linkedin.published()).length, (await linkedin.videos()).length]).toEqual([
        'posted',
        1,
        2,
      ]);
      expect(count(linkedin, isCover)).toBe(1);
    },
  );
});

describe('LinkedIn access', () => {
  const FORBIDDEN = 'Accessing this video resource is forbidden. Please check your permissions for this resource';
  const forbidden: Fault = { kind: 'status', answer: { status: 403, body: { message: FORBIDDEN, status: 403 } } };

  test('fails immediately when the role on the page is lost', async () => {
    const linkedin = await start();
    const work = await linkedin.workAs('organization', 'no role');
    await linkedin.setRoles([]);
    const walk = await walkThrough(linkedin, work);
    expect(walk).toMatchObject({ state: 'failed', failure: { kind: 'reconnect', status: 403 } });
    expect(count(linkedin, isAction)).toBe(1);
  });

  test.each([
    ['is not open', forbidden, 3, 'posted'],
    ['is not found', refusedWith(404, 'NOT_FOUND'), 3, 'posted'],
    ['stays closed', forbidden, 99, 'failed'],
  ] as const)('retries finalizing a new upload that %s', async (_name, fault, times, state) => {
    const linkedin = await start();
    let struck = 0;
    linkedin.faults.add({ when: (call) => isAction(call) && call.nth >= 2 && struck++ < times, fault });
    const walk = await walkThrough(linkedin, await linkedin.workAs('member', 'fresh'));
    expect([walk.state, (await linkedin.videos()).length]).toEqual([state, 1]);
    if (state === 'failed') expect(walk.failure).toMatchObject({ kind: 'reconnect' });
  });

  test('uploads again when neither status nor second finalize is allowed', async () => {
    const linkedin = await start();
    await linkedin.set({ blindMembers: true });
    linkedin.faults.add({
      when: (call) => isAction(call) && call.nth === 2,
      times: 1,
      fault: { kind: 'reset-after' },
    });
    const walk = await walkThrough(linkedin, await linkedin.workAs('member', 'blind'));
    expect([walk.state, (await linkedin.published()).length]).toEqual(['posted', 1]);
  });

  test.each([
    ['refuses it', forbidden],
    ['says that the video is not ready', refusedWith(400, 'MEDIA_ASSET_WAITING_UPLOAD')],
  ])('slows down the sends when LinkedIn %s', async (_name, fault) => {
    const linkedin = await start();
    const work = await linkedin.workAs('member', 'never');
    linkedin.faults.add({ when: isPost, times: 1, fault });
    const walk = await walkTo(linkedin, work, ({ sendKey }) => sendKey === 2);
    expect(walk.state).toBe('waiting');
    const response = fault.kind === 'status' ? fault.answer : { status: 0 };
    const text = JSON.stringify(response.body);
    const failure = connector.commit.failureOf?.(
      { status: response.status, headers: {}, text, json: () => parseJson(text), tryJson: () => parseJson(text) },
      linkedin.clock.now,
    );
    // The publisher decides how long, with growing delays.
    expect(failure?.kind).toBe('transient');
    expect(failure).not.toHaveProperty('waitMs');
  });

  test('asks to reconnect when the token expired without refresh token', async () => {
    const linkedin = await start();
    const work = await linkedin.workAs('member', 'over');
    const { refreshToken: _, ...secret } = work.session.secret;
    const session = { ...work.session, secret };
    linkedin.faults.add({ when: isAction, fault: refusedWith(401, 'EXPIRED_ACCESS_TOKEN') });
    expect(await failureOf(connector.begin({ ...work, session }))).toMatchObject({ kind: 'reconnect' });
    expect(await failureOf(connector.begin(work))).toMatchObject({ kind: 'tokenExpired' });
  });
});

test("every call has the operator's API version", async () => {
  const linkedin = await start();
  const settings = { apiVersion: '202608' };
  const work = await linkedin.workAs('member', 'older', { settings });
  linkedin.asked.length = 0;
  expect((await walkThrough(linkedin, work)).state).toBe('posted');
  const versions = linkedin.asked.flatMap(({ headers }) => headers?.['LinkedIn-Version'] ?? []);
  expect([versions.length > 3, new Set(versions)]).toEqual([true, new Set(['202608'])]);
  const gone = await linkedin.workAs('member', 'gone', { settings: { apiVersion: '202001' } });
  expect((await walkThrough(linkedin, gone)).failure).toMatchObject({
    kind: 'setup',
    detail: { text: expect.stringContaining('LINKEDIN_API_VERSION') },
  });
});

describe('LinkedIn checks before the first call', () => {
  test.each([
    ['a text that is too long once it is escaped', 'organization', `${'('.repeat(1_500)}x`, {}, 'caption'],
    ['a visibility that pages do not have', 'organization', 'x', { visibility: 'CONNECTIONS' }, 'other'],
  ] as const)('reject %s', async (_name, login, text, options, what) => {
    const linkedin = await start();
    const work = await linkedin.workAs(login, text, { media: filmOf(200_000), options });
    const before = linkedin.requests.length;
    const walk = await walkThrough(linkedin, work);
    expect(walk).toMatchObject({ state: 'failed', failure: { kind: 'rejected', what } });
    expect(linkedin.requests.length).toBe(before);
    expect(linkedin.spent).toEqual([]);
  });

  test('accept a text of exactly the maximum length', async () => {
    const linkedin = await start();
    const text = '('.repeat(1_500);
    expect(escapeText(text).length).toBe(MAX_ESCAPED);
    expect((await walkThrough(linkedin, await linkedin.workAs('member', text))).state).toBe('posted');
  });

  test('report an exhausted daily limit', async () => {
    const linkedin = await start();
    const spend = async (budget: string) => {
      throw new BudgetEmpty(budget, 3_600_000, 'daily');
    };
    const work = await linkedin.workAs('member', 'x', { spend });
    await expect(move(linkedin, work, begun(linkedin))).rejects.toBeInstanceOf(BudgetEmpty);
    expect(count(linkedin, isAction)).toBe(0);
  });
});

describe('LinkedIn upload', () => {
  test.each([
    ['is no list', undefined],
    ['has no part', []],
    ['begins late', [{ uploadUrl: 'https://u.example/1', firstByte: 1, lastByte: 199_999 }]],
    ['ends early', [{ uploadUrl: 'https://u.example/1', firstByte: 0, lastByte: 199_998 }]],
    ['has no address', [{ uploadUrl: 'ftp://u.example', firstByte: 0, lastByte: 199_999 }]],
  ])('is not started when its plan %s', async (_name, uploadInstructions) => {
    const linkedin = await start();
    const work = await linkedin.workAs('member', 'plan');
    const body = { value: { video: 'urn:li:video:1', uploadToken: '', uploadInstructions } };
    linkedin.faults.add({
      when: isAction,
      times: 1,
      fault: { kind: 'status', answer: { status: 200, body } as never },
    });
    expect(await failureOf(connector.begin(work))).toMatchObject({ kind: 'transient' });
    expect((await walkThrough(linkedin, work)).state).toBe('posted');
  });

  test('restarts with expired URLs, without spending a second post', async () => {
    const linkedin = await start();
    const work = await linkedin.workAs('member', 'late', { media: filmOf(PART + 1) });
    const half = await walkTo(linkedin, work, ({ notes }) => notes.at(-1)?.startsWith('Sent') === true);
    linkedin.clock.now += 86_400_000;
    const walk = await walkThrough(linkedin, work, { from: extended(half) });
    expect([walk.state, (await linkedin.published()).length, (await linkedin.videos()).length]).toEqual([
      'posted',
      1,
      2,
    ]);
    expect(linkedin.spent).toEqual(['posts of the application', 'posts']);
  });

  test.each([
    ['400 EXPIRED_UPLOAD_URL', refusedWith(400, 'EXPIRED_UPLOAD_URL')],
    ['403', { kind: 'status', answer: { status: 403, body: '<html>' } }],
    ['404', { kind: 'status', answer: { status: 404 } }],
  ] satisfies [string, Fault][])('restarts when a part gets %s', async (_name, fault) => {
    const linkedin = await start();
    const work = await linkedin.workAs('member', 'again');
    linkedin.faults.add({ when: isPart, times: 1, fault });
    const walk = await walkThrough(linkedin, work);
    expect([walk.state, (await linkedin.videos()).length]).toEqual(['posted', 2]);
  });

  test.each([
    ['401', refusedWith(401, 'EXPIRED_ACCESS_TOKEN')],
    ['429', { kind: 'status', answer: { status: 429 } }],
    ['500', { kind: 'status', answer: { status: 500 } }],
    ['400 without words', { kind: 'status', answer: { status: 400 } }],
    ['200 without the name of the part', { kind: 'status', answer: { status: 200 } }],
  ] satisfies [string, Fault][])('retries the part after %s', async (_name, fault) => {
    const linkedin = await start();
    const work = await linkedin.workAs('member', 'again', { media: filmOf(PART + 1) });
    linkedin.faults.add({ when: ({ nth, ...call }) => isPart(call) && nth === 1, times: 1, fault });
    const walk = await walkThrough(linkedin, work);
    expect([walk.state, (await linkedin.videos()).length, count(linkedin, isPart)]).toEqual(['posted', 1, 3]);
  });

  test("slows down when rejected repeatedly, until the post's deadline", async () => {
    const linkedin = await start();
    const work = await linkedin.workAs('member', 'never');
    linkedin.faults.add({ when: isPart, fault: { kind: 'status', answer: { status: 404 } } });
    const before = linkedin.clock.now;
    const walk = await walkThrough(linkedin, work, { maxMoves: 200 });
    expect([walk.state, walk.code]).toEqual(['failed', 'platform_unavailable']);
    expect(linkedin.clock.now - before).toBeGreaterThan(23 * 3_600_000);
    expect((await linkedin.videos()).length).toBeLessThan(60);
  });

  test('restarts for another file', async () => {
    const linkedin = await start();
    const work = await linkedin.workAs('member', 'other bytes', { media: filmOf(PART + 1) });
    const half = await walkTo(linkedin, work, ({ notes }) => notes.at(-1)?.startsWith('Sent') === true);
    const other = { ...work, media: filmOf(300_000) };
    expect((await walkThrough(linkedin, other, { from: half })).state).toBe('posted');
    expect((await linkedin.published())[0]?.sha256).toBe(other.media.sha256);
  });
});

describe('LinkedIn finalize', () => {
  /** The second call to the Videos API. */
  const isFinalize = (call: { method: string; path: string; nth: number }) => isAction(call) && call.nth === 2;

  test.each([false, true])('succeeds when repeated (second response is 200: %s)', async (finalizeAgain) => {
    const linkedin = await start();
    await linkedin.set({ finalizeAgain });
    linkedin.faults.add({ when: isFinalize, times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkThrough(linkedin, await linkedin.workAs('member', 'twice'));
    expect([walk.state, (await linkedin.videos()).length]).toEqual(['posted', 1]);
  });

  test('is retried after a temporary failure, then uploads again', async () => {
    const linkedin = await start();
    let refusals = 0;
    linkedin.faults.add({
      when: (call) => isAction(call) && call.nth >= 2 && refusals++ < 3,
      fault: refusedWith(400, 'UPDATING_ASSET_FAILED'),
    });
    const walk = await walkThrough(linkedin, await linkedin.workAs('member', 'stumbles'));
    expect([walk.state, (await linkedin.videos()).length]).toEqual(['posted', 2]);
    expect(walk.notes.filter((note) => note.endsWith('Retrying in 60 s.'))).toHaveLength(2);
  });

  test('fails the post after three rejected uploads', async () => {
    const linkedin = await start();
    linkedin.faults.add({
      when: (call) => isAction(call) && call.nth % 2 === 0,
      fault: refusedWith(400, 'MISSING_FIELD'),
    });
    const walk = await walkThrough(linkedin, await linkedin.workAs('member', 'refused'));
    expect(walk).toMatchObject({ state: 'failed', failure: { kind: 'rejected', what: 'other' } });
    expect((await linkedin.videos()).length).toBe(3);
  });

  test('is repeated when it succeeded without effect', async () => {
    const linkedin = await start();
    linkedin.faults.add({ when: isFinalize, times: 1, fault: { kind: 'status', answer: { status: 200 } } });
    const walk = await walkThrough(linkedin, await linkedin.workAs('member', 'nothing'));
    expect([walk.state, (await linkedin.videos()).length]).toEqual(['posted', 1]);
  });
});

describe('LinkedIn video', () => {
  test("fails the post with LinkedIn's reason when processing fails", async () => {
    const linkedin = await start();
    await linkedin.set({ leastBytes: 75_000 });
    const walk = await walkThrough(linkedin, await linkedin.workAs('member', 'small', { media: filmOf(74_999) }));
    expect(walk).toMatchObject({
      state: 'failed',
      failure: { kind: 'rejected', what: 'video', detail: { text: expect.stringContaining('too small') } },
    });
    expect(count(linkedin, isPost)).toBe(0);
  });

  test('is polled only a few times while it is processed', async () => {
    const linkedin = await start({ processingMs: 600_000 });
    const walk = await walkThrough(linkedin, await linkedin.workAs('member', 'long processing'));
    expect(walk.state).toBe('posted');
    expect(count(linkedin, isStatus)).toBeLessThan(20);
  });

  test('makes no progress after 15 minutes of processing', async () => {
    const linkedin = await start({ processingMs: 7 * 86_400_000 });
    const work = await linkedin.workAs('member', 'forever');
    const walk = await walkTo(linkedin, work, ({ notes }) => notes.length > 40);
    expect(walk.state).toBe('waiting');
    expect(await failureOf(connector.step(work, walk.checkpoint ?? {}))).toMatchObject({ kind: 'transient' });
  });

  test('is awaited after 404, which fails the post if permanent', async () => {
    for (const [times, state] of [
      [2, 'posted'],
      [1_000, 'failed'],
    ] as const) {
      const linkedin = await start();
      linkedin.faults.add({ when: isStatus, times, fault: refusedWith(404, 'NOT_FOUND') });
      expect((await walkThrough(linkedin, await linkedin.workAs('member', 'fresh'))).state).toBe(state);
    }
  });

  test('is polled again after a temporary 403', async () => {
    const linkedin = await start();
    const message = 'Accessing this video resource is forbidden. Please check your permissions for this resource';
    const fault: Fault = { kind: 'status', answer: { status: 403, body: { message, status: 403 } } };
    linkedin.faults.add({ when: isStatus, times: 3, fault });
    expect((await walkThrough(linkedin, await linkedin.workAs('organization', 'closed'))).state).toBe('posted');
    linkedin.faults.add({ when: isStatus, times: 4, fault });
    expect(await walkThrough(linkedin, await linkedin.workAs('organization', 'closed'))).toMatchObject({
      state: 'failed',
      failure: { kind: 'reconnect' },
    });
  });

  test('is posted unseen when the member may not read it', async () => {
    const linkedin = await start({ processingMs: 150_000 });
    await linkedin.set({ blindMembers: true });
    const walk = await walkThrough(linkedin, await linkedin.workAs('member', 'blind'));
    expect([walk.state, (await linkedin.published()).length]).toEqual(['posted', 1]);
    expect(count(linkedin, isPost)).toBeGreaterThan(1);
  });
});

describe('LinkedIn fault by tag', () => {
  test.each([
    ['reconnect', 'failed', 0, 'reconnect'],
    ['reject', 'failed', 0, 'rejected'],
    ['rate-limit', 'posted', 1, undefined],
    ['slow', 'posted', 1, undefined],
    ['lost-answer', 'posted', 1, undefined],
    ['down', 'posted', 1, undefined],
  ])('handles %s', async (tag, state, published, kind) => {
    const linkedin = await start();
    const work = await linkedin.workAs('organization', `hello #sandbox-${tag}`, { sandbox: true });
    const walk = await walkThrough(linkedin, work);
    expect([walk.state, (await linkedin.published()).length, walk.failure?.kind]).toEqual([state, published, kind]);
  });
});
