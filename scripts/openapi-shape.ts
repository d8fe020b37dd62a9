/** What of the OpenAPI document must stay as released: no texts, no examples. */
import type { JsonSchema, OpenApiDocument } from '../packages/server/src/http/openapi/types.ts';

/** Values of these keys are texts for people, unless the key is the name of a property. */
const TEXTS = new Set(['description', 'summary', 'title', 'example', 'examples', 'tags', 'info']);
/** Keys of these objects are names. */
const NAMED = new Set(['properties', 'paths', 'schemas', 'responses', 'headers', 'securitySchemes', 'content']);

/** Returns the document without texts and examples. `breakingChanges` compares it as it compares the document. */
export function shapeOf({ paths, components }: OpenApiDocument): Pick<OpenApiDocument, 'paths' | 'components'> {
  const { schemas, responses } = components;
  const shape = { paths, components: { securitySchemes: {}, headers: {}, examples: {}, schemas, responses } };
  return withoutTexts(shape, false) as typeof shape;
}

/** Writes the shape with one line for each operation and each component, so that differences are easy to read. */
export function shapeText({ paths, components }: ReturnType<typeof shapeOf>): string {
  const object = (members: readonly string[], depth: number) => {
    const indent = '  '.repeat(depth);
    return members.length === 0 ? '{}' : `{\n${members.map((each) => `${indent}  ${each}`).join(',\n')}\n${indent}}`;
  };
  const members = (record: object) =>
    Object.entries(record).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const operations = Object.entries(paths).map(
    ([path, methods]) => `${JSON.stringify(path)}: ${object(members(methods), 2)}`,
  );
  const parts = Object.entries(components).map(
    ([name, part]) => `${JSON.stringify(name)}: ${object(members(part), 2)}`,
  );
  return `${object([`"paths": ${object(operations, 1)}`, `"components": ${object(parts, 1)}`], 0)}\n`;
}

function withoutTexts(value: unknown, isNamed: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each, false));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonSchema)
      .filter(([key]) => isNamed || !TEXTS.has(key))
      .map(([key, inner]) => [key, withoutTexts(inner, !isNamed && NAMED.has(key))]),
  );
}
