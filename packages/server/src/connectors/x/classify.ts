/**
 * Maps problem bodies of API v2 to failures ("Response codes & errors"). Problems are distinguished by type. Most types
 * are `about:blank`; those are distinguished by their message.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../time.ts';
import { classify, type ErrorTable, type PlatformProblem } from '../kit/classify.ts';
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

/** Messages without a problem type, and the names that we give them. */
const SENTENCES: readonly (readonly [name: string, status: number, sentence: RegExp])[] = [
  ['media_invalid', 400, /media ids? (?:are|is) invalid/i],
  ['segments', 400, /segments do not add up/i],
  ['duplicate', 403, /duplicate content/i],
  ['video_too_long', 403, /post a video longer than/i],
  ['invalid_url', 403, /contains an invalid url/i],
  ['not_permitted', 403, /you are not permitted to perform this action/i],
  [
    'account',
    403,
    /not permitted to access this feature|to protect our users|account is (?:temporarily )?(?:suspended|locked)/i,
  ],
  ['unsupported_authentication', 403, /unsupported authentication/i],
];

/** Returns the code of an error: one of ours, the end of its problem type, a legacy number, or "". Never throws. */
export function codeOf(response: HttpResponse): string {
  const body = response.tryJson();
  if (response.status === 402) return 'credits';
  const message = messagesIn(body).join(' ');
  const known = SENTENCES.find(([, status, sentence]) => status === response.status && sentence.test(message));
  if (known) return known[0];
  if (response.status === 400 && at(body, 'errors', 0, 'parameters', 'media.media_ids') !== undefined)
    return 'media_invalid';
  const type = textAt(body, 'type') || textAt(body, 'errors', 0, 'type');
  const problem = /\/problems\/([a-z-]{1,60})$/.exec(type)?.[1];
  return problem ?? textAt(body, 'errors', 0, 'code').slice(0, 20);
}

function messagesIn(body: unknown): string[] {
  return [body, ...listAt(body, 'errors')].flatMap((one) =>
    ['title', 'detail', 'message'].map((field) => textAt(one, field)),
  );
}

/** What a request is for. A 403 has a different meaning for an upload than for a post. */
export type Purpose = 'media' | 'post' | 'other';

/** Wait for the operator to add credits to the app, ms. */
const CREDITS_WAIT_MS = 6 * HOUR;

interface Problem extends PlatformProblem {
  answer: HttpResponse;
  purpose: Purpose;
  now: number;
}

/** A response without X's own body comes from an intermediary, not from the API. */
const isOwn = ({ answer }: Problem) =>
  at(answer.tryJson(), 'title') !== undefined || at(answer.tryJson(), 'errors') !== undefined;
const tooFast = ({ answer, now }: Problem): Failure => ({
  kind: 'rateLimited',
  ...limitOf(answer, now),
  detail: say('rate_limited'),
});
const refused = ({ answer, code }: Problem) =>
  rejected(answer.status === 403 ? 'permission' : 'other', say('request_rejected', { code: code || answer.status }));

const ERRORS: ErrorTable<Problem> = [
  { code: 'credits', failure: rateLimited('app', 'daily', CREDITS_WAIT_MS, say('credits_used')) },
  { code: 'media_invalid', failure: transient(say('upload_unknown')) },
  { code: 'segments', failure: transient(say('video_incomplete')) },
  { code: 'duplicate', failure: rejected('duplicate', say('duplicate_rejected')) },
  { code: 'video_too_long', failure: rejected('video', say('video_too_long')) },
  { code: 'invalid_url', failure: rejected('caption', say('url_invalid')) },
  { code: 'not_permitted', failure: rejected('policy', say('not_permitted')) },
  { code: 'account', failure: rejected('permission', say('account_restricted')) },
  { code: 'unsupported_authentication', failure: setup(say('authentication_unsupported')) },
  {
    code: ['client-forbidden', 'client-not-enrolled', 'usage-capped'],
    failure: ({ code }) => setup(say('app_rejected', { code })),
  },
  { code: 'internal-error', failure: transient(say('error_temporary', { code: 'internal-error' })) },
  { code: ['88', 'rate-limit-exceeded'], failure: tooFast },
  { status: 429, failure: tooFast },
  { status: 401, failure: tokenExpired(say('token_rejected')) },
  { status: 403, when: (problem) => isOwn(problem) && problem.purpose === 'media', failure: PERMISSION_MISSING },
  { status: [0, 299], when: isOwn, failure: refused },
  { status: [400, 499], when: isOwn, failure: refused },
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
