import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, PAGES, SIGN_IN, TAGS } from '../../src/app/operations.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import type { JsonSchema } from '../../src/http/openapi/types.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';

let service: TestService;
let operator: SessionUser;
let reelay: string;
beforeAll(async () => {
  service = await startService({ config: { role: 'api', sandbox: false } });
  operator = await service.newSession();
  reelay = `Cookie: ${operator.cookie}\r\nX-Reelay-CSRF: 1\r\n`;
});
afterAll(() => service.close());

const document = openApiDocument(OPERATIONS, { server: '/api/v1', tags: TAGS, signIn: SIGN_IN });
const NO_ID = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b';
const addressOf = (path: string, id = NO_ID) => path.replaceAll(/\{\w+\}/g, id);
const RUNS = { numRuns: 8 };

/** Strings that contain, at any position, one character that PostgreSQL cannot store. */
const badText = fc
  .tuple(
    fc.string({ maxLength: 5 }),
    fc.constantFrom('\0', '\ud800', '\udfff', '\udc00\ud800'),
    fc.string({ maxLength: 5 }),
  )
  .map((parts) => parts.join(''))
  .filter((text) => text.includes('\0') || !text.isWellFormed());

describe('JSON bodies', () => {
  const bodies = OPERATIONS.filter(({ body }) => body).map(({ id, method, path }) => ({
    id,
    method,
    path: addressOf(path),
    schema: document.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema ?? {},
  }));

  test.each(bodies)('$id rejects invalid text at any depth', async ({ id, method, path, schema }) => {
    await fc.assert(
      fc.asyncProperty(sampleOf(schema), badText, fc.nat(), fc.boolean(), async (sample, bad, at, asKey) => {
        const json = planted(sample, bad, at, asKey);
        const { status, body } = await operator.call(method, path, { json });
        expect([id, status, ['invalid_request', 'unknown_field'].includes(body.code)]).toEqual([id, 400, true]);
      }),
      RUNS,
    );
  });
});

describe('forms', () => {
  const forms = OPERATIONS.filter(({ multipart }) => multipart && 'platforms' in multipart.shape);
  const responseTo = async (path: string, fields: Record<string, string>) => {
    const form = new FormData();
    const all = { platforms: JSON.stringify([NO_ID]), uploadId: NO_ID, ...fields };
    for (const [name, value] of Object.entries(all)) form.append(name, value);
    const { status, body } = await operator.call('POST', path, { body: form });
    return `${status} ${body.code}`;
  };

  test.each(forms)('$id rejects invalid text in JSON fields and elsewhere', async ({ path }) => {
    expect(await responseTo(path, { options: '{"caption":{"a":"\\\\u0000 is four digits"}}' })).not.toContain('500');
    await fc.assert(
      fc.asyncProperty(badText, fc.nat({ max: 4 }), async (bad, place) => {
        const places: Record<string, string>[] = [
          { options: JSON.stringify({ [NO_ID]: { caption: bad } }) },
          { options: JSON.stringify({ tiktok: { a: [{ [bad]: 1 }] } }) },
          { options: JSON.stringify({ [bad]: {} }) },
          { platforms: JSON.stringify([bad]) },
          { platforms: JSON.stringify([{ [bad]: 1 }]) },
        ];
        expect(await responseTo(path, places[place] ?? {})).toBe('400 invalid_request');
      }),
      RUNS,
    );
    const deep = `{"tiktok":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    expect(await responseTo(path, { options: deep })).toBe('400 invalid_request');
    for (const name of ['description', 'uploadId', 'videoUrl', 'fit', 'scheduled', 'previewTime', 'a\0b'])
      expect([name, await responseTo(path, { [name]: 'a\0b' })]).toEqual([name, expect.stringMatching(/^400 /)]);
  });
});

test('URLs with U+0000, surrogates or invalid UTF-8 are rejected', async () => {
  const bad = ['a%00b', '%ED%A0%80', '%C0%80'];
  for (const { method, path, query, params, body } of OPERATIONS)
    for (const text of bad) {
      const json = body ? { json: {} } : {};
      if (params) expect((await operator.call(method, addressOf(path, text), json)).status).toBe(400);
      for (const name of Object.keys(query?.shape ?? {}))
        expect((await operator.call(method, `${addressOf(path)}?${name}=${text}`, json)).status).toBe(400);
    }
  for (const { method, path } of PAGES)
    for (const text of bad) {
      const asked = [
        `${addressOf(path)}?state=${text}&code=${text}`,
        ...(path.includes('{') ? [addressOf(path, text)] : []),
      ];
      for (const each of asked) expect((await operator.call(method, `/${each}`)).status).toBeLessThan(500);
    }
});

test('non-ASCII header values never cause a 500', async () => {
  const bytes = [Buffer.from([0]), Buffer.from([0xff]), Buffer.from('\u00e9'), Buffer.from([0xed, 0xa0, 0x80])];
  const names = [
    'Authorization: Bearer ',
    'Cookie: reelay.session_token=',
    'Idempotency-Key: ',
    'Content-Type: application/json; charset=',
  ];
  for (const name of names)
    for (const value of bytes) {
      const own = /^(Authorization|Cookie)/.test(name) ? '' : reelay;
      expect(await statusOf(Buffer.concat([Buffer.from(`${own}${name}`), value]))).toBeGreaterThanOrEqual(400);
      expect(await statusOf(Buffer.concat([Buffer.from(`${own}${name}`), value]))).toBeLessThan(500);
    }
});

test('an error message never ends in half a character', async () => {
  const { body, bytes } = await operator.post('/repost/delete', { [`${'x'.repeat(99)}\u{1f600}`]: 1 });
  expect(body.code).toBe('unknown_field');
  expect(bytes.toString()).not.toMatch(/\\ud[89a-f]/i);
});

/** A value that matches a JSON Schema, or nearly. */
function sampleOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const name = String(schema.$ref ?? '')
    .split('/')
    .at(-1);
  if (name) return sampleOf(document.components.schemas[name] ?? {});
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (options) return fc.oneof(...options.map(sampleOf));
  if (schema.type === 'object' && schema.properties)
    return fc.record(
      Object.fromEntries(Object.entries(schema.properties).map(([key, inner]) => [key, sampleOf(inner as JsonSchema)])),
      { requiredKeys: (schema.required ?? []) as string[] },
    );
  if (schema.type === 'object') return fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.boolean()), { maxKeys: 3 });
  if (schema.type === 'array')
    return fc.array(sampleOf((schema.items ?? {}) as JsonSchema), { minLength: 1, maxLength: 3 });
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer' || schema.type === 'number') return fc.integer();
  if (schema.type === 'null') return fc.constant(null);
  return fc.constantFrom(NO_ID, 'tiktok', 'text');
}

/** Replaces one part of the value by invalid text, or adds the text as a key. */
function planted(value: unknown, bad: string, at: number, asKey: boolean): unknown {
  const isObject = typeof value === 'object' && value !== null;
  const keys = isObject ? Object.keys(value) : [];
  if (!isObject) return bad;
  const key = keys[at % (keys.length + 1)];
  if (key === undefined) return asKey ? { ...value, [bad]: 1 } : { ...value, more: [[{ deep: bad }]] };
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  copy[key] = planted(copy[key], bad, at + 1, asKey);
  return copy;
}

/** Returns the status of a request without a body, with these header bytes. */
function statusOf(header: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => {
      socket.write('POST /api/v1/repost/delete HTTP/1.1\r\nHost: x\r\n');
      socket.write(Buffer.concat([header, Buffer.from('\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')]));
    });
    socket.once('data', (data) => {
      resolve(Number(data.toString('latin1').split(' ')[1]));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}
