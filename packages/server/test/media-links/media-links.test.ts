import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '../../../sandbox/test/harness/raw-http.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { linkAddress, readToken, tokenIn, writeToken } from '../../src/media/links/token.ts';
import { addAccount, addMedia, addPost } from '../harness/rows.ts';
import { startService, type TestService } from '../harness/service.ts';

const key = randomBytes(32);
const NOW = Date.UTC(2026, 10, 21);
const later = (seconds: number) => Math.floor(NOW / 1000) + seconds;

describe('a token', () => {
  test('names its target until it expires', () => {
    const targetId = uuidv7();
    const token = writeToken(key, { targetId, expiresAt: later(60) });
    expect(readToken(key, token, NOW)).toBe(targetId);
    expect(readToken(key, token, NOW + 60_000)).toBe(targetId);
    expect(readToken(key, token, NOW + 60_001)).toBeNull();
    expect(readToken(randomBytes(32), token, NOW)).toBeNull();
  });

  test('is invalid after any change', () => {
    const token = writeToken(key, { targetId: uuidv7(), expiresAt: later(60) });
    const bytes = Buffer.from(token, 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const other = Buffer.from(bytes);
        other[at] = (other[at] ?? 0) ^ by;
        expect(readToken(key, other.toString('base64url'), NOW)).toBeNull();
      }),
    );
  });

  test('has one canonical spelling', () => {
    const token = writeToken(key, { targetId: uuidv7(), expiresAt: later(60) });
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const read = [...letters].filter((last) => readToken(key, token.slice(0, -1) + last, NOW) !== null);
    expect(read).toEqual([token.at(-1)]);
  });

  test('is parsed from any text without errors', () => {
    fc.assert(fc.property(fc.string(), (text) => readToken(key, text, NOW) === null));
    fc.assert(fc.property(fc.webPath(), (path) => readToken(key, tokenIn(path), NOW) === null));
  });
});

describe('a link', () => {
  let service: TestService;
  const video = randomBytes(300_000);
  beforeAll(async () => {
    service = await startService({ config: { role: 'api' } });
  });
  afterAll(() => service.close());

  /** An unfinished target and the link to its video. */
  async function linked(expiresInSeconds = 60) {
    const { db, context } = service;
    const user = await service.newUser();
    const accounts = [await addAccount(db, user.userId)];
    const media = await addMedia(db, user.userId);
    await context.storage.put(`videos/${media.id}`, Readable.from([video]));
    const { targets } = await addPost(db, { userId: user.userId, mediaId: media.id, accounts });
    const targetId = targets[0] ?? '';
    const expiresAt = Math.floor(Date.now() / 1000) + expiresInSeconds;
    return { targetId, url: linkAddress(service.url, context.secrets.links, { targetId, expiresAt }, 'mp4') };
  }
  const get = (url: string, headers: Record<string, string> = {}) => sendRaw(url, { method: 'GET', headers });

  test('serves the whole video or any range', async () => {
    const { url } = await linked();
    const whole = await fetch(url);
    expect(whole.status).toBe(200);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': '300000',
      'content-type': 'video/mp4',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(Buffer.from(await whole.arrayBuffer()).equals(video)).toBe(true);
    const part = await fetch(url, { headers: { range: 'bytes=100000-199999' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 100000-199999/300000']);
    expect(Buffer.from(await part.arrayBuffer()).equals(video.subarray(100_000, 200_000))).toBe(true);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '300000']);
    const beyond = await fetch(url, { headers: { range: 'bytes=300000-' } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */300000']);
  });

  test.each(['posted', 'failed'])('is invalid once its target is %s', async (state) => {
    const { targetId, url } = await linked();
    expect((await get(url)).status).toBe(200);
    await service.db.execute('update target set state = $2, due_at = null where id = $1', [targetId, state]);
    expect((await get(url)).status).toBe(404);
  });

  test('that is invalid in any way gets the same response', async () => {
    const { url, targetId } = await linked();
    const gone = await linked();
    await service.db.execute(
      `update media set state = 'gone' from post, target
       where media.id = post.media_id and post.id = target.post_id and target.id = $1`,
      [gone.targetId],
    );
    const { links } = service.context.secrets;
    const of = (id: string, expiresAt: number) => linkAddress(service.url, links, { targetId: id, expiresAt }, 'mp4');
    const dead = [
      (await linked(-5)).url,
      url.replace(/.(?=\.mp4)/, (last) => (last === 'A' ? 'B' : 'A')),
      of(uuidv7(), Math.floor(Date.now() / 1000) + 60),
      gone.url,
      `${service.url}/v/${targetId}.mp4`,
      `${service.url}/v`,
      `${service.url}/v/..%2f..%2fsecret-key`,
    ];
    const responses = await Promise.all(dead.map((each) => get(each)));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(404);
  });

  test('supports only GET and HEAD', async () => {
    const { url } = await linked();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await fetch(url, { method });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
    }
  });

  test('is not logged', async () => {
    const { url } = await linked();
    await get(url);
    expect(JSON.stringify(service.logged)).not.toContain(tokenIn(new URL(url).pathname));
    expect(service.logged.some(({ path }) => path === '/v/*')).toBe(true);
  });
});
