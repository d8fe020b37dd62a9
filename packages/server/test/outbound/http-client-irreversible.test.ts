import { randomBytes } from 'node:crypto';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp, type HttpBody, type HttpClientOptions } from '../../src/outbound/http-client.ts';
import { selfSigned } from '../http/self-signed.ts';
import { answer, bodyOf, type Connection, clientFor, listen, nobody, outcomeOf, whole } from './http-servers.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) await close();
});

async function serving(serve: (connection: Connection) => void, options: Partial<HttpClientOptions> = {}) {
  const server = await listen(serve);
  const http = clientFor(server.origin, options);
  closers.push(() => http.close(), server.close);
  return { ...server, http };
}

/** Reads a request with a body of this many bytes, then responds 201. */
const taking =
  (bytes: number) =>
  async ({ socket, until }: Connection) => {
    await until(whole(bytes));
    socket.write(answer(201, '{}'));
  };

const film = (
  pieces: readonly Buffer[],
  length = pieces.reduce((sum, { length: one }) => sum + one, 0),
): HttpBody & { kind: 'stream' } => ({
  kind: 'stream',
  length,
  type: 'video/mp4',
  open: async () => Readable.from(pieces, { objectMode: false }),
});

/** A permit that allows this many checks, and counts them. */
function permits(times: number) {
  const permit = { asked: 0, permit: () => ++permit.asked <= times };
  return permit;
}

/** What a test replaces to decide when a deadline passes. */
const CLOCK: ('setTimeout' | 'clearTimeout' | 'performance')[] = ['setTimeout', 'clearTimeout', 'performance'];

const headOf = (connection: Connection | undefined) => connection?.received().split('\r\n\r\n')[0] ?? '';

describe('small irreversible request', () => {
  test('checks the permit once and uses its own connection', async () => {
    const server = await serving(taking(2));
    const look = permits(1);
    await server.http.request({ method: 'POST', url: server.origin, json: {} });
    for (let count = 0; count < 2; count++) {
      look.asked = 0;
      const call = server.http.irreversible({ method: 'POST', url: server.origin, json: {} }, look);
      expect(await outcomeOf(call)).toEqual({ status: 201 });
      expect(look.asked).toBe(1);
    }
    expect([server.connections.length, server.requests().length]).toEqual([3, 3]);
  });

  test('sends no byte without a permit', async () => {
    const server = await serving(() => {});
    const call = server.http.irreversible({ method: 'POST', url: server.origin, json: {} }, permits(0));
    expect(await outcomeOf(call)).toEqual({ reason: 'lease_lost', sent: 'no' });
    await server.connections[0]?.over;
    expect(server.connections.map(({ received }) => received())).toEqual(['']);
  });

  test('checks the permit only after connecting', async () => {
    const server = await serving(taking(2));
    const look = permits(1);
    const call = server.http.irreversible({ method: 'POST', url: server.origin, json: {} }, look);
    expect(look.asked).toBe(0);
    expect(await outcomeOf(call)).toEqual({ status: 201 });
    expect(look.asked).toBe(1);
  });

  test.each([301, 307, 308, 421, 429, 500, 503])('is not resent or redirected after %i', async (status) => {
    const server = await serving(async ({ socket, until }) => {
      await until(whole(2));
      socket.write(answer(status, '', { location: '/elsewhere', 'retry-after': '0' }));
    });
    const look = permits(5);
    const call = server.http.irreversible({ method: 'POST', url: server.origin, json: {} }, look);
    expect(await outcomeOf(call)).toEqual({ status });
    expect([server.requests(), look.asked]).toEqual([['POST / HTTP/1.1'], 1]);
  });

  test.each([
    ['cut', (socket: Connection['socket']) => socket.destroy(), 'reset'],
    ['never answered', () => vi.advanceTimersByTime(30_000), 'timeout'],
    ['answered with rubbish', (socket: Connection['socket']) => socket.write('SMTP ready\r\n\r\n'), 'garbage'],
  ])('has an unknown outcome when it arrived and was %s', async (_name, act, reason) => {
    vi.useFakeTimers({ toFake: CLOCK });
    const server = await serving(async ({ socket, until }) => {
      await until(whole(2));
      act(socket);
    });
    const request = { method: 'POST', url: server.origin, json: {}, deadlineMs: 30_000 } as const;
    const call = server.http.irreversible(request, { permit: () => true });
    expect(await outcomeOf(call)).toEqual({ reason, sent: 'maybe' });
    expect(server.requests()).toHaveLength(1);
  });
});

describe('irreversible request that was certainly not sent', () => {
  const never = async (url: string) => {
    const http = createHttp({ guard: createAddressGuard([], [new URL(url).origin]) });
    closers.push(() => http.close());
    const look = permits(5);
    const body = film([Buffer.from('film')]);
    const outcome = await outcomeOf(http.irreversible({ method: 'PUT', url, body, deadlineMs: 60_000 }, look));
    return { ...outcome, asked: look.asked };
  };

  test('connection refused', async () => {
    expect(await never(await nobody())).toEqual({ reason: 'refused', sent: 'no', asked: 0 });
  });

  test('unknown host name', async () => {
    expect(await never('https://nobody.invalid/')).toEqual({ reason: 'name', sent: 'no', asked: 0 });
  });

  test('untrusted certificate', async () => {
    let served = 0;
    const server = https.createServer(selfSigned(), () => {
      served++;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await never(url)).toEqual({ reason: 'tls', sent: 'no', asked: 0 });
    expect(served).toBe(0);
  });

  test.each([
    ['hangs up', (socket: Connection['socket']) => socket.destroy()],
    ['speaks no TLS', (socket: Connection['socket']) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('peer %s before the TLS handshake completes', async (_name, act) => {
    const server = await serving(({ socket }) => act(socket));
    expect(await never(server.origin.replace('http:', 'https:'))).toMatchObject({ sent: 'no', asked: 0 });
  });

  test('TLS handshake times out', async () => {
    const server = await serving(() => {});
    const url = server.origin.replace('http:', 'https:');
    const http = clientFor(url);
    closers.push(() => http.close());
    const call = http.irreversible({ method: 'POST', url, json: {}, deadlineMs: 100 }, { permit: () => true });
    expect(await outcomeOf(call)).toEqual({ reason: 'timeout', sent: 'no' });
  });

  test('client aborted before', async () => {
    const over = new AbortController();
    const server = await serving(() => {}, { signal: over.signal });
    const look = permits(5);
    const call = server.http.irreversible({ method: 'POST', url: server.origin, json: {} }, look);
    over.abort();
    expect(await outcomeOf(call)).toEqual({ reason: 'cut', sent: 'no' });
    expect(look.asked).toBe(0);
  });
});

describe('irreversible upload', () => {
  const bytes = randomBytes(1_000_000);
  const upload = (server: { origin: string }, body: HttpBody, deadlineMs = 60_000) =>
    ({ method: 'PUT', url: server.origin, body, deadlineMs }) as const;

  test('arrives whole after two permit checks', async () => {
    const server = await serving(taking(bytes.length));
    const look = permits(2);
    const pieces = [bytes.subarray(0, 10), bytes.subarray(10, 999_990), bytes.subarray(999_990)];
    expect(await outcomeOf(server.http.irreversible(upload(server, film(pieces)), look))).toEqual({ status: 201 });
    expect(look.asked).toBe(2);
    expect(Buffer.from(bodyOf(server.connections[0]?.received() ?? ''), 'latin1').equals(bytes)).toBe(true);
  });

  test('without the second permit lacks exactly its last byte', async () => {
    const server = await serving(taking(bytes.length));
    const look = permits(1);
    const call = server.http.irreversible(upload(server, film([bytes])), look);
    expect(await outcomeOf(call)).toEqual({ reason: 'lease_lost', sent: 'no' });
    const [connection] = server.connections;
    await connection?.over;
    expect(look.asked).toBe(2);
    expect(headOf(connection)).toContain(`content-length: ${bytes.length}`);
    expect(bodyOf(connection?.received() ?? '').length).toBeLessThan(bytes.length);
  });

  test('has sent all other bytes before the second check', async () => {
    const arrived = Promise.withResolvers<void>();
    const server = await serving(async ({ socket, until }) => {
      await until(whole(bytes.length - 1));
      arrived.resolve();
      await until(whole(bytes.length));
      socket.write(answer(201));
    });
    let open = 0;
    const source = async () => Readable.from(slowly(arrived.promise), { objectMode: false });
    async function* slowly(until: Promise<void>) {
      yield bytes;
      // The source ends only after the server has received all bytes that precede the check.
      await until;
      open = 1;
    }
    const looks: number[] = [];
    const permit = () => looks.push(open) > 0;
    const call = server.http.irreversible(upload(server, { ...film([bytes]), open: source }), { permit });
    expect(await outcomeOf(call)).toEqual({ status: 201 });
    expect(looks).toEqual([0, 1]);
  });

  test.each([
    ['too late', 45_000, { reason: 'timeout', sent: 'no' }],
    ['in time', 35_000, { status: 201 }],
  ])('reaches its last byte %s for a response', async (_name, uploadMs, outcome) => {
    vi.useFakeTimers({ toFake: CLOCK });
    const server = await serving(taking(bytes.length));
    async function* slow() {
      yield bytes;
      vi.advanceTimersByTime(uploadMs);
    }
    const body = { ...film([bytes]), open: async () => Readable.from(slow(), { objectMode: false }) };
    const call = server.http.irreversible(upload(server, body, 60_000), { permit: () => true });
    expect(await outcomeOf(call)).toEqual(outcome);
  });

  test('of one byte is checked twice as well', async () => {
    const server = await serving(taking(1));
    const look = permits(1);
    const call = server.http.irreversible(upload(server, film([Buffer.from('x')])), look);
    expect(await outcomeOf(call)).toEqual({ reason: 'lease_lost', sent: 'no' });
    await server.connections[0]?.over;
    expect(bodyOf(server.connections[0]?.received() ?? '')).toBe('');
    const whole = server.http.irreversible(upload(server, film([Buffer.from('x')])), permits(2));
    expect(await outcomeOf(whole)).toEqual({ status: 201 });
  });

  test('sends no byte without a permit', async () => {
    const server = await serving(() => {});
    const call = server.http.irreversible(upload(server, film([bytes])), permits(0));
    expect(await outcomeOf(call)).toEqual({ reason: 'lease_lost', sent: 'no' });
    await server.connections[0]?.over;
    expect(server.connections[0]?.received()).toBe('');
  });

  test('is certainly incomplete only if aborted before the last byte', async () => {
    const half = await serving(async ({ socket, until }) => {
      await until(whole(1_000));
      socket.destroy();
    });
    const large = film(Array.from({ length: 400 }, () => Buffer.alloc(65_536)));
    expect(await outcomeOf(half.http.irreversible(upload(half, large), permits(2)))).toMatchObject({ sent: 'no' });
    const behind = await serving(async ({ socket, until }) => {
      await until(whole(bytes.length));
      socket.destroy();
    });
    expect(await outcomeOf(behind.http.irreversible(upload(behind, film([bytes])), permits(2)))).toEqual({
      reason: 'reset',
      sent: 'maybe',
    });
  });

  test('times out when the server stops reading', async () => {
    const server = await serving(({ socket }) => socket.pause());
    const large = film(Array.from({ length: 800 }, () => Buffer.alloc(65_536)));
    const call = server.http.irreversible(upload(server, large, 300), permits(2));
    expect(await outcomeOf(call)).toEqual({ reason: 'timeout', sent: 'no' });
  });

  test('is certainly incomplete when aborted by a crash', async () => {
    const over = new AbortController();
    const server = await serving(
      async ({ until }) => {
        await until(whole(1_000));
        over.abort();
      },
      { signal: over.signal },
    );
    const large = film(Array.from({ length: 400 }, () => Buffer.alloc(65_536)));
    expect(await outcomeOf(server.http.irreversible(upload(server, large), permits(2)))).toEqual({
      reason: 'cut',
      sent: 'no',
    });
  });

  test('returns an early response and keeps the last byte', async () => {
    const server = await serving(async ({ socket, until }) => {
      await until(whole(1));
      socket.write(answer(403, '', { connection: 'close' }));
    });
    const never = new Promise<void>(() => {});
    async function* stalled() {
      yield bytes;
      await never;
    }
    const body = { ...film([bytes]), open: async () => Readable.from(stalled(), { objectMode: false }) };
    const look = permits(2);
    expect(await outcomeOf(server.http.irreversible(upload(server, body), look))).toEqual({ status: 403 });
    await server.connections[0]?.over;
    expect(look.asked).toBe(1);
    expect(bodyOf(server.connections[0]?.received() ?? '').length).toBeLessThan(bytes.length);
  });

  test.each([
    ['shorter', film([bytes], bytes.length + 1), 'source_short'],
    ['longer', film([bytes, Buffer.from('x')], bytes.length), 'source_long'],
  ])('that is %s than announced never completes', async (_name, body, reason) => {
    const server = await serving(taking(bytes.length));
    const call = server.http.irreversible(upload(server, body), permits(2));
    expect(await outcomeOf(call)).toEqual({ reason, sent: 'no' });
    await server.connections[0]?.over;
    expect(bodyOf(server.connections[0]?.received() ?? '').length).toBeLessThan(
      body.kind === 'stream' ? body.length : 0,
    );
  });

  test('is certainly not sent when its file fails before connecting', async () => {
    const source = new Readable({ read() {} });
    // The TLS connection never completes, so everything waits for it.
    const server = await serving(() => source.destroy(new Error('disk')));
    const secure = server.origin.replace('http:', 'https:');
    const http = clientFor(secure);
    closers.push(() => http.close());
    const body = { ...film([bytes]), open: async () => source };
    const look = permits(2);
    const call = http.irreversible(upload({ origin: secure }, body), look);
    expect(await outcomeOf(call)).toEqual({ reason: 'source', sent: 'no' });
    expect(look.asked).toBe(0);
  });
});
