import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import Fastify from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { deferContinue } from '../../src/http/receive/expect.ts';
import { lingeringBody, refuseEarly } from '../../src/http/receive/refuse.ts';
import { pollPause } from '../harness/world.ts';
import { listen, open, readResponse } from './harness.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** Sends for as long as the connection lives. */
function pour(socket: Socket): void {
  const block = Buffer.alloc(1024 * 1024);
  while (socket.writable && socket.write(block));
  socket.once('drain', () => pour(socket));
}

/** Sends for as long as the connection lives. @returns the response */
async function pourInto(port: number) {
  const socket = await open(port, 500_000_000);
  const response = readResponse(socket);
  pour(socket);
  return response;
}

/** Waits until the server reads nothing more from the connection, or it is closed. */
async function untilUnread(socket: Socket): Promise<void> {
  for (let read = -1; read !== socket.bytesRead && !socket.destroyed; await pollPause(100)) read = socket.bytesRead;
}

describe('an early rejection', () => {
  test('reaches a client that is still sending', async () => {
    const { promise: received, resolve } = Promise.withResolvers<number>();
    const server = createServer((request, response) => {
      request.socket.once('close', () => resolve(request.socket.bytesRead));
      refuseEarly(request, response, { status: 413, body: Buffer.from('{"code":"x"}') });
    });
    closers.push(() => server.close());
    await listen(server);
    const response = await pourInto((server.address() as AddressInfo).port);
    expect(response).toMatchObject({ status: 413, json: { code: 'x' } });
    expect(response.headers).toMatch(/content-length: 12/i);
    expect(await received).toBeGreaterThan(0);
    expect(await received).toBeLessThan(16 * 1024 * 1024);
  });

  test('reaches a client that reads it late', async () => {
    const { promise: refused, resolve } = Promise.withResolvers<Socket>();
    const server = createServer((request, response) => {
      resolve(request.socket);
      refuseEarly(request, response, { status: 413, body: Buffer.from('{"code":"x"}') });
    });
    closers.push(() => server.close());
    await listen(server);
    const socket = await open((server.address() as AddressInfo).port, 500_000_000);
    const response = readResponse(socket);
    socket.pause();
    pour(socket);
    await untilUnread(await refused);
    socket.resume();
    expect(await response).toMatchObject({ status: 413, json: { code: 'x' } });
  });

  test('ends by timeout when the client neither sends nor leaves', async () => {
    const server = createServer((request, response) => {
      refuseEarly(request, response, { status: 401, body: Buffer.from('{}') }, { ms: 50 });
    });
    closers.push(() => server.close());
    await listen(server);
    const socket = await open((server.address() as AddressInfo).port, 1000);
    expect((await readResponse(socket)).status).toBe(401);
  });

  test('works as a Fastify reply', async () => {
    const app = Fastify();
    closers.push(() => app.close());
    app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
    app.post('/', (request, reply) => {
      const body = Buffer.from('{"code":"video_too_large"}');
      return reply
        .code(413)
        .headers({ connection: 'close', 'content-length': body.length, 'content-type': 'application/json' })
        .send(lingeringBody(request.raw, body));
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const response = await pourInto((app.server.address() as AddressInfo).port);
    expect(response).toMatchObject({ status: 413, json: { code: 'video_too_large' } });
  });
});

describe('100 Continue', () => {
  test('is sent at once for bodies other than forms', async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.end('ok'));
    });
    deferContinue(server);
    closers.push(() => server.close());
    await listen(server);
    const headers = 'Expect: 100-continue\r\n';
    const socket = await open((server.address() as AddressInfo).port, 2, { contentType: 'application/json', headers });
    const response = readResponse(socket);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.write('{}');
    expect((await response).raw).toMatch(/^HTTP\/1\.1 100 /);
  });
});
