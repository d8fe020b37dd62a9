import type { ServerResponse } from 'node:http';
import { apiError, type ErrorCode, type ErrorExtras, ReelayError } from '../errors/reelay-error.ts';
import type { Message } from '../messages/message.ts';

export interface ErrorBody extends Omit<ErrorExtras, 'field'> {
  success: false;
  code: ErrorCode;
  message: string;
  field?: { path: string; problem: string };
}

/** Default `Retry-After` in seconds, by status. */
const RETRY_AFTER: Readonly<Record<number, number>> = { 423: 2, 503: 5 };

/** @param render default: English */
export function errorBody(
  { code, said, extras: { field, ...extras } }: Pick<ReelayError, 'code' | 'said' | 'extras'>,
  render: (message: Message) => string = ({ text }) => text,
): ErrorBody {
  // A message may quote part of the input, cut in the middle of a character.
  const textOf = (message: Message) => render(message).toWellFormed();
  return {
    success: false,
    code,
    message: textOf(said),
    ...extras,
    ...(field ? { field: { path: field.path, problem: textOf(field.problem) } } : {}),
  };
}

/** Headers of an error response. */
export function errorHeaders(error: ReelayError): Record<string, string> {
  const wait = error.extras.retryAfter ?? RETRY_AFTER[error.status];
  return {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
  };
}

/** Sends an error without the framework: during startup, and for requests that are not valid HTTP. */
export function sendPlainError(response: ServerResponse, error: ReelayError, requestId: string): void {
  const body = JSON.stringify(errorBody(error));
  response.writeHead(error.status, {
    ...errorHeaders(error),
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  });
  response.end(body);
}

/** Our errors for the framework's own. */
const FRAMEWORK: Readonly<Record<string, (options: { cause: unknown }) => ReelayError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (options) => new ReelayError('body_too_large', undefined, options),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (options) => new ReelayError('unsupported_media_type', undefined, options),
  FST_ERR_CTP_EMPTY_JSON_BODY: (options) => apiError('body_empty', {}, options),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: (options) => apiError('body_length_wrong', {}, options),
  FST_ERR_BAD_URL: (options) => apiError('url_malformed', {}, options),
};

/** Converts anything thrown to an error that is safe to show. Unknown errors become `internal_error`. */
export function asRefusal(error: unknown): ReelayError {
  if (error instanceof ReelayError) return error;
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  const known = typeof code === 'string' ? FRAMEWORK[code] : undefined;
  if (known) return known({ cause: error });
  // The client aborted or sent invalid HTTP: the framework marks these errors with a 4xx status.
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new ReelayError('invalid_request', undefined, { cause: error });
  return new ReelayError('internal_error', undefined, { cause: error });
}
