import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { feedJson, feedPage } from '../src/feed/feed.ts';
import { type FeedEntry, publishedInStores } from '../src/feed/published.ts';
import { createSandboxHandler, createSandboxRoutes } from '../src/feed/routes.ts';
import { splitRange } from '../src/http/ranges.ts';
import { memoryBlobs, memoryStore } from '../src/store/memory.ts';
import { sendRaw } from './harness/raw-http.ts';
import { publishedSuite } from './suites/published.ts';

const video = randomBytes(1000);
const cuts = [0, 300, 301, 1000];
const keys = ['one', 'two', 'three'];

function entry(changes: Partial<FeedEntry> = {}): FeedEntry {
  return {
    platform: 'tiktok',
    id: '7412',
    username: 'nora',
    text: 'hello',
    url: 'https://example.org/7412',
    publishedAt: Date.UTC(2026, 10, 21, 9, 30, 15, 7),
    bytes: video.length,
    sha256: createHash('sha256').update(video).digest('hex'),
    blobs: keys,
    mime: 'video/mp4',
    ...changes,
  };
}

describe('feed as data and page', () => {
  test('the JSON lists posts in publishing order', () => {
    const [first, second] = feedJson([entry(), entry({ id: '2' })]);
    expect(first).toEqual({
      platform: 'tiktok',
      id: '7412',
      username: 'nora',
      text: 'hello',
      url: 'https://example.org/7412',
      publishedAt: '2026-11-21T09:30:15.007Z',
      bytes: 1000,
      sha256: entry().sha256,
    });
    expect(second?.id).toBe('2');
    expect(feedJson([])).toEqual([]);
  });

  test('the page shows a note when it is empty', () => {
    expect(feedPage([])).toContain('Nothing published yet');
    expect(feedPage([])).not.toContain('<article');
    expect(feedPage([entry()])).not.toContain('Nothing published yet');
  });

  test('the page shows newest first and runs no script', () => {
    const page = feedPage([entry({ text: 'older' }), entry({ text: 'newer', id: 'at://did/x y' })]);
    expect(page.indexOf('newer')).toBeLessThan(page.indexOf('older'));
    expect(page).toContain('src="/sandbox/media/tiktok/at%3A%2F%2Fdid%2Fx%20y#t=0.1"');
    expect(page.match(/<video controls/g)).toHaveLength(2);
    expect(page).toContain('prefers-color-scheme:dark');
    expect(page).not.toContain('<script');
  });

  test('posts are escaped, and only web URLs are links', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.constantFrom('"', "'", '<img src=x>', '&'), (a, b, mark) => {
        const text = `${a}${mark}${b}`;
        const page = feedPage([entry({ text, username: text, platform: text, id: text, url: `https://x/${text}` })]);
        return page.match(/<[a-z]/g)?.length === feedPage([entry()]).match(/<[a-z]/g)?.length;
      }),
    );
    expect(feedPage([entry({ url: 'javascript:alert(1)' })])).not.toContain('javascript:');
  });

  test('a long feed states how many posts it omits', () => {
    const page = feedPage(Array.from({ length: 130 }, (_, i) => entry({ text: `post number ${i}.` })));
    expect(page.match(/<article/g)).toHaveLength(100);
    expect(page).toContain('post number 129.');
    expect(page).not.toContain('post number 29.');
    expect(page).toContain('30 older');
  });
});

describe('ranges', () => {
  test('ranges are assembled from any pieces', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 6 });
    fc.assert(
      fc.property(pieces, fc.nat(130), fc.nat(130), (given, from, length) => {
        const whole = Buffer.concat(given);
        const range = { first: from, last: Math.min(from + length, whole.length - 1) };
        const parts = splitRange(
          given.map((each) => each.length),
          range,
        );
        const joined = parts.map(
          ({ index, range: { first, last } }) => given[index]?.subarray(first, last + 1) ?? Buffer.alloc(0),
        );
        return Buffer.concat(joined).equals(whole.subarray(range.first, Math.max(range.first, range.last + 1)));
      }),
    );
  });
});

describe('routes', () => {
  let server: http.Server;
  afterEach(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  });

  async function start(published: FeedEntry[], allowed = true) {
    const blobs = memoryBlobs();
    for (const [index, key] of keys.entries())
      await blobs.put(key, Readable.from([video.subarray(cuts[index], cuts[index + 1])]));
    const store = memoryStore();
    for (const one of published) await store.publish(one);
    const errors: unknown[] = [];
    const routes = createSandboxRoutes({
      source: publishedInStores({ tiktok: store }),
      blobs: (platform) => (platform === 'tiktok' ? blobs : null),
      credentials: {
        app: { clientId: 'an-id', clientSecret: 'a-secret' },
        platforms: ['tiktok', 'bluesky'],
        enrol: async (_platform, username) => ({
          remoteId: 'did:1',
          username,
          tokenAnswer: { access_token: 'a-token', expires_in: 60 },
          credentials: { identifier: username, secret: 'a-password' },
        }),
      },
      phone: { platforms: ['tiktok', 'bluesky'], find: async () => undefined },
      async guard(_request, response) {
        if (!allowed) response.writeHead(403).end('not you');
        return allowed;
      },
      observe: (error) => errors.push(error),
    });
    server = http.createServer(createSandboxHandler(routes));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const media = (headers: Record<string, string> = {}, method = 'GET') =>
      sendRaw(`${url}/sandbox/media/tiktok/7412`, { method, headers });
    return { url, media, blobs, errors };
  }

  test('page and data are served, to whom they may be', async () => {
    const { url } = await start([entry()]);
    const page = await sendRaw(`${url}/sandbox?x=1`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('@nora');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await sendRaw(`${url}/sandbox/`)).status).toBe(200);
    expect(JSON.parse((await sendRaw(`${url}/sandbox/feed.json`)).text)).toEqual(feedJson([entry()]));
    expect((await sendRaw(`${url}/sandbox`, { method: 'HEAD' })).text).toBe('');
    expect((await sendRaw(`${url}/sandbox`, { method: 'POST' })).status).toBe(404);
    expect((await sendRaw(`${url}/sandbox/other`)).status).toBe(404);
  });

  test('the credentials of the application and of accounts are shown', async () => {
    const { url, errors } = await start([]);
    const send = (body: string, headers: Record<string, string> = {}) =>
      sendRaw(`${url}/sandbox/credentials`, { method: 'POST', body, headers });
    const page = await sendRaw(`${url}/sandbox/credentials`);
    expect([page.status, page.text]).toEqual([200, expect.stringMatching(/an-id.*a-secret/s)]);
    const account = await send('platform=bluesky&username=%3Cb%3E');
    expect([account.status, account.text]).toEqual([200, expect.stringMatching(/did:1.*a-password.*a-token/s)]);
    expect(account.text).not.toContain('<b>');
    for (const wrong of [
      'platform=other&username=a',
      'platform=tiktok&username=+',
      `platform=tiktok&username=${'a'.repeat(65)}`,
    ])
      expect(await send(wrong)).toMatchObject({ status: 400, text: expect.stringContaining('role="alert"') });
    expect((await send('platform=tiktok&username=a', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(errors).toEqual([]);
  });

  test('nothing is served to anybody else', async () => {
    const { url } = await start([entry()], false);
    for (const path of ['/sandbox', '/sandbox/feed.json', '/sandbox/media/tiktok/7412', '/sandbox/credentials'])
      expect(await sendRaw(url + path)).toMatchObject({ status: 403, text: 'not you' });
  });

  test('media comes whole and in ranges over several blobs', async () => {
    const { media } = await start([entry()]);
    const whole = await media();
    expect([whole.status, whole.headers.get('content-type'), whole.headers.get('accept-ranges')]).toEqual([
      200,
      'video/mp4',
      'bytes',
    ]);
    expect(whole.bytes.equals(video)).toBe(true);
    await fc.assert(
      fc.asyncProperty(fc.nat(999), fc.nat(999), async (a, b) => {
        const [first, last] = [Math.min(a, b), Math.max(a, b)];
        const part = await media({ range: `bytes=${first}-${last}` });
        expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${first}-${last}/1000`]);
        expect(part.bytes.equals(video.subarray(first, last + 1))).toBe(true);
      }),
      { numRuns: 40 },
    );
    const beyond = await media({ range: 'bytes=1000-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
    const head = await media({}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.text]).toEqual([200, '1000', '']);
  });

  test('honor If-Range and If-None-Match', async () => {
    const { media } = await start([entry()]);
    const etag = (await media()).headers.get('etag') ?? '';
    expect((await media({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206);
    expect((await media({ range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200);
    expect((await media({ 'if-none-match': etag })).status).toBe(304);
  });

  test('uploads that are not videos cannot run here', async () => {
    const { media } = await start([entry({ mime: 'text/html' })]);
    const { headers } = await media();
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  test('unknown media, and media whose bytes are gone, are 404', async () => {
    const { url, media, blobs, errors } = await start([entry(), entry({ id: 'none', blobs: [] })]);
    for (const path of ['tiktok/1', 'other/7412', 'tiktok/%zz', 'tiktok/none'])
      expect((await sendRaw(`${url}/sandbox/media/${path}`)).status).toBe(404);
    await blobs.remove('two');
    expect((await media()).status).toBe(404);
    expect(errors).toEqual([]);
  });
});

publishedSuite('in store', async (entries) => {
  const store = { tiktok: memoryStore(), x: memoryStore() };
  for (const { platform, ...one } of entries) await store[platform as 'x'].publish(one);
  return publishedInStores(store);
});
