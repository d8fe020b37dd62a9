/**
 * Routes of external protocols that use headers only: responses have no body and protocol-specific statuses, so they
 * are not operations. Authentication, authorization and the error format are the same as for operations.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { assertText } from '../errors/client-text.ts';
import type { ErrorCode, ReelayError } from '../errors/reelay-error.ts';
import { BASE_PATH } from './addresses.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import type { HttpServices } from './http-services.ts';
import { patternOf } from './methods.ts';
import type { JsonSchema } from './openapi/types.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    raw?: RawRoute;
    /** Browsers open it: they get errors as a page. */
    isPage?: boolean;
  }
}

/** Description of a route that implements an external protocol. */
export interface RawDescription {
  id: string;
  tag: string;
  summary: string;
  description: string;
  requestHeaders?: Readonly<Record<string, RawHeader>>;
  /** Media type of the binary body; absent if there is no body. */
  bodyType?: string;
  success: { status: number; description: string; headers: Readonly<Record<string, RawHeader>> };
  /** Error codes of this route, besides those of every authenticated request. */
  errors: readonly ErrorCode[];
}

export interface RawHeader {
  description: string;
  /** Default: false. */
  required?: boolean;
  /** Default: string. */
  schema?: JsonSchema;
}

export interface RawRoute<Services = never> {
  method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** Relative to the base URL, with parameters in braces. */
  path: string;
  /** Whether it is accessible without authentication. */
  open?: boolean;
  /** Whether it changes anything. If so, a request with a session requires the CSRF header. */
  writes: boolean;
  /** If false, it counts against the larger limit of pieces instead of the caller's rate limit. */
  counts?: boolean;
  /** Replaces an error by one that the protocol's clients understand. Also called during startup. */
  refuseAs?(refusal: ReelayError): ReelayError;
  /** Headers of every response, including errors. */
  headers: Readonly<Record<string, string>>;
  /** Description for the OpenAPI document; absent if it is not listed there. */
  document?: RawDescription;
  handle(context: Services, request: RawRequest): Promise<RawResponse> | RawResponse;
}

export interface RawRequest {
  params: Readonly<Record<string, string>>;
  /** @throws Error on an open route */
  caller(): Caller;
  /**
   * Returns the first value of a request header.
   * @param name lower case
   */
  header(name: string): string | undefined;
  /** The Node.js request, its body unread. */
  raw: IncomingMessage;
  response: ServerResponse;
}

export interface RawResponse {
  status: number;
  headers?: Readonly<Record<string, string>>;
}

export function addRaw<Services extends HttpServices>(
  app: FastifyInstance,
  context: Services,
  route: RawRoute<Services>,
): void {
  app.route({
    method: route.method,
    url: BASE_PATH + route.path.replaceAll(/\{([^{}]+)\}/g, ':$1'),
    config: { raw: route },
    onRequest: async (request, reply) => {
      const needs = { auth: 'caller', writes: route.writes, counts: route.counts } as const;
      if (!route.open) request.caller = await authenticate(context, needs, request, reply);
    },
    handler: async (request, reply) => {
      const params = request.params as Record<string, string>;
      for (const value of Object.values(params)) assertText(value);
      const { status, headers = {} } = await route.handle(context, {
        params,
        caller() {
          if (!request.caller) throw new Error('The request was not authenticated.');
          return request.caller;
        },
        header(name) {
          const value = request.headers[name];
          return Array.isArray(value) ? value[0] : value;
        },
        raw: request.raw,
        response: reply.raw,
      });
      reply.code(status).headers({ 'cache-control': 'no-store', ...headers });
      return reply.send();
    },
  });
}

/** Finds the route of a request without using the framework. */
export function findRaw(routes: readonly RawRoute[], request: IncomingMessage): RawRoute | undefined {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  return routes.find((each) => each.method === request.method && patternOf(BASE_PATH + each.path).test(path));
}
