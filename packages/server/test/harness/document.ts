/**
 * Validates responses against the OpenAPI document, more strictly than a client would: an undocumented property is a
 * failure.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { OPERATIONS, RAWS, SIGN_IN, TAGS } from '../../src/app/operations.ts';
import { patternOf } from '../../src/http/methods.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { resolveResponse } from '../../src/http/openapi/responses.ts';
import type { JsonSchema, ResponseObject } from '../../src/http/openapi/types.ts';

export interface CheckedResponse {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON. */
  body: unknown;
}

export interface DocumentCheck {
  /**
   * @param path below `/api/v1`
   * @throws Error that describes how the response differs from the document
   */
  check(method: string, path: string, response: CheckedResponse): void;
}

let made: DocumentCheck | null = null;

/** Returns the shared validator. It is stateless, and creating it takes as long as starting a service. */
export function documentCheck(): DocumentCheck {
  made ??= createDocumentCheck();
  return made;
}

function createDocumentCheck(): DocumentCheck {
  const document = openApiDocument(OPERATIONS, { server: '/api/v1', tags: TAGS, raws: RAWS, signIn: SIGN_IN });
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'document', components: closed(document.components) as JsonSchema });
  const validators = new Map<ResponseObject, ValidateFunction>();
  const validatorOf = (response: ResponseObject) => {
    const known = validators.get(response);
    if (known) return known;
    const schema = pointInto(closed(response.content?.['application/json']?.schema ?? {}));
    const made = ajv.compile(schema as JsonSchema);
    validators.set(response, made);
    return made;
  };
  const generic: ResponseObject = {
    description: '',
    headers: {},
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
  const paths = Object.entries(document.paths)
    .map(([path, methods]) => ({ pattern: patternOf(path), parameters: path.split('{').length, methods }))
    .sort((one, other) => one.parameters - other.parameters);

  const checkJson = (where: string, response: ResponseObject, body: unknown) => {
    const validate = validatorOf(response);
    if (!validate(body))
      throw new Error(
        `${where} is not as documented: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body).slice(0, 2_000)}`,
      );
  };
  return {
    check(method, path, { status, headers, body }) {
      const where = `The answer ${status} to ${method} ${path}`;
      if (!headers.get('x-request-id')) throw new Error(`${where} has no X-Request-Id.`);
      const plain = path.split('?', 1)[0] ?? '';
      const found = paths.find(({ pattern }) => pattern.test(plain));
      const operation = found?.methods[method.toLowerCase()] ?? (method === 'HEAD' ? found?.methods.get : undefined);
      if (!operation) {
        if (status === 204 && method === 'OPTIONS') return;
        if ((status === 405) !== (headers.get('allow') !== null)) throw new Error(`${where}: Allow belongs to 405.`);
        if (method !== 'HEAD') checkJson(where, generic, body);
        return;
      }
      if (status === 405 && method === 'HEAD') return;
      const documented = operation.responses[String(status)];
      if (!documented) throw new Error(`${where} is not documented: ${JSON.stringify(body)}`);
      const response = resolveResponse(document, documented);
      for (const [name, header] of Object.entries(response.headers)) {
        const resolved = document.components.headers[String(header.$ref).split('/').at(-1) ?? ''];
        if (resolved?.required && !headers.get(name)) throw new Error(`${where} has no ${name}.`);
      }
      const [type] = Object.keys(response.content ?? {});
      if (method !== 'HEAD' && type === 'application/json') checkJson(where, response, body);
    },
  };
}

/** Returns the schema with `additionalProperties: false` on all objects. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as JsonSchema;
  const copy = Object.fromEntries(
    // The branches of an allOf describe one object together, so none of them may be closed.
    Object.entries(schema).map(([key, inner]) => [key, key === 'allOf' ? inner : closed(inner)]),
  );
  return schema.type === 'object' && schema.properties && schema.additionalProperties === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}

function pointInto(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/components/', '"document#/components/'));
}
