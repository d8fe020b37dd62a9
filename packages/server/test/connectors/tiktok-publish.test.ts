import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { at } from '../../src/connectors/kit/json.ts';
import { connector } from '../../src/connectors/tiktok/index.ts';
import { BudgetEmpty } from '../../src/outbound/platform-error.ts';
import { isWholeUpload, type SimulatorOverrides } from '../harness/simulator.ts';
import { filmOf } from './films.ts';
import {
  giveLength,
  isCreator,
  isInit,
  isList,
  isPart,
  isStatus,
  isToken,
  rangesOf,
  startTikTok,
  type TikTok,
} from './tiktok-driver.ts';
import { begun, extended, failureOf, move, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startTikTok({ processingMs: 2_500, ...overrides }),
);

const count = (tiktok: TikTok, when: (call: { method: string; path: string }) => boolean) =>
  tiktok.requests.filter(when).length;

describe('publish', () => {
  test('queries limits, uploads, polls, and reports id and URL', async () => {
    const tiktok = await start();
    const work = await tiktok.work('Sunset run #sea');
    const before = tiktok.requests.length;
    const walk = await walkThrough(tiktok, work);
    const [entry, ...more] = await tiktok.published();
    if (!entry) throw new Error('Nothing was published.');
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ username: 'nora.cuts', text: 'Sunset run #sea', mime: 'video/mp4' });
    expect(await isWholeUpload(tiktok, entry, work.media)).toBe(true);
    expect(walk).toMatchObject({ state: 'posted', published: { remoteId: entry.id, url: entry.url } });
    expect(walk.published?.detail).toBeUndefined();
    const order = [isCreator, isInit, isPart, isStatus];
    const kinds = tiktok.requests.slice(before).map((call) => order.findIndex((is) => is(call)));
    expect(kinds).toEqual([0, 1, 2, 3, 3, 3]);
  });

  test('keeps all digits of the 64-bit id', async () => {
    const tiktok = await start({ processingMs: 0 });
    const { published } = await walkThrough(tiktok, await tiktok.work('id'));
    expect(published?.remoteId).toMatch(/^\d{19}$/);
    expect(Number.isSafeInteger(Number(published?.remoteId))).toBe(false);
    expect(published?.remoteId).toBe((await tiktok.tasks())[0]?.postId);
    expect((await fetch(published?.url ?? '')).status).toBe(200);
  });

  test('sends all required fields of init and the cover time', async () => {
    const tiktok = await start();
    await walkThrough(tiktok, await tiktok.work('caption'));
    const init = tiktok.asked.find(({ url }) => url.includes('/video/init/'));
    expect(init?.json).toEqual({
      post_info: {
        title: 'caption',
        privacy_level: 'PUBLIC_TO_EVERYONE',
        disable_duet: true,
        disable_comment: true,
        disable_stitch: true,
        video_cover_timestamp_ms: 1_200,
        brand_content_toggle: false,
        brand_organic_toggle: false,
      },
      source_info: { source: 'FILE_UPLOAD', video_size: 200_000, chunk_size: 200_000, total_chunk_count: 1 },
    });
  });

  test('disables what the creator has disabled', async () => {
    const tiktok = await start();
    const choices = { privacy: 'PUBLIC_TO_EVERYONE', comment: 'on', duet: 'on', stitch: 'on' };
    const work = await tiktok.work('quiet', { choices });
    await tiktok.changeAccount({ commentDisabled: true, stitchDisabled: true });
    await walkThrough(tiktok, work);
    const init = tiktok.asked.find(({ url }) => url.includes('/video/init/'));
    expect(at(init?.json, 'post_info')).toMatchObject({
      disable_comment: true,
      disable_duet: false,
      disable_stitch: true,
    });
  });

  test.each([
    ['mp4', 'video/mp4'],
    ['mov', 'video/quicktime'],
    ['webm', 'video/webm'],
  ] as const)('sends %s as %s', async (container, mime) => {
    const tiktok = await start();
    await walkThrough(tiktok, await tiktok.work('format', { media: filmOf(1_000, { container }) }));
    expect((await tiktok.published())[0]?.mime).toBe(mime);
  });

  test('uploads even parts, each once', async () => {
    const tiktok = await start();
    const media = filmOf(12_000_001);
    const work = await tiktok.work('two parts', { media });
    const walk = await walkThrough(tiktok, work);
    const [entry] = await tiktok.published();
    expect(walk.state).toBe('posted');
    expect(rangesOf(tiktok)).toEqual(['bytes 0-5999999/12000001', 'bytes 6000000-12000000/12000001']);
    expect(entry && (await isWholeUpload(tiktok, entry, media))).toBe(true);
    expect(media.handed()).toBe(media.bytes);
  });

  test('reveals neither tokens nor the upload URL', async () => {
    const tiktok = await start();
    const work = await tiktok.work('secret', { media: filmOf(12_000_001) });
    const walk = await walkThrough(tiktok, work);
    const [task] = await tiktok.tasks();
    const told = JSON.stringify([walk.notes, walk.published]);
    for (const secret of [work.session.secret.accessToken, work.session.secret.refreshToken, task?.uploadToken])
      expect(told).not.toContain(String(secret));
  });

  test('publishes a post without text', async () => {
    const tiktok = await start();
    expect((await walkThrough(tiktok, await tiktok.work(''))).state).toBe('posted');
  });
});

describe('privacy', () => {
  test.each(['MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'])('%s is posted once complete, without a URL', async (privacy) => {
    const tiktok = await start();
    const walk = await walkThrough(tiktok, await tiktok.work('for few', { choices: { privacy } }));
    expect(walk).toMatchObject({ state: 'posted', completeSince: null });
    expect(walk.published).toEqual({ remoteId: null, url: null, publishedAt: null });
    expect((await tiktok.tasks())[0]?.privacy).toBe(privacy);
  });

  test('private accounts allow followers only while they are private', async () => {
    const tiktok = await start();
    await tiktok.changeAccount({ private: true });
    const work = await tiktok.work('for followers', { choices: { privacy: 'FOLLOWER_OF_CREATOR' } });
    expect((await walkThrough(tiktok, work)).state).toBe('posted');
    await tiktok.changeAccount({ private: false });
    expect(await walkThrough(tiktok, work)).toMatchObject({ state: 'failed', failure: { kind: 'setup' } });
    expect(await tiktok.tasks()).toHaveLength(1);
  });

  test('a privacy that is no longer allowed fails the post', async () => {
    const tiktok = await start();
    const work = await tiktok.work('public');
    await tiktok.changeAccount({ private: true });
    const walk = await walkThrough(tiktok, work);
    expect(walk.failure).toMatchObject({
      kind: 'setup',
      detail: expect.objectContaining({ params: { privacy: 'PUBLIC_TO_EVERYONE' } }),
    });
    expect(count(tiktok, isInit)).toBe(0);
  });

  test('a privacy rejected by init fails the post', async () => {
    const tiktok = await start();
    const work = await tiktok.work('public');
    const walk = await move(tiktok, work, begun(tiktok));
    await tiktok.changeAccount({ private: true });
    expect(await walkThrough(tiktok, work, { from: walk })).toMatchObject({
      state: 'failed',
      failure: { kind: 'setup', platformCode: 'privacy_level_option_mismatch' },
    });
  });

  test('a changed privacy setting applies to later posts', async () => {
    const tiktok = await start();
    const work = await tiktok.work('public');
    const sent = await walkTo(tiktok, work, 'confirming');
    const other = { ...work, session: { ...work.session, choices: { privacy: 'SELF_ONLY' } } };
    const walk = await walkThrough(tiktok, other, { from: sent });
    expect(walk.published?.remoteId).toBe((await tiktok.published())[0]?.id);
  });
});

describe('rejections', () => {
  test("rejects a video over the account's limit before uploading", async () => {
    const tiktok = await start();
    const work = await tiktok.work('long', { media: filmOf(1_000, { durationMs: 61_000 }) });
    await tiktok.changeAccount({ maxSeconds: 60 });
    const walk = await walkThrough(tiktok, work);
    expect(walk.failure).toMatchObject({
      kind: 'rejected',
      what: 'video',
      detail: expect.objectContaining({ code: 'limit.maxSeconds', params: { value: '61.0', limit: 60 } }),
    });
    expect(count(tiktok, isInit)).toBe(0);
    const justFits = { ...work, media: filmOf(1_000, { durationMs: 60_040 }) };
    expect((await walkThrough(tiktok, justFits)).state).toBe('posted');
  });

  test.each([
    [
      'an application without audit',
      { audited: false },
      {},
      'unaudited_client_can_only_post_to_private_accounts',
      'setup',
    ],
    ['an account that is barred', {}, { banned: true }, 'spam_risk_user_banned_from_posting', 'rejected'],
  ])('%s ends the post', async (_name, app, account, platformCode, kind) => {
    const tiktok = await start();
    const work = await tiktok.work('no');
    await tiktok.setApp(app);
    await tiktok.changeAccount(account);
    expect((await walkThrough(tiktok, work)).failure).toMatchObject({ kind, platformCode });
    expect(await tiktok.published()).toEqual([]);
  });

  test('an unaudited app posts privately for a private account', async () => {
    const tiktok = await start();
    await tiktok.changeAccount({ private: true });
    const work = await tiktok.work('mine', { choices: { privacy: 'SELF_ONLY' } });
    await tiktok.setApp({ audited: false });
    expect((await walkThrough(tiktok, work)).state).toBe('posted');
  });

  test('waits a day when the daily posts are used up', async () => {
    const tiktok = await start({ limits: true });
    const work = await tiktok.work('the sixteenth');
    await tiktok.changeAccount({ posts: Array.from({ length: 15 }, (_, index) => tiktok.clock.now - 1_000 + index) });
    const failure = await failureOf(connector.begin(work));
    expect(failure).toMatchObject({ kind: 'rateLimited', window: 'daily', scope: 'account', waitMs: 86_400_000 });
    expect(failure?.status).toBe(200);
    expect((await walkThrough(tiktok, work)).state).toBe('posted');
  });

  test('the cap of posting accounts delays the whole app', async () => {
    const tiktok = await start();
    const work = await tiktok.work('one too many');
    await tiktok.setApp({ activeUserCap: 0 });
    expect(await failureOf(connector.begin(work))).toMatchObject({
      kind: 'rateLimited',
      scope: 'app',
      window: 'daily',
      platformCode: 'reached_active_user_cap',
    });
  });

  test('waits for per-minute limits, then posts', async () => {
    const tiktok = await start({ limits: true });
    const work = await tiktok.work('soon');
    for (let index = 0; index < 19; index++) await connector.begin(work);
    const before = tiktok.clock.now;
    const walk = await move(tiktok, work, begun(tiktok));
    expect(walk.notes.at(-1)).toContain('limits requests');
    expect(tiktok.clock.now - before).toBe(60_000);
    expect((await walkThrough(tiktok, work, { from: walk })).state).toBe('posted');
  });

  test.each([
    ['the question', isCreator],
    ['the init', isInit],
    ['the status', isStatus],
  ])('refreshes a token that is rejected at %s', async (_name, when) => {
    const tiktok = await start();
    const work = await tiktok.work('once');
    tiktok.faults.add({ when, times: 1, fault: { kind: 'refusal', refusal: 'token-expired' } });
    const walk = await walkThrough(tiktok, work);
    expect([walk.state, (await tiktok.published()).length, count(tiktok, isToken)]).toEqual(['posted', 1, 2]);
  });

  test.each([
    ['file_format_check_failed', { kind: 'rejected', what: 'video' }],
    ['duration_check_failed', { kind: 'rejected', what: 'video' }],
    ['spam_risk_text', { kind: 'rejected', what: 'caption' }],
    ['spam_risk', { kind: 'rejected', what: 'policy' }],
    ['auth_removed', { kind: 'reconnect' }],
    ['publish_cancelled', { kind: 'rejected', what: 'other' }],
  ])('a video that later fails with %s reports the reason', async (failReason, expected) => {
    const tiktok = await start();
    const work = await tiktok.work('no');
    const opened = await walkTo(tiktok, work, ({ notes }) => notes.length === 2);
    await tiktok.changeTask({ failReason });
    const walk = await walkThrough(tiktok, work, { from: opened });
    expect(walk.failure).toMatchObject({ ...expected, platformCode: failReason });
    expect(await tiktok.published()).toEqual([]);
  });

  test('retries once after an internal error of TikTok', async () => {
    const tiktok = await start();
    const work = await tiktok.work('again');
    const opened = await walkTo(tiktok, work, ({ notes }) => notes.length === 2);
    await tiktok.changeTask({ failReason: 'internal' });
    const before = tiktok.clock.now;
    const walk = await walkThrough(tiktok, work, { from: opened });
    expect([walk.state, (await tiktok.published()).length]).toEqual(['posted', 1]);
    expect(tiktok.clock.now - before).toBeGreaterThanOrEqual(600_000);
    expect(count(tiktok, isInit)).toBe(2);
  });

  test('an init response without a URL is temporary', async () => {
    const tiktok = await start();
    const work = await tiktok.work('no address');
    const body = { data: { publish_id: 'v_pub_file~1' }, error: { code: 'ok' } };
    tiktok.faults.add({ when: isInit, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    const walk = await walkThrough(tiktok, work);
    expect(walk.notes.join(' ')).toContain('without a URL');
    expect(walk.state).toBe('posted');
  });
});

describe('polling for the public id', () => {
  test('polls for hours at a low rate', async () => {
    const tiktok = await start({ processingMs: 6 * 3_600_000 });
    const work = await tiktok.work('moderated');
    const walk = await walkThrough(tiktok, work, { maxMoves: 300 });
    expect(walk.state).toBe('posted');
    const times = tiktok.requests.filter(isStatus).map((call) => call.at);
    const busiest = Math.max(
      ...times.map((from) => times.filter((time) => time >= from && time < from + 60_000).length),
    );
    expect(busiest).toBeLessThanOrEqual(8);
    expect(times.length).toBeLessThan(100);
  });

  test('finds a public post whose id is never listed', async () => {
    const tiktok = await start();
    await tiktok.setApp({ hidesPostIds: true });
    const work = await tiktok.work('no id');
    const complete = await walkTo(tiktok, work, ({ completeSince }) => completeSince !== null);
    expect(count(tiktok, isList)).toBe(0);
    await giveLength(tiktok);
    const walk = await walkThrough(tiktok, work, { from: complete });
    const [entry] = await tiktok.published();
    expect(walk).toMatchObject({ state: 'posted', published: { remoteId: entry?.id, url: entry?.url } });
    expect(tiktok.clock.now - (walk.completeSince ?? 0)).toBeLessThan(10 * 60_000);
  });

  test('distinguishes complete from processing', async () => {
    const tiktok = await start({ processingMs: 3_600_000 });
    const work = await tiktok.work('moderated');
    const sentAt = tiktok.clock.now;
    const walk = await walkTo(tiktok, work, ({ completeSince }) => completeSince !== null);
    expect(walk.completeSince).toBeGreaterThanOrEqual(sentAt + 1_800_000);
    expect(await connector.confirm(work, walk.checkpoint ?? {})).toMatchObject({ then: 'confirming', complete: true });
    expect(connector.completeWithoutIdMs).toBe(48 * 3_600_000);
  });

  test('survives errors and rate limits while polling', async () => {
    const tiktok = await start();
    const work = await tiktok.work('patience');
    const sent = await walkTo(tiktok, work, 'confirming');
    tiktok.faults.add({ when: isStatus, times: 1, fault: { kind: 'refusal', refusal: 'server-error' } });
    tiktok.faults.add({ when: isStatus, times: 1, fault: { kind: 'refusal', refusal: 'rate-limited' } });
    tiktok.faults.add({ when: isStatus, times: 1, fault: { kind: 'reset-before' } });
    const walk = await walkThrough(tiktok, work, { from: sent });
    expect([walk.state, count(tiktok, isPart)]).toEqual(['posted', 1]);
  });

  test.each([
    ['a list', (id: string) => `[${id}]`],
    ['a bare number', (id: string) => id],
    ['a text', (id: string) => `"${id}"`],
  ])('reads the id from %s', async (_name, form) => {
    const tiktok = await start();
    const work = await tiktok.work('forms');
    const sent = await walkTo(tiktok, work, 'confirming');
    const id = '7412345678901234567';
    const body = `{"data":{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":${form(id)}},"error":{"code":"ok"}}`;
    const response = { status: 200, headers: { 'content-type': 'application/json' }, body };
    tiktok.faults.add({ when: isStatus, times: 1, fault: { kind: 'status', answer: response } });
    const walk = await walkThrough(tiktok, work, { from: sent });
    expect(walk.published).toMatchObject({ remoteId: id, url: `${tiktok.url}/@nora.cuts/video/${id}` });
  });
});

describe('budgets', () => {
  /** A session that records spent budgets; those in `empty` are exhausted. */
  async function spending(tiktok: TikTok, empty: string[] = [], media = filmOf(1_000)) {
    const spent: string[] = [];
    const spend = async (name: string) => {
      if (empty.includes(name)) throw new BudgetEmpty(name, 30_000, 'rate');
      spent.push(name);
    };
    return { spent, work: await tiktok.work('counted', { spend, media }) };
  }

  test('every limited call spends its budget', async () => {
    const tiktok = await start();
    const { spent, work } = await spending(tiktok);
    await walkThrough(tiktok, work);
    expect(spent).toEqual(['creator', 'posts', 'init', 'status', 'status', 'status']);
    for (const name of new Set(spent)) expect(connector.budgets.map((budget) => budget.name)).toContain(name);
  });

  test('retrying init spends only one daily post', async () => {
    const tiktok = await start();
    const { spent, work } = await spending(tiktok);
    tiktok.faults.add({ when: isInit, times: 3, fault: { kind: 'reset-after' } });
    await walkThrough(tiktok, work);
    expect(spent.filter((name) => name === 'posts')).toHaveLength(1);
    expect(spent.filter((name) => name === 'init')).toHaveLength(4);
  });

  test('a new upload spends no second daily post', async () => {
    const tiktok = await start();
    const { spent, work } = await spending(tiktok, [], filmOf(10_485_760));
    tiktok.faults.add({ when: isPart, times: 1, fault: { kind: 'status', answer: { status: 404 } } });
    expect((await walkThrough(tiktok, work)).state).toBe('posted');
    expect(spent.filter((name) => name !== 'status')).toEqual(['creator', 'posts', 'init', 'creator', 'init']);
  });

  test.each(['creator', 'posts'])('opens no upload when "%s" is exhausted', async (name) => {
    const tiktok = await start();
    const { work } = await spending(tiktok, [name]);
    await expect(connector.begin(work)).rejects.toBeInstanceOf(BudgetEmpty);
    expect(count(tiktok, isInit)).toBe(0);
  });
});

describe('expired upload URL', () => {
  test('starts a new upload after querying the limits again', async () => {
    const tiktok = await start();
    const work = await tiktok.work('slow', { media: filmOf(10_485_760) });
    const half = await walkTo(tiktok, work, ({ notes }) => notes.some((note) => note.startsWith('Sent')));
    tiktok.clock.now += 3_600_000;
    const walk = await walkThrough(tiktok, work, { from: half });
    expect([walk.state, (await tiktok.published()).length]).toEqual(['posted', 1]);
    expect([count(tiktok, isInit), count(tiktok, isCreator)]).toEqual([2, 3]);
  });

  test.each([403, 404])('starts a new upload after status %i', async (status) => {
    const tiktok = await start();
    const work = await tiktok.work('gone', { media: filmOf(10_485_760) });
    tiktok.faults.add({ when: isPart, times: 1, fault: { kind: 'status', answer: { status } } });
    const walk = await walkThrough(tiktok, work);
    expect([walk.state, (await tiktok.published()).length, count(tiktok, isInit)]).toEqual(['posted', 1, 2]);
  });

  test('new uploads slow down and stop after a day', async () => {
    const tiktok = await start();
    const work = await tiktok.work('never', { media: filmOf(10_485_760) });
    tiktok.faults.add({ when: isPart, fault: { kind: 'status', answer: { status: 404 } } });
    const before = tiktok.clock.now;
    const walk = await walkTo(
      tiktok,
      work,
      ({ notes }) => notes.at(-1)?.includes('No upload of this video succeeded') === true,
      extended(begun(tiktok)),
    );
    expect(walk.state).toBe('waiting');
    expect(tiktok.clock.now - before).toBeGreaterThan(24 * 3_600_000);
    expect((await tiktok.tasks()).length).toBeLessThan(60);
  });
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
    const tiktok = await start();
    const work = await tiktok.work(`hello #sandbox-${tag}`, { sandbox: true });
    const walk = await walkThrough(tiktok, work);
    expect([walk.state, (await tiktok.published()).length, walk.failure?.kind]).toEqual([state, published, kind]);
  });
});
