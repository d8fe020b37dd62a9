/** Authenticates callers and enforces scopes and quota. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { isDown } from '../../faults/requested.ts';
import { bearerToken, isObject } from '../../http/parameters.ts';
import type { CallerHandler, Handler } from '../../http/routes.ts';
import type { JsonObject } from '../../json.ts';
import { ownerOfToken, type TokenOwner } from '../../oauth/tokens.ts';
import { selectFields } from './fields.ts';
import { type Account, appSettings, type Grant } from './records.ts';
import { backendError, badRequest, refuse, unauthenticated, uploadsExhausted } from './responses.ts';

export type Caller = TokenOwner<Account>;

/**
 * Wraps a handler. It gets a call whose token is valid, that has a scope, and for which the project has quota.
 * @param scopes any one of these scopes is sufficient
 */
export function asCaller(bucket: Bucket, scopes: readonly string[], handler: CallerHandler<Caller>, cost = 1): Handler {
  return async (options, request) => {
    const caller = await callerOf(options, request);
    if (!caller) return unauthenticated();
    if (await isDown(options.store, caller.account.channelId)) return backendError();
    if (!(await appSettings(options)).enabled)
      return refuse('accessNotConfigured', 'YouTube Data API v3 has not been used in this project before.');
    if (!scopes.some((scope) => caller.scopes.includes(scope)))
      return refuse('insufficientPermissions', 'Request had insufficient authentication scopes.', {
        status: 'PERMISSION_DENIED',
        details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }],
      });
    if (!(await takeQuota(options, bucket, cost))) return EXHAUSTED[bucket]();
    return partial(await handler(options, request, caller), request.query.get('fields'));
  };
}

/** Applies the parameter `fields`. */
function partial(response: SimulatorResponse, fields: string | null): SimulatorResponse {
  const { status, body } = response;
  if (fields === null || status !== 200 || !isObject(body)) return response;
  const selected = selectFields(body as JsonObject, fields);
  return selected ? { ...response, body: selected } : badRequest(`Invalid field selection ${fields}`);
}

/** The owner of the request's token, or null if the token is missing or invalid. */
export function callerOf(options: SimulatorOptions, request: SimulatorRequest): Promise<Caller | null> {
  return ownerOfToken<Account, Grant>(options, bearerToken(request), ({ channelId }) => ['account', channelId]);
}

/** The project's daily quota: a separate bucket for uploads, units for everything else. */
const A_DAY = { uploads: 100, units: 10_000 };
type Bucket = keyof typeof A_DAY;

/** The two buckets answer differently (googleapis/google-api-python-client#2753 for uploads, "Errors" for units). */
const EXHAUSTED: Record<Bucket, () => SimulatorResponse> = {
  uploads: uploadsExhausted,
  units: () =>
    refuse(
      'quotaExceeded',
      'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.',
    ),
};

/** Spends the cost of a call; false if today's quota does not suffice. Days begin at midnight Pacific Time. */
async function takeQuota(options: SimulatorOptions, bucket: Bucket, cost: number): Promise<boolean> {
  if (!options.limits) return true;
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(options.now());
  let had = false;
  await options.store.change<number>('quota', `${bucket} ${day}`, (used = 0) => {
    had = used + cost <= A_DAY[bucket];
    return had ? used + cost : undefined;
  });
  return had;
}
