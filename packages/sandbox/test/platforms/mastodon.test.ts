import { createHash, randomBytes } from 'node:crypto';
import net from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Blobs } from '../../src/contract.ts';
import { simulator } from '../../src/platforms/mastodon/index.ts';
import { type MastodonSwitches, SWITCHES } from '../../src/platforms/mastodon/state.ts';
import { memoryBlobs } from '../../src/store/memory.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';

const VIDEO = Buffer.from('not really a film');
const HOUR = 3_600_000;

type JsonResponse = { status: number; headers: Headers; text: string; json: Record<string, unknown> };

const startPlatform = closedAfterTest(startSimulator);

async function start(overrides: SimulatorOverrides = {}) {
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const instance = await startPlatform(simulator, { now: () => clock.now, ...overrides });
  const { tokenAnswer, remoteId } = await instance.simulator.enrol('Nora');
  const token = String(tokenAnswer?.access_token);
  const call = async (method: string, path: string, init: RequestInit = {}): Promise<JsonResponse> => {
    const response = await fetch(`${instance.url}${path}`, {
      method,
      redirect: 'manual',
      ...init,
      headers: { authorization: `Bearer ${token}`, ...init.headers },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
  };
  const json = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    call(method, path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } });
  const form = (path: string, fields: Record<string, string>) =>
    call('POST', path, { body: new URLSearchParams(fields), headers: { authorization: '' } });
  const upload = (type = 'video/mp4', bytes = VIDEO, headers: Record<string, string> = {}) => {
    const body = new FormData();
    body.set('description', 'A runner at dusk');
    body.set('file', new Blob([new Uint8Array(bytes)], { type }), 'video.mp4');
    return call('POST', '/api/v2/media', { body, headers });
  };
  const uploaded = async () => String((await upload()).json.id);
  const post = (body: unknown, headers: Record<string, string> = {}) => json('POST', '/api/v1/statuses', body, headers);
  const set = (switches: MastodonSwitches) => instance.store.put(...SWITCHES, switches);
  return { ...instance, clock, token, remoteId, call, json, form, upload, uploaded, post, set };
}

const error = (response: JsonResponse) => [response.status, response.json.error];

describe('simulated Mastodon application and consent', () => {
  const REDIRECT = 'https://clip.example/oauth/mastodon/callback';
  const SCOPES = 'read:accounts read:statuses write:media write:statuses';

  async function registered() {
    const instance = await start();
    const app = (
      await instance.json('POST', '/api/v1/apps', { client_name: 'Clip', redirect_uris: [REDIRECT], scopes: SCOPES })
    ).json;
    const verifier = randomBytes(32).toString('base64url');
    const asked = {
      response_type: 'code',
      client_id: String(app.client_id),
      redirect_uri: REDIRECT,
      scope: SCOPES,
      state: 'the state',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    const consent = async (fields: Record<string, string>) => {
      const response = await instance.form('/oauth/authorize', { ...asked, ...fields });
      return { response, back: new URL(response.headers.get('location') ?? 'none:') };
    };
    const trade = (code: string, fields: Record<string, string> = {}) =>
      instance.form('/oauth/token', {
        grant_type: 'authorization_code',
        code,
        client_id: String(app.client_id),
        client_secret: String(app.client_secret),
        redirect_uri: REDIRECT,
        code_verifier: verifier,
        ...fields,
      });
    return { ...instance, app, asked, consent, trade };
  }

  test('registers with id and secret for text or list URIs', async () => {
    const { json } = await start();
    for (const redirect_uris of [REDIRECT, [REDIRECT]]) {
      const { status, json: app } = await json('POST', '/api/v1/apps', {
        client_name: 'Clip',
        redirect_uris,
        scopes: SCOPES,
      });
      expect(status).toBe(200);
      expect(app).toMatchObject({ redirect_uris: [REDIRECT], scopes: SCOPES.split(' '), client_secret_expires_at: 0 });
      expect(app.client_id).toEqual(expect.any(String));
    }
  });

  test.each([
    [{ redirect_uris: REDIRECT }, "Validation failed: Application name can't be blank"],
    [{ client_name: 'Clip' }, "Validation failed: Redirect URI can't be blank"],
    [{ client_name: 'Clip', redirect_uris: 'callback' }, 'Validation failed: Redirect URI must be an absolute URI.'],
    [
      { client_name: 'Clip', redirect_uris: REDIRECT, scopes: 'fly' },
      "Validation failed: Scopes doesn't match configured on the server.",
    ],
  ])('rejects the registration %j', async (body, message) => {
    const { json } = await start();
    expect(error(await json('POST', '/api/v1/apps', body))).toEqual([422, message]);
  });

  test('has metadata, except on an old server', async () => {
    const { call, set, url } = await start();
    const found = await call('GET', '/.well-known/oauth-authorization-server');
    expect(found.json).toMatchObject({
      token_endpoint: `${url}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
    });
    await set({ oldServer: true });
    expect((await call('GET', '/.well-known/oauth-authorization-server')).status).toBe(404);
    expect((await call('GET', '/api/v2/instance')).status).toBe(404);
    expect((await call('GET', '/api/v1/instance')).json).toMatchObject({ version: '3.5.19' });
  });

  test('accepts any user name and exchanges the code once', async () => {
    const { consent, trade, call } = await registered();
    const { back } = await consent({ username: 'Wanda_9', decision: 'allow' });
    expect(back.searchParams.get('state')).toBe('the state');
    const code = back.searchParams.get('code') ?? '';
    const { status, json: token } = await trade(code);
    expect([status, token.token_type, token.scope]).toEqual([200, 'Bearer', SCOPES]);
    expect(Object.keys(token).sort()).toEqual(['access_token', 'created_at', 'scope', 'token_type']);
    const me = await call('GET', '/api/v1/accounts/verify_credentials', {
      headers: { authorization: `Bearer ${token.access_token}` },
    });
    expect(me.json).toMatchObject({ username: 'wanda_9', source: { privacy: 'public' } });
    expect(error(await trade(code))).toEqual([400, 'invalid_grant']);
  });

  test('asks for a name and escapes input', async () => {
    const { call, asked, consent } = await registered();
    const evil = '"><script>alert(1)</script>';
    const page = await call('GET', `/oauth/authorize?${new URLSearchParams({ ...asked, state: evil })}`);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).toContain('name="username"');
    expect(page.text).not.toContain('<script>');
    const { response } = await consent({ username: evil, decision: 'allow' });
    expect(response.status).toBe(422);
    expect(response.text).not.toContain('<script>');
  });

  test('redirects a denial, invalid scope, and wrong challenge method', async () => {
    const { consent } = await registered();
    expect((await consent({ decision: 'deny' })).back.searchParams.get('error')).toBe('access_denied');
    const scope = await consent({ scope: 'write', decision: 'allow', username: 'nora' });
    expect(scope.back.searchParams.get('error')).toBe('invalid_scope');
    const plain = await consent({ code_challenge_method: 'plain', decision: 'allow', username: 'nora' });
    expect(plain.back.searchParams.get('error')).toBe('invalid_code_challenge_method');
  });

  test('shows unknown clients and redirect URIs without redirecting', async () => {
    const { consent } = await registered();
    expect((await consent({ client_id: 'gone' })).response.status).toBe(401);
    const foreign = await consent({ redirect_uri: 'https://evil.example/', decision: 'allow', username: 'nora' });
    expect([foreign.response.status, foreign.response.headers.get('location')]).toEqual([400, null]);
  });

  test.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 400, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 400, 'invalid_grant'],
    ['another address', { redirect_uri: 'https://clip.example/other' }, 400, 'invalid_grant'],
    ['an unknown client', { client_id: 'gone' }, 401, 'invalid_client'],
    ['another secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ])('rejects a code with %s', async (_name, fields, status, code) => {
    const { consent, trade } = await registered();
    const { back } = await consent({ username: 'nora', decision: 'allow' });
    expect(error(await trade(back.searchParams.get('code') ?? '', fields))).toEqual([status, code]);
  });

  test('accepts a code for ten minutes', async () => {
    const { consent, trade, clock } = await registered();
    const { back } = await consent({ username: 'nora', decision: 'allow' });
    clock.now += 600_000;
    expect(error(await trade(back.searchParams.get('code') ?? ''))).toEqual([400, 'invalid_grant']);
  });

  test('issues app tokens within the scopes, by form or Basic', async () => {
    const { app, form, call } = await registered();
    const client = { client_id: String(app.client_id), client_secret: String(app.client_secret) };
    const good = await form('/oauth/token', { ...client, grant_type: 'client_credentials', scope: 'read:accounts' });
    expect(good.status).toBe(200);
    const bad = await form('/oauth/token', { ...client, grant_type: 'client_credentials', scope: 'write' });
    expect(error(bad)).toEqual([400, 'invalid_scope']);
    const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
    const other = await call('POST', '/oauth/token', {
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'read:accounts' }),
      headers: { authorization: `Basic ${basic}` },
    });
    expect(other.status).toBe(200);
    const asUser = { authorization: `Bearer ${good.json.access_token}` };
    expect((await call('GET', '/api/v1/accounts/verify_credentials', { headers: asUser })).status).toBe(422);
  });

  test('revokes tokens repeatedly, but not for another client', async () => {
    const { app, consent, trade, form, call } = await registered();
    const { back } = await consent({ username: 'nora', decision: 'allow' });
    const token = String((await trade(back.searchParams.get('code') ?? '')).json.access_token);
    const client = { client_id: String(app.client_id), client_secret: String(app.client_secret) };
    expect(error(await form('/oauth/revoke', { ...client, client_secret: 'wrong', token }))).toEqual([
      403,
      'unauthorized_client',
    ]);
    expect((await form('/oauth/revoke', { ...client, token })).json).toEqual({});
    expect((await form('/oauth/revoke', { ...client, token })).status).toBe(200);
    const me = await call('GET', '/api/v1/accounts/verify_credentials', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(error(me)).toEqual([401, 'The access token was revoked']);
  });
});

describe('simulated Mastodon media', () => {
  test('returns 202 without URL, 206 during processing, then 200', async () => {
    const { upload, call, clock } = await start({ processingMs: 5_000 });
    const first = await upload();
    expect([first.status, first.json.url, first.json.type]).toEqual([202, null, 'video']);
    expect(first.json.description).toBe('A runner at dusk');
    const path = `/api/v1/media/${first.json.id}`;
    const still = await call('GET', path);
    expect([still.status, still.json.url]).toEqual([206, null]);
    clock.now += 5_000;
    const ready = await call('GET', path);
    expect(ready.status).toBe(200);
    expect(Buffer.from(await (await fetch(String(ready.json.url))).arrayBuffer())).toEqual(VIDEO);
  });

  test('of an image or a synchronous server are ready immediately', async () => {
    const { upload, set } = await start({ processingMs: 5_000 });
    expect((await upload('image/png')).status).toBe(200);
    await set({ synchronousMedia: true });
    const video = await upload();
    expect([video.status, typeof video.json.url]).toEqual([200, 'string']);
  });

  test("of another type are rejected in the caller's language", async () => {
    const { upload } = await start();
    const message = 'Validation failed: File content type is invalid, File is invalid';
    expect(error(await upload('application/pdf'))).toEqual([422, message]);
    const german = await upload('application/pdf', VIDEO, { 'accept-language': 'fr, de-CH;q=0.9, en;q=0.8' });
    expect(german.json.error).toMatch(/^Gültigkeitsprüfung ist fehlgeschlagen: /);
  });

  test.each([
    ['noVideoStream', 422, 'Video has no video stream'],
    ['dimensions', 422, '4320x7680 videos are not supported'],
    ['frameRate', 422, '240fps videos are not supported'],
    ['brokenUpload', 500, 'Error processing thumbnail for uploaded media'],
  ] as const)('of a video are rejected for %s', async (refuseMedia, status, message) => {
    const { upload, set } = await start();
    await set({ refuseMedia });
    expect(error(await upload())).toEqual([status, message]);
  });

  test.each(['json', 'form'])('take a new description as %s', async (kind) => {
    const instance = await start();
    const id = await instance.uploaded();
    const body = kind === 'json' ? '{"description":"Dawn"}' : new URLSearchParams({ description: 'Dawn' });
    const headers = kind === 'json' ? { 'content-type': 'application/json' } : {};
    const response = await instance.call('PUT', `/api/v1/media/${id}`, { body, headers });
    expect([response.status, response.json.description]).toEqual([200, 'Dawn']);
    expect((await instance.call('PUT', '/api/v1/media/1', { body, headers })).status).toBe(404);
  });

  test('report a processing failure when polled', async () => {
    const { uploaded, call, set } = await start();
    const id = await uploaded();
    await set({ refuseMedia: 'processing' });
    expect(error(await call('GET', `/api/v1/media/${id}`))).toEqual([
      422,
      'Error processing thumbnail for uploaded media',
    ]);
  });

  test('over the limit are rejected and not stored', async () => {
    const blobs = memoryBlobs();
    const keys: string[] = [];
    const put: Blobs['put'] = (key, source) => {
      keys.push(key);
      return blobs.put(key, source);
    };
    const { upload, set } = await start({ blobs: { ...blobs, put } });
    await set({ videoSizeLimit: 2_097_152 });
    const response = await upload('video/mp4', Buffer.alloc(2_097_153));
    expect(error(response)).toEqual([422, 'Validation failed: File file size must be less than 2 MB']);
    expect(keys).toHaveLength(1);
    await expect(blobs.hash(keys)).rejects.toThrow();
    expect((await upload('video/mp4', Buffer.alloc(2_097_152))).status).toBe(202);
  });

  test('far over the limit are rejected by the proxy', async () => {
    const { url, token } = await start();
    const { port, hostname, pathname } = new URL(url);
    const socket = net.connect(Number(port), hostname);
    socket.write(
      `POST ${pathname}/api/v2/media HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 200000000\r\n\r\n`,
    );
    const [head] = (await new Promise<Buffer>((resolve) => socket.once('data', resolve))).toString().split('\r\n\r\n');
    socket.destroy();
    expect(head).toMatch(/^HTTP\/1.1 413 /);
    expect(head).toContain('text/html');
  });

  test.each([
    [
      'no file',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="focus"\r\n\r\n0,0\r\n--b--\r\n',
    ],
    [
      'an end that is missing',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.mp4"\r\ncontent-type: video/mp4\r\n\r\nbegun',
    ],
    ['another form', 'application/x-www-form-urlencoded', 'file=1'],
  ])('are rejected when the body has %s', async (_name, type, body) => {
    const { call } = await start();
    const response = await call('POST', '/api/v2/media', { body, headers: { 'content-type': type } });
    expect(error(response)).toEqual([422, "Validation failed: File can't be blank"]);
  });

  test('are not found if foreign, expired, or attached', async () => {
    const { uploaded, call, clock, simulator: platform, post } = await start();
    const [mine, posted] = [await uploaded(), await uploaded()];
    await post({ status: '', media_ids: [posted] });
    expect(error(await call('GET', `/api/v1/media/${posted}`))).toEqual([404, 'Record not found']);
    const other = await platform.enrol('otto');
    const stranger = { authorization: `Bearer ${other.tokenAnswer?.access_token}` };
    expect((await call('GET', `/api/v1/media/${mine}`, { headers: stranger })).status).toBe(404);
    clock.now += 24 * HOUR;
    expect((await call('GET', `/api/v1/media/${mine}`)).status).toBe(404);
  });
});

describe('simulated Mastodon status', () => {
  test('appears in response, URL, list, and feed alike', async () => {
    const { uploaded, post, call, published, url, remoteId } = await start();
    const medium = await uploaded();
    const { status, json: made } = await post({
      status: 'Sunset run #sea <b>',
      media_ids: [medium],
      visibility: 'public',
    });
    expect(status).toBe(200);
    expect(made).toMatchObject({ visibility: 'public', media_attachments: [{ id: medium, type: 'video' }] });
    expect(made.content).toMatch(/^<p>Sunset run <a [^>]+>#<span>sea<\/span><\/a> &#60;b&#62;<\/p>$/);
    const sha256 = createHash('sha256').update(VIDEO).digest('hex');
    expect(await published()).toEqual([
      expect.objectContaining({ id: made.id, username: 'nora', text: 'Sunset run #sea <b>', url: made.url, sha256 }),
    ]);
    expect((await call('GET', `/api/v1/statuses/${made.id}`)).json).toEqual(made);
    const list = await call('GET', `/api/v1/accounts/${remoteId}/statuses?only_media=true`);
    expect(JSON.parse(list.text)).toEqual([made]);
    expect((await call('GET', String(made.url).slice(url.length))).text).toContain('<video');
  });

  test('is created from any body format', async () => {
    const { uploaded, call } = await start();
    const body = new URLSearchParams([
      ['status', 'by form'],
      ['media_ids[]', await uploaded()],
      ['visibility', 'unlisted'],
    ]);
    expect((await call('POST', '/api/v1/statuses', { body })).json).toMatchObject({ visibility: 'unlisted' });
  });

  test('is returned for a repeated key for an hour', async () => {
    const { uploaded, post, clock, published, simulator: platform } = await start();
    const body = { status: 'once', media_ids: [await uploaded()] };
    const key = { 'idempotency-key': 'k' };
    const first = await post(body, key);
    expect((await post(body, key)).json.id).toBe(first.json.id);
    const other = await platform.enrol('otto');
    const stranger = { ...key, authorization: `Bearer ${other.tokenAnswer?.access_token}` };
    expect((await post({ status: 'mine' }, stranger)).json.id).not.toBe(first.json.id);
    clock.now += HOUR;
    expect((await post(body, key)).status).toBe(422);
    expect(await published()).toHaveLength(2);
  });

  test('is created once by simultaneous requests with one key', async () => {
    const { uploaded, post, published } = await start();
    const body = { status: 'once', media_ids: [await uploaded()] };
    const responses = await Promise.all(Array.from({ length: 5 }, () => post(body, { 'idempotency-key': 'k' })));
    expect(new Set(responses.map(({ json }) => json.id)).size).toBe(1);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await published()).toHaveLength(1);
  });

  test('that is rejected leaves its key unused', async () => {
    const { uploaded, post } = await start();
    const key = { 'idempotency-key': 'k' };
    expect((await post({ status: 'x'.repeat(501) }, key)).status).toBe(422);
    expect((await post({ status: 'short', media_ids: [await uploaded()] }, key)).status).toBe(200);
  });

  test('that was deleted makes its key return 404', async () => {
    const { post, call } = await start();
    const first = await post({ status: 'gone' }, { 'idempotency-key': 'k' });
    await call('DELETE', `/api/v1/statuses/${first.json.id}`);
    expect(error(await post({ status: 'gone' }, { 'idempotency-key': 'k' }))).toEqual([404, 'Record not found']);
  });

  test('attaches a medium once, also with simultaneous requests', async () => {
    const { uploaded, post, published, set } = await start();
    await set({ forgetIdempotencyKey: true });
    const medium = await uploaded();
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => post({ status: 'once', media_ids: [medium] }, { 'idempotency-key': 'k' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    expect(error(responses.find(({ status }) => status === 422) as JsonResponse)).toEqual([
      422,
      `Media ${medium} not found or already attached to another post`,
    ]);
    expect(await published()).toHaveLength(1);
  });

  test('that a crash interrupted is completed on the next read', async () => {
    const { uploaded, post, store, errors, published, call, remoteId } = await start();
    const medium = await uploaded();
    const publish = store.publish;
    store.publish = () => Promise.reject(new Error('The process died.'));
    expect((await post({ status: 'half', media_ids: [medium] })).status).toBe(500);
    store.publish = publish;
    errors.splice(0);
    expect(await published()).toEqual([]);
    const list = await call('GET', `/api/v1/accounts/${remoteId}/statuses`);
    expect(JSON.parse(list.text)).toHaveLength(1);
    await call('GET', `/api/v1/accounts/${remoteId}/statuses`);
    expect(await published()).toHaveLength(1);
  });

  test('cannot attach a video during processing', async () => {
    const { uploaded, post } = await start({ processingMs: 5_000 });
    expect(error(await post({ status: 'soon', media_ids: [await uploaded()] }))).toEqual([
      422,
      'Cannot attach files that have not finished processing. Try again in a moment!',
    ]);
  });

  test('allows one video, no mixed media, and four files', async () => {
    const { upload, uploaded, post } = await start();
    const image = String((await upload('image/png')).json.id);
    const mixed = 'Cannot attach a video to a post that already contains images';
    expect(error(await post({ media_ids: [await uploaded(), await uploaded()] }))).toEqual([422, mixed]);
    expect(error(await post({ media_ids: [image, await uploaded()] }))).toEqual([422, mixed]);
    expect(error(await post({ media_ids: ['1', '2', '3', '4', '5'] }))).toEqual([
      422,
      'Cannot attach more than 4 files',
    ]);
  });

  test('without text needs a medium', async () => {
    const { uploaded, post } = await start();
    expect(error(await post({ status: ' ' }))).toEqual([422, "Validation failed: Text can't be blank"]);
    expect((await post({ status: '', media_ids: [await uploaded()] })).status).toBe(200);
  });

  test.each([
    ['plain letters', 'x'.repeat(500), true],
    ['one letter more', 'x'.repeat(501), false],
    ['families, which are one sign each', '👨‍👩‍👧'.repeat(500), true],
    ['an address, which is 23', `${'x'.repeat(476)} https://example.org/${'a'.repeat(300)}`, true],
    ['an address and one letter more', `${'x'.repeat(477)} https://example.org/${'a'.repeat(300)}`, false],
    ['somebody whose server is not counted', `${'x'.repeat(494)} @nora@a-very-long-name.example`, true],
    ['somebody and one letter more', `${'x'.repeat(495)} @nora@a-very-long-name.example`, false],
  ])('is checked for length: %s', async (_name, status, fits) => {
    const { post } = await start();
    const response = await post({ status });
    if (fits) expect(response.status).toBe(200);
    else expect(error(response)).toEqual([422, 'Validation failed: Text character limit of 500 exceeded']);
  });

  test("counts the content warning against the instance's limit", async () => {
    const { post, set } = await start();
    await set({ maxCharacters: 10 });
    expect((await post({ status: '12345', spoiler_text: '12345' })).status).toBe(200);
    expect((await post({ status: '12345', spoiler_text: '123456' })).status).toBe(422);
  });

  test('of a limited account has a lower visibility', async () => {
    const { post, set } = await start();
    await set({ limited: true });
    expect((await post({ status: 'hello', visibility: 'public' })).json.visibility).toBe('unlisted');
  });

  test('that is private is visible to its owner only', async () => {
    const { post, url, call } = await start();
    const { json: made } = await post({ status: 'hush', visibility: 'private' });
    expect((await call('GET', `/api/v1/statuses/${made.id}`)).status).toBe(200);
    expect((await fetch(`${url}/api/v1/statuses/${made.id}`)).status).toBe(404);
  });

  test('is not stored by an anti-spam filter despite 200', async () => {
    const { uploaded, post, call, published, set } = await start();
    await set({ silentDrop: true });
    const response = await post({ status: 'buy now', media_ids: [await uploaded()] });
    expect([response.status, typeof response.json.url]).toEqual([200, 'string']);
    expect(error(await call('GET', `/api/v1/statuses/${response.json.id}`))).toEqual([404, 'Record not found']);
    expect(await published()).toEqual([]);
  });

  test('is unpublished when deleted; a foreign one is 404', async () => {
    const { uploaded, post, call, published } = await start();
    const { json: made } = await post({ status: 'away', media_ids: [await uploaded()] });
    expect((await call('DELETE', '/api/v1/statuses/1')).status).toBe(404);
    expect((await call('DELETE', `/api/v1/statuses/${made.id}`)).json.text).toBe('away');
    expect((await call('GET', `/api/v1/statuses/${made.id}`)).status).toBe(404);
    expect(await published()).toEqual([]);
  });

  test('is listed with Link pages in both directions', async () => {
    const { post, call, remoteId, url, uploaded } = await start();
    const ids: unknown[] = [];
    for (const status of ['a', 'b', 'c', 'd', 'e']) ids.unshift((await post({ status })).json.id);
    await post({ status: 'film', media_ids: [await uploaded()] });
    const path = `/api/v1/accounts/${remoteId}/statuses`;
    const page = async (query: string) => {
      const response = await call('GET', `${path}?${query}`);
      const links = [...(response.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)];
      return {
        ids: (JSON.parse(response.text) as { id: string }[]).map(({ id }) => id),
        links: Object.fromEntries(links.map(([, link, rel]) => [rel, link?.slice(url.length + path.length + 1)])),
      };
    };
    const first = await page(`limit=2&max_id=${String((await page('limit=1')).ids[0])}`);
    expect(first.ids).toEqual(ids.slice(0, 2));
    const second = await page(first.links.next ?? '');
    expect(second.ids).toEqual(ids.slice(2, 4));
    const third = await page(second.links.next ?? '');
    expect([third.ids, third.links.next]).toEqual([ids.slice(4), undefined]);
    expect((await page(third.links.prev ?? '')).ids).toEqual(ids.slice(2, 4));
    expect((await page(`since_id=${ids[2]}`)).ids.slice(1)).toEqual(ids.slice(0, 2));
    expect((await page('only_media=true')).ids).toHaveLength(1);
    expect((await call('GET', '/api/v1/accounts/7/statuses')).status).toBe(404);
  });

  test('may appear late in lists', async () => {
    const { post, call, remoteId, set, clock } = await start();
    await set({ listLagMs: 60_000 });
    await post({ status: 'late' });
    const listed = async () => JSON.parse((await call('GET', `/api/v1/accounts/${remoteId}/statuses`)).text);
    expect(await listed()).toEqual([]);
    clock.now += 60_000;
    expect(await listed()).toHaveLength(1);
  });
});

describe('simulated Mastodon access', () => {
  test('rejects missing, wrong, and insufficient tokens in any language', async () => {
    const { call, url, store, token } = await start();
    expect((await fetch(`${url}/api/v1/accounts/verify_credentials`)).status).toBe(401);
    const wrong = { authorization: 'Bearer wrong', 'accept-language': 'de' };
    const refused = await call('GET', '/api/v1/accounts/verify_credentials', { headers: wrong });
    expect(error(refused)).toEqual([401, 'Das Zugriffstoken ist ungültig']);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
    await store.change<{ scopes: string[] }>('token', token, (known) => known && { ...known, scopes: ['read'] });
    expect(error(await call('POST', '/api/v1/statuses'))).toEqual([
      403,
      'This action is outside the authorized scopes',
    ]);
  });

  test.each([
    ['disabled', 'Your login is currently disabled'],
    ['unconfirmed', 'Your login is missing a confirmed e-mail address'],
    ['pending', 'Your login is currently pending approval'],
    ['suspended', 'Your login is currently suspended'],
  ] as const)('rejects a login that is %s', async (login, message) => {
    const { post, set } = await start();
    await set({ login });
    expect(error(await post({ status: 'hello' }))).toEqual([403, message]);
  });

  test("prefers the user's language to the request's", async () => {
    const { post, set } = await start();
    await set({ locale: 'de' });
    const response = await post({ status: '' }, { 'accept-language': 'en' });
    expect(response.json.error).toBe('Gültigkeitsprüfung ist fehlgeschlagen: Text muss ausgefüllt werden');
  });

  test('reports the tightest window and enforces it', async () => {
    const { uploaded, upload, call, clock } = await start({ limits: true });
    const me = await call('GET', '/api/v1/accounts/verify_credentials');
    expect(me.headers.get('x-ratelimit-limit')).toBe('300');
    for (let count = 0; count < 30; count++) await uploaded();
    const refused = await upload();
    expect(error(refused)).toEqual([429, 'Too many requests']);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    const reset = refused.headers.get('x-ratelimit-reset') ?? '';
    expect(reset).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    clock.now = Date.parse(reset);
    expect((await upload()).status).toBe(202);
  });

  test('counts and reports nothing without limits', async () => {
    const { call } = await start();
    const me = await call('GET', '/api/v1/accounts/verify_credentials');
    expect(me.headers.get('x-ratelimit-limit')).toBeNull();
  });

  test("returns the platform's own errors", async () => {
    const { simulator: platform, clock } = await start();
    expect(platform.refusal('rate-limited')).toEqual({
      status: 429,
      headers: {},
      body: { error: 'Too many requests' },
    });
    const reset = platform.refusal('rate-limited-with-wait').headers?.['x-ratelimit-reset'] ?? '';
    expect(Date.parse(reset)).toBeGreaterThan(clock.now);
    expect(platform.refusal('server-error')).toMatchObject({ status: 500, body: expect.stringContaining('<!doctype') });
    expect(platform.refusal('token-expired').body).toEqual({ error: 'The access token expired' });
    expect(platform.refusal('token-revoked').body).toEqual({ error: 'The access token was revoked' });
    expect(platform.unknownRoute({ method: 'GET', path: '/' }).status).toBe(404);
  });

  test('returns token times in seconds or milliseconds', async () => {
    const { simulator: platform, set, clock } = await start();
    expect((await platform.enrol('nora')).tokenAnswer?.created_at).toBe(clock.now / 1000);
    await set({ millisecondCreatedAt: true });
    expect((await platform.enrol('nora')).tokenAnswer?.created_at).toBe(clock.now);
  });
});

describe('simulated Mastodon fault by tag', () => {
  async function tagged(tag: string) {
    const instance = await start();
    const body = { status: `hello #sandbox-${tag}`, media_ids: [await instance.uploaded()] };
    return { ...instance, send: () => instance.post(body, { 'idempotency-key': 'k' }) };
  }

  test('reconnect revokes the token', async () => {
    const { send, call } = await tagged('reconnect');
    expect(error(await send())).toEqual([401, 'The access token was revoked']);
    expect((await call('GET', '/api/v1/accounts/verify_credentials')).status).toBe(401);
  });

  test('reject rejects the file', async () => {
    const { send } = await tagged('reject');
    expect(error(await send())).toEqual([422, 'Validation failed: File content type is invalid, File is invalid']);
  });

  test('rate-limit fails twice with a reset time', async () => {
    const { send, clock } = await tagged('rate-limit');
    for (const _ of [1, 2]) {
      const refused = await send();
      expect(refused.status).toBe(429);
      expect(Date.parse(refused.headers.get('x-ratelimit-reset') ?? '')).toBeGreaterThan(clock.now);
    }
    expect((await send()).status).toBe(200);
  });

  test('down fails three times', async () => {
    const { send } = await tagged('down');
    const statuses = [await send(), await send(), await send(), await send()].map(({ status }) => status);
    expect(statuses).toEqual([503, 503, 503, 200]);
  });

  test('slow hides the new status for half a minute', async () => {
    const { send, call, clock, published } = await tagged('slow');
    const path = `/api/v1/statuses/${(await send()).json.id}`;
    expect(await published()).toHaveLength(1);
    expect((await call('GET', path)).status).toBe(404);
    clock.now += 30_000;
    expect((await call('GET', path)).status).toBe(200);
  });

  test('lost-answer posts and closes the connection; the key replays', async () => {
    const { send, published } = await tagged('lost-answer');
    await expect(send()).rejects.toThrow();
    const [entry] = await published();
    expect((await send()).json.id).toBe(entry?.id);
    expect(await published()).toHaveLength(1);
  });
});

describe('simulated Mastodon status of another kind', () => {
  const inAnHour = (now: number) => new Date(now + HOUR).toISOString();

  test('is published at its time when scheduled', async () => {
    const instance = await start();
    const { clock, post, call, remoteId } = instance;
    const scheduled = await post({ status: 'Later', scheduled_at: inAnHour(clock.now) });
    expect(scheduled.json).toMatchObject({ scheduled_at: inAnHour(clock.now), params: { text: 'Later' } });
    expect(scheduled.json).not.toHaveProperty('url');
    expect(await instance.published()).toEqual([]);
    clock.now += HOUR;
    await call('GET', `/api/v1/accounts/${remoteId}/statuses`);
    expect(await instance.published()).toMatchObject([{ text: 'Later', publishedAt: clock.now }]);
  });

  test('is not scheduled within five minutes', async () => {
    const { clock, post } = await start();
    for (const scheduled_at of [new Date(clock.now + 299_000).toISOString(), 'tomorrow'])
      expect(error(await post({ status: 'Later', scheduled_at }))).toEqual([
        422,
        'Validation failed: Scheduled at The scheduled date must be in the future',
      ]);
  });

  test('can be canceled while it waits', async () => {
    const { clock, post, call } = await start();
    const path = `/api/v1/scheduled_statuses/${(await post({ status: 'x', scheduled_at: inAnHour(clock.now) })).json.id}`;
    expect((await call('DELETE', path)).status).toBe(200);
    expect((await call('DELETE', path)).status).toBe(404);
  });

  test.each(['json', 'form'])('has a poll sent as %s', async (kind) => {
    const { post, call, uploaded } = await start();
    const body = new URLSearchParams([
      ['status', 'Which?'],
      ['poll[options][]', 'A'],
      ['poll[options][]', 'B'],
      ['poll[expires_in]', '300'],
    ]);
    const poll = { options: ['A', 'B'], expires_in: 300 };
    const sent = kind === 'json' ? post({ status: 'Which?', poll }) : call('POST', '/api/v1/statuses', { body });
    expect((await sent).json.poll).toMatchObject({ options: [{ title: 'A' }, { title: 'B' }], multiple: false });
    expect((await post({ media_ids: [await uploaded()], poll })).status).toBe(422);
    expect((await post({ status: 'x', poll: { ...poll, expires_in: 299 } })).status).toBe(422);
  });

  test('is a reply to an existing status only', async () => {
    const { post, remoteId } = await start();
    const { id } = (await post({ status: 'One' })).json;
    const reply = { in_reply_to_id: id, in_reply_to_account_id: remoteId };
    expect((await post({ status: 'Two', in_reply_to_id: id })).json).toMatchObject(reply);
    expect((await post({ status: 'Two', in_reply_to_id: '1' })).status).toBe(404);
  });
});
