/** Generates the OpenAPI 3.1 document from the list of operations. */
import { z } from 'zod';
import type { ErrorCode } from '../../errors/reelay-error.ts';
import { errorMessage } from '../../messages/error-texts.ts';
import { SESSION_COOKIE } from '../../users/auth-route.ts';
import { BASE_PATH } from '../addresses.ts';
import { errorBody } from '../error-responses.ts';
import { needsOperator, needsSession, type Operation } from '../operation.ts';
import type { RawRoute } from '../raw.ts';
import type { SignInOperation } from '../sign-in-operation.ts';
import { describeRaw, isDescribed, rawErrorCodesOf } from './raw.ts';
import { shareResponses } from './responses.ts';
import { convert } from './schema.ts';
import { errorSchema, refusals, SHARED_HEADERS, SHARED_RESPONSE_HEADERS } from './shared.ts';
import { SIGN_IN_TAG, signInPaths } from './sign-in.ts';
import type { JsonSchema, OpenApiDocument, OperationObject, ParameterObject, ResponseObject } from './types.ts';

export interface DocumentOptions {
  /** The base URL that clients use. */
  server: string;
  tags: readonly { name: string; description: string }[];
  /** Routes without a description are left out. */
  raws?: readonly RawRoute[];
  /** Operations without a description are left out. */
  signIn?: readonly SignInOperation[];
}

const DESCRIPTION = `Posts one short vertical video to many platforms exactly once, schedules posts, and keeps rules that repost from one connected account to others.

All requests use HTTPS and an API key or a session. Some operations require a session (\`POST /api/auth/sign-in/email\`). Responses are JSON with a boolean \`success\`. Every error has a stable \`code\` and a \`message\` for people. Malformed HTTP requests get 400, 408 or 431 with \`invalid_request\` at any URL. Text must not contain U+0000 or lone surrogates. Changes below this base URL are only additive.`;

export function openApiDocument(operations: readonly Operation[], options: DocumentOptions): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = {};
  const paths: OpenApiDocument['paths'] = {};
  for (const each of operations) {
    const methods = paths[each.path] ?? {};
    paths[each.path] = methods;
    methods[each.method.toLowerCase()] = describe(each, schemas);
  }
  Object.assign(paths, signInPaths(options.signIn ?? [], options.server.slice(0, -BASE_PATH.length) || '/', schemas));
  const described = (options.raws ?? []).filter(isDescribed);
  for (const each of described) {
    const methods = paths[each.path] ?? {};
    paths[each.path] = methods;
    methods[each.method.toLowerCase()] = describeRaw(each);
  }
  const shared = shareResponses(paths);
  convert(errorSchema, 'output', schemas);
  const used = new Set([...operations.map(({ tag }) => tag), ...described.map(({ document }) => document.tag)]);
  const codes = [...operations.flatMap(errorCodesOf), ...described.flatMap(rawErrorCodesOf)];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Reelay',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.server }],
    tags: [SIGN_IN_TAG, ...options.tags.filter(({ name }) => used.has(name))].map((tag) => ({ ...tag })),
    security: [{ apiKey: [] }, { session: [] }],
    paths: shared.paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `rly_` and 46 characters. The last 6 are a checksum of the 40 before.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description: `The cookie that \`POST /api/auth/sign-in/email\` sets (\`__Host-${SESSION_COOKIE}\` over HTTPS). Operations with side effects then require the header \`X-Reelay-CSRF: 1\`.`,
        },
      },
      headers: SHARED_HEADERS,
      responses: shared.responses,
      examples: Object.fromEntries([...new Set(codes)].sort().map((code) => [code, { value: exampleOf(code) }])),
      schemas,
    },
  };
}

function describe(operation: Operation, schemas: Record<string, JsonSchema>): OperationObject {
  const parameters = parametersOf(operation, schemas);
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(operation, schemas),
    responses: {
      '200': successOf(operation, schemas),
      ...(operation.ranges ? { '206': partOf(operation, schemas) } : {}),
      ...refusals(errorCodesOf(operation), { limited: operation.auth !== 'none' }),
    },
  };
}

function securityOf({ auth }: Operation): JsonSchema[] {
  if (auth === 'none') return [];
  return needsSession(auth) ? [{ session: [] }] : [{ apiKey: [] }, { session: [] }];
}

function parametersOf(operation: Operation, schemas: Record<string, JsonSchema>): ParameterObject[] {
  const named = (fields: z.ZodObject | undefined, place: 'query' | 'path') =>
    Object.entries(fields?.shape ?? {}).map(([name, field]): ParameterObject => {
      const { description, ...schema } = convert(field as z.ZodType, 'input', schemas);
      const required = place === 'path' || !(field as z.ZodType).safeParse(undefined).success;
      return { name, in: place, required, ...(description ? { description: String(description) } : {}), schema };
    });
  const headers = {
    ...operation.requestHeaders,
    ...(operation.writes && operation.auth !== 'none'
      ? { 'X-Reelay-CSRF': '`1`. Required with a session, ignored with a key.' }
      : {}),
  };
  return [
    ...named(operation.params, 'path'),
    ...named(operation.query, 'query'),
    ...Object.entries(headers).map(
      ([name, description]): ParameterObject => ({
        name,
        in: 'header',
        required: false,
        description,
        schema: { type: 'string' },
      }),
    ),
  ];
}

function requestBodyOf(
  { body, multipart }: Operation,
  schemas: Record<string, JsonSchema>,
): Pick<OperationObject, 'requestBody'> {
  const schema = body ?? multipart;
  if (!schema) return {};
  const type = body ? 'application/json' : 'multipart/form-data';
  const required = !schema.safeParse(undefined).success;
  return { requestBody: { required, content: { [type]: { schema: convert(schema, 'input', schemas) } } } };
}

function successOf(operation: Operation, schemas: Record<string, JsonSchema>): ResponseObject {
  const { response, responseType = 'application/json', responseExample, responseHeaders = {}, auth } = operation;
  const schema =
    response instanceof z.ZodObject
      ? z.object({ success: z.literal(true), ...response.shape })
      : (response as z.ZodType);
  return {
    description: 'Done.',
    headers: {
      ...SHARED_RESPONSE_HEADERS.always,
      ...(auth === 'none' ? {} : SHARED_RESPONSE_HEADERS.limited),
      ...Object.fromEntries(
        Object.entries(responseHeaders).map(([name, description]) => [
          name,
          { description, schema: { type: 'string' } },
        ]),
      ),
    },
    content: {
      [responseType]: {
        schema: convert(schema, 'output', schemas),
        ...(responseExample === undefined ? {} : { example: responseExample }),
      },
    },
  };
}

function partOf(operation: Operation, schemas: Record<string, JsonSchema>): ResponseObject {
  const whole = successOf(operation, schemas);
  const range = { description: 'The bytes of the response, and the size of the whole.', schema: { type: 'string' } };
  return { ...whole, description: 'A part.', headers: { ...whole.headers, 'Content-Range': range } };
}

/** The error codes that an operation can return: its own, and those shared by all operations of its kind. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const { auth, writes, method, body, multipart } = operation;
  const when = (condition: unknown, ...codes: ErrorCode[]) => (condition ? codes : []);
  const takesBody = method !== 'GET';
  return [
    ...new Set<ErrorCode>([
      ...operation.errors,
      // Even without parameters or a body, the request itself may be malformed.
      'invalid_request',
      ...when(takesBody, 'unknown_field', 'body_too_large'),
      ...when(body || multipart, 'unsupported_media_type'),
      ...when(auth !== 'none', 'unauthorized', 'rate_limited', 'account_suspended', 'database_unavailable'),
      ...when(needsSession(auth), 'session_required'),
      ...when(auth === 'caller' || auth === 'operator', 'api_access_not_in_plan'),
      ...when(auth !== 'none' && writes, 'csrf_required'),
      ...when(needsOperator(auth), 'operator_required'),
      ...(['https_required', 'internal_error', 'starting', 'draining'] as const),
    ]),
  ];
}

function exampleOf(code: ErrorCode): unknown {
  const extras =
    code === 'rate_limited'
      ? { retryAfter: 12 }
      : code === 'plan_limit_reached'
        ? { limit: { name: 'posts_per_month', value: 30, used: 30, resetsAt: '2026-09-01T00:00:00.000Z' } }
        : {};
  return errorBody({ code, said: errorMessage(code), extras });
}
