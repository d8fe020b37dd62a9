import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Media } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/mastodon/index.ts';
import type { Medium } from '../../src/connectors/mastodon/simulator/state.ts';
import type { Fault } from '../../src/sandbox/faults.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import { videoOf } from './films.ts';
import { isCover, isLook, isPoll, isStatus, isUpload, startInstance } from './mastodon-driver.ts';
import { begun, move, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startInstance({ processingMs: 2_500, ...overrides }),
);

describe('a publish', () => {
  test('uploads, waits for the server, posts once and says where', async () => {
    const instance = await start();
    const work = await instance.work('Sunset run #sea');
    const walk = await walkThrough(instance, work);
    const [entry, ...more] = await instance.published();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ username: 'nora', text: 'Sunset run #sea', sha256: work.media.sha256 });
    expect(walk).toMatchObject({ phase: 'posted', published: { remoteId: entry?.id, url: entry?.url } });
    expect(walk.published?.publishedAt).toBe(entry?.publishedAt);
    expect(walk.published?.detail).toBeUndefined();
    expect(walk.notes.join(' ')).not.toContain(String(work.session.secret.accessToken));
  });

  test('gives the video the picture of the chosen moment, once, before it is posted', async () => {
    const instance = await start();
    const work = await instance.work('with a picture');
    instance.faults.add({ when: isStatus, times: 1, fault: { kind: 'refusal', refusal: 'rate-limited' } });
    const walk = await walkThrough(instance, work);
    expect([walk.phase, instance.requests.filter(isStatus).length]).toEqual(['posted', 2]);
    expect(instance.requests.filter(isCover)).toHaveLength(1);
    const [medium] = await instance.books.list<Medium>('medium', { limit: 1 });
    const { bytes } = await work.media.cover();
    expect(medium?.value.thumbnail).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(walk.notes).toContain('The video is ready. It has the picture of the chosen moment.');
  });

  test.each<[string, Partial<Media>, Fault | null]>([
    ['the server takes none', {}, { kind: 'status', answer: { status: 404, body: { error: 'Not Found' } } }],
    ['the server cannot use this one', { cover: async () => ({ mime: 'image/jpeg', bytes: Buffer.from('no') }) }, null],
    ['it cannot be made', { cover: () => Promise.reject(new Error('No picture.')) }, null],
  ])('without a picture the post is made all the same, because %s', async (_name, facts, fault) => {
    const instance = await start();
    const work = await instance.work('plain', { media: videoOf(Buffer.from('a film'), facts) });
    if (fault) instance.faults.add({ when: isCover, fault });
    const walk = await walkThrough(instance, work);
    expect([walk.phase, (await instance.published()).length]).toEqual(['posted', 1]);
    expect(walk.notes.join(' ')).toContain('It has no picture of the chosen moment');
    expect((await instance.books.list<Medium>('medium', { limit: 1 }))[0]?.value.thumbnail).toBeNull();
  });

  test('goes on with the upload it has, also after a restart', async () => {
    const instance = await start();
    const work = await instance.work('once');
    const first = await move(instance, work, begun());
    const walk = await walkThrough(instance, work, { from: { ...begun(), checkpoint: first.checkpoint } });
    expect(walk.phase).toBe('posted');
    expect(instance.requests.filter(isUpload)).toHaveLength(1);
  });

  test('uploads again when the file is another one', async () => {
    const instance = await start();
    const work = await instance.work('once');
    const first = await move(instance, work, begun());
    const other = { ...work, media: videoOf(Buffer.from('another film')) };
    await walkThrough(instance, other, { from: { ...begun(), checkpoint: first.checkpoint } });
    expect((await instance.published())[0]?.sha256).toBe(other.media.sha256);
  });

  test('takes one upload from the budget for each that it makes', async () => {
    const instance = await start();
    const work = await instance.work('once');
    const spent: string[] = [];
    const session = { ...work.session, spend: async (name: string) => void spent.push(name) };
    await walkThrough(instance, { ...work, session });
    expect(spent).toEqual(['uploads']);
  });

  test('a server that is ready at once is not asked again', async () => {
    const instance = await start();
    await instance.set({ synchronousMedia: true });
    const walk = await walkThrough(instance, await instance.work('quick'));
    expect(walk.phase).toBe('posted');
    expect(instance.requests.filter(isPoll)).toEqual([]);
  });

  test('says so when the server shows it to fewer people than asked', async () => {
    const instance = await start();
    await instance.set({ limited: true });
    const walk = await walkThrough(instance, await instance.work('quiet'));
    expect(walk.published?.detail).toBe('The server posted it as unlisted, not public.');
  });

  test('posts as the user usually does', async () => {
    const instance = await start();
    const work = await instance.work('for friends');
    const session = { ...work.session, extra: { privacy: 'private' } };
    const walk = await walkThrough(instance, { ...work, session });
    expect(walk.published?.detail).toBeUndefined();
    expect((await fetch(`${instance.url}/api/v1/statuses/${walk.published?.remoteId}`)).status).toBe(404);
  });

  test('a post without words is a post', async () => {
    const instance = await start();
    expect((await walkThrough(instance, await instance.work(''))).phase).toBe('posted');
  });
});

describe('refusals', () => {
  test.each([
    ['noVideoStream', 'video'],
    ['dimensions', 'video'],
    ['frameRate', 'video'],
    ['processing', 'video'],
    ['brokenUpload', 'video'],
  ] as const)('a video that the server cannot take (%s) ends with the reason', async (refuseMedia, what) => {
    const instance = await start();
    await instance.set({ refuseMedia });
    const walk = await walkThrough(instance, await instance.work('no'));
    expect(walk).toMatchObject({ phase: 'failed', failure: { kind: 'rejected', what } });
    const tries = refuseMedia === 'processing' || refuseMedia === 'brokenUpload' ? 2 : 1;
    expect(instance.requests.filter(isUpload)).toHaveLength(tries);
  });

  test('a file that the proxy will not have is a video that is too large', async () => {
    const instance = await start();
    await instance.set({ videoSizeLimit: 1_000 });
    const work = await instance.work('big', { media: videoOf(Buffer.alloc(3_000_000)) });
    const walk = await walkThrough(instance, work);
    expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'video', status: 413 });
  });

  test('a text that is too long is a caption, and its failure names no secret', async () => {
    const instance = await start();
    const work = await instance.work('x'.repeat(501));
    const walk = await walkThrough(instance, work);
    expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'caption', status: 422 });
    expect(JSON.stringify(walk.failure)).not.toContain(String(work.session.secret.accessToken));
  });

  test('a refusal in another language is looked into, and never posts twice', async () => {
    const instance = await start();
    await instance.set({ locale: 'de' });
    const work = await instance.work('x'.repeat(501));
    const walk = await walkThrough(instance, work, { maxMoves: 12 });
    expect(walk.notes).toContain('The platform answered api, which does not say whether it was posted.');
    expect(instance.requests.find(isStatus)?.status).toBe(422);
    expect(walk.notes).toContain('The account does not show the post, and the video is unused.');
    expect(await instance.published()).toEqual([]);
  });

  test.each(['upload', 'status'] as const)('a dead token at the %s asks the user to connect again', async (where) => {
    const instance = await start();
    const when = where === 'upload' ? isUpload : isStatus;
    const work = await instance.work('once');
    instance.faults.add({ when, fault: { kind: 'refusal', refusal: 'token-revoked' } });
    const walk = await walkThrough(instance, work);
    expect(walk.failure).toMatchObject({ kind: 'reconnect', status: 401 });
    expect(await instance.published()).toEqual([]);
  });

  test.each([
    ['disabled', { kind: 'rejected', what: 'permission' }],
    ['pending', { kind: 'rejected', what: 'permission' }],
  ] as const)('a login that is %s ends the post', async (login, failure) => {
    const instance = await start();
    const work = await instance.work('no');
    await instance.set({ login });
    expect((await walkThrough(instance, work)).failure).toMatchObject(failure);
  });

  test('a token for less asks the user to connect again', async () => {
    const instance = await start();
    const work = await instance.work('no');
    const token = String(work.session.secret.accessToken);
    await instance.books.change<object>('token', token, (known) => known && { ...known, scopes: ['read'] });
    expect((await walkThrough(instance, work)).failure).toMatchObject({ kind: 'reconnect', status: 403 });
  });

  test('limits are waited out to the second', async () => {
    const instance = await start({ limits: true });
    const work = await instance.work('soon');
    for (let count = 0; count < 30; count++) await move(instance, work, begun());
    const before = instance.clock.now;
    const refused = await move(instance, work, begun());
    expect(refused.notes.at(-1)).toContain('429');
    expect(instance.clock.now % 1_800_000).toBe(0);
    expect(instance.clock.now).toBeGreaterThan(before);
    expect((await walkThrough(instance, work)).phase).toBe('posted');
  });

  test('a video that is worked on for too long is left to the deadline', async () => {
    const instance = await start({ processingMs: 3_600_000 });
    const work = await instance.work('long');
    let walk = begun();
    while (!walk.notes.includes('The server still works on the video.') || walk.checkpoint === null)
      walk = await move(instance, work, walk);
    instance.clock.now += 600_000;
    expect(await connector.step(work, walk.checkpoint)).toMatchObject({
      then: 'failed',
      failure: { kind: 'transient' },
    });
    expect((await walkThrough(instance, work, { from: walk, maxMoves: 200 })).phase).toBe('posted');
  });
});

describe('after the post', () => {
  test('a post that the server silently dropped ends as refused by its policy, after minutes', async () => {
    const instance = await start();
    await instance.set({ silentDrop: true });
    const work = await instance.work('buy now');
    const accepted = await walkTo(instance, work, 'confirming');
    const at = instance.clock.now;
    const walk = await walkThrough(instance, work, { from: accepted });
    expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'policy' });
    expect(instance.clock.now - at).toBeGreaterThanOrEqual(290_000);
    expect(await instance.published()).toEqual([]);
  });

  test('a token that dies meanwhile does not turn the post into a failure', async () => {
    const instance = await start();
    const work = await instance.work('once');
    const accepted = await walkTo(instance, work, 'confirming');
    instance.faults.add({ when: isLook, fault: { kind: 'refusal', refusal: 'token-revoked' } });
    const walk = await walkThrough(instance, work, { from: accepted });
    const [entry] = await instance.published();
    expect(walk).toMatchObject({ phase: 'posted', published: { remoteId: entry?.id, url: entry?.url } });
    expect(walk.published?.detail).toMatch(/could not be looked up/);
  });

  test('a server that then says nothing any more is not asked for ever', async () => {
    const instance = await start();
    const work = await instance.work('once');
    const accepted = await walkTo(instance, work, 'confirming');
    const at = instance.clock.now;
    instance.faults.add({ when: isLook, fault: { kind: 'reset-before' } });
    const walk = await walkThrough(instance, work, { from: accepted, maxMoves: 200 });
    expect(walk.published?.detail).toMatch(/could not be looked up/);
    expect(instance.clock.now - at).toBeGreaterThanOrEqual(3_590_000);
  });
});

describe('looking without a handle', () => {
  async function looking(text: string) {
    const instance = await start();
    const work = await instance.work(text);
    const committedAt = instance.clock.now;
    const look = () => connector.verify(work, null, { text, durationMs: 31_000, committedAt });
    return { instance, work, look };
  }

  test('finds the post by its words', async () => {
    const text = 'Läuft & <b>läuft</b> https://example.org/a/very/long/address/that/is/cut @otto@other.example #sea';
    const { instance, work, look } = await looking(text);
    expect(await look()).toMatchObject({ then: 'notPosted', checkpoint: null });
    const posted = await walkThrough(instance, work);
    expect(await look()).toMatchObject({ then: 'posted', published: { remoteId: posted.published?.remoteId } });
  });

  test('does not know which, when several fit', async () => {
    const { instance, work, look } = await looking('again');
    await walkThrough(instance, work);
    await walkThrough(instance, { ...work, post: { ...work.post, targetId: 'another' } });
    expect((await look()).then).toBe('stillUnknown');
  });

  test('knows no post by an empty text', async () => {
    const { instance, work, look } = await looking('✨');
    expect((await look()).then).toBe('notPosted');
    await walkThrough(instance, work);
    expect((await look()).then).toBe('stillUnknown');
  });

  test('an older post with the same words is not this one', async () => {
    const { instance, work } = await looking('again');
    await walkThrough(instance, work);
    instance.clock.now += 60_000;
    const fingerprint = { text: 'again', durationMs: 31_000, committedAt: instance.clock.now };
    expect((await connector.verify(work, null, fingerprint)).then).toBe('notPosted');
  });

  test('reads as many pages as it takes, and gives up where there are too many', async () => {
    const { instance, work, look } = await looking('first');
    await walkThrough(instance, work);
    const [owner, clientId] = [work.session.remoteId, ''];
    const fill = async (count: number) => {
      for (let index = 0; index < count; index++) {
        const id = String((BigInt(instance.clock.now) << 16n) + 1_000_000n + BigInt(index));
        const mediaIds = ['none'];
        const status = { id, accountId: owner, clientId, text: 'more', spoilerText: '', visibility: 'public' };
        const rest = { sensitive: false, language: null, mediaIds, createdAt: instance.clock.now, hiddenUntil: 0 };
        await instance.books.put('status', id, { ...status, ...rest, revealed: true }, owner);
      }
    };
    await fill(100);
    expect((await look()).then).toBe('posted');
    await fill(400);
    expect(await look()).toMatchObject({ then: 'stillUnknown', note: expect.stringContaining('too much') });
  });

  test('a look that fails teaches nothing', async () => {
    const { instance, look } = await looking('again');
    instance.faults.add({
      when: ({ path }) => path.endsWith('/statuses'),
      fault: { kind: 'refusal', refusal: 'token-revoked' },
    });
    await expect(look()).rejects.toMatchObject({ failure: { kind: 'reconnect' } });
  });
});

describe('trouble by tag', () => {
  test.each([
    ['reconnect', 'failed', 0, 'reconnect'],
    ['reject', 'failed', 0, 'rejected'],
    ['rate-limit', 'posted', 1, undefined],
    ['slow', 'posted', 1, undefined],
    ['lost-answer', 'posted', 1, undefined],
    ['down', 'posted', 1, undefined],
  ])('%s', async (tag, phase, count, kind) => {
    const instance = await start();
    const work = await instance.work(`hello #sandbox-${tag}`, { sandbox: true });
    const walk = await walkThrough(instance, work);
    expect([walk.phase, (await instance.published()).length, walk.failure?.kind]).toEqual([phase, count, kind]);
  });
});
