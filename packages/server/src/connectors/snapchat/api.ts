import type { ConnectContext, Json, JsonObject, Session } from '../contract.ts';
import { saidAt } from '../kit/clock.ts';
import { PlatformError } from '../kit/failure.ts';
import type { HttpAnswer, HttpBody, HttpRequest } from '../kit/http.ts';
import { textAt } from '../kit/json.ts';
import { failureOf } from './classify.ts';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret'>;

export function bearer(secret: JsonObject): { authorization: string } {
  return { authorization: `Bearer ${textAt(secret, 'accessToken')}` };
}

/** A caller before there is a session. */
export function callerOf({ http, endpoints }: ConnectContext, secret: JsonObject): Caller {
  return { http, endpoints, secret };
}

/** One call that may be made again. @param path on the API's own host @throws PlatformError unless it says SUCCESS */
export async function call(
  caller: Caller,
  method: HttpRequest['method'],
  path: string,
  content: { json?: JsonObject; body?: HttpBody; deadlineMs?: number } = {},
): Promise<Json> {
  return (await callDated(caller, method, path, content)).body;
}

/** The same, with the moment of the answer by Snapchat's clock, ms since the epoch; null where it does not say. */
export async function callDated(
  caller: Caller,
  method: HttpRequest['method'],
  path: string,
  content: { json?: JsonObject; body?: HttpBody; deadlineMs?: number } = {},
): Promise<{ body: Json; saidAt: number | null }> {
  const url = `${caller.endpoints.api}${path}`;
  const answer = await caller.http({ method, url, headers: bearer(caller.secret), ...content });
  return { body: succeeded(answer), saidAt: saidAt(answer) };
}

/** The body of an answer that says that it succeeded, in full or (of a list) in part. @throws PlatformError */
function succeeded(answer: HttpAnswer): Json {
  const body = answer.status >= 200 && answer.status < 300 ? answer.tryJson() : null;
  const status = textAt(body, 'request_status');
  if (status !== 'SUCCESS' && status !== 'PARTIAL') throw new PlatformError(failureOf(answer));
  return body;
}

/**
 * The path of an address that Snapchat gave, relative or on its own host; "" for any other, so that nothing is ever sent
 * to another host.
 * @param api base address of the API
 */
export function ownPath(given: string, api: string): string {
  const path = given.startsWith(`${api}/`) ? given.slice(api.length) : given;
  if (!/^\/[\w!$&'()*+,;=:@%./?~-]+$/.test(path) || path.startsWith('//')) return '';
  return path.split(/[/?]/).some((part) => /^(\.|%2e){1,2}$/i.test(part)) ? '' : path;
}
