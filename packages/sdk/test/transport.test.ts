import { expect, test } from 'vitest';
import { createClient, ReelayApiError } from '../src/index.ts';
import { type Next, noted, withServer } from './harness.ts';

/** Returns the error of a call to a server with this response. */
async function refusal(next: Next): Promise<unknown> {
  return withServer([next], async ({ url }) =>
    createClient({ baseUrl: url, apiKey: 'rly_secret' })
      .platforms.list()
      .catch((error: unknown) => error),
  );
}

test('an error keeps status, code, message, delay and request id', async () => {
  const json = { success: false, code: 'rate_limited', message: 'Wait a little.', retryAfter: 7 };
  const error = await refusal({ status: 429, json, headers: { 'x-request-id': 'r-1' } });
  expect(error).toBeInstanceOf(ReelayApiError);
  expect(error).toMatchObject({ status: 429, code: 'rate_limited', message: 'Wait a little.', retryAfter: 7 });
  expect(error).toMatchObject({ requestId: 'r-1', limit: null });
});

test('an error contains the plan limit', async () => {
  const limit = { name: 'rules', value: 1, used: 1, resetsAt: null };
  const json = { success: false, code: 'plan_limit_reached', message: 'No more rules.', limit };
  expect(await refusal({ status: 403, json })).toMatchObject({ limit });
});

test('responses of other services cause `not_reelay`', async () => {
  const strange = { status: 200, code: 'not_reelay' };
  expect(await refusal({ status: 200, text: '<h1>It works!</h1>' })).toMatchObject(strange);
  expect(await refusal({ status: 200, text: 'null' })).toMatchObject(strange);
  expect(await refusal({ status: 200, json: { success: 'yes' } })).toMatchObject(strange);
  const gateway = { status: 502, text: 'Bad gateway', headers: { 'retry-after': '3' } };
  expect(await refusal(gateway)).toMatchObject({ status: 502, code: 'not_reelay', retryAfter: 3 });
});

test('the error for an unreachable service has its reason', async () => {
  const url = await withServer([{ status: 200 }], async (server) => server.url);
  const error = await createClient({ baseUrl: url, apiKey: 'rly_secret' })
    .platforms.list()
    .catch((failure: unknown) => failure);
  expect(error).toMatchObject({ status: 0, code: 'unreachable', message: `${url} does not respond (ECONNREFUSED).` });
  expect(JSON.stringify(error) + String(error)).not.toContain('rly_secret');
});

test('a truncated response counts as none', async () => {
  const error = await refusal((_request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"succ', () => response.socket?.resetAndDestroy());
  });
  expect(error).toMatchObject({ code: 'unreachable' });
});

test('the key is never sent to a redirect target', async () => {
  await withServer([{ status: 200 }], async (elsewhere) => {
    const next = { status: 302, headers: { location: `${elsewhere.url}/x` } };
    const error = await refusal(next);
    expect(error).toMatchObject({ code: 'redirected', message: expect.stringContaining(elsewhere.url) });
    expect(elsewhere.requests).toEqual([]);
  });
});

test('base URLs may end with the API path', async () => {
  await withServer([{ status: 200, json: { success: true, data: [] } }], async ({ url, requests }) => {
    for (const tail of ['', '/', '/api/v1', '/api/v1/', '/reelay'])
      await createClient({ baseUrl: url + tail, apiKey: 'k' }).platforms.list();
    const path = '/api/v1/platform/platforms';
    expect(requests.map((request) => request.url)).toEqual([path, path, path, path, `/reelay${path}`]);
  });
  expect(() => createClient({ baseUrl: 'localhost:3000' })).toThrow('not the URL');
});

test('the session and CSRF header replace a missing key', async () => {
  await withServer([{ status: 200, json: { success: true, data: 'x' } }], async ({ url, requests }) => {
    await createClient({ baseUrl: url }).key.generate();
    await createClient({ baseUrl: url, apiKey: 'rly_k' }).key.generate();
    expect(requests[0]?.headers).toMatchObject({ 'x-reelay-csrf': '1' });
    expect(requests[0]?.headers.authorization).toBeUndefined();
    expect(requests[1]?.headers.authorization).toBe('Bearer rly_k');
  });
});

test('session requests alone ask for the current language', async () => {
  let language = 'de';
  await withServer([{ status: 200, json: { success: true, data: 'x' } }], async ({ url, requests }) => {
    const client = createClient({ baseUrl: url, language: () => language });
    await client.key.generate();
    language = 'en';
    await client.key.generate();
    await createClient({ baseUrl: url, language: 'de' }).key.generate();
    await createClient({ baseUrl: url, language: 'de', apiKey: 'rly_k' }).key.generate();
    expect(requests.map(({ headers }) => headers['accept-language'])).toEqual(['de', 'en', 'de', '*']);
  });
});

test('the abort reason is thrown unchanged', async () => {
  const reason = new Error('enough');
  const signal = AbortSignal.abort(reason);
  await withServer([{ status: 200 }], async ({ url }) => {
    const { posts } = createClient({ baseUrl: url, apiKey: 'k', ...noted() });
    await expect(posts.create({ video: new Blob(['v']), platforms: [], signal })).rejects.toBe(reason);
  });
});
