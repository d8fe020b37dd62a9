import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ApiDocument, JsonSchema } from '../src/document.ts';
import { parseMarkdown } from '../src/markdown.ts';
import { groupsOf, searchGroups, warningOf } from '../src/operations.ts';
import { codesOf } from '../src/response.ts';
import { isRecursive, rowOf, rowsOf, type SchemaRow } from '../src/schema.ts';

const own = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as ApiDocument;
const operations = groupsOf(own).flatMap((group) => group.operations);

/** A document with these components. */
const withSchemas = (schemas: Record<string, JsonSchema>): ApiDocument => ({
  ...own,
  components: { ...own.components, schemas },
});

const row = (schema: JsonSchema, schemas: Record<string, JsonSchema> = {}) =>
  rowOf(withSchemas(schemas), schema, { name: 'x', isRequired: false, trail: [] });

describe('types', () => {
  const Pet: JsonSchema = { type: 'object', properties: { name: { type: 'string' } } };
  const Color: JsonSchema = { type: 'string', enum: ['red', 'blue'] };
  test.each<[JsonSchema, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'string', format: 'binary' }, 'file'],
    [{ const: '1.0.0' }, 'string'],
    [{}, 'any'],
    [{ $ref: '#/components/schemas/Pet' }, 'Pet'],
    [{ $ref: '#/components/schemas/Color' }, 'Color'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Pet' } }, 'Pet[]'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer | null'],
    [{ anyOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'null' }] }, 'Pet | null'],
    [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, 'integer | string'],
    [{ oneOf: [{ type: 'integer' }, { $ref: '#/components/schemas/Pet' }, { type: 'null' }] }, 'integer | Pet | null'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'object'],
  ])('%j is %s', (schema, type) => {
    expect(row(schema, { Pet, Color }).type).toBe(type);
  });
});

test('properties are rows with their limits, values and examples', () => {
  const schema: JsonSchema = {
    type: 'object',
    required: ['count'],
    properties: {
      count: { type: 'integer', minimum: 1, maximum: 50, default: 10, description: 'How many.' },
      big: { type: 'integer', maximum: Number.MAX_SAFE_INTEGER },
      zone: { anyOf: [{ type: 'string', examples: ['Europe/Berlin'], pattern: '^[^\\u0000]*$' }, { type: 'null' }] },
      at: { type: 'string', format: 'date-time', pattern: '^long$' },
      clock: { type: 'string', pattern: '^\\d$' },
      fit: { type: 'string', enum: ['pad', 'crop'] },
      tags: { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 5 } },
    },
  };
  const shown = rowsOf(withSchemas({}), schema).map(({ children: _, trail: __, ...rest }) => rest);
  const plain = { isRequired: false, description: '', limits: [], values: [], fallback: null, example: null };
  const leaf = { ...plain, isObject: false, hasChildren: false };
  expect(shown).toEqual([
    {
      ...leaf,
      name: 'count',
      type: 'integer',
      isRequired: true,
      description: 'How many.',
      limits: [
        { kind: 'min', value: 1 },
        { kind: 'max', value: 50 },
      ],
      fallback: '10',
    },
    { ...leaf, name: 'big', type: 'integer' },
    { ...leaf, name: 'zone', type: 'string | null', example: 'Europe/Berlin' },
    { ...leaf, name: 'at', type: 'string', limits: [{ kind: 'format', value: 'date-time' }] },
    { ...leaf, name: 'clock', type: 'string', limits: [{ kind: 'pattern', value: '^\\d$' }] },
    { ...leaf, name: 'fit', type: 'string', values: ['"pad"', '"crop"'] },
    {
      ...leaf,
      name: 'tags',
      type: 'string[]',
      limits: [
        { kind: 'maxItems', value: 3 },
        { kind: 'maxLength', value: 5 },
      ],
    },
  ]);
});

test('maps, lists and alternatives open into their parts', () => {
  const names = (schema: JsonSchema) =>
    row(schema)
      .children()
      .map(({ name, type }) => [name, type]);
  const object: JsonSchema = { type: 'object', properties: { a: { type: 'number' } } };
  expect(names({ type: 'object', additionalProperties: object })).toEqual([['*', 'object']]);
  expect(names({ type: 'array', items: object })).toEqual([['a', 'number']]);
  expect(names({ anyOf: [object, { type: 'null' }] })).toEqual([['a', 'number']]);
  expect(names({ anyOf: [object, { type: 'string' }] })).toEqual([
    [null, 'object'],
    [null, 'string'],
  ]);
  expect(names({ allOf: [object, { properties: { b: { type: 'string' } } }] })).toEqual([
    ['a', 'number'],
    ['b', 'string'],
  ]);
});

test('alternatives that only require fields are no types', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  };
  expect(rowsOf(withSchemas({}), schema).map(({ name }) => name)).toEqual(['a', 'b']);
});

test('a self-referencing schema is marked and ends there', () => {
  const schemas: Record<string, JsonSchema> = {
    Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' }, leaf: { type: 'string' } } },
  };
  const [first] = rowsOf(withSchemas(schemas), { $ref: '#/components/schemas/Node' });
  expect(first?.type).toBe('Node');
  expect(isRecursive(first?.trail ?? [])).toBe(true);
  expect(first?.children().map(({ name }) => name)).toEqual(['next', 'leaf']);
});

test('a reference to nothing is shown as any', () => {
  expect(row({ $ref: '#/components/schemas/constructor' })).toMatchObject({ type: 'any', hasChildren: false });
});

/** All rows, except below a component that is open already. */
function allRows(rows: readonly SchemaRow[]): SchemaRow[] {
  return rows.flatMap((each) => [
    each,
    ...(each.hasChildren && !isRecursive(each.trail) ? allRows(each.children()) : []),
  ]);
}

test.each(operations)('rows of $operationId have types and open into rows', ({ requestBody, responses }) => {
  const bodies = [requestBody, ...Object.values(responses)].flatMap((each) => Object.values(each?.content ?? {}));
  const rows = allRows(bodies.flatMap(({ schema }) => rowsOf(own, schema)));
  for (const each of rows) {
    expect(each.type).not.toMatch(/undefined|^$/);
    if (each.hasChildren) expect(each.children().length, each.name ?? each.type).toBeGreaterThan(0);
    expect(each.description).not.toContain('undefined');
  }
  if (bodies.length > 0) expect(rows.length).toBeGreaterThan(0);
});

test('operations are grouped, and those of keys come first', () => {
  const groups = groupsOf(own);
  expect(operations.length).toBe(Object.values(own.paths).flatMap((methods) => Object.keys(methods)).length);
  const order = groups.map(({ isSessionOnly }) => isSessionOnly);
  expect(order).toEqual([...order].sort());
  expect(groups.find(({ name }) => name === 'Posts')?.isSessionOnly).toBe(false);
  expect(groups.find(({ name }) => name === 'Dashboard')?.isSessionOnly).toBe(true);
  expect(operations.find(({ operationId }) => operationId === 'getPost')?.proofs).toEqual(['apiKey', 'session']);
  expect(operations.find(({ operationId }) => operationId === 'signIn')?.proofs).toEqual([]);
});

test('a search finds operations that contain every word', () => {
  const found = (text: string) =>
    searchGroups(groupsOf(own), text).flatMap((group) => group.operations.map(({ operationId }) => operationId));
  expect(found('  CANCEL schedule ')).toContain('cancelSchedule');
  expect(found('/post/{id} delete')).toEqual(['deletePost']);
  expect(found('nowhere-to-be-found')).toEqual([]);
  expect(found(' ')).toHaveLength(operations.length);
});

test('every operation that ends, deletes or publishes warns', () => {
  const warned = (kind: string) =>
    operations.filter((each) => warningOf(each) === kind).map(({ operationId }) => operationId);
  expect(warned('destroys')).toEqual(
    expect.arrayContaining(['deletePost', 'cancelSchedule', 'generateApiKey', 'deleteRepost', 'disconnectAccount']),
  );
  expect(warned('publishes')).toEqual(['createPost', 'retryPost', 'tryNow', 'repostItem']);
  expect(operations.filter(({ method }) => method === 'DELETE').map(warningOf)).not.toContain(null);
});

test('an error response lists its codes with their meaning', () => {
  const post = operations.find(({ operationId }) => operationId === 'createPost');
  expect(codesOf(own, post?.responses['404'] ?? { description: '' })).toEqual([
    { code: 'unknown_upload', message: 'Upload not found.' },
    { code: 'unknown_platform', message: 'Connected account not found.' },
  ]);
});

describe('descriptions', () => {
  test('have paragraphs, lists, code and addresses', () => {
    expect(parseMarkdown('See https://tus.io/x. Use `a`,\nand `b`.\n\n- one\n- `two`')).toEqual([
      {
        kind: 'paragraph',
        content: [
          { kind: 'text', text: 'See ' },
          { kind: 'link', text: 'https://tus.io/x' },
          { kind: 'text', text: '. Use ' },
          { kind: 'code', text: 'a' },
          { kind: 'text', text: ',\nand ' },
          { kind: 'code', text: 'b' },
          { kind: 'text', text: '.' },
        ],
      },
      { kind: 'list', items: [[{ kind: 'text', text: 'one' }], [{ kind: 'code', text: 'two' }]] },
    ]);
  });

  test('keep what is not understood', () => {
    const text = '`a <b>x</b> [l](javascript:alert(1)) http://x';
    expect(parseMarkdown(text)).toEqual([{ kind: 'paragraph', content: [{ kind: 'text', text }] }]);
  });

  test('of the document use no other formatting', () => {
    const texts = JSON.stringify(own).matchAll(/"description":"((?:[^"\\]|\\.)*)"/g);
    for (const [, text = ''] of texts) {
      const outside = (JSON.parse(`"${text}"`) as string).replaceAll(/`[^`]*`/g, '');
      expect(outside).not.toMatch(/\*\*|\]\(|^#|^\d+\. |^\|/m);
    }
  });
});
