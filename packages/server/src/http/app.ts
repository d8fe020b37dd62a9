/**
 * The HTTP application: routes a list of operations to their handlers. Each request is checked in this order: service
 * state, HTTPS, authentication and authorization. Then come body, schema, handler and response.
 */
import type { Server } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ReelayError } from '../errors/reelay-error.ts';
import { uuidv7 } from '../lib/ids.ts';
import { AUTH_PATH } from '../users/auth-route.ts';
import { BASE_PATH } from './addresses.ts';
import { hurry, ignoreBodies, JSON_LIMIT, readAnyBody, takeForm, takeJson } from './bodies.ts';
import { pathOf, refuseOutOfService, sendRefusal } from './error-handling.ts';
import type { HttpServices } from './http-services.ts';
import { chooseLanguage } from './language.ts';
import { createRoutes } from './methods.ts';
import type { Operation } from './operation.ts';
import type { Mount, Page } from './page.ts';
import { addRaw, type RawRoute } from './raw.ts';
import { observe } from './request-log.ts';
import { addMount, addOperation, addPage, answersHead } from './routes.ts';
import { addSignIn } from './sign-in.ts';
import type { SignInOperation } from './sign-in-operation.ts';

export interface AppOptions<Services extends HttpServices> {
  /** Passed to handlers. */
  context: Services;
  /** The HTTP server that Fastify attaches to. It is not started here. */
  server: Server;
  operations: readonly Operation<Services>[];
  pages?: readonly Page<Services>[];
  mounts?: readonly Mount<Services>[];
  raws?: readonly RawRoute<Services>[];
  signIn?: readonly SignInOperation[];
  /** Time limit for receiving a JSON body, in ms. */
  bodyWithinMs?: number;
}

/** Creates the application. The `routing` function of the result handles the server's requests. */
export async function createApp<Services extends HttpServices>({
  context,
  server,
  operations,
  pages = [],
  mounts = [],
  raws = [],
  signIn = [],
  bodyWithinMs = 30_000,
}: AppOptions<Services>) {
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
  const routes = createRoutes([
    ...operations.map((each) => ({ method: each.method, path: BASE_PATH + each.path, head: answersHead(each) })),
    ...pages.map((each) => ({ method: each.method, path: each.path, head: answersHead(each) })),
    ...raws.map((each) => ({ method: each.method, path: BASE_PATH + each.path, head: false })),
    ...signIn.map((each) => ({ method: each.method, path: AUTH_PATH + each.path, head: false })),
  ]);
  /** Answers a method that a path does not have. */
  const refuseMethod = (request: FastifyRequest, reply: FastifyReply) => {
    const allow = routes.allowed(pathOf(request));
    if (allow === null) throw new ReelayError('not_found');
    reply.header('allow', allow);
    if (request.method !== 'OPTIONS') throw new ReelayError('method_not_allowed');
    return reply.code(204).send();
  };
  app.decorateRequest('caller', null);
  app.decorateRequest('texts', null);
  // Requests that match no operation are answered without reading their body.
  ignoreBodies(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.setHeader('x-request-id', request.id);
    const { raw } = request.routeOptions.config;
    for (const [name, value] of Object.entries(raw?.headers ?? {})) reply.raw.setHeader(name, value);
    await chooseLanguage(context, request);
    refuseOutOfService(context, request);
    if (routes.isRefused(request.method, pathOf(request))) refuseMethod(request, reply);
  });
  observe(app, context);
  app.setErrorHandler((error, request, reply) => sendRefusal(context, error, request, reply));

  app.setNotFoundHandler((request, reply) => refuseMethod(request, reply));

  await app.register(async (scope) => {
    takeJson(scope);
    hurry(scope, bodyWithinMs);
    for (const each of operations) if (each.body) addOperation(scope, context, each);
  });
  await app.register(async (scope) => {
    readAnyBody(scope);
    hurry(scope, bodyWithinMs);
    for (const each of operations) if (!each.body && !each.multipart) addOperation(scope, context, each);
  });
  await app.register(async (scope) => addSignIn(scope, context, signIn, bodyWithinMs));
  for (const each of operations) if (each.multipart) addOperation(app, context, each);
  await app.register(async (scope) => {
    takeForm(scope);
    hurry(scope, bodyWithinMs);
    for (const each of pages) if (each.method === 'POST') addPage(scope, context, each);
  });
  for (const each of pages) if (each.method === 'GET') addPage(app, context, each);
  for (const each of raws) addRaw(app, context, each);
  for (const each of mounts) addMount(app, context, each);
  await app.ready();
  return app;
}
