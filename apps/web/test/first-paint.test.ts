import { describe, expect, test } from 'vitest';
import { requestsOf, withEarly } from '../src/first-paint/early-requests.ts';
import { pageAt } from '../src/first-paint/pages.ts';

test.each([
  ['/app', 'compose', false],
  ['/app/', 'compose', false],
  ['/app/posts', 'posts', false],
  ['/app/posts/', 'posts', false],
  ['/app/posts/019a', 'posts', true],
  ['/app/operator/users', 'operator', false],
  ['/app/compose', 'other', false],
  ['/app/elsewhere/x', 'other', true],
  ['/app/__proto__', 'other', false],
])('%s is the page %s', (path, page, isBelow) => {
  expect(pageAt(path)).toEqual({ page, isBelow });
});

describe('a page requests early', () => {
  const always = requestsOf('settings', false, '');

  test('what every page reads', () => {
    expect(always).toContain('/api/auth/get-session');
    expect(requestsOf('other', true, '')).toEqual(always);
  });

  test('the newest posts, unless they are filtered', () => {
    expect(requestsOf('posts', false, '')).toContain('/api/v1/dashboard/posts?limit=30');
    expect(requestsOf('posts', false, '?status=failed')).toEqual(always);
    expect(requestsOf('posts', true, '')).toEqual(always);
  });
});

describe('an early response', () => {
  const USER = 'https://reelay.example/api/v1/user';
  const send = (async (input, init) => new Response(`${init?.method} ${input}`)) as typeof fetch;
  const textOf = async (sent: Promise<Response>) => (await sent).text();
  const early = (response: Promise<Response>) => new Map([['/api/v1/user', response]]);

  test('is used once', async () => {
    const get = withEarly(early(Promise.resolve(new Response('early'))), send);
    expect(await textOf(get(USER, { method: 'GET' }))).toBe('early');
    expect(await textOf(get(USER, { method: 'GET' }))).toBe(`GET ${USER}`);
  });

  test('is not the response to another request', async () => {
    const get = withEarly(early(Promise.resolve(new Response('early'))), send);
    expect(await textOf(get(`${USER}?a=1`, { method: 'GET' }))).toBe(`GET ${USER}?a=1`);
    expect(await textOf(get(USER, { method: 'PATCH' }))).toBe(`PATCH ${USER}`);
    // It was sent before the change.
    expect(await textOf(get(USER, { method: 'GET' }))).toBe(`GET ${USER}`);
  });

  test('that failed is requested again', async () => {
    const get = withEarly(early(Promise.reject(new TypeError('no network'))), send);
    expect(await textOf(get(USER, { method: 'GET' }))).toBe(`GET ${USER}`);
  });

  test('is optional', async () => {
    expect(await textOf(withEarly(undefined, send)(USER, { method: 'GET' }))).toBe(`GET ${USER}`);
  });
});
