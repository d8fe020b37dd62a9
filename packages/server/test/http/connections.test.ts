import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { closeOnSlowBody, limitConnections } from '../../src/http/connections.ts';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step();
});

async function listening(server: Server): Promise<() => Promise<Socket>> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(
    () => void server.close(),
    () => server.closeAllConnections(),
  );
  return async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    undo.push(() => socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
}

const ASK = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
const answered = async (socket: Socket) => {
  socket.write(ASK);
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
};

test("connections over an address's limit are closed", async () => {
  const server = createServer((_request, response) => response.end('ok'));
  limitConnections(server, { max: 2, exempt: () => false });
  const open = await listening(server);
  const first = await open();
  expect(await answered(first)).toBe(true);
  expect(await answered(await open())).toBe(true);
  expect(await answered(await open())).toBe(false);
  const ended = once(first, 'close');
  first.end();
  await ended;
  expect(await answered(await open())).toBe(true);
});

test('connections of proxies are not limited', async () => {
  const server = createServer((_request, response) => response.end('ok'));
  limitConnections(server, { max: 1, exempt: (address) => address.endsWith('127.0.0.1') });
  const open = await listening(server);
  for (let count = 0; count < 4; count++) expect(await answered(await open())).toBe(true);
});

test.each([
  ['a trickling body ends with its connection', 10, true],
  ['a body that comes fast enough goes on', 400_000, false],
])('%s', async (_title, bytes, closes) => {
  const ticks: (() => void)[] = [];
  let seen = 0;
  const server = createServer((request, response) => {
    request.on('data', (part: Buffer) => {
      seen += part.length;
    });
    request.on('error', () => {});
    closeOnSlowBody(request, response, (_ms, tick) => {
      ticks.push(tick);
      return () => {};
    });
  });
  const socket = await (await listening(server))();
  const closed = once(socket, 'close').then(() => 'closed');
  const receive = async (upTo: number) => {
    while (seen < upTo) await new Promise<void>((resolve) => setImmediate(resolve));
  };
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9000000\r\n\r\nfirst');
  await receive(5);
  const [tick] = ticks;
  tick?.();
  socket.write(Buffer.alloc(bytes));
  await receive(5 + bytes);
  tick?.();
  socket.write('more');
  expect(await Promise.race([closed, receive(9 + bytes).then(() => 'open')])).toBe(closes ? 'closed' : 'open');
});
