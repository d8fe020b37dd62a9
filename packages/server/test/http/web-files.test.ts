import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';

let folder: string;
let service: TestService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-web-'));
  await mkdir(join(folder, 'app', 'assets'), { recursive: true });
  await writeFile(join(folder, 'app', 'index.html'), '<!doctype html><title>Reelay</title>');
  await writeFile(join(folder, 'app', 'assets', 'index-abc.js'), 'start();');
  await writeFile(join(folder, 'app', 'assets', 'index-abc.js.br'), 'compressed');
  await mkdir(join(folder, 'docs', 'assets'), { recursive: true });
  await writeFile(join(folder, 'docs', 'index.html'), '<!doctype html><title>Reelay API</title>');
  await writeFile(join(folder, 'docs', 'assets', 'docs-abc.js'), 'read();');
  service = await startService({ overrides: { webFolder: folder } });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, init: RequestInit = {}) =>
  fetch(service.url + path, { redirect: 'manual', headers: { 'accept-encoding': 'identity' }, ...init });

/** Sends a path unchanged: `fetch` would resolve its dots. */
const getExactly = (path: string) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    request({ host: 'localhost', port: new URL(service.url).port, path }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    })
      .on('error', reject)
      .end();
  });

test('the home page leads to the dashboard', async () => {
  const response = await get('/');
  expect([response.status, response.headers.get('location')]).toEqual([302, '/app/']);
});

test.each([
  ['/app', 'Reelay'],
  ['/app/', 'Reelay'],
  ['/app/posts/019a', 'Reelay'],
  ['/app/accounts?x=1', 'Reelay'],
  ['/docs', 'Reelay API'],
  ['/docs/', 'Reelay API'],
  ['/docs/getPost', 'Reelay API'],
  ['/docs/getPost?x=y.js', 'Reelay API'],
])('the policy of %s allows only our own files (%s)', async (path, title) => {
  const response = await get(path);
  expect([response.status, await response.text()]).toEqual([200, `<!doctype html><title>${title}</title>`]);
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none';");
  expect(policy).toMatch(/; script-src 'self'$/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(response.headers.get('permissions-policy')).toBe('camera=(), microphone=(), geolocation=()');
});

test('HEAD has the headers of the page and no body', async () => {
  const response = await get('/docs/getPost', { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([200, '']);
  expect(response.headers.get('content-security-policy')).toMatch(/; script-src 'self'$/);
});

test('the policy of a page allows its inline scripts', async () => {
  const page = join(folder, 'app', 'index.html');
  const before = await readFile(page);
  await writeFile(page, '<!doctype html><script>a</script><script src="/app/b.js"></script><script>\nc < d</script>');
  try {
    const policy = (await get('/app/')).headers.get('content-security-policy');
    // printf 'a' (or '\\nc < d') | openssl dgst -sha256 -binary | base64
    const hashes = ['ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=', 'Nv5He17PWWFLSm2IOtaMi8Isq4jcknhpahPBqKeuWP8='];
    expect(policy?.split('; ').at(-1)).toBe(`script-src 'self' ${hashes.map((each) => `'sha256-${each}'`).join(' ')}`);
  } finally {
    await writeFile(page, before);
  }
});

test('a request with a session gets the page for sessions', async () => {
  const of = async (path: string, cookie: string) => (await get(path, { headers: { cookie } })).text();
  const page = join(folder, 'app', 'session.html');
  expect(await of('/app/', 'reelay.session_token=x')).toContain('<title>Reelay</title>');
  await writeFile(page, 'with a session');
  try {
    expect(await of('/app/', 'reelay.session_token=x')).toBe('with a session');
    expect(await of('/app/posts', 'a=b; __Host-reelay.session_token=x')).toBe('with a session');
    expect(await of('/app/', 'a=reelay')).toContain('<title>Reelay</title>');
    expect(await of('/docs', 'reelay.session_token=x')).toContain('<title>Reelay API</title>');
  } finally {
    await rm(page);
  }
});

test('each page has its own files', async () => {
  expect(await (await get('/docs/assets/docs-abc.js')).text()).toBe('read();');
  expect((await get('/app/assets/docs-abc.js')).status).toBe(404);
  expect((await get('/docs/assets/index-abc.js')).status).toBe(404);
});

test('hashed files are cached forever and sent compressed', async () => {
  const response = await get('/app/assets/index-abc.js');
  expect([response.status, await response.text()]).toEqual([200, 'start();']);
  expect(response.headers.get('cache-control')).toContain('immutable');
  const compressed = await get('/app/assets/index-abc.js', { headers: { 'accept-encoding': 'br' }, method: 'HEAD' });
  expect(compressed.headers.get('content-encoding')).toBe('br');
});

test.each(['..', '%2e%2e', '..%2f..', '%2e%2e%2f%2e%2e', '..\\..', '.', '/', '%2f', 'assets/..', 'assets/../../..'])(
  'no file outside of the build is served below %s',
  async (climb) => {
    const { dataDir } = service.context.config;
    await writeFile(join(folder, 'outside.json'), 'outside');
    await writeFile(join(dataDir, 'outside.json'), 'outside');
    for (const page of ['/app', '/docs', '/media', '/v', ''])
      for (const path of ['outside.json', `${folder}/outside.json`, `${dataDir}/outside.json`]) {
        const address = `${page}/${climb}/${path}`;
        const { status, body } = await getExactly(address);
        expect([address, status < 500, body === 'outside']).toEqual([address, true, false]);
      }
  },
);

test('a missing file is not found', async () => {
  expect((await get('/app/assets/gone.js')).status).toBe(404);
});

test.each(['/app/', '/docs', '/docs/getPost'])('%s cannot be written to', async (path) => {
  const response = await get(path, { method: 'POST', body: 'x' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('a shared video without a worker opens the dashboard', async () => {
  const form = new FormData();
  form.set('video', new Blob(['x'.repeat(1_000_000)], { type: 'video/mp4' }), 'a.mp4');
  const response = await get('/app/share', { method: 'POST', body: form });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/app/?shared=failed']);
});

test('pages that are not built link to the document', async () => {
  const other = await startService({ overrides: { webFolder: join(folder, 'nothing') } });
  try {
    for (const path of ['/app/', '/docs', '/docs/getPost']) {
      const response = await fetch(other.url + path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      const text = await response.text();
      expect(text).toContain('npm start');
      expect(text).toContain('href="/api/v1/openapi.json"');
      expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
    }
  } finally {
    await other.close();
  }
});

test("a new build's files replace the previous ones", async () => {
  const assets = join(folder, 'app', 'assets');
  await writeFile(join(assets, 'old-1.js'), 'old();');
  await writeFile(join(assets, 'old-1.js.br'), 'compressed');
  expect((await get('/app/assets/old-1.js', { headers: { 'accept-encoding': 'br' } })).status).toBe(200);
  await rm(join(assets, 'old-1.js'));
  await rm(join(assets, 'old-1.js.br'));
  await writeFile(join(assets, 'new-2.js'), 'next();');
  const gone = await get('/app/assets/old-1.js', { headers: { 'accept-encoding': 'br' } });
  expect(gone.status).toBe(404);
  expect(await (await get('/app/assets/new-2.js')).text()).toBe('next();');
});
