/**
 * Maps responses of the Bot API to failures. The API has no error codes besides the HTTP status, only English messages
 * regardless of the requested language (source of telegram-bot-api). Known messages get a code of ours; unknown ones
 * get none.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { DAY, MINUTE } from '../../time.ts';
import { classify, type ErrorTable } from '../kit/classify.ts';
import { rateLimited, reconnect, rejected, revoked, setup, transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** Wait in ms if the response gives none. */
const UNKNOWN_WAIT_MS = MINUTE;
/** Maximum wait in ms. */
const MAX_WAIT_MS = DAY;

/** Known messages, and the codes that we give them. */
const SENTENCES: readonly { status: number; word: string; pattern: RegExp }[] = [
  { status: 400, word: 'chat_not_found', pattern: /chat not found$/ },
  { status: 400, word: 'no_rights', pattern: /need administrator rights|not enough rights|CHAT_WRITE_FORBIDDEN/ },
  { status: 400, word: 'moved', pattern: /group chat was upgraded to a supergroup/ },
  { status: 400, word: 'caption', pattern: /caption is too long|can't parse entities/ },
  { status: 400, word: 'incomplete', pattern: /there is no video in the request|chat_id is empty/ },
  { status: 400, word: 'file', pattern: /wrong file identifier|wrong file_id/ },
  {
    status: 400,
    word: 'address',
    pattern: /failed to get HTTP URL content|wrong type of the web page|Wrong HTTP URL specified$/,
  },
  { status: 400, word: 'too_large', pattern: /file is too big$/ },
  { status: 400, word: 'picture', pattern: /PHOTO_INVALID_DIMENSIONS|IMAGE_PROCESS_FAILED/ },
  { status: 400, word: 'frozen', pattern: /FROZEN_METHOD_INVALID/ },
  {
    status: 403,
    word: 'outside',
    pattern: /bot was kicked|bot is not a member|user is deactivated|bot was blocked/,
  },
];

/** Codes that prove that nothing was sent and that the same request would be rejected again. */
export const REFUSED_WORDS = [
  'chat_not_found',
  'no_rights',
  'caption',
  'incomplete',
  'address',
  'too_large',
  'picture',
  'frozen',
] as const;

/**
 * Returns a short code for a response: `ok`; for an error in the Bot API's format a code of the table, `unauthorized`,
 * `not_found`, or `flood`; "" otherwise. Never throws.
 */
export function codeOf(response: HttpResponse): string {
  const body = response.tryJson();
  if (at(body, 'ok') === true) return 'ok';
  if (at(body, 'ok') !== false || numberAt(body, 'error_code') !== response.status) return '';
  if (response.status === 401) return 'unauthorized';
  if (response.status === 404) return 'not_found';
  if (response.status === 429) return 'flood';
  return wordOf(response);
}

function wordOf(response: HttpResponse): string {
  const words = textAt(response.tryJson(), 'description');
  return SENTENCES.find(({ status, pattern }) => status === response.status && pattern.test(words))?.word ?? '';
}

type Problem = { answer: HttpResponse; code: string; message: string };

/** Builds a failure whose detail is Telegram's message and then a hint. */
function told(build: (detail: string) => Failure, hint = '') {
  return ({ status, words }: { status: number; words: string }): Failure =>
    build(`Telegram answered ${status}${words ? `: ${words}` : '.'}${hint && ` ${hint}`}`);
}

const ERRORS: ErrorTable<Problem> = [
  {
    status: 429,
    failure: (problem) => told((detail) => rateLimited('account', 'rate', waitOf(problem.answer), detail))(problem),
  },
  { status: 413, failure: told((detail) => rejected('video', detail), 'The file is too large.') },
  // Only errors of the Bot API itself count below. A gateway's error page says nothing about the bot.
  { when: ({ answer }) => at(answer.tryJson(), 'ok') !== false || answer.status >= 500, failure: told(transient) },
  { status: 401, failure: told(revoked, 'The bot token is no longer good.') },
  { status: 404, failure: told(setup, 'Is this the address of a Bot API server?') },
  { status: 409, failure: told(setup, 'Another program uses this bot.') },
  { code: 'chat_not_found', failure: told(reconnect) },
  {
    code: 'no_rights',
    failure: told(
      (detail) => rejected('permission', detail),
      'Make the bot an administrator of the channel who may post messages.',
    ),
  },
  { code: 'moved', failure: told((detail) => transient(detail, 0)) },
  { code: 'caption', failure: told((detail) => rejected('caption', detail)) },
  { code: 'file', failure: told(transient) },
  { code: 'too_large', failure: told((detail) => rejected('video', detail)) },
  { code: 'frozen', failure: told(reconnect, 'Telegram has frozen the account behind the bot.') },
  {
    code: 'outside',
    failure: told(reconnect, 'Put the bot into the channel again, as an administrator who may post messages.'),
  },
  { status: 403, failure: told(reconnect) },
  // `incomplete`, `address`, `picture`, and unknown messages.
  { failure: told((detail) => rejected('other', detail)) },
];

/** Maps a response to a failure. Never throws. */
export function failureOf(response: HttpResponse): Failure {
  const message = textAt(response.tryJson(), 'description');
  return {
    ...classify(ERRORS, { answer: response, code: wordOf(response), message }),
    platformCode: String(response.status),
  };
}

/** Returns the ms to wait, from `parameters.retry_after` or else `Retry-After`, both in seconds. */
export function waitOf(response: HttpResponse): number {
  const header = Number(response.headers['retry-after'] ?? Number.NaN);
  const seconds = numberAt(response.tryJson(), 'parameters', 'retry_after') ?? header;
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, MAX_WAIT_MS) : UNKNOWN_WAIT_MS;
}
