import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { sendRaw } from '../../../sandbox/test/harness/raw-http.ts';
import { multipartBody } from '../../src/connectors/kit/multipart.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp } from '../../src/outbound/http-client.ts';
import { simulator } from '../conformance/example/simulator.ts';
import { startSimulator } from '../harness/simulator.ts';
import { FILLED } from './rules.ts';
import type { Seen, WireTable } from './table.ts';
import { watchWire } from './watch.ts';

const table: WireTable = {
  pictures: 'api /picture/:id',
  requests: [
    { method: 'GET', at: 'api', path: '/from' },
    { method: 'GET', at: 'api', path: '/on', goesOn: true },
    { method: 'GET', at: 'api', path: '/to' },
    {
      method: 'POST',
      at: 'api',
      path: '/form',
      body: { kind: 'multipart', required: { action: FILLED, file: { type: /^video\//, most: 6_000_000 } } },
    },
    { method: 'POST', at: 'api', path: '/bytes', body: { kind: 'bytes', most: 100 } },
  ],
};

/** A server that responds with `answer`. */
async function startWatched(answer: (request: http.IncomingMessage, response: http.ServerResponse) => void) {
  const server = http.createServer();
  const seen: Seen[] = [];
  const watch = watchWire(server, { table, places: { api: '' }, observe: (request) => void seen.push(request) });
  server.on('request', (request, response) => {
    watch.see(request, response);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, port, server, seen, findings: watch.findings, close };
}

const start = closedAfterTest(startWatched);
const AGENT = { 'user-agent': 'Reelay' };
const redirect = (_request: http.IncomingMessage, response: http.ServerResponse) => {
  response.setHeader('location', '/to');
  response.writeHead(307).end();
};

test('the wire watch detects clients that follow a redirect', async () => {
  const { url, findings } = await start(redirect);
  const { headers } = await sendRaw(`${url}/from`, { headers: AGENT });
  await sendRaw(`${url}/to`, { headers: AGENT });
  expect(findings()).toEqual([]);
  await sendRaw(url + headers.get('location'), { headers: AGENT });
  expect(findings()).toEqual(['GET api /to: a redirect was followed']);
});

test('a location for the next request is not a redirect', async () => {
  const { url, findings } = await start(redirect);
  const { headers } = await sendRaw(`${url}/on`, { headers: AGENT });
  expect(headers.get('location')).toBe('/to');
  await sendRaw(url + headers.get('location'), { headers: AGENT });
  expect(findings()).toEqual([]);
});

test('a video in a form is streamed to both readers', async () => {
  let read = 0;
  const { url, findings, seen } = await start((request, response) => {
    request.on('data', (chunk: Buffer) => {
      read += chunk.length;
    });
    request.on('end', () => response.writeHead(204).end());
  });
  const client = createHttp({ guard: createAddressGuard([], [url]) });
  const send = (length: number) =>
    client.request({
      method: 'POST',
      url: `${url}/form`,
      body: multipartBody([
        { name: 'action', value: 'ADD' },
        {
          name: 'file',
          filename: 'a.mp4',
          type: 'video/mp4',
          length,
          open: async () => Readable.from([Buffer.alloc(length)]),
        },
      ]),
    });
  await send(5_000_000);
  expect(findings()).toEqual([]);
  expect(seen[0]?.body?.form?.parts.map(({ name, bytes }) => [name, bytes])).toEqual([
    ['action', 3],
    ['file', 5_000_000],
  ]);
  expect(read).toBe(seen[0]?.body?.bytes);
  await send(6_000_001);
  expect(findings()).toEqual(['POST api /form: the part file has 6000001 bytes']);
  client.close();
});

test('the wire watch checks heads of unread bodies', async () => {
  const { url, findings, seen } = await start((_request, response) => void response.writeHead(401).end());
  await sendRaw(`${url}/bytes`, { method: 'POST', headers: AGENT, body: Buffer.alloc(1_000_000) }).catch(() => null);
  await sendRaw(`${url}/to`, { headers: { ...AGENT, cookie: 'a=b' } });
  expect(findings()).toEqual(['GET api /to: the header cookie is sent']);
  expect(seen.map(({ method }) => method)).toEqual(['GET']);
});

test('the wire watch checks heads of aborted requests', async () => {
  const { port, server, findings } = await start(() => {});
  const cut = async (head: string) => {
    const socket = net.connect(port, '127.0.0.1');
    const arrived = once(server, 'request') as Promise<[http.IncomingMessage]>;
    socket.write(`POST /bytes HTTP/1.1\r\nHost: a\r\n${head}Content-Length: 50\r\n\r\nabc`);
    const [request] = await arrived;
    const gone = new Promise((resolve) => request.once('close', resolve));
    socket.destroy();
    await gone;
  };
  await cut('User-Agent: Reelay\r\n');
  expect(findings()).toEqual([]);
  await cut('');
  expect(findings()).toEqual(['POST api /bytes: the header user-agent is missing']);
});

test("the wire watch detects bytes after a body's end", async () => {
  const { port, server, findings } = await start((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  });
  const socket = net.connect(port, '127.0.0.1');
  const refused = once(server, 'clientError');
  socket.write('POST /bytes HTTP/1.1\r\nHost: a\r\nUser-Agent: Reelay\r\nContent-Length: 3\r\n\r\nabc\x00more');
  await refused;
  socket.destroy();
  expect(findings().join()).toMatch(/^something that is no request was sent: HPE_/);
});

test('the wire watch ignores browsers and picture downloads', async () => {
  const { url, findings } = await start((_request, response) => void response.writeHead(204).end());
  await fetch(`${url}/anything`);
  await sendRaw(`${url}/picture/1`);
  expect(findings()).toEqual([]);
});

test('no connector calls fetch itself', () => {
  const connectors = new URL('../../src/connectors/', import.meta.url);
  const files = readdirSync(connectors, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((name) => name.endsWith('.ts'));
  expect(sources.length).toBeGreaterThan(100);
  const found = sources.filter((name) => /(?<![\w.])fetch\(/.test(readFileSync(new URL(name, connectors), 'utf8')));
  expect(found).toEqual([]);
});

test('closing reports forbidden requests without secrets', async () => {
  const running = await startSimulator(simulator, { wire: true });
  const headers = { ...AGENT, authorization: 'Bearer token-of-nora' };
  await sendRaw(`${running.url}/me`, { headers });
  expect(running.findings()).toEqual([]);
  await sendRaw(`${running.url}/me?token=token-of-nora`, { headers });
  await expect(running.close()).rejects.toThrow(
    'What example forbids was sent:\nGET api /me: a secret stands in the query',
  );
  expect(running.findings().join()).not.toContain('token-of-nora');
});
