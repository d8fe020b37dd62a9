import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createClient } from '@reelay/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { curlOf, shellQuote } from '../src/curl.ts';
import type { ApiDocument } from '../src/document.ts';
import { exampleOf } from '../src/example.ts';
import { groupsOf } from '../src/operations.ts';
import { type Draft, firstDraft, planOf, problemsIn } from '../src/request.ts';
import { callOf, programOf } from '../src/sdk-call.ts';

const own = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as ApiDocument;
const operations = groupsOf(own).flatMap((group) => group.operations);

function operation(id: string) {
  const found = operations.find(({ operationId }) => operationId === id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
}

const draftOf = (id: string, given: Partial<Draft> = {}): Draft => ({ ...firstDraft(own, operation(id)), ...given });

describe('examples', () => {
  const example = (schema: object, extent?: 'all' | 'telling') => exampleOf(own, schema, extent);

  test('prefer what the schema says', () => {
    expect(example({ type: 'string', examples: ['a'], enum: ['b'] })).toBe('a');
    expect(example({ type: 'string', enum: ['b', 'c'] })).toBe('b');
    expect(example({ const: false })).toBe(false);
    expect(example({ type: 'integer', default: 7 })).toBe(7);
  });

  test('stay within limits', () => {
    expect(example({ type: 'integer', minimum: 5 })).toBe(5);
    expect(example({ type: 'integer', exclusiveMinimum: 0 })).toBe(1);
    expect(example({ type: 'number', minimum: -1, maximum: -0.5 })).toBe(-0.5);
    expect(example({ type: 'string', minLength: 6 })).toBe('textxx');
    expect(example({ type: ['integer', 'null'], minimum: 1 })).toBe(1);
    expect(example({ anyOf: [{ type: 'null' }, { type: 'boolean' }] })).toBe(false);
  });

  test('of requests contain required values and those with examples', () => {
    const schema = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, note: { type: 'string' }, zone: { type: 'string', examples: ['UTC'] } },
    };
    expect(example(schema, 'telling')).toEqual({ id: 'text', zone: 'UTC' });
    expect(example(schema)).toEqual({ id: 'text', note: 'text', zone: 'UTC' });
  });

  test('of a self-referencing schema end', () => {
    const next = { $ref: '#/components/schemas/Node' };
    const Node = { type: 'object', properties: { next, list: { type: 'array', items: next } } };
    const endless = { ...own, components: { ...own.components, schemas: { Node } } };
    expect(JSON.stringify(exampleOf(endless, next)).length).toBeLessThan(100_000);
  });
});

test.each(operations)('the first draft of $operationId is a request', (each) => {
  const draft = firstDraft(own, each);
  const problems = problemsIn(own, each, draft);
  expect(problems).not.toContain('json');
  const { url, headers } = planOf(own, each, draft, each.proofs[0] ?? null);
  expect(url).toContain(each.path);
  expect(headers.map(([name]) => name.toLowerCase())).not.toContain('authorization');
  if (each.requestBody?.content['application/json']) expect(JSON.parse(draft.json)).toBeTypeOf('object');
});

test('parameters become path, query and headers', () => {
  const draft = draftOf('repostActivity', {
    parameters: { 'path.id': 'a/b c', 'query.limit': '5', 'query.cursor': '' },
  });
  expect(planOf(own, operation('repostActivity'), draft, 'session')).toEqual({
    method: 'GET',
    url: '/api/v1/repost/a%2Fb%20c/activity?limit=5',
    headers: [['X-Reelay-CSRF', '1']],
    origin: null,
    body: { kind: 'none' },
    proof: 'session',
  });
  const sent = planOf(
    own,
    operation('createPost'),
    draftOf('createPost', {
      parameters: { 'header.Idempotency-Key': 'k$&' },
      fields: { platforms: '["a"]', fit: '' },
      files: { video: null },
    }),
    'apiKey',
  );
  expect(sent.headers).toEqual([['Idempotency-Key', 'k$&']]);
  expect(sent.body).toEqual({ kind: 'form', fields: [['platforms', '["a"]']] });
});

test('invalid JSON and missing values are found before sending', () => {
  expect(problemsIn(own, operation('getPost'), draftOf('getPost'))).toEqual(['path.id']);
  expect(problemsIn(own, operation('createPost'), draftOf('createPost'))).toEqual(['field.platforms']);
  expect(problemsIn(own, operation('addRepost'), draftOf('addRepost', { json: '{' }))).toEqual(['json']);
  expect(
    problemsIn(own, operation('retryPost'), draftOf('retryPost', { json: '', parameters: { 'path.id': 'x' } })),
  ).toEqual([]);
});

describe('curl', () => {
  test('the shell reads any quoted text literally', () => {
    const text = fc.string({ unit: 'binary' }).filter((each) => !each.includes('\0'));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 60 }), (texts) => {
        const script = `printf '%s\\0' ${texts.map(shellQuote).join(' ')}`;
        const read = execFileSync('/bin/sh', ['-c', script]).toString();
        expect(read).toBe(Buffer.from(`${texts.join('\0')}\0`).toString());
      }),
      { numRuns: 40 },
    );
  });

  test('a request is a command without the key', () => {
    const draft = draftOf('setApplication', { parameters: { 'path.name': "o'x" }, json: `{"clientId":"it's"}` });
    expect(curlOf(planOf(own, operation('setApplication'), draft, 'apiKey'))).toBe(
      [
        `curl --request PUT '/api/v1/platform/setup/o'\\''x'`,
        `  --header "Authorization: Bearer $REELAY_API_KEY"`,
        `  --header 'Content-Type: application/json'`,
        `  --data-raw '{"clientId":"it'\\''s"}'`,
      ].join(' \\\n'),
    );
  });

  test('signing out names the origin, as browsers do', () => {
    const signOut = { ...operation('signOut'), server: 'https://reelay.example:8443/' };
    const command = (proof: 'session' | null) => curlOf(planOf(own, signOut, draftOf('signOut'), proof));
    expect(command('session')).toContain(`--header 'Origin: https://reelay.example:8443'`);
    expect(command('session')).toContain(`--header 'X-Reelay-CSRF: 1'`);
    expect(command(null)).not.toContain('Origin');
    expect(curlOf(planOf(own, operation('signOut'), draftOf('signOut'), 'session'))).not.toContain('Origin');
  });

  test('forms, files and sessions have options of their own', () => {
    const video = new File(['v'], 'a "b",c.mp4');
    const form = draftOf('createPost', { fields: { platforms: '@["a"]' }, files: { video } });
    const command = curlOf(planOf(own, operation('createPost'), form, 'session'));
    expect(command).toContain(`--cookie "$REELAY_COOKIE"`);
    expect(command).toContain(`--header 'X-Reelay-CSRF: 1'`);
    expect(command).toContain(`--form-string 'platforms=@["a"]'`);
    expect(command).toContain(`--form 'video=@"a \\"b\\",c.mp4"'`);
    const piece = planOf(own, operation('sendUpload'), draftOf('sendUpload', { files: { '': video } }), 'apiKey');
    expect(curlOf(piece)).toContain(`--data-binary '@a "b",c.mp4'`);
    expect(curlOf(planOf(own, operation('getUpload'), draftOf('getUpload'), null))).toContain('curl --head');
  });
});

describe('calls of the SDK', () => {
  /** What every parameter and field is set to. */
  function filled(id: string): Draft {
    const { parameters = [] } = operation(id);
    const values = parameters.map(({ in: place, name, schema }) => [
      `${place}.${name}`,
      schema.type === 'integer' ? '2' : "it's X",
    ]);
    return draftOf(id, {
      parameters: Object.fromEntries(values) as Record<string, string>,
      fields: { platforms: '["a"]', videoUrl: 'https://x.example/v.mp4', scheduled: '1785576600000' },
    });
  }

  const known = operations.filter((each) => callOf(each, filled(each.operationId)) !== null);

  test('exist for the operations of keys, except pausing and uploads', () => {
    const missing = operations.filter((each) => each.proofs.includes('apiKey') && !known.includes(each));
    expect(missing.map(({ operationId }) => operationId)).toEqual([
      'createUpload',
      'getUpload',
      'sendUpload',
      'deleteUpload',
      'pauseRepost',
    ]);
  });

  test.each(known)('$operationId is requested by its call', async (each) => {
    const seen: string[] = [];
    const client = createClient({
      baseUrl: 'https://reelay.example',
      apiKey: 'rly_key',
      fetch: async (input, init) => {
        seen.push(`${init?.method} ${new URL(String(input)).pathname}`);
        return Response.json({ success: true, data: { data: [], result: [] } });
      },
    });
    const call = callOf(each, filled(each.operationId));
    await new Function('client', `return client.${call}`)(client);
    const path = each.path.replaceAll(/\{\w+\}/g, encodeURIComponent("it's X"));
    expect(seen).toEqual([`${each.method} /api/v1${path}`]);
  });

  test('a program is complete, and has no key', () => {
    expect(programOf(operation('getPost'), draftOf('getPost'), 'https://reelay.example')).toBe(
      `import { createClient } from '@reelay/sdk/node';

const client = createClient({
  baseUrl: 'https://reelay.example',
  apiKey: process.env.REELAY_API_KEY,
});
const result = await client.posts.get('ID');`,
    );
    expect(programOf(operation('addRepost'), draftOf('addRepost', { json: '{' }), 'https://x')).toBeNull();
    expect(callOf(operation('retryPost'), draftOf('retryPost', { json: '{}' }))).toBe("posts.retry('ID', {})");
    expect(callOf(operation('listHistory'), draftOf('listHistory'))).toBe('posts.history()');
  });
});
