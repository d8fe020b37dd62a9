import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { describeError } from '../../src/lib/log.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp, type HttpBody, type HttpClientOptions, redactUrl } from '../../src/outbound/http-client.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import { selfSigned } from '../http/self-signed.ts';
import {
  answer,
  bodyOf,
  type Connection,
  clientFor,
  listen,
  nobody,
  outcomeOf,
  saying,
  whole,
} from './http-servers.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serving(serve: (connection: Connection) => void, options: Partial<HttpClientOptions> = {}) {
  const server = await listen(serve);
  const http = clientFor(server.origin, options);
  closers.push(() => http.close(), server.close);
  return { ...server, http: http.request };
}

async function answering(text: string, bodyBytes = 0, options: Partial<HttpClientOptions> = {}) {
  const server = await saying(text, bodyBytes);
  const http = clientFor(server.origin, options);
  closers.push(() => http.close(), server.close);
  return { ...server, http: http.request };
}

const streamed = (bytes: Buffer, length = bytes.length): HttpBody & { kind: 'stream' } => ({
  kind: 'stream',
  length,
  type: 'video/mp4',
  open: async () => Readable.from([bytes], { objectMode: false }),
});

describe('HTTP request', () => {
  test('declares content type, length, and accepted types', async () => {
    const server = await answering(answer(200, '{}'));
    await server.http({ method: 'GET', url: `${server.origin}/a?b=c`, headers: { Authorization: 'Bearer x' } });
    const [get = ''] = server.connections.map(({ received }) => received());
    expect(get).toContain('GET /a?b=c HTTP/1.1\r\n');
    expect(get).toContain('authorization: Bearer x\r\n');
    expect(get).toContain('accept: application/json\r\n');
    expect(get).toMatch(/user-agent: Reelay/);
    expect(get).not.toMatch(/content-length|transfer-encoding/i);
  });

  test.each([
    ['json', { json: { title: 'Läufe' } }, 'application/json; charset=UTF-8', '{"title":"Läufe"}'],
    ['form', { form: { a: '1 2', b: 'ü*!' } }, 'application/x-www-form-urlencoded', 'a=1+2&b=%C3%BC*%21'],
    ['bytes', { body: { kind: 'bytes', bytes: 'raw', type: 'text/plain' } }, 'text/plain', 'raw'],
    ['stream', { body: streamed(Buffer.from('film')) }, 'video/mp4', 'film'],
  ] as const)('sends a body of kind %s', async (_name, given, type, body) => {
    const bytes = Buffer.byteLength(body);
    const server = await answering(answer(200, '{}'), bytes);
    await server.http({ method: 'POST', url: server.origin, ...given });
    const received = server.connections[0]?.received() ?? '';
    expect(received).toContain(`content-type: ${type}\r\n`);
    expect(received).toContain(`content-length: ${bytes}\r\n`);
    expect(Buffer.from(bodyOf(received), 'latin1').toString()).toBe(body);
  });

  test('without a body sends Content-Length 0', async () => {
    const server = await answering(answer(200));
    await server.http({ method: 'POST', url: server.origin });
    expect(server.connections[0]?.received()).toContain('content-length: 0\r\n');
  });

  test('reuses the previous connection', async () => {
    const server = await serving(async ({ socket, until }) => {
      for (let count = 1; count <= 2; count++) {
        await until((received) => received.split('\r\n\r\n').length > count);
        socket.write(answer(200, '{}', { connection: 'keep-alive' }));
      }
    });
    for (let count = 0; count < 2; count++) await server.http({ method: 'GET', url: server.origin });
    expect([server.connections.length, server.requests().length]).toEqual([1, 2]);
  });
});

describe('HTTP response', () => {
  test('has lowercase names, joined headers, and exact 64-bit ids', async () => {
    const text =
      'HTTP/1.1 200 OK\r\nX-Request-Id: r1\r\nLink: a\r\nLink: b\r\nContent-Length: 28\r\n\r\n{"id": 7412345678901234567 }';
    const server = await answering(text);
    const got = await server.http({ method: 'GET', url: server.origin });
    expect(got.headers).toMatchObject({ 'x-request-id': 'r1', link: 'a, b' });
    expect(got.json()).toEqual({ id: '7412345678901234567' });
  });

  test('that is not JSON is transient or null', async () => {
    const server = await answering(answer(502, '<html>'));
    const got = await server.http({ method: 'GET', url: server.origin });
    expect(got.tryJson()).toBeNull();
    expect(() => got.json()).toThrow(PlatformError);
  });

  test.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const server = await serving(async ({ socket, until }) => {
      await until(whole(2));
      socket.write(answer(status, '', { location: '/elsewhere' }));
    });
    const got = await server.http({ method: 'POST', url: server.origin, json: {} });
    expect([got.status, got.headers.location]).toEqual([status, '/elsewhere']);
    expect(server.requests()).toEqual(['POST / HTTP/1.1']);
  });

  test.each([408, 421, 429, 500, 503])('%i does not resend the request', async (status) => {
    const server = await answering(answer(status, '', { 'retry-after': '0', connection: 'close' }), 2);
    const got = await server.http({ method: 'POST', url: server.origin, json: {} });
    expect([got.status, server.requests().length]).toEqual([status, 1]);
  });

  test('is limited to 1 MiB, with or without a length', async () => {
    const mib = 1024 * 1024;
    const exact = await answering(answer(200, 'x'.repeat(mib)));
    expect((await exact.http({ method: 'GET', url: exact.origin })).text).toHaveLength(mib);
    const larger = await answering(answer(200, 'x'.repeat(mib + 1)));
    const tooLarge = { reason: 'answer_too_large', sent: 'maybe' };
    expect(await outcomeOf(larger.http({ method: 'GET', url: larger.origin }))).toEqual(tooLarge);
    const endless = await serving(async ({ socket, until, over }) => {
      await until(whole());
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = () => {
        while (socket.writable && socket.write('x'.repeat(65_536)));
      };
      socket.on('drain', more);
      more();
      await over;
    });
    expect(await outcomeOf(endless.http({ method: 'GET', url: endless.origin }))).toEqual(tooLarge);
    await endless.connections[0]?.over;
  });

  test('before the end of the upload stops the upload', async () => {
    const server = await serving(async ({ socket, until }) => {
      await until(whole(1));
      socket.pause();
      socket.write(answer(413, '{"error":"too large"}'));
    });
    let handed = 0;
    let closed = false;
    const source = new Readable({
      read() {
        handed += 65_536;
        this.push(Buffer.alloc(65_536));
      },
      destroy(error, done) {
        closed = true;
        done(error);
      },
    });
    const length = 500_000_000;
    const body: HttpBody = { kind: 'stream', length, type: 'video/mp4', open: async () => source };
    const got = await server.http({ method: 'PUT', url: server.origin, body });
    expect([got.status, closed]).toEqual([413, true]);
    expect(handed).toBeLessThan(length / 10);
    // The connection holds a partial request. It is closed and never reused.
    server.connections[0]?.socket.resume();
    await server.connections[0]?.over;
  });
});

describe('HTTP request fails', () => {
  const reasons = async (url: string, options: Partial<HttpClientOptions> = {}) => {
    const http = createHttp({ guard: createAddressGuard(['localhost'], [new URL(url).origin]), ...options });
    closers.push(() => http.close());
    return outcomeOf(http.request({ method: 'POST', url, json: {}, deadlineMs: 60_000 }));
  };

  test('when the connection is refused', async () => {
    expect(await reasons(await nobody())).toMatchObject({ reason: 'refused' });
  });

  test('when the host name is unknown', async () => {
    expect(await reasons('https://nobody.invalid/')).toMatchObject({ reason: 'name' });
  });

  test('when the URL is invalid', async () => {
    for (const url of ['nowhere', 'ftp://127.0.0.1/', '']) {
      const http = clientFor([]);
      expect(await outcomeOf(http.request({ method: 'GET', url }))).toEqual({ reason: 'address', sent: 'no' });
    }
  });

  test.each([
    ['by its number', 'https://127.0.0.1:1/', 'private_address'],
    ['by a mapped number', 'https://[::ffff:127.0.0.1]:1/', 'private_address'],
    ['by a name', 'https://localhost:4443/', 'private_address'],
    ['in plain', 'http://1.1.1.1/', 'not_https'],
  ])('for a private address given %s', async (_name, url, reason) => {
    const http = createHttp({ guard: createAddressGuard([], []) });
    closers.push(() => http.close());
    expect(await outcomeOf(http.request({ method: 'GET', url }))).toMatchObject({ reason });
    const single = http.irreversible({ method: 'POST', url, json: {} }, { permit: () => true });
    expect(await outcomeOf(single)).toEqual({ reason, sent: 'no' });
  });

  test('for an untrusted certificate or without TLS', async () => {
    let served = 0;
    const server = https.createServer(selfSigned(), (_request, response) => {
      served++;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await reasons(origin)).toMatchObject({ reason: 'tls' });
    expect(served).toBe(0);
    const plain = await serving(({ socket }) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await reasons(plain.origin.replace('http:', 'https:'))).toMatchObject({ reason: 'tls' });
  });

  test.each([
    ['cut before a word', '', 'reset'],
    ['cut in the head', 'HTTP/1.1 200 OK\r\ncontent-', 'reset'],
    ['cut in the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', 'reset'],
    ['that is not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', 'garbage'],
  ])('when the response is broken: %s', async (_name, text, reason) => {
    const server = await serving(async ({ socket, until }) => {
      await until(whole(2));
      socket.write(text, () => socket.destroy());
    });
    const call = server.http({ method: 'POST', url: server.origin, json: {} });
    expect(await outcomeOf(call)).toEqual({ reason, sent: 'maybe' });
    expect(server.requests()).toHaveLength(1);
  });

  test.each([
    ['not a word', () => {}],
    ['an endless head', (socket: Connection['socket']) => trickle(socket, 'HTTP/1.1 200 OK\r\nx: ', 'a')],
    ['a body that trickles', (socket: Connection['socket']) => trickle(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'a')],
  ])('at the deadline: %s', async (_name, serve) => {
    const server = await serving(async ({ socket, until }) => {
      await until(whole());
      serve(socket);
    });
    const call = server.http({ method: 'GET', url: server.origin, deadlineMs: 150 });
    expect(await outcomeOf(call)).toEqual({ reason: 'timeout', sent: 'maybe' });
    await server.connections[0]?.over;
  });

  test("at the client's maximum deadline", async () => {
    const server = await serving(() => {}, { maxDeadlineMs: 100 });
    const call = server.http({ method: 'GET', url: server.origin, deadlineMs: 3_600_000 });
    expect(await outcomeOf(call)).toMatchObject({ reason: 'timeout' });
  });

  test('when the client is aborted, and sends nothing afterwards', async () => {
    const over = new AbortController();
    const server = await serving(() => {}, { signal: over.signal });
    const call = outcomeOf(server.http({ method: 'GET', url: server.origin }));
    while (server.connections.length === 0) await new Promise((resolve) => setImmediate(resolve));
    over.abort();
    expect(await call).toEqual({ reason: 'cut', sent: 'maybe' });
    await server.connections[0]?.over;
    const later = server.http({ method: 'PUT', url: server.origin, body: streamed(Buffer.alloc(10)) });
    expect(await outcomeOf(later)).toEqual({ reason: 'cut', sent: 'no' });
    expect(server.connections).toHaveLength(1);
  });
});

describe('HTTP body with a wrong length', () => {
  test.each([
    ['shorter', streamed(Buffer.alloc(10), 11), 'source_short'],
    ['longer', streamed(Buffer.alloc(12), 11), 'source_long'],
    ['broken off', { ...streamed(Buffer.alloc(0), 11), open: async () => Readable.from(brokenOff()) }, 'source'],
  ] as const)('never completes the request: %s', async (_name, body, reason) => {
    const server = await serving(() => {});
    expect(await outcomeOf(server.http({ method: 'PUT', url: server.origin, body }))).toEqual({ reason, sent: 'no' });
    for (const connection of server.connections) {
      await connection.over;
      expect(bodyOf(connection.received()).length).toBeLessThan(11);
    }
  });

  test('that cannot be opened prevents the request', async () => {
    const server = await serving(() => {});
    const open = () => Promise.reject(new Error('no such file'));
    const call = server.http({ method: 'PUT', url: server.origin, body: { ...streamed(Buffer.alloc(1)), open } });
    await expect(call).rejects.toThrow('no such file');
    expect(server.connections).toHaveLength(0);
  });
});

describe('HTTP observer', () => {
  test('receives method, URL, outcome, and time without the query', async () => {
    const calls: unknown[] = [];
    const server = await answering(answer(201), 0, { observe: (call) => calls.push(call) });
    await server.http({ method: 'GET', url: `${server.origin}/video/?upload_token=secret` });
    await outcomeOf(server.http({ method: 'GET', url: 'https://127.0.0.1:1/x?secret' }));
    const ms = expect.any(Number);
    expect(calls).toEqual([
      { method: 'GET', url: `${server.origin}/video/`, status: 201, reason: null, ms },
      { method: 'GET', url: 'https://127.0.0.1:1/x', status: null, reason: 'private_address', ms },
    ]);
  });

  test('receives no secret of the URL', () => {
    expect(redactUrl('https://user:password@host.example/a?token=b#c')).toBe('https://host.example/a');
    expect(redactUrl('no address at all')).toBe('(no address)');
  });

  test.each([
    ['/bot7000000001:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/sendVideo', '/…/sendVideo'],
    ['/bot7000000001%3AAAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe', '/…/getMe'],
    ['/file/bot7000000001:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/videos/file_7.mp4', '/file/…/videos/file_7.mp4'],
    [`/upload/${'k'.repeat(41)}/2`, '/upload/…/2'],
    ['/xrpc/com.atproto.identity.resolveHandle', '/xrpc/com.atproto.identity.resolveHandle'],
    ['/api/v1/statuses/115500000000000001', '/api/v1/statuses/115500000000000001'],
    ['/@nora_9/', '/@nora_9/'],
  ])('hides path segments that may be tokens: %s', (path, shown) => {
    expect(redactUrl(`https://host.example${path}?query`)).toBe(`https://host.example${shown}`);
  });

  test('receives no token of a path in any case', async () => {
    const calls: { url: string }[] = [];
    const server = await answering(answer(201), 0, { observe: (call) => calls.push(call) });
    const path = '/bot7000000001:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/sendVideo';
    await server.http({ method: 'POST', url: server.origin + path });
    const failures = await Promise.all(
      [`https://127.0.0.1:1${path}`, `http://[${path}`].map((url) =>
        server.http({ method: 'POST', url }).catch((error: unknown) => describeError(error)),
      ),
    );
    expect(calls.map(({ url }) => url)).toEqual([
      `${server.origin}/…/sendVideo`,
      'https://127.0.0.1:1/…/sendVideo',
      '(no address)',
    ]);
    expect(JSON.stringify([calls, failures])).not.toContain('AAHdq');
  });
});

function trickle(socket: Connection['socket'], start: string, drop: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(drop), 10);
  socket.on('close', () => clearInterval(timer));
}

async function* brokenOff() {
  yield Buffer.from('some');
  throw new Error('disk');
}
