import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReelayError } from '../errors/reelay-error.ts';
import { hashKey, isKey } from '../keys/format.ts';
import { touch } from '../keys/key-store.ts';
import { isUsedUp, take } from '../queue/rate-counter.ts';
import type { Caller } from './caller.ts';
import type { HttpServices } from './http-services.ts';
import { type Auth, needsOperator, needsSession } from './operation.ts';
import { failureLimit, limitOf, pieceLimit, tooMany } from './request-limits.ts';

/** An authenticated caller, and whether they are suspended. */
interface Known {
  caller: Caller;
  suspended: boolean;
}

/**
 * Authenticates a request before its body is read. Checks the credentials, then the rate limit, then the caller's
 * permissions. Every authenticated request counts against the limit, even a rejected one. If `counts` is false,
 * the larger limit of pieces counts instead.
 * @throws ReelayError `unauthorized`, `rate_limited`, `account_suspended`, `session_required`,
 * `api_access_not_in_plan`,
 *   `csrf_required`, `operator_required`
 */
export async function authenticate(
  context: HttpServices,
  needs: { auth: Exclude<Auth, 'none'>; writes: boolean; counts?: boolean },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const known = await prove(context, request);
  if (!known) throw await refuseStranger(context, request.ip);
  const { caller, suspended } = known;
  await count(context, caller, reply, needs.counts);
  if (suspended) throw new ReelayError('account_suspended');
  if (caller.by.kind === 'key' && needsSession(needs.auth)) throw new ReelayError('session_required');
  if (caller.by.kind === 'key' && !context.config.plans[caller.plan].apiAccess)
    throw new ReelayError('api_access_not_in_plan');
  if (caller.by.kind === 'session' && needs.writes && request.headers['x-reelay-csrf'] !== '1')
    throw new ReelayError('csrf_required');
  if (needsOperator(needs.auth) && !caller.operator) throw new ReelayError('operator_required');
  return caller;
}

/** Authenticates by API key if one is sent, else by the dashboard's cookie. */
async function prove(context: HttpServices, request: FastifyRequest): Promise<Known | null> {
  const { authorization } = request.headers;
  if (authorization === undefined) return proveSession(context, request);
  const key = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (!key || !isKey(key)) return null;
  const hash = hashKey(key);
  const owner = await context.ownerOfKey(hash);
  if (!owner) return null;
  if (owner.stale) await touch(context.db, hash);
  const { user_id: userId, email, plan, operator, zone, suspended } = owner;
  return { caller: { userId, email, plan, operator, zone, by: { kind: 'key', hash } }, suspended };
}

async function proveSession(context: HttpServices, request: FastifyRequest): Promise<Known | null> {
  if (!request.headers.cookie) return null;
  const found = await context.signIn.session(request.headers.cookie);
  if (!found) return null;
  const { suspended, sessionId, ...user } = found;
  return { caller: { ...user, by: { kind: 'session', id: sessionId } }, suspended };
}

async function count(context: HttpServices, caller: Caller, reply: FastifyReply, counts = true): Promise<void> {
  const limit = limitOf(context.config, caller);
  if (!limit) return;
  const taken = await (counts ? take : isUsedUp)(context.db, limit);
  reply.raw.setHeader('ratelimit-limit', limit.most);
  reply.raw.setHeader('ratelimit-remaining', taken.remaining);
  reply.raw.setHeader('ratelimit-reset', taken.resetSeconds);
  if (counts && !taken.allowed) throw tooMany(taken);
  if (counts) return;
  const pieces = await take(context.db, pieceLimit(caller));
  if (!pieces.allowed) throw tooMany(pieces, 'pieces_limited');
}

async function refuseStranger(context: HttpServices, address: string): Promise<ReelayError> {
  const taken = await take(context.db, failureLimit(address));
  return taken.allowed ? new ReelayError('unauthorized') : tooMany(taken);
}
