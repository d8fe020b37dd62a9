/** Makes valid requests of every operation from the OpenAPI document. Wherever an example has an id, the caller chooses. */
import { OPERATIONS, RAWS, SIGN_IN, TAGS } from '../../src/app/operations.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import type { JsonSchema, OperationObject } from '../../src/http/openapi/types.ts';

export interface DocumentedRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

export interface DocumentedOperation {
  id: string;
  /** Whether a request without credentials may succeed. */
  isPublic: boolean;
  /** Whether an API key may not use it. */
  sessionOnly: boolean;
  /** Whether a session needs the CSRF header, or the origin of this service. */
  writes: boolean;
  /** Whether its path names an object. */
  namesObject: boolean;
  /**
   * Makes requests: with all properties and with the required ones, and each id once from `foreign` while the others
   * are from `own`.
   */
  requests(foreign: string, own: string): DocumentedRequest[];
}

const document = openApiDocument(OPERATIONS, { server: '/api/v1', tags: TAGS, raws: RAWS, signIn: SIGN_IN });
const BASE_PATH = document.servers[0]?.url ?? '';
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const BOUNDARY = 'reelay-test-boundary';

export const OPERATIONS_OF_DOCUMENT: DocumentedOperation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => documented(method.toUpperCase(), path, described)),
);

function documented(method: string, path: string, described: OperationObject): DocumentedOperation {
  const { operationId: id, security, parameters = [] } = described;
  const headers = parameters.filter((each) => each.in === 'header').map(({ name }) => name);
  return {
    id,
    isPublic: security.length === 0 || security.some((each) => Object.keys(each).length === 0),
    sessionOnly: security.length > 0 && !security.some((each) => 'apiKey' in each),
    writes: headers.includes('X-Reelay-CSRF') || (headers.includes('Origin') && method === 'POST'),
    namesObject: path.includes('{'),
    requests: (foreign, own) =>
      unique(
        [true, false].flatMap((whole) =>
          oneForeign((next) => make(method, path, described, { whole, next }), { foreign, own }),
        ),
      ),
  };
}

/** Supplies the next id. */
type NextId = () => string;

/** Repeats a request: with all ids foreign, then with each of them foreign alone. */
function oneForeign(
  request: (next: NextId) => DocumentedRequest,
  { foreign, own }: { foreign: string; own: string },
): DocumentedRequest[] {
  let count = 0;
  const all = request(() => {
    count++;
    return foreign;
  });
  if (count < 2) return [all];
  const alone = Array.from({ length: count }, (_, position) => {
    let at = 0;
    return request(() => (at++ === position ? foreign : own));
  });
  return [all, ...alone];
}

function unique(requests: DocumentedRequest[]): DocumentedRequest[] {
  const texts = new Map(requests.map((each) => [JSON.stringify(each), each]));
  return [...texts.values()];
}

interface Choice {
  /** Whether optional properties are sent too. */
  whole: boolean;
  next: NextId;
}

function make(method: string, path: string, described: OperationObject, choice: Choice): DocumentedRequest {
  const { parameters = [], requestBody, servers } = described;
  const textFor = (schema: JsonSchema) => String(sample(schema, choice));
  const sent = parameters.filter(
    ({ name, schema, required }) => required || hasId(schema) || /^Upload-Length$/.test(name),
  );
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { schema = {} } = parameters.find((each) => each.name === name) ?? {};
    return encodeURIComponent(hasId(schema) ? textFor(schema) : choice.next());
  });
  const query = new URLSearchParams(
    sent.filter((each) => each.in === 'query').map(({ name, schema }): [string, string] => [name, textFor(schema)]),
  );
  const headers = Object.fromEntries(
    sent.filter((each) => each.in === 'header').map(({ name, schema }) => [name.toLowerCase(), textFor(schema)]),
  );
  const address = (servers ? '' : BASE_PATH) + filled + (query.size > 0 ? `?${query}` : '');
  return { method, path: address, headers, ...bodyOf(requestBody, choice, headers) };
}

/** Adds the content type to the headers. */
function bodyOf(
  requestBody: OperationObject['requestBody'],
  choice: Choice,
  headers: Record<string, string>,
): { body?: string | Buffer } {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!type || !content) return {};
  headers['content-type'] = type === 'multipart/form-data' ? `${type}; boundary=${BOUNDARY}` : type;
  const value = sample(content.schema, choice);
  if (type === 'multipart/form-data') return { body: multipart(value as Record<string, unknown>) };
  return { body: type === 'application/json' ? JSON.stringify(value) : String(value) };
}

function multipart(fields: Record<string, unknown>): string {
  const parts = Object.entries(fields).map(([name, value]) => {
    const file = value === BINARY ? '; filename="clip.mp4"\r\ncontent-type: video/mp4' : '';
    return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  });
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

const BINARY = 'not a video';

function resolved(schema: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema;
  const name = schema.$ref.split('/').at(-1) ?? '';
  return document.components.schemas[name] ?? {};
}

const hasId = (schema: JsonSchema) => JSON.stringify(schema.examples ?? '').search(ID) >= 0;

/** A value that the schema allows. */
function sample(given: JsonSchema, choice: Choice): unknown {
  const schema = resolved(given);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(schema.examples)) return withIds(schema.examples[0], choice.next);
  if (schema.type === undefined && Array.isArray(schema.anyOf)) return sample(schema.anyOf[0] as JsonSchema, choice);
  switch (schema.type) {
    case 'object':
      return objectOf(schema, choice);
    case 'array':
      return [sample((schema.items ?? {}) as JsonSchema, choice)];
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, Number(schema.minimum ?? 1)), Number(schema.maximum ?? 1));
    case 'boolean':
      return true;
    default:
      return textOf(schema);
  }
}

function objectOf(schema: JsonSchema, choice: Choice): Record<string, unknown> {
  const required = (schema.required ?? []) as string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const sent = properties.filter(([name, each]) => choice.whole || required.includes(name) || hasId(resolved(each)));
  return Object.fromEntries(sent.map(([name, each]) => [name, sample(each, choice)]));
}

function textOf({ format }: JsonSchema): string {
  if (format === 'binary') return BINARY;
  if (format === 'email') return 'nobody@example.org';
  return 'text';
}

function withIds(example: unknown, next: NextId): unknown {
  return JSON.parse(JSON.stringify(example).replaceAll(ID, () => next()));
}
