import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publishedInStores } from '../src/feed/published.ts';
import { createSandboxHandler, createSandboxRoutes } from '../src/feed/routes.ts';
import { type SandboxOptions, startSandbox } from '../src/index.ts';
import { loadSimulator } from '../src/registry.ts';
import { memoryBlobs, memoryStore } from '../src/store/memory.ts';
import { SandboxFull } from '../src/store/quota.ts';
import { createSerial } from '../src/store/serial.ts';
import { closedAfterTest } from './harness/after-test.ts';
import { withFolder } from './harness/folder.ts';
import { tinyMp4 } from './harness/mp4.ts';
import { sendRaw } from './harness/raw-http.ts';

const video = tinyMp4();
const sha256 = createHash('sha256').update(video).digest('hex');
const start = closedAfterTest(async (options: SandboxOptions = {}) => {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  return { ...(await startSandbox({ platforms: ['mastodon'], processingMs: 0, onError, ...options })), errors };
});

type Values = Record<string, string | Buffer>;
const FIELDS = { platform: 'mastodon', username: 'nora', caption: 'Run\r\nat dusk', video };

/** Sends the form of the page. */
async function submit(url: string, values: Values, headers: Record<string, string> = { accept: 'application/json' }) {
  const form = new FormData();
  for (const [name, value] of Object.entries(values))
    form.set(name, typeof value === 'string' ? value : new Blob([new Uint8Array(value)]));
  const response = await fetch(`${url}/phone`, { method: 'POST', body: form, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const change = (url: string, action: string, values: Record<string, string>) =>
  sendRaw(`${url}/phone/${action}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(values).toString(),
  });

/** The same as a multipart form, which `curl -F` sends. */
const changeParts = async (url: string, action: string, values: Record<string, string>) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) body.set(name, value);
  const response = await fetch(`${url}/phone/${action}`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body,
  });
  return { status: response.status, text: await response.text() };
};

describe('phone over HTTP', () => {
  test('edits and deletes with multipart forms', async () => {
    const sandbox = await start();
    const { id } = JSON.parse((await submit(sandbox.url, FIELDS)).text);
    const post = { platform: 'mastodon', username: 'nora', id };
    const edited = await changeParts(sandbox.url, 'edit', { ...post, caption: 'Run\nat dawn' });
    expect([edited.status, JSON.parse(edited.text)]).toEqual([200, post]);
    expect(await sandbox.feed()).toMatchObject([{ id, text: 'Run\nat dawn' }]);
    expect((await changeParts(sandbox.url, 'remove', post)).status).toBe(200);
    expect(await sandbox.feed()).toEqual([]);
  });

  test('names a multipart form that is broken', async () => {
    const sandbox = await start();
    const response = await sendRaw(`${sandbox.url}/phone/edit`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\ncontent-disposition: form-data; name="platform"\r\n\r\nmast',
    });
    expect([response.status, JSON.parse(response.text).error]).toEqual([400, 'The form is malformed or incomplete.']);
  });

  test('a script posts, edits and deletes', async () => {
    const sandbox = await start();
    const made = await submit(sandbox.url, FIELDS);
    expect(made.status).toBe(200);
    const { id, ...rest } = JSON.parse(made.text);
    expect(rest).toEqual({ platform: 'mastodon', username: 'nora', url: expect.stringContaining(`/@nora/${id}`) });
    const item = { platform: 'mastodon', id, username: 'nora', text: 'Run\nat dusk', bytes: video.length, sha256 };
    expect(await sandbox.feed()).toMatchObject([item]);
    const post = { platform: 'mastodon', username: 'nora', id };
    expect((await change(sandbox.url, 'edit', { ...post, caption: 'Run at dawn' })).status).toBe(200);
    expect(await sandbox.feed()).toMatchObject([{ ...item, text: 'Run at dawn' }]);
    for (const _again of [1, 2]) expect((await change(sandbox.url, 'remove', post)).status).toBe(200);
    expect(await sandbox.feed()).toEqual([]);
    const missing = await change(sandbox.url, 'edit', { ...post, caption: 'x' });
    expect([missing.status, JSON.parse(missing.text).error]).toEqual([404, expect.stringContaining(id)]);
  });

  test('the page posts and shows the result', async () => {
    const sandbox = await start();
    expect((await sendRaw(sandbox.url)).text).toContain('href="/sandbox/phone"');
    const page = await sendRaw(`${sandbox.url}/phone`);
    expect(page.text).toContain('<option>mastodon</option>');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const shown = await submit(sandbox.url, { ...FIELDS, username: 'no<ra' }, {});
    expect(shown.text).toContain('Post published');
    expect(shown.text).toContain('no&#60;ra');
    expect(shown.text).not.toContain('no<ra');
    expect(shown.text).toContain('action="/sandbox/phone/remove"');
  });

  test('time, audience and lag are passed on', async () => {
    const sandbox = await start();
    const values = { ...FIELDS, publishedAt: '2026-11-20T10:00:00Z', hiddenMs: '60000', audience: 'limited' };
    expect((await submit(sandbox.url, values)).status).toBe(200);
    expect(await sandbox.feed()).toMatchObject([{ publishedAt: '2026-11-20T10:00:00.000Z' }]);
    const { remoteId } = await sandbox.platform('mastodon').createAccount('nora');
    const list = await sendRaw(`${sandbox.url}/mastodon/api/v1/accounts/${remoteId}/statuses`);
    expect(JSON.parse(list.text)).toEqual([]);
  });

  test.each([
    ['an unknown platform', { ...FIELDS, platform: 'other' }, 'Unknown platform "other"'],
    ['no platform', { username: 'nora', video }, 'Unknown platform ""'],
    ['no user name', { ...FIELDS, username: ' ' }, 'user name'],
    ['an impossible user name', { ...FIELDS, username: 'a/b' }, 'no slash'],
    ['no video', { platform: 'mastodon', username: 'nora' }, 'Choose a video.'],
    ['an empty video', { ...FIELDS, video: Buffer.alloc(0) }, 'Choose a video.'],
    ['a text file', { ...FIELDS, video: Buffer.from('no film') }, 'not an MP4'],
    ['a sound file', { ...FIELDS, video: tinyMp4({ width: 0 }) }, 'not an MP4'],
    ['a video before its platform', { video, platform: 'mastodon', username: 'nora' }, 'before the video'],
    ['an unknown audience', { ...FIELDS, audience: 'nobody' }, '"public"'],
    ['no time', { ...FIELDS, publishedAt: 'soon' }, 'ISO 8601'],
    ['no number', { ...FIELDS, hiddenMs: '-1' }, 'milliseconds'],
  ])('%s is rejected with a reason', async (_case, values: Values, reason) => {
    const sandbox = await start();
    const json = await submit(sandbox.url, values);
    expect([json.status, JSON.parse(json.text).error]).toEqual([400, expect.stringContaining(reason)]);
    const { text } = await submit(sandbox.url, values, {});
    expect(text).toContain('role="alert"');
    // The form keeps what was entered.
    if ('caption' in values) expect(text).toContain('at dusk</textarea>');
    expect(await sandbox.feed()).toEqual([]);
  });

  test('requests that are no complete form are rejected', async () => {
    const { url } = await start();
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    expect((await sendRaw(`${url}/phone`, { method: 'POST', headers, body: '{}' })).status).toBe(400);
    for (const values of [
      {} as Record<string, string>,
      { platform: 'mastodon' },
      { platform: 'mastodon', username: 'nora' },
    ])
      expect((await change(url, 'remove', values)).status).toBe(400);
    for (const action of ['edit', 'remove'])
      expect((await change(url, action, { platform: 'mastodon', username: 'a/b', id: '1' })).status).toBe(400);
  });

  test('forms of other sites cannot post', async () => {
    const sandbox = await start();
    for (const site of ['cross-site', 'same-site'])
      for (const action of ['', '/edit', '/remove']) {
        const headers = { 'sec-fetch-site': site };
        expect((await sendRaw(`${sandbox.url}/phone${action}`, { method: 'POST', headers })).status).toBe(403);
      }
  });
});

describe('phone storage', () => {
  /** The routes with a limit, above blobs that can fill up. */
  const serve = closedAfterTest(async (maxVideoBytes: number, full = false) => {
    const module = await loadSimulator.mastodon?.();
    if (!module) throw new Error('No simulator.');
    const [store, kept] = [memoryStore(), memoryBlobs()];
    const keys = new Set<string>();
    const blobs = {
      ...kept,
      async put(key: string, source: Parameters<typeof kept.put>[1]) {
        if (full) throw new SandboxFull();
        keys.add(key);
        return kept.put(key, source);
      },
      async remove(key: string) {
        keys.delete(key);
        await kept.remove(key);
      },
    };
    const { phone } = module.create({
      ...{ store, blobs, baseUrl: 'http://127.0.0.1/sandbox/mastodon', now: Date.now, limits: false, processingMs: 0 },
      serial: createSerial(),
      fetch: async () => null,
      app: { clientId: 'id', clientSecret: 'secret' },
    });
    const errors: unknown[] = [];
    const routes = createSandboxRoutes({
      source: publishedInStores({ mastodon: store }),
      blobs: (platform) => (platform === 'mastodon' ? blobs : null),
      credentials: { app: { clientId: '', clientSecret: '' }, platforms: [], enrol: () => Promise.reject(new Error()) },
      phone: {
        platforms: ['mastodon', 'telegram'],
        find: async (name) => (name === 'mastodon' ? phone : undefined),
        maxVideoBytes,
      },
      guard: async () => true,
      observe: (error) => errors.push(error),
    });
    const server = http.createServer(createSandboxHandler(routes));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const close = async () => void server.close().closeAllConnections();
    return {
      url: `http://127.0.0.1:${typeof address === 'object' && address?.port}/sandbox`,
      keys,
      store,
      errors,
      close,
    };
  });

  test('a video above the limit gets 413 and leaves nothing', async () => {
    const { url, keys, store } = await serve(video.length - 1);
    const over = await submit(url, FIELDS);
    expect([over.status, JSON.parse(over.text).error]).toEqual([413, expect.stringContaining('larger')]);
    const headers = { accept: 'application/json', 'content-length': String(3 * 1024 ** 2) };
    const announced = await new Promise<number>((resolve, reject) => {
      const request = http.request(`${url}/phone`, { method: 'POST', headers, agent: false });
      request.once('response', ({ statusCode = 0 }) => {
        resolve(statusCode);
        request.destroy();
      });
      request.on('error', reject);
      request.flushHeaders();
    });
    expect(announced).toBe(413);
    expect([keys.size, await store.published()]).toEqual([0, []]);
    expect((await submit((await serve(video.length)).url, FIELDS)).status).toBe(200);
  });

  test('a rejected video leaves no blob', async () => {
    const { url, keys } = await serve(1_000_000);
    expect((await submit(url, { ...FIELDS, video: Buffer.from('no film') })).status).toBe(400);
    expect((await submit(url, { ...FIELDS, audience: 'nobody' })).status).toBe(400);
    expect((await submit(url, { ...FIELDS, username: 'a/b' })).status).toBe(400);
    expect(keys.size).toBe(0);
    expect((await submit(url, FIELDS)).status).toBe(200);
    expect(keys.size).toBe(1);
  });

  test('reports a platform without a phone and a full sandbox', async () => {
    const none = await submit((await serve(1_000_000)).url, { ...FIELDS, platform: 'telegram' });
    expect([none.status, JSON.parse(none.text).error]).toEqual([400, 'The simulator of telegram has no phone.']);
    const full = await submit((await serve(1_000_000, true)).url, FIELDS);
    expect([full.status, JSON.parse(full.text).error]).toEqual([507, 'The sandbox is full.']);
  });
});

test('the JavaScript API posts bytes and files', async () => {
  await withFolder(async (folder) => {
    const { phone, published, ...platform } = (await start()).platform('mastodon');
    const path = join(folder, 'film.mov');
    await writeFile(path, tinyMp4({ brand: 'qt  ' }));
    const first = await phone.post('nora', { text: 'one', video });
    const second = await phone.post('nora', { text: 'two', video: path });
    const entries = await published();
    expect(entries.map(({ id, mime, text }) => [id, mime, text])).toEqual([
      [first.id, 'video/mp4', 'one'],
      [second.id, 'video/quicktime', 'two'],
    ]);
    expect(entries[0] && (await platform.video(entries[0])).equals(video)).toBe(true);
    await phone.edit('nora', first.id, 'edited');
    await phone.remove('nora', second.id);
    expect((await published()).map(({ text }) => text)).toEqual(['edited']);
    await expect(phone.edit('nora', second.id, 'x')).rejects.toThrow(second.id);
    await expect(phone.post('nora', { text: '', video: Buffer.from('no film') })).rejects.toThrow('not an MP4');
  });
});
