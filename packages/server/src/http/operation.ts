/**
 * The declaration of an API operation: its input, authorization, response, errors and handler. Routing, validation and
 * the OpenAPI document are all generated from it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { ErrorCode } from '../errors/reelay-error.ts';
import { isStorable } from '../lib/text.ts';
import { issue } from '../messages/fields.ts';
import type { Caller } from './caller.ts';

/**
 * `caller`: API key or session. `session`: the dashboard only. `operator`: a caller who is the operator.
 * `operator-session`: the operator in the dashboard.
 */
export type Auth = 'caller' | 'session' | 'operator' | 'operator-session' | 'none';

/** Whether an operation is for the dashboard only. */
export const needsSession = (auth: Auth) => auth === 'session' || auth === 'operator-session';

/** Whether an operation is for the operator only. */
export const needsOperator = (auth: Auth) => auth === 'operator' || auth === 'operator-session';

type Fields = z.ZodObject;
type NoFields = z.ZodObject<Record<never, never>>;

export interface Definition<
  Services = never,
  Query extends Fields = Fields,
  Params extends Fields = Fields,
  Body extends z.ZodType = z.ZodType,
  ResponseSchema extends z.ZodType = z.ZodType,
  Who extends Auth = Auth,
> {
  /** The operationId; also the name of the file. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL, with parameters in braces: `/post/{id}`. */
  path: string;
  summary: string;
  description: string;
  tag: string;
  auth: Who;
  /** Whether it changes anything. If so, a request with a session requires the CSRF header. */
  writes: boolean;
  /** Known query parameters; others are ignored. Values are strings, or arrays if repeated. */
  query?: Query;
  params?: Params;
  /** JSON body. With `z.strictObject`, unknown properties are rejected. */
  body?: Body;
  /** Form fields, for the OpenAPI document only: the handler reads `request.raw` itself. */
  multipart?: Fields;
  /** Additional request headers, for the OpenAPI document. */
  requestHeaders?: Record<string, string>;
  /** Properties of the 200 response besides `success`, which is added; {@link binary} if it is not JSON. */
  response: ResponseSchema;
  responseExample?: unknown;
  /** Media type of the response if it is not JSON. */
  responseType?: string;
  /** Whether it responds to `Range`, with 206. */
  ranges?: boolean;
  /** Additional response headers: name → description. */
  responseHeaders?: Record<string, string>;
  /** Error codes of its own; those that any such operation can return are added. */
  errors: readonly ErrorCode[];
  handle(
    services: Services,
    request: OperationRequest<z.output<Query>, z.output<Params>, z.output<Body>, CallerOf<Who>>,
  ): Promise<z.input<ResponseSchema> | StreamResponse>;
  /** Returns the audit entry of a success. It is written right after the handler. */
  audit?(
    request: OperationRequest<z.output<Query>, z.output<Params>, z.output<Body>, CallerOf<Who>>,
    response: z.input<ResponseSchema>,
  ): AuditedAction;
}

export interface AuditedAction {
  action: string;
  /** Identifies the object of the action; never a secret. */
  subject: string;
}

export type CallerOf<Who extends Auth> = Who extends 'none' ? null : Caller;

export interface OperationRequest<Query, Params, Body, Who> {
  caller: Who;
  query: Query;
  params: Params;
  /** undefined if the operation takes no JSON body. */
  body: Body;
  /** Its `X-Request-Id`, also in the log. */
  id: string;
  /** The Node.js request. Its body is unread if the operation is `multipart`. */
  raw: IncomingMessage;
  response: ServerResponse;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /**
   * Returns the first value of a request header.
   * @param name lower case
   */
  header(name: string): string | undefined;
  setHeader(name: string, value: string): void;
}

/**
 * An operation with its exact types erased, for lists of operations.
 * @typeParam Services what its handler is called with; `never`: any, for readers of the declaration
 */
export type Operation<Services = never> = Omit<Definition, 'handle' | 'audit'> & {
  audit?(request: OperationRequest<unknown, unknown, unknown, Caller | null>, response: unknown): AuditedAction;
  handle(services: Services, request: OperationRequest<unknown, unknown, unknown, Caller | null>): Promise<unknown>;
};

/** Returns the function that declares an operation. The handler is type-checked against the schemas beside it. */
export function operationFor<Services>() {
  return <
    Query extends Fields = NoFields,
    Params extends Fields = NoFields,
    Body extends z.ZodType = z.ZodUndefined,
    ResponseSchema extends z.ZodType = z.ZodType,
    Who extends Auth = Auth,
  >(
    definition: Definition<Services, Query, Params, Body, ResponseSchema, Who>,
  ): Operation<Services> =>
    // The only place where types are erased: `app.ts` passes each handler exactly what its own schemas produced.
    Object.freeze(definition) as unknown as Operation<Services>;
}

const STREAM = Symbol('stream response');

/** A streamed response. */
export interface StreamResponse {
  [STREAM]: true;
  stream: Readable;
  type: string;
  /** Length in bytes, if known. */
  bytes?: number;
  /** Default: 200. */
  status?: number;
}

/** Responds with a stream. A failure midway closes the connection. */
export function streamResponse(response: Omit<StreamResponse, typeof STREAM>): StreamResponse {
  return { [STREAM]: true, ...response };
}

export function isStreamResponse(value: unknown): value is StreamResponse {
  return typeof value === 'object' && value !== null && STREAM in value;
}

/** Schema for binary data in the OpenAPI document. */
export const binary = z.string().meta({ format: 'binary' });

/** A timestamp in responses: UTC, ISO 8601 with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-08-01T09:30:00.000Z'] });

/** An id in a response. */
export const id = z.uuid().meta({ examples: ['019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b'] });

/** An id in a request: any string. An unknown id gets 404; an empty one counts as missing. */
export const idText = z
  .string()
  .min(1)
  .meta({ examples: ['019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b'] });

const storable = [isStorable, issue('not_text')] as const;

/** Text that the database can store. @param max in UTF-16 units */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine(...storable);

/** Text that is trimmed and then not empty. @param max in UTF-16 units */
export const trimmedText = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine(...storable);

/**
 * An integer in a query.
 * @param least minimum
 * @param most maximum
 */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^-?\d+$/, issue('not_integer'))
    .transform(Number)
    .refine((value) => value >= least, issue('below', { limit: String(least) }))
    .refine((value) => value <= most, issue('above', { limit: String(most) }))
    .meta({ documentedAs: { type: 'integer', minimum: least, maximum: most } });
}
