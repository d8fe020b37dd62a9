/** Maps error reasons of the Data API to failures ("Errors", and "Errors" of each method). */
import { DAY, MINUTE, SECOND } from '../../lib/time.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { ANY_CODE, classify, type ErrorTable, type PlatformProblem, tooManyRequests } from '../kit/classify.ts';
import { untilMidnight } from '../kit/clock.ts';
import { PERMISSION_MISSING, rateLimited, rejected, setup, tokenExpired, transient } from '../kit/failures.ts';
import { at, listAt, textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';
import { PACIFIC } from './limits.ts';
import { say } from './messages.ts';

/** Delay where the documentation says "retry with backoff", ms. */
const BACKOFF_MS = 30 * SECOND;
/** Margin after midnight for clock differences, ms. */
const AFTER_MIDNIGHT_MS = MINUTE;

type Problem = PlatformProblem & { now: number };

const TOKEN = tokenExpired(say('token_rejected'));
// YouTube documents no Retry-After header; if one is present, it is respected.
const TOO_FAST = tooManyRequests('YouTube', BACKOFF_MS);

/** Codes that reject a field of the video. */
const FIELD =
  /^invalid(Title|Description|Tags|CategoryId|VideoMetadata|PublishAt|Filename|RecordingDetails|VideoGameRating)$/;

const fieldRejected = (field: string) => rejected('caption', say('field_rejected', { field }));

const ERRORS: ErrorTable<Problem> = [
  { code: ['quotaExceeded', 'dailyLimitExceeded'], failure: untilTomorrow },
  { code: 'uploadLimitExceeded', failure: rateLimited('account', 'daily', DAY, say('daily_limit')) },
  // The daily uploads of the project have the reason of a short limit (googleapis/google-api-python-client#2753).
  { code: ['rateLimitExceeded', 'RATE_LIMIT_EXCEEDED', 'RESOURCE_EXHAUSTED'], when: namesDay, failure: untilTomorrow },
  { code: 'rateLimitExceeded', failure: tooManyRequests('YouTube', BACKOFF_MS, 'app') },
  { code: ['userRateLimitExceeded', 'RESOURCE_EXHAUSTED'], failure: TOO_FAST },
  { code: FIELD, failure: ({ code }) => fieldRejected(code.slice('invalid'.length)) },
  { code: 'defaultLanguageNotSet', failure: fieldRejected('DefaultLanguage') },
  { code: ['authError', 'UNAUTHENTICATED'], failure: TOKEN },
  { code: ['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'], failure: PERMISSION_MISSING },
  { code: ['accessNotConfigured', 'SERVICE_DISABLED'], failure: setup(say('api_disabled')) },
  { code: /^(forbidden(|PrivacySetting|LicenseSetting)|PERMISSION_DENIED)$/, failure: rejectedAs('permission') },
  { code: 'youtubeSignupRequired', failure: rejected('permission', say('channel_missing')) },
  { code: ['channelSuspended', 'accountClosed', 'channelClosed'], failure: rejected('policy', say('channel_closed')) },
  { code: 'mediaBodyRequired', failure: rejected('other', say('upload_empty')) },
  { code: ['videoNotFound', 'playlistNotFound'], failure: rejected('other', say('not_found')) },
  { code: ['backendError', 'internalError'], failure: ({ code }) => transient(say('error_temporary', { code })) },
  { status: 401, failure: TOKEN },
  { status: 429, failure: TOO_FAST },
  // A 4xx without a reason comes from an intermediary, not from the API.
  {
    status: [400, 499],
    code: ANY_CODE,
    when: ({ response }) => response?.status !== 408,
    failure: rejectedAs('other'),
  },
  { failure: ({ code, status }) => transient(say('status_unexpected', { status: code || status })) },
];

function rejectedAs(what: 'permission' | 'other') {
  return ({ code }: Problem) => rejected(what, say('request_rejected', { code }));
}

/** The project's quota of the day is used. */
function untilTomorrow({ now }: Problem): Failure {
  return rateLimited('app', 'daily', untilMidnight(PACIFIC, now) + AFTER_MIDNIGHT_MS, say('app_daily_limit'));
}

/** Whether the message or a detail (`google.rpc.ErrorInfo`) names a limit per day. */
function namesDay({ response, message }: Problem): boolean {
  const details = listAt(response?.tryJson(), 'error', 'details');
  const limits = details.map((detail) => textAt(detail, 'metadata', 'quota_limit'));
  return [message, ...limits].some((text) => /per ?day/i.test(text));
}

/** Converts an error response to a {@link Failure}. Never throws. @param now ms since the epoch */
export function failureOf(response: HttpResponse, now: number): Failure {
  const message = withoutMarkup(textAt(response.tryJson(), 'error', 'message'));
  return classify(ERRORS, { response, now, code: reasonOf(response), message });
}

/** Returns the reason in an error body, or "". Some responses have it only in `details` or as `status`. */
export function reasonOf(response: HttpResponse): string {
  const error = at(response.tryJson(), 'error');
  const reasons = listAt(error, 'details').map((detail) => textAt(detail, 'reason'));
  const found = textAt(error, 'errors', 0, 'reason') || reasons.find(Boolean) || textAt(error, 'status');
  return /^[\w.-]{1,60}$/.test(found) ? found : '';
}

/** Shortens YouTube's message and removes markup, URLs and possible tokens. */
export function withoutMarkup(text: string): string {
  return tameWords(text.replace(/<[^<>]*>/g, ''));
}
