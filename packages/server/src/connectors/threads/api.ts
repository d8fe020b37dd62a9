/** A minimal client for the Threads API, and the profile of a token. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Json, Session, Tokens } from '../contract.ts';
import { platformNow } from '../kit/clock.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { failureOf } from './classify.ts';
import { capabilities } from './limits.ts';

export const VERSION = 'v1.0';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret'>;

/** A successful response. */
export interface Said {
  body: Json;
  /** Offset of Threads' clock to ours in ms (positive: ahead); 0 if not stated. */
  aheadMs: number;
}

/** The body returned by {@link say}. @throws PlatformError */
export async function call(...request: Parameters<typeof say>): Promise<Json> {
  return (await say(...request)).body;
}

/**
 * Calls the API with the account's token. Success is status 200 with an object without `error`. @throws PlatformError
 */
export async function say(
  caller: Caller,
  method: 'GET' | 'POST',
  path: string,
  parameters: Record<string, string>,
  { deadlineMs, now }: { deadlineMs?: number; now?: () => number } = {},
): Promise<Said> {
  const all = { ...parameters, access_token: textAt(caller.secret, 'accessToken') };
  const url = `${caller.endpoints.graph}/${VERSION}${path}`;
  const response = await caller.http({
    ...(method === 'POST' ? { method, url, form: all } : { method, url: `${url}?${new URLSearchParams(all)}` }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
  const body = response.tryJson();
  const isObject = body !== null && typeof body === 'object' && !Array.isArray(body);
  if (response.status !== 200 || !isObject || at(body, 'error') !== undefined)
    throw new PlatformError(failureOf(response));
  return { body, aheadMs: now ? platformNow(response, now()) - now() : 0 };
}

/** Whether the daily posts are used up, by Threads' own count. @throws PlatformError */
export async function isUsedUp(caller: Caller, profileId: string): Promise<boolean> {
  const fields = 'quota_usage,config';
  const body = await call(caller, 'GET', `/${profileId}/threads_publishing_limit`, { fields });
  const usage = numberAt(body, 'data', 0, 'quota_usage');
  const total = numberAt(body, 'data', 0, 'config', 'quota_total');
  return usage !== null && total !== null && total > 0 && usage >= total;
}

/** Whether Threads does not have an object or does not show it to us. */
export function isGone(error: unknown): boolean {
  return error instanceof PlatformError && error.failure.platformCode === '100/33';
}

/** Parses a timestamp (`2026-11-21T10:00:00+0000`) to ms since the epoch, or null. */
export function timeOf(text: string): number | null {
  const time = Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(time) ? null : time;
}

const FIELDS = 'id,username,name,threads_profile_picture_url';

/**
 * Reads the profile. Also queries the posting limit, because only that call shows whether posting was permitted.
 * @throws PlatformError `reconnect` if it was not
 */
export async function identify(context: ConnectContext, { secret }: Tokens): Promise<AccountFacts> {
  const caller = { ...context, secret };
  const me = await call(caller, 'GET', '/me', { fields: FIELDS });
  const remoteId = textAt(me, 'id');
  await mayPost(caller, remoteId);
  const username = textAt(me, 'username');
  return {
    remoteId,
    username,
    displayName: textAt(me, 'name') || username,
    avatarUrl: textAt(me, 'threads_profile_picture_url'),
    capabilities,
    fetchesMedia: true,
  };
}

/** Accepts a profile that currently may not post. Throws if we have no permission to post for it. */
async function mayPost(caller: Caller, remoteId: string): Promise<void> {
  try {
    await isUsedUp(caller, remoteId);
  } catch (error) {
    const kind = error instanceof PlatformError ? error.failure.kind : null;
    if (kind !== 'rateLimited' && kind !== 'rejected' && kind !== 'setup') throw error;
  }
}
