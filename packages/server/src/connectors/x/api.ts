/** A minimal client for X API v2. */
import type { HttpAnswer, HttpRequest } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Json, Session } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { type Asked, failureOf } from './classify.ts';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret' | 'now'>;

/** Calls API v2 and returns the response, even if it is an error. */
export function ask(
  caller: Caller,
  method: HttpRequest['method'],
  path: string,
  more: Pick<HttpRequest, 'json' | 'body' | 'deadlineMs'> = {},
): Promise<HttpAnswer> {
  return caller.http({ method, url: `${caller.endpoints.api}${path}`, headers: bearer(caller), ...more });
}

export function bearer({ secret }: Pick<Session, 'secret'>): Record<string, string> {
  return { authorization: `Bearer ${textAt(secret, 'accessToken')}` };
}

export const isSuccess = ({ status }: HttpAnswer) => status >= 200 && status < 300;

/** Returns the `data` of a response. A 200 may also contain nothing but `errors`. @throws PlatformError */
export function dataOf(answer: HttpAnswer, now: number, asked: Asked): Json {
  const data = at(answer.tryJson(), 'data');
  if (isSuccess(answer) && data !== undefined && data !== null) return data as Json;
  throw new PlatformError(failureOf(answer, now, asked));
}

/** Whether a text is a valid id: 64 bits in decimal digits. */
export const isId = (text: string) => /^[0-9]{1,19}$/.test(text);
