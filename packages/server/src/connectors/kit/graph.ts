/**
 * Error handling for the Graph API, which several platforms use on different hosts. They share one error body
 * (`{"error":{"message","type","code","error_subcode","is_transient","error_user_msg","fbtrace_id"}}`), the general codes
 * ("Handling errors" of the Graph API), and the usage and limit headers ("Rate limits"). Each platform's own codes are
 * checked first.
 */
import { DAY, HOUR, MINUTE } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import { sayOf } from '../../messages/timeline.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import { parseJson } from '../../outbound/json.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import type { ResponseRule } from '../contract.ts';
import {
  PERMISSION_MISSING,
  rateLimited,
  reconnect,
  rejected,
  revoked,
  setup,
  tokenExpired,
  transient,
  withWords,
} from './failures.ts';
import { at, numberAt, textAt } from './json.ts';
import { tameWords } from './words.ts';

/** Wait in ms after a request was blocked for misuse. */
const BLOCKED_WAIT_MS = 6 * HOUR;

/** A parsed error body. */
export interface GraphError {
  status: number;
  code: number;
  subcode: number | null;
  /** `190/463`, or `190` without a subcode; the key of the tables. */
  name: string;
  /** The API reports that the error is temporary. */
  isTransient: boolean;
  /** Error message, preferably the one for users, without possible tokens and URLs. */
  words: string;
  /** `fbtrace_id`, or "". */
  requestId: string;
  /** Wait in ms from the usage headers; null if absent. */
  waitMs: number | null;
  /** The application has used all its calls. */
  appUsedUp: boolean;
}

/** Returns the error in a response of any status; null if it is not from the Graph API. Never throws. */
export function graphError(response: HttpResponse): GraphError | null {
  const error = at(response.tryJson(), 'error');
  const code = numberAt(error, 'code');
  if (code === null || !Number.isSafeInteger(code)) return null;
  const subcode = numberAt(error, 'error_subcode');
  const trace = textAt(error, 'fbtrace_id');
  return {
    status: response.status,
    code,
    subcode,
    name: subcode === null ? String(code) : `${code}/${subcode}`,
    isTransient: at(error, 'is_transient') === true,
    words: tameWords(textAt(error, 'error_user_msg') || textAt(error, 'message')),
    requestId: /^[\w-]{1,40}$/.test(trace) ? trace : '',
    waitMs: regainMs(response),
    appUsedUp: appPercent(response) >= 100,
  };
}

/** Returns the code of a response in the form of {@link GraphError.name}; "" if absent. Never throws. */
export function graphCode(response: HttpResponse): string {
  return graphError(response)?.name ?? '';
}

/**
 * Maps a response to a failure. Never throws.
 * @param platform its name, for the message
 * @param own maps the platform's own codes; null: use the general meaning
 */
export function graphFailure(
  response: HttpResponse,
  platform: string,
  own: (error: GraphError) => Failure | null = () => null,
): Failure {
  const error = graphError(response);
  if (!error) return { ...unreadable(response, platform), status: response.status };
  return {
    ...withWords(removed(error, platform) ?? own(error) ?? generalMeaning(error, platform), error.words),
    status: error.status,
    platformCode: error.name,
    ...(error.requestId ? { requestId: error.requestId } : {}),
  };
}

/** Handles subcode 458: the user has removed the app ("Graph API error handling"), regardless of the request. */
function removed({ code, subcode }: GraphError, platform: string): Failure | null {
  if (code !== 190 || subcode !== 458) return null;
  return revoked(sayOf(platform)('access_revoked'));
}

/** Returns the failure for a rate limit. The wait is from the headers, else one hour. */
export function graphLimit(error: GraphError, detail: Message): Failure {
  return rateLimited(error.code === 4 || error.appUsedUp ? 'app' : 'account', 'rate', error.waitMs ?? HOUR, detail);
}

/** An error of the upload host, whose body has another format: `{"debug_info":{"retriable","type","message"}}`. */
export interface UploadRefusal {
  /** `OffsetInvalidError`, `PartialRequestError`, `ProcessingFailedError`, … */
  type: string;
  retriable: boolean;
  words: string;
}

/** Returns the upload host's error in a response, or null. Never throws. */
export function uploadRefusal(response: HttpResponse): UploadRefusal | null {
  const info = at(response.tryJson(), 'debug_info');
  if (info === undefined || info === null) return null;
  return {
    type: tameWords(textAt(info, 'type')).slice(0, 60),
    retriable: at(info, 'retriable') === true,
    words: tameWords(innermost(textAt(info, 'message'))),
  };
}

/** Whether the upload host did not accept the token. Its error has several spellings. */
export function isUnauthorized({ type, words }: UploadRefusal): boolean {
  return type === 'NotAuthorizedError' || /unauthori[sz]ed|not ?authori[sz]ed/i.test(words);
}

/** Subcodes of an invalid token that only the user can fix: checkpoint, password, unconfirmed, lost role. */
const USER_MUST_ACT: readonly (number | null)[] = [459, 460, 464, 492];

function generalMeaning(error: GraphError, platform: string): Failure {
  const { code } = error;
  const say = sayOf(platform);
  if (code === 190 && USER_MUST_ACT.includes(error.subcode)) return reconnect(say('connection_ended'));
  if (code === 190 || code === 102) return tokenExpired(say('token_rejected'));
  if (code === 3 || code === 10 || (code >= 200 && code <= 299)) return PERMISSION_MISSING;
  if (isLimit(code) || error.status === 429) return graphLimit(error, say('rate_limited'));
  if (code === 368) return rateLimited('account', 'rate', error.waitMs ?? BLOCKED_WAIT_MS, say('blocked_temporarily'));
  if (code === 506) return rejected('duplicate', say('duplicate_rejected'));
  if (error.isTransient || code === 1 || code === 2 || code < 0 || error.status >= 500)
    return transient(say('error_temporary', { code: error.name }));
  if (code === 100 && error.subcode === 33) return reconnect(say('account_not_visible'));
  return rejected('other', say('request_rejected', { code: error.name }));
}

/** 4: application; 17 and 32: user and page; 341 and 613: action; 80000 to 80014: business use cases. */
function isLimit(code: number): boolean {
  return [4, 17, 32, 341, 613].includes(code) || (code >= 80_000 && code <= 80_014);
}

/** Handles a response without an error body, which comes from an intermediary or from an outage of the platform. */
function unreadable(response: HttpResponse, platform: string): Failure {
  if (response.status !== 429) return transient(sayOf(platform)('status_unexpected', { status: response.status }));
  return rateLimited('account', 'rate', regainMs(response) ?? MINUTE, sayOf(platform)('rate_limited'));
}

/**
 * Returns the wait in ms: the longest `estimated_time_to_regain_access` (minutes) of `X-Business-Use-Case-Usage`, else
 * `Retry-After`.
 */
function regainMs(response: HttpResponse): number | null {
  const usage = headerJson(response, 'x-business-use-case-usage');
  const minutes = Object.values(typeof usage === 'object' && usage !== null ? usage : {})
    .flatMap((entries: unknown) => (Array.isArray(entries) ? entries : []))
    .map((entry) => numberAt(entry, 'estimated_time_to_regain_access') ?? 0);
  const longest = Math.max(0, ...minutes) * MINUTE;
  const seconds = Number(response.headers['retry-after'] ?? Number.NaN);
  const asked = longest > 0 ? longest : seconds > 0 ? seconds * 1000 : null;
  return asked === null ? null : Math.min(asked, DAY);
}

/** Returns the application's usage in percent, from `X-App-Usage`. */
function appPercent(response: HttpResponse): number {
  const usage = headerJson(response, 'x-app-usage');
  return Math.max(...['call_count', 'total_time', 'total_cputime'].map((name) => numberAt(usage, name) ?? 0));
}

function headerJson(response: HttpResponse, name: string): unknown {
  try {
    return parseJson(response.headers[name] ?? '');
  } catch {
    return null;
  }
}

/** Returns the inner message: the upload host wraps an error of a backend service as JSON in a string. */
function innermost(message: string): string {
  try {
    return textAt(parseJson(message), 'error', 'message') || message;
  } catch {
    return message;
  }
}

/** Maps an error of the token endpoint; most are faults of the app's configuration. Never throws. */
export function graphTokenFailure(
  response: HttpResponse,
  platform: string,
  isDead: (error: GraphError) => boolean,
): Failure {
  return graphFailure(response, platform, (error) => {
    const { code, name, words } = error;
    if (isDead(error)) return reconnect(sayOf(platform)('connection_ended'));
    const isSetup = code === 100 || code === 101 || (code === 1 && /secret/i.test(words));
    return isSetup ? setup(sayOf(platform)('app_rejected', { code: name })) : null;
  });
}

/** Errors about tokens, which the API reports before it acts. */
export const TOKEN_ERRORS = ['190', '190/458', '190/459', '190/460', '190/463', '190/464', '190/467', '102'];

/** Rules for errors of the Graph API with one of the codes (see {@link GraphError.name}). */
export function graphRules(codes: readonly string[], proves: ResponseRule['proves']): ResponseRule[] {
  return codes.map((code) => ({ status: [400, 499], code, proves }));
}
