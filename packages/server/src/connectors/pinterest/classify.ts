/**
 * Maps Pinterest's responses to failures: by status, then by code, then by message (sources: API v5 and public
 * reports).
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { DAY, HOUR, MINUTE } from '../../time.ts';
import { classify, type ErrorTable } from '../kit/classify.ts';
import { PERMISSION_MISSING, rateLimited, rejected, setup, tokenExpired, transient } from '../kit/failures.ts';
import { numberAt, textAt } from '../kit/json.ts';
import { noLongerAccepted } from '../kit/oauth.ts';

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
 * Returns a short code for a response to the creation of a pin; "" if it is not in the API's format. It is the API's
 * own code, except where several errors share one:
 * - `board`: the board does not exist.
 * - `media`: the media does not exist or is not usable (yet).
 * - `cover`: the cover picture was rejected.
 * - `consumer`: this kind of application or account may not post.
 */
export function codeOf(response: HttpResponse): string {
  const error = errorOf(response);
  if (!error) return '';
  const { code, message } = error;
  if (response.status === 404 && /\bboard\b/i.test(message)) return 'board';
  if ((response.status === 404 || response.status === 400) && isAboutMedia(message)) return 'media';
  if (response.status === 400 && /cover_image_(?:url|content_type|data)/i.test(message)) return 'cover';
  if (response.status === 403 && /consumer type/i.test(message)) return 'consumer';
  return String(code);
}

/** Pinterest does not document these messages. Schema errors are about the request, not about the video. */
function isAboutMedia(message: string): boolean {
  if (/cover_image|schemas|too long/i.test(message)) return false;
  return /\b(media|video)\b.*\b(not found|ready|process\w*|status|fail\w*|usable|registered|upload\w*)\b/i.test(
    message,
  );
}

export const NO_LONGER_ACCEPTED = noLongerAccepted('Pinterest');

type Problem = { answer: HttpResponse; code: string; message: string; requestId: string };
const named = (name: string) => (problem: Problem) => codeOf(problem.answer) === name;

const ERRORS: ErrorTable<Problem> = [
  { status: 429, failure: tooFast },
  { status: 401, code: '3', failure: PERMISSION_MISSING },
  { status: 401, code: '283', failure: NO_LONGER_ACCEPTED },
  { status: 401, failure: tokenExpired('Pinterest did not accept the access token.') },
  { code: '', failure: ({ status }) => transient(`Pinterest answered ${status}.`) },
  { status: [0, 399], failure: answered },
  { status: [500, 999], failure: answered },
  { when: named('board'), failure: setup('The board is not there any more. Choose another one.') },
  { when: named('media'), failure: ({ said }) => transient(`Pinterest cannot use the video at present.${said}`) },
  { when: named('cover'), failure: ({ said }) => transient(`Pinterest did not take the picture of the cover.${said}`) },
  {
    when: named('consumer'),
    failure: ({ said }) => setup(`Pinterest does not let this application or account post.${said}`),
  },
  {
    status: 403,
    message: /trial access/i,
    failure: setup(
      'The operator’s application has only Trial access at Pinterest, which may not make pins. Standard access is needed.',
    ),
  },
  {
    status: 403,
    failure: ({ said }) => setup(`The account may not post to this board. Choose another one.${said}`),
  },
  {
    message: /unable to reach the url/i,
    failure: ({ said }) => transient(`Pinterest could not fetch an address.${said}`),
  },
  {
    message: /title|description|alt_text/i,
    failure: ({ code, said }) => rejected('caption', `Pinterest refused the request (${code}).${said}`),
  },
  { failure: ({ code, said }) => rejected('other', `Pinterest refused the request (${code}).${said}`) },
];

/** Maps a response of the API to a failure. Never throws. */
export function failureOf(response: HttpResponse): Failure {
  const error = errorOf(response);
  const requestId = response.headers['x-pinterest-rid'] ?? '';
  return classify(ERRORS, {
    answer: response,
    code: error ? String(error.code) : '',
    message: error?.message ?? '',
    requestId: /^[\w-]{1,64}$/.test(requestId) ? requestId : '',
  });
}

function answered({ code, status }: { code: string; status: number }): Failure {
  return transient(`Pinterest answered ${status} (${code}).`);
}

/** `x-ratelimit-reset` is in seconds. The length of the wait distinguishes a daily limit from a per-minute limit. */
function tooFast({ answer }: Problem): Failure {
  const body = answer.tryJson();
  const seconds = Number(answer.headers['x-ratelimit-reset'] ?? answer.headers['retry-after'] ?? Number.NaN);
  const asked = seconds > 0 ? Math.min(seconds * 1000, DAY) : null;
  const isSpam = /spam/i.test(`${textAt(body, 'message')} ${textAt(body, 'message_detail')}`);
  const waitMs = isSpam ? Math.max(asked ?? 0, SPAM_WAIT_MS) : (asked ?? MINUTE);
  const detail = isSpam
    ? 'Pinterest takes this for spam and wants to be left alone.'
    : 'Pinterest asks for fewer requests.';
  return rateLimited('account', waitMs > HOUR ? 'daily' : 'rate', waitMs, detail);
}

/**
 * Returns the error code of the storage behind `upload_url` (`EntityTooLarge`, `ExpiredToken`), or "". Never throws.
 */
export function storeCode(response: HttpResponse): string {
  return /<Code>(\w{1,60})<\/Code>/.exec(response.text)?.[1] ?? '';
}
