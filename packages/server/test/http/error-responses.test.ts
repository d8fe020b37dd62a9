import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sendRaw } from '../../../sandbox/test/harness/raw-http.ts';
import { startService, type TestService, type TestUser } from '../harness/service.ts';

let service: TestService;
let user: TestUser;
beforeAll(async () => {
  service = await startService();
  user = await service.newUser();
});
afterAll(() => service.close());

test('unknown paths get 404, other methods 405 with Allow', async () => {
  expect(await user.get('/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await user.get('/reposts/')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'] as const) {
    if (method === 'TRACE') continue;
    const { status, body, headers } = await user.call(method, '/reposts');
    expect(status).toBe(405);
    expect(body.code).toBe('method_not_allowed');
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  }
  expect((await user.get('/user/api-key/generate')).headers.get('allow')).toBe('OPTIONS, POST');
});

test('a browser gets a page for an unknown address', async () => {
  const ask = (path: string, headers: Record<string, string>) => fetch(service.url + path, { headers });
  const page = await ask('/nope', { accept: 'text/html,*/*', 'accept-language': 'de' });
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  const text = await page.text();
  expect(text).toContain('<h1>Seite nicht gefunden</h1><p>Vielleicht ist der Link unvollständig, ');
  expect(text).toContain('<a href="/app/">');
  for (const [path, accept] of [
    ['/nope', 'application/json'],
    ['/api/v1/nope', 'text/html'],
    ['/api/auth/nope', 'text/html'],
  ] as const) {
    const response = await ask(path, { accept });
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }]);
  }
});

test.each([
  ['PATCH', '/post/history', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/post/history', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/post/cancelSchedule', 'GET, OPTIONS'],
  ['HEAD', '/post/cancelSchedule', 'GET, OPTIONS'],
  ['GET', '/post/check', 'OPTIONS, POST'],
  ['DELETE', '/accounts/attempts', 'GET, HEAD, OPTIONS'],
  ['PATCH', '/repost/add', 'OPTIONS, POST'],
] as const)('%s %s is not taken for an id', async (method, path, allow) => {
  for (const client of [user, service.client]) {
    const { status, headers } = await client.call(method, path);
    expect([status, headers.get('allow')]).toEqual([405, allow]);
  }
});

test('HEAD has no body; OPTIONS lists methods without CORS', async () => {
  const head = await user.call('HEAD', '/reposts');
  expect(head).toMatchObject({ status: 200, body: '' });
  const options = await service.client.call('OPTIONS', '/user/api-key/generate', {
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
  });
  expect(options.status).toBe(204);
  expect(options.headers.get('allow')).toBe('OPTIONS, POST');
  expect([...options.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('every response has its own request id, which is logged', async () => {
  const responses = [await user.get('/reposts'), await user.get('/nothing'), await service.client.get('/reposts')];
  const ids = responses.map(({ headers }) => headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(service.logged.some((line) => line.requestId === id)).toBe(true);
});

test('a client cannot choose the request id', async () => {
  const { headers } = await user.call('GET', '/reposts', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } });
  expect(headers.get('x-request-id')).not.toBe('mine');
});

test('an internal error shows only a reference', async () => {
  const cause = new Error('relation "hidden" does not exist');
  const broken = vi.spyOn(service.context.db, 'query').mockRejectedValue(cause);
  const { status, headers, body } = await user.get('/reposts').finally(() => broken.mockRestore());
  expect([status, headers.get('x-request-id')]).toEqual([500, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  expect(body).toEqual({ success: false, code: 'internal_error', message: expect.not.stringContaining('hidden') });
  expect(service.logged).toContainEqual(
    expect.objectContaining({
      requestId: headers.get('x-request-id'),
      err: expect.objectContaining({ message: cause.message }),
    }),
  );
});

test.each(['/setup.bat', ';/setup.bat', ';setup.bat', '%3bsetup.bat', '.bat', '/%2e%2e/setup.bat', '%00.bat'])(
  'no response can be saved under the name in %s',
  async (name) => {
    for (const path of ['/api/v1/reposts', '/api/v1/post/history', '/api/auth/get-session', '/media/none', '/v/none']) {
      const asked = { headers: { authorization: `Bearer ${user.key}` } };
      const { status, headers } = await sendRaw(`${service.url}${path}${name}?callback=calc`, asked);
      expect([path, status]).toEqual([path, expect.toSatisfy((each) => each === 404 || each === 400)]);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': expect.stringMatching(/^(?:application\/json|text\/html); charset=utf-8$/),
        'x-content-type-options': 'nosniff',
      });
      expect(headers.get('content-disposition')).toBeNull();
    }
  },
);

test('responses are not cached; keys and queries are not logged', async () => {
  const personal = [
    '/reposts?secret=hush',
    '/user',
    '/accounts',
    '/post/history',
    '//api/auth/get-session',
    '/nothing',
  ];
  for (const path of personal)
    expect([path, (await user.call('GET', path)).headers.get('cache-control')]).toEqual([path, 'no-store']);
  const log = JSON.stringify(service.logged);
  expect(log).not.toContain('hush');
  expect(log).not.toContain(user.key);
});

test('responses declare their charset and name no software', async () => {
  for (const path of ['/user', '/media/none.jpg', '//', '//health/live', '//none', '//api/auth/get-session']) {
    const { headers } = await user.call('GET', path);
    const type = headers.get('content-type') ?? '';
    if (type !== '') expect([path, type]).toEqual([path, expect.stringMatching(/^[\w/]+; charset=utf-8$/)]);
    expect([path, headers.get('server'), headers.get('x-powered-by')]).toEqual([path, null, null]);
  }
});

test('other sites may not embed any response', async () => {
  for (const path of [
    '/user',
    '/reposts',
    '/media/none.jpg',
    '//',
    '//app/',
    '//docs',
    '//v/none',
    '//sandbox',
    '//none',
  ]) {
    const { headers } = await user.call('GET', path);
    expect([path, headers.get('cross-origin-resource-policy')]).toEqual([path, 'same-origin']);
  }
});

test('a malformed path is rejected', async () => {
  for (const path of ['/media/%ff', '/media/%', '/%c0%80'])
    expect(await raw(`GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.key}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 40[04] /,
    );
  expect((await user.get('/media/%00')).body.code).toBe('invalid_request');
});

test('invalid HTTP gets the usual error format', async () => {
  const response = await raw('HELLO\r\n\r\n');
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(response).toMatch(/x-request-id: [0-9a-f-]{36}/i);
  expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toMatchObject({ success: false, code: 'invalid_request' });
  expect(await raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
});

/** Sends raw bytes and returns the response once the server is quiet or closes. */
function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    let response = '';
    const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname, () => socket.write(text));
    socket.on('data', (bytes) => {
      response += bytes;
      const [head = '', body] = response.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (body !== undefined && Buffer.byteLength(body) >= length) socket.destroy();
    });
    socket.on('close', () => resolve(response));
    socket.on('error', reject);
  });
}
