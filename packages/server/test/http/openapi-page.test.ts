import { get as request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Raw {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Unlike fetch, it does not decompress. */
function get(headers: Record<string, string> = {}): Promise<Raw> {
  return new Promise((resolve, reject) => {
    request(`${service.url}/api/v1/openapi.json`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    }).on('error', reject);
  });
}

test.each([
  ['br', (body: Buffer) => brotliDecompressSync(body)],
  ['gzip', (body: Buffer) => gunzipSync(body)],
])('the document is sent as %s', async (coding, decompress) => {
  const plain = await get();
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(plain.body.toString()).servers).toEqual([{ url: `${service.url}/api/v1` }]);
  const encoded = await get({ 'accept-encoding': `zstd, ${coding};q=0.5` });
  expect(encoded.headers).toMatchObject({
    'content-encoding': coding,
    'content-type': expect.stringContaining('application/json'),
    vary: 'accept-encoding',
    etag: plain.headers.etag,
  });
  expect(decompress(encoded.body)).toEqual(plain.body);
  expect(encoded.body.length).toBeLessThan(plain.body.length / 5);
});

test.each([
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, GZIP', 'gzip'],
  ['br; q=0.0, gzip;q=0', undefined],
  ['brotli', undefined],
  ['identity', undefined],
])('the coding of "%s" is %s', async (accepted, coding) => {
  expect((await get({ 'accept-encoding': accepted })).headers['content-encoding']).toBe(coding);
});

test('a document that is known is not sent again', async () => {
  const { headers } = await get();
  const again = await get({ 'if-none-match': String(headers.etag), 'accept-encoding': 'br' });
  expect([again.status, again.body.length]).toEqual([304, 0]);
  expect((await get({ 'if-none-match': 'W/"other"' })).status).toBe(200);
});
