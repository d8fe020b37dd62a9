import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ERRORS } from '../../src/errors.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import type { OpenApiDocument } from '../../src/http/openapi-types.ts';
import { isKey } from '../../src/keys/format.ts';
import { OPERATIONS, TAGS } from '../../src/operations.ts';
import { breakingChanges } from './breaking.ts';

const root = new URL('../../../../', import.meta.url);
const made = openApiDocument(OPERATIONS, { server: '/api/v1', tags: TAGS });
const read = (file: string) => JSON.parse(readFileSync(new URL(file, root), 'utf8')) as OpenApiDocument;

test('the committed document is the one that the operations make (npm run generate)', () => {
  expect(read('docs/openapi.json')).toEqual(JSON.parse(JSON.stringify(made)));
});

test('nothing that has been released is broken', () => {
  const released = existsSync(new URL('docs/openapi.released.json', root))
    ? 'docs/openapi.released.json'
    : 'docs/openapi.json';
  expect(breakingChanges(read(released), made)).toEqual([]);
});

test('the linter has nothing to say', async () => {
  const linter = fileURLToPath(new URL('node_modules/@redocly/cli/bin/cli.js', root));
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [linter, 'lint', 'docs/openapi.json', '--format=json', '--extends=recommended'],
    { cwd: fileURLToPath(root), env: { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' } },
  ).catch((error) => error);
  const result = JSON.parse(stdout || '{}');
  expect([result.problems, stderr]).toEqual([[], expect.any(String)]);
}, 30_000);

test('every error code is listed, and every operation lists what it can answer', () => {
  expect(made.components.schemas.ErrorCode?.enum).toEqual(Object.keys(ERRORS));
  for (const [path, methods] of Object.entries(made.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method} ${path}`;
      expect([name, Object.keys(operation.responses)]).toEqual([
        name,
        expect.arrayContaining(['200', '403', '500', '503']),
      ]);
      if (operation.security.length > 0)
        expect([name, Object.keys(operation.responses)]).toEqual([name, expect.arrayContaining(['401', '429'])]);
    }
});

test('the eleven operations of the interface keep their paths and methods as they are built', () => {
  const interfaceOperations = [
    'GET /user/api-key',
    'POST /user/api-key/generate',
    'POST /user/api-key/revoke',
    'GET /platform/platforms',
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

test('the example of a key is one', () => {
  const example = OPERATIONS.find(({ id }) => id === 'generateApiKey')?.answerExample as { data: string };
  expect(isKey(example.data)).toBe(true);
});
