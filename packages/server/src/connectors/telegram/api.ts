/** Client for the Bot API. The URLs contain the bot token and must never be displayed. */
import type { HttpClient, HttpResponse } from '../../outbound/http-client.ts';
import type { Endpoints, JsonObject, Session } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';

/** Where to send calls, and with which bot. */
export interface Caller {
  http: HttpClient;
  endpoints: Endpoints;
  /** URL of a self-hosted Bot API server; "" for Telegram's own. */
  service: string;
  token: string;
}

/** Telegram's own Bot API server. */
export const TELEGRAM_API = 'https://api.telegram.org';

/** Returns the URL of a method, which contains the token. */
export function methodUrl({ endpoints, service, token }: Omit<Caller, 'http'>, method: string): string {
  return `${service || endpoints.api || TELEGRAM_API}/bot${token}/${method}`;
}

/** Returns the URL of a file, which contains the token. @param path as `getFile` returns it */
export function fileUrl({ endpoints, service, token }: Omit<Caller, 'http'>, path: string): string {
  return `${service || endpoints.api || TELEGRAM_API}/file/bot${token}/${path}`;
}

/** Returns the caller for an account. */
export function callerOf({ http, endpoints, service, secret }: Session): Caller {
  return { http, endpoints, service, token: textAt(secret, 'token') };
}

/** @throws NetworkError */
export function ask(caller: Caller, method: string, parameters: JsonObject): Promise<HttpResponse> {
  return caller.http({ method: 'POST', url: methodUrl(caller, method), json: parameters });
}

/** Returns the result of a call; undefined if it was rejected or another server responded. */
export function resultOf(response: HttpResponse): unknown {
  const body = response.tryJson();
  return response.status === 200 && at(body, 'ok') === true ? at(body, 'result') : undefined;
}

/** Returns the bot's own id, the first part of its token. */
export function botIdOf(token: string): string {
  return token.split(':')[0] ?? '';
}

/** Returns the new id of a group that was upgraded to a supergroup, or "". */
export function movedTo(response: HttpResponse): string {
  return textAt(response.tryJson(), 'parameters', 'migrate_to_chat_id');
}
