/** Maps LinkedIn's error responses to failures (source: "API error details", and codes that other clients report). */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { theirNow } from '../kit/clock.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Wait in ms after a 429 that does not mention a day; it is a short burst limit. */
const BURST_MS = 2 * MINUTE_MS;
/** Margin in ms after midnight UTC, for clock differences. */
const MIDNIGHT_SLACK_MS = MINUTE_MS;

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
export function codeOf(answer: HttpAnswer): string {
  const body = answer.tryJson();
  const message = textAt(body, 'message');
  if (answer.status === 422 && /duplicate of urn:/i.test(message)) return 'DUPLICATE_POST';
  if (answer.status === 403 && /^Accessing this \w+ resource is forbidden/i.test(message)) return 'FORBIDDEN_RESOURCE';
  const number = numberAt(body, 'serviceErrorCode');
  const numbered = BY_NUMBER[`${answer.status} ${number}`];
  if (numbered) return numbered;
  const code = textAt(body, 'code');
  const inner = textAt(body, 'errorDetails', 'inputErrors', 0, 'code');
  const known = [code, inner].find((each) => Object.hasOwn(MEANINGS, each));
  return (known ?? (code || inner)).slice(0, 100);
}

/** Maps a response to a failure. Never throws. @param now ms since the epoch */
export function failureOf(answer: HttpAnswer, now: number): Failure {
  const code = codeOf(answer);
  const requestId = answer.headers['x-li-uuid'] ?? answer.headers['x-li-request-id'];
  return {
    ...meaningOf(code, answer, now),
    status: answer.status,
    ...(code ? { platformCode: code } : {}),
    ...(requestId ? { requestId: requestId.slice(0, 100) } : {}),
  };
}

const TOKEN_OVER: Failure = { kind: 'tokenExpired', detail: 'LinkedIn says that the access has run out.' };
const TOKEN_DEAD: Failure = {
  kind: 'reconnect',
  detail: 'LinkedIn no longer accepts this connection. Connect the account again.',
};
const OUTDATED: Failure = {
  kind: 'setup',
  detail:
    'LinkedIn has switched off the version of its API that is set here. The operator has to set LINKEDIN_API_VERSION to a newer month.',
};
export const NOT_ALLOWED: Failure = {
  kind: 'reconnect',
  detail: 'LinkedIn does not allow this: a permission is missing, or the role on the page. Connect the account again.',
};

type Words = (said: string) => Failure;
const bug: Words = (said) => ({ kind: 'rejected', what: 'other', detail: `LinkedIn refused the request.${said}` });

const MEANINGS: Record<string, Failure | Words> = {
  EXPIRED_UPLOAD_URL: { kind: 'transient', detail: 'The upload addresses have run out.', waitMs: 0 },
  // Both can be temporary or permanent. The publisher's growing delays apply, because a member has 150 requests a day.
  MEDIA_ASSET_WAITING_UPLOAD: { kind: 'transient', detail: 'LinkedIn is not done with the video yet.' },
  MEDIA_ASSET_PROCESSING_FAILED: (said) => ({
    kind: 'rejected',
    what: 'video',
    detail: `LinkedIn could not process the video.${said}`,
  }),
  UPDATING_ASSET_FAILED: { kind: 'transient', detail: 'LinkedIn could not finish the upload.', waitMs: MINUTE_MS },
  INVALID_VIDEO_ID: bug,
  INVALID_URN_TYPE: bug,
  INVALID_URN_ID: bug,
  MISSING_FIELD: bug,
  INVALID_VALUE_FOR_FIELD: bug,
  INVALID_VALUE_BLANK_FIELD: bug,
  QUERY_PARAM_NOT_ALLOWED: bug,
  FIELD_LENGTH_TOO_LONG: { kind: 'rejected', what: 'caption', detail: 'The text is too long for LinkedIn.' },
  VERSION_MISSING: OUTDATED,
  NONEXISTENT_VERSION: OUTDATED,
  EXPIRED_ACCESS_TOKEN: TOKEN_OVER,
  REVOKED_ACCESS_TOKEN: {
    kind: 'reconnect',
    revoked: true,
    detail: 'The access was taken away at LinkedIn. Connect the account again.',
  },
  INVALID_ACCESS_TOKEN: TOKEN_DEAD,
  EMPTY_ACCESS_TOKEN: TOKEN_DEAD,
  ACCESS_DENIED: NOT_ALLOWED,
  FORBIDDEN_RESOURCE: { kind: 'transient', detail: 'LinkedIn does not let this account at the video (yet).' },
  NOT_FOUND: (said) => ({ kind: 'rejected', what: 'other', detail: `LinkedIn does not know it.${said}` }),
  CONFLICT: { kind: 'transient', detail: 'LinkedIn is busy with something else of this account.' },
  DUPLICATE_POST: (said) => ({
    kind: 'rejected',
    what: 'duplicate',
    detail: `LinkedIn takes the post for one that it has.${said}`,
  }),
  UNPROCESSABLE_ENTITY: bug,
};

function meaningOf(code: string, answer: HttpAnswer, now: number): Failure {
  const { status } = answer;
  if (status === 429 || code === 'TOO_MANY_REQUESTS') return tooMany(answer, now);
  const words = tameWords(textAt(answer.tryJson(), 'message'));
  const said = words && ` It said: ${words}`;
  const meaning = Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined;
  if (meaning) return typeof meaning === 'function' ? meaning(said) : meaning;
  if (status === 401) return TOKEN_OVER;
  if (status === 426) return OUTDATED;
  // An error without LinkedIn's format comes from an intermediary, not from LinkedIn's API.
  const itsOwn = at(answer.tryJson(), 'status') === status || code !== '';
  if (status >= 400 && status < 500 && itsOwn)
    return {
      kind: 'rejected',
      what: 'other',
      detail: `LinkedIn refused the request (${tameWords(code) || status}).${said}`,
    };
  return { kind: 'transient', detail: `LinkedIn answered ${tameWords(code) || status}.` };
}

/**
 * Maps a 429. Daily limits end at midnight UTC by LinkedIn's clock. The message names whose limit it is; no header
 * does.
 */
function tooMany(answer: HttpAnswer, now: number): Failure {
  const message = textAt(answer.tryJson(), 'message');
  const [, whose] = /\b(MEMBER|APPLICATION)\b.*\bDAY\b/i.exec(message) ?? [];
  if (whose === undefined && !/\bDAY\b/.test(message)) {
    const asked = Number(answer.headers['retry-after'] ?? Number.NaN);
    const waitMs = asked > 0 ? Math.min(asked * 1000, DAY_MS) : BURST_MS;
    const detail = 'LinkedIn asks for fewer requests.';
    return { kind: 'rateLimited', waitMs, scope: 'account', window: 'rate', detail };
  }
  const ofApp = whose?.toUpperCase() === 'APPLICATION';
  return {
    kind: 'rateLimited',
    waitMs: untilMidnight(answer, now),
    scope: ofApp ? 'app' : 'account',
    window: 'daily',
    detail: ofApp
      ? 'The application has made all the requests that LinkedIn allows it today.'
      : 'LinkedIn allows this account no more requests today.',
  };
}

function untilMidnight(answer: HttpAnswer, now: number): number {
  return DAY_MS - (theirNow(answer, now) % DAY_MS) + MIDNIGHT_SLACK_MS;
}
