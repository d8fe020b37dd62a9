/** Maps problem bodies of API v2 to failures ("Response codes & errors"), by type or, if that is blank, by message. */
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import type { ResponseRule } from '../contract.ts';
import { classify, type ErrorRow, type ErrorTable, OPEN_STATUSES, type PlatformProblem } from '../kit/classify.ts';
import { platformNow } from '../kit/clock.ts';
import { PERMISSION_MISSING, rateLimited, rejected, setup, tokenExpired, transient } from '../kit/failures.ts';
import { at, listAt, textAt } from '../kit/json.ts';
import { say } from './messages.ts';

/** Wait for the operator to add credits to the app, ms. */
const CREDITS_WAIT_MS = 6 * HOUR;
/** Wait if an account may post no more today, ms. X counts in parts of the day and states no reset. */
const DAY_FULL_WAIT_MS = 3 * HOUR;
/** Wait if no counter states a reset time, ms. */
const DEFAULT_WAIT_MS = 5 * MINUTE;

/** Untyped problems that need a code: their messages, and the codes that some bodies still have from version 1. */
const CODES: readonly (readonly [code: string, status: number, message: RegExp, legacy?: RegExp])[] = [
  ['media_invalid', 400, /media ids? (?:are|is) invalid/i],
  ['segments', 400, /segments do not add up/i],
  ['duplicate', 403, /\bduplicate\b/i, /^187$/],
  ['daily_limit', 403, /\bdaily\b.{0,40}\blimit\b/i, /^(?:185|344)$/],
];
const PROBLEM = /^https:\/\/api\.(?:x|twitter)\.com\/2\/problems\/([a-z-]{1,60})$/;

/** Returns the code of an error: one of ours, the end of its problem type, a legacy number, or "". Never throws. */
export function codeOf({ status, tryJson }: HttpResponse): string {
  const body = tryJson();
  if (status === 402) return 'credits';
  const legacy = textAt(body, 'errors', 0, 'code').slice(0, 20);
  const words = wordsIn(body);
  const known = CODES.find((row) => row[1] === status && (row[2].test(words) || row[3]?.test(legacy)));
  if (known) return known[0];
  if (status === 400 && at(body, 'errors', 0, 'parameters', 'media.media_ids') !== undefined) return 'media_invalid';
  return PROBLEM.exec(typeOf(body))?.[1] ?? legacy;
}

const typeOf = (body: unknown) => textAt(body, 'type') || textAt(body, 'errors', 0, 'type');

/** All messages of a body in one text. */
const wordsIn = (body: unknown) =>
  [body, ...listAt(body, 'errors')]
    .flatMap((one) => ['title', 'detail', 'message'].map((field) => textAt(one, field)))
    .join(' ');

/** Whether a body has X's own format. Intermediaries respond with pages, or with problems of other types. */
function isOwn(body: unknown): boolean {
  const type = typeOf(body);
  if (type !== '' && type !== 'about:blank' && !PROBLEM.test(type)) return false;
  return ['title', 'detail', 'errors'].some((field) => at(body, field) !== undefined);
}

const CLIENT_ERRORS = [400, 499] as const;
const RETRYABLE_CODES = ['media_invalid', 'daily_limit', '88', 'rate-limit-exceeded'];
/** They leave the outcome of a send open. A duplicate may be its own first copy, made by a gateway. */
const OPEN_CODES = ['duplicate', 'internal-error'];
const X_OPEN_STATUSES = [...OPEN_STATUSES, 425];

/**
 * Returns what a response to the send means: `refused` for an error in X's own format, or its code if that is retryable
 * or proves nothing. X validates a post before it creates one, so its own 4xx proves that no post exists.
 */
export function verdictOf(response: HttpResponse): string {
  const code = codeOf(response);
  const { status } = response;
  const isOpen = status < 400 || status > 499 || X_OPEN_STATUSES.includes(status) || OPEN_CODES.includes(code);
  if (isOpen) return code;
  if (!isOwn(response.tryJson())) return '';
  return RETRYABLE_CODES.includes(code) ? code : 'refused';
}

/** What the responses to a send prove, by {@link verdictOf}. */
export const RESPONSES: readonly ResponseRule[] = [
  { status: 201, proves: 'done' },
  ...[401, 402, 429].map((status) => ({ status, proves: 'retryable' }) as const),
  ...RETRYABLE_CODES.map((code) => ({ status: CLIENT_ERRORS, code, proves: 'retryable' }) as const),
  { status: CLIENT_ERRORS, code: 'refused', proves: 'refused' },
];

/** What a request is for. A 403 has a different meaning for an upload than for a post. */
export type Purpose = 'media' | 'post' | 'other';

interface Problem extends PlatformProblem {
  response: HttpResponse;
  purpose: Purpose;
  now: number;
}

const own = ({ response }: Problem) => isOwn(response.tryJson());

function tooFast({ response, now }: Problem): Failure {
  const { scope, window, waitMs } = limitOf(response, now);
  return rateLimited(scope, window, waitMs, say('rate_limited'));
}

function refused({ response: { status }, code, message, purpose }: Problem): Failure {
  // For a missing scope, X says only "Forbidden".
  const isContent = purpose === 'post' && !/^(?:forbidden)?$/i.test(message);
  const what = status !== 403 ? 'other' : isContent ? 'policy' : 'permission';
  return rejected(what, say('request_rejected', { code: code || status }));
}

/** A 403 with this message anywhere in the body. */
function forbidden(words: RegExp, failure: Failure): ErrorRow<Problem> {
  return { status: 403, when: ({ response }) => words.test(wordsIn(response.tryJson())), failure };
}

const RESTRICTED = /not permitted to access this feature|to protect our users|account is .{0,12}(?:suspended|locked)/i;

const ERRORS: ErrorTable<Problem> = [
  { code: 'credits', failure: rateLimited('app', 'daily', CREDITS_WAIT_MS, say('credits_used')) },
  { code: 'media_invalid', failure: transient(say('upload_unknown')) },
  { code: 'segments', failure: transient(say('video_incomplete')) },
  { code: 'duplicate', failure: rejected('duplicate', say('duplicate_rejected')) },
  { code: 'daily_limit', failure: rateLimited('account', 'daily', DAY_FULL_WAIT_MS, say('daily_limit')) },
  forbidden(/post a video longer than/i, rejected('video', say('video_too_long'))),
  forbidden(/one cashtag/i, rejected('caption', say('too_many_cashtags'))),
  forbidden(/contains an invalid url/i, rejected('caption', say('url_invalid'))),
  forbidden(/you are not permitted to perform this action/i, rejected('policy', say('not_permitted'))),
  forbidden(RESTRICTED, rejected('permission', say('account_restricted'))),
  forbidden(/unsupported authentication/i, setup(say('authentication_unsupported'))),
  {
    code: ['client-forbidden', 'client-not-enrolled', 'usage-capped'],
    failure: ({ code }) => setup(say('app_rejected', { code })),
  },
  { code: 'internal-error', failure: transient(say('error_temporary', { code: 'internal-error' })) },
  { code: ['88', 'rate-limit-exceeded'], failure: tooFast },
  { status: 429, failure: tooFast },
  { status: 401, failure: tokenExpired(say('token_rejected')) },
  { status: 403, when: (problem) => own(problem) && problem.purpose === 'media', failure: PERMISSION_MISSING },
  { status: [0, 299], when: own, failure: refused },
  { status: CLIENT_ERRORS, when: own, failure: refused },
  { failure: ({ status }) => transient(say('status_unexpected', { status })) },
];

/** Converts an error response to a {@link Failure}. Never throws. @param now ms since the epoch */
export function failureOf(response: HttpResponse, now: number, purpose: Purpose): Failure {
  const body = response.tryJson();
  const requestId = response.headers['x-transaction-id'] ?? '';
  return classify(ERRORS, {
    response,
    now,
    purpose,
    code: codeOf(response),
    // The most specific message.
    message: textAt(body, 'errors', 0, 'message') || textAt(body, 'detail') || textAt(body, 'title'),
    requestId: /^[\w-]{1,40}$/.test(requestId) ? requestId : '',
  });
}

/** Converts `processing_info.error` (observed; not in the specification). Returns null for an internal error of X. */
export function processingFailure(error: unknown): Failure | null {
  const [name, code] = [textAt(error, 'name').slice(0, 60), textAt(error, 'code')];
  if (!['InvalidMedia', 'UnsupportedMedia'].includes(name) && !['1', '3'].includes(code)) return null;
  const failure = rejected('video', say('video_rejected'));
  return classify([{ failure }], { code: name || code, message: textAt(error, 'message') });
}

/** Rate limit counters in response headers ("Rate limits"). X sends no `Retry-After`. */
const COUNTERS = [
  { name: 'x-rate-limit', scope: 'account', window: 'rate' },
  { name: 'x-user-limit-24hour', scope: 'account', window: 'daily' },
  { name: 'x-app-limit-24hour', scope: 'app', window: 'daily' },
] as const;

/** Returns how long a limit lasts: until the latest reset of the exhausted counters, by X's clock if stated. */
export function limitOf(response: HttpResponse, now: number) {
  const { headers } = response;
  const counters = COUNTERS.flatMap(({ name, scope, window }) => {
    const resetAt = Number(headers[`${name}-reset`]) * SECOND;
    const waitMs = Math.min(Math.max(resetAt - platformNow(response, now), SECOND), DAY);
    return resetAt > 0 ? [{ waitMs, scope, window, isUsedUp: headers[`${name}-remaining`] === '0' }] : [];
  });
  const usedUp = counters.filter(({ isUsedUp }) => isUsedUp);
  // If no counter is at zero, only the short window can be meant.
  const candidates = usedUp.length > 0 ? usedUp : counters.filter(({ window }) => window === 'rate');
  const longest = candidates.sort((a, b) => b.waitMs - a.waitMs)[0];
  const { waitMs, scope, window } = longest ?? { ...COUNTERS[0], waitMs: DEFAULT_WAIT_MS };
  return { waitMs, scope, window };
}
