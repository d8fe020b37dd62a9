/**
 * Response formats of the Public Profile API. Every body reports success or failure, independent of the HTTP status.
 */
import { randomUUID } from 'node:crypto';
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { jsonObject } from '../../http/parameters.ts';
import type { JsonObject } from '../../json.ts';
import { Refused } from '../../refused.ts';
import { settingsOf } from './records.ts';

export function ok(body: JsonObject): SimulatorResponse {
  return { status: 200, body: { request_status: 'SUCCESS', request_id: randomUUID(), ...body } };
}

export function refusal(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): SimulatorResponse {
  const messages = { display_message: message, debug_message: message };
  const body = { request_status: 'ERROR', request_id: randomUUID(), error_code: code, ...messages };
  return { status, headers, body };
}

/** Returns an error with a code. Its HTTP status is not documented. */
export async function problem(options: SimulatorOptions, code: string, message: string): Promise<Refused> {
  const { errorStatus } = await settingsOf(options);
  return new Refused(refusal(errorStatus, code, message));
}

export const badRequest = (message: string) => new Refused(refusal(400, 'INVALID_REQUEST', message));
export const unauthorized = () => refusal(401, 'AUTHENTICATION_FAILED', 'The access token is not valid.');
export const serverError = (status: 500 | 503) => refusal(status, 'INTERNAL_ERROR', 'Something went wrong.');
export const denied = () =>
  refusal(403, 'AUTHORIZATION_PERMISSION_DENIED', 'The client is not permitted to access this profile.');

/** An error with an empty body has its reason in headers. */
export const deniedInHeaders = (): SimulatorResponse => ({
  status: 403,
  headers: { 'grpc-message': 'The%20client is not allowlisted.', 'x-internal_error_code': 'E1008' },
});

export function tooMany(waitSeconds?: number): SimulatorResponse {
  const headers: Record<string, string> = waitSeconds === undefined ? {} : { 'retry-after': String(waitSeconds) };
  return refusal(429, 'RATE_LIMITED', 'Too many requests.', headers);
}

/** Returns the JSON object of a request with a JSON content type. @throws Refused */
export async function bodyOf(request: SimulatorRequest, known: readonly string[]): Promise<Record<string, unknown>> {
  const body = await jsonObject(request);
  if (!body) throw badRequest('The body must be a JSON object and be sent as JSON.');
  const stray = Object.keys(body).find((name) => !known.includes(name));
  if (stray !== undefined) throw badRequest(`The field "${stray}" is not known.`);
  return body;
}
