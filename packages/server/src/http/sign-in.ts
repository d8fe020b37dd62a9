/** `/api/auth`: hands requests to the sign-in library, and its refusals on in our form. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { ReelayError } from '../errors.ts';
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
  return reply.removeHeader('content-length').type('application/json; charset=utf-8').send(inOurForm(body));
}

/** The library writes codes in capitals and leaves `success` out. */
function inOurForm(body: Buffer): Buffer {
  let given: { code?: unknown; message?: unknown } = {};
  try {
    given = JSON.parse(body.toString()) ?? {};
  } catch {
    // Some refusals have no body, or one that is no JSON.
  }
  const code = typeof given.code === 'string' ? given.code.toLowerCase() : 'invalid_request';
  const message = typeof given.message === 'string' ? given.message : 'The request was refused.';
  return Buffer.from(JSON.stringify({ success: false, code, message }));
}
