import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';

const PAGE = '<!doctype html><title>Reelay</title>';
/** More than the buffers of two sockets and two streams hold. In bytes. */
const LARGE = 30_000_000;

let folder: string;
let service: TestService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-web-'));
  await mkdir(join(folder, 'app', 'assets', 'folder.js'), { recursive: true });
  await writeFile(join(folder, 'app', 'index.html'), PAGE);
  await writeFile(join(folder, 'app', 'assets', 'a.js'), '0123456789');
  await writeFile(join(folder, 'app', 'assets', 'a.js.gz'), 'gzip');
  await writeFile(join(folder, 'app', 'assets', 'empty.js'), '');
  await writeFile(join(folder, 'app', 'assets', 'large.mp4'), Buffer.alloc(LARGE));
  await symlink('loop.js', join(folder, 'app', 'assets', 'loop.js'));
  service = await startService({ overrides: { webFolder: folder } });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Sends exactly these headers. */
async function send(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = request(service.url + path, { headers, method, agent: false }).end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe('ranges', () => {
  test.each([
    ['bytes=5-2', 200, '0123456789', undefined],
    ['bytes=a-b', 200, '0123456789', undefined],
    ['bytes=-', 200, '0123456789', undefined],
    ['bytes=0-1,4-5', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
    ['bytes=99999999999999999999-', 416, '', 'bytes */10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
  ])('%s of a file gives %i', async (range, status, body, contentRange) => {
    const response = await send('/app/assets/a.js', { range });
    expect([response.status, response.body, response.headers['content-range']]).toEqual([status, body, contentRange]);
    expect((await send('/app/')).body).toBe(PAGE);
  });

  test('no range of the page ends the service', async () => {
    for (const range of ['bytes=5-2', 'bytes=900-', 'bytes=9-8,1-0', '-', 'bytes=NaN-Infinity'])
      expect([200, 416]).toContain((await send('/app/', { range })).status);
    expect((await send('/app/')).body).toBe(PAGE);
  });

  test('an unsatisfiable range is not cached', async () => {
    const { headers } = await send('/app/assets/a.js', { range: 'bytes=10-' });
    expect(headers['cache-control']).toBe('no-cache');
  });

  test('a range of a changed file is the whole file', async () => {
    const { headers } = await send('/app/assets/a.js');
    const range = { range: 'bytes=0-1' };
    expect((await send('/app/assets/a.js', { ...range, 'if-range': String(headers.etag) })).status).toBe(206);
    expect((await send('/app/assets/a.js', { ...range, 'if-range': '"other"' })).status).toBe(200);
  });
});

test('an unchanged file is not sent again', async () => {
  const first = await send('/app/assets/a.js');
  const again = await send('/app/assets/a.js', { 'if-none-match': String(first.headers.etag) });
  expect([again.status, again.body, again.headers.etag]).toEqual([304, '', first.headers.etag]);
  expect(again.headers['cache-control']).toContain('immutable');
});

test.each([
  ['gzip, deflate', 'gzip'],
  ['br;q=1.0, GZIP;q=0.5', 'gzip'],
  ['gzip;q=0', undefined],
  ['br', undefined],
  ['', undefined],
])('a client that accepts “%s” gets %s', async (accepted, encoding) => {
  const { headers, body } = await send('/app/assets/a.js', { 'accept-encoding': accepted });
  expect(headers['content-encoding']).toBe(encoding);
  expect(body).toBe(encoding ? 'gzip' : '0123456789');
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(headers.vary).toBe('Accept-Encoding');
});

test('each encoding has its own tag', async () => {
  const plain = await send('/app/assets/a.js');
  const compressed = await send('/app/assets/a.js', { 'accept-encoding': 'gzip' });
  expect(plain.headers.etag).not.toBe(compressed.headers.etag);
});

test('an empty file is sent', async () => {
  const { status, headers, body } = await send('/app/assets/empty.js');
  expect([status, headers['content-length'], body]).toEqual([200, '0', '']);
});

test.each(['folder.js', 'a.js/b.js', '.js', '%00.js', '%61.js', '..%2findex.html'])(
  'assets/%s is not found',
  async (name) => {
    expect((await send(`/app/assets/${name}`)).status).toBe(404);
  },
);

test('a name that is too long is not found', async () => {
  expect((await send(`/app/assets/${'a'.repeat(400)}.js`)).status).toBe(404);
});

test('a file that cannot be read is an internal error', async () => {
  const { status, headers, body } = await send('/app/assets/loop.js');
  expect([status, JSON.parse(body).code]).toEqual([500, 'internal_error']);
  expect(service.logged).toContainEqual(
    expect.objectContaining({ requestId: headers['x-request-id'], err: expect.objectContaining({ code: 'ELOOP' }) }),
  );
  expect((await send('/app/')).body).toBe(PAGE);
});

/** Needs Linux: counts this process's open files. */
describe.runIf(process.platform === 'linux')('descriptors', () => {
  const large = () => join(folder, 'app', 'assets', 'large.mp4');
  const opened = async () => {
    const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
    return (await Promise.all(links)).filter((path) => path.startsWith(large())).length;
  };
  /** Starts a download that nobody reads. */
  const download = async () => {
    const sent = request(`${service.url}/app/assets/large.mp4`, { agent: false }).end();
    const [response] = await once(sent, 'response');
    return { abort: () => sent.destroy(), response };
  };

  test('aborted downloads leave no open file', async () => {
    const downloads = await Promise.all(Array.from({ length: 5 }, download));
    expect(await opened()).toBe(5);
    for (const { abort, response } of downloads) {
      response.on('error', () => {});
      abort();
    }
    await expect.poll(opened).toBe(0);
  });

  test('a file that is deleted meanwhile is sent completely', async () => {
    const { response } = await download();
    await rm(large());
    let bytes = 0;
    for await (const chunk of response) bytes += chunk.length;
    expect(bytes).toBe(LARGE);
    await expect.poll(opened).toBe(0);
    expect((await send('/app/assets/large.mp4')).status).toBe(404);
  });

  test('HEAD and unchanged files leave no open file', async () => {
    await writeFile(large(), 'video');
    const { headers } = await send('/app/assets/large.mp4', {}, 'HEAD');
    expect((await send('/app/assets/large.mp4', { 'if-none-match': String(headers.etag) })).status).toBe(304);
    await expect.poll(opened).toBe(0);
  });
});
