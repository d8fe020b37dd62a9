import { createHash } from 'node:crypto';
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { COVER } from '../../../sandbox/test/harness/cover.ts';
import type { Cover, Media } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/pinterest/index.ts';
import { BudgetEmpty } from '../../src/outbound/platform-error.ts';
import { isWholeUpload, type SimulatorOverrides } from '../harness/simulator.ts';
import { filmOf } from './films.ts';
import { isList, isPin, isPoll, isRegister, isUpload, type Pinterest, startPinterest } from './pinterest-driver.ts';
import { walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startPinterest({ processingMs: 2_500, ...overrides }),
);

const count = ({ requests }: Pinterest, when: (call: { method: string; path: string }) => boolean) =>
  requests.filter(when).length;
const sentPin = ({ asked }: Pinterest) => {
  const body = asked.findLast(({ url }) => url.endsWith('/v5/pins'))?.body;
  return body?.kind === 'bytes' ? (JSON.parse(String(body.bytes)) as Record<string, unknown>) : null;
};
const xml = (status: number, code: string): Fault => ({
  kind: 'status',
  answer: { status, headers: { 'content-type': 'application/xml' }, body: `<Error><Code>${code}</Code></Error>` },
});
const said = (status: number, code: number, message: string): Fault => ({
  kind: 'status',
  answer: { status, body: { code, message } },
});

describe('Pinterest publish', () => {
  test('registers, uploads, waits, reads the board, and creates the pin', async () => {
    const pinterest = await start();
    const work = await pinterest.work('Sunset run #sea');
    const before = pinterest.requests.length;
    const walk = await walkThrough(pinterest, work);
    const [entry, ...more] = await pinterest.published();
    if (!entry) throw new Error('Nothing was published.');
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ username: 'nora', text: 'Sunset run #sea' });
    expect(await isWholeUpload(pinterest, entry, work.media)).toBe(true);
    expect(walk).toMatchObject({
      state: 'posted',
      published: { remoteId: entry.id, url: entry.url, publishedAt: pinterest.clock.now },
    });
    expect((await fetch(entry.url)).status).toBe(200);
    const order = [isRegister, isUpload, isPoll, isList, isPin];
    const kinds = pinterest.requests.slice(before, -1).map((call) => order.findIndex((is) => is(call)));
    expect(kinds).toEqual([0, 1, 2, 2, 2, 3, 4]);
    expect(pinterest.spent).toEqual(['writes', 'writes']);
  });

  test('sends the text and the chosen frame as cover', async () => {
    const pinterest = await start();
    const work = await pinterest.work('caption');
    await walkThrough(pinterest, work);
    const board = (await pinterest.boards()).find(({ privacy }) => privacy === 'PUBLIC');
    expect(sentPin(pinterest)).toEqual({
      board_id: board?.id,
      description: 'caption',
      media_source: {
        source_type: 'video_id',
        media_id: expect.stringMatching(/^\d+$/),
        cover_image_content_type: 'image/jpeg',
        cover_image_data: COVER.toString('base64'),
      },
    });
    const sha256 = createHash('sha256').update(COVER).digest('hex');
    expect((await pinterest.pins())[0]?.cover).toEqual({ sha256 });
  });

  const NO_PICTURE: Cover = { mime: 'image/jpeg', bytes: Buffer.from('no jpeg') };
  test.each<[string, Media['cover']]>([
    ['is not there', () => Promise.reject(new Error('gone'))],
    ['is none that Pinterest takes', async () => NO_PICTURE],
  ])('uses a key frame time when the picture %s', async (_name, cover) => {
    const pinterest = await start();
    const work = await pinterest.work('caption', { media: filmOf(200_000, { cover }) });
    const walk = await walkThrough(pinterest, { ...work, post: { ...work.post, previewTimeMs: 1_600 } });
    expect([walk.state, (await pinterest.published()).length]).toEqual(['posted', 1]);
    expect((await pinterest.pins())[0]?.cover).toEqual({ seconds: 2 });
  });

  test("sends the post's options to the post's board", async () => {
    const pinterest = await start();
    const tokens = await pinterest.connect();
    const secret = (await pinterest.boards()).find(({ privacy }) => privacy === 'SECRET')?.id ?? '';
    const asked = { board: secret, title: 'Run', link: 'https://example.org/run?a=1', altText: 'A runner' };
    const options = connector.options.parse(asked);
    const choices = { board: 'PUBLIC' };
    const walk = await walkThrough(pinterest, await pinterest.workWith(tokens, 'text', { options, choices }));
    expect(walk.state).toBe('posted');
    expect((await pinterest.pins())[0]).toMatchObject({
      boardId: secret,
      title: 'Run',
      link: 'https://example.org/run?a=1',
      altText: 'A runner',
    });
  });

  test('uses a board chosen by id', async () => {
    const pinterest = await start();
    await pinterest.connect();
    const secret = (await pinterest.boards()).find(({ privacy }) => privacy === 'SECRET')?.id ?? '';
    await walkThrough(pinterest, await pinterest.work('text', { choices: { board: secret } }));
    expect((await pinterest.pins())[0]?.boardId).toBe(secret);
  });

  test('creates a pin without text', async () => {
    const pinterest = await start();
    expect((await walkThrough(pinterest, await pinterest.work(''))).state).toBe('posted');
    expect(sentPin(pinterest)).not.toHaveProperty('description');
  });

  test('sends Content-Length, fields first, and no token', async () => {
    const pinterest = await start();
    const media = filmOf(3_000_000);
    await walkThrough(pinterest, await pinterest.work('form', { media }));
    const upload = pinterest.asked.find(({ url }) => url.endsWith('/s3/'));
    expect(upload?.headers).toBeUndefined();
    expect(upload?.body?.kind === 'stream' && upload.body.length).toBeGreaterThan(3_000_000);
    expect(media.handed()).toBe(3_000_000);
  });

  test('reveals neither tokens nor form fields', async () => {
    const pinterest = await start();
    const work = await pinterest.work('secret');
    const form = await walkTo(pinterest, work, ({ checkpoint }) => checkpoint?.mediaId !== undefined);
    const walk = await walkThrough(pinterest, work, { from: form });
    const told = JSON.stringify([walk.notes, walk.published]);
    const parameters = Object.entries(form.checkpoint?.parameters ?? {}).filter(([name]) => name.startsWith('x-amz'));
    expect(parameters).toHaveLength(5);
    for (const secret of [work.session.secret.accessToken, work.session.secret.refreshToken, ...parameters.flat()])
      expect(told).not.toContain(String(secret));
    expect(JSON.stringify(walk.checkpoint)).not.toContain('x-amz-signature');
  });

  test('restarts for another file', async () => {
    const pinterest = await start();
    const work = await pinterest.work('other bytes');
    const half = await walkTo(pinterest, work, ({ checkpoint }) => Number(checkpoint?.uploadedAt) > 0);
    const media = filmOf(100_000);
    await walkThrough(pinterest, { ...work, media }, { from: half });
    const [entry] = await pinterest.published();
    expect(entry?.sha256).toBe(media.sha256);
  });

  test('waits for an empty budget', async () => {
    const pinterest = await start();
    const spend = () => Promise.reject(new BudgetEmpty('writes', 1_000, 'rate'));
    const work = await pinterest.work('later', { spend });
    await expect(connector.begin(work)).rejects.toBeInstanceOf(BudgetEmpty);
    expect(count(pinterest, isRegister)).toBe(0);
  });
});

describe('Pinterest rejection', () => {
  test.each([
    ['no board of that kind', { choices: { board: 'PROTECTED' } }, 'setup'],
    ['no choice', { choices: {} }, 'setup'],
  ])('for %s comes before registration', async (_name, given, kind) => {
    const pinterest = await start();
    const walk = await walkThrough(pinterest, await pinterest.work('no', given));
    expect([walk.state, walk.failure?.kind, count(pinterest, isRegister)]).toEqual(['failed', kind, 0]);
  });

  test.each([
    [{ title: 'x'.repeat(101) }],
    [{ board: 'Clips' }],
    [{ link: 'javascript:alert(1)' }],
    [{ link: `https://x.example/${'x'.repeat(2_048)}` }],
    [{ altText: 'x'.repeat(501) }],
    [{ privacy: 'PUBLIC' }],
    [{ title: null }],
  ])('of invalid options %j', (asked) => {
    expect(connector.options.safeParse(asked).success).toBe(false);
  });

  test('does not apply to empty options', () => {
    expect(connector.options.parse({})).toEqual({});
  });

  test.each([
    [said(403, 29, 'You are not permitted to access that resource.'), 'setup', 'pinterest.board_forbidden'],
    [
      said(403, 29, 'Apps with Trial access may not create Pins in production https://api.pinterest.com - use …'),
      'setup',
      'pinterest.trial_access',
    ],
    [said(403, 7, 'This consumer type is not supported'), 'setup', 'pinterest.consumer_forbidden'],
    [said(404, 40, 'Board not found.'), 'setup', 'pinterest.board_gone'],
    [said(400, 1, "'…' does not match, title is wrong"), 'rejected', 'request_rejected'],
    [said(401, 3, 'Your token does not have sufficient permissions.'), 'reconnect', 'permission_missing'],
  ])('of the pin fails the post: %j', async (fault, kind, code) => {
    const pinterest = await start();
    const work = await pinterest.work('no');
    pinterest.faults.add({ when: isPin, fault });
    const walk = await walkThrough(pinterest, work);
    const detail = { code: 'platform_says', params: { reason: { code } } };
    expect(walk).toMatchObject({ state: 'failed', failure: { kind, detail } });
    expect([count(pinterest, isPin), await pinterest.published()]).toEqual([1, []]);
  });

  test('of a trial application is a setup failure', async () => {
    const pinterest = await start();
    await pinterest.set({ tier: 'trial' });
    const walk = await walkThrough(pinterest, await pinterest.work('trial'));
    expect(walk.failure).toMatchObject({ kind: 'setup', detail: { text: expect.stringContaining('operator') } });
  });

  test('of a deleted board comes before the pin', async () => {
    const pinterest = await start();
    const work = await pinterest.work('gone');
    for (const { id } of await pinterest.boards()) await pinterest.store.remove('board', id);
    const walk = await walkThrough(pinterest, work);
    expect(walk.failure).toMatchObject({ kind: 'setup', platformCode: '40' });
    expect(count(pinterest, isPin)).toBe(0);
  });
});

describe('Pinterest video', () => {
  test('fails the post when processing fails without a reason', async () => {
    const pinterest = await start();
    await pinterest.set({ failMedia: true });
    const walk = await walkThrough(pinterest, await pinterest.work('broken'));
    expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'video' });
    expect(count(pinterest, isRegister)).toBe(1);
  });

  test('is rejected when too large for the storage', async () => {
    const pinterest = await start();
    const work = await pinterest.work('large');
    pinterest.faults.add({ when: isUpload, fault: xml(400, 'EntityTooLarge') });
    expect((await walkThrough(pinterest, work)).failure).toMatchObject({ kind: 'rejected', what: 'video' });
  });

  test.each([
    xml(403, 'AccessDenied'),
    xml(400, 'ExpiredToken'),
    said(403, 0, ''),
    { kind: 'status', answer: { status: 403, body: '<html>' } },
  ] as Fault[])('is registered again when the storage rejects it: %j', async (fault) => {
    const pinterest = await start();
    const work = await pinterest.work('again');
    pinterest.faults.add({ when: isUpload, times: 2, fault });
    const before = pinterest.clock.now;
    const walk = await walkThrough(pinterest, work);
    expect([walk.state, count(pinterest, isRegister), (await pinterest.published()).length]).toEqual(['posted', 3, 1]);
    expect(pinterest.clock.now - before).toBeGreaterThan(60_000);
  });

  test.each([xml(503, 'SlowDown'), { kind: 'status', answer: { status: 500 } }, { kind: 'reset-before' }] as Fault[])(
    'is sent again to the same URL after %j',
    async (fault) => {
      const pinterest = await start();
      const work = await pinterest.work('again');
      pinterest.faults.add({ when: isUpload, times: 1, fault });
      const walk = await walkThrough(pinterest, work);
      expect([walk.state, count(pinterest, isRegister), count(pinterest, isUpload)]).toEqual(['posted', 1, 2]);
    },
  );

  test('is registered again when the form has expired', async () => {
    const pinterest = await start();
    const work = await pinterest.work('late');
    const registered = await walkTo(pinterest, work, ({ checkpoint }) => checkpoint?.mediaId !== undefined);
    pinterest.clock.now += 3_600_000;
    const walk = await walkThrough(pinterest, work, { from: registered });
    expect([walk.state, count(pinterest, isRegister)]).toEqual(['posted', 2]);
  });

  test('is uploaded again when forgotten, keeping the board snapshot', async () => {
    const pinterest = await start();
    const work = await pinterest.work('again');
    pinterest.faults.add({ when: isPoll, times: 1, fault: said(404, 50, 'Media not found') });
    const walk = await walkThrough(pinterest, work);
    expect([walk.state, count(pinterest, isRegister)]).toEqual(['posted', 2]);
  });

  test('is uploaded again when unnoticed for ten minutes', async () => {
    const pinterest = await start();
    const work = await pinterest.work('unnoticed');
    const status: Fault = { kind: 'status', answer: { status: 200, body: { status: 'registered' } } };
    pinterest.faults.add({ when: isPoll, times: 18, fault: status });
    const before = pinterest.clock.now;
    const walk = await walkThrough(pinterest, work);
    expect([walk.state, count(pinterest, isRegister)]).toEqual(['posted', 2]);
    expect(pinterest.clock.now - before).toBeGreaterThan(600_000);
  });

  test('is polled with growing delays until it is processed', async () => {
    const pinterest = await start({ processingMs: 3_600_000 });
    const walk = await walkThrough(pinterest, await pinterest.work('slow'));
    expect(walk.state).toBe('posted');
    expect(count(pinterest, isPoll)).toBeLessThan(70);
  });

  test.each([
    [{ status: 200, body: { media_id: 7, upload_url: 'x', upload_parameters: {} } }],
    [{ status: 201, body: { media_id: '7', upload_url: 'https://x.example', upload_parameters: ['a'] } }],
    [{ status: 201, body: { media_id: '7', upload_url: 'https://x.example', upload_parameters: { 'a"b': 'c' } } }],
    [{ status: 200, body: '<html>' }],
  ])('is retried after an invalid registration: %j', async (response) => {
    const pinterest = await start();
    const work = await pinterest.work('odd');
    pinterest.faults.add({ when: isRegister, times: 1, fault: { kind: 'status', answer: response } });
    const walk = await walkThrough(pinterest, work);
    expect([walk.state, count(pinterest, isUpload)]).toEqual(['posted', 1]);
  });
});

describe('Pinterest limits', () => {
  test('waits as long as Pinterest says and creates one pin', async () => {
    const pinterest = await start();
    const work = await pinterest.work('limited');
    pinterest.faults.add({ when: isPin, times: 2, fault: { kind: 'refusal', refusal: 'rate-limited-with-wait' } });
    const walk = await walkThrough(pinterest, work);
    expect([walk.state, walk.sendKey, (await pinterest.published()).length]).toEqual(['posted', 3, 1]);
    // Between two sends the video and the board are read.
    expect([count(pinterest, isList), count(pinterest, isPin)]).toEqual([3, 3]);
  });

  test('refreshes an expired token at every step', async () => {
    for (const when of [isRegister, isPoll, isList, isPin]) {
      const pinterest = await start();
      const work = await pinterest.work('renewed');
      const before = work.session.secret.accessToken;
      pinterest.faults.add({ when, times: 1, fault: { kind: 'refusal', refusal: 'token-expired' } });
      expect((await walkThrough(pinterest, work)).state).toBe('posted');
      expect(work.session.secret.accessToken).not.toBe(before);
    }
  });
});

describe('Pinterest fault by tag', () => {
  test.each([
    ['reconnect', 'failed', 0, 'reconnect'],
    ['reject', 'failed', 0, 'rejected'],
    ['rate-limit', 'posted', 1, undefined],
    ['slow', 'posted', 1, undefined],
    ['lost-answer', 'posted', 1, undefined],
    ['down', 'posted', 1, undefined],
  ])('handles %s', async (tag, state, published, kind) => {
    const pinterest = await start();
    const walk = await walkThrough(pinterest, await pinterest.work(`hello #sandbox-${tag}`, { sandbox: true }));
    expect([walk.state, (await pinterest.published()).length, walk.failure?.kind]).toEqual([state, published, kind]);
  });
});
