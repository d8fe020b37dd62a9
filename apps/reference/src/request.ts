/** What a reader entered, as a request. Pure functions. */
import { type ApiDocument, type JsonSchema, type Parameter, resolve } from './document.ts';
import { exampleOf } from './example.ts';
import type { Operation, Proof } from './operations.ts';

/** What a reader entered. */
export interface Draft {
  /** By place and name: `path.id`. */
  parameters: Readonly<Record<string, string>>;
  /** The body, if it is JSON. */
  json: string;
  /** Fields of a form. */
  fields: Readonly<Record<string, string>>;
  /** Files of a form by field, or the whole body as `''`. */
  files: Readonly<Record<string, File | null>>;
}

export type RequestBody =
  | { kind: 'none' }
  | { kind: 'json'; text: string }
  | { kind: 'form'; fields: readonly (readonly [name: string, value: string | File])[] }
  | { kind: 'file'; type: string; file: File | null };

export interface RequestPlan {
  method: string;
  /** The base URL of the document, with path and query. */
  url: string;
  /** Without authentication, and without the origin. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Needed with a session, and sent by browsers without being asked for. null: not needed. */
  origin: string | null;
  body: RequestBody;
  proof: Proof | null;
}

/** Headers that are sent without being asked for. */
const AUTOMATIC = ['x-reelay-csrf', 'origin'];

/** The parameters that a reader can enter. */
export function enterable({ parameters = [] }: Pick<Operation, 'parameters'>): Parameter[] {
  return parameters.filter((each) => each.in !== 'header' || !AUTOMATIC.includes(each.name.toLowerCase()));
}

export const keyOf = ({ in: place, name }: Parameter) => `${place}.${name}`;

/** A field of a form, of which the reader enters text, chooses a value or a file. */
export interface FormField {
  name: string;
  isRequired: boolean;
  isFile: boolean;
  values: readonly string[];
  example: string;
}

const FORM = 'multipart/form-data';

/** The type of the body and its fields, if it is a form; null without a body. */
export function bodyOf(document: ApiDocument, { requestBody }: Operation) {
  const [[type = '', media] = []] = Object.entries(requestBody?.content ?? {});
  if (!media) return null;
  const { schema } = resolve(document, media.schema);
  const required = schema.required ?? [];
  const fields = Object.entries(type === FORM ? (schema.properties ?? {}) : {}).map(
    ([name, each]): FormField => ({
      name,
      isRequired: required.includes(name),
      isFile: each.format === 'binary',
      values: (each.enum ?? []).map(String),
      example: String(each.examples?.[0] ?? ''),
    }),
  );
  return { type, schema: media.schema, fields };
}

/** What the form contains at first: constants, and an example as the body. */
export function firstDraft(document: ApiDocument, operation: Operation): Draft {
  const constants = enterable(operation).flatMap((each) =>
    each.schema.const === undefined ? [] : [[keyOf(each), String(each.schema.const)] as const],
  );
  const body = bodyOf(document, operation);
  const json = body?.type === 'application/json' ? exampleText(document, body.schema) : '';
  return { parameters: Object.fromEntries(constants), json, fields: {}, files: {} };
}

const exampleText = (document: ApiDocument, schema: JsonSchema) =>
  JSON.stringify(exampleOf(document, schema, 'telling'), null, 2);

/** Keys of required parameters and form fields that are empty, and `json` if the body is not JSON. */
export function problemsIn(document: ApiDocument, operation: Operation, draft: Draft): string[] {
  const parameters = enterable(operation)
    .filter((each) => each.required && !draft.parameters[keyOf(each)])
    .map(keyOf);
  const body = bodyOf(document, operation);
  const fields = (body?.fields ?? [])
    .filter(({ name, isRequired }) => isRequired && !draft.fields[name] && !draft.files[name])
    .map(({ name }) => `field.${name}`);
  const isBroken = body?.type === 'application/json' && draft.json.trim() !== '' && !isJson(draft.json);
  return [...parameters, ...fields, ...(isBroken ? ['json'] : [])];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Parameters in the path that are empty keep their braces. */
export function planOf(document: ApiDocument, operation: Operation, draft: Draft, proof: Proof | null): RequestPlan {
  const entered = enterable(operation).flatMap((each) => {
    const value = draft.parameters[keyOf(each)];
    return value === undefined || value === '' ? [] : [{ name: each.name, in: each.in, value }];
  });
  const of = (place: Parameter['in']) => entered.filter((each) => each.in === place);
  let path = operation.path;
  for (const { name, value } of of('path')) path = path.replace(`{${name}}`, () => encodeURIComponent(value));
  const query = of('query').map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const search = query.length > 0 ? `?${query.join('&')}` : '';
  const headers = of('header').map(({ name, value }) => [name, value] as const);
  const bySession = proof === 'session';
  const declaresOrigin = operation.parameters?.some((each) => each.name.toLowerCase() === 'origin') ?? false;
  return {
    method: operation.method,
    url: operation.server.replace(/\/$/, '') + path + search,
    headers: bySession ? [...headers, ['X-Reelay-CSRF', '1']] : headers,
    origin: bySession && declaresOrigin ? originOf(operation.server) : null,
    body: planBody(document, operation, draft),
    proof,
  };
}

/** null for a server that is only a path, as in the document of the repository. */
const originOf = (server: string) => (URL.canParse(server) ? new URL(server).origin : null);

function planBody(document: ApiDocument, operation: Operation, draft: Draft): RequestBody {
  const body = bodyOf(document, operation);
  if (!body) return { kind: 'none' };
  if (body.type === 'application/json')
    return draft.json.trim() === '' ? { kind: 'none' } : { kind: 'json', text: draft.json };
  if (body.type !== FORM) return { kind: 'file', type: body.type, file: draft.files[''] ?? null };
  const fields = body.fields.flatMap(({ name }) => {
    const value = draft.files[name] ?? draft.fields[name];
    return value ? [[name, value] as const] : [];
  });
  return { kind: 'form', fields };
}
