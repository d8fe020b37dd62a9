/** Which addresses a video may be fetched from. */
import { readdir } from 'node:fs/promises';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReelayError } from '../../src/errors/reelay-error.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createSourceGuard } from '../../src/outbound/video-source-guard.ts';
import type { FetchOptions } from '../../src/uploads/remote/video-address.ts';
import { withFolder } from '../harness/folder.ts';
import {
  answering,
  fetching,
  refusalOf,
  type Serve,
  type Source,
  serveSource,
  worldOf,
} from './video-address-world.ts';

const open: Source[] = [];
const connect = vi.spyOn(net.Socket.prototype, 'connect');
beforeEach(() => void connect.mockClear());
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));
afterAll(() => connect.mockRestore());
async function source(serve: Serve): Promise<Source> {
  const started = await serveSource(serve);
  open.push(started);
  return started;
}
const video: Serve = (_request, response) => response.end('video');
const to =
  (location: string, status = 302): Serve =>
  (_request, response) =>
    response.writeHead(status, { location }).end('moved');

async function refused(address: string, options: Partial<FetchOptions>): Promise<ReelayError> {
  return withFolder(async (folder) => {
    const refusal = await refusalOf(fetching(address, folder, options));
    expect(await readdir(folder)).toEqual([]);
    return refusal;
  });
}
const bytesOf = (address: string, options: Partial<FetchOptions> = {}) =>
  withFolder(async (folder) => (await fetching(address, folder, options)).bytes);

/** A service with this public URL and no listed hosts. */
const strict = createSourceGuard([], 'https://reelay.example');

describe('a URL', () => {
  test.each([
    ['video.example/v.mp4', 'malformed'],
    ['', 'malformed'],
    ['https://', 'malformed'],
    ['https://[fe80::1%25eth0]/', 'malformed'],
    ['http://video.example/v.mp4', 'not https'],
    ['ftp://video.example/v.mp4', 'not https'],
    ['file:///etc/passwd', 'not https'],
    ['data:video/mp4;base64,AAAA', 'not https'],
    ['https://user:word@video.example/', 'user name'],
    ['https://user@video.example/', 'user name'],
    ['https://:word@video.example/', 'user name'],
    ['https://video.example:25/', 'port'],
    ['https://video.example:22/', 'port'],
    ['https://video.example:0/', 'port'],
    ['https://video.example:6667/', 'port'],
    ['https://reelay.example/api/v1/media/x', 'this service'],
    ['https://REELAY.example.:8443/', 'this service'],
    ['https://127.0.0.1/', 'private'],
    ['https://169.254.169.254/latest/meta-data', 'private'],
  ])('%j is rejected before any lookup', async (address, word) => {
    const { resolve, asked } = answering(['127.0.0.1']);
    const { code, message } = await refused(address, { guard: strict, resolve });
    expect(code).toBe('video_source_refused');
    expect(message).toContain(word);
    expect(message).not.toMatch(/word@|meta-data|media/);
    expect(asked).toEqual([]);
    expect(connect).not.toHaveBeenCalled();
  });

  test.each(['ftp', 'file', 'gopher'])('with a listed host still cannot use %s', async (scheme) => {
    const guard = createSourceGuard(['intranet'], 'https://reelay.example');
    expect((await refused(`${scheme}://intranet/v`, { guard })).code).toBe('video_source_refused');
  });

  test('of this machine is rejected unless its host is listed', () => {
    const own = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? []);
    expect(own.length).toBeGreaterThan(0);
    const url = new URL('https://video.example/');
    const named = createSourceGuard(['video.example'], 'https://reelay.example');
    for (const address of own) {
      expect(strict.allows(url, address)).toBe(false);
      expect(named.allows(url, address)).toBe(true);
    }
    expect(strict.allows(url, '1.1.1.1')).toBe(true);
    const outside = createSourceGuard(['named.example'], 'https://reelay.example', () => ['1.1.1.1']);
    expect(outside.allows(url, '1.1.1.1')).toBe(false);
    expect(outside.allows(url, '8.8.8.8')).toBe(true);
    expect(outside.allows(new URL('https://named.example/'), '1.1.1.1')).toBe(true);
    expect(named.refuse(new URL('http://video.example/'))).toBeNull();
  });
});

test('the guard checks IP literals like resolved addresses', async () => {
  const { origin, requests } = await source(video);
  expect((await refused(`${origin}/v`, { guard: worldOf('8.8.8.8') })).message).toContain('private');
  expect(requests).toHaveLength(0);
  expect(await bytesOf(`${origin}/v`, { guard: worldOf('127.0.0.1') })).toBe(5);
});

describe('every spelling of a private address', () => {
  const bits = (...parts: number[]) => parts.reduce((sum, part) => sum * 256 + part, 0);
  const part = fc.integer({ min: 0, max: 255 });
  const inside = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127), part, part, part),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), part, part),
    fc.tuple(fc.constant(169), fc.constant(254), part, part),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), part, part),
    fc.tuple(fc.constant(192), fc.constant(168), part, part),
    fc.tuple(fc.integer({ min: 224, max: 255 }), part, part, part),
  );
  const number = fc.constantFrom<(value: number) => string>(
    (value) => String(value),
    (value) => `0${value.toString(8)}`,
    (value) => `000${value.toString(8)}`,
    (value) => `0x${value.toString(16)}`,
    (value) => `0X${value.toString(16).toUpperCase()}`,
    (value) => `0x000${value.toString(16)}`,
  );
  const wide = (text: string) => text.replace(/[0-9a-z.]/gi, (one) => String.fromCodePoint(one.charCodeAt(0) + 0xfee0));
  const disguise = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `${text}.`,
    (text) => text.replaceAll('.', '。'),
    (text) => wide(text),
    (text) => text.replace(/[0-9]/g, (one) => `%3${one}`),
  );
  const four = fc
    .tuple(inside, fc.integer({ min: 1, max: 4 }), fc.tuple(number, number, number, number), disguise)
    .map(([ip, count, spell, hide]) => {
      const parts = [...ip.slice(0, count - 1), bits(...ip.slice(count - 1))];
      return hide(parts.map((each, index) => spell[index]?.(each)).join('.'));
    });
  const ascii = (text: string) => text.replace(/[^ -~]/gu, encodeURIComponent);
  const pair = (high: number, low: number) => bits(high, low).toString(16);
  const six = fc
    .tuple(
      inside,
      fc.constantFrom<(hex: string, dotted: string) => string>(
        (_hex, dotted) => `::ffff:${dotted}`,
        (hex) => `::ffff:${hex}`,
        (hex) => `0:0:0:0:0:FFFF:${hex}`,
        (hex) => `0000:0000:0000:0000:0000:ffff:${hex}`,
        (hex) => `::ffff:0:${hex}`,
        (_hex, dotted) => `::${dotted}`,
        (hex) => `::${hex}`,
        (hex) => `64:ff9b::${hex}`,
        (_hex, dotted) => `64:ff9b::${dotted}`,
        (hex) => `64:ff9b:1::${hex}`,
        (hex) => `2002:${hex}::1`,
        (hex) => `2001:0:4136:e378:8000:63bf:${hex}`,
        (hex) => `fe80::${hex}`,
        (hex) => `fe80::${hex}%25lo`,
        (hex) => `fe80::${hex}%lo`,
        (hex) => `fd00::${hex}`,
        (hex) => `ff02::${hex}`,
      ),
    )
    .map(([[a, b, c, d], spell]) => `[${spell(`${pair(a, b)}:${pair(c, d)}`, `${a}.${b}.${c}.${d}`)}]`);

  test('is rejected without a connection, directly or by redirect', async () => {
    const { resolve, asked } = answering(['127.0.0.1']);
    await withFolder((folder) =>
      fc.assert(
        fc.asyncProperty(
          fc.oneof(four, six),
          fc.constantFrom('', ':443', ':8443'),
          fc.boolean(),
          async (host, port, redirected) => {
            const address = `https://${host}${port}/v`;
            const { origin, close } = redirected ? await serveSource(to(ascii(address))) : { origin: '', close: null };
            const named = createAddressGuard(origin ? [new URL(origin).host] : [], []);
            connect.mockClear();
            const refusal = await refusalOf(
              fetching(redirected ? `${origin}/` : address, folder, { guard: named, resolve }),
            );
            const connections = connect.mock.calls.length;
            await close?.();
            const code = redirected && !URL.canParse(address) ? 'video_source_failed' : 'video_source_refused';
            expect(refusal.code).toBe(code);
            expect(connections).toBe(redirected ? 1 : 0);
          },
        ),
        { numRuns: 300 },
      ),
    );
    expect(asked).toEqual([]);
  });

  test('is rejected when a name resolves to it', async () => {
    await withFolder((folder) =>
      fc.assert(
        fc.asyncProperty(fc.array(inside, { minLength: 1, maxLength: 3 }), async (ips) => {
          const { resolve, asked } = answering(ips.map((ip) => ip.join('.')));
          const refusal = await refusalOf(fetching('https://video.example/', folder, { guard: strict, resolve }));
          expect(refusal.code).toBe('video_source_refused');
          expect(asked).toEqual(['video.example']);
        }),
        { numRuns: 50 },
      ),
    );
  });

  test.each(['localhost', 'LOCALHOST'])('%s is resolved to one by the system', async (name) => {
    expect((await refused(`https://${name}/`, { guard: strict })).code).toBe('video_source_refused');
  });
});

describe('a name', () => {
  const guard = worldOf('127.0.0.1');

  test('that changes at the second lookup uses the checked address', async () => {
    const { port, requests } = await source(video);
    const { resolve, asked } = answering(['127.0.0.1'], ['127.0.0.2']);
    expect(await bytesOf(`http://video.example:${port}/v`, { guard, resolve })).toBe(5);
    expect(asked).toEqual(['video.example']);
    expect(requests).toHaveLength(1);
  });

  test('is resolved and checked again after a redirect', async () => {
    const { port, requests } = await source(to('/again'));
    const { resolve, asked } = answering(['127.0.0.1'], ['127.0.0.2']);
    const { code, message } = await refused(`http://video.example:${port}/v`, { guard, resolve });
    expect(code).toBe('video_source_refused');
    expect(message).toContain('private network (after a redirect)');
    expect(asked).toHaveLength(2);
    expect(requests).toHaveLength(1);
  });

  test('with mixed addresses uses only the public ones', async () => {
    const { port, sockets } = await source(video);
    for (const addresses of [
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.2'],
      ['10.0.0.1', '::1', '127.0.0.1'],
    ]) {
      const { resolve } = answering(addresses);
      expect(await bytesOf(`http://video.example:${port}/v`, { guard, resolve })).toBe(5);
    }
    expect([...sockets]).toHaveLength(3);
  });

  test('with a dead public address does not use private ones', async () => {
    const dead = await source(video);
    await dead.close();
    const lists = [
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '127.0.0.1'],
    ];
    for (const addresses of lists) {
      const { resolve } = answering(addresses);
      const { cause, code } = await refused(`http://video.example:${dead.port}/v`, { guard, resolve });
      expect(code).toBe('video_source_failed');
      expect(String(cause)).toContain('ECONNREFUSED');
    }
    const tried = connect.mock.calls.length;
    expect(tried).toBe(lists.length);
  });

  test('is sent as the host, not its address', async () => {
    const { port, requests } = await source(video);
    await bytesOf(`http://video.example:${port}/v`, { guard, resolve: answering(['127.0.0.1']).resolve });
    expect(requests[0]?.headers.host).toBe(`video.example:${port}`);
  });
});

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('of status %i is followed with GET, relative or absolute', async (status) => {
    const end = await source(video);
    const { origin, requests } = await source((request, response) =>
      to(request.url === '/' ? 'deeper/two?x=1' : `${end.origin}/v#part`, status)(request, response),
    );
    const guard = createAddressGuard([new URL(origin).host, new URL(end.origin).host], []);
    expect(await bytesOf(`${origin}/`, { guard })).toBe(5);
    expect([...requests, ...end.requests].map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /',
      'GET /deeper/two?x=1',
      'GET /v',
    ]);
    expect(end.requests[0]?.headers).not.toHaveProperty('referer');
  });

  test('is followed five times, not six', async () => {
    const { origin, requests } = await source((request, response) => {
      const left = Number(request.url?.slice(1));
      (left === 0 ? video : to(`/${left - 1}`))(request, response);
    });
    expect(await bytesOf(`${origin}/5`)).toBe(5);
    const { code, message } = await refused(`${origin}/6`, {});
    expect(code).toBe('video_source_failed');
    expect(message).toContain('too often');
    expect(requests).toHaveLength(6 + 6);
  });

  test.each([
    ['to itself', ['/0']],
    ['in a circle', ['/1', '/2', '/0#elsewhere']],
  ])('%s is detected', async (_, path) => {
    const { origin, requests } = await source((request, response) =>
      to(path[Number(request.url?.slice(1))] ?? '/')(request, response),
    );
    const { code, message } = await refused(`${origin}/0`, {});
    expect(code).toBe('video_source_failed');
    expect(message).toContain('loop');
    expect(requests).toHaveLength(path.length);
  });

  test.each([
    ['http://public.example/v', 'not https'],
    ['ftp://public.example/v', 'not https'],
    ['https://user:word@public.example/v', 'user name'],
    ['https://public.example:25/v', 'port'],
    ['https://10.0.0.1/v', 'private'],
    ['//0x7f.1/v', 'not https'],
  ])('to %s is rejected', async (location, word) => {
    const { origin } = await source(to(location));
    const { resolve, asked } = answering(['10.0.0.1']);
    const { code, message } = await refused(`${origin}/v`, { resolve });
    expect(code).toBe('video_source_refused');
    expect(message).toContain(word);
    expect(message).toContain('after a redirect');
    expect(asked).toEqual([]);
  });

  test.each([
    ['nowhere', {}],
    ['to something that is no address', { location: 'https://[x]/' }],
  ])('%s is rejected', async (_, headers) => {
    const { origin } = await source((_request, response) => response.writeHead(302, headers).end());
    const { code, message } = await refused(`${origin}/v`, {});
    expect(code).toBe('video_source_failed');
    expect(message).toContain('without a Location');
  });
});
