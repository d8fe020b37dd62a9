/**
 * Maps Pinterest's responses to failures: by status, then by code, then by message (sources: API v5 and public
 * reports).
 */
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { classify, type ErrorTable, OPEN_STATUSES } from '../kit/classify.ts';
import {
  PERMISSION_MISSING,
  rateLimited,
  reconnect,
  rejected,
  setup,
  tokenExpired,
  transient,
} from '../kit/failures.ts';
import { numberAt, textAt } from '../kit/json.ts';
import { say } from './messages.ts';

export const CONNECTION_ENDED = reconnect(say('connection_ended'));

/** Minimum wait in ms after the spam filter rejects a request. */
const SPAM_WAIT_MS = 6 * HOUR;

/** An error of the API itself; null if another server responded. */
interface ApiError {
  code: number;
  message: string;
}

function errorOf(response: HttpResponse): ApiError | null {
  const body = response.tryJson();
  const code = numberAt(body, 'code');
  const message = textAt(body, 'message');
  return code !== null && Number.isSafeInteger(code) && message !== '' ? { code, message } : null;
}

/**
 * Returns a short code for a response to the creation of a pin; "" if it is not in the API's format, because then
 * another server may have sent it. It is the API's own code if the error does not prove that no pin was created: 5xx,
 * 408 and 409. Otherwise:
 * - `board`: the board does not exist.
 * - `media`: the media does not exist or is not usable (yet).
 * - `cover`: the cover picture was rejected.
 * - `consumer`: this kind of application or account may not post.
 * - `no`: any other refusal.
 */
export function codeOf(response: HttpResponse): string {
  const error = errorOf(response);
  if (!error) return '';
  const { code, message } = error;
  if (response.status === 404 && /\bboard\b/i.test(message)) return 'board';
  if ((response.status === 404 || response.status === 400) && isAboutMedia(message)) return 'media';
  if (response.status === 400 && /cover_image_(?:url|content_type|data)/i.test(message)) return 'cover';
  if (response.status === 403 && /consumer type/i.test(message)) return 'consumer';
  const isNo = response.status >= 400 && response.status < 500 && !OPEN_STATUSES.includes(response.status);
  return isNo ? 'no' : String(code);
}

/** Pinterest does not document these messages. Schema errors are about the request, not about the video. */
function isAboutMedia(message: string): boolean {
  if (/cover_image|schemas|too long/i.test(message)) return false;
  return /\b(media|video)\b.*\b(not found|ready|process\w*|status|fail\w*|usable|registered|upload\w*)\b/i.test(
    message,
  );
}

type Problem = { response: HttpResponse; code: string; message: string; requestId: string };

const named = (name: string) => (problem: Problem) => codeOf(problem.response) === name;

function rejectedAs(what: 'caption' | 'other') {
  return ({ code }: Problem): Failure => rejected(what, say('request_rejected', { code }));
}

const ERRORS: ErrorTable<Problem> = [
  { status: 429, failure: tooManyRequests },
  { status: 401, code: '3', failure: PERMISSION_MISSING },
  { status: 401, code: '283', failure: CONNECTION_ENDED },
  { status: 401, failure: tokenExpired(say('token_rejected')) },
  {
    when: ({ response: { status }, code }) => code === '' || status < 400 || status >= 500,
    failure: ({ status }) => transient(say('status_unexpected', { status })),
  },
  { when: named('board'), failure: setup(say('board_gone')) },
  { when: named('media'), failure: transient(say('video_unusable')) },
  { when: named('cover'), failure: transient(say('cover_unusable')) },
  { when: named('consumer'), failure: setup(say('consumer_forbidden')) },
  { status: 403, message: /trial access/i, failure: setup(say('trial_access')) },
  { status: 403, failure: setup(say('board_forbidden')) },
  { message: /unable to reach the url/i, failure: transient(say('url_unreachable')) },
  { message: /title|description|alt_text/i, failure: rejectedAs('caption') },
  { failure: rejectedAs('other') },
];

/** Maps a response of the API to a failure. Never throws. */
export function failureOf(response: HttpResponse): Failure {
  const error = errorOf(response);
  const requestId = response.headers['x-pinterest-rid'] ?? '';
  return classify(ERRORS, {
    response,
    code: error ? String(error.code) : '',
    message: error?.message ?? '',
    requestId: /^[\w-]{1,64}$/.test(requestId) ? requestId : '',
  });
}

/** `x-ratelimit-reset` is in seconds. The length of the wait distinguishes a daily limit from a per-minute limit. */
function tooManyRequests({ response }: Problem): Failure {
  const body = response.tryJson();
  const seconds = Number(response.headers['x-ratelimit-reset'] ?? response.headers['retry-after'] ?? Number.NaN);
  const requestedMs = seconds > 0 ? Math.min(seconds * SECOND, DAY) : null;
  const isSpam = /spam/i.test(`${textAt(body, 'message')} ${textAt(body, 'message_detail')}`);
  const waitMs = isSpam ? Math.max(requestedMs ?? 0, SPAM_WAIT_MS) : (requestedMs ?? MINUTE);
  const message = isSpam ? say('spam_rejected') : say('rate_limited');
  return rateLimited('account', waitMs > HOUR ? 'daily' : 'rate', waitMs, message);
}

/**
 * Returns the error code of the storage behind `upload_url` (`EntityTooLarge`, `ExpiredToken`), or "". Never throws.
 */
export function storeCode(response: HttpResponse): string {
  return /<Code>(\w{1,60})<\/Code>/.exec(response.text)?.[1] ?? '';
}
