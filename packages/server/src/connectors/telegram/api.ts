/** Calls of the Bot API. The token stands in the address: none that is made here may be shown to anybody. */
import type { Endpoints, JsonObject } from '../contract.ts';
import type { HttpAnswer, HttpClient } from '../kit/http.ts';
import { at, textAt } from '../kit/json.ts';

/** Where and as whom calls are made. */
export interface Caller {
  http: HttpClient;
  endpoints: Endpoints;
  /** Address of a Bot API server of one's own; "" means Telegram's. */
  service: string;
  token: string;
}

/** Telegram's own Bot API server. */
export const TELEGRAM_API = 'https://api.telegram.org';

/** Address of a method, with the token in it. */
export function methodUrl({ endpoints, service, token }: Omit<Caller, 'http'>, method: string): string {
  return `${service || endpoints.api || TELEGRAM_API}/bot${token}/${method}`;
}

/** @throws NetworkError */
export function ask(caller: Caller, method: string, parameters: JsonObject): Promise<HttpAnswer> {
  return caller.http({ method: 'POST', url: methodUrl(caller, method), json: parameters });
}

/** What a call gave; undefined where it was refused or answered by somebody else. */
export function resultOf(answer: HttpAnswer): unknown {
  const body = answer.tryJson();
  return answer.status === 200 && at(body, 'ok') === true ? at(body, 'result') : undefined;
}

/** The bot's own id, which its token begins with. */
export function botIdOf(token: string): string {
  return token.split(':')[0] ?? '';
}

/** The id that an upgraded group has now, or "". */
export function movedTo(answer: HttpAnswer): string {
  return textAt(answer.tryJson(), 'parameters', 'migrate_to_chat_id');
}
