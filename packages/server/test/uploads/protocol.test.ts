import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { Upload, type UploadOptions } from 'tus-js-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pieceLimit } from '../../src/http/request-limits.ts';
import { generateKey } from '../../src/keys/service.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { useUpload } from '../../src/uploads/posting.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { filesOf, startPostService } from '../post/world.ts';
import {
  ask,
  base64,
  begin,
  contentOf,
  idOf,
  offsetOf,
  PIECE,
  send,
  sha256,
  someBytes,
  type Uploader,
  withKey,
} from './world.ts';

const LARGEST = 524_288_000;
let service: TestService;
let user: TestUser;
let me: Uploader;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newUser();
  me = withKey(service, user);
});
afterAll(() => service.close());

const content = (path: string) => contentOf(service, user.userId, path);

/** Uploads with a standard tus client. */
function uploadByClient(bytes: Buffer, chunkSize: number, options: UploadOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(bytes, {
      endpoint: `${service.url}/api/v1/uploads`,
      headers: me.headers,
      chunkSize,
      retryDelays: [],
      metadata: { filename: 'clip.mp4', sha256: sha256(bytes) },
      ...options,
      onError: reject,
      onSuccess: () => resolve(new URL(upload.url ?? '').pathname.replace('/api/v1', '')),
    });
    upload.start();
  });
}

describe('a standard tus client', () => {
  test.each([
    ['in one piece', Number.POSITIVE_INFINITY],
    ['in many', 300_000],
  ])('uploads a video %s', async (_, chunkSize) => {
    const bytes = someBytes(2_000_003);
    const path = await uploadByClient(bytes, chunkSize);
    const got = await content(path);
    expect(got.sha256).toBe(sha256(bytes));
    expect(got.bytes.equals(bytes)).toBe(true);
    const [row] = await service.db.query('select filename from upload where id = $1', [idOf(path)]);
    expect(row).toEqual({ filename: 'clip.mp4' });
  });
});

describe('while the service is unavailable', () => {
  afterEach(() => {
    service.context.lifecycle.state = 'running';
  });

  test('pieces get 423 and other requests 503', async () => {
    const path = await begin(me, 10);
    service.context.lifecycle.state = 'draining';
    const locked = [
      await ask(me, 'HEAD', path),
      await send(me, path, 0, someBytes(10)),
      await ask(me, 'POST', path, { ...PIECE, 'x-http-method-override': 'PATCH', 'upload-offset': '0' }, someBytes(10)),
    ];
    for (const { status, headers } of locked)
      expect({ status, ...Object.fromEntries(headers) }).toMatchObject({
        status: 423,
        'retry-after': expect.stringMatching(/^\d+$/),
        'tus-resumable': '1.0.0',
        connection: 'close',
      });
    expect(locked.map(({ code }) => code)).toEqual([null, 'upload_locked', 'upload_locked']);
    expect(await ask(me, 'POST', '/uploads', { 'upload-length': '10' })).toMatchObject({
      status: 503,
      code: 'draining',
    });
  });

  test('a failing HEAD gets 423 and is logged', async () => {
    const path = await begin(me, 10);
    await service.db.execute('alter table upload rename to upload_elsewhere');
    try {
      expect((await ask(me, 'HEAD', path)).status).toBe(423);
    } finally {
      await service.db.execute('alter table upload_elsewhere rename to upload');
    }
    expect(service.logged.findLast(({ msg }) => msg === 'request failed')).toMatchObject({ code: 'internal_error' });
  });

  test('tus-js-client resumes its upload', async () => {
    const bytes = someBytes(30_000);
    const responses: number[] = [];
    const path = await uploadByClient(bytes, 10_000, {
      retryDelays: [0, 0, 0],
      onChunkComplete: (_, accepted) => {
        if (accepted === 10_000) service.context.lifecycle.state = 'draining';
      },
      onAfterResponse: (request, response) => {
        if (request.getMethod() === 'HEAD') service.context.lifecycle.state = 'running';
        responses.push(response.getStatus());
      },
    });
    expect(responses).toEqual([201, 204, 423, 423, 200, 204, 204]);
    expect((await content(path)).sha256).toBe(sha256(bytes));
  });
});

describe('the protocol', () => {
  test('is announced without authentication', async () => {
    for (const path of ['/uploads', '/uploads/any']) {
      const { status, headers } = await ask({ ...me, headers: {} }, 'OPTIONS', path);
      expect(status).toBe(204);
      expect(Object.fromEntries(headers)).toMatchObject({
        'tus-resumable': '1.0.0',
        'tus-version': '1.0.0',
        'tus-extension': 'creation,termination,checksum,expiration',
        'tus-max-size': String(LARGEST),
        'tus-checksum-algorithm': 'sha256,sha1',
      });
    }
  });

  test('in another version is rejected with the supported one', async () => {
    const path = await begin(me, 10);
    for (const version of ['0.2.2', '']) {
      const refused = [
        await ask(me, 'POST', '/uploads', { 'upload-length': '10', 'tus-resumable': version }),
        await ask(me, 'PATCH', path, { ...PIECE, 'upload-offset': '0', 'tus-resumable': version }, someBytes(10)),
        await ask(me, 'DELETE', path, { 'tus-resumable': version }),
      ];
      for (const { status, code, headers } of refused) {
        expect({ status, code }).toEqual({ status: 412, code: 'unsupported_tus_version' });
        expect(headers.get('tus-version')).toBe('1.0.0');
      }
    }
    expect(await offsetOf(me, path)).toBe(0);
  });

  test('returns the metadata and the expiry', async () => {
    const metadata = `filename ${base64('films/ä.mp4')},empty`;
    const made = await ask(me, 'POST', '/uploads', { 'upload-length': '10', 'upload-metadata': metadata });
    expect(made.status).toBe(201);
    const path = (made.headers.get('location') ?? '').replace('/api/v1', '');
    const { headers, status } = await ask(me, 'HEAD', path);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'upload-offset': '0',
      'upload-length': '10',
      'upload-metadata': metadata,
      'cache-control': 'no-store',
      'tus-resumable': '1.0.0',
    });
    const left = Date.parse(headers.get('upload-expires') ?? '') - (await service.db.clock.now()).getTime();
    expect(left).toBeGreaterThan(23.9 * 3_600_000);
    expect(left).toBeLessThanOrEqual(24 * 3_600_000);
    expect(await service.db.query('select filename from upload where id = $1', [idOf(path)])).toEqual([
      { filename: 'ä.mp4' },
    ]);
  });

  test('works with POST and method override', async () => {
    const path = await begin(me, 10);
    const override = (method: string) => ({ 'x-http-method-override': method, 'upload-offset': '0' });
    const sent = await ask(me, 'POST', path, { ...PIECE, ...override('PATCH') }, someBytes(10));
    expect([sent.status, sent.offset]).toEqual([204, 10]);
    expect((await ask(me, 'POST', path, override('DELETE'))).status).toBe(204);
    expect((await ask(me, 'POST', path, override('DELETE'))).status).toBe(404);
    expect(await ask(me, 'POST', path)).toMatchObject({ status: 405 });
  });

  test('rejects other methods', async () => {
    const response = await ask(me, 'GET', '/uploads/any');
    expect(response).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(response.headers.get('allow')).toBe('DELETE, HEAD, OPTIONS, PATCH, POST');
  });
});

describe('access', () => {
  test('without a key is rejected before the body', async () => {
    const path = await begin(me, 10);
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `PATCH /api/v1${path} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n`,
    );
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('with Expect gets 100 Continue once', async () => {
    const path = await begin(me, 10);
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `PATCH /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.key}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: 10\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n`,
    );
    const chunks: Buffer[] = [];
    for await (const chunk of socket) {
      if (chunks.length === 0) socket.write(someBytes(10));
      chunks.push(chunk as Buffer);
    }
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 204 /);
  });

  test('with a session requires the CSRF header for writes', async () => {
    const session = await service.newSession();
    const bare = { url: service.url, headers: { cookie: session.cookie } };
    expect(await ask(bare, 'POST', '/uploads', { 'upload-length': '3' })).toMatchObject({ code: 'csrf_required' });
    const whole = { ...bare, headers: { ...bare.headers, 'x-reelay-csrf': '1' } };
    const path = await begin(whole, 3);
    expect(await ask(bare, 'PATCH', path, { ...PIECE, 'upload-offset': '0' }, someBytes(3))).toMatchObject({
      status: 403,
    });
    expect((await send(whole, path, 0, someBytes(3))).status).toBe(204);
    expect(await offsetOf(bare, path)).toBe(3);
    expect(await ask(bare, 'DELETE', path)).toMatchObject({ status: 403, code: 'csrf_required' });
  });

  test('another user gets unknown_upload', async () => {
    const path = await begin(me, 10);
    const other = withKey(service, await service.newUser());
    expect(await send(other, path, 0, someBytes(10))).toMatchObject({ status: 404, code: 'unknown_upload' });
    expect((await ask(other, 'HEAD', path)).status).toBe(404);
    expect((await ask(other, 'DELETE', path)).status).toBe(404);
    expect((await send(me, path, 0, someBytes(10))).status).toBe(204);
    // Text that the database cannot store is rejected before any query.
    for (const [id, status] of [
      ['x', 404],
      ['%00', 400],
      ['019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b', 404],
    ] as const)
      expect((await ask(me, 'HEAD', `/uploads/${id}`)).status).toBe(status);
  });

  test('a replaced key cannot finish an upload', async () => {
    const path = await begin(me, 10);
    const { beginPiece } = await import('./world.ts');
    const piece = beginPiece(me, path, { offset: 0, length: 10 });
    await piece.write(someBytes(4));
    const key = await generateKey(service.db, user.userId);
    piece.request.end(someBytes(6));
    const response = await piece.response;
    expect(response?.code).toBe('unauthorized');
    expect(await offsetOf(withKey(service, { key }), path)).toBeLessThan(10);
  });

  test('an upload counts against the rate limit, pieces do not', async () => {
    const limited = await startPostService({ config: { rateLimit: 'per-minute' } });
    try {
      const someone = withKey(limited, await limited.newUser());
      const useUp = () => limited.db.execute('update rate set moments = array_fill(app_now(), array[60])');
      const path = await begin(someone, 3);
      expect((await send(someone, path, 0, someBytes(1))).headers.get('ratelimit-remaining')).toBe('59');
      await useUp();
      expect((await ask(someone, 'HEAD', path)).headers.get('ratelimit-remaining')).toBe('0');
      for (const offset of [1, 2]) expect((await send(someone, path, offset, someBytes(1))).status).toBe(204);
      expect((await limited.clientWith(someone.headers).post('/uploads')).status).toBe(429);
      const stranger = withKey(limited, { key: 'nobody' });
      expect((await ask(stranger, 'HEAD', path)).status).toBe(401);
      await useUp();
      expect((await ask(stranger, 'HEAD', path)).status).toBe(429);
    } finally {
      await limited.close();
    }
  });
});

describe('requests for pieces', () => {
  let limited: TestService;
  beforeAll(async () => {
    limited = await startPostService({ config: { rateLimit: 'per-minute' } });
  });
  afterAll(() => limited.close());

  /** As if requests had been counted. */
  const count = (userId: string, requests: number) =>
    limited.db.execute(
      `insert into rate (key, moments, allowed, expires_at)
       values ($1, array_fill(app_now(), array[$2::integer]), true, app_now() + interval '1 minute')`,
      [`pieces ${userId}`, requests],
    );

  test('are refused beyond a thousand in ten seconds', async () => {
    const someone = await limited.newUser();
    const other = withKey(limited, await limited.newUser());
    const uploader = withKey(limited, someone);
    const path = await begin(uploader, 4);
    await count(someone.userId, 999);
    expect((await send(uploader, path, 0, someBytes(1))).status).toBe(204);
    const refused = await send(uploader, path, 1, someBytes(1));
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const override = { 'x-http-method-override': 'PATCH', 'content-type': 'application/offset+octet-stream' };
    expect((await ask(uploader, 'POST', path, { ...override, 'upload-offset': '1' })).status).toBe(429);
    // tus clients begin the upload again after a 429 of HEAD.
    const locked = await ask(uploader, 'HEAD', path);
    expect(locked.status).toBe(423);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0);
    const others = await begin(other, 1);
    expect((await send(other, others, 0, someBytes(1))).status).toBe(204);
  });

  test('have room for small pieces at 1 Gbit/s', () => {
    const { most, windowMs } = pieceLimit({ userId: 'a' });
    const piecesPerSecond = 1_000_000_000 / 8 / 5_000_000;
    expect((most / windowMs) * 1_000).toBeGreaterThanOrEqual(4 * piecesPerSecond);
  });
});

describe('rejects', () => {
  test.each([
    ['no length', {}, 400, 'invalid_request'],
    ['a length to be told later', { 'upload-defer-length': '1' }, 400, 'invalid_request'],
    ['a length that is no number', { 'upload-length': '-1' }, 400, 'invalid_request'],
    ['nothing', { 'upload-length': '0' }, 400, 'invalid_request'],
    ['too large', { 'upload-length': String(LARGEST + 1) }, 413, 'video_too_large'],
    ['odd metadata', { 'upload-length': '1', 'upload-metadata': 'a b c' }, 400, 'invalid_request'],
    [
      'a hash that is none',
      { 'upload-length': '1', 'upload-metadata': `sha256 ${base64('x')}` },
      400,
      'invalid_request',
    ],
  ])('a new upload with %s', async (_, headers, status, code) => {
    expect(await ask(me, 'POST', '/uploads', headers as Record<string, string>)).toMatchObject({ status, code });
  });

  test('a piece with a wrong or missing offset or type', async () => {
    const path = await begin(me, 100);
    await send(me, path, 0, someBytes(40));
    for (const offset of [0, 39, 41, 100])
      expect(await send(me, path, offset, someBytes(10))).toMatchObject({ status: 409, code: 'wrong_offset' });
    expect(await ask(me, 'PATCH', path, PIECE, someBytes(10))).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(
      await ask(me, 'PATCH', path, { 'content-type': 'video/mp4', 'upload-offset': '40' }, someBytes(10)),
    ).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    expect(await offsetOf(me, path)).toBe(40);
  });

  test('bytes beyond the announced length', async () => {
    const path = await begin(me, 100_000);
    expect(await send(me, path, 0, someBytes(100_001))).toMatchObject({ status: 413, code: 'video_too_large' });
    const { beginPiece } = await import('./world.ts');
    const unannounced = beginPiece(me, path, { offset: 0 });
    await unannounced.write(someBytes(100_000));
    unannounced.request.end(someBytes(1));
    expect(await unannounced.response).toEqual({ status: 413, code: 'video_too_large' });
    const offset = await offsetOf(me, path);
    expect(offset).toBeLessThan(100_000);
    expect((await send(me, path, offset, someBytes(100_000 - offset))).status).toBe(204);
    expect(await send(me, path, 100_000, someBytes(1))).toMatchObject({ status: 413 });
    expect((await send(me, path, 100_000, Buffer.alloc(0))).status).toBe(204);
  });

  test('more than five unused uploads', async () => {
    const create = () => ask(me, 'POST', '/uploads', { 'upload-length': '4' });
    const made = await Promise.all(Array.from({ length: 8 }, create));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 403, 403, 403]);
    const paths = made
      .filter(({ status }) => status === 201)
      .map(({ headers }) => headers.get('location')?.replace('/api/v1', '') ?? '');
    // Finished uploads count as well, and are not removed for new ones.
    for (const path of paths) expect((await send(me, path, 0, someBytes(4))).status).toBe(204);
    await service.db.clock.advance(2 * 3_600_000);
    const refused = await create();
    expect(refused).toMatchObject({ status: 403, code: 'too_many_uploads' });
    const { message } = JSON.parse(refused.text);
    expect(message).toMatch(/^You have 5 unused uploads\. The limit is 5\. Post or delete one of them: /);
    for (const path of paths) expect(message).toContain(idOf(path));
    const [used = '', removed = ''] = paths;
    await service.db.transaction((tx) =>
      useUpload(tx, { userId: user.userId, uploadId: idOf(used), postId: uuidv7(), mediaId: uuidv7() }),
    );
    await begin(me, 4);
    expect((await create()).status).toBe(403);
    await ask(me, 'DELETE', removed);
    await begin(me, 4);
    expect((await create()).status).toBe(403);
    await service.db.clock.advance(22.5 * 3_600_000);
    for (let count = 0; count < 5; count++) await begin(me, 4);
    expect((await create()).status).toBe(403);
  });

  test('more than two gibibytes of uploads, finished or not', async () => {
    for (let count = 0; count < 4; count++) await begin(me, 524_000_000);
    // Simulates the arrival of the last bytes.
    await service.db.execute(
      `update upload set durable = bytes, sha256 = decode(repeat('00', 32), 'hex') where user_id = $1`,
      [user.userId],
    );
    const refused = await ask(me, 'POST', '/uploads', { 'upload-length': '524000000' });
    expect(refused).toMatchObject({ status: 403, code: 'too_many_uploads' });
    expect(JSON.parse(refused.text).message).toMatch(
      /^Your unused uploads take 2,096,000,000 bytes\. The limit is 2,147,483,648\. /,
    );
    await begin(me, 50_000_000);
  });
});

describe('checksums', () => {
  test.each(['sha1', 'sha256'])('a piece that does not match its %s is discarded', async (algorithm) => {
    const bytes = someBytes(200_000);
    const hash = (of: Buffer) => `${algorithm} ${createHash(algorithm).update(of).digest('base64')}`;
    const path = await begin(me, bytes.length);
    const [first, second] = [bytes.subarray(0, 50_000), bytes.subarray(50_000)];
    expect((await send(me, path, 0, first, { 'upload-checksum': hash(first) })).offset).toBe(50_000);
    const wrong = await send(me, path, 50_000, second, { 'upload-checksum': hash(first) });
    expect(wrong).toMatchObject({ status: 460, code: 'checksum_mismatch' });
    expect(await offsetOf(me, path)).toBe(50_000);
    expect((await send(me, path, 50_000, second, { 'upload-checksum': hash(second) })).status).toBe(204);
    expect((await content(path)).sha256).toBe(sha256(bytes));
  });

  test.each(['md5 AAAA', 'sha1 AAAA', 'sha256', 'sha1 ?'])('a checksum "%s" is invalid', async (checksum) => {
    const path = await begin(me, 10);
    expect(await send(me, path, 0, someBytes(10), { 'upload-checksum': checksum })).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
  });

  test('a whole that does not match its hash is removed', async () => {
    const before = (await filesOf(service)).length;
    const bytes = someBytes(100_000);
    const announced = { 'upload-metadata': `sha256 ${base64(sha256(someBytes(10)))}` };
    const path = await begin(me, bytes.length, announced);
    await send(me, path, 0, bytes.subarray(0, 60_000));
    expect(await send(me, path, 60_000, bytes.subarray(60_000))).toMatchObject({
      status: 460,
      code: 'checksum_mismatch',
    });
    expect((await ask(me, 'HEAD', path)).status).toBe(404);
    expect((await filesOf(service)).length).toBe(before);
  });
});

test('a removed upload is gone with its file', async () => {
  const before = (await filesOf(service)).length;
  const path = await begin(me, 10);
  await send(me, path, 0, someBytes(5));
  expect((await filesOf(service)).length).toBe(before + 1);
  expect((await ask(me, 'DELETE', path)).status).toBe(204);
  expect((await filesOf(service)).length).toBe(before);
  for (const method of ['HEAD', 'DELETE']) expect((await ask(me, method, path)).status).toBe(404);
  expect((await send(me, path, 5, someBytes(5))).status).toBe(404);
});

describe('a used upload', () => {
  const use = async (bytes: Buffer) => {
    const path = await begin(me, bytes.length);
    await send(me, path, 0, bytes);
    const which = { userId: user.userId, uploadId: idOf(path), postId: uuidv7(), mediaId: uuidv7() };
    await service.db.transaction((tx) => useUpload(tx, which));
    return path;
  };

  test('is gone for every method', async () => {
    const path = await use(someBytes(10));
    const override = { 'x-http-method-override': 'PATCH', 'upload-offset': '10' };
    const answers = [
      await ask(me, 'HEAD', path),
      await send(me, path, 10, Buffer.alloc(0)),
      await send(me, path, 0, someBytes(10)),
      await ask(me, 'POST', path, { ...PIECE, ...override }),
      await ask(me, 'DELETE', path),
    ];
    expect(answers.map(({ status, code }) => [status, code])).toEqual([
      [410, null],
      ...Array.from({ length: 4 }, () => [410, 'upload_used']),
    ]);
    expect(await ask(withKey(service, await service.newUser()), 'DELETE', path)).toMatchObject({ status: 404 });
  });

  test('is replaced by tus-js-client', async () => {
    const bytes = someBytes(10_000);
    const path = await use(bytes);
    const next = await uploadByClient(bytes, 5_000, { uploadUrl: `${service.url}/api/v1${path}` });
    expect(idOf(next)).not.toBe(idOf(path));
    expect((await content(next)).sha256).toBe(sha256(bytes));
  });
});
