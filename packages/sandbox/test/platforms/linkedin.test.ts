import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { readLittleText } from '../../src/platforms/linkedin/little-text.ts';
import type { Person } from '../../src/platforms/linkedin/records.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { COVER } from '../harness/cover.ts';
import { etagOf, type LinkedIn, PART, sha256, startLinkedIn } from './linkedin-calls.ts';

const start = closedAfterTest(startLinkedIn);
let linkedin: LinkedIn;
let nora: Awaited<ReturnType<LinkedIn['account']>>;
beforeEach(async () => {
  linkedin = await start();
  nora = await linkedin.account('in/nora');
});

const said = (status: number, code: string) => ({ status, json: { status, code, message: expect.any(String) } });
const FORBIDDEN = { status: 403, json: { message: expect.stringContaining('is forbidden'), status: 403 } };

describe('simulated LinkedIn versioned API', () => {
  test.each<[string, Record<string, string>, number, string]>([
    ['no version', { 'linkedin-version': '' }, 400, 'VERSION_MISSING'],
    ['a version that is over', { 'linkedin-version': '202510' }, 426, 'NONEXISTENT_VERSION'],
    ['a version to come', { 'linkedin-version': '202610' }, 426, 'NONEXISTENT_VERSION'],
    ['no version at all', { 'linkedin-version': 'latest' }, 426, 'NONEXISTENT_VERSION'],
    ['the former protocol', { 'x-restli-protocol-version': '1.0.0' }, 400, 'INVALID_VALUE_FOR_FIELD'],
    ['no JSON', { 'content-type': 'text/plain' }, 400, 'INVALID_VALUE_FOR_FIELD'],
  ])('rejects a request with %s', async (_name, headers, status, code) => {
    const { token, urn } = nora;
    const json = { initializeUploadRequest: { owner: urn, fileSizeBytes: 1 } };
    const path = '/rest/videos?action=initializeUpload';
    expect(await linkedin.rest('POST', path, { token, json, headers })).toMatchObject(said(status, code));
    expect((await linkedin.rest('POST', path, { token, json })).status).toBe(200);
  });
});

describe('simulated LinkedIn upload', () => {
  test('has 4 MiB parts and a usually empty token', async () => {
    const opened = await linkedin.open(nora.token, nora.urn, 9_500_000);
    expect(opened).toEqual({
      uploadUrlsExpireAt: linkedin.clock.now + 86_400_000,
      video: expect.stringMatching(/^urn:li:video:\w+$/),
      uploadToken: '',
      uploadInstructions: [
        { uploadUrl: expect.stringMatching(/^http/), firstByte: 0, lastByte: PART - 1 },
        { uploadUrl: expect.stringMatching(/^http/), firstByte: PART, lastByte: 2 * PART - 1 },
        { uploadUrl: expect.stringMatching(/^http/), firstByte: 2 * PART, lastByte: 9_499_999 },
      ],
    });
  });

  test('of any size is split into parts that cover it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60_000_000 }), async (bytes) => {
        const { uploadInstructions: parts } = await linkedin.open(nora.token, nora.urn, bytes);
        expect(parts[0]?.firstByte).toBe(0);
        expect(parts.at(-1)?.lastByte).toBe(bytes - 1);
        for (const [index, part] of parts.entries())
          expect(part.firstByte).toBe(index === 0 ? 0 : (parts[index - 1]?.lastByte ?? 0) + 1);
      }),
      { numRuns: 20 },
    );
  });

  test('has a thumbnail URL on request and accepts the thumbnail', async () => {
    const { json } = await linkedin.initialize(nora.token, nora.urn, { uploadThumbnail: true });
    const { thumbnailUploadUrl } = json.value as { thumbnailUploadUrl: string };
    const put = async (type: string, bytes = COVER) =>
      (await linkedin.put(thumbnailUploadUrl, bytes, { 'content-type': type })).status;
    expect(await put('image/jpeg')).toBe(201);
    expect(await put('image/png')).toBe(400);
    expect(await put('image/jpeg', randomBytes(100))).toBe(400);
    expect(await put('application/octet-stream')).toBe(415);
  });

  test.each<[string, object, string]>([
    ['no owner', { owner: undefined }, 'MISSING_FIELD'],
    ['an owner of another kind', { owner: 'urn:li:video:1' }, 'INVALID_URN_TYPE'],
    ['no size', { fileSizeBytes: undefined }, 'MISSING_FIELD'],
    ['a size that is text', { fileSizeBytes: '100' }, 'MISSING_FIELD'],
    ['an empty file', { fileSizeBytes: 0 }, 'INVALID_VALUE_FOR_FIELD'],
    ['more than 5 GB', { fileSizeBytes: 5_000_000_001 }, 'INVALID_VALUE_FOR_FIELD'],
    ['a thumbnail "yes"', { uploadThumbnail: 'yes' }, 'INVALID_VALUE_FOR_FIELD'],
    ['an unknown field', { title: 'Sunset run' }, 'INVALID_VALUE_FOR_FIELD'],
  ])('with %s is not opened', async (_name, changes, code) => {
    expect(await linkedin.initialize(nora.token, nora.urn, changes)).toMatchObject(said(400, code));
  });

  test('is forbidden for another owner or a non-posting role', async () => {
    const ida = await linkedin.account('in/ida');
    expect(await linkedin.initialize(nora.token, ida.urn)).toMatchObject(FORBIDDEN);
    const page = await linkedin.account('nora');
    expect((await linkedin.initialize(page.token, page.urn)).status).toBe(200);
    const role = (changes: Partial<Person['roles'][number]>) =>
      linkedin.store.change<Person>(
        'person',
        nora.urn.split(':').at(-1) ?? '',
        (known) => known && { ...known, roles: known.roles.map((each) => ({ ...each, ...changes })) },
      );
    await role({ role: 'ANALYST' });
    expect(await linkedin.initialize(page.token, page.urn)).toMatchObject(FORBIDDEN);
    await role({ role: 'CONTENT_ADMINISTRATOR', state: 'REVOKED' });
    expect(await linkedin.initialize(page.token, page.urn)).toMatchObject(FORBIDDEN);
    await role({ state: 'APPROVED' });
    expect((await linkedin.initialize(page.token, page.urn)).status).toBe(200);
  });

  test('requires the scope of its kind', async () => {
    const page = await linkedin.account('nora');
    expect(await linkedin.initialize(page.token, nora.urn)).toMatchObject(said(403, 'ACCESS_DENIED'));
    expect(await linkedin.initialize(nora.token, page.urn)).toMatchObject(said(403, 'ACCESS_DENIED'));
  });

  test('has only two actions', async () => {
    const { token } = nora;
    expect(await linkedin.rest('POST', '/rest/videos?action=delete', { token, json: {} })).toMatchObject(
      said(400, 'QUERY_PARAM_NOT_ALLOWED'),
    );
  });
});

describe('simulated LinkedIn part', () => {
  const one = async (bytes = 1_000) => {
    const opened = await linkedin.open(nora.token, nora.urn, bytes);
    return { ...opened, url: opened.uploadInstructions[0]?.uploadUrl ?? '' };
  };

  test('returns an ETag and no body, new for each upload', async () => {
    const { url } = await one();
    const response = await linkedin.put(url, randomBytes(1_000));
    expect([response.status, response.text]).toEqual([200, '']);
    expect(etagOf(response)).toMatch(/^\/ambry-videoei\/signedId\/AAY\w+\.bin$/);
    expect(etagOf(await linkedin.put(url, randomBytes(1_000)))).not.toBe(etagOf(response));
    await linkedin.set({ quotedEtags: true });
    expect(etagOf(await linkedin.put(url, randomBytes(1_000)))).toMatch(/^"\/ambry.*"$/);
  });

  test('needs no token, but its exact URL', async () => {
    const { url } = await one();
    expect((await linkedin.put(url.replace(/upn=.*/, ''), randomBytes(1_000))).status).toBe(404);
    expect((await linkedin.put(url.replace('/0?', '/1?'), randomBytes(1_000))).status).toBe(404);
    expect((await linkedin.put(url.replace(/v2\/\w+/, 'v2/nobody'), randomBytes(1_000))).status).toBe(404);
  });

  test.each([
    [999, 'application/octet-stream', 400],
    [1_001, 'application/octet-stream', 400],
    [1_000, 'video/mp4', 415],
  ])('of %i bytes as %s returns %i', async (bytes, type, status) => {
    const { url } = await one();
    expect((await linkedin.put(url, randomBytes(bytes), { 'content-type': type })).status).toBe(status);
  });

  test('expires after a day', async () => {
    const { url, video, uploadToken } = await one();
    linkedin.clock.now += 86_400_000;
    expect(await linkedin.put(url, randomBytes(1_000))).toMatchObject(said(400, 'EXPIRED_UPLOAD_URL'));
    expect(await linkedin.finalize(nora.token, { video, uploadToken, uploadedPartIds: [''] })).toMatchObject(
      said(400, 'EXPIRED_UPLOAD_URL'),
    );
  });
});

describe('simulated LinkedIn finalize', () => {
  const sent = async (bytes: number) => {
    const opened = await linkedin.open(nora.token, nora.urn, bytes);
    const ids: string[] = [];
    for (const { uploadUrl, firstByte, lastByte } of opened.uploadInstructions)
      ids.push(etagOf(await linkedin.put(uploadUrl, randomBytes(lastByte - firstByte + 1))));
    return { ids, request: { video: opened.video, uploadToken: opened.uploadToken, uploadedPartIds: ids } };
  };

  test('requires all parts in order, and the token', async () => {
    const { ids, request } = await sent(PART + 1);
    const [first = '', second = ''] = ids;
    const refused: [object, string][] = [
      [{ uploadedPartIds: [second, first] }, 'INVALID_VALUE_FOR_FIELD'],
      [{ uploadedPartIds: [first] }, 'INVALID_VALUE_FOR_FIELD'],
      [{ uploadedPartIds: [first, second, second] }, 'INVALID_VALUE_FOR_FIELD'],
      [{ uploadedPartIds: [first, `"${second}"`] }, 'INVALID_VALUE_FOR_FIELD'],
      [{ uploadedPartIds: undefined }, 'MISSING_FIELD'],
      [{ uploadToken: undefined }, 'MISSING_FIELD'],
      [{ uploadToken: 'another' }, 'INVALID_VALUE_FOR_FIELD'],
      [{ video: undefined }, 'MISSING_FIELD'],
      [{ video: 'urn:li:image:1' }, 'INVALID_URN_TYPE'],
      [{ video: 'urn:li:video:-' }, 'INVALID_VIDEO_ID'],
      [{ video: 'C4D00' }, 'INVALID_URN_ID'],
      [{ bytes: 1 }, 'INVALID_VALUE_FOR_FIELD'],
    ];
    for (const [changes, code] of refused)
      expect(await linkedin.finalize(nora.token, { ...request, ...changes }), JSON.stringify(changes)).toMatchObject(
        said(400, code),
      );
    expect(await linkedin.status(nora.token, request.video)).toBe('WAITING_UPLOAD');
    expect(await linkedin.finalize(nora.token, request)).toMatchObject({ status: 200, text: '' });
  });

  test('may accept or reject a second call', async () => {
    const { request } = await sent(1_000);
    await linkedin.finalize(nora.token, request);
    expect(await linkedin.finalize(nora.token, request)).toMatchObject(said(400, 'UPDATING_ASSET_FAILED'));
    await linkedin.set({ finalizeAgain: true });
    expect((await linkedin.finalize(nora.token, request)).status).toBe(200);
  });

  test('is forbidden for another owner and 404 if unknown', async () => {
    const { request } = await sent(1_000);
    const ida = await linkedin.account('in/ida');
    expect(await linkedin.finalize(ida.token, request)).toMatchObject(FORBIDDEN);
    const video = 'urn:li:video:C4D00nobody';
    expect(await linkedin.finalize(nora.token, { ...request, video })).toMatchObject(said(404, 'NOT_FOUND'));
  });
});

describe('simulated LinkedIn video', () => {
  test('waits for its parts, is processed, and becomes available', async () => {
    linkedin = await start({ processingMs: 5_000 });
    const { token, urn } = await linkedin.account('in/nora');
    const { video } = await linkedin.open(token, urn, 1_000);
    expect(await linkedin.status(token, video)).toBe('WAITING_UPLOAD');
    const whole = await linkedin.upload(token, urn);
    expect(await linkedin.status(token, whole)).toBe('PROCESSING');
    linkedin.clock.now += 5_000;
    expect(await linkedin.status(token, whole)).toBe('AVAILABLE');
  });

  test('that is too small fails with a reason', async () => {
    await linkedin.set({ leastBytes: 75_000 });
    const video = await linkedin.upload(nora.token, nora.urn, randomBytes(74_999));
    const path = `/rest/videos/${encodeURIComponent(video)}`;
    expect((await linkedin.rest('GET', path, { token: nora.token })).json).toEqual({
      id: video,
      owner: nora.urn,
      status: 'PROCESSING_FAILED',
      processingFailureReason: expect.any(String),
    });
    expect(await linkedin.post(nora.token, nora.urn, video)).toMatchObject(said(400, 'MEDIA_ASSET_PROCESSING_FAILED'));
  });

  test('is hidden from other users and blind members', async () => {
    const video = await linkedin.upload(nora.token, nora.urn);
    const look = (token: string) => linkedin.rest('GET', `/rest/videos/${encodeURIComponent(video)}`, { token });
    expect(await look((await linkedin.account('in/ida')).token)).toMatchObject(FORBIDDEN);
    await linkedin.set({ blindMembers: true });
    expect(await look(nora.token)).toMatchObject(said(403, 'ACCESS_DENIED'));
  });
});

describe('simulated LinkedIn post', () => {
  test('returns its id in a header and stores the bytes', async () => {
    const bytes = randomBytes(PART + 500);
    const video = await linkedin.upload(nora.token, nora.urn, bytes);
    const response = await linkedin.post(nora.token, nora.urn, video);
    expect([response.status, response.text]).toEqual([201, '']);
    const id = response.headers.get('x-restli-id') ?? '';
    expect(id).toMatch(/^urn:li:ugcPost:\d{19}$/);
    const [entry] = await linkedin.published();
    expect(entry).toMatchObject({
      id,
      username: 'nora',
      text: 'Sunset run (part 2) #sea',
      bytes: bytes.length,
      sha256: sha256(bytes),
      mime: 'video/mp4',
    });
    const page = await fetch(entry?.url ?? '');
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Sunset run (part 2) #sea')]);
  });

  test('is created by every request', async () => {
    const video = await linkedin.upload(nora.token, nora.urn);
    await linkedin.post(nora.token, nora.urn, video);
    await linkedin.post(nora.token, nora.urn, video);
    expect(await linkedin.published()).toHaveLength(2);
  });

  test('may be rejected as a duplicate of a missing post', async () => {
    const video = await linkedin.upload(nora.token, nora.urn);
    await linkedin.set({ duplicates: true });
    await linkedin.post(nora.token, nora.urn, video);
    const refusals = await Promise.all([1, 2].map(() => linkedin.post(nora.token, nora.urn, video)));
    for (const response of refusals) expect(response).toMatchObject(said(422, 'DUPLICATE_POST'));
    expect(new Set(refusals.map(({ json }) => json.message)).size).toBe(2);
    expect(await linkedin.published()).toHaveLength(1);
  });

  test.each<[string, object, string]>([
    ['no author', { author: undefined }, 'MISSING_FIELD'],
    ['a blank author', { author: '' }, 'INVALID_VALUE_BLANK_FIELD'],
    ['an author of another kind', { author: 'urn:li:video:1' }, 'INVALID_URN_TYPE'],
    ['no text', { commentary: undefined }, 'MISSING_FIELD'],
    ['a text that is none', { commentary: 7 }, 'INVALID_VALUE_FOR_FIELD'],
    ['3001 characters', { commentary: 'x'.repeat(3_001) }, 'FIELD_LENGTH_TOO_LONG'],
    ['3001 characters, counted with their escapes', { commentary: `${'\\('.repeat(1_500)}x` }, 'FIELD_LENGTH_TOO_LONG'],
    ['no visibility', { visibility: undefined }, 'MISSING_FIELD'],
    ['an unknown visibility', { visibility: 'FRIENDS' }, 'INVALID_VALUE_FOR_FIELD'],
    ['a draft', { lifecycleState: 'DRAFT' }, 'INVALID_VALUE_FOR_FIELD'],
    ['no distribution', { distribution: undefined }, 'MISSING_FIELD'],
    ['another distribution', { distribution: { feedDistribution: 'NONE' } }, 'INVALID_VALUE_FOR_FIELD'],
    ['an unknown field', { title: 'Sunset run' }, 'INVALID_VALUE_FOR_FIELD'],
    ['no media', { content: {} }, 'MISSING_FIELD'],
    ['an image', { content: { media: { id: 'urn:li:image:1' } } }, 'INVALID_URN_TYPE'],
    ['a video that is none', { content: { media: { id: 'urn:li:video:nobody' } } }, 'INVALID_VIDEO_ID'],
    ['no URN', { content: { media: { id: 'nobody' } } }, 'INVALID_URN_ID'],
    ['reshares "no"', { isReshareDisabledByAuthor: 'no' }, 'INVALID_VALUE_FOR_FIELD'],
  ])('with %s is rejected', async (_name, changes, code) => {
    const video = await linkedin.upload(nora.token, nora.urn);
    expect(await linkedin.post(nora.token, nora.urn, video, changes)).toMatchObject(said(400, code));
    expect(await linkedin.published()).toEqual([]);
  });

  test('waits for a video that is not ready', async () => {
    linkedin = await start({ processingMs: 5_000 });
    const { token, urn } = await linkedin.account('in/nora');
    const { video } = await linkedin.open(token, urn, 1_000);
    const whole = await linkedin.upload(token, urn);
    for (const each of [video, whole])
      expect(await linkedin.post(token, urn, each)).toMatchObject(said(400, 'MEDIA_ASSET_WAITING_UPLOAD'));
    linkedin.clock.now += 5_000;
    expect((await linkedin.post(token, urn, whole)).status).toBe(201);
  });

  test('is rejected for other authors, other videos, or connections', async () => {
    const [page, ida] = [await linkedin.account('nora'), await linkedin.account('in/ida')];
    const video = await linkedin.upload(nora.token, nora.urn);
    expect(await linkedin.post(ida.token, nora.urn, video)).toMatchObject(FORBIDDEN);
    expect(await linkedin.post(ida.token, ida.urn, video)).toMatchObject(FORBIDDEN);
    expect(await linkedin.post(page.token, page.urn, video)).toMatchObject(FORBIDDEN);
    expect(await linkedin.post(page.token, nora.urn, video)).toMatchObject({
      ...said(403, 'ACCESS_DENIED'),
      json: { message: 'Not enough permissions to access: partnerApiPostsExternal.CREATE.20260901' },
    });
    const own = await linkedin.upload(page.token, page.urn);
    expect(await linkedin.post(page.token, page.urn, own, { visibility: 'CONNECTIONS' })).toMatchObject(
      said(400, 'INVALID_VALUE_FOR_FIELD'),
    );
    expect((await linkedin.post(nora.token, nora.urn, video, { visibility: 'CONNECTIONS' })).status).toBe(201);
    const [entry] = await linkedin.published();
    expect((await fetch(entry?.url ?? '')).status).toBe(404);
  });

  test.each(['x-linkedin-id', 'none'] as const)('may return its id elsewhere: %s', async (idHeader) => {
    await linkedin.set({ idHeader });
    const response = await linkedin.post(nora.token, nora.urn, await linkedin.upload(nora.token, nora.urn));
    expect(response.headers.get('x-restli-id')).toBeNull();
    expect(response.headers.get('x-linkedin-id') !== null).toBe(idHeader !== 'none');
  });
});

describe('simulated LinkedIn post list', () => {
  const list = (token: string, author: string, more = '', headers: Record<string, string> = {}) =>
    linkedin.rest('GET', `/rest/posts?q=author&author=${encodeURIComponent(author)}${more}`, {
      token,
      headers: { 'x-restli-method': 'FINDER', ...headers },
    });
  const made = async (count: number) => {
    const page = await linkedin.account('nora');
    const ids: string[] = [];
    for (let index = 0; index < count; index++) {
      const video = await linkedin.upload(page.token, page.urn);
      const response = await linkedin.post(page.token, page.urn, video, { commentary: `run ${index}` });
      ids.unshift(response.headers.get('x-restli-id') ?? '');
      linkedin.clock.now += 1_000;
    }
    return { ...page, ids };
  };

  test('has pages, newest first, with videos', async () => {
    const { token, urn, ids } = await made(3);
    const first = (await list(token, urn, '&count=2&start=0&sortBy=CREATED')).json as {
      elements: { id: string; content: { media: { id: string } } }[];
      paging: { links: { rel: string; href: string }[] };
    };
    expect(first.elements.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.elements[0]?.content.media.id).toMatch(/^urn:li:video:/);
    expect(first.paging.links[0]?.rel).toBe('next');
    const rest = (await list(token, urn, '&count=2&start=2')).json as typeof first;
    expect([rest.elements.map(({ id }) => id), rest.paging.links]).toEqual([ids.slice(2), []]);
    const path = `/rest/posts/${encodeURIComponent(ids[0] ?? '')}`;
    expect((await linkedin.rest('GET', path, { token })).json).toMatchObject({ id: ids[0], commentary: 'run 2' });
    expect(await linkedin.rest('GET', '/rest/posts/urn:li:ugcPost:1', { token })).toMatchObject({ status: 403 });
  });

  test('accepts the method in any case', async () => {
    const { urn, token } = await linkedin.account();
    const query = `q=author&author=${encodeURIComponent(urn)}`;
    const headers = { 'x-restli-method': 'finder' };
    expect((await linkedin.rest('GET', `/rest/posts?${query}`, { token, headers })).status).toBe(200);
  });

  test('lacks a deleted post, and deleting twice succeeds', async () => {
    const { urn, token } = await linkedin.account();
    const { headers } = await linkedin.post(token, urn, await linkedin.upload(token, urn));
    const path = `/rest/posts/${encodeURIComponent(headers.get('x-restli-id') ?? '')}`;
    for (let times = 0; times < 2; times += 1)
      expect((await linkedin.rest('DELETE', path, { token })).status).toBe(204);
    expect((await linkedin.rest('GET', path, { token })).status).not.toBe(200);
    expect(await linkedin.published()).toEqual([]);
  });

  test('may lag', async () => {
    await linkedin.set({ listLagMs: 60_000 });
    const { token, urn } = await made(1);
    expect((await list(token, urn)).json.elements).toEqual([]);
    linkedin.clock.now += 60_000;
    expect((await list(token, urn)).json.elements).toHaveLength(1);
  });

  test.each<[string, string, Record<string, string>, number, string]>([
    ['without the header of a finder', '', { 'x-restli-method': '' }, 400, 'QUERY_PARAM_NOT_ALLOWED'],
    ['with an unknown parameter', '&page=2', {}, 400, 'QUERY_PARAM_NOT_ALLOWED'],
    ['with more than 100 at a time', '&count=101', {}, 400, 'INVALID_VALUE_FOR_FIELD'],
    ['in another order', '&sortBy=LIKES', {}, 400, 'INVALID_VALUE_FOR_FIELD'],
  ])('is rejected %s', async (_name, more, headers, status, code) => {
    const { token, urn } = await linkedin.account('nora');
    expect(await list(token, urn, more, headers)).toMatchObject(said(status, code));
  });

  test('requires a role on the page and excludes members', async () => {
    const [page, ida] = [await linkedin.account('nora'), await linkedin.account('ida')];
    expect(await list(ida.token, page.urn)).toMatchObject(said(403, 'ACCESS_DENIED'));
    const video = await linkedin.upload(nora.token, nora.urn);
    const id = (await linkedin.post(nora.token, nora.urn, video)).headers.get('x-restli-id') ?? '';
    expect(await list(nora.token, nora.urn)).toMatchObject(said(403, 'ACCESS_DENIED'));
    const look = linkedin.rest('GET', `/rest/posts/${encodeURIComponent(id)}`, { token: nora.token });
    expect(await look).toMatchObject({ json: { message: expect.stringContaining('partnerApiPostsExternal.GET') } });
  });
});

describe('simulated LinkedIn little text', () => {
  test.each([
    ['Sunset run \\(part 2\\) #sea', 'Sunset run (part 2) #sea'],
    ['Sunset run (part 2)', 'Sunset run '],
    ['a_b', 'a'],
    ['a\\_b \\\\ \\# \\@', 'a_b \\ # @'],
    ['back\\slash', 'back'],
    ['ends with \\', 'ends with '],
    ['#1 of many', ''],
    ['\\#1 of #2many', '#1 of #2many'],
    ['{hashtag|\\#|sea} and {more}', '#sea and '],
    ['by @[Acme \\(Inc\\)](urn:li:organization:5515715)!', 'by Acme (Inc)!'],
    ['by @nora', 'by '],
    ['früher 🏃 #über', 'früher 🏃 #über'],
  ])('renders %s', (sent, seen) => {
    expect(readLittleText(sent)).toBe(seen);
  });
});
