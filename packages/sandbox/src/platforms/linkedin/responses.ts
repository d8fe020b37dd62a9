/** Error responses in the format of the versioned API and of the OAuth endpoints. */
import type { SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { jsonObject, mediaType } from '../../http/parameters.ts';
import type { JsonObject } from '../../json.ts';
import { Refused } from '../../refused.ts';

/** HTTP status of each code, and its number if the platform has one. */
const CODES = {
  VERSION_MISSING: [400],
  NONEXISTENT_VERSION: [426],
  MISSING_FIELD: [400],
  INVALID_VALUE_FOR_FIELD: [400],
  INVALID_VALUE_BLANK_FIELD: [400],
  QUERY_PARAM_NOT_ALLOWED: [400],
  FIELD_LENGTH_TOO_LONG: [400],
  INVALID_VIDEO_ID: [400],
  INVALID_URN_TYPE: [400],
  INVALID_URN_ID: [400],
  EXPIRED_UPLOAD_URL: [400],
  UPDATING_ASSET_FAILED: [400],
  MEDIA_ASSET_WAITING_UPLOAD: [400],
  MEDIA_ASSET_PROCESSING_FAILED: [400],
  INVALID_ACCESS_TOKEN: [401, 65_600],
  REVOKED_ACCESS_TOKEN: [401, 65_601],
  EXPIRED_ACCESS_TOKEN: [401, 65_602],
  EMPTY_ACCESS_TOKEN: [401],
  ACCESS_DENIED: [403, 100],
  NOT_FOUND: [404],
  DUPLICATE_POST: [422],
  TOO_MANY_REQUESTS: [429, 101],
} as const satisfies Record<string, readonly [number, number?]>;
type Code = keyof typeof CODES;

export function refusal(code: Code, message: string): SimulatorResponse {
  const [status, serviceErrorCode]: readonly [number, number?] = CODES[code];
  const number: JsonObject = serviceErrorCode === undefined ? {} : { serviceErrorCode };
  return { status, body: { status, ...number, code, message } };
}

/** @param field path of the invalid field */
export function refuse(code: Code, message: string, field?: string): Refused {
  const { status, body } = refusal(code, message);
  if (field === undefined) return new Refused({ status, body });
  const inputErrors = [{ code, input: { inputPath: { fieldPath: field } } }];
  return new Refused({ status, body: { ...(body as JsonObject), errorDetails: { inputErrors } } });
}

export function revokedToken(): Refused {
  return refuse('REVOKED_ACCESS_TOKEN', 'The token used in the request has been revoked by the user');
}

/** Response for a video of another owner; it has no code. */
export const FORBIDDEN_VIDEO: SimulatorResponse = {
  status: 403,
  body: {
    message: 'Accessing this video resource is forbidden. Please check your permissions for this resource',
    status: 403,
  },
};

/** Returns an internal error of the platform. */
export function failed(status: 500 | 503): SimulatorResponse {
  return { status, body: { status, message: 'Unable to obtain activity' } };
}

export function refuseOAuth(status: 400 | 401, error: string, description: string): SimulatorResponse {
  return { status, body: { error, error_description: description } };
}

/** Returns the JSON object of a request with a JSON content type. @throws Refused */
export async function bodyOf(request: SimulatorRequest): Promise<object> {
  if (mediaType(request) !== 'application/json')
    throw refuse('INVALID_VALUE_FOR_FIELD', 'The content type must be application/json.');
  const body = await jsonObject(request);
  if (body) return body;
  throw refuse('INVALID_VALUE_FOR_FIELD', 'The body is no JSON object.');
}

/** Rejects unknown fields. @throws Refused */
export function onlyFields(given: unknown, known: readonly string[], where: string): void {
  const stray = Object.keys(given ?? {}).find((name) => !known.includes(name));
  if (stray !== undefined) throw refuse('INVALID_VALUE_FOR_FIELD', `Unpermitted field: ${stray}`, `${where}/${stray}`);
}

/** Rejects unknown query parameters. @throws Refused */
export function onlyParameters(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys())
    if (!known.includes(name)) throw refuse('QUERY_PARAM_NOT_ALLOWED', `The parameter ${name} is not allowed.`);
}
