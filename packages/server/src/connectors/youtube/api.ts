/** A minimal client for the YouTube Data API v3. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Json, Session } from '../contract.ts';
import { theirNow } from '../kit/clock.ts';
import { at, textAt } from '../kit/json.ts';
import { failureOf } from './classify.ts';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret' | 'now'>;

/** Value of the Authorization header. */
export function bearer(secret: Session['secret']): string {
  return `Bearer ${textAt(secret, 'accessToken')}`;
}

/**
 * Calls a list method of the Data API v3 (1 of 10,000 quota units per day).
 * @returns the body, its items (empty if absent), and the offset of YouTube's clock to ours in ms (positive: ahead)
 * @throws PlatformError
 */
export async function list(
  caller: Caller,
  what: 'channels' | 'videos' | 'playlistItems',
  query: Record<string, string>,
): Promise<{ body: Json; items: unknown[]; aheadMs: number }> {
  const answer = await caller.http({
    method: 'GET',
    url: `${caller.endpoints.api}/youtube/v3/${what}?${new URLSearchParams(query)}`,
    headers: { authorization: bearer(caller.secret) },
  });
  if (answer.status !== 200) throw new PlatformError(failureOf(answer, caller.now()));
  const body = answer.json();
  const items = at(body, 'items');
  const now = caller.now();
  const aheadMs = theirNow(answer, now) - now;
  if (Array.isArray(items)) return { body, items, aheadMs };
  // An empty list may omit `items`. A body that is not a list response proves nothing.
  if (textAt(body, 'kind').endsWith('ListResponse')) return { body, items: [], aheadMs };
  throw new PlatformError({ kind: 'transient', detail: 'YouTube answered something that is no list.' });
}
