/**
 * The HTTP application: routes a list of operations, which it does not know, to their handlers. For each request in
 * this order: is the service up, is it HTTPS, who calls and may they, then the body, its form, the handler, the answer.
 */
import type { IncomingMessage, Server } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { ReelayError } from '../errors.ts';
import { uuidv7 } from '../ids.ts';
import { asRefusal, errorBody, errorHeaders } from './answers.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { isLocal } from './health.ts';
import { check, readQuery } from './input.ts';
import { parseJson, refuseNul } from './json.ts';
import { createRoutes } from './methods.ts';
import { isStreamAnswer, type Operation, type OperationRequest } from './operation.ts';
import { type Mount, PAGE_HEADERS, type Page } from './page.ts';
import { lingeringBody } from './receive/refuse.ts';
import { addSignIn } from './sign-in.ts';

export interface AppOptions {
  context: Context;
  /** The server that Fastify is to know; it is not started here. */
  server: Server;
  operations: readonly Operation[];
  pages?: readonly Page[];
  mounts?: readonly Mount[];
  /** Whether users sign in here. */
  signIn?: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

export const BASE_PATH = '/api/v1';
const JSON_LIMIT = 1024 * 1024;
/** Operations that take no body accept an empty one, and an empty object. */
const NOTHING = z.strictObject({});

export async function createApp({ context, server, operations, pages = [], mounts = [], signIn = false }: AppOptions) {
  const app: FastifyInstance = Fastify({
    serverFactory: () => server,
    logger: false,
    trustProxy: context.config.trustProxy,
    genReqId: () => uuidv7(),
    bodyLimit: JSON_LIMIT,
    routerOptions: { maxParamLength: 500, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) => sendRefusal(context, error, request, reply),
    return503OnClosing: false,
  });
  app.decorateRequest('caller', null);
  // Whatever has no operation is answered without reading its body.
  ignoreBodies(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.setHeader('x-request-id', request.id);
    refuseOutOfService(context, request);
  });
  observe(app, context);
  app.setErrorHandler((error, request, reply) => sendRefusal(context, error, request, reply));

  const routes = createRoutes([
    ...operations.map(({ method, path, writes }) => ({
      method,
      path: BASE_PATH + path,
      head: method === 'GET' && !writes,
    })),
    ...pages.map(({ method, path, writes }) => ({ method, path, head: method === 'GET' && !writes })),
  ]);
  app.setNotFoundHandler((request, reply) => {
    const allow = routes.allowed(pathOf(request));
    if (allow === null) throw new ReelayError('not_found');
    reply.header('allow', allow);
    if (request.method !== 'OPTIONS') throw new ReelayError('method_not_allowed');
    return reply.code(204).send();
  });

  await app.register(async (scope) => {
    takeJson(scope);
    for (const each of operations) if (each.body) addOperation(scope, context, each);
  });
  await app.register(async (scope) => {
    takeAnything(scope);
    for (const each of operations) if (!each.body && !each.multipart) addOperation(scope, context, each);
  });
  if (signIn)
    await app.register(async (scope) => {
      takeBytes(scope);
      addSignIn(scope, context);
    });
  for (const each of operations) if (each.multipart) addOperation(app, context, each);
  for (const each of pages) addPage(app, context, each);
  for (const each of mounts) addMount(app, context, each);
  await app.ready();
  return app;
}

function addOperation(app: FastifyInstance, context: Context, operation: Operation): void {
  const { auth, writes, method, path, body, multipart } = operation;
  app.route({
    method,
    url: BASE_PATH + path.replaceAll(/\{([^}]+)\}/g, ':$1'),
    exposeHeadRoute: method === 'GET' && !writes,
    onRequest: async (request, reply) => {
      if (auth !== 'none') request.caller = await authenticate(context, { auth, writes }, request, reply);
    },
    handler: async (request, reply) => {
      if (!body && !multipart) check(NOTHING, request.body ?? {});
      const answer = await operation.handle(context, toOperationRequest(operation, request, reply));
      reply.header('cache-control', reply.getHeader('cache-control') ?? 'no-store');
      if (!isStreamAnswer(answer)) return reply.send({ success: true, ...(answer as object) });
      if (answer.bytes !== undefined) reply.header('content-length', answer.bytes);
      return reply.type(answer.type).send(answer.stream);
    },
  });
}

function toOperationRequest(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): OperationRequest<unknown, unknown, unknown, Caller | null> {
  const { query, params, body } = operation;
  const search = request.raw.url?.split('?').slice(1).join('?') ?? '';
  for (const value of Object.values(request.params as Record<string, string>)) refuseNul(value);
  return {
    caller: request.caller,
    query: query ? check(query, readQuery(search, Object.keys(query.shape))) : {},
    params: params ? check(params, request.params) : {},
    body: body ? check(body, request.body) : undefined,
    id: request.id,
    raw: request.raw,
    response: reply.raw,
    get signal() {
      return goneSignal(reply);
    },
    header(name) {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    setHeader: (name, value) => void reply.header(name, value),
  };
}

function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const { raw } = reply;
  raw.once('close', () => raw.writableFinished || controller.abort());
  return controller.signal;
}

function addPage(app: FastifyInstance, context: Context, page: Page): void {
  app.route({
    method: page.method,
    url: page.path.replaceAll(/\{([^}]+)\}/g, ':$1'),
    exposeHeadRoute: page.method === 'GET' && !page.writes,
    handler: async (request, reply) => {
      const answer = await page.handle(context, {
        params: request.params as Record<string, string>,
        query: new URLSearchParams(request.raw.url?.split('?')[1] ?? ''),
        header: (name) => request.headers[name]?.toString(),
        address: request.ip,
        peer: request.raw.socket.remoteAddress ?? '',
        id: request.id,
      });
      reply.code(answer.status).headers({ ...PAGE_HEADERS, ...answer.headers });
      return reply.send(answer.body ?? '');
    },
  });
}

function addMount(app: FastifyInstance, context: Context, mount: Mount): void {
  for (const url of [mount.prefix, `${mount.prefix}/*`])
    app.all(url, (request, reply) => {
      reply.hijack();
      mount.handle(context, request.raw, reply.raw);
    });
}

function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

function takeJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    parseJson(body),
  );
}

function takeBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
}

function takeAnything(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const json = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
    return json && body.length > 0 ? parseJson(body) : undefined;
  });
}

function refuseOutOfService(context: Context, request: FastifyRequest): void {
  const path = pathOf(request);
  if (path.startsWith('/health/')) return;
  const peer = request.raw.socket.remoteAddress ?? '';
  if (path === '/metrics' && isLocal({ peer, header: (name) => request.headers[name]?.toString() })) return;
  if (context.lifecycle.state === 'draining') throw new ReelayError('draining');
  if (context.config.httpsOnly && request.protocol !== 'https') throw new ReelayError('https_required');
}

function pathOf(request: FastifyRequest): string {
  return (request.raw.url ?? '/').split('?', 1)[0] ?? '/';
}

function sendRefusal(context: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = asRefusal(error);
  if (refusal.status >= 500)
    context.log.error({ err: refusal.cause ?? refusal, code: refusal.code, requestId: request.id }, 'request failed');
  reply.raw.setHeader('x-request-id', request.id);
  reply.code(refusal.status).headers(errorHeaders(refusal));
  if (context.lifecycle.state === 'draining') reply.header('connection', 'close');
  const body = Buffer.from(JSON.stringify(errorBody(refusal)));
  if (!hasUnreadBody(request.raw)) return reply.send(body);
  // The client still sends: it must be able to read the answer before the connection closes.
  reply.header('connection', 'close').header('content-length', body.length);
  return reply.send(lingeringBody(request.raw, body));
}

function hasUnreadBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return !request.complete && (coding !== undefined || (length !== undefined && length !== '0'));
}

/** One line and one measurement for each request. Never the query: it can carry what one consent is worth. */
function observe(app: FastifyInstance, { log, metrics }: Context): void {
  const seconds = metrics.histogram(
    'http_request_seconds',
    'Time to the end of the answer.',
    [0.005, 0.02, 0.1, 0.5, 2, 10],
  );
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const status = reply.statusCode;
    seconds.observe(reply.elapsedTime / 1000, { method: request.method, route, status: `${status}` });
    log.info(
      {
        requestId: request.id,
        method: request.method,
        path: pathOf(request),
        status,
        ms: Math.round(reply.elapsedTime),
        ...(request.caller ? { userId: request.caller.userId } : {}),
      },
      'request',
    );
  });
}
