import type { Json, Session } from '../contract.ts';
import { theirNow } from '../kit/clock.ts';
import { PlatformError } from '../kit/failure.ts';
import { at, textAt } from '../kit/json.ts';
import { failureOf } from './classify.ts';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret' | 'now'>;

/** The header that says who calls. */
export function bearer(secret: Session['secret']): string {
  return `Bearer ${textAt(secret, 'accessToken')}`;
}

/**
 * One list call of the Data API v3 (a unit of the day's 10,000).
 * @returns the answer, its items (none where it has no such list), and by how many ms YouTube's clock is ahead of ours
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
  // A list without anything may lack its items; what is no list at all says nothing.
  if (textAt(body, 'kind').endsWith('ListResponse')) return { body, items: [], aheadMs };
  throw new PlatformError({ kind: 'transient', detail: 'YouTube answered something that is no list.' });
}
