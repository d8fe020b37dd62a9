/**
 * Routes of protocols that come from outside and say everything in headers: they answer without a body, with statuses of
 * their own, so they are no operations. Who calls, and whether they may, is asked first, as it is for operations; refusals
 * have the same form.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { assertText } from '../client-text.ts';
import type { Context } from '../context.ts';
import type { ReelayError } from '../errors.ts';
import { BASE_PATH } from './addresses.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { patternOf } from './methods.ts';
import type { RawDescription } from './openapi-raw.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    raw?: RawRoute;
  }
}

export interface RawRoute {
  method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** Below the base address; parts in braces are parameters. */
  path: string;
  /** Whether anybody may ask. */
  open?: boolean;
  /** Whether it changes anything: with a session it then needs the header against forged requests. */
  writes: boolean;
  /** False: it does not count against the caller's request limit. */
  counts?: boolean;
  /** Replaces a refusal by one that clients of the protocol understand. Also called while the service starts. */
  refuseAs?(refusal: ReelayError): ReelayError;
  /** Headers of every answer, of refusals too. */
  headers: Readonly<Record<string, string>>;
  /** In the OpenAPI document; absent: it is not described there. */
  document?: RawDescription;
  handle(context: Context, request: RawRequest): Promise<RawAnswer> | RawAnswer;
}

export interface RawRequest {
  params: Readonly<Record<string, string>>;
  /** @throws Error on an open route */
  caller(): Caller;
  /** A request header, first value. @param name lower case */
  header(name: string): string | undefined;
  /** The request itself, its body unread. */
  raw: IncomingMessage;
  response: ServerResponse;
}

export interface RawAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
}

export function addRaw(app: FastifyInstance, context: Context, route: RawRoute): void {
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
          if (!request.caller) throw new Error('Nobody was asked who they are.');
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

/** Finds the route of a request where no framework is at work. */
export function findRaw(routes: readonly RawRoute[], request: IncomingMessage): RawRoute | undefined {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  return routes.find((each) => each.method === request.method && patternOf(BASE_PATH + each.path).test(path));
}
