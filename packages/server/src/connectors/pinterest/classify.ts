/**
 * Maps Pinterest's responses to failures: by status, then by code, then by message (sources: API v5 and public
 * reports).
 */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { numberAt, textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Minimum wait in ms after the spam filter rejects a request. */
const SPAM_WAIT_MS = 6 * HOUR_MS;

/** An error of the API itself; null if another server responded. */
interface ApiError {
  code: number;
  message: string;
}

function errorOf(answer: HttpAnswer): ApiError | null {
  const body = answer.tryJson();
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
export function codeOf(answer: HttpAnswer): string {
  const error = errorOf(answer);
  if (!error) return '';
  const { code, message } = error;
  if (answer.status === 404 && /\bboard\b/i.test(message)) return 'board';
  if ((answer.status === 404 || answer.status === 400) && isAboutMedia(message)) return 'media';
  if (answer.status === 400 && /cover_image_(?:url|content_type|data)/i.test(message)) return 'cover';
  if (answer.status === 403 && /consumer type/i.test(message)) return 'consumer';
  return String(code);
}

/** Pinterest does not document these messages. Schema errors are about the request, not about the video. */
function isAboutMedia(message: string): boolean {
  if (/cover_image|schemas|too long/i.test(message)) return false;
  return /\b(media|video)\b.*\b(not found|ready|process\w*|status|fail\w*|usable|registered|upload\w*)\b/i.test(
    message,
  );
}

/** Maps a response of the API to a failure. Never throws. */
export function failureOf(answer: HttpAnswer): Failure {
  const error = errorOf(answer);
  const requestId = answer.headers['x-pinterest-rid'] ?? '';
  return {
    ...meaningOf(answer, error),
    status: answer.status,
    ...(error ? { platformCode: String(error.code) } : {}),
    ...(/^[\w-]{1,64}$/.test(requestId) ? { requestId } : {}),
  };
}

function meaningOf(answer: HttpAnswer, error: ApiError | null): Failure {
  const { status } = answer;
  if (status === 429) return tooFast(answer);
  if (status === 401) return unauthorised(error);
  if (!error || status >= 500 || status < 400)
    return { kind: 'transient', detail: `Pinterest answered ${status}${error ? ` (${error.code})` : ''}.` };
  const said = ` It said: ${tameWords(error.message)}`;
  switch (codeOf(answer)) {
    case 'board':
      return { kind: 'setup', detail: 'The board is not there any more. Choose another one.' };
    case 'media':
      return { kind: 'transient', detail: `Pinterest cannot use the video at present.${said}` };
    case 'cover':
      return { kind: 'transient', detail: `Pinterest did not take the picture of the cover.${said}` };
    case 'consumer':
      return { kind: 'setup', detail: `Pinterest does not let this application or account post.${said}` };
  }
  if (status === 403) return forbidden(error.message, said);
  if (/unable to reach the url/i.test(error.message))
    return { kind: 'transient', detail: `Pinterest could not fetch an address.${said}` };
  const what = /title|description|alt_text/i.test(error.message) ? 'caption' : 'other';
  return { kind: 'rejected', what, detail: `Pinterest refused the request (${error.code}).${said}` };
}

function unauthorised(error: ApiError | null): Failure {
  if (error?.code === 3)
    return { kind: 'reconnect', detail: 'A permission is missing. Connect the account again and leave all allowed.' };
  if (error?.code === 283) return NO_LONGER_ACCEPTED;
  return { kind: 'tokenExpired', detail: 'Pinterest did not accept the access token.' };
}

export const NO_LONGER_ACCEPTED: Failure = {
  kind: 'reconnect',
  detail: 'Pinterest no longer accepts this connection. Connect the account again.',
};

function forbidden(message: string, said: string): Failure {
  if (/trial access/i.test(message))
    return {
      kind: 'setup',
      detail:
        'The operator’s application has only Trial access at Pinterest, which may not make pins. Standard access is needed.',
    };
  return { kind: 'setup', detail: `The account may not post to this board. Choose another one.${said}` };
}

/** `x-ratelimit-reset` is in seconds. The length of the wait distinguishes a daily limit from a per-minute limit. */
function tooFast(answer: HttpAnswer): Failure {
  const body = answer.tryJson();
  const seconds = Number(answer.headers['x-ratelimit-reset'] ?? answer.headers['retry-after'] ?? Number.NaN);
  const asked = seconds > 0 ? Math.min(seconds * 1000, DAY_MS) : null;
  const isSpam = /spam/i.test(`${textAt(body, 'message')} ${textAt(body, 'message_detail')}`);
  const waitMs = isSpam ? Math.max(asked ?? 0, SPAM_WAIT_MS) : (asked ?? MINUTE_MS);
  return {
    kind: 'rateLimited',
    waitMs,
    scope: 'account',
    window: waitMs > HOUR_MS ? 'daily' : 'rate',
    detail: isSpam ? 'Pinterest takes this for spam and wants to be left alone.' : 'Pinterest asks for fewer requests.',
  };
}

/**
 * Returns the error code of the storage behind `upload_url` (`EntityTooLarge`, `ExpiredToken`), or "". Never throws.
 */
export function storeCode(answer: HttpAnswer): string {
  return /<Code>(\w{1,60})<\/Code>/.exec(answer.text)?.[1] ?? '';
}
