import http, { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Simulator, SimulatorModule, SimulatorOptions } from '../src/contract.ts';
import { sendRaw as send } from './harness/raw-http.ts';
import { type RunningSimulator, type SimulatorOverrides, startSimulator } from './harness/simulator.ts';

let running: RunningSimulator[] = [];
afterEach(async () => {
  await Promise.all(running.map((one) => one.close()));
  running = [];
  vi.restoreAllMocks();
});

/** A platform that counts what it did. */
function counting(): { module: SimulatorModule; acts: string[] } {
  const acts: string[] = [];
  const create = (options: SimulatorOptions): Simulator => ({
    platform: 'counting',
    routes: [
      {
        method: 'POST',
        path: '/act',
        async handle(request) {
          acts.push(await request.text());
          return { status: 201, headers: { 'x-kind': 'true' }, body: { acted: acts.length } };
        },
      },
      { method: 'GET', path: '/one/:name/', handle: async ({ params }) => ({ status: 200, body: { ...params } }) },
      { method: 'GET', path: '/rest/*', handle: async ({ params }) => ({ status: 200, body: { ...params } }) },
      { method: 'GET', path: '/query', handle: async ({ query }) => ({ status: 200, body: query.getAll('a') }) },
      { method: 'POST', path: '/json', handle: async (r) => ({ status: 200, body: [typeof (await r.json())] }) },
      { method: 'POST', path: '/form', handle: async (r) => ({ status: 200, body: [...(await r.form())] }) },
      { method: 'GET', path: '/raw', handle: async () => ({ status: 200, body: 'plain' }) },
      { method: 'GET', path: '/empty', handle: async () => ({ status: 204 }) },
      { method: 'GET', path: '/stream', handle: async () => ({ status: 200, body: Readable.from(['a', 'b']) }) },
      { method: 'PUT', path: '/unread', handle: async () => ({ status: 403, body: { read: false } }) },
      { method: 'GET', path: '/throws', handle: () => Promise.reject(new Error('broken route')) },
      {
        method: 'PUT',
        path: '/blob/:key',
        handle: async ({ params, body }) => ({
          status: 200,
          body: { ...(await options.blobs.put(params.key ?? '', body)) },
        }),
      },
      { method: 'POST', path: '/lost', handle: async () => ({ status: 200, body: {}, trouble: 'lost-answer' }) },
      { method: 'GET', path: '/late', handle: async () => ({ status: 200, body: 'late', trouble: 'slow' }) },
    ],
    refusal: (kind) => ({ status: 429, body: { kind } }),
    unknownRoute: ({ method, path }) => ({ status: 404, body: { unknown: `${method} ${path}` } }),
    enrol: async (username) => ({ remoteId: '1', username, tokenAnswer: null, credentials: null }),
  });
  return { module: { platform: 'counting', create, endpoints: (base) => ({ api: base }) }, acts };
}

async function start(overrides: SimulatorOverrides = {}) {
  const { module, acts } = counting();
  const simulator = await startSimulator(module, overrides);
  running.push(simulator);
  return { ...simulator, acts };
}

const post = (url: string, body = 'x') => send(`${url}/act`, { method: 'POST', body });

describe('routes', () => {
  test('path parameters are decoded below any prefix', async () => {
    for (const prefix of ['', '/a/b']) {
      const { url } = await start({ prefix });
      expect(JSON.parse((await send(`${url}/one/x%2Fy/`)).text)).toEqual({ name: 'x/y' });
      expect(JSON.parse((await send(`${url}/rest/a/b%20c/`)).text)).toEqual({ '*': 'a/b c/' });
      expect(JSON.parse((await send(`${url}/query?a=1&a=%2B`)).text)).toEqual(['1', '+']);
    }
  });

  test('unknown paths and methods are rejected', async () => {
    const { url } = await start({ prefix: '/here' });
    expect(JSON.parse((await send(`${url}/one/x`)).text)).toEqual({ unknown: 'GET /one/x' });
    expect(JSON.parse((await send(`${url}/act`)).text)).toEqual({ unknown: 'GET /act' });
    expect((await send(`${url}side/raw`)).status).toBe(404);
    expect((await send(url.replace('/here', '/raw'))).status).toBe(404);
  });

  test('sends JSON, text, streams and empty bodies', async () => {
    const { url } = await start();
    expect((await send(`${url}/query`)).headers.get('content-type')).toBe('application/json; charset=utf-8');
    const plain = await send(`${url}/raw`);
    expect([plain.text, plain.headers.get('content-length')]).toEqual(['plain', '5']);
    expect((await send(`${url}/stream`)).text).toBe('ab');
    expect(await send(`${url}/empty`)).toMatchObject({ status: 204, text: '' });
    expect(await send(`${url}/raw`, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  });

  test('parses JSON and forms by content type', async () => {
    const { url } = await start();
    const json = (body: string) => send(`${url}/json`, { method: 'POST', body });
    expect((await json('{"a":1}')).text).toBe('["object"]');
    expect((await json('{"a"')).text).toBe('["undefined"]');
    expect((await json('')).text).toBe('["undefined"]');
    const form = (type: string) =>
      send(`${url}/form`, { method: 'POST', body: 'a=1&b=%20', headers: { 'content-type': type } });
    expect((await form('application/x-www-form-urlencoded; charset=utf-8')).text).toBe('[["a","1"],["b"," "]]');
    expect((await form('application/json')).text).toBe('[]');
  });

  test('a text above 1 MiB is refused', async () => {
    const { url, acts } = await start();
    expect((await post(url, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await post(url, 'x'.repeat(1024 * 1024))).status).toBe(201);
    expect(acts).toHaveLength(1);
  });

  test('a route may answer without reading the body', async () => {
    const { url } = await start();
    expect((await send(`${url}/unread`, { method: 'PUT', body: 'x'.repeat(5_000_000) })).status).toBe(403);
  });

  test('a throw is a 500 and is reported', async () => {
    const { url, errors } = await start();
    expect((await send(`${url}/throws`)).status).toBe(500);
    expect(errors).toMatchObject([{ message: 'broken route' }]);
  });

  test('the Date header follows the simulator clock', async () => {
    const { url } = await start({ now: () => Date.UTC(2030, 0, 2, 3, 4, 5) });
    expect((await send(`${url}/raw`)).headers.get('date')).toBe('Wed, 02 Jan 2030 03:04:05 GMT');
  });

  test('trouble in a response cuts the connection or delays it', async () => {
    const { url } = await start({ slowMs: 1 });
    await expect(send(`${url}/lost`, { method: 'POST' })).rejects.toThrow();
    expect((await send(`${url}/late`)).text).toBe('late');
  });

  test('an aborted body leaves no blob and no error', async () => {
    const { url, blobs, errors, requests } = await start();
    const outgoing = http.request(`${url}/blob/k`, { method: 'PUT', agent: false, headers: { 'content-length': 100 } });
    outgoing.on('error', () => {});
    outgoing.write('half');
    await expect.poll(() => requests.length).toBe(1);
    outgoing.destroy();
    await expect(send(`${url}/raw`)).resolves.toMatchObject({ status: 200 });
    await expect(blobs.get('k')).rejects.toThrow();
    expect(errors).toEqual([]);
    expect(requests[0]?.status).toBeNull();
  });
});

describe('faults', () => {
  test('reset-before: the connection is cut and nothing was done', async () => {
    const { url, faults, acts, requests } = await start();
    faults.add({ when: ({ method }) => method === 'POST', times: 1, fault: { kind: 'reset-before' } });
    await expect(post(url)).rejects.toThrow();
    expect(acts).toEqual([]);
    expect((await post(url)).status).toBe(201);
    expect(requests.map(({ status }) => status)).toEqual([null, 201]);
  });

  test('reset-before can strike in the middle of a body', async () => {
    const { url, faults, blobs } = await start();
    faults.add({ when: () => true, times: 1, fault: { kind: 'reset-before', afterBytes: 3 } });
    await expect(send(`${url}/blob/k`, { method: 'PUT', body: 'x'.repeat(2_000_000) })).rejects.toThrow();
    await expect(blobs.get('k')).rejects.toThrow();
  });

  test('reset-after: the connection is cut and all was done', async () => {
    const { url, faults, acts } = await start();
    faults.add({ when: () => true, fault: { kind: 'reset-after' } });
    await expect(post(url)).rejects.toThrow();
    expect(acts).toEqual(['x']);
  });

  test.for([
    ['timeout-before', 0],
    ['timeout-after', 1],
  ] as const)('%s: no response ever comes, others are served', async ([kind, done]) => {
    const { url, faults, acts, requests } = await start();
    const handle = faults.add({ when: () => true, times: 1, fault: { kind } });
    const outgoing = http.request(`${url}/act`, { method: 'POST', agent: false });
    const answered: string[] = [];
    outgoing.on('response', () => answered.push('response')).on('error', () => answered.push('error'));
    outgoing.end('held');
    await expect.poll(() => handle.hits()).toBe(1);
    await expect.poll(() => acts.length).toBe(done);
    expect((await send(`${url}/raw`)).status).toBe(200);
    expect(answered).toEqual([]);
    expect(requests[0]?.status).toBeNull();
    outgoing.destroy();
  });

  test.for([true, false])('garbage with acted %s is no JSON', async (acted) => {
    const { url, faults, acts } = await start();
    faults.add({ when: () => true, fault: { kind: 'garbage', acted } });
    const response = await post(url);
    expect(response.status).toBe(200);
    expect(() => JSON.parse(response.text)).toThrow();
    expect(acts).toHaveLength(acted ? 1 : 0);
  });

  test.for([true, false])('any status and platform error, with effect: %s', async (acted) => {
    const { url, faults, acts } = await start();
    const response = { status: 421, headers: { 'x-a': 'b' }, body: { code: 7 } };
    faults.add({ when: () => true, times: 1, fault: { kind: 'status', answer: response, acted } });
    faults.add({ when: () => true, times: 1, fault: { kind: 'refusal', refusal: 'rate-limited', acted } });
    const given = await post(url);
    expect([given.status, given.headers.get('x-a'), given.text]).toEqual([421, 'b', '{"code":7}']);
    expect(await post(url)).toMatchObject({ status: 429, text: '{"kind":"rate-limited"}' });
    expect(acts).toHaveLength(acted ? 2 : 0);
  });

  test('slow-body: the true response comes in pieces', async () => {
    const { url, faults, acts } = await start();
    faults.add({ when: () => true, fault: { kind: 'slow-body', ms: 40 } });
    const written = vi.spyOn(ServerResponse.prototype, 'write');
    const started = performance.now();
    const response = await post(url);
    expect([response.status, response.headers.get('x-kind'), response.text]).toEqual([201, 'true', '{"acted":1}']);
    // Counted where they are sent: a busy client receives several as one.
    expect(written).toHaveBeenCalledTimes(response.text.length);
    expect(performance.now() - started).toBeGreaterThan(35);
    expect(acts).toHaveLength(1);
  });

  test.for([
    ['before', 0],
    ['after', 1],
  ] as const)('pause %s acting waits for the test', async ([at, done]) => {
    const { url, faults, acts } = await start();
    const { promise: hold, resolve: go } = Promise.withResolvers<void>();
    const handle = faults.add({ when: () => true, times: 1, fault: { kind: 'pause', at, hold } });
    const response = post(url, 'paused');
    await expect.poll(() => handle.hits()).toBe(1);
    await expect.poll(() => acts.length).toBe(done);
    expect((await send(`${url}/raw`)).status).toBe(200);
    expect(acts).toHaveLength(done);
    go();
    expect((await response).status).toBe(201);
    expect(acts).toEqual(['paused']);
  });

  test('a paused request completes after the client disconnects', async () => {
    const { url, faults, acts, requests } = await start();
    const { promise: hold, resolve: go } = Promise.withResolvers<void>();
    const handle = faults.add({ when: () => true, times: 1, fault: { kind: 'pause', at: 'before', hold } });
    const outgoing = http.request(`${url}/act`, { method: 'POST', agent: false });
    outgoing.on('error', () => {});
    outgoing.end('all of it');
    await expect.poll(() => handle.hits()).toBe(1);
    outgoing.destroy();
    expect((await send(`${url}/raw`)).status).toBe(200);
    go();
    await expect.poll(() => acts).toEqual(['all of it']);
    expect(requests[0]?.status).toBeNull();
  });

  test.for([307, 308] as const)('redirect %i points to the same address', async (status) => {
    const { url, faults, acts } = await start();
    faults.add({ when: () => true, times: 1, fault: { kind: 'redirect', status } });
    const response = await send(`${url}/act?q=1`, { method: 'POST', body: 'x' });
    expect([response.status, response.headers.get('location')]).toEqual([status, '/sandbox/counting/act?q=1']);
    expect(acts).toEqual([]);
  });

  test('late-execution: cut at once, done on release, once', async () => {
    const { url, faults, acts } = await start();
    const handle = faults.add({ when: () => true, times: 1, fault: { kind: 'late-execution' } });
    await expect(post(url, 'late')).rejects.toThrow();
    await post(url, 'meanwhile');
    expect(acts).toEqual(['meanwhile']);
    await handle.release();
    await handle.release();
    expect(acts).toEqual(['meanwhile', 'late']);
  });

  test('rules see the request count in total and per kind', async () => {
    const { url, faults } = await start();
    const seen: [string, number, number][] = [];
    const look = ({ path, count, nth }: { path: string; count: number; nth: number }) => {
      seen.push([path, count, nth]);
      return false;
    };
    const handle = faults.add({ when: look, fault: { kind: 'reset-before' } });
    await send(`${url}/raw?x=1`);
    await post(url);
    await send(`${url}/raw?x=2`);
    expect(seen).toEqual([
      ['/raw', 1, 1],
      ['/act', 2, 1],
      ['/raw', 3, 2],
    ]);
    expect(handle.hits()).toBe(0);
    handle.remove();
    await send(`${url}/raw`);
    faults.add({ when: look, fault: { kind: 'reset-before' } });
    faults.clear();
    await send(`${url}/raw`);
    expect(seen).toHaveLength(3);
  });
});
