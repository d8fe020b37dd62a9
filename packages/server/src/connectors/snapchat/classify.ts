/**
 * Maps responses of the Public Profile API to failures. The body tells whether a request succeeded (`request_status`).
 * The HTTP status of an error is not documented, so an error code takes precedence over it.
 */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Wait in ms while a video is being processed. */
const PROCESSING_WAIT_MS = 10_000;

/** An error of the API itself; null if there is no error or another server responded. */
interface ApiError {
  code: string;
  message: string;
}

function errorOf(answer: HttpAnswer): ApiError | null {
  const body = answer.tryJson();
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
 * - `REFUSED`: any other error with status 400. An unknown code with another status proves nothing.
 */
export function codeOf(answer: HttpAnswer): string {
  if (answer.status === 403 && answer.text.trim() === '') return 'NOT_ALLOWED';
  const error = errorOf(answer);
  if (!error) return textAt(answer.tryJson(), 'request_status') === 'SUCCESS' ? 'SUCCESS' : '';
  if (error.code === 'AUTHORIZATION_PERMISSION_DENIED') return 'NOT_ALLOWED';
  if (KNOWN.includes(error.code)) return error.code;
  return answer.status === 400 ? 'REFUSED' : error.code || 'ERROR';
}

/** Maps a response of the API to a failure. Never throws. */
export function failureOf(answer: HttpAnswer): Failure {
  const error = errorOf(answer);
  const requestId = textAt(answer.tryJson(), 'request_id');
  return {
    ...meaningOf(answer, error),
    status: answer.status,
    ...(error?.code ? { platformCode: error.code } : {}),
    ...(/^[\w-]{1,64}$/.test(requestId) ? { requestId } : {}),
  };
}

function meaningOf(answer: HttpAnswer, error: ApiError | null): Failure {
  const { status } = answer;
  if (status === 429) return tooFast(answer);
  if (status === 401) return { kind: 'tokenExpired', detail: 'Snapchat did not accept the access token.' };
  if (codeOf(answer) === 'NOT_ALLOWED')
    return {
      kind: 'setup',
      detail:
        'Snapchat has not let the operator’s application in, or the profile is not the account’s own any more. Connect it again once that is mended.',
    };
  if (!error || status >= 500) return { kind: 'transient', detail: `Snapchat answered ${status}.` };
  switch (error.code) {
    case 'MEDIA_PROCESSING':
      return { kind: 'transient', waitMs: PROCESSING_WAIT_MS, detail: 'Snapchat still works on the video.' };
    case 'MEDIA_EXPIRED':
      return { kind: 'transient', waitMs: MINUTE_MS, detail: 'The upload has expired at Snapchat.' };
    case 'MEDIA_POSTING_ALREADY_IN_PROGRESS':
      return { kind: 'unknownOutcome', detail: 'Snapchat says that this video is being posted already.' };
  }
  const what = /description|caption|locale/i.test(error.message) ? 'caption' : 'other';
  const told = error.message && ` It said: ${tameWords(error.message)}`;
  return { kind: 'rejected', what, detail: `Snapchat refused the request (${error.code || status}).${told}` };
}

/** Uses `Retry-After` if present. Snapchat documents no limits. */
function tooFast(answer: HttpAnswer): Failure {
  const seconds = Number(answer.headers['retry-after'] ?? Number.NaN);
  return {
    kind: 'rateLimited',
    waitMs: seconds > 0 ? Math.min(seconds * 1000, DAY_MS) : MINUTE_MS,
    scope: 'account',
    window: 'rate',
    detail: 'Snapchat asks for fewer requests.',
  };
}
