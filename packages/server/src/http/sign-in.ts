/** `/api/auth`: hands requests to the sign-in library, and its refusals on in our form. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { ERRORS, type ErrorCode, ReelayError } from '../errors.ts';
import { failureLimit, isUsedUp, take, tooMany } from './limits.ts';

/** Ways to try a password, or to make the service hash one: limited per address like wrong keys. */
const GUARDED = /^\/api\/auth\/(sign-in|sign-up|change-password|verify-password)\b/;

export function addSignIn(app: FastifyInstance, context: Context): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/api/auth/*',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const guarded = request.method === 'POST' && GUARDED.test(request.raw.url ?? '');
      const limit = failureLimit(request.ip);
      if (guarded) {
        const left = await isUsedUp(context.db, limit);
        if (!left.allowed) throw tooMany(left);
      }
      const response = await context.signIn.handle(toWebRequest(context, request));
      if (guarded && response.status >= 400) await take(context.db, limit);
      return send(reply, response);
    },
  });
}

function toWebRequest(context: Context, request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    for (const each of [value ?? []].flat()) headers.append(name, each);
  // The library believes this header; nobody else may set it.
  headers.set('x-client-ip', request.ip);
  return new Request(new URL(request.raw.url ?? '/', context.config.publicUrl), {
    method: request.method,
    headers,
    body: request.method === 'POST' ? new Uint8Array((request.body as Buffer | undefined) ?? []) : undefined,
  });
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  if (response.status >= 500) throw new ReelayError('internal_error');
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie);
  reply.code(response.status).header('cache-control', 'no-store');
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status < 400) return reply.send(body);
  return reply
    .removeHeader('content-length')
    .type('application/json; charset=utf-8')
    .send(inOurForm(response.status, body));
}

/** What refusals without words of their own mean. */
const BY_STATUS: Record<number, ErrorCode> = {
  401: 'unauthorized',
  404: 'not_found',
  405: 'method_not_allowed',
  415: 'unsupported_media_type',
};

/** The library writes codes in capitals and leaves `success` out; some refusals have no body at all. */
function inOurForm(status: number, body: Buffer): Buffer {
  let given: { code?: unknown; message?: unknown } = {};
  try {
    given = JSON.parse(body.toString()) ?? {};
  } catch {
    // No body, or one that is no JSON.
  }
  const fallback = BY_STATUS[status] ?? 'invalid_request';
  const code = typeof given.code === 'string' ? given.code.toLowerCase() : fallback;
  const message = typeof given.message === 'string' ? given.message : ERRORS[fallback][1];
  return Buffer.from(JSON.stringify({ success: false, code, message }));
}
