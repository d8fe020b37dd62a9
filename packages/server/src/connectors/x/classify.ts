/**
 * Maps problem bodies of API v2 to failures ("Response codes & errors"). Problems are distinguished by type. Most types
 * are `about:blank`; those are distinguished by their message.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../time.ts';
import type { ResponseRule } from '../contract.ts';
import { classify, type ErrorRow, type ErrorTable, type PlatformProblem } from '../kit/classify.ts';
import { platformNow } from '../kit/clock.ts';
import {
  PERMISSION_MISSING,
  rateLimited,
  rejected,
  setup,
  tokenExpired,
  transient,
  withWords,
} from '../kit/failures.ts';
import { at, listAt, numberAt, textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';
import { say } from './messages.ts';

/** Wait for the operator to add credits to the app, ms. */
const CREDITS_WAIT_MS = 6 * HOUR;
/** Wait if an account may post no more today, ms. X counts in parts of the day and states no reset. */
const DAY_FULL_WAIT_MS = 3 * HOUR;

/** Problems that need a code but have no type: their messages, and the codes of version 1 that some bodies still have. */
const CODES: readonly (readonly [code: string, status: number, message: RegExp, legacy?: RegExp])[] = [
  ['media_invalid', 400, /media ids? (?:are|is) invalid/i],
  ['segments', 400, /segments do not add up/i],
  ['duplicate', 403, /\bduplicate\b/i, /^187$/],
  ['daily_limit', 403, /\bdaily\b.{0,40}\blimit\b/i, /^(?:185|344)$/],
];
const PROBLEM = /^https:\/\/api\.(?:x|twitter)\.com\/2\/problems\/([a-z-]{1,60})$/;

const typeOf = (body: unknown) => textAt(body, 'type') || textAt(body, 'errors', 0, 'type');

/** Returns the code of an error: one of ours, the end of its problem type, a legacy number, or "". Never throws. */
export function codeOf({ status, tryJson }: HttpResponse): string {
  const body = tryJson();
  if (status === 402) return 'credits';
  const message = wordsIn(body);
  const legacy = textAt(body, 'errors', 0, 'code').slice(0, 20);
  const known = CODES.find((row) => row[1] === status && (row[2].test(message) || row[3]?.test(legacy)));
  if (known) return known[0];
  if (status === 400 && at(body, 'errors', 0, 'parameters', 'media.media_ids') !== undefined) return 'media_invalid';
  return PROBLEM.exec(typeOf(body))?.[1] ?? legacy;
}

/** Returns all messages of a body in one text. */
function wordsIn(body: unknown): string {
  const problems = [body, ...listAt(body, 'errors')];
  return problems.flatMap((one) => ['title', 'detail', 'message'].map((field) => textAt(one, field))).join(' ');
}

/** Whether a body has X's own format. Intermediaries respond with pages, or with problems of other types. */
function isOwn(body: unknown): boolean {
  const type = typeOf(body);
  if (type !== '' && type !== 'about:blank' && !PROBLEM.test(type)) return false;
  return ['title', 'detail', 'errors'].some((field) => at(body, field) !== undefined);
}

/** Statuses that leave the outcome of a request open, in any format. */
const OPEN_STATUSES = [408, 409, 425];
/** Codes that say nothing about a send: a duplicate may be its own first copy, made by a gateway. */
const OPEN_CODES = ['duplicate', 'internal-error'];

/**
 * Returns what a response to the send means: the code of an error that passes or proves nothing, `refused` for any other
 * error in X's own format, or "". X validates a post before it creates one, so its own 4xx proves that there is none.
 */
export function verdictOf(response: HttpResponse): string {
  const code = codeOf(response);
  const { status } = response;
  const isOpen = status < 400 || status > 499 || OPEN_STATUSES.includes(status) || OPEN_CODES.includes(code);
  if (isOpen || RETRYABLE.includes(code)) return code;
  return isOwn(response.tryJson()) ? 'refused' : '';
}

const RETRYABLE = ['media_invalid', 'daily_limit', '88', 'rate-limit-exceeded'];
const CLIENT_ERRORS = [400, 499] as const;

/** What the responses to a send prove, by {@link verdictOf}. */
export const RESPONSES: readonly ResponseRule[] = [
  { status: 201, proves: 'done' },
  { status: 401, proves: 'retryable' },
  { status: 402, proves: 'retryable' },
  { status: 429, proves: 'retryable' },
  ...RETRYABLE.map((code) => ({ status: CLIENT_ERRORS, code, proves: 'retryable' }) as const),
  { status: CLIENT_ERRORS, code: 'refused', proves: 'refused' },
];

/** What a request is for. A 403 has a different meaning for an upload than for a post. */
export type Purpose = 'media' | 'post' | 'other';

interface Problem extends PlatformProblem {
  answer: HttpResponse;
  purpose: Purpose;
  now: number;
}

const own = ({ answer }: Problem) => isOwn(answer.tryJson());
const tooFast = ({ answer, now }: Problem): Failure => ({
  kind: 'rateLimited',
  ...limitOf(answer, now),
  detail: say('rate_limited'),
});

function refused({ answer: { status }, code, message, purpose }: Problem): Failure {
  // A scope that is missing has no other message than the status.
  const isContent = purpose === 'post' && !/^(?:forbidden)?$/i.test(message);
  const what = status !== 403 ? 'other' : isContent ? 'policy' : 'permission';
  return rejected(what, say('request_rejected', { code: code || status }));
}

/** A 403 with a certain message anywhere in the body. */
const forbidden = (words: RegExp, failure: Failure): ErrorRow<Problem> => ({
  status: 403,
  when: ({ answer }) => words.test(wordsIn(answer.tryJson())),
  failure,
});

const RESTRICTED =
  /not permitted to access this feature|to protect our users|account is (?:temporarily )?(?:suspended|locked)/i;

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
    answer: response,
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
  const name = textAt(error, 'name').slice(0, 60);
  const code = numberAt(error, 'code');
  const isVideo = code === 1 || code === 3 || name === 'InvalidMedia' || name === 'UnsupportedMedia';
  if (!isVideo) return null;
  const failure = withWords(rejected('video', say('video_rejected')), tameWords(textAt(error, 'message')));
  return { ...failure, platformCode: name || String(code) };
}

/** Wait if no counter states a reset time, ms. */
const DEFAULT_WAIT_MS = 5 * MINUTE;

/** Rate limit counters in response headers ("Rate limits"). X sends no `Retry-After`. */
const COUNTERS = [
  { name: 'x-rate-limit', scope: 'account', window: 'rate' },
  { name: 'x-user-limit-24hour', scope: 'account', window: 'daily' },
  { name: 'x-app-limit-24hour', scope: 'app', window: 'daily' },
] as const;

type Limit = Pick<Extract<Failure, { kind: 'rateLimited' }>, 'waitMs' | 'scope' | 'window'>;

/**
 * Returns how long a limit lasts: until the latest reset of the exhausted counters, by X's clock if stated.
 * @param now ms since the epoch
 */
export function limitOf(response: HttpResponse, now: number): Limit {
  const { headers } = response;
  const present = platformNow(response, now);
  const counters = COUNTERS.flatMap(({ name, scope, window }) => {
    const resetAt = Number(headers[`${name}-reset`]) * SECOND;
    if (!(resetAt > 0)) return [];
    const waitMs = Math.min(Math.max(resetAt - present, SECOND), DAY);
    return [{ isUsedUp: headers[`${name}-remaining`] === '0', limit: { waitMs, scope, window } }];
  });
  const usedUp = counters.filter(({ isUsedUp }) => isUsedUp);
  // If no counter is at zero, only the short window can be meant.
  const candidates = usedUp.length > 0 ? usedUp : counters.filter(({ limit }) => limit.window === 'rate');
  const [longest] = candidates.map(({ limit }) => limit).sort((a, b) => b.waitMs - a.waitMs);
  return longest ?? { waitMs: DEFAULT_WAIT_MS, scope: 'account', window: 'rate' };
}
