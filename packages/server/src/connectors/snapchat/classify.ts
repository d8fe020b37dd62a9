/**
 * Maps responses of the Public Profile API to failures. The body tells whether a request succeeded (`request_status`).
 * The HTTP status of an error is not documented, so an error code takes precedence over it.
 */
import { MINUTE, SECOND } from '../../lib/time.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { classify, type ErrorTable, OPEN_STATUSES, tooManyRequests } from '../kit/classify.ts';
import { rejected, setup, stillProcessing, tokenExpired, transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { say } from './messages.ts';

/** Wait in ms while a video is being processed. */
const PROCESSING_WAIT_MS = 10 * SECOND;

/** An error of the API itself; null if there is no error or another server responded. */
interface ApiError {
  code: string;
  message: string;
}

function errorOf(response: HttpResponse): ApiError | null {
  const body = response.tryJson();
  const code = textAt(body, 'error_code');
  if (textAt(body, 'request_status') !== 'ERROR' && code === '') return null;
  const message = textAt(body, 'display_message') || textAt(body, 'debug_message');
  return { code: /^[\w.-]{1,80}$/.test(code) ? code : '', message };
}

/** Codes with a specific meaning. */
const KNOWN = [
  'AUTHORIZATION_PERMISSION_DENIED',
  'MEDIA_PROCESSING',
  'MEDIA_EXPIRED',
  'MEDIA_POSTING_ALREADY_IN_PROGRESS',
];

/**
 * Returns a short code for a response to the creation of a spotlight; "" if it is not in the API's format.
 * - `SUCCESS`: the API reports success.
 * - `NOT_ALLOWED`: 403 with an empty body, or with the code of a client that is not allowlisted.
 * - `REFUSED`: any other error, unless its status (408, 409, 5xx) does not prove that nothing was posted.
 */
export function codeOf(response: HttpResponse): string {
  if (response.status === 403 && response.text.trim() === '') return 'NOT_ALLOWED';
  const error = errorOf(response);
  if (!error) return textAt(response.tryJson(), 'request_status') === 'SUCCESS' ? 'SUCCESS' : '';
  if (error.code === 'AUTHORIZATION_PERMISSION_DENIED') return 'NOT_ALLOWED';
  if (KNOWN.includes(error.code)) return error.code;
  return response.status < 500 && !OPEN_STATUSES.includes(response.status) ? 'REFUSED' : error.code || 'ERROR';
}

type Problem = { response: HttpResponse; code: string; message: string; requestId: string };

const ERRORS: ErrorTable<Problem> = [
  // Snapchat documents no limits.
  { status: 429, failure: tooManyRequests('Snapchat', MINUTE) },
  { status: 401, failure: tokenExpired(say('token_rejected')) },
  { when: ({ response }) => codeOf(response) === 'NOT_ALLOWED', failure: setup(say('app_not_allowed')) },
  {
    when: ({ response }) => !errorOf(response) || response.status >= 500,
    failure: ({ status }) => transient(say('status_unexpected', { status })),
  },
  { code: 'MEDIA_PROCESSING', failure: stillProcessing(say('processing'), PROCESSING_WAIT_MS) },
  { code: 'MEDIA_EXPIRED', failure: transient(say('upload_expired'), MINUTE) },
  {
    code: 'MEDIA_POSTING_ALREADY_IN_PROGRESS',
    failure: { kind: 'unknownOutcome', detail: say('already_posting') },
  },
  { message: /description|caption|locale/i, failure: rejectedAs('caption') },
  { failure: rejectedAs('other') },
];

function rejectedAs(what: 'caption' | 'other') {
  return ({ code, response }: Problem): Failure =>
    rejected(what, say('request_rejected', { code: code || response.status }));
}

/** Returns the reason of an error without a body. Snapchat's gateway states it in headers (public clients). */
function reasonInHeaders({ headers }: HttpResponse): string {
  const code = headers['x-internal_error_code'] ?? '';
  const message = unescaped(headers['grpc-message'] ?? '');
  return message && code ? `${message} (${code})` : message || code;
}

/** gRPC escapes messages with percent signs. */
function unescaped(text: string): string {
  return text.replaceAll(/%[0-7][0-9a-f]/gi, (escaped) => decodeURIComponent(escaped));
}

/** Maps a response of the API to a failure. Never throws. */
export function failureOf(response: HttpResponse): Failure {
  const { code, message } = errorOf(response) ?? { code: '', message: reasonInHeaders(response) };
  const requestId = textAt(response.tryJson(), 'request_id');
  return classify(ERRORS, {
    response,
    code,
    message,
    requestId: /^[\w-]{1,64}$/.test(requestId) ? requestId : '',
  });
}
