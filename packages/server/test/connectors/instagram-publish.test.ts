import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import type { Login } from '@reelay/sandbox/platforms/instagram/records.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import type { Work } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/instagram/index.ts';
import { isWholeUpload } from '../harness/simulator.ts';
import { filmOf } from './films.ts';
import {
  type Instagram,
  isCreate,
  isLimit,
  isList,
  isPublish,
  isReel,
  isStatus,
  isUpload,
  startInstagram,
} from './instagram-driver.ts';
import { begun, extended, move, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((given: Parameters<typeof startInstagram>[0] = {}) =>
  startInstagram({ processingMs: 2_500, ...given }),
);
const LOGINS: Login[] = ['instagram', 'facebook'];
/** A publish whose container exists. */
const made = (instagram: Instagram, work: Work) => walkTo(instagram, work, ({ checkpoint }) => !!checkpoint?.container);
const count = ({ requests }: Instagram, when: (call: { method: string; path: string }) => boolean) =>
  requests.filter(when).length;
const refused = (code: number, subcode?: number, headers: Record<string, string> = {}): Fault => {
  const error = {
    message: 'No.',
    code,
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
    fbtrace_id: 'A1',
  };
  return { kind: 'status', answer: { status: 400, headers, body: { error } } };
};

describe('Page tokens that are not shown containers', () => {
  test('publish with one container, read with the person’s token', async () => {
    const instagram = await start({ login: 'facebook' });
    await instagram.set({ hiddenFromPages: true });
    const walk = await walkThrough(instagram, await instagram.work('hidden'));
    expect([walk.state, (await instagram.published()).length]).toEqual(['posted', 1]);
    expect(walk.published?.url).toContain('/reel/');
    expect(await instagram.containers()).toHaveLength(1);
  });

  test('count a container as gone without the person’s token', async () => {
    const instagram = await start({ login: 'facebook' });
    const work = await instagram.work('ended');
    const created = await walkTo(instagram, work, ({ checkpoint }) => Boolean(checkpoint?.container));
    await instagram.set({ hiddenFromPages: true });
    instagram.clock.now += 61 * 86_400_000;
    const again = await walkTo(instagram, work, ({ checkpoint }) => checkpoint?.restarts === 1, created);
    expect(again.checkpoint?.container).toBe('');
  });
});

describe('publish', () => {
  test.each(LOGINS)('with %s makes one reel of all bytes, reports URL', async (login) => {
    const instagram = await start({ login });
    const work = await instagram.work('Sunset run #sea');
    const walk = await walkThrough(instagram, work);
    const [entry, ...more] = await instagram.published();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ username: 'nora.cuts', text: 'Sunset run #sea' });
    expect(entry && (await isWholeUpload(instagram, entry, work.media))).toBe(true);
    expect(walk).toMatchObject({ state: 'posted', published: { remoteId: entry?.id, url: entry?.url } });
    expect(walk.published?.publishedAt).toBe(Math.floor((entry?.publishedAt ?? 0) / 1000) * 1000);
    expect([count(instagram, isUpload), count(instagram, isPublish)]).toEqual([login === 'facebook' ? 1 : 0, 1]);
    const said = JSON.stringify([walk.notes, walk.checkpoint, walk.published]);
    for (const secret of [work.session.secret.accessToken, work.media.link()])
      expect(said).not.toContain(String(secret));
  });

  test('sends caption, thumbnail offset and options', async () => {
    const instagram = await start();
    const options = connector.options.parse({
      shareToFeed: false,
      collaborators: ['@wanda', 'otto'],
      audioName: 'Waves',
      trial: 'performance',
      aiGenerated: true,
    });
    await walkThrough(instagram, await instagram.work('Läuft & läuft', { options }));
    const form = instagram.asked.find(({ url, method }) => method === 'POST' && url.endsWith('/media'))?.form;
    expect(form).toMatchObject({
      media_type: 'REELS',
      caption: 'Läuft & läuft',
      thumb_offset: '1200',
      share_to_feed: 'false',
      collaborators: '["wanda","otto"]',
      audio_name: 'Waves',
      trial_params: '{"graduation_strategy":"SS_PERFORMANCE"}',
      is_ai_generated: 'true',
    });
  });

  test.each([
    ['another field', { title: 'x' }],
    ['four collaborators', { collaborators: ['a', 'b', 'c', 'd'] }],
    ['a name that is none', { collaborators: ['a b'] }],
    ['a trial that there is not', { trial: 'soon' }],
    ['a word for a boolean', { shareToFeed: 'no' }],
  ])('rejects %s', (_name, asked) => {
    expect(connector.options.safeParse(asked).success).toBe(false);
  });

  test('limits the thumbnail offset to the duration', async () => {
    const instagram = await start();
    const work = await instagram.work('late frame');
    const post = { ...work.post, previewTimeMs: 99_000 };
    await walkThrough(instagram, { ...work, post });
    expect(instagram.asked.find(({ form }) => form?.caption)?.form?.thumb_offset).toBe('30999');
    expect((await instagram.containers())[0]?.thumbOffset).toBe(30_999);
  });

  test('continues with its container after a restart', async () => {
    const instagram = await start();
    const work = await instagram.work('once');
    const first = await made(instagram, work);
    const walk = await walkThrough(instagram, work, { from: { ...begun(instagram), checkpoint: first.checkpoint } });
    expect(walk.state).toBe('posted');
    expect(count(instagram, isCreate)).toBe(1);
  });

  test('retries of creating a container spend one daily post', async () => {
    const instagram = await start();
    const work = await instagram.work('once');
    instagram.faults.add({ when: isCreate, times: 5, fault: { kind: 'refusal', refusal: 'server-error' } });
    expect((await walkThrough(instagram, work)).state).toBe('posted');
    expect(instagram.spent.filter((name) => name === 'posts')).toHaveLength(1);
    expect(instagram.spent.filter((name) => name === 'containers')).toHaveLength(6);
  });

  test('spends one post and one container', async () => {
    const instagram = await start();
    await walkThrough(instagram, await instagram.work('once'));
    const spent = instagram.spent.filter((name) => name === 'posts' || name === 'containers');
    expect(spent).toEqual(['posts', 'containers']);
  });

  test('polls less often while the video is processed', async () => {
    const instagram = await start({ processingMs: 600_000 });
    await walkThrough(instagram, await instagram.work('slow'));
    const times = instagram.requests.filter(isStatus).map(({ at }) => at);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses.slice(0, 5)).toEqual([2_000, 5_000, 15_000, 30_000, 60_000]);
    expect(new Set(pauses.slice(4, -1))).toEqual(new Set([60_000]));
  });

  test('sends its token only to the known upload host', async () => {
    const instagram = await start({ login: 'facebook' });
    const work = await instagram.work('once');
    // An existing container, so that only the URL is wrong.
    const { checkpoint } = await made(instagram, work);
    const body = { id: String(checkpoint?.container), uri: 'https://evil.example/ig-api-upload/v25.0/1' };
    instagram.faults.add({ when: isCreate, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    const walk = await walkThrough(instagram, work);
    expect(walk.state).toBe('posted');
    expect(instagram.asked.some(({ url }) => url.includes('evil'))).toBe(false);
  });
});

describe('before a container is created', () => {
  test.each([
    ['31 hashtags', 'x'.concat(' #a'.repeat(31)), {}, 'caption'],
    ['21 tags of people', '@nora '.repeat(21), {}, 'caption'],
  ])('rejects %s', async (_name, text, facts, what) => {
    const instagram = await start();
    const walk = await walkThrough(instagram, await instagram.work(text, { media: filmOf(1_000, facts) }));
    expect(walk).toMatchObject({ state: 'failed', failure: { kind: 'rejected', what } });
    expect(count(instagram, isCreate)).toBe(0);
  });

  test('waits hourly when the daily posts are used up', async () => {
    const instagram = await start({ limits: true });
    await instagram.set({ quotaTotal: 1 });
    await walkThrough(instagram, await instagram.work('first'));
    const before = instagram.clock.now;
    const work = await instagram.work('second');
    const waiting = await move(instagram, work, begun(instagram));
    expect(instagram.clock.now - before).toBe(3_600_000);
    expect(count(instagram, isCreate)).toBe(1);
    const walk = await walkThrough(instagram, work, { from: waiting });
    expect(walk.state).toBe('posted');
    expect(instagram.clock.now - before).toBeGreaterThanOrEqual(23 * 3_600_000);
  });

  test.each([
    ['is not there', refused(100)],
    ['fails', { kind: 'refusal', refusal: 'server-error' }],
    ['is a page', { kind: 'garbage', acted: false }],
  ] as [string, Fault][])('ignores a daily count that %s', async (_name, fault) => {
    const instagram = await start();
    const work = await instagram.work('once');
    const strike = instagram.faults.add({ when: isLimit, fault });
    expect((await walkThrough(instagram, work)).state).toBe('posted');
    expect(strike.hits()).toBe(1);
  });
});

describe('rejections', () => {
  test.each([
    [-2, 2207003, 'posted'],
    [-2, 2207020, 'posted'],
    [-1, 2207001, 'posted'],
    [-1, 2207032, 'posted'],
    [-1, 2207053, 'posted'],
    [1, 2207057, 'other'],
    [4, 2207051, 'policy'],
    [9, 2207042, 'posted'],
    [24, 2207006, 'posted'],
    [25, 2207050, 'permission'],
    [100, 2207023, 'other'],
    [100, 2207040, 'caption'],
    [352, 2207026, 'video'],
    [9004, 2207052, 'posted'],
    [36004, 2207010, 'caption'],
    [190, 458, 'reconnect'],
    [190, 460, 'reconnect'],
    [10, undefined, 'reconnect'],
    [200, undefined, 'reconnect'],
    [1, undefined, 'posted'],
    [2, undefined, 'posted'],
    [4, undefined, 'posted'],
    [17, undefined, 'posted'],
    [32, undefined, 'posted'],
    [613, undefined, 'posted'],
    [80002, undefined, 'posted'],
    [368, undefined, 'posted'],
  ])('%i/%s when creating the container', async (code, subcode, outcome) => {
    const instagram = await start();
    const work = await instagram.work('once');
    instagram.faults.add({ when: isCreate, times: 1, fault: refused(code, subcode) });
    const { state, failure } = await walkThrough(instagram, work);
    const ended = failure?.kind === 'rejected' ? failure.what : failure?.kind;
    expect(ended ?? state).toBe(outcome);
    expect(await instagram.published()).toHaveLength(outcome === 'posted' ? 1 : 0);
    if (failure)
      expect(failure).toMatchObject({ platformCode: subcode ? `${code}/${subcode}` : String(code), requestId: 'A1' });
  });

  test('waits as long as the usage header states', async () => {
    const instagram = await start();
    const work = await instagram.work('once');
    const usage = JSON.stringify({ '1': [{ type: 'instagram', estimated_time_to_regain_access: 17 }] });
    instagram.faults.add({
      when: isCreate,
      times: 1,
      fault: refused(80002, undefined, { 'x-business-use-case-usage': usage }),
    });
    const begin = await move(instagram, work, begun(instagram));
    const before = instagram.clock.now;
    await move(instagram, work, begin);
    expect(instagram.clock.now - before).toBe(17 * 60_000);
  });

  test.each([
    ['2207026', 1, { kind: 'rejected', what: 'video', platformCode: '2207026' }],
    ['2207010', 1, { kind: 'rejected', what: 'caption' }],
    ['2207051', 1, { kind: 'rejected', what: 'policy' }],
    ['2207081', 1, { kind: 'rejected', what: 'other' }],
    ['2207052', 4, { kind: 'setup', detail: { text: expect.stringContaining('PUBLIC_URL') } }],
    ['2207077', 4, { kind: 'setup' }],
    [
      'nothing known',
      2,
      { kind: 'rejected', what: 'video', detail: { text: expect.stringContaining('nothing known') } },
    ],
  ])('a container failing with %s is created %i times', async (failing, times, failure) => {
    const instagram = await start();
    const work = await instagram.work('no');
    await instagram.set({ failing });
    const walk = await walkThrough(instagram, work);
    expect(walk).toMatchObject({ state: 'failed', failure });
    expect(count(instagram, isCreate)).toBe(times);
    expect(count(instagram, isPublish)).toBe(0);
  });

  test.each(['2207082', '2207085'])(
    'the temporary failure %s ends the post after three containers',
    async (failing) => {
      const instagram = await start();
      await instagram.set({ failing });
      const walk = await walkThrough(instagram, await instagram.work('bad'));
      expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'video', platformCode: failing });
      expect(walk.failure?.detail.text).toContain(failing);
      expect(await instagram.containers()).toHaveLength(3);
    },
  );

  test.each(['2207076', '2207082', '2207032'])('a temporary failure (%s) starts a new container', async (failing) => {
    const instagram = await start();
    const work = await instagram.work('again');
    await instagram.set({ failing });
    const once = await walkTo(
      instagram,
      work,
      ({ notes }) => notes.at(-1)?.endsWith('Creating a new container.') === true,
    );
    await instagram.set({ failing: null });
    expect((await walkThrough(instagram, work, { from: once })).state).toBe('posted');
    expect(count(instagram, isCreate)).toBe(2);
    const spent = instagram.spent.filter((name) => name === 'posts' || name === 'containers');
    expect(spent).toEqual(['posts', 'containers', 'containers']);
  });

  test('abandons a container after half an hour of processing', async () => {
    const instagram = await start({ processingMs: 86_000_000 });
    const work = await instagram.work('stuck');
    const before = instagram.clock.now;
    const walk = await walkTo(
      instagram,
      work,
      ({ notes }) => notes.at(-1)?.endsWith('Creating a new container.') === true,
    );
    expect(walk.notes.at(-1)).toContain('did not finish');
    expect(instagram.clock.now - before).toBeGreaterThan(1_800_000);
  });

  test('replaces a container that expired before publishing', async () => {
    const instagram = await start();
    const work = await instagram.work('late');
    const waiting = await made(instagram, work);
    instagram.clock.now += 86_400_000;
    const walk = await walkThrough(instagram, work, { from: extended(waiting) });
    expect(walk.notes.join(' ')).toContain('expired');
    expect(walk.state).toBe('posted');
  });

  test('replaces a container that disappeared before publishing', async () => {
    const instagram = await start();
    const work = await instagram.work('gone');
    instagram.faults.add({ when: isStatus, times: 1, fault: refused(100, 33) });
    expect((await walkThrough(instagram, work)).state).toBe('posted');
    expect(count(instagram, isCreate)).toBe(2);
  });
});

describe('publish request', () => {
  test.each([
    [9007, 2207027, 'posted'],
    [9, 2207042, 'posted'],
    [24, 2207008, 'posted'],
    [-1, 2207001, 'posted'],
    [1, undefined, 'posted'],
    [4, undefined, 'posted'],
    [25, 2207050, 'permission'],
    [4, 2207051, 'posted'],
    [190, 458, 'reconnect'],
    [10, undefined, 'reconnect'],
    [203, undefined, 'reconnect'],
    [368, undefined, 'posted'],
    [100, undefined, 'posted'],
    [987654, undefined, 'posted'],
  ])('%i/%s without effect ends as %s', async (code, subcode, outcome) => {
    const instagram = await start();
    const work = await instagram.work('once');
    instagram.faults.add({ when: isPublish, times: 1, fault: refused(code, subcode) });
    const { state, failure } = await walkThrough(instagram, work);
    const ended = failure?.kind === 'rejected' ? failure.what : failure?.kind;
    expect(ended ?? state).toBe(outcome);
    expect(await instagram.published()).toHaveLength(outcome === 'posted' ? 1 : 0);
    expect(count(instagram, isCreate)).toBe(1);
  });

  test('verifies "blocked as spam", because the reel may exist', async () => {
    const instagram = await start();
    const work = await instagram.work('once');
    const { kind, ...fault } = refused(4, 2207051) as Fault & { kind: 'status' };
    instagram.faults.add({ when: isPublish, times: 1, fault: { kind, ...fault, acted: true } });
    const walk = await walkThrough(instagram, work);
    expect([walk.state, (await instagram.published()).length]).toEqual(['posted', 1]);
    expect(count(instagram, isPublish)).toBe(1);
  });

  test('slows down when it repeatedly has no effect', async () => {
    const instagram = await start();
    const work = await instagram.work('blocked');
    instagram.faults.add({ when: isPublish, fault: refused(4, 2207051) });
    const before = instagram.clock.now;
    await walkTo(instagram, work, () => instagram.clock.now - before > 20 * 3_600_000);
    expect(count(instagram, isPublish)).toBeGreaterThan(4);
    expect(count(instagram, isPublish)).toBeLessThan(12);
    expect(count(instagram, isCreate)).toBe(1);
  });

  test('fails for an account that was restricted in the meantime', async () => {
    const instagram = await start();
    const work = await instagram.work('no');
    const ready = await walkTo(instagram, work, 'committing');
    await instagram.changeAccount({ restricted: true });
    const walk = await walkThrough(instagram, work, { from: ready });
    expect(walk.failure).toMatchObject({ kind: 'rejected', what: 'permission', platformCode: '25/2207050' });
  });
});

describe('upload', () => {
  const broken = (type: string, retriable: boolean): Fault => ({
    kind: 'status',
    answer: { status: 400, body: { debug_info: { retriable, type, message: 'no' } } },
  });

  test.each([
    ['OffsetInvalidError', true, 1],
    ['PartialRequestError', true, 1],
    ['ProcessingFailedError', false, 2],
    ['SomethingNew', true, 1],
  ])('resumes or starts over after %s', async (type, retriable, containers) => {
    const instagram = await start({ login: 'facebook' });
    const work = await instagram.work('once');
    instagram.faults.add({ when: isUpload, times: 1, fault: broken(type, retriable) });
    expect((await walkThrough(instagram, work)).state).toBe('posted');
    expect(count(instagram, isCreate)).toBe(containers);
  });

  test('resumes at the byte where it stopped', async () => {
    const instagram = await start({ login: 'facebook' });
    const media = filmOf(3_000_000);
    const work = await instagram.work('once', { media });
    const opened = await made(instagram, work);
    const url = String(opened.checkpoint?.uploadUrl);
    const stream = await media.stream({ first: 0, last: 999_999 });
    const blob = await instagram.blobs.put('half', stream);
    await instagram.changeContainer({ chunks: [{ blob: 'half', bytes: blob.bytes }], size: 3_000_000 });
    const walk = await walkThrough(instagram, work, { from: opened });
    const sent = instagram.asked.find((request) => request.url === url);
    expect(sent?.headers).toMatchObject({ offset: '1000000', file_size: '3000000' });
    const [entry] = await instagram.published();
    expect([walk.state, entry?.sha256]).toEqual(['posted', work.media.sha256]);
  });

  test('with a lost response is not repeated', async () => {
    const instagram = await start({ login: 'facebook' });
    const work = await instagram.work('once');
    instagram.faults.add({ when: isUpload, times: 1, fault: { kind: 'reset-after' } });
    expect((await walkThrough(instagram, work)).state).toBe('posted');
    expect(count(instagram, isUpload)).toBe(1);
  });
});

describe('after publishing', () => {
  test.each([
    ['fails forever', { kind: 'refusal', refusal: 'server-error' }],
    ['finds the token dead', { kind: 'refusal', refusal: 'token-revoked' }],
    ['is cut', { kind: 'reset-before' }],
  ] as [string, Fault][])('a reel lookup that %s is not a failure', async (_name, fault) => {
    const instagram = await start();
    const work = await instagram.work('once');
    instagram.faults.add({ when: isReel, fault });
    const walk = await walkThrough(instagram, work);
    const [entry] = await instagram.published();
    expect(walk).toMatchObject({ state: 'posted', published: { remoteId: entry?.id, url: null } });
    expect(walk.published?.detail).toContain('did not return the URL');
  });

  test('builds a missing permalink from the shortcode', async () => {
    const instagram = await start();
    const work = await instagram.work('once');
    const body = { id: '1', shortcode: 'AbC', timestamp: '2026-11-21T10:00:00+0000' };
    instagram.faults.add({ when: isReel, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    const { published } = await walkThrough(instagram, work);
    expect(published?.url).toBe(`${instagram.context.endpoints.instagram}/reel/AbC/`);
    expect(published?.publishedAt).toBe(Date.UTC(2026, 10, 21, 10));
  });

  test('does not read the list if the id is known', async () => {
    const instagram = await start();
    await walkThrough(instagram, await instagram.work('once'));
    expect(count(instagram, isList)).toBe(0);
  });
});
