/**
 * Maps responses of the Bot API to failures. The API has no error codes besides the HTTP status, only English messages
 * regardless of the requested language (source of telegram-bot-api). Known messages get a code of ours; unknown ones
 * get none.
 */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';

/** Wait in ms if the response gives none. */
const UNKNOWN_WAIT_MS = 60_000;
/** Maximum wait in ms. */
const LONGEST_WAIT_MS = 86_400_000;

type Verdict = Failure extends infer F
  ? F extends Failure
    ? Omit<F, 'detail' | 'platformCode' | 'status'> & { says?: string }
    : never
  : never;

const NO_RIGHTS: Verdict = {
  kind: 'rejected',
  what: 'permission',
  says: 'Make the bot an administrator of the channel who may post messages.',
};
const OURS: Verdict = { kind: 'rejected', what: 'other' };
const SENTENCES: readonly { status: number; word: string; pattern: RegExp; means: Verdict }[] = [
  { status: 400, word: 'chat_not_found', pattern: /chat not found$/, means: { kind: 'reconnect' } },
  {
    status: 400,
    word: 'no_rights',
    pattern: /need administrator rights|not enough rights|CHAT_WRITE_FORBIDDEN/,
    means: NO_RIGHTS,
  },
  {
    status: 400,
    word: 'moved',
    pattern: /group chat was upgraded to a supergroup/,
    means: { kind: 'transient', waitMs: 0 },
  },
  {
    status: 400,
    word: 'caption',
    pattern: /caption is too long|can't parse entities/,
    means: { kind: 'rejected', what: 'caption' },
  },
  { status: 400, word: 'incomplete', pattern: /there is no video in the request|chat_id is empty/, means: OURS },
  { status: 400, word: 'file', pattern: /wrong file identifier|wrong file_id/, means: { kind: 'transient' } },
  {
    status: 400,
    word: 'address',
    pattern: /failed to get HTTP URL content|wrong type of the web page|Wrong HTTP URL specified$/,
    means: OURS,
  },
  { status: 400, word: 'too_large', pattern: /file is too big$/, means: { kind: 'rejected', what: 'video' } },
  {
    status: 400,
    word: 'picture',
    pattern: /PHOTO_INVALID_DIMENSIONS|IMAGE_PROCESS_FAILED/,
    means: OURS,
  },
  {
    status: 400,
    word: 'frozen',
    pattern: /FROZEN_METHOD_INVALID/,
    means: { kind: 'reconnect', says: 'Telegram has frozen the account behind the bot.' },
  },
  {
    status: 403,
    word: 'outside',
    pattern: /bot was kicked|bot is not a member|user is deactivated|bot was blocked/,
    means: {
      kind: 'reconnect',
      says: 'Put the bot into the channel again, as an administrator who may post messages.',
    },
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
export function codeOf(answer: HttpAnswer): string {
  const body = answer.tryJson();
  if (at(body, 'ok') === true) return 'ok';
  if (at(body, 'ok') !== false || numberAt(body, 'error_code') !== answer.status) return '';
  if (answer.status === 401) return 'unauthorized';
  if (answer.status === 404) return 'not_found';
  if (answer.status === 429) return 'flood';
  return sentenceOf(answer)?.word ?? '';
}

function sentenceOf(answer: HttpAnswer) {
  const words = textAt(answer.tryJson(), 'description');
  return SENTENCES.find(({ status, pattern }) => status === answer.status && pattern.test(words));
}

/** Maps a response to a failure. Never throws. */
export function failureOf(answer: HttpAnswer): Failure {
  const words = tameWords(textAt(answer.tryJson(), 'description'));
  const { says, ...means } = verdictOn(answer);
  const detail = `Telegram answered ${answer.status}${words ? `: ${words}` : '.'}${says ? ` ${says}` : ''}`;
  return { ...means, detail, status: answer.status, platformCode: String(answer.status) };
}

function verdictOn(answer: HttpAnswer): Verdict {
  const { status } = answer;
  // Only errors of the Bot API itself count below. A gateway's error page says nothing about the bot.
  const own = at(answer.tryJson(), 'ok') === false;
  if (status === 429) return { kind: 'rateLimited', waitMs: waitOf(answer), scope: 'account', window: 'rate' };
  if (status === 413) return { kind: 'rejected', what: 'video', says: 'The file is too large.' };
  if (!own || status >= 500) return { kind: 'transient' };
  if (status === 401) return { kind: 'reconnect', revoked: true, says: 'The bot token is no longer good.' };
  if (status === 404) return { kind: 'setup', says: 'Is this the address of a Bot API server?' };
  if (status === 409) return { kind: 'setup', says: 'Another program uses this bot.' };
  return sentenceOf(answer)?.means ?? (status === 403 ? { kind: 'reconnect' } : OURS);
}

/** Returns the ms to wait, from `parameters.retry_after` or else `Retry-After`, both in seconds. */
export function waitOf(answer: HttpAnswer): number {
  const header = Number(answer.headers['retry-after'] ?? Number.NaN);
  const seconds = numberAt(answer.tryJson(), 'parameters', 'retry_after') ?? header;
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, LONGEST_WAIT_MS) : UNKNOWN_WAIT_MS;
}
