/** Maps LinkedIn's error responses to failures (source: "API error details", and codes that other clients report). */
import { DAY, MINUTE } from '../../lib/time.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { classify, type ErrorRow, type ErrorTable, findFailure, retryAfterMs } from '../kit/classify.ts';
import { platformNow } from '../kit/clock.ts';
import {
  rateLimited,
  reconnect,
  rejected,
  revoked,
  setup,
  stillProcessing,
  tokenExpired,
  transient,
} from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';
import { say } from './messages.ts';

/** Wait in ms after a 429 that does not mention a day; it is a short burst limit. */
const BURST_MS = 2 * MINUTE;
/** Margin in ms after midnight UTC, for clock differences. */
const MIDNIGHT_SLACK_MS = MINUTE;

/** Numeric codes that older responses use instead of text codes. */
const BY_NUMBER: Record<string, string> = {
  '401 65600': 'INVALID_ACCESS_TOKEN',
  '401 65601': 'REVOKED_ACCESS_TOKEN',
  '401 65602': 'EXPIRED_ACCESS_TOKEN',
  '403 100': 'ACCESS_DENIED',
  '429 101': 'TOO_MANY_REQUESTS',
};

/**
 * Returns LinkedIn's error code of a response; "" if absent. Two errors have only a message and no code; we name
 * them `DUPLICATE_POST` and `FORBIDDEN_RESOURCE`. Never throws.
 */
export function codeOf(response: HttpResponse): string {
  const body = response.tryJson();
  const message = textAt(body, 'message');
  if (response.status === 422 && /duplicate of urn:/i.test(message)) return 'DUPLICATE_POST';
  if (response.status === 403 && /^Accessing this \w+ resource is forbidden/i.test(message))
    return 'FORBIDDEN_RESOURCE';
  const numbered = BY_NUMBER[`${response.status} ${numberAt(body, 'serviceErrorCode')}`];
  if (numbered) return numbered;
  const code = textAt(body, 'code');
  const inner = textAt(body, 'errorDetails', 'inputErrors', 0, 'code');
  const known = [code, inner].find((each) => findFailure(CODES, { code: each, message: '' }));
  return (known ?? (code || inner)).slice(0, 100);
}

const TOKEN_REJECTED = tokenExpired(say('token_rejected'));
const OUTDATED = setup(say('api_version_outdated'));
export const ROLE_MISSING = reconnect(say('role_missing'));

const CODES: readonly ErrorRow[] = [
  { code: 'EXPIRED_UPLOAD_URL', failure: transient(say('upload_expired'), 0) },
  // Both can be temporary or permanent. The publisher's growing delays apply, because a member has 150 requests a day.
  { code: 'MEDIA_ASSET_WAITING_UPLOAD', failure: stillProcessing(say('processing')) },
  { code: 'FORBIDDEN_RESOURCE', failure: transient(say('video_not_shown_yet')) },
  { code: 'MEDIA_ASSET_PROCESSING_FAILED', failure: rejected('video', say('video_not_processed')) },
  { code: 'UPDATING_ASSET_FAILED', failure: transient(say('upload_failed'), MINUTE) },
  {
    code: [
      'INVALID_VIDEO_ID',
      'INVALID_URN_TYPE',
      'INVALID_URN_ID',
      'MISSING_FIELD',
      'INVALID_VALUE_FOR_FIELD',
      'INVALID_VALUE_BLANK_FIELD',
      'QUERY_PARAM_NOT_ALLOWED',
      'UNPROCESSABLE_ENTITY',
      'NOT_FOUND',
    ],
    failure: ({ code }) => rejected('other', say('request_rejected', { code })),
  },
  { code: 'FIELD_LENGTH_TOO_LONG', failure: rejected('caption', say('text_too_long')) },
  { code: ['VERSION_MISSING', 'NONEXISTENT_VERSION'], failure: OUTDATED },
  { code: 'EXPIRED_ACCESS_TOKEN', failure: TOKEN_REJECTED },
  { code: 'REVOKED_ACCESS_TOKEN', failure: revoked(say('access_revoked')) },
  { code: ['INVALID_ACCESS_TOKEN', 'EMPTY_ACCESS_TOKEN'], failure: reconnect(say('connection_ended')) },
  { code: 'ACCESS_DENIED', failure: ROLE_MISSING },
  { code: 'CONFLICT', failure: ({ code }) => transient(say('error_temporary', { code })) },
  { code: 'DUPLICATE_POST', failure: rejected('duplicate', say('duplicate_rejected')) },
];

type Problem = { response: HttpResponse; code: string; message: string; requestId: string; now: number };

/** Whether an error has LinkedIn's format, which repeats the status. Any other comes from an intermediary. */
export function isOwnError(response: HttpResponse): boolean {
  return at(response.tryJson(), 'status') === response.status;
}

const isOwn = ({ response, code }: Problem) => isOwnError(response) || code !== '';

const ERRORS: ErrorTable<Problem> = [
  { status: 429, failure: tooMany },
  { code: 'TOO_MANY_REQUESTS', failure: tooMany },
  ...CODES,
  { status: 401, failure: TOKEN_REJECTED },
  { status: 426, failure: OUTDATED },
  {
    status: [400, 499],
    when: isOwn,
    failure: ({ code, status }) => rejected('other', say('request_rejected', { code: tameWords(code) || status })),
  },
  { failure: ({ code, status }) => transient(say('status_unexpected', { status: tameWords(code) || status })) },
];

/** Maps a response to a failure. Never throws. @param now ms since the epoch */
export function failureOf(response: HttpResponse, now: number): Failure {
  const requestId = response.headers['x-li-uuid'] ?? response.headers['x-li-request-id'] ?? '';
  return classify(ERRORS, {
    response,
    now,
    code: codeOf(response),
    message: textAt(response.tryJson(), 'message'),
    requestId: requestId.slice(0, 100),
  });
}

/**
 * Maps a 429. Daily limits end at midnight UTC by LinkedIn's clock. The message names whose limit it is; no header
 * does.
 */
function tooMany({ response, message, now }: Problem): Failure {
  const [, whose] = /\b(MEMBER|APPLICATION)\b.*\bDAY\b/i.exec(message) ?? [];
  if (whose === undefined && !/\bDAY\b/.test(message))
    return rateLimited('account', 'rate', retryAfterMs(response, BURST_MS), say('rate_limited'));
  const waitMs = DAY - (platformNow(response, now) % DAY) + MIDNIGHT_SLACK_MS;
  return whose?.toUpperCase() === 'APPLICATION'
    ? rateLimited('app', 'daily', waitMs, say('app_daily_limit'))
    : rateLimited('account', 'daily', waitMs, say('daily_limit'));
}
