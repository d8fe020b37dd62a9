import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/snapchat/index.ts';
import { PART_BYTES } from '../../src/connectors/snapchat/upload.ts';
import { isWholeUpload, type SimulatorOverrides } from '../harness/simulator.ts';
import { filmOf } from './films.ts';
import { isCreate, isList, isPost, isReview, isUpload, type Snapchat, startSnapchat } from './snapchat-driver.ts';
import { extended, stored, walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest((overrides: SimulatorOverrides = {}) =>
  startSnapchat({ processingMs: 2_500, ...overrides }),
);

const count = ({ requests }: Snapchat, when: (call: { method: string; path: string }) => boolean) =>
  requests.filter(when).length;
const sentPost = ({ asked }: Snapchat) => {
  const body = asked.findLast(({ method, url }) => method === 'POST' && url.endsWith('/spotlights'))?.body;
  return body?.kind === 'bytes' ? (JSON.parse(String(body.bytes)) as Record<string, unknown>) : null;
};
const error = (status: number, error_code: string, display_message = 'no'): Fault => ({
  kind: 'status',
  answer: { status, body: { request_status: 'ERROR', request_id: 'r-1', error_code, display_message } },
});

describe('Snapchat publish', () => {
  test('uploads, reads the list, posts, and waits for the review', async () => {
    const snapchat = await start();
    const work = await snapchat.work('Sunset run #sea');
    const before = snapchat.requests.length;
    const walk = await walkThrough(snapchat, work);
    const [entry, ...more] = await snapchat.published();
    if (!entry) throw new Error('Nothing was published.');
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ username: 'nora', text: 'Sunset run #sea' });
    expect(await isWholeUpload(snapchat, entry, work.media)).toBe(true);
    expect(walk).toMatchObject({ state: 'posted', published: { remoteId: entry.id, url: entry.url } });
    expect(walk.published?.publishedAt).toBe(entry.publishedAt);
    expect((await fetch(entry.url)).status).toBe(200);
    const order = [isCreate, isUpload, isList, isPost, isReview];
    const kinds = snapchat.requests.slice(before, -1).map((call) => order.findIndex((is) => is(call)));
    expect(kinds).toEqual([0, 1, 1, 2, 3, 4]);
  });

  test('sends the text, the locale, and whether to save it', async () => {
    const snapchat = await start();
    await walkThrough(snapchat, await snapchat.work('caption'));
    const [medium] = await snapchat.media();
    const usual = { media_id: medium?.id, locale: 'en_US', description: 'caption', skip_save_to_profile: false };
    expect(sentPost(snapchat)).toEqual(usual);
    const options = connector.options.parse({ locale: 'de_AT', saveToProfile: false });
    await walkThrough(snapchat, await snapchat.work('', { options }));
    expect(sentPost(snapchat)).toEqual({
      media_id: expect.any(String),
      locale: 'de_AT',
      skip_save_to_profile: true,
    });
  });

  test.each([{ locale: 'de' }, { saveToProfile: 'no' }, { title: 'x' }, { locale: null }])(
    'rejects the options %j',
    (asked) => {
      expect(connector.options.safeParse(asked).success).toBe(false);
      expect(connector.options.parse({})).toEqual({});
    },
  );

  test('sends a large file in parts and continues after restarts', async () => {
    const snapchat = await start();
    const media = filmOf(PART_BYTES + 1_000_001);
    const work = await snapchat.work('resumed', { media });
    const half = await walkTo(snapchat, work, ({ checkpoint }) => checkpoint?.parts === 1);
    const after = stored(half.checkpoint ?? {});
    snapchat.faults.add({ when: isUpload, times: 1, fault: { kind: 'reset-after' } });
    const walk = await walkThrough(snapchat, work, { from: { ...half, checkpoint: after } });
    const [entry] = await snapchat.published();
    expect([walk.state, count(snapchat, isCreate), count(snapchat, isUpload)]).toEqual(['posted', 1, 4]);
    expect(entry && (await isWholeUpload(snapchat, entry, media))).toBe(true);
    expect(media.handed()).toBe(media.bytes + 1_000_001);
  });

  test('reveals neither tokens nor the key and deletes the key', async () => {
    const snapchat = await start();
    const work = await snapchat.work('secret');
    const walk = await walkThrough(snapchat, work);
    const [medium] = await snapchat.media();
    const told = JSON.stringify([walk.notes, walk.published]);
    const { accessToken, refreshToken } = work.session.secret;
    for (const secret of [accessToken, refreshToken, medium?.key]) expect(told).not.toContain(String(secret));
    expect(walk.checkpoint).toMatchObject({ key: '', chain: '' });
  });

  test('restarts for another file', async () => {
    const snapchat = await start();
    const work = await snapchat.work('other bytes');
    const half = await walkTo(snapchat, work, ({ checkpoint }) => checkpoint?.parts === 1);
    const media = filmOf(100_000);
    await walkThrough(snapchat, { ...work, media }, { from: half });
    expect((await snapchat.published())[0]?.sha256).toBe(media.sha256);
  });
});

describe('Snapchat rejection', () => {
  test.each<[Fault, string]>([
    [error(400, 'INVALID_REQUEST', 'description has at most 160 characters.'), 'rejected'],
    [error(403, 'AUTHORIZATION_PERMISSION_DENIED'), 'setup'],
    [error(200, 'AUTHORIZATION_PERMISSION_DENIED'), 'setup'],
    [{ kind: 'status', answer: { status: 403 } }, 'setup'],
  ])('of the spotlight fails the post: %j', async (fault, kind) => {
    const snapchat = await start();
    const work = await snapchat.work('no');
    snapchat.faults.add({ when: isPost, fault });
    const walk = await walkThrough(snapchat, work);
    expect([walk.state, walk.failure?.kind, count(snapchat, isPost)]).toEqual(['failed', kind, 1]);
  });

  test('of an oversized part is reported as our error', async () => {
    const snapchat = await start();
    const work = await snapchat.work('no');
    snapchat.faults.add({ when: isUpload, fault: error(400, 'INVALID_REQUEST', 'Media size is too large') });
    const walk = await walkThrough(snapchat, work);
    expect(walk.failure).toMatchObject({ kind: 'rejected', detail: { text: expect.stringContaining('too large') } });
  });
});

describe('Snapchat upload', () => {
  test.each([400, 200])('restarts when expired, with either status (%i)', async (status) => {
    for (const nth of [1, 2]) {
      const snapchat = await start();
      const work = await snapchat.work('expired');
      const when = (call: { method: string; path: string; nth: number }) => isUpload(call) && call.nth === nth;
      snapchat.faults.add({ when, times: 1, fault: error(status, 'MEDIA_EXPIRED') });
      const walk = await walkThrough(snapchat, work);
      expect([walk.state, count(snapchat, isCreate), (await snapchat.published()).length]).toEqual(['posted', 2, 1]);
    }
  });

  test('restarts with another key when it expired while waiting', async () => {
    const snapchat = await start();
    const work = await snapchat.work('waited');
    const ready = await walkTo(snapchat, work, ({ checkpoint }) => checkpoint?.looked === true);
    snapchat.clock.now += 24 * 3_600_000;
    const walk = await walkThrough(snapchat, work, { from: extended(ready) });
    const [second, first] = await snapchat.media();
    expect([walk.state, (await snapchat.published()).length]).toEqual(['posted', 1]);
    expect(second?.key).not.toBe(first?.key);
  });

  test('restarts when the post request reports that it expired', async () => {
    const snapchat = await start();
    const work = await snapchat.work('expired');
    const fault = error(400, 'MEDIA_EXPIRED');
    const strike = snapchat.faults.add({
      when: (call) => isPost(call) && count(snapchat, isCreate) === 1,
      fault,
    });
    const walk = await walkThrough(snapchat, work);
    expect([walk.state, count(snapchat, isCreate), (await snapchat.published()).length]).toEqual(['posted', 2, 1]);
    expect(strike.hits()).toBeLessThan(15);
  });

  test('waits for processing and restarts when it never ends', async () => {
    const snapchat = await start({ processingMs: 60_000 });
    const walk = await walkThrough(snapchat, await snapchat.work('slow'));
    expect([walk.state, count(snapchat, isCreate)]).toEqual(['posted', 1]);
    expect(walk.notes.filter((note) => note.startsWith('Snapchat is processing the video.')).length).toBeGreaterThan(3);
    const never = await start({ processingMs: 3_600_000 });
    const work = await never.work('never');
    const restarted = await walkTo(never, work, () => count(never, isCreate) === 2);
    expect(restarted.notes.some((note) => note.includes('The upload expired.'))).toBe(true);
  });

  test.each([
    ['https://evil.example/us/v1/upload', '/us/v1/x'],
    ['//evil.example/us/v1/upload', '/us/v1/x'],
    ['/us/v1/x', '@evil.example/x'],
    ['/us/v1/x', ''],
    ['/us/../../x', '/us/v1/x'],
  ])('is not started on another host: %s, %s', async (add_path, finalize_path) => {
    const snapchat = await start();
    const work = await snapchat.work('evil');
    const body = { request_status: 'SUCCESS', media_id: 'm-1', add_path, finalize_path };
    snapchat.faults.add({ when: isCreate, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    const walk = await walkThrough(snapchat, work);
    expect(walk.notes[0]).toContain('opened an upload without a URL');
    expect([walk.state, count(snapchat, isCreate)]).toEqual(['posted', 2]);
    expect(snapchat.asked.every(({ url }) => url.startsWith(snapchat.url))).toBe(true);
  });

  test("accepts full URLs on Snapchat's own host", async () => {
    const snapchat = await start();
    const work = await snapchat.work('whole');
    const made = await walkTo(snapchat, work, ({ checkpoint }) => checkpoint?.mediaId !== undefined);
    const path = String(made.checkpoint?.addPath);
    snapchat.faults.add({
      when: isCreate,
      times: 1,
      fault: {
        kind: 'status',
        answer: {
          status: 200,
          body: {
            request_status: 'SUCCESS',
            media_id: 'm-1',
            add_path: `${snapchat.url}${path}`,
            finalize_path: path,
          },
        },
      },
    });
    const again = await walkTo(snapchat, work, ({ checkpoint }) => checkpoint?.mediaId !== undefined);
    expect(again.checkpoint).toMatchObject({ addPath: path, finalizePath: path });
  });

  test('ignores a response before the whole part was read', async () => {
    const snapchat = await start();
    const work = await snapchat.work('early');
    const made = await walkTo(snapchat, work, ({ checkpoint }) => checkpoint?.mediaId !== undefined);
    const body = { request_status: 'SUCCESS' };
    const response = { status: 200, headers: {}, text: JSON.stringify(body), json: () => body, tryJson: () => body };
    const session = { ...work.session, http: async () => response };
    const attempt = connector.step({ ...work, session }, made.checkpoint ?? {});
    await expect(attempt).rejects.toMatchObject({ failure: { kind: 'transient' } });
  });
});

describe('Snapchat review', () => {
  test('is polled with growing delays until its result', async () => {
    const snapchat = await start();
    const work = await snapchat.work('reviewed');
    const sent = await walkTo(snapchat, work, 'confirming');
    const submitted: Fault = {
      kind: 'status',
      answer: { status: 200, body: { request_status: 'SUCCESS', spotlights: [] } },
    };
    snapchat.faults.add({ when: isReview, times: 6, fault: submitted });
    const before = snapchat.clock.now;
    const walk = await walkThrough(snapchat, work, { from: sent });
    expect(walk.state).toBe('posted');
    expect(snapchat.clock.now - before).toBeGreaterThan(30 * 60_000);
  });

  test('leaves the post posted after three days without a result', async () => {
    const snapchat = await start();
    const work = await snapchat.work('closed');
    const sent = await walkTo(snapchat, work, 'confirming');
    snapchat.faults.add({ when: isReview, fault: error(403, 'AUTHORIZATION_PERMISSION_DENIED') });
    const still = await walkThrough(snapchat, work, { from: sent, maxMoves: 5 });
    expect(still.state).toBe('confirming');
    snapchat.clock.now += 72 * 3_600_000;
    const walk = await walkThrough(snapchat, work, { from: still });
    expect(walk).toMatchObject({
      state: 'posted',
      published: { remoteId: (await snapchat.published())[0]?.id, detail: expect.stringContaining('could not be') },
    });
  });

  test('proves nothing when it cannot be read', async () => {
    const snapchat = await start();
    const work = await snapchat.work('failing');
    const sent = await walkTo(snapchat, work, 'confirming');
    snapchat.faults.add({ when: isReview, times: 2, fault: { kind: 'refusal', refusal: 'server-error' } });
    snapchat.faults.add({ when: isReview, times: 1, fault: { kind: 'refusal', refusal: 'token-expired' } });
    expect((await walkThrough(snapchat, work, { from: sent })).state).toBe('posted');
  });
});

describe('Snapchat fault by tag', () => {
  test.each([
    ['reconnect', 'failed', 0, 'reconnect'],
    ['reject', 'failed', 0, 'rejected'],
    ['rate-limit', 'posted', 1, undefined],
    ['slow', 'posted', 1, undefined],
    ['lost-answer', 'posted', 1, undefined],
    ['down', 'posted', 1, undefined],
  ])('handles %s', async (tag, state, published, kind) => {
    const snapchat = await start();
    const walk = await walkThrough(snapchat, await snapchat.work(`hello #sandbox-${tag}`, { sandbox: true }));
    expect([walk.state, (await snapchat.published()).length, walk.failure?.kind]).toEqual([state, published, kind]);
  });
});
