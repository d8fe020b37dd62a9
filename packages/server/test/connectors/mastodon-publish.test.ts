import { createHash } from 'node:crypto';
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import type { Medium } from '@reelay/sandbox/platforms/mastodon/state.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import type { Media } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/mastodon/index.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import { videoOf } from './films.ts';
import { isCover, isLook, isPoll, isStatus, isUpload, startInstance } from './mastodon-driver.ts';
import { begun, move, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startInstance({ processingMs: 2_500, ...overrides }),
);

describe('Mastodon publish', () => {
  test('uploads, waits for processing, posts once, and returns the URL', async () => {
    const instance = await start();
    const work = await instance.work('Sunset run #sea');
    const walk = await walkThrough(instance, work);
    const [entry, ...more] = await instance.published();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ username: 'nora', text: 'Sunset run #sea', sha256: work.media.sha256 });
    expect(walk).toMatchObject({ state: 'posted', published: { remoteId: entry?.id, url: entry?.url } });
    expect(walk.published?.publishedAt).toBe(entry?.publishedAt);
    expect(walk.published?.detail).toBeUndefined();
    expect(walk.notes.join(' ')).not.toContain(String(work.session.secret.accessToken));
  });

  test('sets the cover once before posting', async () => {
    const instance = await start();
    const work = await instance.work('with a picture');
    instance.faults.add({ when: isStatus, times: 1, fault: { kind: 'refusal', refusal: 'rate-limited' } });
    const walk = await walkThrough(instance, work);
    expect([walk.state, instance.requests.filter(isStatus).length]).toEqual(['posted', 2]);
    expect(instance.requests.filter(isCover)).toHaveLength(1);
    const [medium] = await instance.store.list<Medium>('medium', { limit: 1 });
    const { bytes } = await work.media.cover();
    expect(medium?.value.thumbnail).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(walk.notes).toContain('Mastodon has the cover.');
  });

  test.each<[string, Partial<Media>, Fault | null]>([
    ['the server takes none', {}, { kind: 'status', answer: { status: 404, body: { error: 'Not Found' } } }],
    ['the server cannot use this one', { cover: async () => ({ mime: 'image/jpeg', bytes: Buffer.from('no') }) }, null],
    ['it cannot be made', { cover: () => Promise.reject(new Error('No picture.')) }, null],
  ])('posts without a cover when %s', async (_name, facts, fault) => {
    const instance = await start();
    const work = await instance.work('plain', { media: videoOf(Buffer.from('a film'), facts) });
    if (fault) instance.faults.add({ when: isCover, fault });
    const walk = await walkThrough(instance, work);
    expect([walk.state, (await instance.published()).length]).toEqual(['posted', 1]);
    expect(walk.notes.join(' ')).toContain('The video keeps its own preview image.');
    expect((await instance.store.list<Medium>('medium', { limit: 1 }))[0]?.value.thumbnail).toBeNull();
  });

  test('continues with its upload after a restart', async () => {
    const instance = await start();
    const work = await instance.work('once');
    const first = await move(instance, work, begun(instance));
    const walk = await walkThrough(instance, work, { from: { ...begun(instance), checkpoint: first.checkpoint } });
    expect(walk.state).toBe('posted');
    expect(instance.requests.filter(isUpload)).toHaveLength(1);
  });

  test('uploads again for another file', async () => {
    const instance = await start();
    const work = await instance.work('once');
    const first = await move(instance, work, begun(instance));
    const other = { ...work, media: videoOf(Buffer.from('another film')) };
    await walkThrough(instance, other, { from: { ...begun(instance), checkpoint: first.checkpoint } });
    expect((await instance.published())[0]?.sha256).toBe(other.media.sha256);
  });

  test('spends one upload from the budget per upload', async () => {
    const instance = await start();
    const work = await instance.work('once');
    const spent: string[] = [];
    const session = { ...work.session, spend: async (name: string) => void spent.push(name) };
    await walkThrough(instance, { ...work, session });
    expect(spent).toEqual(['uploads']);
  });

  test('does not poll a server that is ready at once', async () => {
    const instance = await start();
    await instance.set({ synchronousMedia: true });
    const walk = await walkThrough(instance, await instance.work('quick'));
    expect(walk.state).toBe('posted');
    expect(instance.requests.filter(isPoll)).toEqual([]);
  });

  test('reports a lower visibility than requested', async () => {
    const instance = await start();
    await instance.set({ limited: true });
    const walk = await walkThrough(instance, await instance.work('quiet'));
    expect(walk.published?.detail).toBe('Posted with the visibility “unlisted”.');
  });

  test("uses the user's default visibility", async () => {
    const instance = await start();
    const work = await instance.work('for friends');
    const session = { ...work.session, extra: { privacy: 'private' } };
    const walk = await walkThrough(instance, { ...work, session });
    expect(walk.published?.detail).toBeUndefined();
    expect((await fetch(`${instance.url}/api/v1/statuses/${walk.published?.remoteId}`)).status).toBe(404);
  });

  test.each([{}, { refuseEmptyText: true }])('posts without text to a server with %j', async (switches) => {
    const instance = await start();
    await instance.set(switches);
    const walk = await walkThrough(instance, await instance.work(''));
    expect([walk.state, instance.requests.filter(isStatus).length]).toEqual(['posted', 1]);
  });
});

describe('Mastodon rejection', () => {
  test("with status 400 fails immediately with the server's words", async () => {
    const instance = await start();
    const response = { status: 400, body: { error: 'Polls are not allowed here' } };
    instance.faults.add({ when: isStatus, fault: { kind: 'status', answer: response } });
    const walk = await walkThrough(instance, await instance.work('once'));
    expect([walk.state, walk.code, instance.requests.filter(isStatus).length]).toEqual(['failed', 'platform_error', 1]);
    expect(walk.detail).toContain('Polls are not allowed here');
  });

  test.each([
    ['noVideoStream', 'video'],
    ['dimensions', 'video'],
    ['frameRate', 'video'],
    ['processing', 'video'],
    ['brokenUpload', 'video'],
  ] as const)('of a video (%s) fails the post with the reason', async (refuseMedia, what) => {
    const instance = await start();
    await instance.set({ refuseMedia });
    const walk = await walkThrough(instance, await instance.work('no'));
    expect(walk).toMatchObject({ state: 'failed', failure: { kind: 'rejected', what } });
    const tries = refuseMedia === 'processing' || refuseMedia === 'brokenUpload' ? 2 : 1;
    expect(instance.requests.filter(isUpload)).toHaveLength(tries);
  });

  test('by the proxy means that the file is too large', async () => {
    const instance = await start();
    await instance.set({ videoSizeLimit: 1_000 });
    const work = await instance.work('big', { media: videoOf(Buffer.alloc(3_000_000)) });
    const walk = await walkThrough(instance, work);
    expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'video', status: 413 });
  });

  test('of a long text is a caption failure without secrets', async () => {
    const instance = await start();
    const work = await instance.work('x'.repeat(501));
    const walk = await walkThrough(instance, work);
    expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'caption', status: 422 });
    expect(JSON.stringify(walk.failure)).not.toContain(String(work.session.secret.accessToken));
  });

  test('in another language is verified and never posts twice', async () => {
    const instance = await start();
    await instance.set({ locale: 'de' });
    const work = await instance.work('x'.repeat(501));
    const walk = await walkThrough(instance, work, { maxMoves: 12 });
    const note = 'The platform responded with api, which does not say whether the post was published.';
    expect(walk.notes).toContainEqual(expect.stringMatching(`^${note} The platform says: \\S.*$`));
    expect(instance.requests.find(isStatus)?.status).toBe(422);
    expect(walk.notes).toContain('The server does not show the post, and its video is unused.');
    expect(await instance.published()).toEqual([]);
  });

  test('without proof is repeated less and less often', async () => {
    const instance = await start();
    await instance.set({ locale: 'de' });
    const walk = await walkThrough(instance, await instance.work('x'.repeat(501)), { maxMoves: 200 });
    expect([walk.state, walk.code]).toEqual(['failed', 'platform_unavailable']);
    const sent = instance.requests.filter(isStatus).map(({ at }) => at);
    expect(sent.length).toBeLessThan(9);
    const pauses = sent.slice(1).map((at, index) => at - (sent[index] ?? 0));
    expect([...pauses].sort((a, b) => a - b)).toEqual(pauses);
    expect(walk.notes.join(' ')).toContain('did not publish the post after 3 requests');
  });

  test.each(['upload', 'status'] as const)('of the token at the %s asks to reconnect', async (where) => {
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
  ] as const)('of a login that is %s fails the post', async (login, failure) => {
    const instance = await start();
    const work = await instance.work('no');
    await instance.set({ login });
    expect((await walkThrough(instance, work)).failure).toMatchObject(failure);
  });

  test('of a token with missing scopes asks to reconnect', async () => {
    const instance = await start();
    const work = await instance.work('no');
    const token = String(work.session.secret.accessToken);
    await instance.store.change<object>('token', token, (known) => known && { ...known, scopes: ['read'] });
    expect((await walkThrough(instance, work)).failure).toMatchObject({ kind: 'reconnect', status: 403 });
  });

  test('by a limit waits exactly as long as given', async () => {
    const instance = await start({ limits: true });
    const work = await instance.work('soon');
    for (let count = 0; count < 30; count++) await move(instance, work, begun(instance));
    const before = instance.clock.now;
    const refused = await move(instance, work, begun(instance));
    expect(refused.notes.at(-1)).toMatch(/^Mastodon limits requests\./);
    expect(instance.clock.now % 1_800_000).toBe(0);
    expect(instance.clock.now).toBeGreaterThan(before);
    expect((await walkThrough(instance, work)).state).toBe('posted');
  });

  test('does not end a long processing before the deadline', async () => {
    const instance = await start({ processingMs: 3_600_000 });
    const work = await instance.work('long');
    let walk = begun(instance);
    while (!walk.notes.includes('Mastodon is processing the video.') || walk.checkpoint === null)
      walk = await move(instance, work, walk);
    instance.clock.now += 600_000;
    expect(await connector.step(work, walk.checkpoint)).toMatchObject({
      then: 'failed',
      failure: { kind: 'transient' },
    });
    expect((await walkThrough(instance, work, { from: walk, maxMoves: 200 })).state).toBe('posted');
  });
});

describe('Mastodon confirmation', () => {
  test('fails a silently dropped post after minutes', async () => {
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

  test('keeps the post when the token becomes invalid', async () => {
    const instance = await start();
    const work = await instance.work('once');
    const accepted = await walkTo(instance, work, 'confirming');
    instance.faults.add({ when: isLook, fault: { kind: 'refusal', refusal: 'token-revoked' } });
    const walk = await walkThrough(instance, work, { from: accepted });
    const [entry] = await instance.published();
    expect(walk).toMatchObject({ state: 'posted', published: { remoteId: entry?.id, url: entry?.url } });
    expect(walk.published?.detail).toMatch(/can no longer be read/);
  });

  test('stops polling when the server stays silent', async () => {
    const instance = await start();
    const work = await instance.work('once');
    const accepted = await walkTo(instance, work, 'confirming');
    const at = instance.clock.now;
    instance.faults.add({ when: isLook, fault: { kind: 'reset-before' } });
    const walk = await walkThrough(instance, work, { from: accepted, maxMoves: 200 });
    expect(walk.published?.detail).toMatch(/can no longer be read/);
    expect(instance.clock.now - at).toBeGreaterThanOrEqual(3_590_000);
  });
});

describe('Mastodon verification without an upload', () => {
  async function looking(text: string) {
    const instance = await start();
    const work = await instance.work(text);
    const committedAt = instance.clock.now;
    const look = () => connector.verify(work, null, { text, durationMs: 31_000, committedAt });
    return { instance, work, look };
  }

  test('finds the post by its text', async () => {
    const text = 'Läuft & <b>läuft</b> https://example.org/a/very/long/address/that/is/cut @otto@other.example #sea';
    const { instance, work, look } = await looking(text);
    expect(await look()).toMatchObject({ then: 'notPosted', checkpoint: null });
    const posted = await walkThrough(instance, work);
    expect(await look()).toMatchObject({ then: 'posted', published: { remoteId: posted.published?.remoteId } });
  });

  test('stays unknown when several posts match', async () => {
    const { instance, work, look } = await looking('again');
    await walkThrough(instance, work);
    await walkThrough(instance, { ...work, post: { ...work.post, targetId: 'another' } });
    expect((await look()).then).toBe('stillUnknown');
  });

  test('matches no post by an empty text', async () => {
    const { instance, work, look } = await looking('✨');
    expect((await look()).then).toBe('notPosted');
    await walkThrough(instance, work);
    expect((await look()).then).toBe('stillUnknown');
  });

  test('ignores an older post with the same text', async () => {
    const { instance, work } = await looking('again');
    await walkThrough(instance, work);
    instance.clock.now += 60_000;
    const fingerprint = { text: 'again', durationMs: 31_000, committedAt: instance.clock.now };
    expect((await connector.verify(work, null, fingerprint)).then).toBe('notPosted');
  });

  test('reads further pages and stays unknown beyond the maximum', async () => {
    const { instance, work, look } = await looking('first');
    await walkThrough(instance, work);
    const [owner, clientId] = [work.session.remoteId, ''];
    const fill = async (count: number) => {
      for (let index = 0; index < count; index++) {
        const id = String((BigInt(instance.clock.now) << 16n) + 1_000_000n + BigInt(index));
        const mediaIds = ['none'];
        const status = { id, accountId: owner, clientId, text: 'more', spoilerText: '', visibility: 'public' };
        const rest = { sensitive: false, language: null, mediaIds, createdAt: instance.clock.now, hiddenUntil: 0 };
        await instance.store.put('status', id, { ...status, ...rest, revealed: true }, owner);
      }
    };
    await fill(100);
    expect((await look()).then).toBe('posted');
    await fill(400);
    expect(await look()).toMatchObject({ then: 'stillUnknown', note: { code: 'list_too_long' } });
  });

  test('proves nothing when the list cannot be read', async () => {
    const { instance, look } = await looking('again');
    instance.faults.add({
      when: ({ path }) => path.endsWith('/statuses'),
      fault: { kind: 'refusal', refusal: 'token-revoked' },
    });
    await expect(look()).rejects.toMatchObject({ failure: { kind: 'reconnect' } });
  });
});

describe('Mastodon fault by tag', () => {
  test.each([
    ['reconnect', 'failed', 0, 'reconnect'],
    ['reject', 'failed', 0, 'rejected'],
    ['rate-limit', 'posted', 1, undefined],
    ['slow', 'posted', 1, undefined],
    ['lost-answer', 'posted', 1, undefined],
    ['down', 'posted', 1, undefined],
  ])('handles %s', async (tag, state, count, kind) => {
    const instance = await start();
    const work = await instance.work(`hello #sandbox-${tag}`, { sandbox: true });
    const walk = await walkThrough(instance, work);
    expect([walk.state, (await instance.published()).length, walk.failure?.kind]).toEqual([state, count, kind]);
  });
});
