/** Routes of sign-in operations below `/api/auth`, with rate limits, and better-auth's errors in our format. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { apiError, type ErrorCode, ReelayError } from '../errors/reelay-error.ts';
import { errorMessage } from '../messages/error-texts.ts';
import type { MessageRef } from '../messages/message.ts';
import { libraryMessage } from '../messages/sign-in.ts';
import { giveBack, type Limit, take } from '../queue/rate-counter.ts';
import type { AuthRequest } from '../users/auth-request.ts';
import { AUTH_PATH, type AuthRoute } from '../users/auth-route.ts';
import { refuseOrigin } from '../users/origins.ts';
import { refuseChallenge } from '../users/sign-in/handle.ts';
import { hurry, limitUnfinished, takeSmallJson } from './bodies.ts';
import { pathOf, sendRefusal } from './error-handling.ts';
import type { HttpServices } from './http-services.ts';
import { declareLanguage, speaking } from './language.ts';
import { isLocalRequest } from './local-request.ts';
import {
  accountLimits,
  accountResetLimit,
  knownLimit,
  network,
  passkeyChallengeLimit,
  resetLimit,
  signInLimit,
  signUpLimit,
  tooMany,
} from './request-limits.ts';
import type { SignInOperation } from './sign-in-operation.ts';
import { check } from './validate-input.ts';

const BODY_LIMIT = 16 * 1024;
/** Their limits also count successes. */
const COUNTED = new Set<AuthRoute['guards']>(['signUp', 'requestReset', 'passkeyChallenge']);
/** Maximum number of unfinished bodies per client address. */
const UNFINISHED = 64;

/**
 * Adds the routes.
 * @param bodyWithinMs time limit for receiving a body, in ms
 */
export function addSignIn(
  app: FastifyInstance,
  context: HttpServices,
  operations: readonly SignInOperation[],
  bodyWithinMs: number,
): void {
  takeSmallJson(app, BODY_LIMIT);
  limitUnfinished(app, UNFINISHED);
  hurry(app, bodyWithinMs);
  app.setErrorHandler((error, request, reply) => {
    const large = (error as { code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
    const known = large ? apiError('sign_in_body_too_large') : error;
    return sendRefusal(context, known, request, reply);
  });
  for (const route of operations)
    app.route({
      method: route.method,
      url: AUTH_PATH + route.path,
      exposeHeadRoute: false,
      bodyLimit: BODY_LIMIT,
      // The router also accepts other spellings of a path, and absolute URLs.
      onRequest: async (request) => {
        if (pathOf(request) !== AUTH_PATH + route.path) throw new ReelayError('not_found');
      },
      handler: async (request, reply) => {
        const response = await answer(context, route, request);
        return send(reply, response, { context: speaking(context, request), request });
      },
    });
}

/**
 * Counts an attempt before any password is hashed, so that concurrent attempts are counted. The count is undone if it
 * was not a failed guess.
 */
async function answer(context: HttpServices, route: AuthRoute, request: FastifyRequest): Promise<Response> {
  const header = (name: string) => request.headers[name]?.toString();
  // The library checks only its own routes.
  const refusal = route.method === 'POST' ? refuseOrigin(context.config.publicUrl, header) : null;
  if (refusal) return Response.json({ code: refusal }, { status: 403 });
  const call: AuthRequest = {
    route,
    body: check(route.body, request.body ?? {}) as AuthRequest['body'],
    address: request.ip,
    client: network(request.ip),
    local: isLocalRequest(context.config, {
      peer: request.raw.socket.remoteAddress ?? '',
      header,
    }),
    header,
  };
  const taken = await takeAll(context, await limitsFor(context, call));
  const undo = () => Promise.all(taken.map((limit) => giveBack(context.db, limit)));
  const response = await context.signIn.handle(call).catch(async (error: unknown) => {
    await undo();
    throw error;
  });
  if (response.status < 400 && !COUNTED.has(route.guards)) await undo();
  return route.guards === 'signIn' ? refuseChallenge(response) : response;
}

/** Returns groups of limits. Within a group, the first limit with room counts the attempt. */
async function limitsFor({ signIn }: HttpServices, call: AuthRequest): Promise<Limit[][]> {
  const { route, address } = call;
  if (route.guards === 'signUp') return [[signUpLimit(address)]];
  if (route.guards === 'passkeyChallenge') return [[passkeyChallengeLimit(address)]];
  if (route.guards === null) return [];
  const attempt = await signIn.attempt(call);
  if (!attempt) return [[signInLimit(address)]];
  if (route.guards === 'requestReset') {
    // Known browsers have a limit of their own here too, so that strangers cannot keep the owner from a reset.
    const ofKnown = attempt.browser === null ? [] : [accountResetLimit(`${attempt.account} known`)];
    return [[resetLimit(address)], [...ofKnown, accountResetLimit(attempt.account)]];
  }
  const { account, browser } = attempt;
  // A known browser has its own limits: neither strangers nor other clients at the same address can use them up.
  if (browser !== null) return [accountLimits(account, browser), [knownLimit(account), ...accountLimits(account)]];
  return [[signInLimit(address)], accountLimits(account)];
}

/** @throws ReelayError `rate_limited` */
async function takeAll({ db }: HttpServices, wanted: Limit[][]): Promise<Limit[]> {
  const all: Limit[] = [];
  for (const choices of wanted) {
    let last: Awaited<ReturnType<typeof take>> | null = null;
    for (const limit of choices) {
      last = await take(db, limit);
      if (last.allowed) {
        all.push(limit);
        break;
      }
    }
    if (last && !last.allowed) throw tooMany(last);
  }
  return all;
}

async function send(
  reply: FastifyReply,
  response: Response,
  { context, request }: { context: HttpServices; request: FastifyRequest },
): Promise<FastifyReply> {
  if (response.status >= 500) throw new ReelayError('internal_error');
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie);
  reply.code(response.status).header('cache-control', 'no-store').removeHeader('content-length');
  const body = Buffer.from(await response.arrayBuffer());
  if (body.length > 0 || response.status >= 400) reply.type('application/json; charset=utf-8');
  if (response.status < 400) return reply.send(withoutTokens(body));
  declareLanguage(reply, request);
  return reply.send(inOurForm(response, body, context));
}

/** Removes the tokens of sessions: the cookie has them, and scripts of a page need none. */
function withoutTokens(body: Buffer): Buffer {
  if (body.length === 0) return body;
  const given: unknown = JSON.parse(body.toString());
  if (typeof given !== 'object' || given === null) return body;
  const { token: _token, session, ...rest } = given as { token?: unknown; session?: Record<string, unknown> };
  if (!session) return Buffer.from(JSON.stringify(rest));
  const { token: _sessionToken, ...shown } = session;
  return Buffer.from(JSON.stringify({ ...rest, session: shown }));
}

/** Error codes for responses without a usable body. */
const BY_STATUS: Record<number, ErrorCode> = {
  401: 'unauthorized',
  404: 'not_found',
  405: 'method_not_allowed',
  415: 'unsupported_media_type',
};

/** Converts better-auth's errors: its codes are upper case, it omits `success`, and some errors have no body. */
function inOurForm(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: Buffer,
  { renderMessage }: Pick<HttpServices, 'renderMessage'>,
): Buffer {
  let given: { code?: unknown; message?: unknown; said?: MessageRef } = {};
  try {
    given = JSON.parse(body.toString()) ?? {};
  } catch {
    // No body, or not JSON.
  }
  const fallback = BY_STATUS[status] ?? 'invalid_request';
  const code = typeof given.code === 'string' ? given.code.toLowerCase() : fallback;
  const said =
    given.said ?? libraryMessage(given.code) ?? (given.message === undefined ? errorMessage(fallback) : null);
  const message = said ? renderMessage(said) : String(given.message);
  const wait = headers.get('retry-after');
  return Buffer.from(
    JSON.stringify({ success: false, code, message, ...(wait === null ? {} : { retryAfter: Number(wait) }) }),
  );
}
