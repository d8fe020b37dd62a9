/** XRPC calls and errors of a PDS. Messages are those of PDS 0.5.35. */
import type { Route, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { isObject, mediaType } from '../../http/parameters.ts';
import type { JsonObject } from '../../json.ts';
import { Refused, responseOf } from '../../refused.ts';

/** @throws Refused */
export function refuse(status: number, error: string, message: string): never {
  throw new Refused(xrpcError(status, error, message));
}

/** @throws Refused */
export function invalid(message: string): never {
  refuse(400, 'InvalidRequest', message);
}

export function xrpcError(status: number, error: string, message: string): SimulatorResponse {
  return { status, body: { error, message } };
}

export const RATE_LIMITED = xrpcError(429, 'RateLimitExceeded', 'Rate Limit Exceeded');

/** @throws Refused in the format of RFC 6749 */
export function refuseOAuth(status: number, error: string, description: string): never {
  throw new Refused({ status, body: { error, error_description: description } });
}

/** A request in progress. `headers` are added to its response in all cases. */
export interface Call {
  request: SimulatorRequest;
  headers: Record<string, string>;
}

export type Handler = (call: Call) => Promise<SimulatorResponse>;

/** Creates a route that adds the headers of the call to its response, also to an error. */
export function route(method: Route['method'], path: string, handler: Handler): Route {
  return {
    method,
    path,
    async handle(request) {
      const call: Call = { request, headers: {} };
      const response = await handler(call).catch(responseOf);
      return { ...response, headers: { ...call.headers, ...response.headers } };
    },
  };
}

/** Creates the route of a PDS method, and an error route for the wrong verb. */
export function xrpc(method: 'GET' | 'POST', nsid: string, handler: Handler, prefix = ''): Route[] {
  const path = `${prefix}/xrpc/${nsid}`;
  const wrong = method === 'GET' ? 'POST' : 'GET';
  return [
    route(method, path, handler),
    route(wrong, path, async () =>
      xrpcError(400, 'InvalidRequest', `Incorrect HTTP method (${wrong}) expected ${method}`),
    ),
  ];
}

/** Returns a query parameter. @throws Refused if it is missing */
export function parameter(request: SimulatorRequest, name: string): string {
  const value = request.query.get(name);
  if (value === null || value === '')
    invalid(`Invalid ${request.path.split('/').at(-1)} params: Missing required key "${name}"`);
  return value;
}

/** Returns the JSON body, an object. @throws Refused */
export async function input(request: SimulatorRequest, required: readonly string[] = []): Promise<JsonObject> {
  const type = request.headers['content-type'];
  if (!type) invalid('Request encoding (Content-Type) required but not provided');
  if (mediaType(request) !== 'application/json') invalid(`Wrong request encoding (Content-Type): ${type}`);
  const body = await request.json();
  if (body === undefined) refuse(400, 'SyntaxError', 'Unexpected token in JSON');
  if (!isObject(body)) return invalid('Expected object value type at $');
  for (const name of required) if (!Object.hasOwn(body, name)) invalid(`Missing required key "${name}" at $`);
  return body as JsonObject;
}

export function ok(body?: JsonObject): SimulatorResponse {
  return { status: 200, body };
}
