/** Turns JSON Schema into the rows of a tree. Pure functions; what a row contains is computed when it is opened. */
import { type ApiDocument, type JsonSchema, resolve } from './document.ts';

export type Limit =
  | { kind: 'min' | 'max' | 'above' | 'below'; value: number }
  | { kind: 'minLength' | 'maxLength' | 'minItems' | 'maxItems'; value: number }
  | { kind: 'pattern' | 'format'; value: string };

/** A property, a parameter, a value, or one of its alternatives. */
export interface SchemaRow {
  /** Null for an item or an alternative. */
  name: string | null;
  /** In TypeScript: `Post[]`, `string | null`. */
  type: string;
  isRequired: boolean;
  description: string;
  limits: Limit[];
  /** The allowed values, as JSON. */
  values: string[];
  /** As JSON, or null. */
  fallback: string | null;
  example: string | null;
  /** Names of the components that lead to this row; a name that comes twice is a recursion. */
  trail: readonly string[];
  /** Whether its children are properties. */
  isObject: boolean;
  /** Whether `children` returns rows. */
  hasChildren: boolean;
  children(): SchemaRow[];
}

/** The rows of a body: the properties of an object, or else one row for the value itself. */
export function rowsOf(document: ApiDocument, schema: JsonSchema): SchemaRow[] {
  const row = rowOf(document, schema, { name: null, isRequired: true, trail: [] });
  return row.isObject ? row.children() : [row];
}

interface Place {
  name: string | null;
  isRequired: boolean;
  trail: readonly string[];
}

/** One property, parameter or value. */
export function rowOf(document: ApiDocument, given: JsonSchema, { name, isRequired, trail }: Place): SchemaRow {
  const shape = shapeOf(document, given, trail);
  const { schema, options, item } = shape;
  // What a list contains is shown at the list, unless that has alternatives or is a list itself.
  const inner = item && item.options.length === 0 && !item.item ? item : null;
  const shown = inner ?? shape;
  const children = () => {
    const one = (each: JsonSchema) => rowOf(document, each, { name: null, isRequired: true, trail: shown.trail });
    if (options.length > 0) return options.map(one);
    if (schema.items && !inner) return [one(schema.items)];
    return propertiesOf(document, shown);
  };
  const values = valuesOf(schema);
  return {
    name,
    type: labelOf(document, shape),
    isRequired,
    description: schema.description ?? inner?.schema.description ?? '',
    limits: [...limitsOf(schema), ...(inner ? limitsOf(inner.schema) : [])],
    values: values.length > 0 || !inner ? values : valuesOf(inner.schema),
    fallback: schema.default === undefined ? null : JSON.stringify(schema.default),
    example: exampleIn(schema) ?? (inner && exampleIn(inner.schema)),
    trail: shown.trail,
    isObject: options.length === 0 && !item && hasProperties(schema),
    hasChildren:
      options.length > 0
        ? options.some((each) => !isPlain(document, each, shape.trail))
        : (item !== null && !inner) || hasProperties(shown.schema),
    children,
  };
}

/** A schema without `$ref`, `allOf`, null and single alternatives. */
interface Shape {
  schema: JsonSchema;
  isNullable: boolean;
  /** Two alternatives or more, or none. */
  options: readonly JsonSchema[];
  /** What a list contains. */
  item: Shape | null;
  component: string | null;
  trail: readonly string[];
}

/** A component can be a list of the same component, which would never end. */
const MAX_LISTS = 5;

function shapeOf(document: ApiDocument, given: JsonSchema, trail: readonly string[], lists = 0): Shape {
  const { schema: whole, component, trail: inner } = joined(document, given, trail);
  const { anyOf = [], oneOf = [], ...schema } = whole;
  // An alternative that only requires fields is not a type.
  const typed = [...anyOf, ...oneOf].filter((each) => Object.keys(each).some((key) => key !== 'required'));
  const options = typed.filter((each) => resolve(document, each).schema.type !== 'null');
  const isNullable =
    options.length < typed.length ||
    (Array.isArray(schema.type) && (schema.type as readonly string[]).includes('null'));
  const [only] = options;
  if (only && options.length === 1 && !isRecursive(inner)) {
    const shape = shapeOf(document, only, inner, lists);
    return {
      ...shape,
      schema: { ...shape.schema, ...schema },
      isNullable: isNullable || shape.isNullable,
      component: shape.component ?? component,
    };
  }
  const item = schema.items && lists < MAX_LISTS ? shapeOf(document, schema.items, inner, lists + 1) : null;
  return { schema, isNullable, options, item, component, trail: inner };
}

/** Follows `$ref` and joins the parts of `allOf`. */
function joined(document: ApiDocument, given: JsonSchema, trail: readonly string[]) {
  const { schema, name } = resolve(document, given);
  let inner = name === null ? trail : [...trail, name];
  let component = name;
  const { allOf = [], ...rest } = schema;
  if (allOf.length === 0 || isRecursive(inner)) return { schema: rest, component, trail: inner };
  let all: JsonSchema = {};
  for (const each of [...allOf, rest]) {
    const part = joined(document, each, inner);
    inner = part.trail;
    component ??= part.component;
    const properties = { ...all.properties };
    for (const [key, value] of Object.entries(part.schema.properties ?? {}))
      properties[key] = { ...properties[key], ...value };
    const required = [...(all.required ?? []), ...(part.schema.required ?? [])];
    all = { ...all, ...part.schema, properties, required };
  }
  return { schema: all, component, trail: inner };
}

/** Whether the last component of a trail is already open further up. */
export function isRecursive(trail: readonly string[]): boolean {
  const last = trail.at(-1);
  return last !== undefined && trail.indexOf(last) !== trail.length - 1;
}

/** The type of other properties, if the schema says one. */
function restOf({ additionalProperties: rest }: JsonSchema): JsonSchema | null {
  return typeof rest === 'object' && Object.keys(rest).length > 0 ? rest : null;
}

const hasProperties = (schema: JsonSchema) =>
  Object.keys(schema.properties ?? {}).length > 0 || restOf(schema) !== null;

function propertiesOf(document: ApiDocument, { schema, trail }: Shape): SchemaRow[] {
  const { properties = {}, required = [] } = schema;
  const rest = restOf(schema);
  return [
    ...Object.entries(properties).map(([name, each]) =>
      rowOf(document, each, { name, isRequired: required.includes(name), trail }),
    ),
    ...(rest ? [rowOf(document, rest, { name: '*', isRequired: false, trail })] : []),
  ];
}

/** Whether the label of an alternative says everything about it. */
function isPlain(document: ApiDocument, given: JsonSchema, trail: readonly string[]): boolean {
  const { schema, item } = shapeOf(document, given, trail);
  return !item && !hasProperties(schema) && valuesOf(schema).length === 0 && !schema.description;
}

/** A type in TypeScript. */
function labelOf(document: ApiDocument, shape: Shape): string {
  const label = labelWithoutNull(document, shape);
  return shape.isNullable ? `${label} | null` : label;
}

function labelWithoutNull(document: ApiDocument, { schema, options, item, component, trail }: Shape): string {
  if (options.length > 0) {
    // A component can be one of its own alternatives.
    if (isRecursive(trail)) return component ?? 'any';
    return [...new Set(options.map((each) => labelOf(document, shapeOf(document, each, trail))))].join(' | ');
  }
  if (item) {
    const label = labelOf(document, item);
    return label.includes(' ') ? `(${label})[]` : `${label}[]`;
  }
  if (schema.format === 'binary') return 'file';
  if (component !== null && (schema.properties || schema.enum)) return component;
  if (schema.type === undefined) {
    if (schema.const !== undefined) return typeof schema.const;
    return schema.properties ? 'object' : 'any';
  }
  if (typeof schema.type === 'string') return schema.type;
  return schema.type.filter((type) => type !== 'null').join(' | ');
}

const valuesOf = ({ enum: values, const: only }: JsonSchema): string[] =>
  (values ?? (only === undefined ? [] : [only])).map((each) => JSON.stringify(each));

/** Strings are shown without quotes. */
function exampleIn({ examples }: JsonSchema): string | null {
  const [first] = examples ?? [];
  if (first === undefined) return null;
  return typeof first === 'string' ? first : JSON.stringify(first);
}

/** Limits of what a number or a date can hold say nothing. */
const MAX_TELLING = 8_640_000_000_000_000;
/** Every text has this pattern. */
const NO_NUL = '^[^\\u0000]*$';

function limitsOf(schema: JsonSchema): Limit[] {
  const numbers = [
    ['min', schema.minimum],
    ['max', schema.maximum],
    ['above', schema.exclusiveMinimum],
    ['below', schema.exclusiveMaximum],
    ['minLength', schema.minLength],
    ['maxLength', schema.maxLength],
    ['minItems', schema.minItems],
    ['maxItems', schema.maxItems],
  ] as const;
  const found: Limit[] = numbers.flatMap(([kind, value]) =>
    value === undefined || Math.abs(value) >= MAX_TELLING ? [] : [{ kind, value }],
  );
  if (schema.format !== undefined && schema.format !== 'binary')
    return [...found, { kind: 'format', value: schema.format }];
  if (schema.pattern === undefined || schema.pattern === NO_NUL) return found;
  return [...found, { kind: 'pattern', value: schema.pattern }];
}
