/** Error responses: problem bodies of API v2 and the flat format of the OAuth endpoints. */
import type { SimulatorResponse } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { SECOND } from '../../time.ts';
import { rateHeaders } from './rates.ts';

const PROBLEMS = 'https://api.x.com/2/problems';
const INVALID = 'One or more parameters to your request was invalid.';

const TITLES: Record<number, string> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** A problem of type `about:blank`. @param detail defaults to the title */
export function blank(status: 401 | 403 | 429 | 503, detail = TITLES[status] ?? ''): SimulatorResponse {
  return { status, body: { title: TITLES[status] ?? '', detail, type: 'about:blank', status } };
}

/** A 429 that states a wait of two seconds. */
export function tooMany(now: number): SimulatorResponse {
  return { ...blank(429), headers: rateHeaders(100, 0, now + 2 * SECOND) };
}

/** @param parameters names and values of the invalid parameters */
export function invalid(message: string, parameters: Record<string, string[]> = {}): SimulatorResponse {
  return {
    status: 400,
    body: {
      errors: [{ parameters, message }],
      title: 'Invalid Request',
      detail: INVALID,
      type: `${PROBLEMS}/invalid-request`,
    },
  };
}

/** A problem with a specific type. */
export function problem(status: number, type: string, title: string, detail: string, more = {}): SimulatorResponse {
  return { status, body: { title, detail, type: `${PROBLEMS}/${type}`, status, ...more } };
}

/** Reads report a missing resource with status 200. */
export function notFound(parameter: string, id: string, resource: 'tweet' | 'user'): SimulatorResponse {
  const error: JsonObject = {
    value: id,
    detail: `Could not find ${resource} with ${parameter}: [${id}].`,
    title: 'Not Found Error',
    resource_type: resource,
    parameter,
    resource_id: id,
    type: `${PROBLEMS}/resource-not-found`,
  };
  return { status: 200, body: { errors: [error] } };
}

export function refuseOAuth(status: 400 | 401, error: string, description: string): SimulatorResponse {
  return { status, headers: { 'cache-control': 'no-store' }, body: { error, error_description: description } };
}
