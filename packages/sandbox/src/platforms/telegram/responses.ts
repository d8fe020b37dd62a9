/**
 * Response formats of the Bot API: `{"ok":true,"result"}` and `{"ok":false,"error_code","description","parameters"}`.
 */
import type { SimulatorResponse } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { Refused } from '../../refused.ts';

export function ok(result: JsonObject | JsonObject[] | boolean): SimulatorResponse {
  return { status: 200, body: { ok: true, result } };
}

/** Builds an error response; the HTTP status is also the error code. */
export function refusal(status: number, description: string, parameters?: JsonObject): SimulatorResponse {
  return {
    status,
    body: { ok: false, error_code: status, description, ...(parameters ? { parameters } : {}) },
  };
}

/** @throws Refused always */
export function refuse(status: number, description: string, parameters?: JsonObject): never {
  throw new Refused(refusal(status, description, parameters));
}

/** @param seconds wait in seconds */
export function tooMany(seconds: number): SimulatorResponse {
  return {
    ...refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds }),
    headers: { 'retry-after': String(seconds) },
  };
}

export const UNAUTHORIZED = refusal(401, 'Unauthorized');
export const NOT_FOUND = refusal(404, 'Not Found');
export const TOO_LARGE = refusal(413, 'Request Entity Too Large');
export const WRONG_FILE = 'Bad Request: wrong file identifier/HTTP URL specified';
