/** A minimal client for Pinterest's API v5. */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, Json, JsonObject, Session } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { failureOf } from './classify.ts';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret'>;

export function bearer(secret: JsonObject): { authorization: string } {
  return { authorization: `Bearer ${textAt(secret, 'accessToken')}` };
}

/**
 * Sends a GET request. @param path path below the version, including the query @throws PlatformError unless the
 * response is 200 with JSON
 */
export async function read(caller: Caller, path: string): Promise<Json> {
  const answer = await caller.http({
    method: 'GET',
    url: `${caller.endpoints.api}/v5${path}`,
    headers: bearer(caller.secret),
  });
  return bodyOf(answer, [200]);
}

/**
 * Sends a POST request whose effect may be repeated. @throws PlatformError unless the response is 200 or 201 with JSON
 */
export async function write(caller: Caller, path: string, json: JsonObject): Promise<Json> {
  const url = `${caller.endpoints.api}/v5${path}`;
  return bodyOf(await caller.http({ method: 'POST', url, headers: bearer(caller.secret), json }), [200, 201]);
}

function bodyOf(answer: HttpAnswer, good: readonly number[]): Json {
  const body = answer.tryJson();
  if (!good.includes(answer.status) || body === null) throw new PlatformError(failureOf(answer));
  return body;
}

/** Reads a paginated list. `complete` is false if it has more than `maxPages` pages. @throws PlatformError */
export async function readAll(
  caller: Caller,
  path: string,
  maxPages: number,
): Promise<{ items: unknown[]; complete: boolean }> {
  const items: unknown[] = [];
  const query = new URLSearchParams({ page_size: '250' });
  for (let page = 0; page < maxPages; page++) {
    const body = await read(caller, `${path}?${query}`);
    const found = at(body, 'items');
    if (!Array.isArray(found))
      throw new PlatformError({ kind: 'transient', detail: 'Pinterest answered with a list that has no items.' });
    items.push(...found);
    const bookmark = textAt(body, 'bookmark');
    if (bookmark === '' || bookmark === query.get('bookmark')) return { items, complete: true };
    query.set('bookmark', bookmark);
  }
  return { items, complete: false };
}

/** Returns a caller for use before a session exists. */
export function callerOf({ http, endpoints }: ConnectContext, secret: JsonObject): Caller {
  return { http, endpoints, secret };
}
