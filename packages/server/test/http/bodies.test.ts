import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService, type TestUser } from '../harness/service.ts';

let service: TestService;
let user: TestUser;
beforeAll(async () => {
  service = await startService();
  user = await service.newUser();
});
afterAll(() => service.close());

const send = (body: string | Buffer, type = 'application/json') =>
  user.call('POST', '/repost/delete', { body: new Uint8Array(Buffer.from(body)), headers: { 'content-type': type } });

test('an unknown property is rejected by name', async () => {
  for (const name of ['ids', '__proto__', 'constructor', 'toString', '']) {
    const { status, body } = await send(`{"id": "x", ${JSON.stringify(name)}: {"isPaused": true}}`);
    expect(status).toBe(400);
    expect(body.code).toBe('unknown_field');
    expect(body.message).toContain(`"${name}"`);
  }
});

test('a missing or invalid property is rejected by name', async () => {
  for (const json of ['{}', '{"id": 5}', '{"id": null}', '{"id": ["x"]}', '{"id": {}}']) {
    const { status, body } = await send(json);
    expect(status).toBe(400);
    expect(body.code).toBe('invalid_request');
    expect(body.message).toContain('"id"');
  }
  const { body } = await user.post('/repost/add', { from: 'x', to: ['y', 5] });
  expect(body).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('"to.1"') });
});

test('an empty id counts as missing', async () => {
  const responses = [
    await user.call('GET', '/post/cancelSchedule?id='),
    await user.post('/repost/delete', { id: '' }),
    await user.post('/repost/pause', { id: '', isPaused: true }),
    await user.post('/repost/add', { from: '', to: ['x'] }),
    await user.post('/repost/add', { from: 'x', to: [''] }),
  ];
  for (const { status, body } of responses) expect([status, body.code]).toEqual([400, 'invalid_request']);
});

test('bodies that are no JSON objects are rejected', async () => {
  for (const text of ['', '{', 'null', '[]', '"x"', '5', '{"id": "x"} {}', "{'id': 'x'}", 'NaN'])
    expect(await send(text)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

test('U+0000 and invalid UTF-8 are rejected anywhere', async () => {
  for (const text of ['{"id": "a\\u0000b"}', '{"id": "x", "a\\u0000": 1}', '{"id": "a\u0000b"}'])
    expect(await send(text)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  for (const bytes of ['ff', 'c080', 'eda080', 'f4908080', 'c3'])
    expect(
      await send(Buffer.concat([Buffer.from('{"id": "'), Buffer.from(bytes, 'hex'), Buffer.from('"}')])),
    ).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

test('100,000 nested brackets are rejected', async () => {
  const deep = 100_000;
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const { status } = await send(`{"id": ${open.repeat(deep)}1${close.repeat(deep)}}`);
    expect(status).toBe(400);
  }
  expect((await user.get('/reposts')).status).toBe(200);
});

test('JSON over 1 MiB is rejected, announced or not', async () => {
  const big = `{"id": "${'x'.repeat(10 * 1024 * 1024)}"}`;
  expect(await send(big)).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  expect(await sendChunked(big)).toBe(413);
  const justFits = `{"id": "${'x'.repeat(1024 * 1024 - 20)}"}`;
  expect((await send(justFits)).status).toBe(404);
});

test('other media types are rejected', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'nonsense'])
    expect(await send('{"id": "x"}', type)).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  expect((await send('{"id": "x"}', 'application/json; charset=utf-8')).status).toBe(404);
});

test('the body of an unauthenticated request is not parsed', async () => {
  const { status } = await service.client.call('POST', '/repost/delete', {
    body: new Uint8Array(Buffer.from('{not json')),
    headers: { 'content-type': 'application/json' },
  });
  expect(status).toBe(401);
});

test('an error response does not wait for the body', async () => {
  const { hostname, port } = new URL(service.url);
  const head = (authorization: string, length: number) =>
    `POST /api/v1/repost/delete HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nAuthorization: ${authorization}\r\nContent-Length: ${length}\r\n\r\n`;
  expect(await firstBytes(Number(port), head('Bearer nothing', 500_000_000))).toMatch(/^HTTP\/1\.1 401 /);
  const tooLong = await firstBytes(Number(port), head(`Bearer ${user.key}`, 500_000_000));
  expect(tooLong).toMatch(/^HTTP\/1\.1 413 /);
  expect(tooLong).toMatch(/connection: close/i);
});

test('a slow body does not delay the response', async () => {
  const hurried = await startService({ overrides: { bodyWithinMs: 1_000 } });
  try {
    const { key } = await hurried.newUser();
    const head = `POST /api/v1/repost/delete HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${key}\r\nContent-Length: 50\r\n\r\n{"id"`;
    const response = await firstBytes(Number(new URL(hurried.url).port), head);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toMatch(/connection: close/i);
    expect(
      (await hurried.clientWith({ authorization: `Bearer ${key}` }).post('/repost/delete', { id: 'x' })).status,
    ).toBe(404);
  } finally {
    await hurried.close();
  }
});

test('operations without a body accept none, empty or {}', async () => {
  const call = (options: Parameters<TestUser['call']>[2]) => user.call('POST', '/user/api-key/revoke', options);
  expect(await call({ json: { force: true } })).toMatchObject({ status: 400, body: { code: 'unknown_field' } });
  expect(await call({ json: [] })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  // A form, as sent by curl -d ''.
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const session = await service.newSession();
  await session.post('/user/api-key/generate');
  for (const options of [{}, { json: {} }, { body: '', headers: form }])
    expect((await session.call('POST', '/user/api-key/revoke', options)).status).toBe(200);
});

test('a repeated query parameter is rejected', async () => {
  const { status, body } = await user.call('GET', '/post/history?page=1&page=2');
  expect([status, body.code, body.message]).toEqual([400, 'invalid_request', expect.stringContaining('"page"')]);
});

test('unknown query parameters are ignored, even malformed ones', async () => {
  const { status } = await user.call('GET', '/reposts?limit=5&limit=6&%ff=%00&__proto__=x&page');
  expect(status).toBe(200);
});

function sendChunked(body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${service.url}/api/v1/repost/delete`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.key}`, 'content-type': 'application/json' },
    });
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.end(body);
  });
}

function firstBytes(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.once('data', (bytes) => {
      resolve(bytes.toString());
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

test('an unsupported Expect is refused as JSON', async () => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.write('POST /api/v1/post HTTP/1.1\r\nHost: x\r\nExpect: 200-maybe\r\nContent-Length: 5\r\n\r\n');
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const [head = '', text = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 417 .*x-request-id/is);
  expect(JSON.parse(text)).toEqual({
    success: false,
    code: 'invalid_request',
    message: 'The header Expect supports only "100-continue".',
  });
});
