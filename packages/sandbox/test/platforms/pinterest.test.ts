import { createHash } from 'node:crypto';
import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { addBoard } from '../../src/platforms/pinterest/records.ts';
import { memoryBlobs } from '../../src/store/memory.ts';
import { createSerial } from '../../src/store/serial.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { isWholeUpload } from '../harness/simulator.ts';
import { BASIC, type Pinterest, said, startPinterest, VIDEO, xmlCode } from './pinterest-calls.ts';

const start = closedAfterTest(startPinterest);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('simulated Pinterest consent and tokens', () => {
  const REDIRECT = 'https://clip.example/oauth/pinterest/callback';
  const SCOPES = 'boards:read,boards:write,pins:read,pins:write,user_accounts:read';
  const query = (changes: Record<string, string> = {}) =>
    new URLSearchParams({
      client_id: 'sandbox-client',
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: SCOPES,
      state: 'x',
      ...changes,
    });
  const decide = (pinterest: Pinterest, fields: Record<string, string>, granted = SCOPES.split(',')) => {
    const body = new URLSearchParams({ username: 'nora', decision: 'allow', ...fields });
    for (const scope of granted) body.append('granted', scope);
    return pinterest.call('POST', `/oauth/?${query()}`, {
      authorization: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(body.toString()),
    });
  };
  const back = (response: { headers: Headers }) => new URL(response.headers.get('location') ?? 'none:').searchParams;
  const token = (pinterest: Pinterest, form: Record<string, string>, authorization: string | null = BASIC) =>
    pinterest.call('POST', '/v5/oauth/token', { form, authorization });
  const redeem = (pinterest: Pinterest, code: string, redirect_uri = REDIRECT) =>
    token(pinterest, { grant_type: 'authorization_code', code, redirect_uri });
  const renew = (pinterest: Pinterest, refresh_token: unknown) =>
    token(pinterest, { grant_type: 'refresh_token', refresh_token: String(refresh_token) });

  test('return tokens for the selected scopes', async () => {
    const pinterest = await start();
    const page = await pinterest.call('GET', `/oauth/?${query()}`, { authorization: null });
    expect(page.text).toContain('value="pins:write" checked');
    const response = await decide(pinterest, {}, ['pins:read', 'user_accounts:read']);
    expect([response.status, back(response).get('state')]).toEqual([302, 'x']);
    const tokens = await redeem(pinterest, back(response).get('code') ?? '');
    expect(tokens.json).toMatchObject({
      access_token: expect.stringMatching(/^pina_/),
      token_type: 'bearer',
      expires_in: 2_592_000,
      scope: 'pins:read user_accounts:read',
      response_type: 'authorization_code',
      refresh_token: expect.stringMatching(/^pinr\./),
      refresh_token_expires_in: 5_184_000,
    });
    const authorization = `Bearer ${tokens.json.access_token}`;
    expect((await pinterest.call('GET', '/v5/user_account', { authorization })).status).toBe(200);
    expect(said(await pinterest.call('GET', '/v5/boards', { authorization }))).toEqual([401, 3]);
  });

  test.each([
    ['another application', { client_id: 'x' }, 'client_id'],
    ['an address without TLS', { redirect_uri: 'http://clip.example/x' }, 'redirect_uri'],
    ['another kind of response', { response_type: 'token' }, 'response_type'],
    ['scopes parted by spaces', { scope: 'pins:read pins:write' }, 'scope'],
    ['an unknown scope', { scope: 'pins:all' }, 'scope'],
  ])('are not requested for %s', async (_name, changes, named) => {
    const pinterest = await start();
    const page = await pinterest.call('GET', `/oauth/?${query(changes)}`, { authorization: null });
    expect([page.status, page.text.includes(`${named}:`)]).toEqual([400, true]);
  });

  test('redirect without a code after a denial', async () => {
    const pinterest = await start();
    const response = back(await decide(pinterest, { decision: 'deny' }));
    expect([response.get('error'), response.get('code')]).toEqual(['access_denied', null]);
  });

  test('accept a code once, for ten minutes, and its URI', async () => {
    const pinterest = await start();
    const code = async () => back(await decide(pinterest, {})).get('code') ?? '';
    const first = await code();
    expect(said(await redeem(pinterest, first, `${REDIRECT}/`))).toEqual([401, 283]);
    expect((await redeem(pinterest, first)).status).toBe(200);
    expect(said(await redeem(pinterest, first))).toEqual([401, 283]);
    const late = await code();
    pinterest.clock.now += 600_000;
    expect(said(await redeem(pinterest, late))).toEqual([401, 283]);
  });

  test.each([
    ['no application', null, { grant_type: 'refresh_token' }, [401, 2]],
    ['a wrong secret', `Basic ${Buffer.from('sandbox-client:x').toString('base64')}`, {}, [401, 2]],
    ['an unknown kind of grant', BASIC, { grant_type: 'password' }, [400, 1]],
    ['no code', BASIC, { grant_type: 'authorization_code' }, [400, 1]],
    ['an unknown refresh token', BASIC, { grant_type: 'refresh_token', refresh_token: 'x' }, [401, 283]],
  ] as const)('are not issued for %s', async (_name, authorization, form, expected) => {
    const pinterest = await start();
    expect(said(await token(pinterest, form, authorization))).toEqual(expected);
  });

  test('accept form-encoded credentials of the application', async () => {
    const pinterest = await start();
    const encoded = `Basic ${Buffer.from('sandbox%2Dclient:sandbox%2Dsecret').toString('base64')}`;
    const refresh_token = String(pinterest.tokenAnswer?.refresh_token);
    expect((await token(pinterest, { grant_type: 'refresh_token', refresh_token }, encoded)).status).toBe(200);
  });

  test('without secret scopes neither show nor open secret boards', async () => {
    const pinterest = await start();
    const all = (await pinterest.call('GET', '/v5/boards')).json.items as { id: string; privacy: string }[];
    const secret = all.find(({ privacy }) => privacy === 'SECRET')?.id;
    const path = `/v5/boards/${secret}/pins`;
    expect((await pinterest.call('GET', path)).status).toBe(200);
    for (const { key } of await pinterest.store.list('grant', { limit: 10 }))
      await pinterest.store.change<{ scopes: string[] }>('grant', key, (grant) => {
        return grant && { ...grant, scopes: grant.scopes.filter((scope) => !scope.endsWith('_secret')) };
      });
    expect((await pinterest.call('GET', '/v5/boards')).json.items).toHaveLength(all.length - 1);
    expect(said(await pinterest.call('GET', path))).toEqual([403, 29]);
  });

  test('rotate on refresh and invalidate the old token', async () => {
    const pinterest = await start();
    const old = pinterest.tokenAnswer?.refresh_token;
    const renewed = await renew(pinterest, old);
    expect(renewed.json).toMatchObject({
      response_type: 'refresh_token',
      refresh_token_expires_at: expect.any(Number),
    });
    expect(said(await renew(pinterest, old))).toEqual([401, 283]);
    expect((await renew(pinterest, renewed.json.refresh_token)).status).toBe(200);
  });

  test('of an older application refresh without a new token', async () => {
    const pinterest = await start();
    await pinterest.set({ continuous: false, scopeSeparator: ',' });
    const old = pinterest.tokenAnswer?.refresh_token;
    for (const _ of [1, 2]) {
      const { status, json } = await renew(pinterest, old);
      expect([status, 'refresh_token' in json, String(json.scope).split(',').length]).toEqual([200, false, 9]);
    }
  });

  test('live thirty days; refresh tokens sixty', async () => {
    const pinterest = await start();
    pinterest.clock.now += 2_592_000_000;
    expect(said(await pinterest.call('GET', '/v5/user_account'))).toEqual([401, 2]);
    pinterest.clock.now += 2_592_000_000;
    expect(said(await renew(pinterest, pinterest.tokenAnswer?.refresh_token))).toEqual([401, 283]);
  });
});

describe('simulated Pinterest account', () => {
  test('returns its profile and pages of boards', async () => {
    const pinterest = await start();
    expect((await pinterest.call('GET', '/v5/user_account')).json).toMatchObject({
      id: pinterest.remoteId,
      username: 'nora',
      business_name: 'nora makes',
      board_count: 2,
    });
    const { json } = await pinterest.call('GET', '/v5/boards?page_size=1');
    const second = await pinterest.call('GET', `/v5/boards?page_size=1&bookmark=${json.bookmark}`);
    expect([json.items, second.json.items].flat()).toHaveLength(2);
    expect(second.json.bookmark).toBeNull();
    const secret = await pinterest.call('GET', '/v5/boards?privacy=SECRET');
    expect(secret.json.items).toMatchObject([{ name: 'Drafts', privacy: 'SECRET', owner: { username: 'nora' } }]);
  });

  test.each(['page_size=0', 'page_size=251', 'page_size=x', 'bookmark=x', 'privacy=x'])(
    'rejects a list with %s',
    async (query) => {
      const pinterest = await start();
      expect(said(await pinterest.call('GET', `/v5/boards?${query}`))).toEqual([400, 1]);
    },
  );

  test('creates boards with unique names', async () => {
    const pinterest = await start();
    const make = (json: unknown) => pinterest.call('POST', '/v5/boards', { json });
    expect((await make({ name: 'Sea' })).status).toBe(201);
    expect(said(await make({ name: 'Sea' }))).toEqual([409, 58]);
    expect(said(await make({}))).toEqual([400, 1]);
    expect(said(await make({ name: 'Hills', privacy: 'FRIENDS' }))).toEqual([400, 1]);
    const id = await pinterest.board();
    expect((await pinterest.call('GET', `/v5/boards/${id}/sections`)).json.items).toEqual([]);
  });

  test.each(['Bearer x', 'Basic x', null])('is not accessible with %s', async (authorization) => {
    const pinterest = await start();
    expect(said(await pinterest.call('GET', '/v5/user_account', { authorization }))).toEqual([401, 2]);
  });

  test('limits calls per minute, or per day for trial', async () => {
    const pinterest = await start({ limits: true });
    const write = () => pinterest.call('POST', '/v5/media', { json: { media_type: 'video' } });
    for (let count = 0; count < 100; count++) expect((await write()).status).toBe(201);
    const refused = await write();
    expect([...said(refused), refused.headers.get('x-ratelimit-reset')]).toEqual([429, 8, '60']);
    pinterest.clock.now += 60_000;
    expect((await write()).status).toBe(201);
    await pinterest.set({ tier: 'trial' });
    for (let count = 0; count < 300; count++) await write();
    expect(Number((await write()).headers.get('x-ratelimit-reset'))).toBeGreaterThan(3_600);
  });
});

describe('simulated Pinterest video', () => {
  test('is registered, uploaded, processed, and ready', async () => {
    const pinterest = await start({ processingMs: 1_000 });
    const { media_id, upload_url, upload_parameters } = await pinterest.register();
    const status = async () => (await pinterest.call('GET', `/v5/media/${media_id}`)).json.status;
    expect(await status()).toBe('registered');
    const fields = Object.entries(upload_parameters);
    expect((await pinterest.upload(upload_url, [...fields, ['file', VIDEO]])).status).toBe(204);
    expect(await status()).toBe('processing');
    pinterest.clock.now += 1_000;
    expect(await status()).toBe('succeeded');
    const all = await pinterest.call('GET', '/v5/media');
    expect(all.json.items).toEqual([{ media_id, media_type: 'video', status: 'succeeded' }]);
  });

  test('fails when it cannot be processed', async () => {
    const pinterest = await start();
    await pinterest.set({ failMedia: true });
    const id = await pinterest.uploaded();
    expect((await pinterest.call('GET', `/v5/media/${id}`)).json.status).toBe('failed');
  });

  test('returns 404 if foreign or unknown', async () => {
    const pinterest = await start();
    const id = await pinterest.uploaded();
    const authorization = await pinterest.enrol('ida');
    expect(said(await pinterest.call('GET', `/v5/media/${id}`, { authorization }))).toEqual([404, 50]);
    expect(said(await pinterest.call('GET', '/v5/media/1'))).toEqual([404, 50]);
  });

  test.each([{}, { media_type: 'image' }, { media_type: 'video', size: 3 }, []])(
    'is not registered by %j',
    async (json) => {
      const pinterest = await start();
      expect(said(await pinterest.call('POST', '/v5/media', { json }))).toEqual([400, 1]);
    },
  );

  test('is not registered without a JSON content type', async () => {
    const pinterest = await start();
    const body = Buffer.from('{"media_type":"video"}');
    const response = await pinterest.call('POST', '/v5/media', { body, headers: { 'content-type': 'text/plain' } });
    expect(said(response)).toEqual([400, 1]);
  });

  const without = (name: string) => (fields: [string, string][]) => fields.filter(([each]) => each !== name);
  test.each<[string, (fields: [string, string][]) => [string, string | Buffer][], [number, string]]>([
    ['without one of its fields', (fields) => [...without('policy')(fields), ['file', VIDEO]], [403, 'AccessDenied']],
    ['without its key', (fields) => [...without('key')(fields), ['file', VIDEO]], [403, 'AccessDenied']],
    ['with a field more', (fields) => [...fields, ['acl', 'public'], ['file', VIDEO]], [403, 'AccessDenied']],
    [
      'with another signature',
      (fields) => [...without('x-amz-signature')(fields), ['x-amz-signature', 'f0'], ['file', VIDEO]],
      [403, 'AccessDenied'],
    ],
    ['with the file first', (fields) => [['file', VIDEO], ...fields], [403, 'AccessDenied']],
    ['without a file', (fields) => fields, [400, 'InvalidArgument']],
  ])('is not accepted %s', async (_name, change, expected) => {
    const pinterest = await start();
    const { upload_url, upload_parameters, media_id } = await pinterest.register();
    const response = await pinterest.upload(upload_url, change(Object.entries(upload_parameters)));
    expect(xmlCode(response)).toEqual(expected);
    expect((await pinterest.call('GET', `/v5/media/${media_id}`)).json.status).toBe('registered');
  });

  test('is not accepted with a token, another format, or late', async () => {
    const pinterest = await start();
    const { upload_url, upload_parameters } = await pinterest.register();
    const parts: [string, string | Buffer][] = [...Object.entries(upload_parameters), ['file', VIDEO]];
    const send = (headers: Record<string, string>) => pinterest.upload(upload_url, parts, headers);
    expect(xmlCode(await send({ authorization: 'Bearer x' }))).toEqual([400, 'InvalidArgument']);
    expect(xmlCode(await send({ 'content-type': 'application/json' }))).toEqual([400, 'MalformedPOSTRequest']);
    expect(xmlCode(await send({ 'content-type': 'multipart/form-data; boundary=other' }))).toEqual([
      400,
      'MalformedPOSTRequest',
    ]);
    pinterest.clock.now += 3_600_000;
    expect(xmlCode(await send({}))).toEqual([400, 'ExpiredToken']);
  });

  test('is not accepted without Content-Length', async () => {
    const pinterest = await start();
    const { upload_url } = await pinterest.register();
    const { hostname, port, pathname } = new URL(upload_url);
    const head = `POST ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    const text = await new Promise<string>((resolve, reject) => {
      const socket = net.connect(Number(port), hostname, () => socket.end(head));
      let said = '';
      socket.on('data', (part) => {
        said += String(part);
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(said));
    });
    expect(text).toMatch(/^HTTP\/1\.1 411 [\s\S]*MissingContentLength/);
  });

  test('is replaced by a second upload without leftover bytes', async () => {
    const kept = new Set<string>();
    const blobs = memoryBlobs();
    const put: typeof blobs.put = async (key, source) => {
      const stored = await blobs.put(key, source);
      kept.add(key);
      return stored;
    };
    const remove: typeof blobs.remove = async (key) => {
      kept.delete(key);
      return blobs.remove(key);
    };
    const pinterest = await start({ blobs: { ...blobs, put, remove } });
    const { upload_url, upload_parameters } = await pinterest.register();
    for (const file of ['first', 'second'])
      await pinterest.upload(upload_url, [...Object.entries(upload_parameters), ['file', file]]);
    await pinterest.upload(upload_url, [...Object.entries(upload_parameters), ['extra', 'x'], ['file', 'third']]);
    expect(kept.size).toBe(1);
  });
});

describe('simulated Pinterest pin', () => {
  test('is published, listed, and readable after the response', async () => {
    const pinterest = await start();
    const texts = { title: 'Sunset run', link: 'https://example.org/run', alt_text: 'A runner at dusk' };
    const { status, json } = await pinterest.pin(texts);
    expect([status, json]).toMatchObject([
      201,
      {
        id: expect.stringMatching(/^\d{16,}$/),
        created_at: '2026-11-21T10:00:00',
        ...texts,
        description: 'Part 2 #sea',
        creative_type: 'VIDEO',
        is_owner: true,
        parent_pin_id: null,
        board_owner: { username: 'nora' },
      },
    ]);
    const [entry, ...more] = await pinterest.published();
    expect([entry?.id, entry?.text, more]).toEqual([json.id, 'Part 2 #sea', []]);
    const file = { bytes: VIDEO.length, sha256: sha256(VIDEO) };
    expect(entry && (await isWholeUpload(pinterest, entry, file))).toBe(true);
    expect((await fetch(entry?.url ?? '')).status).toBe(200);
    for (const path of [`/v5/boards/${await pinterest.board()}/pins`, '/v5/pins?creative_types=VIDEO'])
      expect((await pinterest.call('GET', path)).json.items).toEqual([json]);
    expect((await pinterest.call('GET', `/v5/pins/${json.id}`)).json).toEqual(json);
  });

  test('is created twice by two requests, without idempotency', async () => {
    const pinterest = await start();
    const json = await pinterest.pinOf();
    for (const _ of [1, 2]) expect((await pinterest.call('POST', '/v5/pins', { json })).status).toBe(201);
    expect(await pinterest.published()).toHaveLength(2);
  });

  test.each<[string, object, object]>([
    ['a board that is no number', { board_id: 'abc' }, {}],
    ['no board', { board_id: undefined }, {}],
    ['a title of 101', { title: 'x'.repeat(101) }, {}],
    ['a description of 801', { description: 'x'.repeat(801) }, {}],
    ['an alternative text of 501', { alt_text: 'x'.repeat(501) }, {}],
    ['a link of 2049', { link: `https://x.example/${'x'.repeat(2031)}` }, {}],
    ['a link that is none', { link: 'sea' }, {}],
    ['a title that is no text', { title: 7 }, {}],
    ['an unknown field', { privacy: 'PUBLIC' }, {}],
    ['no source', { media_source: undefined }, {}],
    ['another kind of source', {}, { source_type: 'video' }],
    ['an unknown field of the source', {}, { cover_time: 1 }],
    ['no cover', {}, { cover_image_key_frame_time: undefined }],
    ['half a cover', {}, { cover_image_key_frame_time: undefined, cover_image_content_type: 'image/jpeg' }],
    ['two covers', {}, { cover_image_url: 'https://example.org/a.jpg' }],
    [
      'a cover that is none',
      {},
      {
        cover_image_key_frame_time: undefined,
        cover_image_content_type: 'image/jpeg',
        cover_image_data: Buffer.from('no picture').toString('base64'),
      },
    ],
    ['half a second', {}, { cover_image_key_frame_time: 1.5 }],
    ['a second before the first', {}, { cover_image_key_frame_time: -1 }],
  ])('is not created with %s', async (_name, changes, source) => {
    const pinterest = await start();
    expect(said(await pinterest.pin(changes, source))).toEqual([400, 1]);
    expect(await pinterest.published()).toEqual([]);
  });

  test('reports a missing cover', async () => {
    const pinterest = await start();
    const { json } = await pinterest.pin({}, { cover_image_key_frame_time: undefined });
    expect(json.message).toContain('cover_image_url or cover_image_content_type');
  });

  test('is not created with an invalid board or video', async () => {
    const pinterest = await start({ processingMs: 1_000 });
    pinterest.clock.now += 1;
    expect(said(await pinterest.pin())).toEqual([400, 1]);
    const ida = (await pinterest.simulator.enrol('ida')).remoteId;
    const options = { store: pinterest.store, now: () => pinterest.clock.now, serial: createSerial() };
    const foreign = await addBoard(options, ida, 'Hers', 'PUBLIC');
    const ready = await pinterest.uploaded();
    pinterest.clock.now += 1_000;
    const source = { media_id: ready };
    expect(said(await pinterest.pin({ board_id: foreign.id }, source))).toEqual([403, 29]);
    expect(said(await pinterest.pin({ board_id: '1' }, source))).toEqual([404, 40]);
    expect(said(await pinterest.pin({}, { media_id: '1' }))).toEqual([404, 50]);
    expect((await pinterest.pin({}, source)).status).toBe(201);
  });

  test.each([
    ['an application on trial', { tier: 'trial' }, 'Trial access'],
    ['a kind of account that may not', { consumerSupported: false }, 'consumer type is not supported'],
  ] as const)('is not created by %s', async (_name, settings, words) => {
    const pinterest = await start();
    await pinterest.set(settings);
    const response = await pinterest.pin();
    expect([...said(response), String(response.json.message).includes(words)]).toEqual([403, 29, true]);
  });

  test('is deleted permanently', async () => {
    const pinterest = await start();
    const { id } = (await pinterest.pin()).json;
    expect((await pinterest.call('DELETE', `/v5/pins/${id}`)).status).toBe(204);
    expect(said(await pinterest.call('GET', `/v5/pins/${id}`))).toEqual([404, 50]);
    expect(await pinterest.published()).toEqual([]);
  });

  test('may be listed late, unordered, or in another zone', async () => {
    const pinterest = await start();
    await pinterest.set({ listLagMs: 60_000, oldestFirst: true, zoneMs: -28_800_000 });
    const first = (await pinterest.pin()).json;
    const list = async () => (await pinterest.call('GET', '/v5/pins')).json.items as { id: string }[];
    expect([first.created_at, await list()]).toEqual(['2026-11-21T02:00:00', []]);
    const second = (await pinterest.pin()).json;
    pinterest.clock.now += 60_000;
    expect((await list()).map(({ id }) => id)).toEqual([first.id, second.id]);
  });
});

describe('simulated Pinterest fault by tag', () => {
  test.each([
    [
      'reconnect',
      [
        [401, 2],
        [401, 2],
      ],
      0,
    ],
    [
      'reject',
      [
        [400, 1],
        [400, 1],
      ],
      0,
    ],
    [
      'rate-limit',
      [
        [429, 8],
        [429, 8],
        [201, undefined],
      ],
      1,
    ],
    [
      'down',
      [
        [503, 12],
        [503, 12],
        [503, 12],
        [201, undefined],
      ],
      1,
    ],
    ['slow', [[201, undefined]], 1],
  ])('handles %s', async (tag, expected, published) => {
    const pinterest = await start();
    const json = await pinterest.pinOf({ description: `hello #sandbox-${tag}` });
    const responses: unknown[] = [];
    for (const _ of expected) responses.push(said(await pinterest.call('POST', '/v5/pins', { json })));
    expect(responses).toEqual(expected);
    expect(await pinterest.published()).toHaveLength(published);
  });

  test('lost-answer creates the pin without a response', async () => {
    const pinterest = await start();
    await expect(pinterest.pin({ description: '#sandbox-lost-answer' })).rejects.toThrow();
    expect(await pinterest.published()).toHaveLength(1);
  });
});

test('simulated Pinterest store survives a restart', async () => {
  const first = await start();
  const json = await first.pinOf();
  const second = await start({ store: first.store, blobs: first.blobs });
  expect((await second.call('POST', '/v5/pins', { json })).status).toBe(201);
  expect(await first.published()).toHaveLength(1);
});
