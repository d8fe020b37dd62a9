import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import type { XSwitches } from '@reelay/sandbox/platforms/x/records.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/x/index.ts';
import { isWholeUpload } from '../harness/simulator.ts';
import { filmOf, videoOf } from './films.ts';
import { begun, failureOf, move, walkThrough, walkTo } from './walk.ts';
import { isAppend, isFinalize, isInitialize, isLook, isPost, isStatus, startX, type X } from './x-driver.ts';

const start = closedAfterTest(startX);
const MIB = 1_048_576;

const bodyOfPost = ({ asked }: X): JsonObject => {
  const body = asked.findLast(({ method, url }) => method === 'POST' && url.endsWith('/2/tweets'))?.body;
  return body?.kind === 'bytes' ? (JSON.parse(String(body.bytes)) as JsonObject) : {};
};
const status = (code: number, body: JsonObject | string = ''): Fault => ({
  kind: 'status',
  answer: { status: code, body },
});
const problem = (code: number, detail: string): Fault =>
  status(code, { title: 'Forbidden', detail, type: 'about:blank', status: code });

describe('publish', () => {
  test('uploads, polls, posts once, and reports id and URL', async () => {
    const x = await start();
    const work = await x.work('Sunset run #sea');
    const walk = await walkThrough(x, work);
    const [entry, ...more] = await x.published();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ username: 'nora', text: 'Sunset run #sea', sha256: work.media.sha256 });
    expect(walk).toMatchObject({ state: 'posted', published: { remoteId: entry?.id, url: entry?.url } });
    expect(walk.published?.detail).toBeUndefined();
    const secrets = Object.values(work.session.secret).map(String);
    for (const secret of secrets) expect(JSON.stringify(walk)).not.toContain(secret);
    expect(bodyOfPost(x)).toEqual({
      text: 'Sunset run #sea',
      media: { media_ids: [(await x.media())[0]?.id] },
    });
  });

  test('sends a large file in segments of 1 MiB', async () => {
    const x = await start();
    const media = filmOf(9 * MIB + 1);
    const work = await x.work('large', { media });
    const walk = await walkThrough(x, work);
    const [entry] = await x.published();
    expect(entry && (await isWholeUpload(x, entry, media))).toBe(true);
    expect(entry?.blobs).toHaveLength(10);
    expect(walk.notes.filter((note) => note.startsWith('Sent '))).toEqual([
      'Sent 4.2 MB of 9.4 MB.',
      'Sent 8.4 MB of 9.4 MB.',
      'Sent 9.4 MB of 9.4 MB.',
    ]);
    expect(media.handed()).toBe(media.bytes);
  });

  test('resumes with the acknowledged segments after a restart', async () => {
    const x = await start();
    const media = filmOf(9 * MIB);
    const work = await x.work('once', { media });
    const half = await walkTo(x, work, ({ notes }) => notes.length === 2);
    const walk = await walkThrough(x, work, { from: { ...begun(x), checkpoint: half.checkpoint } });
    expect(walk.state).toBe('posted');
    expect(x.requests.filter(isInitialize)).toHaveLength(1);
    expect(x.requests.filter(isAppend)).toHaveLength(9);
  });

  test('works with older gateways and media without processing', async () => {
    const x = await start();
    await x.set({ olderGateway: true, synchronousMedia: true });
    expect((await walkThrough(x, await x.work('quick'))).state).toBe('posted');
    expect(x.requests.filter(isStatus)).toEqual([]);
  });

  test('sends the type of a QuickTime file', async () => {
    const x = await start();
    const media = videoOf(Buffer.from('a film of another kind'), { container: 'mov', mime: 'video/quicktime' });
    await walkThrough(x, await x.work('mov', { media }));
    expect((await x.published())[0]).toMatchObject({ mime: 'video/quicktime', sha256: media.sha256 });
  });

  test('polls processing when X requests it', async () => {
    const x = await start({ processingMs: 200_000 });
    await walkThrough(x, await x.work('slow'));
    const [finalized] = x.requests.filter(isFinalize);
    const looks = x.requests.filter(isStatus).map(({ at }) => at - (finalized?.at ?? 0));
    expect(looks).toEqual([200_000]);
  });

  test('spends the matching budgets', async () => {
    const x = await start();
    await walkThrough(x, await x.work('once', { media: filmOf(5 * MIB) }));
    expect(x.spent).toEqual(['parts', 'partsOfAll', 'parts', 'partsOfAll', 'status', 'posts', 'postsOfAll']);
    const known = connector.budgets.map(({ name }) => name);
    for (const name of x.spent) expect(known).toContain(name);
  });

  test('posts without text, and reports a protected account', async () => {
    const x = await start();
    expect((await walkThrough(x, await x.work(''))).state).toBe('posted');
    const walk = await walkThrough(x, await x.work('few', { extra: { protected: true } }));
    expect(walk.published?.detail).toMatch(/Only its followers/);
  });

  test('uses a URL without username if it is unknown', async () => {
    const x = await start();
    const walk = await walkThrough(x, await x.work('who', { username: '' }));
    expect(walk.published?.url).toMatch(/\/i\/web\/status\/\d+$/);
  });
});

describe('options', () => {
  test.each<[JsonObject, JsonObject]>([
    [{ replySettings: 'following' }, { reply_settings: 'following' }],
    [{ replySettings: 'everyone' }, {}],
    [
      { madeWithAi: true, paidPartnership: false },
      { made_with_ai: true, paid_partnership: false },
    ],
  ])('%j is sent as %j', async (options, expected) => {
    const x = await start();
    expect(connector.options.parse(options)).toEqual(options);
    await walkThrough(x, await x.work('asked', { options }));
    const { text, media, ...rest } = bodyOfPost(x);
    expect([rest, await x.published()]).toEqual([expected, [expect.objectContaining({ text })]]);
    expect(media).toEqual({ media_ids: [expect.any(String)] });
  });

  test.each([{ replySettings: 'nobody' }, { madeWithAi: 'yes' }, { title: 'a' }])('%j is rejected', (options) => {
    expect(connector.options.safeParse(options).success).toBe(false);
  });
});

describe('upload problems', () => {
  test('halves the segment size after a 413 and starts over', async () => {
    const x = await start();
    await x.set({ maxSegmentBytes: 300_000 });
    const media = filmOf(2 * MIB);
    const walk = await walkThrough(x, await x.work('small', { media }));
    expect(walk.state).toBe('posted');
    const [entry] = await x.published();
    expect(entry && (await isWholeUpload(x, entry, media))).toBe(true);
    expect(entry?.blobs).toHaveLength(8);
    expect(x.requests.filter(isInitialize)).toHaveLength(3);
  });

  test('keeps retrying until the deadline if no segment is accepted', async () => {
    const x = await start();
    const work = await x.work('never');
    x.faults.add({ when: isAppend, fault: status(413) });
    const walk = await walkThrough(x, work, { maxMoves: 12 });
    expect([walk.state, walk.notes.at(-1)]).toEqual(['waiting', 'X responded with 413.']);
    expect(x.requests.filter(isInitialize)).toHaveLength(4);
  });

  test.each([
    ['at a segment', isAppend],
    ['at the end', isFinalize],
    ['while it is processed', isStatus],
  ] as const)('repeats an upload that X loses %s', async (_name, when) => {
    const x = await start();
    const work = await x.work('again');
    x.faults.add({ when, times: when === isFinalize ? 2 : 1, fault: status(400, { title: 'Invalid Request' }) });
    const walk = await walkThrough(x, work);
    expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
    expect(x.requests.filter(isInitialize).length).toBeGreaterThan(1);
  });

  test('repeats an upload with missing segments', async () => {
    const x = await start();
    const work = await x.work('whole', { media: filmOf(6 * MIB) });
    const half = await walkTo(x, work, ({ notes }) => notes.some((note) => note === 'Sent 6.3 MB of 6.3 MB.'));
    const [segment] = await x.store.list('segment', { limit: 1 });
    await x.store.remove('segment', segment?.key ?? '');
    const walk = await walkThrough(x, work, { from: half });
    expect([walk.state, (await x.published())[0]?.sha256]).toEqual(['posted', work.media.sha256]);
    expect(x.requests.filter(isInitialize)).toHaveLength(2);
  });

  test('repeats an upload that expired before its use', async () => {
    const x = await start();
    const work = await x.work('late');
    const first = await move(x, work, begun(x));
    x.clock.now += 86_400_000 - 500_000;
    const walk = await walkThrough(x, work, { from: first });
    expect(walk.state).toBe('posted');
    expect(x.requests.filter((each) => isInitialize(each) && each.status === 200)).toHaveLength(2);
    expect(walk.notes).toContain('The upload expired. Starting a new upload.');
  });

  test.each([
    [{ code: 1, name: 'InvalidMedia', message: 'Unsupported video format' }, 1],
    [{ code: 3, name: 'UnsupportedMedia', message: 'Duration 200000 exceeds max duration of 140000' }, 1],
    [{ code: 2, name: 'InternalError', message: 'Something went wrong' }, 2],
    [{ code: 9, name: 'NewError', message: '' }, 2],
  ])('processing error %j rejects the video after %i uploads', async (processingError, uploads) => {
    const x = await start();
    await x.set({ processingError });
    const walk = await walkThrough(x, await x.work('no'));
    expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'video' });
    if (uploads === 1) expect(walk.failure?.detail).toHaveProperty('params.words', processingError.message);
    expect(x.requests.filter(isInitialize)).toHaveLength(uploads);
    expect(x.requests.filter(isPost)).toEqual([]);
  });

  test('retries once after an internal processing error', async () => {
    const x = await start();
    await x.set({ processingError: { code: 2, name: 'InternalError', message: '', times: 1 } });
    expect((await walkThrough(x, await x.work('second try'))).state).toBe('posted');
  });

  test("slow processing is bounded by the post's deadline", async () => {
    const x = await start({ processingMs: 3_600_000 });
    const work = await x.work('long');
    const walk = await walkTo(x, work, ({ notes }) => notes.includes('X is processing the video.'));
    x.clock.now += 600_001;
    const late = await connector.step(work, walk.checkpoint ?? {});
    expect(late).toMatchObject({ then: 'failed', failure: { kind: 'transient', waitMs: 300_000 } });
    expect((await walkThrough(x, work, { from: walk, maxMoves: 200 })).state).toBe('posted');
  });

  test('a missing permission requires a new consent', async () => {
    const x = await start();
    const tokens = await x.connect('nora', ['tweet.read', 'tweet.write', 'users.read', 'offline.access']);
    const walk = await walkThrough(x, await x.workWith(tokens, 'no'));
    expect(walk.failure).toMatchObject({ kind: 'reconnect', status: 403 });
  });

  test('refreshes an expired token, or requires a new consent', async () => {
    const x = await start();
    const work = await x.work('renewed');
    const first = await move(x, work, begun(x));
    x.clock.now += 7_200_000;
    expect((await walkThrough(x, work, { from: first })).state).toBe('posted');
    const other = await x.work('dead');
    x.clock.now += 200 * 86_400_000;
    expect((await walkThrough(x, other)).failure).toMatchObject({ kind: 'reconnect' });
  });

  test.each<[XSwitches['application'], JsonObject]>([
    ['no-credits', { kind: 'rateLimited', waitMs: 21_600_000, scope: 'app', window: 'daily' }],
    ['credits-depleted', { kind: 'rateLimited', scope: 'app', window: 'daily' }],
    ['not-enrolled', { kind: 'setup' }],
    ['forbidden', { kind: 'setup' }],
    ['usage-capped', { kind: 'setup' }],
  ])("an app with %s is the operator's problem", async (application, expected) => {
    const x = await start();
    const work = await x.work('no');
    await x.set({ application });
    expect(await failureOf(connector.begin(work))).toMatchObject(expected);
  });
});

describe('response to the post', () => {
  const NOT_PERMITTED = 'You are not permitted to perform this action.';
  test.each<[string, Fault, JsonObject]>([
    ['a spam rule', problem(403, NOT_PERMITTED), { kind: 'rejected', what: 'policy' }],
    [
      'a limit of length',
      problem(403, 'This user is not allowed to post a video longer than 2 minutes.'),
      { kind: 'rejected', what: 'video' },
    ],
    ['a bad address', problem(403, 'The Tweet contains an invalid URL.'), { kind: 'rejected', what: 'caption' }],
    [
      'a feature',
      problem(403, 'Your account is not permitted to access this feature.'),
      { kind: 'rejected', what: 'permission' },
    ],
    [
      'a lock',
      problem(403, 'To protect our users from spam and other malicious activity, this account is temporarily locked.'),
      { kind: 'rejected', what: 'permission' },
    ],
    ['cashtags', problem(403, 'Posts are limited to a maximum of one cashtag'), { kind: 'rejected', what: 'caption' }],
    ['a mention', problem(403, 'Do not mention @lena.'), { kind: 'rejected', what: 'policy' }],
    ['a scope', problem(403, 'Forbidden'), { kind: 'rejected', what: 'permission' }],
    [
      'a type that nobody knows',
      status(403, { title: 'New', detail: 'A new rule.', type: 'https://api.x.com/2/problems/new-rule' }),
      { kind: 'rejected', what: 'policy', platformCode: 'new-rule' },
    ],
    [
      'a code of version 1',
      status(403, { errors: [{ code: 226, message: 'It looks automated.' }] }),
      { what: 'policy' },
    ],
    ['a parameter without type', status(400, { detail: 'Bad text.' }), { kind: 'rejected', what: 'other' }],
    ['a missing address', problem(404, 'Not Found'), { kind: 'rejected', what: 'other' }],
    ['another token', status(403, { title: 'Unsupported Authentication', status: 403 }), { kind: 'setup' }],
    [
      'a parameter',
      status(400, {
        title: 'Invalid Request',
        detail: 'One or more parameters to your request was invalid.',
        type: 'https://api.x.com/2/problems/invalid-request',
      }),
      { kind: 'rejected', what: 'other' },
    ],
    [
      'the application',
      status(403, { title: 'Client Forbidden', type: 'https://api.x.com/2/problems/client-forbidden', status: 403 }),
      { kind: 'setup' },
    ],
  ])('about %s ends the post at once', async (_name, fault, expected) => {
    const x = await start();
    const work = await x.work('no');
    x.faults.add({ when: isPost, fault });
    const walk = await walkThrough(x, work);
    expect(walk.failure).toMatchObject(expected);
    const { answer: response } = fault as { answer: { body: { detail?: string; title?: string } } };
    const { detail = response.body.title } = response.body;
    if (detail) expect(walk.failure?.detail.text).toContain(detail);
    expect(x.requests.filter(isPost)).toHaveLength(1);
    expect(x.requests.filter(isLook)).toEqual([]);
    expect(await x.published()).toEqual([]);
  });

  test.each([
    ['two cashtags', '$ABC and $BRK.B', 'rejected'],
    ['a cashtag and prices', '$ABC at $20 or US$DEF', undefined],
  ])('a text with %s is judged before the upload', async (_name, text, kind) => {
    const x = await start();
    const walk = await walkThrough(x, await x.work(text));
    expect(walk.failure?.kind).toBe(kind);
    expect(connector.textProblem(text) === null).toBe(kind === undefined);
    expect(x.requests.filter(isInitialize)).toHaveLength(kind ? 0 : 1);
  });

  test.each([
    ['Version 1', { errors: [{ code: 185, message: 'User is over daily status update limit.' }] }],
    ['Version 2', { title: 'Forbidden', detail: 'You have reached the daily limit of posts.', type: 'about:blank' }],
  ])("waits when the account's daily posts are used up (%s)", async (_name, body) => {
    const x = await start();
    const work = await x.work('tomorrow');
    x.faults.add({ when: isPost, times: 2, fault: status(403, body) });
    const began = x.clock.now;
    const walk = await walkThrough(x, work);
    expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
    expect(x.clock.now - began).toBeGreaterThan(2 * 3 * 3_600_000);
    expect(walk.notes.filter((note) => note.includes('no more posts on this account today'))).toHaveLength(2);
    expect(x.requests.filter(isLook)).toEqual([]);
  });

  test.each<[string, JsonObject | string]>([
    ['a page', '<html><title>Attention Required!</title></html>'],
    ['nothing', ''],
    [
      "Cloudflare's own problem",
      { title: 'Error 1020: Access denied', status: 403, type: 'https://cloudflare.com/1020' },
    ],
    ['a list', '[]'],
  ])('a 403 with %s proves nothing', async (_name, body) => {
    const x = await start();
    const work = await x.work('once');
    x.faults.add({ when: isPost, times: 1, fault: { kind: 'status', answer: { status: 403, body }, acted: true } });
    const walk = await walkThrough(x, work);
    expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
    expect(x.requests.filter(isPost)).toHaveLength(1);
    expect(x.requests.filter(isLook).length).toBeGreaterThan(0);
  });

  test('invalid media starts a new upload if X lost it', async () => {
    const x = await start();
    const work = await x.work('again');
    const ready = await walkTo(x, work, 'committing');
    const [medium] = await x.media();
    await x.store.change<object>('media', medium?.id ?? '', (known) => known && { ...known, expiresAt: 0 });
    const walk = await walkThrough(x, work, { from: ready });
    expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
    expect(x.requests.filter(isInitialize)).toHaveLength(2);
    expect(x.requests.filter(isLook)).toEqual([]);
  });

  test('invalid media starts a new upload after three attempts', async () => {
    const x = await start();
    const work = await x.work('again');
    const errors = [{ parameters: { 'media.media_ids': ['1'] }, message: 'Your media IDs are invalid.' }];
    x.faults.add({ when: isPost, times: 3, fault: status(400, { errors }) });
    const walk = await walkThrough(x, work);
    expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
    expect(x.requests.filter(isInitialize)).toHaveLength(2);
    expect(x.requests.filter(isPost)).toHaveLength(4);
  });

  test('recognizes invalid media by parameter, regardless of the message', async () => {
    const x = await start();
    const work = await x.work('again');
    const errors = [{ parameters: { 'media.media_ids': ['1'] }, message: 'One of them cannot be used.' }];
    const body = { errors, title: 'Invalid Request', type: 'https://api.x.com/2/problems/invalid-request' };
    x.faults.add({ when: isPost, times: 1, fault: status(400, body) });
    const walk = await walkThrough(x, work);
    expect([walk.state, (await x.published()).length]).toEqual(['posted', 1]);
  });

  test('missing credits delay the post for hours', async () => {
    const x = await start();
    const work = await x.work('poor');
    const ready = await walkTo(x, work, 'committing');
    await x.set({ application: 'no-credits' });
    const before = x.clock.now;
    const walk = await move(x, work, ready);
    expect([walk.state, x.clock.now - before]).toEqual(['waiting', 21_600_000]);
    await x.set({});
    expect((await walkThrough(x, work, { from: walk })).state).toBe('posted');
  });

  test('a rate limit delays exactly until the reset', async () => {
    const x = await start({ limits: true });
    const work = await x.work('soon');
    const window = Math.floor(x.clock.now / 900_000);
    await x.store.put('rate', `createPost ${work.session.remoteId} ${window}`, 100);
    const ready = await walkTo(x, work, 'committing');
    const walk = await move(x, work, ready);
    expect(x.clock.now / 900_000).toBe(window + 1);
    expect((await walkThrough(x, work, { from: walk })).state).toBe('posted');
  });

  test('a text over the limit is rejected without leaking secrets', async () => {
    const x = await start();
    const work = await x.work('中'.repeat(141));
    const walk = await walkThrough(x, work);
    expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'policy', status: 403 });
    expect(JSON.stringify(walk.failure)).not.toContain(String(work.session.secret.accessToken));
  });
});

describe('verifying without an upload', () => {
  async function looking(text: string) {
    const x = await start();
    const work = await x.work(text);
    const committedAt = x.clock.now;
    const look = () => connector.verify(work, null, { text, durationMs: 31_000, committedAt });
    const publish = async (mine = work) => {
      const walk = await walkThrough(x, mine);
      x.clock.now += 10_000;
      return walk;
    };
    return { x, work, look, publish };
  }

  test('finds the post by text', async () => {
    const { look, publish } = await looking('Läuft & <b>läuft</b>\n#sea');
    expect(await look()).toMatchObject({ then: 'notPosted', checkpoint: null });
    const posted = await publish();
    expect(await look()).toMatchObject({ then: 'posted', published: { remoteId: posted.published?.remoteId } });
  });

  test('stays unknown with several matches or without letters', async () => {
    const several = await looking('again');
    await several.publish();
    await several.publish();
    expect((await several.look()).then).toBe('stillUnknown');
    const silent = await looking('✨');
    await silent.publish();
    expect((await silent.look()).then).toBe('stillUnknown');
  });

  test('a different text proves nothing, because X rewrites links', async () => {
    const { work, look, publish } = await looking('see https://example.org/a');
    await publish({ ...work, post: { ...work.post, text: 'see https://t.co/abc' } });
    expect((await look()).then).toBe('stillUnknown');
  });

  test('counts the posts that X charges for', async () => {
    const { x, look, publish } = await looking('once');
    await publish();
    expect(x.counted).toEqual([]);
    await look();
    expect(x.counted).toEqual([1]);
  });

  test('ignores earlier posts', async () => {
    const { x, work, publish } = await looking('again');
    await publish();
    x.clock.now += 3_600_000;
    const fingerprint = { text: 'again', durationMs: 31_000, committedAt: x.clock.now };
    expect((await connector.verify(work, null, fingerprint)).then).toBe('notPosted');
  });
});

describe('timeline', () => {
  test.each(['post.fields', 'tweet.fields'] as const)('finds the post if X knows %s only', async (fieldNames) => {
    const x = await start();
    await x.set({ fieldNames });
    const work = await x.work('once');
    x.faults.add({ when: isPost, times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkThrough(x, work);
    expect([walk.state, (await x.published()).length, x.requests.filter(isPost).length]).toEqual(['posted', 1, 1]);
  });

  test('reads several pages, and stays unknown beyond the limit', async () => {
    const x = await start();
    const work = await x.work('first');
    const ready = await walkTo(x, work, 'committing');
    x.faults.add({ when: isPost, times: 1, fault: { kind: 'reset-after' } });
    const unknown = await move(x, work, ready);
    const fill = async (count: number, from: number) => {
      for (let index = from; index < from + count; index++) {
        const id = String(2_990_000_000_000_000_000n + BigInt(index));
        const post = { id, key: `k${index}`, accountId: work.session.remoteId, text: 'more', mediaIds: [] };
        const rest = { createdAt: x.clock.now, revealed: true };
        await x.store.put('post', post.key, { ...post, ...rest }, work.session.remoteId);
      }
    };
    await fill(250, 0);
    x.clock.now += 10_000;
    expect((await move(x, work, unknown)).state).toBe('posted');
    await fill(300, 1_000);
    x.clock.now += 10_000;
    const look = await connector.verify(work, unknown.checkpoint, { text: '', durationMs: 0, committedAt: 0 });
    expect(look).toMatchObject({ then: 'stillUnknown', note: expect.objectContaining({ code: 'list_incomplete' }) });
  });

  test('accepts other media key types, but not incomplete lists', async () => {
    const x = await start();
    const work = await x.work('first');
    const ready = await walkTo(x, work, 'committing');
    const [medium] = await x.media();
    const look = async (body: JsonObject) => {
      x.faults.add({ when: isLook, times: 1, fault: status(200, body) });
      return connector.verify(work, ready.checkpoint, { text: 'first', durationMs: 31_000, committedAt: 0 });
    };
    const item = { id: '1903333333333333333', text: '', attachments: { media_keys: [`13_${medium?.id}`] } };
    expect(await look({ data: [item] })).toMatchObject({
      then: 'posted',
      published: { remoteId: '1903333333333333333', publishedAt: null },
    });
    const edited = { ...item, id: '1904', edit_history_tweet_ids: ['1903333333333333333', '1904'] };
    expect(await look({ data: [edited] })).toMatchObject({ published: { remoteId: '1903333333333333333' } });
    const partly = { data: [], errors: [{ title: 'Authorization Error' }] };
    expect(await look(partly)).toMatchObject({ then: 'stillUnknown' });
    const empty = await look({ meta: { result_count: 0 } });
    expect(empty).toMatchObject({ then: 'notPosted', checkpoint: { voids: 1, rest: true } });
  });

  test('confirms a post that is still open', async () => {
    const x = await start();
    const work = await x.work('open');
    const ready = await walkTo(x, work, 'committing');
    expect((await connector.confirm(work, ready.checkpoint ?? {})).then).toBe('confirming');
    const walk = await move(x, work, ready);
    x.clock.now += 10_000;
    expect(await connector.confirm(work, ready.checkpoint ?? {})).toMatchObject({
      then: 'posted',
      published: { remoteId: walk.published?.remoteId, publishedAt: expect.any(Number) },
    });
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
  ])('%s', async (tag, state, count, kind) => {
    const x = await start({ slowMs: 20 });
    const work = await x.work(`hello #sandbox-${tag}`, { sandbox: true });
    const walk = await walkThrough(x, work);
    expect([walk.state, (await x.published()).length, walk.failure?.kind]).toEqual([state, count, kind]);
  });
});
