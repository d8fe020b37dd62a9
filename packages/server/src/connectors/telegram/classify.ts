/**
 * Maps responses of the Bot API to failures. The API has no error codes besides the HTTP status, only English messages
 * regardless of the requested language (source of telegram-bot-api). Known messages get a code of ours; unknown ones
 * get none.
 */

import { DAY, MINUTE } from '../../lib/time.ts';
import { flaw } from '../../messages/media.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import type { ResponseRule } from '../contract.ts';
import { classify, type ErrorTable } from '../kit/classify.ts';
import { rateLimited, reconnect, rejected, revoked, setup, transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { say } from './messages.ts';

interface KnownError {
  code: string;
  message: RegExp;
  failure: Failure;
  /** Defaults to 400. `any`: 400 or 403, because Telegram's own errors arrive with either. */
  status?: 403 | 'any';
  /** What it proves about a send. Defaults to `refused`. */
  proves?: ResponseRule['proves'];
}

const OTHER = rejected('other', say('request_rejected', { code: 400 }));
const TOO_LARGE = rejected('video', say('video_rejected_for', { flaw: flaw('file_size') }));
const NO_RIGHTS =
  /need administrator rights|not enough rights|have no rights to send|CHAT_(?:WRITE|SEND_\w+)_FORBIDDEN|CHAT_RESTRICTED/;
const BAD_VIDEO = /VIDEO_CONTENT_TYPE_INVALID|VIDEO_FILE_INVALID|MEDIA_INVALID|file must be non-empty/;
const BAD_URL = /failed to get HTTP URL content|wrong type of the web page|Wrong HTTP URL specified$/;
const REMOVED = /bot was kicked|bot is not a member|user is deactivated|bot was blocked/;

/**
 * The known errors. In the Bot API's own format, every 400 and 403 to a send means that the channel has no message:
 * either a check before sending failed, or the send itself did, and the server deleted its copy (Client.cpp of
 * tdlib/telegram-bot-api, `on_message_send_failed`).
 */
const KNOWN_ERRORS: readonly KnownError[] = [
  {
    code: 'chat_not_found',
    status: 'any',
    message: /chat not found$|PEER_ID_INVALID|CHANNEL_INVALID/,
    failure: reconnect(say('chat_not_found')),
  },
  { code: 'no_rights', status: 'any', message: NO_RIGHTS, failure: rejected('permission', say('rights_missing')) },
  {
    code: 'moved',
    message: /group chat was upgraded to a supergroup/,
    failure: transient(say('chat_moved'), 0),
    proves: 'retryable',
  },
  {
    code: 'caption',
    message: /caption is too long|can't parse entities/,
    failure: rejected('caption', say('text_rejected')),
  },
  { code: 'incomplete', message: /there is no video in the request|chat_id is empty/, failure: OTHER },
  {
    code: 'file',
    message: /wrong file identifier|wrong file_id/,
    failure: transient(say('upload_unknown')),
    proves: 'retryable',
  },
  { code: 'address', message: BAD_URL, failure: OTHER },
  { code: 'video', status: 'any', message: BAD_VIDEO, failure: rejected('video', say('video_rejected')) },
  { code: 'too_large', message: /file is too big$/, failure: TOO_LARGE },
  { code: 'picture', message: /PHOTO_INVALID_DIMENSIONS|IMAGE_PROCESS_FAILED/, failure: OTHER },
  { code: 'frozen', message: /FROZEN_METHOD_INVALID/, failure: reconnect(say('account_restricted')) },
  { code: 'outside', status: 'any', message: /CHANNEL_PRIVATE/, failure: reconnect(say('not_member')) },
  { code: 'outside', status: 403, message: REMOVED, failure: reconnect(say('not_member')) },
];

/**
 * "You provided a random ID that was already used" (core.telegram.org, messages.sendMedia): an earlier attempt of the
 * server's own arrived, so nothing proves that the channel is empty.
 */
const REPEATED = /RANDOM_ID_DUPLICATE/;

/** What errors prove about a send. `other`: any other error in the Bot API's format. */
export const ERROR_RULES: readonly ResponseRule[] = [
  ...KNOWN_ERRORS.map(({ code, proves = 'refused' }) => ({ status: [400, 403] as const, code, proves })),
  { status: 400, code: 'other', proves: 'refused' },
  { status: 403, code: 'other', proves: 'refused' },
];

/**
 * Returns a short code for a response: `ok`; for an error in the Bot API's format a code of the table, `unauthorized`,
 * `not_found`, `flood`, or `other`; "" otherwise. Never throws.
 */
export function codeOf(response: HttpResponse): string {
  const body = response.tryJson();
  if (at(body, 'ok') === true) return 'ok';
  if (at(body, 'ok') !== false || numberAt(body, 'error_code') !== response.status) return '';
  if (response.status === 401) return 'unauthorized';
  if (response.status === 404) return 'not_found';
  if (response.status === 429) return 'flood';
  const message = messageOf(response);
  if (message === '' || REPEATED.test(message)) return '';
  return knownCode(response.status, message) || 'other';
}

const messageOf = (response: HttpResponse) => textAt(response.tryJson(), 'description');

function knownCode(status: number, text: string): string {
  const known = KNOWN_ERRORS.find(
    (each) =>
      (each.status === 'any' ? status === 400 || status === 403 : (each.status ?? 400) === status) &&
      each.message.test(text),
  );
  return known?.code ?? '';
}

const ERRORS: ErrorTable<{ response: HttpResponse; code: string; message: string }> = [
  {
    status: 429,
    failure: ({ response }) => rateLimited('account', 'rate', waitOf(response), say('rate_limited')),
  },
  { status: 413, failure: TOO_LARGE },
  // Only errors of the Bot API itself count below. A gateway's error page says nothing about the bot.
  {
    when: ({ response }) => at(response.tryJson(), 'ok') !== false || response.status >= 500,
    failure: ({ status }) => transient(say('status_unexpected', { status })),
  },
  { status: 401, failure: revoked(say('bot_token_rejected')) },
  { status: 404, failure: setup(say('not_bot_api')) },
  { status: 409, failure: setup(say('bot_in_use')) },
  ...KNOWN_ERRORS.map(({ code, failure }) => ({ code, failure })),
  { status: 403, failure: reconnect(say('connection_ended')) },
  { failure: ({ status }) => rejected('other', say('request_rejected', { code: status })) },
];

/** Maps a response to a failure. Never throws. */
export function failureOf(response: HttpResponse): Failure {
  const message = messageOf(response);
  return {
    ...classify(ERRORS, { response, code: knownCode(response.status, message), message }),
    platformCode: String(response.status),
  };
}

/** Returns the ms to wait, from `parameters.retry_after` or else `Retry-After`, both in seconds. */
export function waitOf(response: HttpResponse): number {
  const header = Number(response.headers['retry-after'] ?? Number.NaN);
  const seconds = numberAt(response.tryJson(), 'parameters', 'retry_after') ?? header;
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, DAY) : MINUTE;
}
