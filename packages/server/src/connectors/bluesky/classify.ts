/** Maps responses of a PDS or the video service to failures. Error names are from their lexicons and PDS 0.5.35. */

import { DAY, HOUR, MINUTE } from '../../lib/time.ts';
import { type FlawName, flaw } from '../../messages/media.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { classify, type ErrorRow, type ErrorTable, findFailure, type PlatformProblem } from '../kit/classify.ts';
import { waitUntilReset } from '../kit/clock.ts';
import {
  PERMISSION_MISSING,
  rateLimited,
  reconnect,
  rejected,
  setup,
  tokenExpired,
  transient,
} from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { say } from './messages.ts';

interface Problem extends PlatformProblem {
  response: HttpResponse;
  now: number;
}

const badVideo = (name: FlawName) => rejected('video', say('video_rejected_for', { flaw: flaw(name) }));
const NOT_ALLOWED = rejected('permission', say('upload_forbidden'));
const BAD_TEXT = rejected('caption', say('text_rejected'));
/** The video service does not report when the daily limit resets. */
const DAILY_LIMIT = rateLimited('account', 'daily', 6 * HOUR, say('daily_limit'));

/** Errors that need no response. The first ones are messages of the video service without a name (source: social-app). */
const NAMED_ERRORS: readonly ErrorRow[] = [
  { message: /exceeded daily upload/i, failure: DAILY_LIMIT },
  { message: /not allowed to upload|not old enough to upload/i, failure: NOT_ALLOWED },
  { message: /confirm your email/i, failure: setup(say('email_unconfirmed')) },
  { message: /uploading is disabled|get user's upload stats/i, failure: transient(say('uploads_unavailable')) },
  { message: /larger than the maximum allowed/i, failure: badVideo('file_size') },
  { message: /\$\.record\.(text|facets)\b/, failure: BAD_TEXT },
  { message: /\$\.record\.embed\b/, failure: rejected('video', say('video_rejected')) },
  {
    // The refresh decides whether the account must reconnect.
    code: ['ExpiredToken', 'InvalidToken', 'AuthMissing', 'AuthenticationRequired', 'invalid_token'],
    failure: tokenExpired(say('token_rejected')),
  },
  { code: 'AccountTakedown', failure: reconnect(say('account_restricted')) },
  { code: ['ScopeMissingError', 'insufficient_scope'], failure: PERMISSION_MISSING },
  // The address of an account's server is read daily.
  { code: 'AccountNotFound', failure: transient(say('account_not_found'), 30 * MINUTE) },
  { code: 'AccountDeactivated', failure: rejected('permission', say('account_deactivated')) },
  { code: 'UploadForbidden', failure: NOT_ALLOWED },
  {
    code: ['PayloadTooLarge', 'VideoTooLarge', 'pds_upload_unsupported_blob_size'],
    failure: badVideo('file_size'),
  },
  { code: 'VideoTooLong', failure: badVideo('duration') },
  { code: 'BadAspectRatio', failure: badVideo('aspect_ratio') },
  { code: 'UnsupportedContentType', failure: badVideo('file_format') },
  { code: ['validation_failure', 'encoding_failure'], failure: rejected('video', say('video_not_processed')) },
  { code: 'DailyLimitExceeded', failure: DAILY_LIMIT },
  {
    code: [
      'BlobNotFound',
      'InvalidMimeType',
      'InvalidSize',
      'JwtExpired',
      'ServiceOverloaded',
      'TooManyOpenUploads',
      'UploadNotReady',
    ],
    failure: ({ code }) => transient(say('error_temporary', { code })),
  },
];

const ERRORS: ErrorTable<Problem> = [
  {
    status: 429,
    when: ({ code }) => code !== 'TooManyOpenUploads' && code !== 'DailyLimitExceeded',
    failure: limitFailure,
  },
  ...NAMED_ERRORS,
  { status: 401, failure: tokenExpired(say('token_rejected')) },
  { status: 413, failure: badVideo('file_size') },
  { status: 400, code: 'InvalidRequest', failure: ({ code }) => rejected('other', say('request_rejected', { code })) },
  {
    when: ({ response }) => response.headers['retry-after'] !== undefined,
    failure: ({ response, status, now }) => transient(say('status_unexpected', { status }), waitOf(response, now)),
  },
  { failure: ({ status }) => transient(say('status_unexpected', { status })) },
];

function limitFailure({ response, now }: Problem): Failure {
  const waitMs = waitOf(response, now);
  const seconds = Number(/;\s*w=(\d+)/.exec(response.headers['ratelimit-policy'] ?? '')?.[1] ?? 0);
  const isDaily = seconds * 1000 >= DAY && waitMs > HOUR;
  return rateLimited('account', isDaily ? 'daily' : 'rate', waitMs, say(isDaily ? 'daily_limit' : 'rate_limited'));
}

/** Returns the error name in a response; "" if absent. Never throws. */
export function codeOf(response: HttpResponse): string {
  const challenge = /\berror="([^"]+)"/.exec(response.headers['www-authenticate'] ?? '')?.[1];
  return challenge ?? textAt(response.tryJson(), 'error');
}

/** Maps a response to a failure. Never throws. @param now ms since the epoch */
export function failureOf(response: HttpResponse, now: number): Failure {
  const body = response.tryJson();
  const message = textAt(body, 'message') || textAt(body, 'error_description');
  return classify(ERRORS, { response, now, ...problemOf(codeOf(response), message) });
}

/** Maps an error name and a message without a response, as in a failed video job; null if unknown. */
export function namedFailure(code: string, message: string): Failure | null {
  return findFailure(NAMED_ERRORS, problemOf(code, message));
}

/** Some servers return a message or a token in place of the error name. It becomes part of the message. */
function problemOf(code: string, message: string): { code: string; message: string } {
  if (code === '' || /^[\w.-]{1,40}$/.test(code)) return { code, message };
  return { code: '', message: code === message ? message : `${code}: ${message}` };
}

/** Returns the ms to wait. */
export function waitOf(response: HttpResponse, now: number): number {
  return waitUntilReset(response, now, 'ratelimit-reset');
}
