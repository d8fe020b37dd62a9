/** Registers operations, pages and mounts as routes of the framework. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { writeAudit } from '../audit/write-audit.ts';
import { assertText } from '../errors/client-text.ts';
import { take } from '../queue/rate-counter.ts';
import { BASE_PATH } from './addresses.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { closeOnSlowBody } from './connections.ts';
import type { HttpServices } from './http-services.ts';
import { declareLanguage, speaking } from './language.ts';
import { type AuditedAction, isStreamResponse, type Operation, type OperationRequest } from './operation.ts';
import { type Mount, PAGE_HEADERS, type Page } from './page.ts';
import { tooMany } from './request-limits.ts';
import { check, readQuery } from './validate-input.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** Operations without a body accept an empty body or an empty object. */
const NOTHING = z.strictObject({});

/** Whether HEAD is supported like GET: never if the GET changes something. */
export function answersHead({ method, writes = false }: { method: string; writes?: boolean }): boolean {
  return method === 'GET' && !writes;
}

export function addOperation<Services extends HttpServices>(
  app: FastifyInstance,
  context: Services,
  operation: Operation<Services>,
): void {
  const { auth, writes, method, path, body, multipart } = operation;
  app.route({
    method,
    url: BASE_PATH + path.replaceAll(/\{([^{}]+)\}/g, ':$1'),
    exposeHeadRoute: answersHead(operation),
    onRequest: async (request, reply) => {
      if (auth !== 'none') request.caller = await authenticate(context, { auth, writes }, request, reply);
    },
    handler: async (request, reply) => {
      if (!body && !multipart) check(NOTHING, request.body ?? {});
      const asked = toOperationRequest(operation, request, reply);
      const response = await operation.handle(speaking(context, request), asked);
      if (operation.audit) await audit(context, request, operation.audit(asked, response));
      reply.header('cache-control', reply.getHeader('cache-control') ?? 'no-store');
      declareLanguage(reply, request);
      if (!isStreamResponse(response)) return reply.send({ success: true, ...(response as object) });
      if (response.bytes !== undefined) reply.header('content-length', response.bytes);
      return reply
        .code(response.status ?? 200)
        .type(response.type)
        .send(response.stream);
    },
  });
}

/** Writes the audit entry. The action is already done, so a failed write is logged but does not fail the request. */
async function audit({ db, log }: HttpServices, { caller, ip, id }: FastifyRequest, did: AuditedAction): Promise<void> {
  const entry = { userId: caller?.userId ?? null, actor: caller?.by.kind ?? 'visitor', ...did, address: ip };
  await writeAudit(db, entry).catch((err) =>
    log.error({ err, action: did.action, requestId: id }, 'an audit row could not be written'),
  );
}

function toOperationRequest(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): OperationRequest<unknown, unknown, unknown, Caller | null> {
  const { query, params, body } = operation;
  const search = request.raw.url?.split('?').slice(1).join('?') ?? '';
  for (const value of Object.values(request.params as Record<string, string>)) assertText(value);
  return {
    caller: request.caller,
    query: query ? check(query, readQuery(search, Object.keys(query.shape))) : {},
    params: params ? check(params, request.params) : {},
    body: body ? check(body, request.body) : undefined,
    id: request.id,
    raw: request.raw,
    response: reply.raw,
    get signal() {
      return disconnectSignal(reply);
    },
    header(name) {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    setHeader: (name, value) => void reply.header(name, value),
  };
}

function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const { raw } = reply;
  raw.once('close', () => raw.writableFinished || controller.abort());
  return controller.signal;
}

export function addPage<Services extends HttpServices>(
  app: FastifyInstance,
  context: Services,
  page: Page<Services>,
): void {
  app.route({
    method: page.method,
    url: page.path.replaceAll(/\{([^{}]+)\}/g, ':$1'),
    exposeHeadRoute: answersHead(page),
    config: { isPage: true },
    onRequest: async ({ ip }) => {
      if (!page.limit || context.config.rateLimit === 'off') return;
      const taken = await take(context.db, page.limit(ip));
      if (!taken.allowed) throw tooMany(taken);
    },
    handler: async (request, reply) => {
      const params = request.params as Record<string, string>;
      const query = new URLSearchParams(request.raw.url?.split('?')[1] ?? '');
      for (const value of [...Object.values(params), ...query.values()]) assertText(value);
      const response = await page.handle(speaking(context, request), {
        params,
        query,
        header: (name) => request.headers[name]?.toString(),
        address: request.ip,
        peer: request.raw.socket.remoteAddress ?? '',
        id: request.id,
        form: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
      });
      declareLanguage(reply, request);
      reply.code(response.status).headers({ ...PAGE_HEADERS, ...response.headers });
      return reply.send(response.body ?? '');
    },
  });
}

/** Handles a path and everything below it. */
export function addMount<Services>(app: FastifyInstance, context: Services, mount: Mount<Services>): void {
  for (const url of [mount.prefix, `${mount.prefix}/*`])
    app.all(url, (request, reply) => {
      reply.hijack();
      closeOnSlowBody(request.raw, reply.raw);
      mount.handle(context, request.raw, reply.raw);
    });
}
