import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { OPERATIONS, RAWS, SIGN_IN, TAGS } from '../../src/app/operations.ts';
import { ERRORS } from '../../src/errors/reelay-error.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { resolveResponse } from '../../src/http/openapi/responses.ts';
import type { JsonSchema, OpenApiDocument, OperationObject, ResponseObject } from '../../src/http/openapi/types.ts';
import { isKey } from '../../src/keys/format.ts';
import { breakingChanges } from './breaking.ts';

const root = new URL('../../../../', import.meta.url);
const made = openApiDocument(OPERATIONS, { server: '/api/v1', tags: TAGS, raws: RAWS, signIn: SIGN_IN });
const read = (file: string) => JSON.parse(readFileSync(new URL(file, root), 'utf8')) as OpenApiDocument;

/** The responses of an operation by status, without references. */
function responsesOf(operation: OperationObject | undefined): Record<string, ResponseObject> {
  const responses = Object.entries(operation?.responses ?? {});
  return Object.fromEntries(responses.map(([status, each]) => [status, resolveResponse(made, each)]));
}

test('the committed document is up to date (npm run generate)', () => {
  expect(read('docs/openapi.json')).toEqual(JSON.parse(JSON.stringify(made)));
});

test('nothing released is broken', () => {
  // Written only by `node scripts/openapi.ts --release`, never by `npm run generate`.
  expect(breakingChanges(read('docs/openapi.released.json'), made)).toEqual([]);
});

test('a removed operation breaks the released document', () => {
  const smaller = { ...made, paths: { ...made.paths, '/reposts': {} } };
  expect(breakingChanges(read('docs/openapi.released.json'), smaller)).toEqual(['GET /reposts is gone.']);
});

test('the linter reports no problems', async () => {
  const linter = fileURLToPath(new URL('node_modules/@redocly/cli/bin/cli.js', root));
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [linter, 'lint', 'docs/openapi.json', '--format=json', '--extends=recommended'],
    { cwd: fileURLToPath(root), env: { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' } },
  ).catch((error) => error);
  const result = JSON.parse(stdout || '{}');
  expect([result.problems, stderr]).toEqual([[], expect.any(String)]);
});

test("every error code and every operation's errors are listed", () => {
  expect(made.components.schemas.ErrorCode?.enum).toEqual(Object.keys(ERRORS));
  for (const [path, methods] of Object.entries(made.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method} ${path}`;
      expect([name, Object.keys(operation.responses)]).toEqual([
        name,
        expect.arrayContaining(
          operation.tags.includes('Uploads') ? ['400', '403'] : ['200', '400', '403', '500', '503'],
        ),
      ]);
      if (operation.security.length > 0 && !path.startsWith('/api/auth/'))
        expect([name, Object.keys(operation.responses)]).toEqual([name, expect.arrayContaining(['401', '429'])]);
    }
});

test('each error response is written once', () => {
  const named: string[] = [];
  const written = Object.values(made.components.responses).map((each) => JSON.stringify(each));
  for (const operation of Object.values(made.paths).flatMap((methods) => Object.values(methods)))
    for (const [status, response] of Object.entries(operation.responses)) {
      if ('$ref' in response) named.push(response.$ref);
      else if (Number(status) >= 400) written.push(JSON.stringify(response));
    }
  expect(new Set(written).size).toBe(written.length);
  for (const name of Object.keys(made.components.responses))
    expect(named.filter((each) => each === `#/components/responses/${name}`).length).toBeGreaterThan(1);
  expect(new Set(named).size).toBe(Object.keys(made.components.responses).length);
});

test('uploads document the headers that clients rely on', () => {
  const upload = made.paths['/uploads/{id}'];
  for (const [method, success] of [
    ['head', '200'],
    ['patch', '204'],
  ] as const) {
    const responses = responsesOf(upload?.[method]);
    expect(Object.keys(responses[success]?.headers ?? {})).toEqual(
      expect.arrayContaining(['Upload-Offset', 'Tus-Resumable']),
    );
    expect(responses['423']?.headers).toHaveProperty('Retry-After');
    expect(responses['503']?.description ?? '').not.toMatch(/`starting`|`draining`/);
  }
  expect(upload?.head?.responses['423']).not.toHaveProperty('content');
  expect(Object.keys(upload?.head?.responses ?? {}).filter((status) => Number(status) >= 500)).toEqual([]);
  expect(Object.keys(made.paths['/uploads'] ?? {})).toEqual(['options', 'post']);
});

test('eleven operations keep path and method', () => {
  const interfaceOperations = [
    'GET /user/api-key',
    'POST /user/api-key/generate',
    'POST /user/api-key/revoke',
    'GET /platform/platforms',
    'POST /post',
    'GET /post/history',
    'GET /post/cancelSchedule',
    'GET /reposts',
    'POST /repost/add',
    'POST /repost/delete',
    'POST /repost/pause',
  ];
  const served = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
  expect(served).toEqual(expect.arrayContaining(interfaceOperations));
  expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
  expect(new Set(served).size).toBe(OPERATIONS.length);
});

test('the example key is valid', () => {
  const example = OPERATIONS.find(({ id }) => id === 'generateApiKey')?.responseExample as { data: string };
  expect(isKey(example.data)).toBe(true);
});

describe('schemas of requests', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', components: made.components });
  const accepts = (name: string, value: unknown) =>
    ajv.validate({ $ref: `document#/components/schemas/${name}` }, value) === true;

  test('PauseRepost needs isPaused or pause', () => {
    expect(accepts('PauseRepost', { id: 'x' })).toBe(false);
    for (const more of [{ isPaused: true }, { pause: false }, { isPaused: true, pause: true }])
      expect(accepts('PauseRepost', { id: 'x', ...more })).toBe(true);
  });

  test.each(['CreatePost', 'CheckPost'])('%s needs exactly one video', (name) => {
    const sources = { video: 'bytes', uploadId: 'x', videoUrl: 'https://example.org/v.mp4' };
    const parts = Object.entries(sources).map((part) => Object.fromEntries([part]));
    for (const part of parts) expect(accepts(name, { platforms: '["x"]', ...part })).toBe(true);
    expect(accepts(name, { platforms: '["x"]' })).toBe(false);
    for (const [at, part] of parts.entries())
      expect(accepts(name, { platforms: '["x"]', ...part, ...parts[(at + 1) % 3] })).toBe(false);
  });

  test('free text excludes U+0000', () => {
    const texts: JsonSchema[] = [];
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const schema = value as JsonSchema;
      if (schema.type === 'string' && !['enum', 'const', 'format'].some((key) => key in schema)) texts.push(schema);
      for (const inner of Object.values(schema)) collect(inner);
    };
    const operations = Object.values(made.paths).flatMap((methods) => Object.values(methods));
    for (const { parameters = [], requestBody } of operations)
      collect([parameters.filter(({ in: place }) => place !== 'header').map(({ schema }) => schema), requestBody]);
    for (const name of ['AddRepost', 'CreatePost', 'CheckPost', 'EditPost', 'ConnectAccount'])
      collect(made.components.schemas[name]);
    expect(texts.length).toBeGreaterThan(20);
    for (const schema of texts) expect(new RegExp(String(schema.pattern), 'u').test('a\0b')).toBe(false);
  });
});
