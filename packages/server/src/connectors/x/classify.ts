/**
 * Maps problem bodies of API v2 to failures ("Response codes & errors"). Problems are distinguished by type. Most types
 * are `about:blank`; those are distinguished by their message.
 */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';
import { limitOf } from './rates.ts';

const HOUR_MS = 3_600_000;
/** Wait for the operator to add credits to the app, ms. */
const CREDITS_WAIT_MS = 6 * HOUR_MS;

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
export function codeOf(answer: HttpAnswer): string {
  const body = answer.tryJson();
  if (answer.status === 402) return 'credits';
  const said = sentencesOf(body).join(' ');
  const known = SENTENCES.find(([, status, sentence]) => status === answer.status && sentence.test(said));
  if (known) return known[0];
  if (answer.status === 400 && at(body, 'errors', 0, 'parameters', 'media.media_ids') !== undefined)
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

/** Converts an error response to a {@link Failure}. Never throws. @param now ms since the epoch */
export function failureOf(answer: HttpAnswer, now: number, asked: Asked): Failure {
  const code = codeOf(answer);
  const requestId = answer.headers['x-transaction-id'] ?? '';
  return {
    ...meaningOf(answer, code, now, asked),
    status: answer.status,
    ...(code ? { platformCode: code } : {}),
    ...(/^[\w-]{1,40}$/.test(requestId) ? { requestId } : {}),
  };
}

function meaningOf(answer: HttpAnswer, code: string, now: number, asked: Asked): Failure {
  const { status } = answer;
  const known = meaningOfCode(code, saidBy(answer));
  if (known) return known;
  if (status === 429 || code === '88' || code === 'rate-limit-exceeded')
    return { kind: 'rateLimited', ...limitOf(answer, now), detail: 'X asks for fewer requests.' };
  if (status === 401) return { kind: 'tokenExpired', detail: 'X did not accept the access token.' };
  const said = saidBy(answer);
  // A response without X's own body comes from an intermediary, not from the API.
  const own = at(answer.tryJson(), 'title') !== undefined || at(answer.tryJson(), 'errors') !== undefined;
  if (status === 403 && own && asked === 'media')
    return { kind: 'reconnect', detail: 'A permission is missing. Connect the account again and leave all allowed.' };
  if (status === 403 && own) return { kind: 'rejected', what: 'permission', detail: `X does not allow this.${said}` };
  if (own && (status < 300 || (status >= 400 && status < 500)))
    return { kind: 'rejected', what: 'other', detail: `X refused the request.${said}` };
  return { kind: 'transient', detail: `X answered ${status}.` };
}

/** X's most specific message, formatted for the end of a sentence. */
function saidBy(answer: HttpAnswer): string {
  const body = answer.tryJson();
  const words = tameWords(textAt(body, 'errors', 0, 'message') || textAt(body, 'detail') || textAt(body, 'title'));
  return words && ` It said: ${words}`;
}

function meaningOfCode(code: string, said: string): Failure | null {
  switch (code) {
    case 'credits':
      return {
        kind: 'rateLimited',
        waitMs: CREDITS_WAIT_MS,
        scope: 'app',
        window: 'daily',
        detail: "The operator's X application has no credits left.",
      };
    case 'media_invalid':
      return { kind: 'transient', detail: 'X no longer has the uploaded video.' };
    case 'segments':
      return { kind: 'transient', detail: 'X did not get the whole video.' };
    case 'duplicate':
      return { kind: 'rejected', what: 'duplicate', detail: 'X has this post already.' };
    case 'video_too_long':
      return { kind: 'rejected', what: 'video', detail: `The video is longer than the account may post.${said}` };
    case 'invalid_url':
      return { kind: 'rejected', what: 'caption', detail: 'X takes an address in the text for invalid.' };
    case 'not_permitted':
      return {
        kind: 'rejected',
        what: 'policy',
        detail: 'X did not permit this post: its text may be too long or look like spam.',
      };
    case 'account':
      return {
        kind: 'rejected',
        what: 'permission',
        detail: `X has locked or suspended this account, or does not let it do this: look there.${said}`,
      };
    case 'unsupported_authentication':
      return { kind: 'setup', detail: 'X wants another kind of access token for this.' };
    case 'client-forbidden':
    case 'client-not-enrolled':
    case 'usage-capped':
      return { kind: 'setup', detail: `X does not let the operator's application do this.${said}` };
    case 'internal-error':
      return { kind: 'transient', detail: 'X had trouble of its own.' };
    default:
      return null;
  }
}

/** Converts `processing_info.error` (observed; not in the specification). Returns null for an internal error of X. */
export function processingFailure(error: unknown): Failure | null {
  const name = textAt(error, 'name').slice(0, 60);
  const code = numberAt(error, 'code');
  const isVideo = code === 1 || code === 3 || name === 'InvalidMedia' || name === 'UnsupportedMedia';
  if (!isVideo) return null;
  const words = tameWords(textAt(error, 'message'));
  return {
    kind: 'rejected',
    what: 'video',
    detail: `X could not take this video.${words && ` It said: ${words}`}`,
    platformCode: name || String(code),
  };
}
