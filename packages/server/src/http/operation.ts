/**
 * The form in which every operation of the interface is declared: what it takes, who may call it, what it answers and
 * refuses, and the handler beside it. Routing, checking and the OpenAPI document are all made from these values.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { ErrorCode } from '../errors.ts';
import type { Caller } from './caller.ts';

/** `caller`: key or session. `session`: the dashboard only. `operator`: a caller who runs the service. */
export type Auth = 'caller' | 'session' | 'operator' | 'none';

type Fields = z.ZodObject;
type NoFields = z.ZodObject<Record<never, never>>;

export interface Definition<
  Query extends Fields = Fields,
  Params extends Fields = Fields,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Who extends Auth = Auth,
> {
  /** The operationId; also the file's name. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base address; parts in braces are parameters: `/post/{id}`. */
  path: string;
  summary: string;
  description: string;
  tag: string;
  auth: Who;
  /** Whether it changes anything: with a session it then needs the header against forged requests. */
  writes: boolean;
  /** Known query parameters; others are ignored. Values arrive as text (an array when given twice). */
  query?: Query;
  params?: Params;
  /** JSON body; unknown properties are refused when it is a `z.strictObject`. */
  body?: Body;
  /** Fields of a form, for the document only: the handler reads `request.raw` itself. */
  multipart?: Fields;
  /** Further request headers that mean something here, for the document. */
  requestHeaders?: Record<string, string>;
  /** Properties of the 200 answer beside `success`, which is added; {@link binary} where it is no JSON. */
  answer: Answer;
  answerExample?: unknown;
  /** Media type of the answer where it is not JSON. */
  answerType?: string;
  /** Further answer headers, by name, with what they say. */
  answerHeaders?: Record<string, string>;
  /** Codes of its own; those that any such operation can answer are added. */
  errors: readonly ErrorCode[];
  handle(
    context: Context,
    request: OperationRequest<z.output<Query>, z.output<Params>, z.output<Body>, CallerOf<Who>>,
  ): Promise<z.input<Answer> | StreamAnswer>;
  /** What the audit trail says of a success. Written right after it. */
  audit?(
    request: OperationRequest<z.output<Query>, z.output<Params>, z.output<Body>, CallerOf<Who>>,
    answer: z.input<Answer>,
  ): AuditedAction;
}

export interface AuditedAction {
  action: string;
  /** Names the thing; never a secret. */
  subject: string;
}

export type CallerOf<Who extends Auth> = Who extends 'none' ? null : Caller;

export interface OperationRequest<Query, Params, Body, Who> {
  caller: Who;
  query: Query;
  params: Params;
  /** undefined where the operation takes no JSON body. */
  body: Body;
  /** Its `X-Request-Id`, also in the log. */
  id: string;
  /** The request itself, its body unread where the operation is `multipart`. */
  raw: IncomingMessage;
  response: ServerResponse;
  /** Ends when the client has gone away. */
  signal: AbortSignal;
  /** A request header, first value. @param name lower case */
  header(name: string): string | undefined;
  setHeader(name: string, value: string): void;
}

/** An operation whose exact types have been forgotten, as lists of them hold it. */
export type Operation = Omit<Definition, 'handle' | 'audit'> & {
  audit?(request: OperationRequest<unknown, unknown, unknown, Caller | null>, answer: unknown): AuditedAction;
  handle(context: Context, request: OperationRequest<unknown, unknown, unknown, Caller | null>): Promise<unknown>;
};

/** Declares an operation; the handler is checked against the schemas that stand beside it. */
export function operation<
  Query extends Fields = NoFields,
  Params extends Fields = NoFields,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodType,
  Who extends Auth = Auth,
>(definition: Definition<Query, Params, Body, Answer, Who>): Operation {
  // The one place where types are dropped: `app.ts` hands each handler exactly what its own schemas made.
  return Object.freeze(definition) as unknown as Operation;
}

const STREAM = Symbol('stream answer');

/** An answer that is written as it comes. */
export interface StreamAnswer {
  [STREAM]: true;
  stream: Readable;
  type: string;
  /** Length in bytes, where it is known. */
  bytes?: number;
}

/** Answers 200 with a stream; a failure midway cuts the connection. */
export function streamAnswer(answer: { stream: Readable; type: string; bytes?: number }): StreamAnswer {
  return { [STREAM]: true, ...answer };
}

export function isStreamAnswer(value: unknown): value is StreamAnswer {
  return typeof value === 'object' && value !== null && STREAM in value;
}

/** Stands for bytes in the document. */
export const binary = z.string().meta({ format: 'binary' });

/** A moment as every answer has it: UTC, ISO 8601 with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-08-01T09:30:00.000Z'] });

/** An id in an answer. */
export const id = z.uuid().meta({ examples: ['019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b'] });

/** An id in a request: any text; one that names nothing is answered with 404. An empty one counts as missing. */
export const idText = z
  .string()
  .min(1, 'it is empty')
  .meta({ examples: ['019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b'] });

/** A whole number in a query. @param least the smallest that is taken @param most the largest */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^-?\d+$/, 'expected a whole number')
    .transform(Number)
    .refine((value) => value >= least, `expected at least ${least}`)
    .refine((value) => value <= most, `expected at most ${most}`)
    .meta({ documentedAs: { type: 'integer', minimum: least, maximum: most } });
}
