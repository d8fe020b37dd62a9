/** Makes an example of a schema. */
import { type ApiDocument, type JsonSchema, resolve } from './document.ts';

/** Which optional properties an example has: all, or only those with an example of their own. */
export type Extent = 'all' | 'telling';

/** A component that contains itself ends here. */
const MAX_DEPTH = 8;

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b',
  'date-time': '2026-08-01T09:30:00.000Z',
  uri: 'https://example.com/',
  binary: '',
};

/** A value that the schema accepts, as far as it has no pattern without an example. */
export function exampleOf(document: ApiDocument, given: JsonSchema, extent: Extent = 'all', depth = 0): unknown {
  const { schema } = resolve(document, given);
  const example = schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.[0];
  if (example !== undefined) return example;
  if (schema.allOf) {
    const parts = schema.allOf.map((each) => exampleOf(document, each, extent, depth + 1));
    return Object.assign({}, ...parts) as unknown;
  }
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const [option] = options.filter((each) => resolve(document, each).schema.type !== 'null');
  if (option && !schema.properties) return exampleOf(document, option, extent, depth);
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  switch (types.find((type) => type !== 'null') ?? (schema.properties ? 'object' : 'any')) {
    case 'object':
      return objectOf(document, schema, extent, depth);
    case 'array':
      return depth < MAX_DEPTH && schema.items ? [exampleOf(document, schema.items, extent, depth + 1)] : [];
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return false;
    default:
      return null;
  }
}

function objectOf(document: ApiDocument, schema: JsonSchema, extent: Extent, depth: number): Record<string, unknown> {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const isShown = ([name, each]: [string, JsonSchema]) =>
    required.includes(name) ||
    (depth < MAX_DEPTH && (extent === 'all' || (depth === 0 && resolve(document, each).schema.examples !== undefined)));
  const entries = Object.entries(properties)
    .filter(isShown)
    .map(([name, each]) => [name, exampleOf(document, each, extent, depth + 1)] as const);
  const others = typeof additionalProperties === 'object' && extent === 'all' && depth < MAX_DEPTH;
  const key = propertyNames ? String(exampleOf(document, propertyNames, extent, depth + 1)) : 'name';
  return Object.fromEntries(
    others ? [...entries, [key, exampleOf(document, additionalProperties, extent, depth + 1)]] : entries,
  );
}

function textOf({ format, minLength = 0 }: JsonSchema): string {
  const text = (format === undefined ? undefined : BY_FORMAT[format]) ?? 'text';
  return text.padEnd(minLength, 'x');
}

function numberOf({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
  const number = Math.max(0, least);
  const most = maximum ?? number;
  return type === 'number' && most < number ? most : Math.min(number, most);
}
