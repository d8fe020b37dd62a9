import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';

let folder: string;
let service: TestService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-dashboard-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Reelay</title>');
  await writeFile(join(folder, 'assets', 'index-abc.js'), 'start();');
  await writeFile(join(folder, 'assets', 'index-abc.js.br'), 'compressed');
  service = await startService({ overrides: { dashboardFolder: folder } });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, init: RequestInit = {}) =>
  fetch(service.url + path, { redirect: 'manual', headers: { 'accept-encoding': 'identity' }, ...init });

test('the home page leads to the dashboard', async () => {
  const response = await get('/');
  expect([response.status, response.headers.get('location')]).toEqual([302, '/app/']);
});

test.each(['/app', '/app/', '/app/posts/019a', '/app/accounts?x=1'])(
  '%s is the page of the dashboard',
  async (path) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([200, '<!doctype html><title>Reelay</title>']);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
  },
);

test('hashed files are cached forever and sent compressed', async () => {
  const response = await get('/app/assets/index-abc.js');
  expect([response.status, await response.text()]).toEqual([200, 'start();']);
  expect(response.headers.get('cache-control')).toContain('immutable');
  const compressed = await get('/app/assets/index-abc.js', { headers: { 'accept-encoding': 'br' }, method: 'HEAD' });
  expect(compressed.headers.get('content-encoding')).toBe('br');
});

test.each(['/app/assets/gone.js', '/app/../package.json', '/app/%2e%2e/package.json', '/app/..%2f..%2fpackage.json'])(
  '%s gives no file outside of the build',
  async (path) => {
    expect(await (await get(path)).text()).not.toContain('"name"');
  },
);

test('a missing file is not found', async () => {
  expect((await get('/app/assets/gone.js')).status).toBe(404);
});

test('the dashboard cannot be written to', async () => {
  const response = await get('/app/', { method: 'POST', body: 'x' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('a dashboard that is not built says so', async () => {
  const other = await startService({ overrides: { dashboardFolder: join(folder, 'nothing') } });
  try {
    const response = await fetch(`${other.url}/app/`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('npm start');
  } finally {
    await other.close();
  }
});
