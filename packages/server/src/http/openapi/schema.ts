import { z } from 'zod';
import type { JsonSchema } from './types.ts';

/** Converts a Zod schema to JSON Schema; subschemas with an id become components. */
export function convert(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, JsonSchema>): JsonSchema {
  const converted = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      const { documentedAs } = jsonSchema as { documentedAs?: JsonSchema };
      if (documentedAs) {
        for (const key of Object.keys(jsonSchema)) if (key !== 'description') delete jsonSchema[key];
        Object.assign(jsonSchema, documentedAs);
      }
      if (io === 'input' && isFreeText(jsonSchema)) jsonSchema.pattern = NO_NUL;
      // Responses may gain properties; only request schemas are closed.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as JsonSchema;
  const { $schema: _, $defs, id, ...root } = relink(converted) as JsonSchema & { $defs?: Record<string, JsonSchema> };
  for (const [name, definition] of Object.entries($defs ?? {})) addComponent(schemas, name, definition);
  if (typeof id !== 'string') return root;
  addComponent(schemas, id, root);
  return { $ref: `#/components/schemas/${id}` };
}

/** Text without U+0000. Not every regex dialect can express lone surrogates. */
const NO_NUL = '^[^\\u0000]*$';

function isFreeText(schema: JsonSchema): boolean {
  const bounded = ['pattern', 'enum', 'const', 'format'].some((key) => key in schema);
  return schema.type === 'string' && !bounded;
}

function addComponent(schemas: Record<string, JsonSchema>, name: string, { id: _, ...definition }: JsonSchema): void {
  const known = schemas[name];
  if (known && JSON.stringify(known) !== JSON.stringify(definition))
    throw new Error(`Two different schemas are named ${name}. Rename the one for requests.`);
  schemas[name] = definition;
}

function relink(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relink);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? inner.replace('#/$defs/', '#/components/schemas/') : relink(inner),
    ]),
  );
}
