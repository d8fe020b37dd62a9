/**
 * The error class of the service, and the function that creates errors with a specific message. Codes and messages are
 * in `messages/error-codes.ts`; the OpenAPI document, the docs and the tests are generated from there.
 */

import { ERRORS, type ErrorCode } from '../messages/error-codes.ts';
import { errorMessage, problemMessage } from '../messages/error-texts.ts';
import { ERROR_MESSAGES } from '../messages/errors.ts';
import type { Message, MessageParam, Placeholders } from '../messages/message.ts';

export { ERRORS, type ErrorCode };

/** Additional response properties of some codes. */
export interface ErrorExtras {
  /** Whole seconds to wait; also sent as `Retry-After`. */
  retryAfter?: number;
  /** For `plan_limit_reached`. */
  limit?: { name: string; value: number; used: number; resetsAt: string | null };
  /** For `invalid_request`: the field of the body, with dots, and what is wrong with it. */
  field?: { path: string; problem: Message };
}

interface Options {
  /** The HTTP status, where a protocol requires another one than that of the code. */
  status?: number;
  /** For the log only. */
  cause?: unknown;
  extras?: ErrorExtras;
}

/**
 * The only error that crosses module boundaries. Its message is safe to show; its cause is for the log only. Responses
 * render `said` in the language of the caller; `message` is the English text.
 */
export class ReelayError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly said: Message;
  readonly extras: ErrorExtras;

  /** @param said default: the message of the code. Use {@link apiError} for a specific one. */
  constructor(code: ErrorCode, said: Message = errorMessage(code), options: Options = {}) {
    super(said.text, { cause: options.cause });
    this.name = 'ReelayError';
    this.code = code;
    this.status = options.status ?? ERRORS[code][0];
    this.said = said;
    this.extras = options.extras ?? {};
  }
}

export type ErrorKey = keyof typeof ERROR_MESSAGES;

type ParamsOf<Key extends ErrorKey> = Placeholders<(typeof ERROR_MESSAGES)[Key][1]>;

type Arguments<Key extends ErrorKey> = [ParamsOf<Key>] extends [never]
  ? [params?: Readonly<Record<string, never>>, options?: Options]
  : [params: Readonly<Record<ParamsOf<Key>, MessageParam>>, options?: Options];

/**
 * Creates the error for a specific problem.
 * @param params values of the placeholders in its message
 */
export function apiError<Key extends ErrorKey>(key: Key, ...[params, options]: Arguments<Key>): ReelayError {
  return new ReelayError(ERROR_MESSAGES[key][0], problemMessage(key, params ?? {}), options);
}
