/** A minimal client for Snapchat's Public Profile API. */
import type { HttpAnswer, HttpBody, HttpRequest } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, Json, JsonObject, Session } from '../contract.ts';
import { saidAt } from '../kit/clock.ts';
import { textAt } from '../kit/json.ts';
import { failureOf } from './classify.ts';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret'>;

export function bearer(secret: JsonObject): { authorization: string } {
  return { authorization: `Bearer ${textAt(secret, 'accessToken')}` };
}

/** Returns a caller for use before a session exists. */
export function callerOf({ http, endpoints }: ConnectContext, secret: JsonObject): Caller {
  return { http, endpoints, secret };
}

/**
 * Makes a call that may be repeated. @param path path on the API's host @throws PlatformError unless it reports SUCCESS
 */
export async function call(
  caller: Caller,
  method: HttpRequest['method'],
  path: string,
  content: { json?: JsonObject; body?: HttpBody; deadlineMs?: number } = {},
): Promise<Json> {
  return (await callDated(caller, method, path, content)).body;
}

/** Like {@link call}, with the time of the response by Snapchat's clock in ms since the epoch; null if absent. */
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

/** Returns the body of a response that reports full or (for a list) partial success. @throws PlatformError */
function succeeded(answer: HttpAnswer): Json {
  const body = answer.status >= 200 && answer.status < 300 ? answer.tryJson() : null;
  const status = textAt(body, 'request_status');
  if (status !== 'SUCCESS' && status !== 'PARTIAL') throw new PlatformError(failureOf(answer));
  return body;
}

/**
 * Returns the path of a URL from Snapchat, relative or on the API's host; "" for any other, so that no request goes to
 * another host.
 * @param api base URL of the API
 */
export function ownPath(given: string, api: string): string {
  const path = given.startsWith(`${api}/`) ? given.slice(api.length) : given;
  if (!/^\/[\w!$&'()*+,;=:@%./?~-]+$/.test(path) || path.startsWith('//')) return '';
  return path.split(/[/?]/).some((part) => /^(\.|%2e){1,2}$/i.test(part)) ? '' : path;
}
