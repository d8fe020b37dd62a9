import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { readStream, type StreamEnd, type StreamOptions } from '../../src/outbound/stream-client.ts';
import { type Connection, listen } from './http-servers.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Reading {
  end: Promise<StreamEnd>;
  opened: Promise<void>;
  messages: string[];
  send(text: string): void;
  stop(): void;
}

function read(url: string, options: Partial<StreamOptions> = {}): Reading {
  const over = new AbortController();
  closing.push(() => over.abort());
  const messages: string[] = [];
  const opened = Promise.withResolvers<void>();
  let send = (_text: string) => {};
  const end = readStream({
    url,
    guard: createAddressGuard(['127.0.0.1'], []),
    userAgent: 'Reelay',
    signal: over.signal,
    onOpen(sendText) {
      send = sendText;
      opened.resolve();
    },
    onMessage: ({ data }) => messages.push(data),
    ...options,
  });
  return { end, opened: opened.promise, messages, send: (text) => send(text), stop: () => over.abort() };
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n';

/** A server whose responses the test writes. */
async function rawServer(serve: (connection: Connection) => void): Promise<string> {
  const server = await listen((connection) => {
    void connection.until((received) => received.includes('\r\n\r\n')).then(() => serve(connection));
  });
  closing.push(() => server.close());
  return `${server.origin}/stream`;
}

async function socketServer(serve: (socket: WebSocket, request: http.IncomingMessage) => void): Promise<string> {
  const server = http.createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const client of sockets.clients) client.terminate();
    server.close();
    server.closeAllConnections();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/subscribe`;
}

describe('stream of events', () => {
  test('is read until the server ends it', async () => {
    const url = await rawServer(({ socket }) => socket.end(`${HEAD}data: one\n\n:thump\ndata: two\n\ndata: lost`));
    const { end, messages } = read(url);
    expect(await end).toEqual({ reason: 'ended', status: null });
    expect(messages).toEqual(['one', 'two']);
  });

  test('is closed when the caller stops', async () => {
    const gone = Promise.withResolvers<void>();
    const url = await rawServer(({ socket, over }) => {
      socket.write(`${HEAD}data: one\n\n`);
      void over.then(gone.resolve);
    });
    const { end, opened, stop } = read(url);
    await opened;
    stop();
    expect(await end).toEqual({ reason: 'cut', status: null });
    await gone.promise;
  });

  test.each([
    ['an error', 'HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n', { reason: 'status', status: 503 }],
    ['a redirect', 'HTTP/1.1 302 No\r\nlocation: http://127.0.0.1:1/\r\n\r\n', { reason: 'status', status: 302 }],
    ['a page', 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n', { reason: 'type', status: 200 }],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n', { reason: 'garbage', status: null }],
  ])('ends at %s', async (_case, response, expected) => {
    const { end, messages } = read(await rawServer(({ socket }) => socket.end(response)));
    expect(await end).toEqual(expected);
    expect(messages).toEqual([]);
  });

  test('ends at a reset', async () => {
    const url = await rawServer(({ socket }) => {
      socket.write(HEAD);
      socket.resetAndDestroy();
    });
    expect(['reset', 'ended']).toContain((await read(url).end).reason);
  });

  test('ends at an event that is too large', async () => {
    const url = await rawServer(({ socket }) => {
      socket.write(HEAD);
      const more = () => {
        while (!socket.destroyed && socket.write('data: '.padEnd(65_536, 'x')));
      };
      socket.on('drain', more);
      more();
    });
    expect(await read(url).end).toEqual({ reason: 'too_large', status: null });
  });

  test('ends when nothing is sent', async () => {
    const url = await rawServer(({ socket }) => socket.write(`${HEAD}data: one\n\n`));
    expect(await read(url, { silenceMs: 50 }).end).toEqual({ reason: 'silent', status: null });
  });

  test('ends when a line never ends', async () => {
    let timer: NodeJS.Timeout | undefined;
    closing.push(() => clearInterval(timer));
    const url = await rawServer(({ socket }) => {
      socket.write(HEAD);
      timer = setInterval(() => socket.write('x'), 5);
    });
    expect(await read(url, { silenceMs: 100 }).end).toEqual({ reason: 'silent', status: null });
  });

  test('ends when there is no response', async () => {
    const url = await rawServer(() => {});
    expect(await read(url, { connectMs: 50 }).end).toEqual({ reason: 'timeout', status: null });
  });

  test('ends when its reader fails', async () => {
    const url = await rawServer(({ socket }) => socket.write(`${HEAD}data: one\n\n`));
    const onMessage = () => {
      throw new Error('A bug.');
    };
    expect(await read(url, { onMessage }).end).toEqual({ reason: 'failed', status: null });
  });
});

describe('stream of lines', () => {
  const LINES = 'HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\n\r\n';

  test('has a message in each line that is not empty', async () => {
    let asked = '';
    const url = await rawServer(({ socket, received }) => {
      asked = received();
      socket.end(`${LINES}\r\n{"a":1}\r\n\r\n \r\n{"b":\n"é"}\r\n{"lost":1}`);
    });
    const { end, messages } = read(url, { format: 'lines' });
    expect(await end).toEqual({ reason: 'ended', status: null });
    expect(messages).toEqual(['{"a":1}', '{"b":', '"é"}']);
    expect(asked).toMatch(/^accept: application\/json\r$/im);
  });

  test('lives by its empty lines', async () => {
    let timer: NodeJS.Timeout | undefined;
    closing.push(() => clearInterval(timer));
    // Longer than the silence in total. A busy machine may delay each by a multiple of the pause.
    let left = 100;
    const url = await rawServer(({ socket }) => {
      socket.write(LINES);
      timer = setInterval(() => (left-- > 0 ? socket.write('\r\n') : socket.end()), 25);
    });
    expect(await read(url, { format: 'lines', silenceMs: 2_000 }).end).toEqual({ reason: 'ended', status: null });
  });

  test('ends when nothing is sent', async () => {
    const url = await rawServer(({ socket }) => socket.write(`${LINES}\r\n`));
    expect(await read(url, { format: 'lines', silenceMs: 50 }).end).toEqual({ reason: 'silent', status: null });
  });

  test('needs JSON', async () => {
    const url = await rawServer(({ socket }) => socket.end(`${HEAD}data: one\n\n`));
    expect(await read(url, { format: 'lines' }).end).toEqual({ reason: 'type', status: 200 });
  });
});

describe('refusal', () => {
  const HEAD_429 = 'HTTP/1.1 429 No\r\nx-rate-limit-reset: 7\r\n';
  const refusedBy = async (response: string, more: Partial<StreamOptions> = {}) => {
    const url = await rawServer(({ socket }) => socket.write(response));
    const refusals: [number, string | undefined, string][] = [];
    const onRefused: StreamOptions['onRefused'] = ({ status, headers, text }) =>
      refusals.push([status, headers['x-rate-limit-reset'], text.slice(0, 20)]);
    return [await read(url, { onRefused, ...more }).end, refusals];
  };

  test('is read with its body', async () => {
    expect(await refusedBy(`${HEAD_429}content-length: 10\r\n\r\n{"a":"é"}`)).toEqual([
      { reason: 'status', status: 429 },
      [[429, '7', '{"a":"é"}']],
    ]);
  });

  test('is cut off when its body is too large', async () => {
    const [end, refusals] = await refusedBy(`${HEAD_429}\r\n${'x'.repeat(100_000)}`);
    expect([end, refusals]).toEqual([{ reason: 'status', status: 429 }, [[429, '7', 'x'.repeat(20)]]]);
  });

  test('ends the stream when its reader fails', async () => {
    const onRefused = () => {
      throw new Error('A bug.');
    };
    expect(await refusedBy(`${HEAD_429}content-length: 0\r\n\r\n`, { onRefused })).toEqual([
      { reason: 'failed', status: null },
      [],
    ]);
  });
});

describe('WebSocket', () => {
  test('messages are sent and read', async () => {
    const url = await socketServer((socket) => socket.on('message', (data) => socket.send(`you said ${data}`)));
    const { opened, messages, send, stop, end } = read(url);
    await opened;
    send('hello');
    await expect.poll(() => messages).toEqual(['you said hello']);
    stop();
    send('too late');
    expect(await end).toEqual({ reason: 'cut', status: null });
  });

  test('binary messages are ignored', async () => {
    const url = await socketServer((socket) => {
      socket.send(Buffer.from([0, 255]));
      socket.send('text');
      socket.close();
    });
    const { messages, end } = read(url);
    expect(await end).toEqual({ reason: 'ended', status: null });
    expect(messages).toEqual(['text']);
  });

  test('a message that is too large ends the stream', async () => {
    const url = await socketServer((socket) => socket.send('x'.repeat(2_000_000)));
    const { messages, end } = read(url);
    expect(await end).toEqual({ reason: 'too_large', status: null });
    expect(messages).toEqual([]);
  });

  test('a message in endless fragments ends the stream', async () => {
    const url = await socketServer((socket) => {
      const more = () => {
        if (socket.readyState === socket.OPEN) socket.send('x'.repeat(65_536), { fin: false }, more);
      };
      more();
    });
    expect(await read(url).end).toEqual({ reason: 'too_large', status: null });
  });

  test('a silent server is left when pings have no reply', async () => {
    const url = await socketServer((socket) => socket.pause());
    expect(await read(url, { silenceMs: 60 }).end).toEqual({ reason: 'silent', status: null });
  });

  test('a quiet server that replies to pings is kept', async () => {
    let pings = 0;
    const url = await socketServer((socket) => {
      socket.on('ping', () => {
        pings++;
        if (pings === 8) socket.send('late');
      });
    });
    const { messages } = read(url, { silenceMs: 300 });
    await expect.poll(() => messages).toEqual(['late']);
  });

  test.each([
    ['an error', 'HTTP/1.1 429 No\r\ncontent-length: 0\r\n\r\n', { reason: 'status', status: 429 }],
    ['a redirect', 'HTTP/1.1 301 No\r\nlocation: ws://127.0.0.1:1/\r\n\r\n', { reason: 'status', status: 301 }],
  ])('ends at %s', async (_case, response, expected) => {
    const url = await rawServer(({ socket }) => socket.end(response));
    expect(await read(url.replace('http', 'ws')).end).toEqual(expected);
  });

  test('invalid frames end the stream', async () => {
    const { createHash } = await import('node:crypto');
    const url = await rawServer(({ socket, received }) => {
      const key = /sec-websocket-key: (\S+)/i.exec(received())?.[1];
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
      );
      socket.write(Buffer.alloc(64, 0xff));
    });
    expect(await read(url.replace('http', 'ws')).end).toEqual({ reason: 'garbage', status: null });
  });

  test('ends when there is no response', async () => {
    const url = await rawServer(() => {});
    const { end } = read(url.replace('http', 'ws'), { connectMs: 50 });
    expect(await end).toEqual({ reason: 'timeout', status: null });
  });
});

describe('guarded stream', () => {
  test.each([
    ['http://127.0.0.1:1/', 'not_https'],
    ['https://127.0.0.1:1/', 'private_address'],
    ['https://[::1]:1/', 'private_address'],
    ['wss://10.0.0.1/', 'private_address'],
    ['ws://example.org/', 'not_https'],
    ['https://localhost:4443/', 'private_address'],
    ['wss://localhost:4443/', 'private_address'],
    ['ftp://example.org/', 'address'],
    ['nonsense', 'address'],
  ])('%s is refused: %s', async (url, reason) => {
    expect(await read(url, { guard: createAddressGuard([], []) }).end).toEqual({ reason, status: null });
  });
});
