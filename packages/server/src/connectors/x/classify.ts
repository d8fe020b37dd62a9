/**
 * Maps problem bodies of API v2 to failures ("Response codes & errors"). Problems are distinguished by type. Most types
 * are `about:blank`; those are distinguished by their message.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { DAY, HOUR } from '../../time.ts';
import { classify, type ErrorTable } from '../kit/classify.ts';
import { platformNow } from '../kit/clock.ts';
import { PERMISSION_MISSING, rateLimited, rejected, setup, tokenExpired, transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';

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
  const said = sentencesOf(body).join(' ');
  const known = SENTENCES.find(([, status, sentence]) => status === response.status && sentence.test(said));
  if (known) return known[0];
  if (response.status === 400 && at(body, 'errors', 0, 'parameters', 'media.media_ids') !== undefined)
    return 'media_invalid';
  const type = textAt(body, 'type') || textAt(body, 'errors', 0, 'type');
  const problem = /\/problems\/([a-z-]{1,60})$/.exec(type)?.[1];
  return problem ?? textAt(body, 'errors', 0, 'code').slice(0, 20);
}

function sentencesOf(body: unknown): string[] {
  const errors = at(body, 'errors');
  const list: unknown[] = Array.isArray(errors) ? errors : [];
  return [body, ...list].flatMap((one) => [textAt(one, 'title'), textAt(one, 'detail'), textAt(one, 'message')]);
}

/** The kind of request. A 403 has a different meaning for an upload than for a post. */
export type Asked = 'media' | 'post' | 'other';

/** Wait for the operator to add credits to the app, ms. */
const CREDITS_WAIT_MS = 6 * HOUR;

interface Problem {
  answer: HttpResponse;
  code: string;
  message: string;
  requestId: string;
  asked: Asked;
  now: number;
}

/** A response without X's own body comes from an intermediary, not from the API. */
const isOwn = ({ answer }: Problem) =>
  at(answer.tryJson(), 'title') !== undefined || at(answer.tryJson(), 'errors') !== undefined;
const tooFast = ({ answer, now }: Problem): Failure => ({
  kind: 'rateLimited',
  ...limitOf(answer, now),
  detail: 'X asks for fewer requests.',
});
const refused = ({ said }: { said: string }) => rejected('other', `X refused the request.${said}`);

const ERRORS: ErrorTable<Problem> = [
  {
    code: 'credits',
    failure: rateLimited('app', 'daily', CREDITS_WAIT_MS, "The operator's X application has no credits left."),
  },
  { code: 'media_invalid', failure: transient('X no longer has the uploaded video.') },
  { code: 'segments', failure: transient('X did not get the whole video.') },
  { code: 'duplicate', failure: rejected('duplicate', 'X has this post already.') },
  {
    code: 'video_too_long',
    failure: ({ said }) => rejected('video', `The video is longer than the account may post.${said}`),
  },
  { code: 'invalid_url', failure: rejected('caption', 'X takes an address in the text for invalid.') },
  {
    code: 'not_permitted',
    failure: rejected('policy', 'X did not permit this post: its text may be too long or look like spam.'),
  },
  {
    code: 'account',
    failure: ({ said }) =>
      rejected('permission', `X has locked or suspended this account, or does not let it do this: look there.${said}`),
  },
  { code: 'unsupported_authentication', failure: setup('X wants another kind of access token for this.') },
  {
    code: ['client-forbidden', 'client-not-enrolled', 'usage-capped'],
    failure: ({ said }) => setup(`X does not let the operator's application do this.${said}`),
  },
  { code: 'internal-error', failure: transient('X had trouble of its own.') },
  { code: ['88', 'rate-limit-exceeded'], failure: tooFast },
  { status: 429, failure: tooFast },
  { status: 401, failure: tokenExpired('X did not accept the access token.') },
  { status: 403, when: (problem) => isOwn(problem) && problem.asked === 'media', failure: PERMISSION_MISSING },
  { status: 403, when: isOwn, failure: ({ said }) => rejected('permission', `X does not allow this.${said}`) },
  { status: [0, 299], when: isOwn, failure: refused },
  { status: [400, 499], when: isOwn, failure: refused },
  { failure: ({ status }) => transient(`X answered ${status}.`) },
];

/** Converts an error response to a {@link Failure}. Never throws. @param now ms since the epoch */
export function failureOf(response: HttpResponse, now: number, asked: Asked): Failure {
  const body = response.tryJson();
  const requestId = response.headers['x-transaction-id'] ?? '';
  return classify(ERRORS, {
    answer: response,
    now,
    asked,
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
  const words = tameWords(textAt(error, 'message'));
  const detail = `X could not take this video.${words && ` It said: ${words}`}`;
  return { ...rejected('video', detail), platformCode: name || String(code) };
}

/** Wait if no counter states a reset time, ms. */
const DEFAULT_WAIT_MS = 300_000;

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
  const found = COUNTERS.flatMap(({ name, scope, window }) => {
    const reset = Number(headers[`${name}-reset`] ?? Number.NaN);
    if (!(reset > 0)) return [];
    const waitMs = Math.min(Math.max(reset * 1000 - present, 1_000), DAY);
    return [{ waitMs, scope, window, usedUp: headers[`${name}-remaining`] === '0' }];
  });
  const usedUp = found.filter((each) => each.usedUp);
  // If no counter is at zero, only the short window can be meant.
  const candidates = usedUp.length > 0 ? usedUp : found.filter(({ window }) => window === 'rate');
  const [longest] = candidates.sort((a, b) => b.waitMs - a.waitMs);
  if (!longest) return { waitMs: DEFAULT_WAIT_MS, scope: 'account', window: 'rate' };
  return { waitMs: longest.waitMs, scope: longest.scope, window: longest.window };
}
