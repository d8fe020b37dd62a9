/** Response formats of the v5 API: plain objects, and errors as `{"code","message"}`. */
import { randomBytes } from 'node:crypto';
import type { SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { jsonObject } from '../../http/parameters.ts';
import type { JsonObject } from '../../json.ts';
import { Refused } from '../../refused.ts';

const rid = () => ({ 'x-pinterest-rid': String(randomBytes(8).readBigUInt64BE()) });

export function ok(body: JsonObject, status = 200): SimulatorResponse {
  return { status, headers: rid(), body };
}

export function refusal(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): SimulatorResponse {
  return { status, headers: { ...rid(), ...headers }, body: { code, message } };
}

export const authenticationFailed = () => refusal(401, 2, 'Authentication failed.');
export const notPermitted = () => refusal(403, 29, 'You are not permitted to access that resource.');
export const serverError = (status: 500 | 503) =>
  refusal(status, 12, 'Something went wrong on our end. Sorry about that.');
export const invalid = (message: string) => refusal(400, 1, message);

/** @param resetSeconds seconds until the window resets */
export function tooMany(resetSeconds: number): SimulatorResponse {
  return refusal(429, 8, 'You have exceeded your rate limit. Try again later.', {
    'x-ratelimit-limit': '100, 100;w=60;name="org_write"',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(resetSeconds),
  });
}

/** Returns the JSON object of a request with a JSON content type. @throws Refused */
export async function bodyOf(request: SimulatorRequest): Promise<Record<string, unknown>> {
  const body = await jsonObject(request);
  if (body) return body;
  throw new Refused(invalid('Request body is not a valid JSON object.'));
}

/** Returns a page of a list: `page_size` of 1 to 250 (default 25), and a `bookmark`. @throws Refused */
export function paged<T>(
  request: SimulatorRequest,
  all: readonly T[],
  shape: (each: T) => JsonObject,
): SimulatorResponse {
  const size = Number(request.query.get('page_size') ?? 25);
  const bookmark = request.query.get('bookmark');
  const begin = bookmark === null ? '0' : Buffer.from(bookmark, 'base64url').toString();
  const start = /^\d+$/.test(begin) ? Number(begin) : Number.NaN;
  if (!Number.isInteger(size) || size < 1 || size > 250) throw new Refused(invalid(`'${size}' is not a page_size.`));
  if (Number.isNaN(start)) throw new Refused(invalid('The bookmark is not valid.'));
  const more = start + size < all.length;
  return ok({
    items: all.slice(start, start + size).map(shape),
    bookmark: more ? Buffer.from(String(start + size)).toString('base64url') : null,
  });
}
