import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { ReelayError } from '../../src/errors/reelay-error.ts';
import type { FetchOptions } from '../../src/uploads/remote/video-address.ts';
import { withFolder } from '../harness/folder.ts';
import { selfSigned } from '../http/self-signed.ts';
import { listen, nobody, type RawServer } from '../outbound/http-servers.ts';
import { fetching, pour, refusalOf, type Serve, type Source, serveSource, worldOf } from './video-address-world.ts';

const open: (Source | RawServer)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});
async function source(serve: Serve, certificate?: { cert: string; key: string }): Promise<Source> {
  const started = await serveSource(serve, certificate);
  open.push(started);
  return started;
}

/** A server that sends this raw text and closes the connection. */
async function saying(text: string): Promise<RawServer> {
  const server = await listen(({ socket, until }) => {
    void until((received) => received.includes('\r\n\r\n')).then(() => socket.end(text, 'latin1'));
  });
  open.push(server);
  return server;
}

/** The error of a fetch, which must leave no file. */
async function refused(address: string, options: Partial<FetchOptions> = {}): Promise<ReelayError> {
  return withFolder(async (folder) => {
    const refusal = await refusalOf(fetching(address, folder, options));
    expect(await readdir(folder)).toEqual([]);
    return refusal;
  });
}

const video = (content: Buffer | string, headers: Record<string, string> = {}): Serve => {
  const bytes = Buffer.from(content);
  return (_request, response) => response.writeHead(200, { 'content-type': 'video/mp4', ...headers }).end(bytes);
};

describe('a video', () => {
  const content = randomBytes(300_000);

  test.each([
    ['whose length is announced', { 'content-length': '300000' }],
    ['that comes in chunks', { 'transfer-encoding': 'chunked' }],
    ['of no known type', { 'content-type': 'application/octet-stream' }],
    ['that is said not to be encoded', { 'content-encoding': 'identity' }],
  ])('%s is stored with its hash and every byte reported', async (_, headers) => {
    const { origin } = await source(video(content, headers));
    await withFolder(async (folder) => {
      let told = 0;
      const onBytes = (bytes: number) => {
        told += bytes;
      };
      const { path, bytes, sha256 } = await fetching(`${origin}/a/b.mp4?token=1#part`, folder, { onBytes });
      expect(bytes).toBe(content.length);
      expect(told).toBe(content.length);
      expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
      expect((await readFile(path)).equals(content)).toBe(true);
      expect(await readdir(folder)).toHaveLength(1);
    });
  });

  test('is requested with its query and only our user agent', async () => {
    const { origin, requests } = await source(video('v', { 'set-cookie': 'a=b' }));
    await withFolder((folder) => fetching(`${origin}/v?sig=x%20y#part`, folder, { userAgent: 'Reelay (test)' }));
    const [{ method, url, headers } = {}] = requests;
    expect({ method, url }).toEqual({ method: 'GET', url: '/v?sig=x%20y' });
    expect(headers).toEqual({
      host: new URL(origin).host,
      'user-agent': 'Reelay (test)',
      accept: 'video/*, application/octet-stream;q=0.9, */*;q=0.5',
      'accept-encoding': 'identity',
      connection: 'close',
    });
  });

  test('is fetched over TLS only from trusted certificates', async () => {
    const certificate = selfSigned();
    const { origin } = await source(video('over tls'), certificate);
    const before = tls.getCACertificates();
    expect(await refused(`${origin}/v`)).toMatchObject({
      code: 'video_source_failed',
      message: expect.stringContaining('TLS'),
    });
    try {
      tls.setDefaultCACertificates([...before, certificate.cert]);
      await withFolder(async (folder) => expect((await fetching(`${origin}/v`, folder)).bytes).toBe(8));
      // Not even to a host that may use plain HTTP.
      const plain = await source(video('in the open'));
      const { origin: leaving } = await source(
        (_request, response) => response.writeHead(302, { location: `${plain.origin}/v` }).end(),
        certificate,
      );
      const refusal = await refused(leaving, { guard: worldOf('127.0.0.1') });
      expect(refusal.message).toContain('not https (after a redirect)');
      expect(plain.requests).toEqual([]);
      // The certificate is for 127.0.0.1.
      const guard = worldOf('127.0.0.1');
      const resolve: FetchOptions['resolve'] = (_name, _options, done) =>
        done(null, [{ address: '127.0.0.1', family: 4 }]);
      expect((await refused(`https://other.example:${new URL(origin).port}/v`, { guard, resolve })).message).toContain(
        'TLS',
      );
    } finally {
      tls.setDefaultCACertificates(before);
    }
  });

  test('up to the limit is accepted, beyond it is rejected', async () => {
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }] as Record<string, string>[]) {
      const { origin } = await source(video(Buffer.alloc(1000), headers));
      await withFolder(async (folder) => {
        expect((await fetching(`${origin}/v`, folder, { maxBytes: 1000 })).bytes).toBe(1000);
      });
      expect((await refused(`${origin}/v`, { maxBytes: 999 })).code).toBe('video_too_large');
    }
  });
});

describe('a response', () => {
  test.each([201, 204, 206, 300, 304, 400, 401, 403, 404, 410, 429, 500, 503])(
    'of status %i is reported without its body',
    async (status) => {
      const { origin } = await source((_request, response) => response.writeHead(status).end('a secret of theirs'));
      const { code, message } = await refused(`${origin}/v?token=hidden`);
      expect(code).toBe('video_source_failed');
      expect(message).toContain(String(status));
      expect(message).not.toMatch(/secret|hidden/);
    },
  );

  test.each([
    ['text/html; charset=utf-8', 'a web page'],
    ['TEXT/HTML', 'a web page'],
    ['application/xhtml+xml', 'a web page'],
    ['application/json', 'JSON'],
    ['application/problem+json', 'JSON'],
    ['application/xml', 'XML'],
    ['text/plain', 'text'],
  ])('of type %s is not a video', async (type, what) => {
    const { origin } = await source(video('x', { 'content-type': type }));
    const { code, message } = await refused(`${origin}/v`);
    expect(code).toBe('video_source_failed');
    expect(message).toContain(what);
  });

  test('of type text/plain may be a video', async () => {
    // Web servers use this type for file names that they do not know.
    const content = Buffer.from('\0\0\0\x18ftypmp42 and the rest');
    const { origin } = await source(video(content, { 'content-type': 'text/plain' }));
    await withFolder(async (folder) => {
      const { path } = await fetching(`${origin}/v`, folder);
      expect((await readFile(path)).equals(content)).toBe(true);
    });
  });

  test.each([
    [401, 'The link may have expired, or need a sign-in.'],
    [403, 'The link may have expired, or need a sign-in.'],
    [404, 'The link may have expired, or need a sign-in.'],
    [410, 'The link may have expired, or need a sign-in.'],
    [429, 'Try again later.'],
    [503, 'Try again later.'],
  ])('of status %i says what may help', async (status, advice) => {
    const { origin } = await source((_request, response) => response.writeHead(status).end());
    expect((await refused(`${origin}/v`)).message).toBe(`The URL of the video returned status ${status}. ${advice}`);
  });

  test("names another link for a file host's page", async () => {
    const { origin } = await source(video('<html>', { 'content-type': 'text/html' }));
    expect((await refused(`${origin}/v`)).message).toBe(
      'The URL of the video returned a web page instead of a video. Use a link that downloads the file itself.',
    );
  });

  test.each([
    ['gzip', { 'content-encoding': 'gzip' }],
    ['something else on top', { 'content-encoding': 'identity, br' }],
  ])('that is encoded with %s is rejected', async (_, headers) => {
    const { origin } = await source(video(gzipSync('x'.repeat(1000)), headers));
    expect(await refused(`${origin}/v`)).toMatchObject({
      code: 'video_source_failed',
      message: expect.stringContaining('compressed'),
    });
  });

  test.each([
    [
      'with a compressed transfer',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      'compressed',
    ],
    ['that is shorter than announced', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc', 'interrupted'],
    ['with a chunk cut', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nabc', 'interrupted'],
    ['without its last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n', 'interrupted'],
    ['that ends with the connection', 'HTTP/1.0 200 OK\r\n\r\nabc', 'unknown length'],
    ['of nothing', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', 'no content'],
    ['with two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd', 'HTTP'],
    ['that is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'HTTP'],
    ['that never comes', '', 'closed the connection'],
    [
      'that changes the protocol',
      'HTTP/1.1 101 S\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'closed the connection',
    ],
  ])('%s is rejected', async (_, text, word) => {
    const { origin } = await saying(text);
    const { code, message } = await refused(`${origin}/v?token=hidden`);
    expect(code).toBe('video_source_failed');
    expect(message).toContain(word);
  });

  test('that announces more than the limit is rejected at once', async () => {
    const { origin } = await source((_request, response) => {
      response.writeHead(200, { 'content-length': '1000001' }).flushHeaders();
    });
    expect((await refused(`${origin}/v`)).code).toBe('video_too_large');
  });

  test('without an end stops at the limit', async () => {
    const closed = Promise.withResolvers<number>();
    const { origin } = await source((_request, response) => {
      const sent = pour(response, Buffer.alloc(64 * 1024));
      response.on('close', () => closed.resolve(sent()));
    });
    const limit = 100 * 1024 * 1024;
    let taken = 0;
    const onBytes = (bytes: number) => {
      taken += bytes;
    };
    expect((await refused(`${origin}/v`, { maxBytes: limit, onBytes })).code).toBe('video_too_large');
    expect(taken).toBeLessThanOrEqual(limit);
    // The rest was in network buffers.
    expect(await closed.promise).toBeLessThan(limit * 1.5);
  });

  test('longer than the disk queue arrives completely', async () => {
    const content = randomBytes(9_000_000);
    const { origin } = await source(video(content));
    await withFolder(async (folder) => {
      const { path } = await fetching(`${origin}/v`, folder, { maxBytes: 10_000_000 });
      expect((await readFile(path)).equals(content)).toBe(true);
    });
  });
});

describe('timeouts', () => {
  const slow = { code: 'video_source_slow', message: expect.stringContaining('Upload') };

  test('missing headers end the fetch', async () => {
    const { origin, sockets } = await source(() => {});
    expect(await refused(`${origin}/v`, { headMs: 30 })).toMatchObject(slow);
    // A busy machine may not have connected by then.
    expect(sockets.size).toBeLessThan(2);
  });

  test('slow headers end the fetch', async () => {
    const server = await listen(({ socket }) => {
      const more = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 1);
      socket.on('close', () => clearInterval(more));
    });
    open.push(server);
    expect(await refused(`${server.origin}/v`, { headMs: 50 })).toMatchObject(slow);
  });

  test('an unresolved name ends the fetch', async () => {
    const guard = worldOf('127.0.0.1');
    expect(await refused('http://video.example/', { guard, resolve: () => {}, headMs: 30 })).toMatchObject(slow);
    expect(await refused('http://video.example/', { guard, resolve: () => {}, deadlineMs: 30 })).toMatchObject(slow);
  });

  test('a slow body ends at the deadline', async () => {
    const { origin } = await source((_request, response) => {
      const more = setInterval(() => response.write('x'), 1);
      response.on('close', () => clearInterval(more));
    });
    expect(await refused(`${origin}/v`, { deadlineMs: 100 })).toMatchObject(slow);
  });

  test('timely redirects still end at the deadline', async () => {
    const { origin } = await source((request, response) => {
      const next = Number(request.url?.slice(1)) + 1;
      setTimeout(() => response.writeHead(302, { location: `/${next}` }).end(), 30);
    });
    expect(await refused(`${origin}/1`, { headMs: 1000, deadlineMs: 60 })).toMatchObject(slow);
  });
});

describe('the requester', () => {
  test.each(['before the head', 'within the body', 'before anything'])('may disconnect %s', async (when) => {
    const gone = new AbortController();
    const reason = new Error('They went away.');
    const { origin, sockets } = await source((_request, response) => {
      if (when === 'before the head') gone.abort(reason);
      else pour(response, Buffer.alloc(64 * 1024));
    });
    if (when === 'before anything') gone.abort(reason);
    await withFolder(async (folder) => {
      const onBytes = () => gone.abort(reason);
      const fetch = fetching(`${origin}/v`, folder, { signal: gone.signal, maxBytes: 1_000_000_000, onBytes });
      await expect(fetch).rejects.toBe(reason);
      expect(await readdir(folder)).toEqual([]);
      expect(sockets.size).toBe(when === 'before anything' ? 0 : 1);
    });
  });

  test('may run out of disk space', async () => {
    const { origin } = await source((_request, response) => void pour(response, Buffer.alloc(64 * 1024)));
    let taken = 0;
    const onBytes = (bytes: number) => {
      taken += bytes;
      if (taken > 200_000) throw new ReelayError('storage_full');
    };
    expect((await refused(`${origin}/v`, { onBytes })).code).toBe('storage_full');
    expect(taken).toBeLessThan(400_000);
  });

  test('may lack the scratch folder', async () => {
    const { origin } = await source((_request, response) => void pour(response, Buffer.alloc(64 * 1024)));
    const refusal = await refusalOf(fetching(`${origin}/v`, '/nonexistent/folder', { maxBytes: 1_000_000_000 }));
    expect(refusal.code).toBe('storage_unavailable');
  });
});

describe('a host', () => {
  test('that refuses the connection is reported', async () => {
    const { code, message, cause } = await refused(`${await nobody()}/secret-path?token=hidden`);
    expect(code).toBe('video_source_failed');
    expect(message).toContain('refused the connection');
    expect(String(cause)).toMatch(/^Error: http:\/\/127\.0\.0\.1:\d+: ECONNREFUSED$/);
  });

  test('that cannot be resolved is reported', async () => {
    const resolve: FetchOptions['resolve'] = (_name, _options, done) =>
      done(Object.assign(new Error('No such name.'), { code: 'ENOTFOUND' }), []);
    const { code, message } = await refused('https://nobody.example/v', { guard: worldOf(), resolve });
    expect(code).toBe('video_source_failed');
    expect(message).toContain('not found');
  });

  test('without TLS is reported', async () => {
    const { port } = await source(video('v'));
    const { code, message } = await refused(`https://127.0.0.1:${port}/v`);
    expect(code).toBe('video_source_failed');
    expect(message).toContain('TLS');
  });
});
