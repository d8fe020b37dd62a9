/** Compares two OpenAPI documents and finds changes that break clients of the older one. */
import { resolveResponse } from '../../src/http/openapi/responses.ts';
import type { JsonSchema, OpenApiDocument, OperationObject } from '../../src/http/openapi/types.ts';

/** What is compared of a document. */
type Compared = Pick<OpenApiDocument, 'paths' | 'components'>;

/** Returns one sentence per breaking change; additions are compatible. */
export function breakingChanges(older: Compared, newer: Compared): string[] {
  const found: string[] = [];
  for (const [path, methods] of Object.entries(older.paths))
    for (const [method, before] of Object.entries(methods)) {
      const where = `${method.toUpperCase()} ${path}`;
      const after = newer.paths[path]?.[method];
      if (!after) found.push(`${where} is gone.`);
      else found.push(...compareOperations(where, [older, before], [newer, after]));
    }
  return found;
}

type Side = [Compared, OperationObject];

function compareOperations(where: string, [older, before]: Side, [newer, after]: Side): string[] {
  const found: string[] = [];
  if (before.operationId !== after.operationId) found.push(`${where} has another operationId.`);
  const schemes = (operation: OperationObject) => operation.security.flatMap((each) => Object.keys(each));
  for (const scheme of schemes(before))
    if (after.security.length > 0 && !schemes(after).includes(scheme))
      found.push(`${where} no longer takes ${scheme}.`);
  if (before.security.length === 0 && after.security.length > 0) found.push(`${where} now needs a proof of who calls.`);

  const known = new Map((before.parameters ?? []).map((each) => [`${each.in} ${each.name}`, each]));
  for (const parameter of after.parameters ?? []) {
    const was = known.get(`${parameter.in} ${parameter.name}`);
    known.delete(`${parameter.in} ${parameter.name}`);
    if (parameter.required && !was?.required)
      found.push(`${where} now needs the ${parameter.in} parameter ${parameter.name}.`);
    if (was) {
      const name = `${where} parameter ${parameter.name}`;
      found.push(...compareSchemas(name, 'sent', [older, was.schema], [newer, parameter.schema]));
    }
  }
  for (const gone of known.keys()) found.push(`${where} no longer knows the parameter ${gone}.`);

  for (const [type, { schema }] of Object.entries(before.requestBody?.content ?? {})) {
    const now = after.requestBody?.content[type];
    if (!now) found.push(`${where} no longer takes ${type}.`);
    else found.push(...compareSchemas(`${where} body`, 'sent', [older, schema], [newer, now.schema]));
  }
  if (after.requestBody?.required && !before.requestBody?.required) found.push(`${where} now needs a body.`);

  for (const [status, documented] of Object.entries(before.responses)) {
    const next = after.responses[status];
    if (!next) {
      if (status.startsWith('2')) found.push(`${where} no longer answers ${status}.`);
      continue;
    }
    const [response, now] = [resolveResponse(older, documented), resolveResponse(newer, next)];
    for (const header of Object.keys(response.headers))
      if (!(header in now.headers)) found.push(`${where} ${status} no longer has the header ${header}.`);
    for (const [type, { schema }] of Object.entries(response.content ?? {})) {
      const media = now.content?.[type];
      if (!media) found.push(`${where} ${status} is no longer ${type}.`);
      else found.push(...compareSchemas(`${where} ${status}`, 'received', [older, schema], [newer, media.schema]));
    }
  }
  return found;
}

type Part = [Compared, JsonSchema];

/** @param way `sent`: requirements may only be relaxed; `received`: content may only be added */
function compareSchemas(where: string, way: 'sent' | 'received', older: Part, newer: Part, depth = 0): string[] {
  // Our schemas are not recursive; the limit only prevents a hanging test.
  if (depth > 12) return [];
  const before = resolve(older);
  const after = resolve(newer);
  const found: string[] = [];
  const types = (schema: JsonSchema) => alternatives(schema).map((each) => String(each.type ?? typeof each.const));
  const lost = way === 'sent' ? missing(types(before), types(after)) : missing(types(after), types(before));
  if (lost.length > 0) found.push(`${where} changed its type: ${lost.join(', ')}.`);
  if (Array.isArray(before.enum) && Array.isArray(after.enum)) {
    const values = (schema: JsonSchema) => (schema.enum as unknown[]).map(String);
    if (way === 'sent')
      for (const value of missing(values(before), values(after))) found.push(`${where} no longer takes ${value}.`);
  }
  if (way === 'sent') found.push(...tightened(where, before, after));

  const properties = (schema: JsonSchema) => (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = (schema: JsonSchema) => (schema.required ?? []) as string[];
  for (const [name, property] of Object.entries(properties(before))) {
    const next = properties(after)[name];
    const inner = `${where}.${name}`;
    if (!next) found.push(`${inner} is gone.`);
    else found.push(...compareSchemas(inner, way, [older[0], property], [newer[0], next], depth + 1));
  }
  if (way === 'sent')
    for (const name of missing(required(after), required(before))) found.push(`${where} now needs ${name}.`);
  if (way === 'received')
    for (const name of missing(required(before), required(after))) found.push(`${where}.${name} may now be absent.`);
  if (before.items && after.items)
    found.push(
      ...compareSchemas(
        `${where}[]`,
        way,
        [older[0], before.items as JsonSchema],
        [newer[0], after.items as JsonSchema],
        depth + 1,
      ),
    );
  return found;
}

/** Groups of properties of which one is required; null if the schema has none. */
function groups(schema: JsonSchema, key: 'anyOf' | 'oneOf'): string[] | null {
  if (schema.type === undefined || !Array.isArray(schema[key])) return null;
  return (schema[key] as JsonSchema[]).map(({ required }) => JSON.stringify(required));
}

/** Constraints on request schemas may only be relaxed. */
function tightened(where: string, before: JsonSchema, after: JsonSchema): string[] {
  const found: string[] = [];
  if (after.pattern !== undefined && after.pattern !== before.pattern) found.push(`${where} has another pattern.`);
  if (after.additionalProperties === false && before.additionalProperties !== false)
    found.push(`${where} no longer takes other properties.`);
  for (const key of ['anyOf', 'oneOf'] as const) {
    const now = groups(after, key);
    const was = groups(before, key) ?? (key === 'anyOf' ? groups(before, 'oneOf') : null);
    if (now && (!was || missing(was, now).length > 0)) found.push(`${where} now needs one of ${now.join(', ')}.`);
  }
  return [...found, ...narrowed(where, before, after)];
}

function narrowed(where: string, before: JsonSchema, after: JsonSchema): string[] {
  const number = (schema: JsonSchema, key: string, absent: number) =>
    typeof schema[key] === 'number' ? (schema[key] as number) : absent;
  return [
    ...['minimum', 'minLength', 'minItems'].filter(
      (key) => number(after, key, -Infinity) > number(before, key, -Infinity),
    ),
    ...['maximum', 'maxLength', 'maxItems'].filter(
      (key) => number(after, key, Infinity) < number(before, key, Infinity),
    ),
  ].map((key) => `${where} has a narrower ${key}.`);
}

function resolve([document, schema]: Part): JsonSchema {
  const name = String(schema.$ref ?? '')
    .split('/')
    .at(-1);
  const target = name ? document.components.schemas[name] : undefined;
  const own = target ? { ...target, ...schema } : schema;
  if (!Array.isArray(own.allOf)) return own;
  return own.allOf.reduce<JsonSchema>((all, part) => merge(all, resolve([document, part as JsonSchema])), own);
}

function merge(one: JsonSchema, other: JsonSchema): JsonSchema {
  return {
    ...one,
    ...other,
    properties: { ...(one.properties as JsonSchema), ...(other.properties as JsonSchema) },
    required: [...((one.required as string[]) ?? []), ...((other.required as string[]) ?? [])],
  };
}

function alternatives(schema: JsonSchema): JsonSchema[] {
  // Beside a type, anyOf and oneOf only specify required combinations of properties.
  if (schema.type !== undefined) return [schema];
  return ((schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined) ?? [schema];
}

function missing(wanted: readonly string[], there: readonly string[]): string[] {
  return wanted.filter((each) => !there.includes(each));
}
