/** Calls of the Threads API. */
import type { Json, Session } from '../contract.ts';
import { theirNow } from '../kit/clock.ts';
import { PlatformError } from '../kit/failure.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { failureOf } from './classify.ts';

export const VERSION = 'v1.0';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret'>;

/** An answer that was no refusal. */
export interface Said {
  body: Json;
  /** By how much Threads' clock is ahead of ours, ms; 0 where it did not say */
  aheadMs: number;
}

/** The body of {@link say}. @throws PlatformError */
export async function call(...request: Parameters<typeof say>): Promise<Json> {
  return (await say(...request)).body;
}

/** One call with the account's token. Success is an object without `error`. @throws PlatformError */
export async function say(
  caller: Caller,
  method: 'GET' | 'POST',
  path: string,
  parameters: Record<string, string>,
  { deadlineMs, now }: { deadlineMs?: number; now?: () => number } = {},
): Promise<Said> {
  const all = { ...parameters, access_token: textAt(caller.secret, 'accessToken') };
  const url = `${caller.endpoints.graph}/${VERSION}${path}`;
  const answer = await caller.http({
    ...(method === 'POST' ? { method, url, form: all } : { method, url: `${url}?${new URLSearchParams(all)}` }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
  const body = answer.tryJson();
  const isObject = body !== null && typeof body === 'object' && !Array.isArray(body);
  if (answer.status !== 200 || !isObject || at(body, 'error') !== undefined) throw new PlatformError(failureOf(answer));
  return { body, aheadMs: now ? theirNow(answer, now()) - now() : 0 };
}

/** Whether the posts of the day are used up, by Threads' own count. @throws PlatformError */
export async function isUsedUp(caller: Caller, profileId: string): Promise<boolean> {
  const fields = 'quota_usage,config';
  const body = await call(caller, 'GET', `/${profileId}/threads_publishing_limit`, { fields });
  const usage = numberAt(body, 'data', 0, 'quota_usage');
  const total = numberAt(body, 'data', 0, 'config', 'quota_total');
  return usage !== null && total !== null && total > 0 && usage >= total;
}

/** Whether Threads does not have an object, or does not show it to us. */
export function isGone(error: unknown): boolean {
  return error instanceof PlatformError && error.failure.platformCode === '100/33';
}

/** The time in an answer (`2026-11-21T10:00:00+0000`), ms since the epoch; null where there is none. */
export function timeOf(text: string): number | null {
  const time = Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(time) ? null : time;
}
