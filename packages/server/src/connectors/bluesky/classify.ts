/** Maps responses of a PDS or the video service to failures. Error names are from their lexicons and PDS 0.5.35. */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { DAY, MINUTE } from '../../time.ts';
import { platformNow } from '../kit/clock.ts';
import { textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';

/** Wait in ms when the daily limit is reached; the video service does not report when it resets. */
const ALLOWANCE_WAIT_MS = 6 * 60 * MINUTE;
const UNKNOWN_WAIT_MS = 5 * MINUTE;

type Verdict = Failure extends infer F
  ? F extends Failure
    ? Omit<F, 'detail' | 'platformCode' | 'status'>
    : never
  : never;

const EXPIRED: Verdict = { kind: 'tokenExpired' };
const RECONNECT: Verdict = { kind: 'reconnect' };
const RETRY: Verdict = { kind: 'transient' };
const BAD_VIDEO: Verdict = { kind: 'rejected', what: 'video' };
const FORBIDDEN: Verdict = { kind: 'rejected', what: 'permission' };
const ALLOWANCE: Verdict = { kind: 'rateLimited', waitMs: ALLOWANCE_WAIT_MS, scope: 'account', window: 'daily' };

const BY_CODE: Record<string, Verdict> = {
  // An invalid token is refreshed first. The refresh decides whether the account must reconnect.
  ExpiredToken: EXPIRED,
  InvalidToken: EXPIRED,
  AuthMissing: EXPIRED,
  AuthenticationRequired: EXPIRED,
  invalid_token: EXPIRED,
  AccountTakedown: RECONNECT,
  // The account may have moved to another server; its address is read daily.
  AccountNotFound: { kind: 'transient', waitMs: 30 * MINUTE },
  ScopeMissingError: RECONNECT,
  insufficient_scope: RECONNECT,
  AccountDeactivated: FORBIDDEN,
  JwtExpired: RETRY,
  BlobNotFound: RETRY,
  InvalidMimeType: RETRY,
  InvalidSize: RETRY,
  PayloadTooLarge: BAD_VIDEO,
  VideoTooLarge: BAD_VIDEO,
  VideoTooLong: BAD_VIDEO,
  BadAspectRatio: BAD_VIDEO,
  UnsupportedContentType: BAD_VIDEO,
  validation_failure: BAD_VIDEO,
  encoding_failure: BAD_VIDEO,
  pds_upload_unsupported_blob_size: BAD_VIDEO,
  UploadForbidden: FORBIDDEN,
  DailyLimitExceeded: ALLOWANCE,
  TooManyOpenUploads: RETRY,
  ServiceOverloaded: RETRY,
  UploadNotReady: RETRY,
};

/** Messages of the video service that have no specific error name (source: upload errors in social-app). */
const BY_SENTENCE: readonly [RegExp, Verdict][] = [
  [/exceeded daily upload/i, ALLOWANCE],
  [/not allowed to upload|not old enough to upload/i, FORBIDDEN],
  [/confirm your email/i, { kind: 'setup' }],
  [/uploading is disabled|get user's upload stats/i, RETRY],
  [/larger than the maximum allowed/i, BAD_VIDEO],
  [/\$\.record\.text\b/, { kind: 'rejected', what: 'caption' }],
  [/\$\.record\.facets\b/, { kind: 'rejected', what: 'caption' }],
  [/\$\.record\.embed\b/, BAD_VIDEO],
];

/** Matches an error name; excludes messages and tokens that appear in its place. */
const NAME = /^[\w.-]{1,40}$/;

/** Formats an error name and a message for display. Pure. */
export function told(code: string, message: string): string {
  const name = NAME.test(code) ? code : tameWords(code);
  return [...new Set([name, tameWords(message)])].filter(Boolean).join(': ');
}

/** Returns the error name in a response; "" if absent. Never throws. */
export function codeOf(response: HttpResponse): string {
  const challenge = /\berror="([^"]+)"/.exec(response.headers['www-authenticate'] ?? '')?.[1];
  return challenge ?? textAt(response.tryJson(), 'error');
}

/** @param now ms since the epoch */
export function failureOf(response: HttpResponse, now: number): Failure {
  const body = response.tryJson();
  const code = codeOf(response);
  const message = textAt(body, 'message') || textAt(body, 'error_description');
  const said = told(code, message);
  const detail = said ? `Bluesky answered ${response.status} ${said}` : `Bluesky answered ${response.status}.`;
  return {
    ...verdictOf(response, code, message, now),
    detail,
    status: response.status,
    ...(NAME.test(code) ? { platformCode: code } : {}),
  };
}

function verdictOf(response: HttpResponse, code: string, message: string, now: number): Verdict {
  if (response.status === 429 && code !== 'TooManyOpenUploads') return limitOf(response, now);
  return verdictOn(code, message) ?? byStatus(response, code, now);
}

/** Maps an error name and a message without a response, as in a failed video job; null if unknown. */
export function verdictOn(code: string, message: string): Verdict | null {
  const bySentence = BY_SENTENCE.find(([pattern]) => pattern.test(message) || pattern.test(code))?.[1];
  return bySentence ?? (Object.hasOwn(BY_CODE, code) ? (BY_CODE[code] ?? null) : null);
}

function byStatus(response: HttpResponse, code: string, now: number): Verdict {
  if (response.status === 401) return EXPIRED;
  if (response.status === 413) return BAD_VIDEO;
  if (response.status === 400 && code === 'InvalidRequest') return { kind: 'rejected', what: 'other' };
  return response.headers['retry-after'] === undefined ? RETRY : { kind: 'transient', waitMs: waitOf(response, now) };
}

function limitOf(response: HttpResponse, now: number): Verdict {
  const waitMs = waitOf(response, now);
  const seconds = Number(/;\s*w=(\d+)/.exec(response.headers['ratelimit-policy'] ?? '')?.[1] ?? 0);
  const window = seconds * 1000 >= DAY && waitMs > 60 * MINUTE ? 'daily' : 'rate';
  return { kind: 'rateLimited', waitMs, scope: 'account', window };
}

/** Returns the ms to wait, from `Retry-After` or `RateLimit-Reset` (Unix seconds). */
export function waitOf(response: HttpResponse, now: number): number {
  const after = Number(response.headers['retry-after'] ?? Number.NaN);
  if (Number.isFinite(after) && after >= 0) return Math.min(after * 1000, DAY);
  const reset = Number(response.headers['ratelimit-reset'] ?? Number.NaN) * 1000;
  if (!Number.isFinite(reset)) return UNKNOWN_WAIT_MS;
  return Math.min(Math.max(reset - platformNow(response, now), 1_000), DAY);
}
